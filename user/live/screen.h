/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The terminal, by ncurses: the only file that knows it. Everything here is called by one thread.
 */
#ifndef TOPSTACKS_LIVE_SCREEN_H
#define TOPSTACKS_LIVE_SCREEN_H

#include "views/pen.h"

struct screen;

/* Standard input and output are a terminal on which text can be put anywhere. */
bool screen__is_possible(void);

/* Takes the terminal over. NULL: it cannot be. */
struct screen *screen__open(bool color);
/* Gives it back. NULL is fine. */
void screen__close(struct screen *screen);

/* Leaves the terminal to a shell for a while; and takes it back, whatever its settings are now. */
void screen__leave(struct screen *screen);
void screen__return(struct screen *screen);

/* Of the window, as it is now. */
void screen__size(struct screen *screen, size_t *nr_lines, size_t *nr_columns);

/* Shows the canvas. all: what the terminal shows is not what was sent. */
void screen__draw(struct screen *screen, const struct canvas *canvas, bool all);

/* The next key (enum input) that was pressed, INPUT_NONE if there is none. Never waits. */
int screen__read(struct screen *screen);

#endif
