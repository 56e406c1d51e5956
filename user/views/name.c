// SPDX-License-Identifier: GPL-2.0-only
#include "views/name.h"

#include <string.h>

#include "profile/profile.h"
#include "views/brief.h"

#define LEAST_MODULE 4 /* columns: with less, the beginning of a module says nothing */

static const struct mark {
	const char *text;
	enum style style;
} marks[FRAME_KINDS] = {
	[FRAME_USER] = {"", STYLE_PLAIN},	 [FRAME_KERNEL] = {" [k]", STYLE_KERNEL},
	[FRAME_JIT] = {" [j]", STYLE_JIT},	 [FRAME_INTERPRETED] = {" [s]", STYLE_JIT},
	[FRAME_INLINED] = {" [i]", STYLE_PLAIN},
};

const char *name__mark(enum frame_kind kind)
{
	return marks[kind].text;
}

/* The mark is seen also where the name is cut. */
static void write_cut(struct pen *pen, const char *name, const struct mark *mark)
{
	struct pen part = *pen;
	char brief[BRIEF_SIZE];

	if (pen__left(pen) > strlen(mark->text))
		part.end -= strlen(mark->text);
	pen__text(&part, mark->style, brief__name(name, pen__left(&part), brief));
	pen->column = part.column;
}

void name__write(struct pen *pen, const char *name, const char *module, enum frame_kind kind)
{
	const struct mark *mark = &marks[kind];

	if (pen->canvas)
		write_cut(pen, name, mark);
	else
		pen__text(pen, mark->style, name);
	pen__text(pen, mark->style, mark->text);
	if (module && !frame__says_module(name, module, kind) && pen__left(pen) > LEAST_MODULE)
		pen__format(pen, STYLE_DIM, " (%s)", module);
}
