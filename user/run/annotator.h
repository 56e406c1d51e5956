/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of the source and inlined functions, for what is shown or saved; and the options for it. */
#ifndef TOPSTACKS_RUN_ANNOTATOR_H
#define TOPSTACKS_RUN_ANNOTATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/options.h"
#include "lines/lines.h"
#include "profile/snapshot.h"

struct line_options {
	bool lines, no_lines;
	bool no_inline;
};

/* Rows for a command whose struct has a struct line_options called field. */
/* clang-format off */
#define LINE_ROWS(type, field)                                                                      \
	{0, "lines", NULL, OPT_FLAG(type, field.lines), NULL,                                       \
	 "source lines and inlined functions, however long it takes to find them; what is saved "   \
	 "has those that are found soon anyway"},                                                   \
	{0, "no-lines", NULL, OPT_FLAG(type, field.no_lines), NULL,                                 \
	 "no source lines and inlined functions in what is saved"},                                 \
	NO_INLINE_ROW(type, field)

#define NO_INLINE_ROW(type, field)                                                                  \
	{0, "no-inline", NULL, OPT_FLAG(type, field.no_inline), NULL,                               \
	 "functions as they were compiled, without those inlined into them"}
/* clang-format on */

/* 0, or -EINVAL with err filled: they contradict each other. */
int line_options__check(const struct line_options *options, struct error *err);

/* NULL: out of memory. demangle, symfs: as for other names. */
struct lines *annotator__open(const struct line_options *options, bool demangle, const char *symfs);

/*
 * Puts into a snapshot what can be found out until until_ns (CLOCK_MONOTONIC), and shows what was
 * left out, if tell, on standard error. lines may be NULL. 0 or -ENOMEM.
 */
int annotator__complete(struct lines *lines, struct snapshot *snapshot, uint64_t until_ns,
			bool tell);

/* Leaves functions as they were compiled. 0 or -ENOMEM. */
int annotator__drop_inlined(struct snapshot *snapshot);

/*
 * A profile with what is known by now, waiting until until_ns (0: not at all); what is not known
 * yet is looked up meanwhile, for the next time. NULL: out of memory.
 */
struct profile *annotator__profile(struct lines *lines, const struct profile *profile,
				   uint64_t until_ns);

#endif
