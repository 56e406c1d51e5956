/* SPDX-License-Identifier: GPL-2.0-only */
/* Makes a recording from kept slices. */
#ifndef TOPSTACKS_SERVE_GATHER_H
#define TOPSTACKS_SERVE_GATHER_H

#include "base/common.h"
#include "flame/flame.h"
#include "profile/recording.h"
#include "profile/select/choice.h"
#include "serve/store.h"

/* The choice from the slices. */
struct gathering {
	const struct choice *choice;
	uint32_t owner;		  /* uid of the processes; SERVE_NO_UID: all */
	bool with_kernel;	  /* for an owner: keep kernel functions */
	const char *event;	  /* "": the first event */
	bool all_events;	  /* if no event is named */
	uint64_t slice_ns;	  /* not 0: keep slices of this length apart */
	const char *const *facts; /* of the machine; FACTS items */
};

/*
 * Adds the slices up; the caller calls recording__fini(). 0; -ENODATA: there are no slices;
 * -ENOENT: the event was not sampled; or another negative errno.
 */
int gather(struct store *store, const struct slices *slices, const struct gathering *wanted,
	   struct recording *recording, struct error *err);

/*
 * Whether users without rights may not see kernel functions. They may sample the kernel themselves
 * with kernel.perf_event_paranoid up to 1, and read addresses of symbols with kernel.kptr_restrict
 * 0. A setting that cannot be read counts as secret.
 */
bool kernel_secrets__are_kept(void);

/*
 * Makes the time line of the page: how much there was in each slice. uid: of the processes;
 * SERVE_NO_UID: all. shown: the recording on the page; its metric is borrowed. *slices: free()
 * them.
 */
void time_line__make(struct store *store, uint32_t uid, const struct recording *shown,
		     struct flame_time_line *line, struct flame_slice **slices);

#endif
