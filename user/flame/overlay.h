/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The differential flame graph: a box for each path of a comparison by subtree, as wide as the mean
 * of its shares of both sides, so that what is new and what is gone have width too.
 */
#ifndef TOPSTACKS_FLAME_OVERLAY_H
#define TOPSTACKS_FLAME_OVERLAY_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "diff/report.h"

/* What a box's colour says. */
enum tone {
	TONE_NONE,	/* everything, or too small to be judged */
	TONE_UNCHANGED, /* or nothing says that it changed but its share */
	TONE_SLOWER,	/* probably: not enough samples to be sure */
	TONE_FASTER,
	TONE_REGRESSED,
	TONE_IMPROVED,
	TONE_MOVED,
	TONES,
};

struct flame_box {
	size_t unit;	    /* SIZE_MAX: the root, which is all samples */
	uint32_t depth;	    /* of the root: 0 */
	double left, width; /* of 1 */
	double share[SIDES];
	enum tone tone;
};

struct flame {
	struct flame_box *boxes; /* row after row */
	size_t nr_boxes;
	size_t nr_hidden; /* paths narrower than asked for */
	uint32_t nr_rows;
};

/* Boxes of min_width (of 1) and more. 0 or -ENOMEM; fini also after an error. */
int flame__init(struct flame *flame, const struct diff_report *report, double min_width);
void flame__fini(struct flame *flame);

/* "regressed", ..., for style sheets and legends. */
const char *tone__name(enum tone tone);

/* flame_svg.c: all of the picture, as a file of its own or as part of a page. 0 or -errno. */
int flame__draw(FILE *out, const struct flame *flame, const struct diff_report *report);

/*
 * The differential flame graph of a comparison by MATCH_SUBTREES, as a picture (SVG) or a page
 * (HTML) that looks closer. 0 or negative errno.
 */
int diff_flame__write(FILE *out, const struct diff_report *report, bool page);

#endif
