// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "expect.h"
#include "formats/formats.h"
#include "formats/gzip.h"
#include "formats/pprof/pprof.h"
#include "message.h"
#include "model.h"

static const char *const strings[] = {"",	"samples", "count",   "cpu", "nanoseconds",
				      "main",	"leaf",	   "a.out",   "pid", "comm",
				      "worker", "file.c",  "inner.h", NULL};

enum {
	SAMPLES = 1,
	COUNT,
	CPU,
	NANOSECONDS,
	MAIN,
	LEAF,
	A_OUT,
	PID,
	COMM,
	WORKER,
	FILE_C,
	INNER_H,
};

static struct message sample_of(uint64_t location, int64_t count, int64_t weight)
{
	struct message sample = {.nr = 0};

	put_number(&sample, 1, location);
	put_number(&sample, 2, (uint64_t)count);
	put_number(&sample, 2, (uint64_t)weight);
	return sample;
}

/* samples/count and cpu/nanoseconds, one function, one location, without samples. */
static struct message small_file(void)
{
	struct message file = {.nr = 0}, type, function, line, location;

	type = numbers(SAMPLES, COUNT, 0);
	put(&file, 1, &type);
	type = numbers(CPU, NANOSECONDS, 0);
	put(&file, 1, &type);
	function = numbers(7, MAIN, 0);
	put(&file, 5, &function);
	line = numbers(7, 12, 0);
	location = numbers(3, 0, 0x400);
	put(&location, 4, &line);
	put(&file, 4, &location);
	put_strings(&file, strings);
	return file;
}

static int read_file(struct recording *recording, const struct message *file, const char *type,
		     struct error *err)
{
	const struct read_options options = {.sample_type = type};

	return formats__read(recording, file->at, file->nr, &options, err);
}

/* Reading fails, and says so with these words. */
static void expect_refused(const struct message *file, const char *words)
{
	struct recording recording;
	struct error err = {0};
	int code = read_file(&recording, file, NULL, &err);

	EXPECT(code < 0);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	if (!strstr(err.text, words))
		EXPECT_STR(err.text, words);
	if (!code)
		recording__fini(&recording);
}

/* ---- what is read ---- */

static void test_reads(void)
{
	struct message file = small_file(), sample = sample_of(3, 5, 700),
		       label = numbers(PID, 0, 42);
	struct recording recording;
	const struct sample *samples;
	const struct frame *frame;
	size_t nr;

	put(&sample, 3, &label);
	label = numbers(COMM, WORKER, 0);
	put(&sample, 3, &label);
	put(&file, 2, &sample);
	EXPECT_EQ(read_file(&recording, &file, NULL, NULL), 0);
	samples = profile__samples(recording.profile, &nr);
	EXPECT_EQ(nr, 1);
	EXPECT_EQ(samples[0].values[VALUE_COUNT], 5);
	EXPECT_EQ(samples[0].values[VALUE_WEIGHT], 700);
	EXPECT_EQ(profile__metrics(recording.profile)->shown, VALUE_COUNT);
	EXPECT_EQ(dictionary__process(profile__dictionary(recording.profile), samples[0].process)
			  ->pid,
		  42);
	EXPECT_STR(dictionary__process(profile__dictionary(recording.profile), samples[0].process)
			   ->comm,
		   "worker");
	frame = dictionary__frame(
		profile__dictionary(recording.profile),
		*dictionary__stack(profile__dictionary(recording.profile), samples[0].stack, &nr));
	EXPECT_EQ(nr, 1);
	EXPECT_STR(frame->function, "main");
	EXPECT_EQ(frame->address, 0x400);
	EXPECT_EQ(frame->line, 12);
	EXPECT(!recording.has_ledger);
	recording__fini(&recording);
}

static void test_chooses_type(void)
{
	struct message file = small_file(), sample = sample_of(3, 5, 700);
	struct recording recording;
	struct error err = {0};

	put(&file, 2, &sample);
	EXPECT_EQ(read_file(&recording, &file, "cpu", &err), 0);
	EXPECT_EQ(profile__metrics(recording.profile)->shown, VALUE_WEIGHT);
	EXPECT_STR(profile__metrics(recording.profile)->of[VALUE_WEIGHT].unit, "nanoseconds");
	recording__fini(&recording);
	EXPECT_EQ(read_file(&recording, &file, "inuse", &err), -EINVAL);
	EXPECT(strstr(err.text, "no sample type \"inuse\", there are samples, cpu"));
	put_number(&file, 14, CPU); /* default_sample_type */
	EXPECT_EQ(read_file(&recording, &file, NULL, &err), 0);
	EXPECT_EQ(profile__metrics(recording.profile)->shown, VALUE_WEIGHT);
	recording__fini(&recording);
}

static void test_inlined(void)
{
	struct message file = small_file(), function = numbers(8, LEAF, 0), location, line, sample;
	struct recording recording;
	const uint32_t *frames;
	size_t nr;

	put_number(&function, 4, INNER_H);
	put(&file, 5, &function);
	location = numbers(4, 0, 0x500);
	line = numbers(8, 3, 0);
	put(&location, 4, &line);
	line = numbers(7, 13, 0);
	put(&location, 4, &line);
	put(&file, 4, &location);
	sample = sample_of(4, 1, 1);
	put(&file, 2, &sample);
	EXPECT_EQ(read_file(&recording, &file, NULL, NULL), 0);
	frames = dictionary__stack(profile__dictionary(recording.profile),
				   profile__samples(recording.profile, &nr)->stack, &nr);
	EXPECT_EQ(nr, 2);
	EXPECT_STR(dictionary__frame(profile__dictionary(recording.profile), frames[0])->file,
		   "inner.h");
	EXPECT(dictionary__frame(profile__dictionary(recording.profile), frames[0])->inlined);
	EXPECT(!dictionary__frame(profile__dictionary(recording.profile), frames[1])->inlined);
	recording__fini(&recording);
}

static void test_empty_profile(void)
{
	struct message file = small_file();
	struct recording recording;

	EXPECT_EQ(read_file(&recording, &file, NULL, NULL), 0);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 0);
	recording__fini(&recording);
}

/* ---- what is refused ---- */

static void test_refuses(void)
{
	struct message file = small_file(), part;

	part = sample_of(9, 1, 1);
	put(&file, 2, &part);
	expect_refused(&file, "a location that is not there");

	file = small_file();
	part = sample_of(3, -1, 1);
	put(&file, 2, &part);
	expect_refused(&file, "a difference of two profiles");

	file = small_file();
	part = numbers(3, 1, 0);
	put(&file, 2, &part);
	expect_refused(&file, "as many values");

	file = small_file();
	part = numbers(7, 9, 0);
	put(&file, 5, &part);
	expect_refused(&file, "used twice");

	file = small_file();
	part = numbers(8, 99, 0);
	put(&file, 5, &part);
	expect_refused(&file, "a string is not in its table");

	file = small_file();
	file.at[file.nr++] = 0x12; /* a sample without end */
	file.at[file.nr++] = 0x7f;
	expect_refused(&file, "cut off");

	file = (struct message){.nr = 0};
	expect_refused(&file, "empty");

	file = (struct message){.at = {[8] = 3}, .nr = 40};
	expect_refused(&file, "gperftools");
}

/* Values that only stay in range because sums stop. */
static void test_absurd_counts(void)
{
	struct message file = small_file(), sample = sample_of(3, INT64_MAX, INT64_MAX);
	struct recording recording;

	for (int i = 0; i < 3; i++)
		put(&file, 2, &sample);
	EXPECT_EQ(read_file(&recording, &file, NULL, NULL), 0);
	EXPECT(profile__total(recording.profile, VALUE_COUNT) == UINT64_MAX);
	recording__fini(&recording);
}

/* One location of many inlined functions, in many samples: the product is what counts. */
static void test_deep_stack(void)
{
	struct message file = small_file(), location = numbers(4, 0, 1), line = numbers(7, 0, 0),
		       sample;

	for (int i = 0; i < 100; i++)
		put(&location, 4, &line);
	put(&file, 4, &location);
	sample.nr = 0;
	for (int i = 0; i < 50; i++)
		put_number(&sample, 1, 4);
	put_number(&sample, 2, 1);
	put_number(&sample, 2, 1);
	put(&file, 2, &sample);
	expect_refused(&file, "4,096 frames");
}

/* With any bit changed or any end missing, the file is read or refused; sanitizers watch. */
static void test_damaged(void)
{
	struct message file = small_file(), sample = sample_of(3, 5, 700), broken;
	struct recording recording;
	struct error err;

	put(&file, 2, &sample);
	for (size_t nr = 0; nr < file.nr; nr++) {
		broken = file;
		broken.nr = nr;
		if (!read_file(&recording, &broken, NULL, &err))
			recording__fini(&recording);
		for (int bit = 0; bit < 8; bit++) {
			broken = file;
			broken.at[nr] = (char)(broken.at[nr] ^ 1 << bit);
			if (!read_file(&recording, &broken, NULL, &err))
				recording__fini(&recording);
		}
	}
}

/* ---- what is written ---- */

struct text {
	char *bytes;
	size_t nr;
};

static struct text write_recording(const struct recording *recording)
{
	static const struct write_options options;
	struct text text = {0};
	FILE *out = open_memstream(&text.bytes, &text.nr);

	EXPECT_EQ(pprof__write(out, recording, &options), 0);
	fclose(out);
	return text;
}

static void fill_recording(struct recording *recording)
{
	struct model model;

	recording__init(recording);
	profile__set_metrics(recording->profile, &cpu_metrics);
	model = (struct model){profile__dictionary(recording->profile), recording->profile};
	add(&model, "redis-server", 42, 7, "epoll_wait@libc.so.6 main@redis-server");
	add_named_thread(&model, "redis-server", 42, 44, "bio_lazy_free", 3,
			 "copy@[kernel] nft_do@nf_tables main@redis-server");
	add(&model, "java", 43, 2,
	    "App.run@perf.map @libz.so+4a26-b6 @libz.so+4a27 @libz.so+4a28-0 @ @libjvm.so");
	recording->has_ledger = true;
	recording->ledger =
		(struct ledger){.events = 20, .counted = 12, .filtered = 8, .whole = 12};
	recording->ledger.lost[LOSS_THROTTLED] = 1;
	recording->ledger.ran_unmeasured = true;
	recording->asked_hz = 99;
	recording->delivered_hz = 98.931;
	recording->nr_cpus = 2;
	recording->start_realtime_ns = 1769862896000000000;
	recording->duration_ns = 5000000000;
	recording->period = 10101010;
	recording->facts[FACT_EVENT] = recording__keep(recording, "cpu-clock");
	recording->facts[FACT_HOST] = recording__keep(recording, "a=b");
}

/* All that a recording holds, in words; free() it. */
static char *as_json(const struct recording *recording)
{
	static const struct write_options options;
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	EXPECT_EQ(json__write_recording(out, recording, &options), 0);
	fclose(out);
	return text;
}

static void expect_equal(const struct recording *actual, const struct recording *expected)
{
	char *left = as_json(actual), *right = as_json(expected);

	EXPECT_STR(left, right);
	free(left);
	free(right);
}

/* A function without a name stays one, although the file writes its start as a name. */
static void expect_known_start(const struct recording *recording)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	size_t nr = 0;

	for (uint32_t i = 0; i < dictionary__nr_frames(dictionary); i++) {
		const struct frame *frame = dictionary__frame(dictionary, i);

		if (frame->address != 0x4a26)
			continue;
		EXPECT(!frame->function && frame->has_start);
		EXPECT_EQ(frame->offset, 0xb6);
		EXPECT_STR(dictionary__frame_name(dictionary, i), "libz.so@0x4970");
		nr++;
	}
	EXPECT_EQ(nr, 1);
}

static void test_round_trip(void)
{
	const struct read_options options = {0};
	struct recording recording, again;
	struct text first, second;

	fill_recording(&recording);
	first = write_recording(&recording);
	EXPECT_EQ(formats__read(&again, first.bytes, first.nr, &options, NULL), 0);
	second = write_recording(&again);
	expect_equal(&again, &recording);
	EXPECT_EQ(second.nr, first.nr);
	EXPECT(second.nr == first.nr && !memcmp(second.bytes, first.bytes, first.nr));
	EXPECT_EQ(again.ledger.lost[LOSS_THROTTLED], 1);
	EXPECT_EQ(memcmp(&again.ledger, &recording.ledger, sizeof(again.ledger)), 0);
	EXPECT_NEAR(again.delivered_hz, 98.931, 1e-9);
	EXPECT_EQ(again.period, 10101010);
	EXPECT_STR(again.facts[FACT_HOST], "a=b");
	EXPECT_EQ(again.facts[FACT_KERNEL] == NULL, 1);
	EXPECT_EQ(profile__total(again.profile, VALUE_COUNT), 12);
	expect_known_start(&again);
	free(first.bytes);
	free(second.bytes);
	recording__fini(&again);
	recording__fini(&recording);
}

static bool has_function(const struct dictionary *dictionary, const char *name)
{
	bool has = false;

	for (uint32_t i = 0; i < dictionary__nr_frames(dictionary); i++)
		has |= !strcmp(dictionary__frame_name(dictionary, i), name);
	return has;
}

/* Names of C++ are long, and their ends tell most. */
static void test_long_name(void)
{
	const struct read_options options = {0};
	struct recording recording, again;
	struct model model;
	char name[32768], stack[sizeof(name) + 16];
	struct text text;

	recording__init(&recording);
	profile__set_metrics(recording.profile, &cpu_metrics);
	model = (struct model){profile__dictionary(recording.profile), recording.profile};
	memset(name, 'a', sizeof(name) - 1);
	strcpy(name + sizeof(name) - 3, "()");
	snprintf(stack, sizeof(stack), "%s@m main@m", name);
	add(&model, "a", 1, 1, stack);
	text = write_recording(&recording);
	EXPECT_EQ(formats__read(&again, text.bytes, text.nr, &options, NULL), 0);
	EXPECT(has_function(profile__dictionary(again.profile), name));
	free(text.bytes);
	recording__fini(&again);
	recording__fini(&recording);
}

/* The strings of a plain file that begin so. */
static size_t count_strings(const struct text *text, const char *begin)
{
	size_t nr = 0;
	char *inflated = NULL, *at;
	size_t nr_inflated;

	EXPECT_EQ(gzip__inflate(text->bytes, text->nr, 1 << 20, &inflated, &nr_inflated, NULL), 0);
	for (at = inflated;
	     at && (at = memmem(at, nr_inflated - (size_t)(at - inflated), begin, strlen(begin)));
	     at++)
		nr++;
	free(inflated);
	return nr;
}

/* Tools print all comments above each of their reports. */
static void test_few_comments(void)
{
	struct recording recording;
	struct text text;

	fill_recording(&recording);
	recording.facts[FACT_TARGET] = recording__keep(&recording, "a\tb");
	text = write_recording(&recording);
	EXPECT_EQ(count_strings(&text, "topstacks."), 3);
	EXPECT_EQ(count_strings(&text, "topstacks.run=event=cpu-clock\ttarget=a b\tasked_hz=99.000"
				       "\tdelivered_hz=98.931\tcpus=2"),
		  1);
	EXPECT_EQ(count_strings(&text, "topstacks.machine=host=a=b"), 1);
	EXPECT_EQ(count_strings(&text, "topstacks.ledger=events=20\tcounted=12\tfiltered=8"), 1);
	free(text.bytes);
	recording__fini(&recording);
}

/* As files had them before: a comment for each pair. */
static void test_old_comments(void)
{
	static const char *const comments[] = {
		"topstacks.event=cpu-clock",	   "topstacks.target=make -j2 CC=gcc",
		"topstacks.delivered_hz=98.931",   "topstacks.cost.user_ns=12",
		"topstacks.ledger.events=20",	   "topstacks.ledger.lost.throttled=3",
		"topstacks.ledger.idle_excluded=1"};
	struct message file = small_file();
	struct recording recording;

	for (size_t i = 0; i < 7; i++) {
		put_bytes(&file, 6, comments[i], strlen(comments[i]));
		put_number(&file, 13, INNER_H + 1 + i);
	}
	EXPECT_EQ(read_file(&recording, &file, NULL, NULL), 0);
	EXPECT(recording.has_ledger);
	EXPECT_STR(recording.facts[FACT_TARGET], "make -j2 CC=gcc");
	EXPECT_NEAR(recording.delivered_hz, 98.931, 1e-9);
	EXPECT_EQ(recording.cost.user_ns, 12);
	EXPECT_EQ(recording.ledger.events, 20);
	EXPECT_EQ(recording.ledger.lost[LOSS_THROTTLED], 3);
	EXPECT(recording.ledger.idle_excluded);
	recording__fini(&recording);
}

static const char *program_of(const struct model *model)
{
	const struct frame *frame = pprof__find_program(model->profile);

	return frame ? frame->module : NULL;
}

/* Code in a library, in the kernel or made at run time belongs to some program. */
static void test_program(void)
{
	struct model model = model__new();

	add(&model, "swapper", 1, 90, "idle@[kernel] start@[kernel]");
	EXPECT(!program_of(&model));
	add(&model, "java", 2, 20, "App.run@perf.map call@libjvm.so clone3@libc.so.6");
	EXPECT(!program_of(&model));
	add(&model, "redis", 3, 10, "read@[kernel] read@libc.so.6 main@redis.sock");
	EXPECT_STR(program_of(&model), "redis.sock");
	add(&model, "worker", 4, 7, "copy@libx.so.1.2 work@worker call@libc.so.6 start@ld.so");
	EXPECT_STR(program_of(&model), "redis.sock");
	add(&model, "worker", 4, 4, "work@worker clone3@libc.so.6");
	EXPECT_STR(program_of(&model), "worker");
	model__free(&model);
}

/* As a heap profile has them: the last is shown, with the nearest of the other sort. */
static void test_many_types(void)
{
	struct message file = {.nr = 0}, type;
	static const char *const names[] = {"",	     "alloc_objects", "count",	     "alloc_space",
					    "bytes", "inuse_objects", "inuse_space", NULL};
	struct recording recording;
	struct text again;

	for (int i = 1; i <= 3; i += 2) {
		type = numbers(i == 1 ? 1 : 5, 2, 0);
		put(&file, 1, &type);
		type = numbers(i == 1 ? 3 : 6, 4, 0);
		put(&file, 1, &type);
	}
	put_strings(&file, names);
	EXPECT_EQ(read_file(&recording, &file, NULL, NULL), 0);
	EXPECT_EQ(profile__metrics(recording.profile)->shown, VALUE_WEIGHT);
	EXPECT_STR(profile__metrics(recording.profile)->of[VALUE_WEIGHT].name, "inuse_space");
	EXPECT_STR(profile__metrics(recording.profile)->of[VALUE_COUNT].name, "inuse_objects");
	EXPECT_STR(recording.left_out, "alloc_objects, alloc_space");
	recording__fini(&recording);

	/* The shown value stays the shown one when the file is written and read. */
	EXPECT_EQ(read_file(&recording, &file, "alloc_objects", NULL), 0);
	EXPECT_EQ(profile__metrics(recording.profile)->shown, VALUE_COUNT);
	again = write_recording(&recording);
	recording__fini(&recording);
	EXPECT_EQ(formats__read(&recording, again.bytes, again.nr, &(struct read_options){0}, NULL),
		  0);
	EXPECT_EQ(profile__metrics(recording.profile)->shown, VALUE_COUNT);
	EXPECT_STR(profile__metrics(recording.profile)->of[VALUE_COUNT].name, "alloc_objects");
	EXPECT_EQ(recording.left_out == NULL, 1);
	free(again.bytes);
	recording__fini(&recording);
}

/* Files of different values are not added up, and one is told what they have. */
static void test_different_types(void)
{
	const struct read_options options = {0};
	struct message file = small_file();
	struct recording recording, folded;
	struct error err = {0};

	EXPECT_EQ(read_file(&recording, &file, NULL, NULL), 0);
	EXPECT_EQ(formats__read(&folded, "a;b 3\n", 6, &options, NULL), 0);
	EXPECT_EQ(recording__merge(&recording, &folded, &err), -EINVAL);
	EXPECT(strstr(err.text,
		      "\"samples in count, cpu in nanoseconds\", and \"samples in count\""));
	recording__fini(&recording);
	recording__fini(&folded);
}

static void test_slices(void)
{
	const struct read_options options = {0};
	struct recording recording, again;
	const struct sample *samples;
	struct text text;
	size_t nr;

	fill_recording(&recording);
	recording.slice_ns = 1000000000;
	samples = profile__samples(recording.profile, &nr);
	EXPECT_EQ(nr, 3);
	recording__add_to_slice(&recording, 0, &samples[0]);
	recording__add_to_slice(&recording, 4, &samples[1]);
	recording__add_to_slice(&recording, 4, &samples[2]);
	text = write_recording(&recording);
	EXPECT_EQ(formats__read(&again, text.bytes, text.nr, &options, NULL), 0);
	EXPECT_EQ(again.nr_slices, 5);
	EXPECT_EQ(again.slice_ns, 1000000000);
	EXPECT_EQ(profile__total(again.slices[0], VALUE_COUNT), 7);
	EXPECT(!again.slices[1]);
	EXPECT_EQ(profile__total(again.slices[4], VALUE_COUNT), 5);
	EXPECT_EQ(profile__total(again.profile, VALUE_COUNT), 12);
	free(text.bytes);
	recording__fini(&again);
	recording__fini(&recording);
}

static void test_gzip_damaged(void)
{
	struct read_options options = {0};
	struct recording recording, again;
	struct error err = {0};
	struct text text;

	fill_recording(&recording);
	text = write_recording(&recording);
	for (size_t nr = 2; nr < text.nr; nr++) {
		EXPECT_EQ(formats__read(&again, text.bytes, nr, &options, &err), -EINVAL);
		EXPECT_EQ(err.exit_code, EXIT_USAGE);
	}
	options.max_bytes = 100; /* fewer than it inflates to */
	EXPECT_EQ(formats__read(&again, text.bytes, text.nr, &options, &err), -EFBIG);
	EXPECT(strstr(err.text, "inflates to more than 100 B"));
	free(text.bytes);
	recording__fini(&recording);
}

/* ---- memory ---- */

enum { NR_PARTS = 60000 };

static struct message empty_string(unsigned int i)
{
	(void)i;
	return (struct message){.nr = 0};
}

static struct message item_with_id(unsigned int i)
{
	return numbers(i + 1, 0, 0);
}

/* Each of a process of its own, as its label pid (string 3) says. */
static struct message sample_of_process(unsigned int i)
{
	const struct message label = numbers(3, 0, i + 1);
	struct message sample = {.nr = 0};

	put_bytes(&sample, 2, "\1", 1);
	put(&sample, 3, &label);
	return sample;
}

/* A file with one kind of parts, so many that it is the part that takes the memory. */
static struct text many_parts(unsigned int field, struct message (*make)(unsigned int i))
{
	static const char *const few[] = {"", "samples", "count", "pid", NULL};
	const struct message type = numbers(1, 2, 0);
	struct message part = {.nr = 0};
	struct text text = {NULL, 0};
	FILE *out = open_memstream(&text.bytes, &text.nr);

	put(&part, 1, &type);
	put_strings(&part, few);
	fwrite(part.at, 1, part.nr, out);
	for (unsigned int i = 0; i < NR_PARTS; i++) {
		const struct message content = make(i);

		part.nr = 0;
		put(&part, field, &content);
		fwrite(part.at, 1, part.nr, out);
	}
	fclose(out);
	return text;
}

/* All that is decoded counts, whatever it is. */
static void test_memory(void)
{
	static const struct {
		unsigned int field;
		struct message (*make)(unsigned int i);
	} kinds[] = {{2, sample_of_process},
		     {3, item_with_id},
		     {4, item_with_id},
		     {5, item_with_id},
		     {6, empty_string}};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
		struct text text = many_parts(kinds[i].field, kinds[i].make);
		struct read_options options = {.max_memory_bytes = 32 << 20};
		struct recording recording;
		struct error err = {0};

		EXPECT_EQ(formats__read(&recording, text.bytes, text.nr, &options, &err), 0);
		recording__fini(&recording);
		options.max_memory_bytes = text.nr + (1 << 20);
		EXPECT_EQ(formats__read(&recording, text.bytes, text.nr, &options, &err), -EFBIG);
		EXPECT_EQ(err.exit_code, EXIT_USAGE);
		free(text.bytes);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"a file by hand", test_reads},
		{"which sample type", test_chooses_type},
		{"many types", test_many_types},
		{"files of different types", test_different_types},
		{"inlined functions", test_inlined},
		{"no samples", test_empty_profile},
		{"what is refused", test_refuses},
		{"sums stop", test_absurd_counts},
		{"a stack without end", test_deep_stack},
		{"damaged anywhere", test_damaged},
		{"written and read", test_round_trip},
		{"a long name", test_long_name},
		{"few comments", test_few_comments},
		{"a comment for each pair", test_old_comments},
		{"which program it is of", test_program},
		{"slices of time", test_slices},
		{"compressed and damaged", test_gzip_damaged},
		{"memory has a bound", test_memory},
		{0},
	};

	return run_tests("pprof", tests);
}
