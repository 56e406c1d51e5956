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

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct saved {
	int directory;
	uint64_t max_bytes;

	/* For those who count: since it was opened. */
	uint64_t nr_saved, nr_removed, removed_bytes;
	uint64_t nr_failed; /* that could not be saved */
};

/* path is made if it is not there. 0, or negative errno with err filled. */
int saved__open(struct saved *saved, const char *path, uint64_t max_bytes, struct error *err);
void saved__close(struct saved *saved); /* directory -1 is fine */

/*
 * A profile, for what rules__name() says, at this time (CLOCK_REALTIME). Room is made for it first. 0, or
 * negative errno with err filled: -EFBIG, there can be no room for it.
 */
int saved__add(struct saved *saved, const char *rule, int64_t time_ns, const void *bytes,
	       size_t nr_bytes, struct error *err);

#endif
