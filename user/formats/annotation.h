/* SPDX-License-Identifier: GPL-2.0-only */
/* One function, line by line and instruction by instruction, for programs. */
#ifndef TOPSTACKS_FORMATS_ANNOTATION_H
#define TOPSTACKS_FORMATS_ANNOTATION_H

#include <stdio.h>

#include "profile/code.h"
#include "profile/recording.h"

/* One object, one line: schema topstacks.annotation/1, docs/formats.md. 0 or negative errno. */
int json__write_annotation(FILE *out, const struct recording *recording,
			   const struct annotated_text *text);

#endif
