// SPDX-License-Identifier: GPL-2.0-only
/* Slices of time: their numbers, their way into a recording, and their form in a file. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/kernel/slice_clock.h"
#include "events_model.h"
#include "expect.h"
#include "formats/formats.h"
#include "formats/gzip.h"
#include "formats/pprof/slices.h"
#include "model.h"

#define SLICE_NS 100000000ULL

/* ---- numbers ---- */

/*
 * Drains are a second apart; a reader of the clock after the end of one still gets the right
 * number.
 */
static void test_numbers(void)
{
	static const uint64_t lengths[] = {10000000, SLICE_NS, 333000000, 3600000000000};

	for (size_t i = 0; i < sizeof(lengths) / sizeof(lengths[0]); i++) {
		const uint64_t slice_ns = lengths[i];
		const uint32_t mask = slice_clock__mask(slice_ns);

		EXPECT_EQ(mask & (mask + 1), 0);
		EXPECT(((uint64_t)mask - 1) * slice_ns > 2000000000 || mask >= 3);
		for (uint64_t then_ns = 0; then_ns < 20 * slice_ns; then_ns += slice_ns / 3) {
			const struct slice_clock late = {slice_ns, 77, 77 + then_ns + 2000000000};
			const struct slice_clock soon = {
				slice_ns, 77, 77 + (then_ns > 1000 ? then_ns - 1000 : 0)};
			const uint64_t number = then_ns / slice_ns;
			const uint32_t in_round = (uint32_t)number & mask;

			EXPECT_EQ(slice_clock__number(&late, in_round), number + 1);
			EXPECT_EQ(slice_clock__number(&soon, in_round), number + 1);
		}
	}
}

static void test_no_numbers(void)
{
	const struct slice_clock none = {0};

	EXPECT_EQ(slice_clock__mask(0), 0);
	EXPECT_EQ(slice_clock__number(&none, 0), 0);
}

/* ---- into a recording ---- */

static void add_in_slice(struct model *model, uint32_t slice, uint64_t count, const char *stack)
{
	const struct sample sample = {
		.process = model__process(model, "prog", 1),
		.stack = model__stack(model, stack),
		.slice = slice,
		.values = {count, 10 * count},
	};

	profile__add(model->profile, &sample);
}

static uint64_t count_in(const struct recording *recording, size_t slice)
{
	return slice < recording->nr_slices && recording->slices[slice]
		       ? profile__total(recording->slices[slice], VALUE_COUNT)
		       : 0;
}

/*
 * Samples without a slice belong to the whole alone; the next part's slices come after those
 * before.
 */
static void test_appended(void)
{
	struct model model = model__new();
	struct recording part = {.profile = model.profile, .duration_ns = 3 * SLICE_NS}, sum;
	size_t nr;

	add_in_slice(&model, 1, 4, "f@p main@p");
	add_in_slice(&model, 3, 2, "f@p main@p");
	add_in_slice(&model, 0, 1, "f@p main@p");
	recording__init(&sum);
	sum.slice_ns = SLICE_NS;
	for (int i = 0; i < 2; i++)
		EXPECT_EQ(recording__append_as(&sum, &part, AS_TOLD), 0);
	EXPECT_EQ(profile__total(sum.profile, VALUE_COUNT), 14);
	EXPECT_EQ(profile__total(sum.profile, VALUE_WEIGHT), 140);
	profile__samples(sum.profile, &nr);
	EXPECT_EQ(nr, 1);
	EXPECT_STR(profile__metrics(sum.profile)->of[VALUE_COUNT].name, "samples");
	EXPECT_EQ(sum.nr_slices, 6);
	EXPECT_EQ(count_in(&sum, 0), 4);
	EXPECT_EQ(count_in(&sum, 1), 0);
	EXPECT_EQ(count_in(&sum, 2), 2);
	EXPECT_EQ(count_in(&sum, 3), 4);
	EXPECT_EQ(count_in(&sum, 5), 2);
	recording__fini(&sum);
	model__free(&model);
}

/* ---- in a file ---- */

static void put_in_slice(struct recording *event, size_t index, size_t slice, uint64_t count,
			 uint64_t weight)
{
	size_t nr;
	struct sample sample = profile__samples(event->profile, &nr)[index];

	sample.values[VALUE_COUNT] = count;
	sample.values[VALUE_WEIGHT] = weight;
	EXPECT_EQ(recording__add_to_slice(event, slice, &sample), 0);
}

/* Weights of the first event follow from counts, those of the other do not. */
static struct recording sliced(void)
{
	struct recording recording = two_events(10, 3, false);
	size_t nr;
	const struct sample *samples = profile__samples(recording.profile, &nr);
	const uint64_t each = samples[0].values[VALUE_WEIGHT] / samples[0].values[VALUE_COUNT];

	recording.slice_ns = recording.more->slice_ns = SLICE_NS;
	put_in_slice(&recording, 0, 0, 1, each);
	put_in_slice(&recording, 0, 7, 6, 6 * each);
	put_in_slice(&recording, 0, 8, 1, each);
	put_in_slice(&recording, 1, 8, 1, samples[1].values[VALUE_WEIGHT]);
	put_in_slice(recording.more, 0, 2, 2,
		     profile__samples(recording.more->profile, &nr)[0].values[VALUE_WEIGHT]);
	return recording;
}

static char *write_plain(const struct recording *recording, bool packs, size_t *nr_bytes)
{
	const struct write_options options = {.packs_slices = packs};
	char *bytes, *inflated = NULL;
	size_t nr;
	FILE *out = open_memstream(&bytes, &nr);

	EXPECT_EQ(pprof__write(out, recording, &options), 0);
	fclose(out);
	EXPECT_EQ(gzip__inflate(bytes, nr, 1 << 20, &inflated, nr_bytes, NULL), 0);
	free(bytes);
	return inflated;
}

static void expect_slices(const struct recording *again, const struct recording *recording)
{
	EXPECT_EQ(again->slice_ns, recording->slice_ns);
	EXPECT_EQ(profile__total(again->profile, VALUE_COUNT),
		  profile__total(recording->profile, VALUE_COUNT));
	EXPECT_EQ(profile__total(again->profile, VALUE_WEIGHT),
		  profile__total(recording->profile, VALUE_WEIGHT));
	EXPECT_EQ(again->nr_slices, recording->nr_slices);
	for (size_t i = 0; i < recording->nr_slices; i++) {
		EXPECT_EQ(count_in(again, i), count_in(recording, i));
		if (recording->slices[i])
			EXPECT_EQ(profile__total(again->slices[i], VALUE_WEIGHT),
				  profile__total(recording->slices[i], VALUE_WEIGHT));
	}
}

static void test_packed(void)
{
	const struct read_options options = {0};
	struct recording recording = sliced(), again;
	size_t nr_bytes;
	char *bytes = write_plain(&recording, true, &nr_bytes);

	EXPECT_EQ(formats__read(&again, bytes, nr_bytes, &options, NULL), 0);
	expect_slices(&again, &recording);
	expect_slices(again.more, recording.more);
	free(bytes);
	recording__fini(&again);
	recording__fini(&recording);
}

/*
 * A file says the same of all its time when its slices are packed, and when its reader does not
 * know them.
 */
static void test_whole(void)
{
	const struct read_options options = {.sample_type = "page-faults"};
	struct recording recording = sliced(), again;
	size_t nr_bytes;
	char *bytes = write_plain(&recording, true, &nr_bytes);
	char *known = memmem(bytes, nr_bytes, "slice_ns=", 9);

	EXPECT(known != NULL);
	memcpy(known, "slice_xx=", 9);
	EXPECT_EQ(formats__read(&again, bytes, nr_bytes, &options, NULL), 0);
	EXPECT_EQ(profile__total(again.profile, VALUE_COUNT), 4);
	EXPECT_EQ(again.nr_slices, 0);
	free(bytes);
	recording__fini(&again);
	recording__fini(&recording);
}

/* Reads all of it, as the reader of files does. The parts never add up to more than the whole. */
static int read_parts(const uint8_t *bytes, size_t nr, uint64_t whole)
{
	struct slice_reading reading = {.wire = {bytes, bytes + nr}};
	struct slice_part part;
	int more, code = 0;

	while ((more = slice_reading__begin(&reading)) > 0) {
		uint64_t sum = 0;

		reading.whole[VALUE_COUNT] = reading.whole[VALUE_WEIGHT] = whole;
		while ((code = slice_reading__next(&reading, &part)) > 0) {
			sum += part.values[VALUE_COUNT];
			EXPECT(part.slice < MAX_SLICES);
			EXPECT(sum <= whole && part.values[VALUE_WEIGHT] <= whole);
		}
		if (code < 0)
			return code;
	}
	return more;
}

static void test_hostile(void)
{
	static const uint8_t good[] = {0, 2 * 3, 0, 9, 2, 2, 1, 2 * 1 + 1, 3, 1, 4};
	uint8_t bad[sizeof(good)];

	EXPECT_EQ(read_parts(good, sizeof(good), 10), 0);
	EXPECT_EQ(read_parts(good, sizeof(good), 3), -EINVAL); /* more than the whole */
	EXPECT_EQ(read_parts((const uint8_t[]){0, 2, 0xff, 0xff, 0xff, 0xff, 0x7f}, 7, 10),
		  -EINVAL); /* a slice beyond all */
	EXPECT_EQ(read_parts((const uint8_t[]){0, 0xff, 0xff, 0x7f}, 4, 10), -EINVAL);
	for (size_t i = 0; i < sizeof(good); i++)
		for (int byte = 0; byte < 256; byte++) {
			memcpy(bad, good, sizeof(good));
			bad[i] = (uint8_t)byte;
			for (size_t nr = 0; nr <= sizeof(good); nr++)
				read_parts(bad, nr, 10);
		}
}

int main(void)
{
	static const struct test tests[] = {
		{"numbers in rounds", test_numbers},
		{"no slices", test_no_numbers},
		{"into a recording", test_appended},
		{"packed in a file", test_packed},
		{"the whole of a file", test_whole},
		{"hostile slices", test_hostile},
		{0},
	};

	return run_tests("slices", tests);
}
