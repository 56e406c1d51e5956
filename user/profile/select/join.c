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
	const struct profile *samples; /* NULL: none */
	struct profile *kept;	       /* a copy of samples that the piece owns */
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
static struct slice_time time_of(const struct recording *recording, size_t slice)
{
	struct slice_time time = recording__slice_time(recording, slice);
	const uint64_t begin_ns = (uint64_t)(time.start_realtime_ns - recording->start_realtime_ns);

	if (!recording->slice_times && begin_ns < recording->duration_ns &&
	    recording->duration_ns - begin_ns < time.duration_ns)
		time.duration_ns = recording->duration_ns - begin_ns;
	return time;
}

static struct piece piece_of(const struct recording *recording, size_t index)
{
	if (!recording->nr_slices)
		return (struct piece){
			.samples = recording->profile,
			.time = {recording->start_realtime_ns, recording->duration_ns}};
	return (struct piece){.samples = index < recording->nr_slices ? recording->slices[index]
								      : NULL,
			      .time = time_of(recording, index)};
}

/* Copies the samples into the dictionary of the sum, which may be their own. */
static int copy_piece(struct piece *piece, const struct profile *sum)
{
	piece->kept = profile__new_like(sum, profile__dictionary(sum));
	if (!piece->kept)
		return -ENOMEM;
	return piece->samples ? profile__merge(piece->kept, piece->samples) : 0;
}

static int copy_pieces(struct piece *pieces, const struct recording *recording,
		       const struct profile *sum)
{
	const size_t nr_pieces = recording__nr_pieces(recording);
	int code = 0;

	for (size_t i = 0; i < nr_pieces && !code; i++) {
		pieces[i] = piece_of(recording, i);
		code = copy_piece(&pieces[i], sum);
	}
	return code;
}

/* Moves slices out of the recording, without copying: after many joins there are many. */
static int take_pieces(struct piece *pieces, struct recording *recording)
{
	const size_t nr_pieces = recording__nr_pieces(recording);
	int code = 0;

	for (size_t i = 0; i < nr_pieces && !code; i++) {
		pieces[i] = piece_of(recording, i);
		if (i < recording->nr_slices && recording->slices[i]) {
			pieces[i].kept = recording->slices[i];
			recording->slices[i] = NULL;
		} else {
			code = copy_piece(&pieces[i], recording->profile);
		}
	}
	return code;
}

static void free_pieces(struct piece *pieces, size_t nr_pieces)
{
	for (size_t i = 0; pieces && i < nr_pieces; i++)
		profile__free(pieces[i].kept);
	free(pieces);
}

static int by_time(const void *left, const void *right)
{
	const int64_t a = ((const struct piece *)left)->time.start_realtime_ns;
	const int64_t b = ((const struct piece *)right)->time.start_realtime_ns;

	return (a > b) - (a < b);
}

/* Moves the pieces into the recording as its slices, in order of time. */
static int set_slices(struct recording *recording, struct piece *pieces, size_t nr_pieces)
{
	recording->slices = calloc(nr_pieces, sizeof(*recording->slices));
	recording->slice_times = calloc(nr_pieces, sizeof(*recording->slice_times));
	if (!recording->slices || !recording->slice_times)
		return -ENOMEM;
	qsort(pieces, nr_pieces, sizeof(*pieces), by_time);
	for (size_t i = 0; i < nr_pieces; i++) {
		recording->slices[i] = pieces[i].kept;
		recording->slice_times[i] = pieces[i].time;
		pieces[i].kept = NULL;
	}
	recording->nr_slices = nr_pieces;
	return 0;
}

static int join_event(struct recording *recording, const struct recording *more)
{
	const size_t nr = recording__nr_pieces(recording),
		     nr_pieces = nr + recording__nr_pieces(more);
	struct piece *pieces = calloc(nr_pieces + 1, sizeof(*pieces));
	int code = pieces && !take_pieces(pieces, recording) &&
				   !copy_pieces(pieces + nr, more, recording->profile)
			   ? recording__merge_event(recording, more)
			   : -ENOMEM;

	if (!code)
		code = set_slices(recording, pieces, nr_pieces);
	free_pieces(pieces, nr_pieces);
	return code;
}

int recording__join(struct recording *recording, const struct recording *more, struct error *err)
{
	const struct recording *first = recording;
	int code = recording__check_events(recording, more, err);

	for (struct recording *part = recording; part && !code; part = part->more) {
		const struct recording *next = recording__same_event(more, first, part);

		if (recording__nr_pieces(part) + recording__nr_pieces(next) > MAX_SLICES)
			return error__say(err, EXIT_USAGE, -ERANGE,
					  "more than %d intervals in these files; name fewer",
					  MAX_SLICES);
		if (join_event(part, next))
			code = error__no_memory(err);
	}
	recording__show_spent(recording);
	return code;
}
