// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finds facts about folded text. Counts with fractions are kept as whole numbers of the smallest
 * decimal unit of the text, so that sums are exact; a larger unit is taken if the sum would
 * overflow.
 *
 * First frames are names of programs if a root such as _start follows: no function calls one. If a
 * stack begins with a root itself, the text has no names of programs.
 */
#include <math.h>

#include "formats/folded_text.h"
#include "profile/dictionary.h"

#define MOST_SUM 9e18 /* below 2^63, the limit of pprof files */

struct scan {
	double sums[2]; /* of the last column, and of the one before */
	int decimals[2];
	size_t nr_lines;
	bool has_two_columns; /* in all lines so far */
	bool calls_roots;     /* a root follows some first frame */
	bool begins_roots;    /* some first frame is a root, or no name of a program */
};

static bool is_root(struct folded_text frame)
{
	char name[64];
	const size_t length = (size_t)(frame.end - frame.at);
	const bool is_kernel = length > 4 && !memcmp(frame.end - 4, "_[k]", 4);
	const size_t nr_bytes = length - 4 * is_kernel;

	if (nr_bytes >= sizeof(name))
		return false;
	memcpy(name, frame.at, nr_bytes);
	name[nr_bytes] = '\0';
	return frame__is_root_name(is_kernel ? FRAME_KERNEL : FRAME_USER, name);
}

static bool is_unknown(struct folded_text frame)
{
	return frame.end - frame.at == 9 && !memcmp(frame.at, "[unknown]", 9);
}

/* True if a first frame may be a program's name. Names with a mark are of functions. */
static bool may_be_command(struct folded_text frame)
{
	const ptrdiff_t length = frame.end - frame.at;
	size_t nr_bytes = 0;

	if (length < 1 || is_root(frame) || is_unknown(frame) ||
	    (length > 4 && frame.end[-1] == ']' && !memcmp(frame.end - 4, "_[", 2)))
		return false;
	for (; frame.at < frame.end && nr_bytes < PROCESS_COMM_SIZE; nr_bytes++)
		if (!folded_text__take_byte(&frame)) /* no command has a NUL */
			return false;
	return nr_bytes < PROCESS_COMM_SIZE;
}

static void learn_roots(struct scan *learning, struct folded_text stack)
{
	const struct folded_text first = folded_text__take_frame(&stack);

	if (!may_be_command(first))
		learning->begins_roots = true;
	else if (stack.at < stack.end && is_root(folded_text__take_frame(&stack)))
		learning->calls_roots = true;
}

static void learn_count(struct scan *learning, const struct folded_count *count, int column)
{
	learning->sums[column] += (double)count->digits * pow(10, -count->decimals);
	if (count->decimals > learning->decimals[column])
		learning->decimals[column] = count->decimals;
}

/* The decimals of the unit; both columns of a difference have the same. */
static int find_decimals(const struct scan *learning)
{
	const bool is_second = learning->has_two_columns;
	const double sum =
		is_second ? fmax(learning->sums[0], learning->sums[1]) : learning->sums[0];
	int decimals =
		learning->decimals[is_second && learning->decimals[1] > learning->decimals[0]];

	if (decimals > METRIC_MOST_DECIMALS)
		decimals = METRIC_MOST_DECIMALS;
	while (decimals && sum * pow(10, decimals) > MOST_SUM)
		decimals--;
	return decimals;
}

static void learn_line(struct scan *learning, struct folded_text line)
{
	struct folded_count count;

	if (folded_text__says_nothing(line) ||
	    folded_text__take_count(&line, &count) != FOLDED_COUNT)
		return;
	learning->nr_lines++;
	learn_count(learning, &count, 0);
	learning->has_two_columns =
		learning->has_two_columns && folded_text__take_count(&line, &count) == FOLDED_COUNT;
	if (learning->has_two_columns)
		learn_count(learning, &count, 1);
	learn_roots(learning, line);
}

struct folded_facts folded_text__learn(struct folded_text text)
{
	struct scan learning = {.has_two_columns = true};

	while (text.at < text.end)
		learn_line(&learning, folded_text__next_line(&text));
	learning.has_two_columns &= learning.nr_lines > 0;
	return (struct folded_facts){
		.decimals = find_decimals(&learning),
		.has_two_columns = learning.has_two_columns,
		.has_commands = learning.calls_roots && !learning.begins_roots,
	};
}
