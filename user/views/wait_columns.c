// SPDX-License-Identifier: GPL-2.0-only
#include "views/wait_columns.h"

#define AVERAGE	     "AVERAGE"
#define WAIT_HEADING "WAIT"
#define WOKEN	     "WOKEN"
#define MOST_HEADING 20

/* True if events took time. Samples of a clock did not: each stands for the same time. */
static bool took_time(const struct metrics *metrics)
{
	const struct metric *count = &metrics->of[VALUE_COUNT];

	return metric__unit_ns(&metrics->of[VALUE_WEIGHT]) && count->is_events &&
	       !metric__equal(count, &metric__samples);
}

struct wait_columns wait_columns__of(const struct profile *profile)
{
	const struct metrics *metrics = profile__metrics(profile);
	const struct metric *count = &metrics->of[VALUE_COUNT];
	struct wait_columns columns = {
		.weight = &metrics->of[VALUE_WEIGHT],
		.has_waits = profile__has_waits(profile),
		.average_width = strlen(AVERAGE),
		.wait_width = strlen(WAIT_HEADING),
	};

	if (metrics->shown == VALUE_WEIGHT && count->name &&
	    (took_time(metrics) || metrics__are_blocks(metrics))) {
		columns.count = count;
		columns.count_width = text__width(metric__heading(count, MOST_HEADING));
	}
	return columns;
}

/* The average of ended waits; "" if none has ended. */
static size_t format_average(const struct wait_columns *columns, const struct row *row,
			     char text[32])
{
	const uint64_t nr = row->values[VALUE_COUNT];

	*text = '\0';
	return nr ? (size_t)metric__format(columns->weight, row->values[VALUE_WEIGHT] / nr, text,
					   32)
		  : 0;
}

bool wait_columns__tells_woken(uint64_t woken_ns, uint64_t whole_ns)
{
	return woken_ns && woken_ns >= whole_ns / 100;
}

/*
 * The time when the thread was woken, if it is worth telling; else "". The first wait of a new
 * thread has no kind, and is wholly woken; its WAIT says so.
 */
static size_t format_woken(const struct wait_columns *columns, const struct row *row, char text[32])
{
	const uint64_t woken = wait__kind(row->wait) ? row->by_state[WAIT_WOKEN] : 0;

	*text = '\0';
	return wait_columns__tells_woken(woken, row->values[VALUE_WEIGHT])
		       ? (size_t)metric__format(columns->weight, woken, text, 32)
		       : 0;
}

static void widen(size_t *width, size_t wanted)
{
	if (wanted > *width)
		*width = wanted;
}

void wait_columns__fit(struct wait_columns *columns, const struct row *row)
{
	char text[32];

	if (columns->count) {
		widen(&columns->count_width,
		      (size_t)metric__format(columns->count, row->values[VALUE_COUNT], text,
					     sizeof(text)));
		widen(&columns->average_width, format_average(columns, row, text));
	}
	if (columns->has_waits && format_woken(columns, row, text)) {
		widen(&columns->woken_width, strlen(WOKEN));
		widen(&columns->woken_width, text__width(text));
	}
	widen(&columns->wait_width, strlen(wait__describe(row->wait)));
}

void wait_columns__write_heading(const struct wait_columns *columns, struct pen *pen)
{
	if (columns->count)
		pen__format(pen, STYLE_DIM, "%*s  %*s  ", (int)columns->count_width,
			    metric__heading(columns->count, MOST_HEADING),
			    (int)columns->average_width, AVERAGE);
	if (columns->woken_width)
		pen__format(pen, STYLE_DIM, "%*s  ", (int)columns->woken_width, WOKEN);
	if (columns->has_waits)
		pen__format(pen, STYLE_DIM, "%-*s  ", (int)columns->wait_width, WAIT_HEADING);
}

void wait_columns__write(const struct wait_columns *columns, struct pen *pen, const struct row *row)
{
	char count[32], average[32], woken[32];

	if (columns->count) {
		metric__format(columns->count, row->values[VALUE_COUNT], count, sizeof(count));
		format_average(columns, row, average);
		pen__format(pen, STYLE_PLAIN, "%*s  %*s  ", (int)columns->count_width, count,
			    (int)columns->average_width, average);
	}
	if (columns->woken_width) {
		format_woken(columns, row, woken);
		pen__format(pen, STYLE_PLAIN, "%*s  ", (int)columns->woken_width, woken);
	}
	if (columns->has_waits)
		pen__format(pen, STYLE_PLAIN, "%-*s  ", (int)columns->wait_width,
			    wait__describe(row->wait));
}
