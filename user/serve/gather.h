/* SPDX-License-Identifier: GPL-2.0-only */
/* Puts a recording together of slices that are kept. */
#ifndef TOPSTACKS_SERVE_GATHER_H
#define TOPSTACKS_SERVE_GATHER_H

#include "profile/recording.h"
#include "profile/select/choice.h"
#include "serve/store.h"

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

#endif
