/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats intervals and writes them, by a thread that waits for slow readers in our place. */
#ifndef TOPSTACKS_ACTIONS_PRINTER_H
#define TOPSTACKS_ACTIONS_PRINTER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
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
	uint64_t time_ns; /* CPU time of formatting since it was last asked for */
	struct writer *writer;
};

enum color {
	COLOR_AUTO,
	COLOR_ALWAYS,
	COLOR_NEVER,
};

/* Colours, or not; path: NULL: on standard output. */
bool printer__use_color(enum color color, const char *path);

/* Columns of the terminal that a line is to fit in; 0: there is none. path: NULL: standard output. */
size_t printer__width(const char *path);

/* path: is emptied, and borrowed; NULL or "-": standard output. 0 or negative errno. */
int printer__open(struct printer *printer, const char *path, enum output_form form,
		  const struct view_options *view, enum color color, struct error *err);

/* CPU time of formatting since the last call, ns. */
uint64_t printer__take_time_ns(struct printer *printer);

/* The interval before is not written yet: the next one should be longer. */
bool printer__is_busy(const struct printer *printer);

/*
 * is_sum: of the whole run, which has its place in text only. -EPIPE: nobody reads any more, which
 * is the reader's right (err is filled all the same).
 */
int printer__interval(struct printer *printer, const struct recording *interval, bool is_sum,
		      struct error *err);

/* Waits until all is written. */
int printer__close(struct printer *printer, struct error *err);

#endif
