// SPDX-License-Identifier: GPL-2.0-only
/* pprof files of other tools: needless fields refuse no file, and names are bytes. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "formats/formats.h"
#include "message.h"
#include "profile/recording.h"

/* ---- a file of one function for each name, a sample of each in their order ---- */

enum { SAMPLES = 1, COUNT, KEY, NAMES };

static void put_head(struct message *file, const char *type, const char *unit, const char *key)
{
	const char *const strings[] = {"", type, unit, key, NULL};
	const struct message types = numbers(SAMPLES, COUNT, 0);

	put(file, 1, &types);
	put_strings(file, strings);
}

static void put_function(struct message *file, uint64_t id, const char *name, size_t nr_bytes)
{
	const struct message function = numbers(id, NAMES + id - 1, 0), line = numbers(id, 0, 0);
	struct message location = numbers(id, 0, 0);

	put_bytes(file, 6, name, nr_bytes);
	put(file, 5, &function);
	put(&location, 4, &line);
	put(file, 4, &location);
}

static struct message sample_of(uint64_t location, uint64_t count)
{
	struct message sample = {.nr = 0};

	put_number(&sample, 1, location);
	put_number(&sample, 2, count);
	return sample;
}

static void read_file(struct recording *recording, const struct message *file)
{
	const struct read_options options = {0};
	struct error err = {0};

	EXPECT_EQ(formats__read(recording, file->at, file->nr, &options, &err), 0);
	EXPECT_STR(err.text, "");
}

static const struct frame *leaf_of(const struct recording *recording, size_t index)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	const struct sample *samples;
	size_t nr;

	samples = profile__samples(recording->profile, &nr);
	EXPECT(index < nr);
	return dictionary__frame(dictionary,
				 *dictionary__stack(dictionary, samples[index].stack, &nr));
}

static struct process process_of(const struct recording *recording, size_t index)
{
	size_t nr;
	const struct sample *samples = profile__samples(recording->profile, &nr);

	EXPECT(index < nr);
	return *dictionary__process(profile__dictionary(recording->profile),
				    samples[index].process);
}

/* ---- labels ---- */

/* A process id of (unsigned)-1, a number that is a string, strings that are not in the table. */
static void test_labels_out_of_range(void)
{
	static const struct message labels[] = {
		{.at = {1 << 3, KEY, 3 << 3, -1, -1, -1, -1, 15}, .nr = 8},
		{.at = {1 << 3, KEY, 3 << 3, -1, -1, -1, -1, -1, -1, -1, -1, -1, 1}, .nr = 13},
		{.at = {1 << 3, KEY, 3 << 3 | 2, 1, 'x'}, .nr = 5},
		{.at = {1 << 3, KEY, 2 << 3, 99}, .nr = 4},
		{.at = {1 << 3, 99, 3 << 3, 7}, .nr = 4},
		{.at = {1 << 3, KEY, 1 << 3 | 7}, .nr = 3},
	};
	static const char *const keys[] = {"pid", "thread", "own_pid", "slice", "cgroup", "bytes"};

	for (size_t i = 0; i < sizeof(labels) / sizeof(labels[0]); i++)
		for (size_t j = 0; j < sizeof(keys) / sizeof(keys[0]); j++) {
			struct message file = {.nr = 0}, sample = sample_of(1, 5);
			struct recording recording;

			put_head(&file, "samples", "count", keys[j]);
			put_function(&file, 1, "work", 4);
			put(&sample, 3, &labels[i]);
			put(&file, 2, &sample);
			read_file(&recording, &file);
			EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 5);
			EXPECT_EQ(process_of(&recording, 0).pid, 0);
			recording__fini(&recording);
		}
}

/* ---- facts about the file and its mappings ---- */

static void test_needless_facts(void)
{
	struct message file = {.nr = 0}, sample = sample_of(2, 5), location = numbers(2, 77, 0x10);
	struct recording recording;

	put_head(&file, "samples", "count", "pid");
	put_function(&file, 1, "work", 4);
	put(&file, 4, &location); /* in a mapping that is not there */
	put(&file, 2, &sample);
	put_number(&file, 9, UINT64_MAX); /* times and a period below 0 */
	put_number(&file, 10, UINT64_MAX);
	put_number(&file, 12, UINT64_MAX);
	put_number(&file, 99, 1);
	read_file(&recording, &file);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 5);
	EXPECT_EQ(recording.start_realtime_ns, 0);
	EXPECT_EQ(recording.duration_ns, 0);
	EXPECT_EQ(recording.period, 0);
	EXPECT(!leaf_of(&recording, 0)->module);
	recording__fini(&recording);
}

/* A type without a name and a unit is an empty message, with which OTLP begins, too. */
static void test_nameless_type(void)
{
	static const char *const strings[] = {"", "x", "y", "pid", NULL};
	struct message file = {.nr = 0}, sample = sample_of(1, 5);
	const struct message type = {.nr = 0};
	struct recording recording;

	put(&file, 1, &type);
	put_strings(&file, strings);
	put_function(&file, 1, "work", 4);
	put(&file, 2, &sample);
	read_file(&recording, &file);
	EXPECT_EQ(profile__shown_total(recording.profile), 5);
	recording__fini(&recording);
}

/* ---- units ---- */

static void read_unit(struct recording *recording, const char *unit, uint64_t weight)
{
	struct message file = {.nr = 0}, sample = sample_of(1, weight);

	put_head(&file, "cpu", unit, "pid");
	put_function(&file, 1, "work", 4);
	put(&file, 2, &sample);
	put_number(&file, 12, 3);
	read_file(recording, &file);
}

/* The finer unit is that of the sum, whichever comes first. */
static void test_unlike_units(void)
{
	for (int order = 0; order < 2; order++) {
		struct recording a, b;

		read_unit(&a, order ? "microseconds" : "s", order ? 7000000 : 2);
		read_unit(&b, order ? "seconds" : "us", order ? 2 : 7000000);
		recording__share_units(&a, &b);
		EXPECT_EQ(recording__merge(&a, &b, NULL), 0);
		EXPECT_EQ(profile__total(a.profile, VALUE_WEIGHT), 9000000);
		EXPECT_STR(profile__metrics(a.profile)->of[VALUE_WEIGHT].unit,
			   order ? "microseconds" : "us");
		recording__fini(&b);
		recording__fini(&a);
	}
}

/* Values that would not fit are not scaled, nor values of another unit. */
static void test_units_that_stay(void)
{
	static const struct {
		const char *unit;
		uint64_t weight;
	} files[] = {{"hours", 1ULL << 40}, {"bytes", 7}, {"pennies", 7}};
	struct error err = {0};

	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct recording a, b;

		read_unit(&a, "ns", 2);
		read_unit(&b, files[i].unit, files[i].weight);
		recording__share_units(&a, &b);
		EXPECT_EQ(recording__merge(&a, &b, &err), -EINVAL);
		EXPECT(strstr(err.text, files[i].unit));
		recording__fini(&b);
		recording__fini(&a);
	}
}

/* ---- names ---- */

/* PHP calls classes without a name so: functions differ behind the NUL alone. */
static void test_names_with_nul(void)
{
	static const char a[] = "class@anonymous\0/a.php", b[] = "class@anonymous\0/b.php";
	const struct write_options options = {0};
	struct message file = {.nr = 0};
	struct recording recording, again;
	char *bytes = NULL;
	size_t nr_bytes, nr;
	FILE *out = open_memstream(&bytes, &nr_bytes);

	put_head(&file, "samples", "count", "pid");
	put_function(&file, 1, a, sizeof(a) - 1);
	put_function(&file, 2, b, sizeof(b) - 1);
	for (uint64_t i = 1; i <= 2; i++) {
		const struct message sample = sample_of(i, 2 + i);

		put(&file, 2, &sample);
	}
	read_file(&recording, &file);
	EXPECT_EQ((profile__samples(recording.profile, &nr), nr), 2);
	EXPECT(strcmp(leaf_of(&recording, 0)->function, leaf_of(&recording, 1)->function) != 0);
	EXPECT_EQ(pprof__write(out, &recording, &options), 0);
	fclose(out);
	EXPECT_EQ(formats__read(&again, bytes, nr_bytes, &(struct read_options){0}, NULL), 0);
	for (size_t i = 0; i < 2; i++)
		EXPECT_STR(leaf_of(&again, i)->function, leaf_of(&recording, i)->function);
	recording__fini(&again);
	recording__fini(&recording);
	free(bytes);
}

int main(void)
{
	static const struct test tests[] = {
		{"labels out of range", test_labels_out_of_range},
		{"facts that nobody needs", test_needless_facts},
		{"a type without a name", test_nameless_type},
		{"unlike units", test_unlike_units},
		{"units that stay", test_units_that_stay},
		{"names with a NUL", test_names_with_nul},
		{0},
	};

	return run_tests("pprof_foreign", tests);
}
