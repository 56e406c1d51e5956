// SPDX-License-Identifier: GPL-2.0-only
/*
 * A run of allocated and live memory is written: in files as other profilers have them, and in
 * words.
 */
#include <string.h>

#include "expect.h"
#include "formats/formats.h"
#include "formats/gzip.h"
#include "formats/pprof/reader.h"
#include "heap_model.h"
#include "views/answer.h"
#include "views/events.h"
#include "views/views.h"

/* 500 blocks, of 20 samples; 50 of them, of 2, are live. Their ledger counts blocks. */
static void add_blocks(struct recording *event, uint64_t blocks, const char *stack)
{
	struct model model = {profile__dictionary(event->profile), event->profile};
	const struct sample sample = {.process = model__process(&model, "prog", 1),
				      .stack = model__stack(&model, stack),
				      .values = {blocks, blocks * 20972}};

	profile__add(event->profile, &sample);
}

static void fill(struct recording *event, const struct metrics *metrics, uint64_t blocks)
{
	profile__set_metrics(event->profile, metrics);
	event->period = HEAP_PERIOD;
	event->has_ledger = true;
	event->ledger.events = event->ledger.counted = event->ledger.whole = blocks;
	event->duration_ns = 1000000000;
}

static struct recording make_run(void)
{
	struct recording recording, *live;

	recording__init(&recording);
	recording.facts[FACT_EVENT] = "alloc";
	recording.nr_cpus = 2;
	fill(&recording, &metrics__alloc, 500);
	add_blocks(&recording, 400, "malloc@c kept@p main@p");
	add_blocks(&recording, 100, "malloc@c freed@p main@p");
	live = recording__add_event(&recording, "live");
	fill(live, &metrics__live, 50);
	add_blocks(live, 50, "malloc@c kept@p main@p");
	return recording;
}

/* With live set, live memory is shown, and so it is the first of the list. */
static char *write_shown(bool live, size_t *nr_bytes)
{
	static const struct write_options plain;
	struct recording recording = make_run();
	char *packed, *bytes = NULL;
	size_t nr;
	FILE *out = open_memstream(&packed, &nr);

	if (live)
		recording__show_event(&recording, recording.more);
	EXPECT_EQ(pprof__write(out, &recording, &plain), 0);
	fclose(out);
	EXPECT_EQ(gzip__inflate(packed, nr, 1 << 20, &bytes, nr_bytes, NULL), 0);
	free(packed);
	recording__fini(&recording);
	return bytes;
}

static char *write_run(size_t *nr_bytes)
{
	return write_shown(false, nr_bytes);
}

/* ---- files ---- */

/* A walk over the file finds its strings, and the numbers of strings that name types. */
struct seen {
	struct wire strings[64];
	uint64_t types[8][TYPE_LAST], period_type[TYPE_LAST], period;
	size_t nr_strings, nr_types;
};

static void look_at(struct seen *seen, const struct wire_field *field)
{
	if (field->number == PROFILE_STRING)
		seen->strings[seen->nr_strings++] = wire__inside(field);
	if (field->number == PROFILE_SAMPLE_TYPE)
		wire__numbers(field, seen->types[seen->nr_types++], TYPE_LAST);
	if (field->number == PROFILE_PERIOD_TYPE)
		wire__numbers(field, seen->period_type, TYPE_LAST);
	if (field->number == PROFILE_PERIOD)
		wire__number(field, &seen->period);
}

static const char *name_type(const struct seen *seen, const uint64_t type[TYPE_LAST])
{
	static char text[100];
	const struct wire *name = &seen->strings[type[TYPE_NAME]];
	const struct wire *unit = &seen->strings[type[TYPE_UNIT]];

	snprintf(text, sizeof(text), "%.*s/%.*s", (int)(name->end - name->at),
		 (const char *)name->at, (int)(unit->end - unit->at), (const char *)unit->at);
	return text;
}

static void expect_types(char *bytes, size_t nr_bytes)
{
	struct wire wire = {(const uint8_t *)bytes, (const uint8_t *)bytes + nr_bytes};
	struct wire_field field;
	struct seen seen = {0};

	while (wire__next(&wire, &field) == 1 && seen.nr_strings < 64 && seen.nr_types < 8)
		look_at(&seen, &field);
	EXPECT_EQ(seen.nr_types, 4);
	EXPECT_STR(name_type(&seen, seen.types[0]), "alloc_objects/count");
	EXPECT_STR(name_type(&seen, seen.types[1]), "alloc_space/bytes");
	EXPECT_STR(name_type(&seen, seen.types[2]), "inuse_objects/count");
	EXPECT_STR(name_type(&seen, seen.types[3]), "inuse_space/bytes");
	EXPECT_STR(name_type(&seen, seen.period_type), "space/bytes");
	EXPECT_EQ(seen.period, HEAP_PERIOD);
	free(bytes);
}

/* The types are those of Go's heap profiles, so that tools for those read ours. */
static void test_types(void)
{
	size_t nr_bytes;
	char *bytes = write_shown(false, &nr_bytes);

	expect_types(bytes, nr_bytes);
	bytes = write_shown(true, &nr_bytes);
	expect_types(bytes, nr_bytes);
}

static void test_live_shown(void)
{
	static const struct read_options options;
	struct recording recording;
	size_t nr_bytes;
	char *bytes = write_shown(true, &nr_bytes);

	EXPECT_EQ(formats__read(&recording, bytes, nr_bytes, &options, NULL), 0);
	EXPECT_STR(recording.facts[FACT_EVENT], "live");
	EXPECT_EQ(recording.ledger.counted, 50);
	EXPECT_STR(recording.more->facts[FACT_EVENT], "alloc");
	EXPECT_EQ(recording.more->ledger.counted, 500);
	EXPECT_EQ(profile__shown_total(recording.more->profile), 500 * 20972);
	recording__fini(&recording);
	free(bytes);
}

static struct recording read_run(const char *sample_type)
{
	const struct read_options options = {.sample_type = sample_type};
	struct recording recording;
	size_t nr_bytes;
	char *bytes = write_run(&nr_bytes);

	EXPECT_EQ(formats__read(&recording, bytes, nr_bytes, &options, NULL), 0);
	free(bytes);
	return recording;
}

static void expect_shown(const char *sample_type, const char *event, const char *shown)
{
	struct recording recording = read_run(sample_type);

	EXPECT_STR(recording.facts[FACT_EVENT], event);
	EXPECT_STR(metrics__shown(profile__metrics(recording.profile))->name, shown);
	EXPECT_EQ(recording.period, HEAP_PERIOD);
	EXPECT_EQ(recording.more->period, HEAP_PERIOD);
	recording__fini(&recording);
}

static void test_read_back(void)
{
	expect_shown(NULL, "alloc", "alloc_space");
	expect_shown("live", "live", "inuse_space");
	expect_shown("inuse_space", "live", "inuse_space");
	expect_shown("inuse_objects", "live", "inuse_objects");
	expect_shown("alloc_objects", "alloc", "alloc_objects");
}

/* ---- words ---- */

static char text[1 << 16];

static void write_text(const struct recording *recording)
{
	const struct view_options options = {
		.merge = MERGE_BY_COMM, .nr_rows = 20, .errors = ERRORS_ALWAYS};
	FILE *out = fmemopen(text, sizeof(text), "w");

	EXPECT_EQ(view__write_block(out, recording, &options), 0);
	fputc('\0', out);
	fclose(out);
}

static void test_text(void)
{
	struct recording run = make_run();

	write_text(&run);
	EXPECT(strstr(text, "\nblocks     500, 10.5 MB, worth 20 samples, of alloc\n"));
	EXPECT(strstr(text, "\nalso       live  50 blocks, 1.05 MB, worth 2 samples: 50 events"));
	EXPECT(strstr(text, "  ALLOC  BLOCKS  AVERAGE  COMMAND"));
	EXPECT(strstr(text, "  8.39 MB     400    21 kB  prog"));
	recording__fini(&run);
}

/* A stack that has nothing of the shown event has no row, and is not one more stack. */
static void test_nothing_live(void)
{
	struct recording run = make_run();

	add_blocks(run.more, 0, "malloc@c freed@p main@p");
	recording__show_event(&run, run.more);
	write_text(&run);
	EXPECT(strstr(text, "kept"));
	EXPECT(!strstr(text, "freed"));
	EXPECT(!strstr(text, "more stack"));
	recording__fini(&run);
}

static const char *answer(const struct recording *recording)
{
	const struct answer_options options = {.budget = 1000,
					       .whole = profile__shown_total(recording->profile)};
	FILE *out = fmemopen(text, sizeof(text), "w");

	EXPECT_EQ(view__write_answer(out, recording, &options), 0);
	fputc('\0', out);
	fclose(out);
	return text;
}

/* 10.5 MB are 20 samples; all of them counted, they are known. */
static void test_quality(void)
{
	struct recording run = make_run();

	EXPECT(strstr(answer(&run), "Quality: poor: only 20 samples, none lost"));
	EXPECT(strstr(text, "times as many samples, with a smaller `--alloc-every`: then"));
	run.period = 1;
	EXPECT(strstr(answer(&run), "Quality: good: each block is counted, none lost"));
	run.period = 0;
	EXPECT(strstr(answer(&run),
		      "Quality: limited: the files do not say how many samples there were"));
	recording__fini(&run);
}

int main(void)
{
	static const struct test tests[] = {
		{"sample types are Go's", test_types},
		{"a file is read back", test_read_back},
		{"what is live is shown", test_live_shown},
		{"text", test_text},
		{"stacks that have nothing", test_nothing_live},
		{"the verdict on quality", test_quality},
		{0},
	};

	return run_tests("heap files", tests);
}
