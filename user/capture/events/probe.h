/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A parsed probe: "uprobe:FILE:SYMBOL[+OFFSET]", "uretprobe:FILE:SYMBOL". probe_place.h looks up
 * the place.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PROBE_H
#define TOPSTACKS_CAPTURE_EVENTS_PROBE_H

#include "base/common.h"

struct event_words;
struct tracepoint;

#define PROBE_ARGUMENTS \
	6 /* the arguments in registers on x86-64; on aarch64 no more of them are offered */

struct uprobe {
	bool is_of_returns;
	char *file;	    /* a path, or the name of a library that the target maps; owned */
	const char *symbol; /* not empty */
	bool has_offset;
	uint64_t offset;	/* from the symbol; 0 unless has_offset */
	unsigned int arguments; /* bit N-1: argument N is used */
};

/* Returns true if the name is that of a probe of any kind, offered or not. */
bool probe__is_meant(const char *name);

/*
 * Parses words for which probe__is_meant is true. Returns 0, or negative errno with a sentence
 * (EXIT_USAGE). After an error nothing is to be freed.
 */
int probe__parse(struct uprobe *probe, const struct event_words *words, struct error *err);

/* Zeroed is fine. */
void probe__free(struct uprobe *probe);

/*
 * Returns the offset of an argument's register, 1 to PROBE_ARGUMENTS, in the registers that a
 * program gets.
 */
uint16_t probe__argument_offset(unsigned int number);

/* Describes the arguments or the return value as fields of a record. */
void probe__describe_fields(const struct uprobe *probe, struct tracepoint *fields);

#endif
