/* SPDX-License-Identifier: GPL-2.0-only */
/* All keys of the live view with their actions and help texts. Each has a row in keys.c. */
#ifndef TOPSTACKS_LIVE_KEYS_H
#define TOPSTACKS_LIVE_KEYS_H

#include "base/common.h"

/* Input from the keyboard: a character, or one of these values for keys that are no characters. */
enum input {
	INPUT_NONE = 0,
	INPUT_TAB = 9,
	INPUT_ENTER = 10,
	INPUT_ESCAPE = 27,
	INPUT_ERASE = 127,
	INPUT_UP = 0x110000,
	INPUT_DOWN,
	INPUT_LEFT,
	INPUT_RIGHT,
	INPUT_PAGE_UP,
	INPUT_PAGE_DOWN,
	INPUT_HOME,
	INPUT_END,
	INPUT_BACK_TAB,
	INPUT_REDRAW = 12, /* Ctrl-L */
};

enum action {
	ACTION_NONE,
	ACTION_VIEW,	  /* argument: the view */
	ACTION_NEXT_VIEW, /* argument: 1: the next, -1: the previous */
	ACTION_MOVE,	  /* argument: number of rows */
	ACTION_PAGE,	  /* argument: number of screens */
	ACTION_END,	  /* argument: 0: the first row, 1: the last */
	ACTION_ASIDE,	  /* argument: -1: to the left, 1: to the right */
	ACTION_DETAIL,
	ACTION_FOLD, /* argument: 1 folds, 0 unfolds */
	ACTION_FOLD_ALL,
	ACTION_REVERSE,
	ACTION_TOTAL,
	ACTION_ERRORS,
	ACTION_GROUP,
	ACTION_SORT,
	ACTION_FREEZE,
	ACTION_STEP, /* argument: number of intervals */
	ACTION_COMPARE,
	ACTION_MODE,
	ACTION_EVENT,
	ACTION_RESET,
	ACTION_FILTER,
	ACTION_STATES,
	ACTION_WAITS,
	ACTION_HIDE_KERNEL,
	ACTION_HIDE_USER,
	ACTION_ZOOM,
	ACTION_UNZOOM,
	ACTION_BACK, /* closes what is open */
	ACTION_SAVE,
	ACTION_FLAME_GRAPH,
	ACTION_INTERVAL,
	ACTION_RATE,
	ACTION_HELP,
	ACTION_REDRAW,
	ACTION_QUIT,
};

struct key_row {
	int input;
	enum action action;
	int argument;
	const char *label; /* NULL: the same as that of the previous row */
	const char *help;
	const char *brief; /* for the footer; NULL: the key is not in it */
};

/* NULL: the key has no meaning. */
const struct key_row *keys__find(int input);

const struct key_row *keys__all(size_t *nr_keys);

#endif
