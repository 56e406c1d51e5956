/* SPDX-License-Identifier: GPL-2.0-only */
/* The interface of a full-screen view of a run: the view replaces text output on a terminal. */
#ifndef TOPSTACKS_RUN_DISPLAY_H
#define TOPSTACKS_RUN_DISPLAY_H

#include "base/common.h"
#include "profile/recording.h"

/* Requests of a view's user to the session that it shows. */
struct session_request {
	bool ends;
	bool cuts;	   /* end the interval under way now */
	double interval_s; /* length of the intervals that follow; 0: unchanged */
	double rate_hz;	   /* sampling rate from the next interval on; 0: unchanged */
};

struct display {
	const void *options; /* for open */

	/* Takes over the terminal. 0, or negative errno with err filled. */
	int (*open)(void **view, const void *options, struct error *err);

	/* Whether the view has not yet taken the interval that was shown last. */
	bool (*is_busy)(void *view);

	/* CPU time that the view used since the last call. */
	uint64_t (*take_time_ns)(void *view);

	/* Gives the view a copy of the interval. */
	void (*show)(void *view, const struct recording *interval);

	/*
	 * take_request() returns what the user's keys asked for; request_fd() is readable when a
	 * key has asked for something.
	 */
	int (*request_fd)(void *view);
	void (*take_request)(void *view, struct session_request *request);

	/*
	 * Called when no interval follows: waits until the user quits the view or a signal comes.
	 */
	void (*wait)(void *view);

	/* Restores the terminal. 0, or the error that the view met while it ran. */
	int (*close)(void *view, struct error *err);
};

#endif
