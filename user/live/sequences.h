/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What terminals send that is no key: reports of the mouse and of the focus, answers, the marks around what is pasted.
 * ECMA-48 says how they begin and end: ESC [, parameters, a last character. Reports of X10 have three bytes more.
 */
#ifndef TOPSTACKS_LIVE_SEQUENCES_H
#define TOPSTACKS_LIVE_SEQUENCES_H

#include <stdbool.h>

/* Zeroed is outside of any. It may come in pieces. */
struct sequence {
	enum { SEQUENCE_NONE, SEQUENCE_BEGINS, SEQUENCE_GOES_ON, SEQUENCE_BYTES } state;
	unsigned int left; /* characters until it is over, whatever they are */
};

/* Whether the character after ESC begins a sequence. */
bool sequence__begin(struct sequence *sequence, int character);

/* A report of X10, whose beginning the terminal's library has taken for a key. */
void sequence__begin_report(struct sequence *sequence);

bool sequence__is_open(const struct sequence *sequence);

/* Its next character; it must be open. False: that is no part of any, which is over. */
bool sequence__take(struct sequence *sequence, int character);

#endif
