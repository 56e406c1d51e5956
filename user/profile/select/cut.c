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
 * pieces of a recording may have no samples. The last slice also gets a rest at the end of the
 * recording that is too short for a slice of its own.
 */
static void cut(struct recording *recording, size_t first, size_t end)
{
	const bool to_end = !recording->slice_times && end == recording__nr_pieces(recording);
	const struct slice_time begin = recording__slice_time(recording, first);
	const struct slice_time last = recording__slice_time(recording, end - 1);
	const uint64_t begin_ns =
		(uint64_t)(begin.start_realtime_ns - recording->start_realtime_ns);
	const uint64_t length_ns =
		(uint64_t)(last.start_realtime_ns - begin.start_realtime_ns) + last.duration_ns;
	struct profile *kept =
		profile__new_like(recording->profile, profile__dictionary(recording->profile));
	size_t nr = 0;

	for (size_t i = 0; i < recording->nr_slices; i++) {
		struct profile *slice = recording->slices[i];

		if (i < first || i >= end) {
			profile__free(slice);
			continue;
		}
		if (slice)
			profile__merge(kept, slice);
		if (recording->slice_times)
			recording->slice_times[nr] = recording->slice_times[i];
		recording->slices[nr++] = slice;
	}
	recording->nr_slices = nr;
	recording__replace_profile(recording, kept);
	recording->start_realtime_ns = begin.start_realtime_ns;
	recording->cut_ns += begin_ns;
	recording->is_whole_run = false;
	if (!to_end && length_ns < recording->duration_ns - begin_ns)
		recording->duration_ns = length_ns;
	else
		recording->duration_ns -= begin_ns;
}

int recording__choose_time(struct recording *recording, const struct choice *choice,
			   struct error *err)
{
	const size_t nr = recording__nr_pieces(recording);
	size_t first = nr, end = 0;
	double from_s, to_s;
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
	for (size_t i = 0; i < nr; i++) {
		const struct slice_time time = recording__slice_time(recording, i);
		const double begin_s =
			(double)(time.start_realtime_ns - recording->start_realtime_ns) / 1e9;
		const double middle_s = begin_s + (double)time.duration_ns / 2e9;

		if (middle_s < from_s || middle_s >= to_s)
			continue;
		first = i < first ? i : first;
		end = i + 1;
	}
	if (first >= end)
		return refuse_times(recording, from_s, err);
	for (; recording; recording = recording->more)
		cut(recording, first, end);
	return 0;
}
