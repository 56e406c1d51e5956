/* SPDX-License-Identifier: GPL-2.0-only */
/* A function as text: its source lines and its instructions, with the samples at each. */
#ifndef TOPSTACKS_VIEWS_ANNOTATION_H
#define TOPSTACKS_VIEWS_ANNOTATION_H

#include "profile/code.h"
#include "views/views.h"

/* whole: write all lines and instructions, not only those near samples. 0 or negative errno. */
int view__write_annotation(FILE *out, const struct recording *recording,
			   const struct view_options *options, const struct annotated_text *text,
			   bool whole);

#endif
