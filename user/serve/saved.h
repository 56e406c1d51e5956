/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Profiles that rules have saved, in a directory that does not outgrow its bound:
 *
 *	DIR/topstacks-when-cpu-of-comm-nginx-20260131T123456.789Z.pb.gz
 *
 * The oldest go first. Files with other names are left alone, and not counted.
 */
#ifndef TOPSTACKS_SERVE_SAVED_H
#define TOPSTACKS_SERVE_SAVED_H

#include "base/common.h"

struct saved {
	int directory;
	uint64_t max_bytes;

	/* Totals since saved__open(). */
	uint64_t nr_saved, nr_removed, removed_bytes;
	uint64_t nr_failed; /* failures to save */
};

/* Opens the directory; creates it if needed. 0, or negative errno with err filled. */
int saved__open(struct saved *saved, const char *path, uint64_t max_bytes, struct error *err);
void saved__close(struct saved *saved); /* directory -1 is fine */

/*
 * Saves a profile for a rule (rule: from rules__name()) at a time (CLOCK_REALTIME), after making
 * room. 0, or negative errno with err filled; -EFBIG: it is larger than the bound.
 */
int saved__add(struct saved *saved, const char *rule, int64_t time_ns, const void *bytes,
	       size_t nr_bytes, struct error *err);

#endif
