/* SPDX-License-Identifier: GPL-2.0-only */
/* An annotated function as JSON, for programs. */
#ifndef TOPSTACKS_FORMATS_ANNOTATION_H
#define TOPSTACKS_FORMATS_ANNOTATION_H

#include "base/common.h"
#include "profile/code.h"
#include "profile/recording.h"

/*
 * Writes one object on one line: schema topstacks.annotation/1, docs/formats.md. 0 or negative
 * errno.
 */
int json__write_annotation(FILE *out, const struct recording *recording,
			   const struct annotated_text *text);

#endif
