/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The printer formats intervals and writes them in a thread, so that a slow reader does not delay
 * sampling.
 */
#ifndef TOPSTACKS_ACTIONS_PRINTER_H
#define TOPSTACKS_ACTIONS_PRINTER_H

#include "base/common.h"
#include "profile/recording.h"
#include "views/views.h"

struct writer;

enum output_form {
	OUTPUT_TEXT,
	OUTPUT_FOLDED,
	OUTPUT_JSON,
};

struct printer {
	enum output_form form;
	struct view_options view;
	const char *path; /* NULL: standard output */
	int fd;
	uint64_t time_ns; /* CPU time of formatting since printer__take_time_ns() */
	struct writer *writer;
};

enum color {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* Whether to use colours. path: of the output; NULL: standard output. */
bool printer__use_color(enum color color, const char *path);

/* Width of the terminal in columns; 0: the output is no terminal. path: NULL: standard output. */
size_t printer__width(const char *path);

/*
 * Opens and empties the output. path: borrowed; NULL or "-": standard output. 0 or negative errno.
 */
int printer__open(struct printer *printer, const char *path, enum output_form form,
		  const struct view_options *view, enum color color, struct error *err);

/* CPU time of formatting since the last call, in ns. */
uint64_t printer__take_time_ns(struct printer *printer);

/* Whether the interval before is still being written: the next one should be longer then. */
bool printer__is_busy(const struct printer *printer);

/*
 * Formats an interval and queues it. is_sum: the interval is the sum of the run, which text marks.
 * 0, or negative errno; -EPIPE: the reader has closed the pipe, which is no error for the user (err
 * is filled all the same).
 */
int printer__interval(struct printer *printer, const struct recording *interval, bool is_sum,
		      struct error *err);

/* Waits until all is written. 0 or negative errno with err filled. */
int printer__close(struct printer *printer, struct error *err);

#endif
