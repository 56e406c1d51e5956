/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Skips input from the terminal that is not a key: reports of mouse and focus, answers, and the
 * marks around pasted text. ECMA-48 defines their form: ESC [, parameters, a final character. Mouse
 * reports of X10 have three more bytes.
 */
#ifndef TOPSTACKS_LIVE_SEQUENCES_H
#define TOPSTACKS_LIVE_SEQUENCES_H

#include "base/common.h"

/* A sequence that is being read. Zeroed: none. It may arrive in pieces. */
struct sequence {
	enum { SEQUENCE_NONE, SEQUENCE_BEGINS, SEQUENCE_GOES_ON, SEQUENCE_BYTES } state;
	unsigned int left; /* characters that may still follow */
};

/* True if the character after ESC begins a sequence. */
bool sequence__begin(struct sequence *sequence, int character);

/* Begins a mouse report of X10, whose beginning ncurses has already taken for a key. */
void sequence__begin_report(struct sequence *sequence);

bool sequence__is_open(const struct sequence *sequence);

/*
 * Takes the next character of an open sequence. False: the character belongs to no sequence, and
 * this one has ended.
 */
bool sequence__take(struct sequence *sequence, int character);

#endif
