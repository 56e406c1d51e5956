/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The state of the screen around the picture: what is open, what is being typed, the last message;
 * and the effects of keys on it.
 */
#ifndef TOPSTACKS_LIVE_UI_H
#define TOPSTACKS_LIVE_UI_H

#include "live/keys.h"
#include "live/live.h"

struct ui {
	/* what is being typed: a filter, states, waits, an interval or a rate; or ACTION_NONE */
	enum action prompt;
	char typed[PATTERN_SIZE];
	size_t nr_typed;
	bool is_offered; /* the text is the current value: typing replaces it, erasing edits it */
	double value;	 /* the typed interval or rate */
	bool shows_help, shows_detail;
	size_t scrolled;	    /* lines of the help or of the stack */
	size_t most_scrolled, page; /* filled by paint__screen() */
	char message[256];	    /* until the next key */
	bool is_alarm;
	bool asks_reset; /* the next key confirms or cancels the reset */
	bool by_thread;	 /* threads can be distinguished */

	/* Facts of the run for the header. */
	double interval_s, rate_hz;
	uint64_t running_ns;
	bool is_over; /* no more intervals will come */
};

/*
 * Handles a key. *left: an action for the caller: ACTION_QUIT, ACTION_SAVE, ACTION_FLAME_GRAPH,
 * ACTION_REDRAW; with ui->value ACTION_INTERVAL (seconds) or ACTION_RATE (Hz); else ACTION_NONE. 0,
 * or -EINVAL as live__refresh().
 */
int ui__take(struct ui *ui, struct live *live, int input, enum action *left);

void ui__say(struct ui *ui, bool is_alarm, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
