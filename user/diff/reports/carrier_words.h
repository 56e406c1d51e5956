/* SPDX-License-Identifier: GPL-2.0-only */
/* Carriers of an increase in words, which each format arranges in its own way. */
#ifndef TOPSTACKS_DIFF_REPORTS_CARRIER_WORDS_H
#define TOPSTACKS_DIFF_REPORTS_CARRIER_WORDS_H

#include "base/common.h"
#include "diff/reports/carriers.h"

/*
 * For example "83 % of the increase" "via" "handle_request → parse → hot" ", called at"
 * "parse.c:120". path and site are hostile; NULL: none.
 */
struct carrier_words {
	char part[32];
	const char *how;
	const char *path;
	const char *before_site;
	const char *site;
};

/* Prints one sentence for each carrier: callers, then callees, then lines. name: of the unit. */
void explanation__tell(FILE *out, const struct explanation *explanation, const char *name,
		       void (*print)(FILE *out, const struct carrier_words *words));

#endif
