/* SPDX-License-Identifier: GPL-2.0-only */
/* A full-screen view of a run, as a run sees it: what a terminal shows in the place of text. */
#ifndef TOPSTACKS_RUN_DISPLAY_H
#define TOPSTACKS_RUN_DISPLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "profile/recording.h"

/* What whoever shows a session may ask of it while it runs. */
struct session_request {
	bool ends;
	bool cuts;	   /* the interval under way is over now */
	double interval_s; /* from here on; 0: as it is */
	double rate_hz;	   /* from here on; 0: as it is */
};

struct display {
	const void *options; /* for open */

	/* Takes over the terminal. 0, or negative errno with err filled. */
	int (*open)(void **view, const void *options, struct error *err);

	/* The interval before has not been taken yet. */
	bool (*is_busy)(void *view);

	/* CPU time that the view took since it was last asked. */
	uint64_t (*take_time_ns)(void *view);

	/* Hands over a copy. 0 or -ENOMEM. */
	int (*show)(void *view, const struct recording *interval);

	/* What keys have asked for; the descriptor is readable when there is something. */
	int (*request_fd)(void *view);
	void (*take_request)(void *view, struct session_request *request);

	/* Nothing will follow. Returns when the user has seen enough, or with a signal. */
	void (*wait)(void *view);

	/* Gives the terminal back. 0, or what went wrong meanwhile. */
	int (*close)(void *view, struct error *err);
};

#endif
