/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of facts in a few words each, of which the least important go where there is no room. */
#ifndef TOPSTACKS_VIEWS_PHRASES_H
#define TOPSTACKS_VIEWS_PHRASES_H

#include <stddef.h>

#include "views/pen.h"

/* How much a reader misses who is not told. */
enum importance {
	IMPORTANCE_DETAIL,
	IMPORTANCE_USUAL,
	IMPORTANCE_NEEDED, /* what the line is for, or what was asked for */
	IMPORTANCE_ALARM,
};

#define MOST_PHRASES 16

struct phrase {
	const char *before; /* what parts it from the one before: ", " */
	enum style style;
	enum importance importance;
	char text[96];
};

/* Zeroed: none. */
struct phrases {
	struct phrase of[MOST_PHRASES];
	size_t nr;
};

/* One more behind the others; beyond MOST_PHRASES, none. */
void phrases__add(struct phrases *phrases, const char *before, enum style style,
		  enum importance importance, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* As many as the pen has room for; of equal importance the last one goes first. */
void phrases__write(struct phrases *phrases, struct pen *pen);

#endif
