/* SPDX-License-Identifier: GPL-2.0-only */
/* Source lines and inlined functions, for recordings that are shown or saved. */
#ifndef TOPSTACKS_ACTIONS_SOURCE_LINES_H
#define TOPSTACKS_ACTIONS_SOURCE_LINES_H

#include "base/common.h"
#include "lines/lines.h"
#include "profile/recording.h"
#include "symbols/symbols.h"

struct helpers;

struct line_options {
	bool lines, no_lines;
	bool no_inline;
};

/* Checks for options that contradict each other. 0, or -EINVAL with err filled. */
int line_options__check(const struct line_options *options, struct error *err);

/*
 * Opens the lines, with the options of symbols for names and files, and the openers and readers of
 * helpers. Changes *symbols so that it reports the files to the lines.
 */
struct lines *annotator__open(const struct line_options *options, const struct helpers *helpers,
			      struct symbols_options *symbols);

/* Looks up lines until all are known, until_ns (CLOCK_MONOTONIC) has come, or a signal. */
void annotator__work(struct lines *lines, uint64_t until_ns);

/*
 * How long the end of a run may wait for lines. Call it at the end: after a signal there is less
 * time.
 */
uint64_t annotator__time_ns(const struct line_options *options);

/* How much to tell on standard error about lines that were not found. */
enum lines_telling {
	TELL_NOTHING,
	TELL_OF_FILES, /* lines were not asked for: lack of time is not told */
	TELL_ALL,
};

/*
 * Adds to a recording the lines that are found until until_ns (CLOCK_MONOTONIC), and tells about
 * the rest.
 */
void annotator__complete(struct lines *lines, struct recording *recording, uint64_t until_ns,
			 enum lines_telling telling);

/* Undoes inlining: frames become functions as compiled. */
void annotator__drop_inlined(struct recording *recording);

/*
 * Returns a profile with the lines known so far, waiting until until_ns (0: not at all). Unknown
 * lines are looked up in the background, for the next call.
 */
struct profile *annotator__profile(struct lines *lines, const struct profile *profile,
				   uint64_t until_ns);

#endif
