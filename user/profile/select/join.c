// SPDX-License-Identifier: GPL-2.0-only
/* Joins recordings of different times, keeping their samples apart as slices. */

#include "profile/recording.h"

struct slice_time recording__slice_time(const struct recording *recording, size_t slice)
{
	if (recording->slice_times)
		return recording->slice_times[slice];
	return (struct slice_time){
		.start_realtime_ns =
			recording->start_realtime_ns + (int64_t)(slice * recording->slice_ns),
		.duration_ns = recording->slice_ns,
	};
}

/* ---- the pieces of a recording: its slices, or the whole ---- */

struct piece {
	struct profile *samples; /* in the dictionary of the sum */
	struct slice_time time;
};

size_t recording__nr_pieces(const struct recording *recording)
{
	const uint64_t slice_ns = recording->slice_ns;
	size_t nr;

	if (recording->slice_times || !recording->nr_slices || !slice_ns)
		return recording->nr_slices ? recording->nr_slices : 1;
	nr = (size_t)((recording->duration_ns + slice_ns / 2) / slice_ns);
	nr = nr < MAX_SLICES ? nr : MAX_SLICES;
	return nr > recording->nr_slices ? nr : recording->nr_slices;
}

/* The last slice of a file may be shorter than the others. */
static struct slice_time piece_time(const struct recording *recording, size_t index)
{
	struct slice_time time = recording__slice_time(recording, index);
	const uint64_t begin_ns = (uint64_t)(time.start_realtime_ns - recording->start_realtime_ns);

	if (!recording->nr_slices)
		return (struct slice_time){recording->start_realtime_ns, recording->duration_ns};
	if (!recording->slice_times && begin_ns < recording->duration_ns &&
	    recording->duration_ns - begin_ns < time.duration_ns)
		time.duration_ns = recording->duration_ns - begin_ns;
	return time;
}

/* Copies the samples of a piece, which may have none, into the dictionary of sum. */
static struct profile *copy_piece(const struct recording *recording, size_t index,
				  const struct profile *sum)
{
	struct profile *kept = profile__new_like(sum, profile__dictionary(sum));
	const struct profile *samples = recording->profile;

	if (recording->nr_slices)
		samples = index < recording->nr_slices ? recording->slices[index] : NULL;
	if (samples)
		profile__merge(kept, samples);
	return kept;
}

static int by_time(const void *left, const void *right)
{
	const int64_t a = ((const struct piece *)left)->time.start_realtime_ns;
	const int64_t b = ((const struct piece *)right)->time.start_realtime_ns;

	return (a > b) - (a < b);
}

/*
 * The pieces of both become the slices of the sum, in order of time. Slices of the sum move,
 * without copying: after many joins there are many.
 */
static void join_event(struct recording *recording, const struct recording *more)
{
	const size_t nr = recording__nr_pieces(recording), nr_more = recording__nr_pieces(more);
	struct piece *pieces = xcalloc(nr + nr_more, sizeof(*pieces));

	for (size_t i = 0; i < nr; i++) {
		pieces[i].time = piece_time(recording, i);
		if (i < recording->nr_slices && recording->slices[i]) {
			pieces[i].samples = recording->slices[i];
			recording->slices[i] = NULL;
		} else {
			pieces[i].samples = copy_piece(recording, i, recording->profile);
		}
	}
	for (size_t i = 0; i < nr_more; i++)
		pieces[nr + i] = (struct piece){copy_piece(more, i, recording->profile),
						piece_time(more, i)};
	qsort(pieces, nr + nr_more, sizeof(*pieces), by_time);

	recording__merge_event(recording, more);
	recording->slices = xcalloc(nr + nr_more, sizeof(*recording->slices));
	recording->slice_times = xcalloc(nr + nr_more, sizeof(*recording->slice_times));
	recording->nr_slices = nr + nr_more;
	for (size_t i = 0; i < recording->nr_slices; i++) {
		recording->slices[i] = pieces[i].samples;
		recording->slice_times[i] = pieces[i].time;
	}
	free(pieces);
}

int recording__join(struct recording *recording, const struct recording *more, struct error *err)
{
	const struct recording *first = recording;
	const int code = recording__check_events(recording, more, err);

	for (struct recording *part = recording; part && !code; part = part->more) {
		const struct recording *next = recording__same_event(more, first, part);

		if (recording__nr_pieces(part) + recording__nr_pieces(next) > MAX_SLICES)
			return error__say(err, EXIT_USAGE, -ERANGE,
					  "more than %d intervals in these files; name fewer",
					  MAX_SLICES);
		join_event(part, next);
	}
	recording__show_spent(recording);
	return code;
}
