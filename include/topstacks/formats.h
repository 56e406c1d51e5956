/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats that machines read; one file each in user/formats/, one row each in formats.c. */
#ifndef TOPSTACKS_FORMATS_H
#define TOPSTACKS_FORMATS_H

#include <stdio.h>

#include "topstacks/interval.h"

/* "comm;root;...;leaf count", one line a named stack, most first; docs/formats.md. 0 or errno. */
int folded__write(FILE *out, const struct profile *profile, enum merge merge);

/* One object, one line: schema topstacks.interval/1, docs/json.md. 0 or negative errno. */
int json__write_interval(FILE *out, const struct interval *interval);

#endif
