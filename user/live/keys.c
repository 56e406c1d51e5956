// SPDX-License-Identifier: GPL-2.0-only
#include "live/keys.h"

/* In the order of help; the footer has as many as fit. */
static const struct key_row keys[] = {
	{'1', ACTION_VIEW, 0, "1 … 6, Tab", "stacks, functions, tree, processes, modules, flames",
	 NULL},
	{'2', ACTION_VIEW, 1, NULL, NULL, NULL},
	{'3', ACTION_VIEW, 2, NULL, NULL, NULL},
	{'4', ACTION_VIEW, 3, NULL, NULL, NULL},
	{'5', ACTION_VIEW, 4, NULL, NULL, NULL},
	{'6', ACTION_VIEW, 5, NULL, NULL, NULL},
	{INPUT_TAB, ACTION_NEXT_VIEW, 1, NULL, NULL, NULL},
	{INPUT_BACK_TAB, ACTION_NEXT_VIEW, -1, NULL, NULL, NULL},
	{INPUT_UP, ACTION_MOVE, -1, "↑ ↓, k j", "move; PgUp PgDn by screens, Home End to the ends",
	 NULL},
	{INPUT_DOWN, ACTION_MOVE, 1, NULL, NULL, NULL},
	{'k', ACTION_MOVE, -1, NULL, NULL, NULL},
	{'j', ACTION_MOVE, 1, NULL, NULL, NULL},
	{INPUT_PAGE_UP, ACTION_PAGE, -1, NULL, NULL, NULL},
	{INPUT_PAGE_DOWN, ACTION_PAGE, 1, NULL, NULL, NULL},
	{INPUT_HOME, ACTION_END, 0, NULL, NULL, NULL},
	{INPUT_END, ACTION_END, 1, NULL, NULL, NULL},
	{'g', ACTION_END, 0, NULL, NULL, NULL},
	{'G', ACTION_END, 1, NULL, NULL, NULL},
	{INPUT_LEFT, ACTION_ASIDE, -1, "← →", "tree: fold and unfold; flames: to the side", NULL},
	{INPUT_RIGHT, ACTION_ASIDE, 1, NULL, NULL, NULL},
	{INPUT_ENTER, ACTION_DETAIL, 0, "Enter", "the whole stack, with modules and lines",
	 "stack"},
	{'/', ACTION_FILTER, 0, "/", "only samples with this in a frame, module or command (regex)",
	 "filter"},
	{' ', ACTION_FREEZE, 0, "Space, p", "freeze the picture; sampling goes on", "freeze"},
	{'p', ACTION_FREEZE, 0, NULL, NULL, NULL},
	{'[', ACTION_STEP, -1, "[ ]", "step through the intervals that are kept", "step"},
	{']', ACTION_STEP, 1, NULL, NULL, NULL},
	{'c', ACTION_COMPARE, 0, "c", "compare with what is shown now; again: no longer",
	 "compare"},
	{'m', ACTION_MODE, 0, "m", "one interval, sum of all, decaying sum", "mode"},
	{'z', ACTION_ZOOM, 0, "z", "zoom: only what passes through this row, in all views", "zoom"},
	{'u', ACTION_UNZOOM, 0, "u", "zoom out again", NULL},
	{'K', ACTION_HIDE_KERNEL, 0, "K", "hide kernel frames, or show them", "kernel"},
	{'U', ACTION_HIDE_USER, 0, "U", "hide user frames, or show them", NULL},
	{'t', ACTION_TOTAL, 0, "t", "functions and modules by total instead of self", NULL},
	{'r', ACTION_REVERSE, 0, "r", "tree and flames from the leaves: who calls what is hot",
	 NULL},
	{'b', ACTION_GROUP, 0, "b", "tell apart by command, by process, by thread", NULL},
	{'s', ACTION_SORT, 0, "s", "sort now, by the decaying sum of the intervals so far", NULL},
	{'+', ACTION_FOLD, 0, "+ -", "unfold and fold a branch of the tree; * _ all of them", NULL},
	{'=', ACTION_FOLD, 0, NULL, NULL, NULL},
	{'-', ACTION_FOLD, 1, NULL, NULL, NULL},
	{'*', ACTION_FOLD_ALL, 0, NULL, NULL, NULL},
	{'_', ACTION_FOLD_ALL, 1, NULL, NULL, NULL},
	{'w', ACTION_SAVE, 0, "w", "write all of the picture to a pprof file here", "save"},
	{'f', ACTION_FLAME_GRAPH, 0, "f", "write what is let through as a flame graph (HTML) here",
	 NULL},
	{'i', ACTION_INTERVAL, 0, "i", "another interval, from here on", NULL},
	{'F', ACTION_RATE, 0, "F", "another sampling rate, from here on", NULL},
	{'R', ACTION_RESET, 0, "R", "forget all intervals and begin anew", NULL},
	{INPUT_REDRAW, ACTION_REDRAW, 0, "Ctrl-L", "draw the screen anew", NULL},
	{INPUT_ESCAPE, ACTION_BACK, 0, "Esc", "close what is open, drop the filter, follow again",
	 NULL},
	{'?', ACTION_HELP, 0, "?, h", "this", NULL},
	{'h', ACTION_HELP, 0, NULL, NULL, NULL},
	{'q', ACTION_QUIT, 0, "q", "quit", NULL},
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
