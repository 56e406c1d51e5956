/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of the source and inlined functions, for what is shown or saved. */
#ifndef TOPSTACKS_ACTIONS_SOURCE_LINES_H
#define TOPSTACKS_ACTIONS_SOURCE_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "lines/lines.h"
#include "profile/recording.h"
#include "symbols/symbols.h"

struct line_options {
	bool lines, no_lines;
	bool no_inline;
};

/* 0, or -EINVAL with err filled: they contradict each other. */
int line_options__check(const struct line_options *options, struct error *err);

/*
 * Names are written, and files found, as symbols has it; which is made to tell it of files. NULL:
 * out of memory.
 */
struct lines *annotator__open(const struct line_options *options, struct symbols_options *symbols);

/*
 * Looks up what was asked for, until all is known, until_ns (CLOCK_MONOTONIC) has come, or a signal.
 */
void annotator__work(struct lines *lines, uint64_t until_ns);

/* How long who ends a run waits for lines: asked when it ends, as a signal leaves less. */
uint64_t annotator__time_ns(const struct line_options *options);

/* The sentence on standard error about lines that were not found. */
enum lines_telling {
	TELL_NOTHING,
	TELL_OF_FILES, /* nobody asked for lines: that there was no time for some is no news */
	TELL_ALL,
};

/*
 * Puts into a recording what can be found out until until_ns (CLOCK_MONOTONIC), and tells of what was
 * left out. 0 or -ENOMEM.
 */
int annotator__complete(struct lines *lines, struct recording *recording, uint64_t until_ns,
			enum lines_telling telling);

/* Leaves functions as they were compiled. 0 or -ENOMEM. */
int annotator__drop_inlined(struct recording *recording);

/*
 * A profile with what is known by now, waiting until until_ns (0: not at all); what is not known
 * yet is looked up meanwhile, for the next time. NULL: out of memory.
 */
struct profile *annotator__profile(struct lines *lines, const struct profile *profile,
				   uint64_t until_ns);

#endif
