/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of the screen around the picture: what is open, what is being typed, what was said
 * last; and what a key does to it.
 */
#ifndef TOPSTACKS_LIVE_UI_H
#define TOPSTACKS_LIVE_UI_H

#include "live/keys.h"
#include "live/live.h"

struct ui {
	enum action prompt; /* what is typed is for: a filter, interval or rate; or ACTION_NONE */
	char typed[PATTERN_SIZE];
	size_t nr_typed;
	bool is_offered; /* what is there: typing takes its place, erasing changes it */
	double value;	 /* of an interval or a rate, once it is typed */
	bool shows_help, shows_detail;
	size_t scrolled;	    /* lines of help or of the stack */
	size_t most_scrolled, page; /* filled by paint__screen() */
	char message[256];	    /* the last one; until the next key */
	bool is_alarm;
	bool asks_reset; /* the next key says whether all is forgotten */
	bool by_thread;	 /* threads can be told apart */

	/* Of the run, for the header. */
	double interval_s, rate_hz;
	uint64_t running_ns;
	bool is_over; /* nothing new will come */
};

/*
 * Takes a key. *left: what only the caller can do: ACTION_QUIT, ACTION_SAVE, ACTION_FLAME_GRAPH,
 * ACTION_REDRAW; with ui->value ACTION_INTERVAL (seconds) or ACTION_RATE (Hz); else ACTION_NONE. 0
 * or -ENOMEM.
 */
int ui__take(struct ui *ui, struct live *live, int input, enum action *left);

void ui__say(struct ui *ui, bool is_alarm, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
