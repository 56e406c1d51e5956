/* SPDX-License-Identifier: GPL-2.0-only */
/* A line of short facts; the least important ones are left out if there is no room. */
#ifndef TOPSTACKS_VIEWS_PHRASES_H
#define TOPSTACKS_VIEWS_PHRASES_H

#include "base/common.h"
#include "views/pen.h"

/* How much a reader needs a phrase. */
enum importance {
	IMPORTANCE_DETAIL,
	IMPORTANCE_USUAL,
	IMPORTANCE_NEEDED, /* the subject of the line, or asked for by the user */
	IMPORTANCE_ALARM,
};

#define MOST_PHRASES 16

struct phrase {
	const char *before; /* separator from the phrase before: ", " */
	enum style style;
	enum importance importance;
	char text[96];
};

/* Zeroed: none. */
struct phrases {
	struct phrase of[MOST_PHRASES];
	size_t nr;
};

/* Adds a phrase at the end; ignored beyond MOST_PHRASES. */
void phrases__add(struct phrases *phrases, const char *before, enum style style,
		  enum importance importance, const char *format, ...)
	__attribute__((format(printf, 5, 6)));

/* Writes as many phrases as fit; of equal importance the last one is dropped first. */
void phrases__write(struct phrases *phrases, struct pen *pen);

#endif
