// SPDX-License-Identifier: GPL-2.0-only
#include "live/keys.h"

/*
 * In the order of the help, whose first page must have the most important keys also on the smallest
 * screen. The footer shows as many keys as fit. No help text is wider than the smallest screen.
 */
static const struct key_row keys[] = {
	{'1', ACTION_VIEW, 0, "1 … 6, Tab", "the views, as above", NULL},
	{'2', ACTION_VIEW, 1, NULL, NULL, NULL},
	{'3', ACTION_VIEW, 2, NULL, NULL, NULL},
	{'4', ACTION_VIEW, 3, NULL, NULL, NULL},
	{'5', ACTION_VIEW, 4, NULL, NULL, NULL},
	{'6', ACTION_VIEW, 5, NULL, NULL, NULL},
	{INPUT_TAB, ACTION_NEXT_VIEW, 1, NULL, NULL, NULL},
	{INPUT_BACK_TAB, ACTION_NEXT_VIEW, -1, NULL, NULL, NULL},
	{INPUT_UP, ACTION_MOVE, -1, "↑ ↓, k j", "move; PgUp PgDn Home End, too", NULL},
	{INPUT_DOWN, ACTION_MOVE, 1, NULL, NULL, NULL},
	{'k', ACTION_MOVE, -1, NULL, NULL, NULL},
	{'j', ACTION_MOVE, 1, NULL, NULL, NULL},
	{INPUT_PAGE_UP, ACTION_PAGE, -1, NULL, NULL, NULL},
	{INPUT_PAGE_DOWN, ACTION_PAGE, 1, NULL, NULL, NULL},
	{INPUT_HOME, ACTION_END, 0, NULL, NULL, NULL},
	{INPUT_END, ACTION_END, 1, NULL, NULL, NULL},
	{'g', ACTION_END, 0, NULL, NULL, NULL},
	{'G', ACTION_END, 1, NULL, NULL, NULL},
	{INPUT_ENTER, ACTION_DETAIL, 0, "Enter", "the whole stack, with modules and lines",
	 "stack"},
	{'/', ACTION_FILTER, 0, "/", "only samples with this in a name (regex)", "filter"},
	{' ', ACTION_FREEZE, 0, "Space, p", "freeze the picture; sampling goes on", "freeze"},
	{'p', ACTION_FREEZE, 0, NULL, NULL, NULL},
	{'i', ACTION_INTERVAL, 0, "i, F", "another interval, another sampling rate", NULL},
	{'F', ACTION_RATE, 0, NULL, NULL, NULL},
	{'R', ACTION_RESET, 0, "R", "twice: forget all intervals, begin anew", NULL},
	{INPUT_ESCAPE, ACTION_BACK, 0, "Esc", "close, zoom out, drop the filter, go on", NULL},
	{'q', ACTION_QUIT, 0, "q", "quit", NULL},
	{'[', ACTION_STEP, -1, "[ ]", "step through the intervals that are kept", "step"},
	{']', ACTION_STEP, 1, NULL, NULL, NULL},
	{'c', ACTION_COMPARE, 0, "c", "compare with what is shown now; or stop", "compare"},
	{'m', ACTION_MODE, 0, "m", "one interval, sum of all, decaying sum", "mode"},
	{'e', ACTION_EVENT, 0, "e", "the next event of -e, in turn", NULL},
	{'s', ACTION_SORT, 0, "s", "sort now, by the decaying sum", NULL},
	{'z', ACTION_ZOOM, 0, "z, u", "zoom into this row in all views; and out", "zoom"},
	{'u', ACTION_UNZOOM, 0, NULL, NULL, NULL},
	{'S', ACTION_STATES, 0, "S, W", "only these states; only these kinds of wait", NULL},
	{'W', ACTION_WAITS, 0, NULL, NULL, NULL},
	{'K', ACTION_HIDE_KERNEL, 0, "K, U", "hide or show kernel frames, user frames", "kernel"},
	{'U', ACTION_HIDE_USER, 0, NULL, NULL, NULL},
	{'t', ACTION_TOTAL, 0, "t", "functions and modules by total or by self", NULL},
	{'E', ACTION_ERRORS, 0, "E", "how sure percentages are, or not", NULL},
	{'r', ACTION_REVERSE, 0, "r", "tree and flames from the leaves", NULL},
	{'b', ACTION_GROUP, 0, "b", "tell apart by command, process, thread", NULL},
	{INPUT_LEFT, ACTION_ASIDE, -1, "← →", "fold and unfold; in flames to the side", NULL},
	{INPUT_RIGHT, ACTION_ASIDE, 1, NULL, NULL, NULL},
	{'+', ACTION_FOLD, 0, "+ -", "unfold and fold; * _ all of the tree", NULL},
	{'=', ACTION_FOLD, 0, NULL, NULL, NULL},
	{'-', ACTION_FOLD, 1, NULL, NULL, NULL},
	{'*', ACTION_FOLD_ALL, 0, NULL, NULL, NULL},
	{'_', ACTION_FOLD_ALL, 1, NULL, NULL, NULL},
	{'w', ACTION_SAVE, 0, "w", "write all of the picture to a pprof file", "save"},
	{'f', ACTION_FLAME_GRAPH, 0, "f", "write what is shown as a flame graph", NULL},
	{INPUT_REDRAW, ACTION_REDRAW, 0, "Ctrl-L", "draw the screen anew", NULL},
	{'?', ACTION_HELP, 0, "?, h", "this", NULL},
	{'h', ACTION_HELP, 0, NULL, NULL, NULL},
};

#define KEYS (sizeof(keys) / sizeof(keys[0]))

const struct key_row *keys__find(int input)
{
	for (size_t i = 0; i < KEYS; i++)
		if (keys[i].input == input)
			return &keys[i];
	return NULL;
}

const struct key_row *keys__all(size_t *nr_keys)
{
	*nr_keys = KEYS;
	return keys;
}
