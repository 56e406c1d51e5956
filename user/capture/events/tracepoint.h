/* SPDX-License-Identifier: GPL-2.0-only */
/* A kernel tracepoint: its number and the fields of its records, read from tracefs. */
#ifndef TOPSTACKS_CAPTURE_EVENTS_TRACEPOINT_H
#define TOPSTACKS_CAPTURE_EVENTS_TRACEPOINT_H

#include "base/common.h"
#include "topstacks/probes_abi.h"

struct suggestions;

#define TRACEPOINT_MAX_NAME   128   /* bytes of "SYSTEM:NAME" */
#define TRACEPOINT_MAX_FORMAT 65536 /* bytes of its description */
#define TRACEPOINT_MAX_RECORD 8192  /* bytes: PERF_MAX_TRACE_SIZE */

enum tracepoint_shape {
	SHAPE_NUMBER,  /* 1, 2, 4 or 8 bytes */
	SHAPE_ADDRESS, /* the same, but an address: can be compared with, but is no quantity */
	SHAPE_COMMON,  /* in the part that every record begins with, which programs do not see */
	SHAPE_OTHER,   /* an array, a text, a struct */
};

struct tracepoint_field {
	const char *name;
	uint16_t offset, size; /* bytes, in the record */
	bool is_signed;
	enum tracepoint_shape shape;
};

struct tracepoint {
	/* the word for sentences: "tracepoint", or "probe" for a probe's fields */
	const char *noun;
	uint32_t id; /* config of its perf events */
	struct tracepoint_field *fields;
	size_t nr_fields, capacity;
	char *text;		      /* the description cut in pieces; names point into it */
	struct hit_settings settings; /* of its event: see tracepoint_terms.h */
};

/*
 * Returns true if the name is SYSTEM:NAME with letters, digits, '_', '-' and '.', neither part
 * beginning with a '.'.
 */
bool tracepoint_name__is_sane(const char *name);

/*
 * Parses a description, which may hold anything. The tracepoint owns format from then on, also on
 * error. Returns 0; -EINVAL: no field or no id.
 */
int tracepoint__parse(struct tracepoint *tracepoint, char *format);

/*
 * Reads the tracepoint of that name. tracefs: see tracefs__open. Returns 0 or negative errno:
 * -ENOENT without a sentence if there is none; others with one (EXIT_SYSTEM).
 */
int tracepoint__read(struct tracepoint *tracepoint, int tracefs, const char *name,
		     struct error *err);

/* Zeroed is fine. */
void tracepoint__free(struct tracepoint *tracepoint);

/* Returns the field of that name, valid as long as the tracepoint; NULL: there is none. */
const struct tracepoint_field *tracepoint__field(const struct tracepoint *tracepoint,
						 const char *name);

/*
 * Returns a numeric field, for use as a weight or (is_weight false) in a comparison. NULL: there is
 * none; err then has a sentence (EXIT_USAGE) with the usable fields.
 */
const struct tracepoint_field *tracepoint__number(const struct tracepoint *tracepoint,
						  const char *event, const char *name,
						  bool is_weight, struct error *err);

/* Lists at most so many fields that can be a weight: "bytes, nr_sector". Returns text. */
const char *tracepoint__list_weights(const struct tracepoint *tracepoint, size_t most, char *text,
				     size_t size);

/* ---- the list of all tracepoints ---- */

struct tracepoint_names {
	char **names; /* "sched:sched_switch"; sorted */
	size_t nr_names, capacity;
	char *text;
};

/* Reads all sane names. Returns 0 or negative errno with a sentence. */
int tracepoint_names__read(struct tracepoint_names *names, int tracefs, struct error *err);
void tracepoint_names__free(struct tracepoint_names *names); /* zeroed is fine */

/* Adds names that are similar to the wanted one; none if they cannot be read. */
void tracepoint_names__suggest(struct suggestions *near, int tracefs, const char *wanted);

#endif
