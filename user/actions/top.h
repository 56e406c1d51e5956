/* SPDX-License-Identifier: GPL-2.0-only */
/* A run that is shown interval by interval while it goes on: as text, or by a display. */
#ifndef TOPSTACKS_ACTIONS_TOP_H
#define TOPSTACKS_ACTIONS_TOP_H

#include "actions/printer.h"
#include "actions/source_lines.h"
#include "base/common.h"
#include "run/display.h"
#include "run/session.h"

struct top_plan {
	struct session_plan session;
	struct line_options lines;
	const struct display *display; /* NULL: text is printed */
	enum output_form form;	       /* of printed text */
	struct view_options view;
	struct wait_choice waits; /* which waits are shown */
	enum color color;
	const char *output; /* NULL: standard output */
	const char *save;   /* file for the whole run; NULL: none */
	double required_quality;
};

/* Makes the run. Returns the same as session__run(). */
int top__run(const struct top_plan *plan, struct error *err);

#endif
