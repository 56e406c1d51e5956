/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A probe as the user says it: "uprobe:FILE:SYMBOL[+OFFSET]", "uretprobe:FILE:SYMBOL". Nothing is looked for
 * yet: see probe_place.h.
 */
#ifndef TOPSTACKS_CAPTURE_EVENTS_PROBE_H
#define TOPSTACKS_CAPTURE_EVENTS_PROBE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct event_words;
struct tracepoint;

#define PROBE_ARGUMENTS \
	6 /* that are in registers on x86-64; on aarch64, too, no more are offered */

struct uprobe {
	bool is_of_returns;
	char *file;	    /* a path, or the name of a library that the target has mapped; owned */
	const char *symbol; /* not empty */
	bool has_offset;
	uint64_t offset;	/* from the symbol; 0 unless has_offset */
	unsigned int arguments; /* bit N-1: argument N is looked at */
};

/* A name that is of a probe, of whatever kind. */
bool probe__is_meant(const char *name);

/*
 * Takes apart what probe__is_meant. 0, or negative errno with a sentence (EXIT_USAGE). Nothing is to be freed
 * after an error.
 */
int probe__parse(struct uprobe *probe, const struct event_words *words, struct error *err);

/* Zeroed is fine. */
void probe__free(struct uprobe *probe);

/* Where the register of an argument, from 1 to PROBE_ARGUMENTS, is among those that a program is handed. */
uint16_t probe__argument_offset(unsigned int number);

/* The numbers that are at hand where it is hit, as fields of a record. 0 or -ENOMEM. */
int probe__describe_fields(const struct uprobe *probe, struct tracepoint *fields);

#endif
