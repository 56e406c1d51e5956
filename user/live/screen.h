/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal, controlled by ncurses. Only this file uses ncurses. All functions are called by one
 * thread.
 */
#ifndef TOPSTACKS_LIVE_SCREEN_H
#define TOPSTACKS_LIVE_SCREEN_H

#include "views/pen.h"

struct screen;

/* True if standard input and output are a terminal with cursor addressing. */
bool screen__is_possible(void);

/* Takes control of the terminal. NULL: that is not possible. */
struct screen *screen__open(bool color);
/* Restores the terminal. NULL is allowed. */
void screen__close(struct screen *screen);

/* Restores the terminal for a shell; takes control again, with the settings that it has by then. */
void screen__leave(struct screen *screen);
void screen__return(struct screen *screen);

/* The current size of the window. */
void screen__size(struct screen *screen, size_t *nr_lines, size_t *nr_columns);

/* Shows the canvas. all: redraws everything, because the terminal may show something else. */
void screen__draw(struct screen *screen, const struct canvas *canvas, bool all);

/* Returns the next pressed key (enum input), or INPUT_NONE. Never waits. */
int screen__read(struct screen *screen);

#endif
