// SPDX-License-Identifier: GPL-2.0-only
/*
 * Cuts a time out of a recording by its slices: all slices whose middle is in that time. The result
 * begins with the first of them.
 */
#include <math.h>

#include "profile/select/choice.h"

/* Parses "10-20", "10-" or "-20". 0 or -EINVAL. */
static int parse_time(const char *text, double *from_s, double *to_s)
{
	const char *dash = strchr(text, '-');
	char *end = NULL;

	*from_s = 0;
	*to_s = INFINITY;
	if (!dash || (dash == text && !dash[1]))
		return -EINVAL;
	if (dash != text) {
		*from_s = strtod(text, &end);
		if (end != dash)
			return -EINVAL;
	}
	if (dash[1]) {
		*to_s = strtod(dash + 1, &end);
		if (*end)
			return -EINVAL;
	}
	return *from_s >= 0 && *to_s > *from_s ? 0 : -EINVAL;
}

static int find_times(const struct choice *choice, double *from_s, double *to_s, struct error *err)
{
	struct quoted quoted;

	*from_s = choice->from_s;
	*to_s = choice->to_s > 0 ? choice->to_s : INFINITY;
	if (*from_s >= *to_s)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--from %g s is not before --to %g s; %s", *from_s, *to_s,
				  *from_s > *to_s ? "exchange them" : "name a later end");
	if (!choice->time)
		return 0;
	if (choice->from_s > 0 || choice->to_s > 0)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "--time says the same as --from and --to; leave it out");
	if (parse_time(choice->time, from_s, to_s))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s is no time; say seconds from the start: 10-20, 10- or -20",
				  quote(&quoted, choice->time));
	return 0;
}

/* The slices from *first to *end - 1 have their middle in the time. */
static void find_slices(const struct recording *recording, double from_s, double to_s,
			size_t *first, size_t *end)
{
	const size_t nr = recording__nr_pieces(recording);

	*first = nr;
	*end = 0;
	for (size_t i = 0; i < nr; i++) {
		const struct slice_time time = recording__slice_time(recording, i);
		const double begin_s =
			(double)(time.start_realtime_ns - recording->start_realtime_ns) / 1e9;
		const double middle_s = begin_s + (double)time.duration_ns / 2e9;

		if (middle_s < from_s || middle_s >= to_s)
			continue;
		*first = i < *first ? i : *first;
		*end = i + 1;
	}
}

static int refuse_times(const struct recording *recording, double from_s, struct error *err)
{
	const double length_s = (double)recording->duration_ns / 1e9;
	char length[32];

	text__format_duration(length, sizeof(length), recording->duration_ns);
	if (from_s >= length_s)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "nothing was recorded from %g s on; the recording is %s long",
				  from_s, length);
	text__format_duration(length, sizeof(length), recording->slice_ns);
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "no slice has its middle in that time; slices are %s long, name more",
			  length);
}

/*
 * Frees the other slices and sums up the kept ones. There may be fewer slices than pieces: the last
 * pieces of a recording may have no samples.
 */
static int keep_slices(struct recording *recording, size_t first, size_t end)
{
	struct profile *kept =
		profile__new_like(recording->profile, profile__dictionary(recording->profile));
	int code = kept ? 0 : -ENOMEM;

	for (size_t i = 0; i < recording->nr_slices && !code; i++) {
		if (i >= first && i < end) {
			if (recording->slices[i])
				code = profile__merge(kept, recording->slices[i]);
			continue;
		}
		profile__free(recording->slices[i]);
		recording->slices[i] = NULL;
	}
	if (!code)
		return recording__replace_profile(recording, kept);
	profile__free(kept);
	return code;
}

static void move_slices(struct recording *recording, size_t first, size_t end)
{
	const size_t last = end < recording->nr_slices ? end : recording->nr_slices;
	const size_t nr = last > first ? last - first : 0;

	if (nr)
		memmove(recording->slices, recording->slices + first,
			nr * sizeof(*recording->slices));
	if (nr && recording->slice_times)
		memmove(recording->slice_times, recording->slice_times + first,
			nr * sizeof(*recording->slice_times));
	recording->nr_slices = nr;
}

/*
 * The last slice also gets a rest at the end of the recording that is too short for a slice of its
 * own.
 */
static int cut(struct recording *recording, size_t first, size_t end)
{
	const bool to_end = !recording->slice_times && end == recording__nr_pieces(recording);
	const struct slice_time begin = recording__slice_time(recording, first);
	const struct slice_time last = recording__slice_time(recording, end - 1);
	const uint64_t begin_ns =
		(uint64_t)(begin.start_realtime_ns - recording->start_realtime_ns);
	const uint64_t length_ns =
		(uint64_t)(last.start_realtime_ns - begin.start_realtime_ns) + last.duration_ns;
	const int code = keep_slices(recording, first, end);

	if (code)
		return code;
	move_slices(recording, first, end);
	recording->start_realtime_ns = begin.start_realtime_ns;
	recording->cut_ns += begin_ns;
	recording->is_whole_run = false;
	if (!to_end && length_ns < recording->duration_ns - begin_ns)
		recording->duration_ns = length_ns;
	else
		recording->duration_ns -= begin_ns;
	return 0;
}

int recording__choose_time(struct recording *recording, const struct choice *choice,
			   struct error *err)
{
	double from_s, to_s;
	size_t first, end;
	int code;

	if (!choice__is_of_time(choice))
		return 0;
	code = find_times(choice, &from_s, &to_s, err);
	if (code)
		return code;
	if (!recording->nr_slices)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "no intervals to choose a time from: use one file of record "
				  "--slices TIME or --intervals SEC");
	find_slices(recording, from_s, to_s, &first, &end);
	if (first >= end)
		return refuse_times(recording, from_s, err);
	for (; recording && !code; recording = recording->more)
		code = cut(recording, first, end) ? error__no_memory(err) : 0;
	return code;
}
