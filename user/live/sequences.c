// SPDX-License-Identifier: GPL-2.0-only
#include "live/sequences.h"

#define MOST_CHARACTERS 64 /* of a sequence; longer input is not a sequence */
#define REPORT_BYTES	3  /* for button, column and line */

bool sequence__begin(struct sequence *sequence, int character)
{
	if (character == '[')
		*sequence = (struct sequence){SEQUENCE_BEGINS, MOST_CHARACTERS};
	else if (character == 'O') /* a keypad key that is not in the terminal's description */
		*sequence = (struct sequence){SEQUENCE_BYTES, 1};
	return sequence__is_open(sequence);
}

void sequence__begin_report(struct sequence *sequence)
{
	*sequence = (struct sequence){SEQUENCE_BYTES, REPORT_BYTES};
}

bool sequence__is_open(const struct sequence *sequence)
{
	return sequence->state != SEQUENCE_NONE;
}

bool sequence__take(struct sequence *sequence, int character)
{
	const bool begins = sequence->state == SEQUENCE_BEGINS;

	sequence->left--;
	if (sequence->state == SEQUENCE_BYTES) {
		if (!sequence->left)
			sequence->state = SEQUENCE_NONE;
		return true;
	}
	if (begins && character == 'M') {
		sequence__begin_report(sequence);
		return true;
	}
	sequence->state = sequence->left ? SEQUENCE_GOES_ON : SEQUENCE_NONE;
	if (character >= ' ' && character < '@') /* parameters and intermediate characters */
		return true;
	sequence->state = SEQUENCE_NONE;
	return character >= '@' && character <= '~';
}
