/* SPDX-License-Identifier: GPL-2.0-only */
/* A tracepoint of the kernel's: its number, and what its records hold, as tracefs says. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_TRACEPOINT_H
#define TOPSTACKS_CAPTURE_EVENTS_TRACEPOINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "topstacks/abi.h"

#define TRACEPOINT_MAX_NAME   128   /* bytes of "SYSTEM:NAME" */
#define TRACEPOINT_MAX_FORMAT 65536 /* bytes of its description */
#define TRACEPOINT_MAX_RECORD 8192  /* bytes: PERF_MAX_TRACE_SIZE */

enum tracepoint_shape {
	SHAPE_NUMBER,  /* 1, 2, 4 or 8 bytes */
	SHAPE_ADDRESS, /* the same, of something: no quantity, but it can be compared with */
	SHAPE_COMMON,  /* what every record begins with: programs do not see it */
	SHAPE_OTHER,   /* an array, a text, a struct */
};

struct tracepoint_field {
	const char *name;
	uint16_t offset, size; /* bytes, in the record */
	bool is_signed;
	enum tracepoint_shape shape;
};

struct tracepoint {
	const char *noun; /* in sentences: "tracepoint"; of what has such fields, too, "probe" */
	uint32_t id;	  /* config of its perf events */
	struct tracepoint_field *fields;
	size_t nr_fields, capacity;
	char *text;		      /* the description, cut in pieces, which the names are of */
	struct hit_settings settings; /* of its event: see tracepoint_terms.h */
};

/* "sched:sched_switch": of letters, digits, '_', '-' and '.', which does not begin any part. */
bool tracepoint_name__is_sane(const char *name);

/*
 * Takes a description apart, which may hold anything, and which is the tracepoint's from then on, also on
 * error. 0; -EINVAL: no fields are described; -ENOMEM.
 */
int tracepoint__parse(struct tracepoint *tracepoint, char *format);

/*
 * Reads the one of that name. tracefs: see tracefs__open. 0 or negative errno: -ENOENT, without a sentence,
 * where there is none of that name; others with one (EXIT_SYSTEM).
 */
int tracepoint__read(struct tracepoint *tracepoint, int tracefs, const char *name,
		     struct error *err);

/* Zeroed is fine. */
void tracepoint__free(struct tracepoint *tracepoint);

/* NULL: it has none of that name. Valid as long as the tracepoint. */
const struct tracepoint_field *tracepoint__field(const struct tracepoint *tracepoint,
						 const char *name);

/*
 * A field that is a number, for use as a weight or (is_weight false) in a comparison. NULL: there is none
 * such; err has one sentence (EXIT_USAGE), with the fields that there are.
 */
const struct tracepoint_field *tracepoint__number(const struct tracepoint *tracepoint,
						  const char *event, const char *name,
						  bool is_weight, struct error *err);

/* "bytes, nr_sector": those that can be a weight, at most so many of them. Returns text. */
const char *tracepoint__list_weights(const struct tracepoint *tracepoint, size_t most, char *text,
				     size_t size);

/* ---- all of them ---- */

struct tracepoint_names {
	char **names; /* "sched:sched_switch", by name */
	size_t nr_names, capacity;
	char *text;
};

/* Names that are not sane are left out. 0 or negative errno, with a sentence. */
int tracepoint_names__read(struct tracepoint_names *names, int tracefs, struct error *err);
void tracepoint_names__free(struct tracepoint_names *names); /* zeroed is fine */

#endif
