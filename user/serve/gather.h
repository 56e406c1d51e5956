/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts a recording together of slices that are kept. */
#ifndef TOPSTACKS_SERVE_GATHER_H
#define TOPSTACKS_SERVE_GATHER_H

#include "flame/flame.h"
#include "profile/recording.h"
#include "profile/select/choice.h"
#include "serve/store.h"

#include <stdbool.h>

/* What is wanted of them. */
struct gathering {
	const struct choice *choice;
	uint32_t owner;		  /* whose processes; SERVE_NO_UID: all */
	bool with_kernel;	  /* of an owner's: functions of the kernel, too */
	const char *event;	  /* "": the first */
	bool all_events;	  /* unless one is named */
	uint64_t slice_ns;	  /* not 0: slices of this length stay apart */
	const char *const *facts; /* of the machine, FACTS of them */
};

/*
 * The recording is the caller's to fini. 0; -ENODATA: there are no slices; -ENOENT: the event was not
 * sampled; or another negative errno.
 */
int gather(struct store *store, const struct slices *slices, const struct gathering *wanted,
	   struct recording *recording, struct error *err);

/*
 * Whether users without rights may not know what the kernel does: they may sample it themselves with
 * kernel.perf_event_paranoid up to 1, and read its symbols' addresses with kernel.kptr_restrict 0. What
 * cannot be read is kept.
 */
bool kernel_secrets__are_kept(void);

/* The past at a glance, for the page: how much there was in each slice, of all or of one user. */
/*
 * uid: whose processes; SERVE_NO_UID: all. shown: what the page shows; its metric is borrowed. The slices are the
 * caller's to free. 0 or -ENOMEM.
 */
int time_line__make(struct store *store, uint32_t uid, const struct recording *shown,
		    struct flame_time_line *line, struct flame_slice **slices);

#endif
