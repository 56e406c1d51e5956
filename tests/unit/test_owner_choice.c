// SPDX-License-Identifier: GPL-2.0-only
/* One user gets of a recording of all processes his own part, and no data of others. */
#include "profile/select/owner_choice.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "formats/formats.h"
#include "formats/gzip.h"
#include "model.h"
#include "profile/owner.h"

#define USER  1000
#define OTHER 1001

static struct recording make(void)
{
	struct recording recording;

	recording__init(&recording);
	profile__set_metrics(recording.profile, &cpu_metrics);
	return recording;
}

static struct model model_of(const struct recording *recording)
{
	return (struct model){profile__dictionary(recording->profile), recording->profile};
}

static struct process process_of(int32_t pid, enum process_owner owner, uint32_t uid)
{
	return (struct process){.pid = pid, .owner = owner, .uid = uid, .comm = "program"};
}

static struct sample sample_of(const struct recording *recording, const struct process *process,
			       uint64_t count, const char *stack)
{
	const struct model model = model_of(recording);

	return (struct sample){
		.process = dictionary__add_process(model.dictionary, process),
		.stack = model__stack(&model, stack),
		.values = {count, count},
	};
}

static void add_sample(struct recording *recording, const struct process *process, uint64_t count,
		       const char *stack)
{
	const struct sample sample = sample_of(recording, process, count, stack);

	profile__add(recording->profile, &sample);
}

static void add_owned(struct recording *recording, int32_t pid, enum process_owner owner,
		      uint32_t uid, uint64_t count)
{
	const struct process process = process_of(pid, owner, uid);

	add_sample(recording, &process, count, "f@m main@m");
}

/* Chooses USER's, and returns how many samples are left. */
static uint64_t choose(struct recording *recording, bool with_kernel_frames)
{
	recording__choose_owner(recording, USER, with_kernel_frames);
	return profile__total(recording->profile, VALUE_COUNT);
}

static uint64_t choose_and_free(struct recording *recording)
{
	const uint64_t total = choose(recording, true);

	recording__fini(recording);
	return total;
}

static void test_owners(void)
{
	struct recording recording = make();

	EXPECT_EQ(choose(&recording, true), 0);
	add_owned(&recording, 1, OWNER_USER, USER, 1);
	add_owned(&recording, 2, OWNER_USER, OTHER, 10);
	add_owned(&recording, 3, OWNER_NOBODY, 0, 100);
	add_owned(&recording, 4, OWNER_UNKNOWN, USER, 1000);
	add_owned(&recording, 5, OWNER_USER, 0, 10000);
	add_owned(&recording, 0, OWNER_USER, USER, 100000); /* of no process in particular */
	EXPECT_EQ(choose_and_free(&recording), 1);
}

/* A process that had another owner for a part of the time is left out. */
static void test_other_hands(void)
{
	static const struct process others[] = {
		{.owner = OWNER_USER, .uid = OTHER},
		{.owner = OWNER_USER},
		{.owner = OWNER_NOBODY},
		{.owner = OWNER_GONE, .uid = OTHER},
		{.owner = OWNER_UNKNOWN},
	};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		struct recording recording = make();

		add_owned(&recording, 7, others[i].owner, others[i].uid, 1);
		add_owned(&recording, 7, OWNER_USER, USER, 10);
		add_owned(&recording, 6, OWNER_USER, USER, 100);
		add_owned(&recording, 8, OWNER_USER, USER, 1000);
		EXPECT_EQ(choose_and_free(&recording), 1100);
	}
}

static void add_born(struct recording *recording, uint64_t start_ns, uint32_t uid, uint64_t count)
{
	struct process process = process_of(7, OWNER_USER, uid);

	process.start_ns = start_ns;
	add_sample(recording, &process, count, "f@m");
}

static void test_reused_id(void)
{
	struct recording recording = make();

	add_born(&recording, 100, USER, 1);
	add_born(&recording, 200, OTHER, 10);
	add_born(&recording, 300, USER, 100);
	add_born(&recording, 300, OTHER, 1000);
	EXPECT_EQ(choose_and_free(&recording), 1);

	recording = make(); /* it may be any of these */
	add_born(&recording, 0, OTHER, 1);
	add_born(&recording, 100, USER, 10);
	EXPECT_EQ(choose_and_free(&recording), 0);
}

/* A process that has ended has its owner from samples before its end. */
static void test_ends(void)
{
	struct recording recording = make();

	add_owned(&recording, 1, OWNER_GONE, USER, 1);
	add_owned(&recording, 2, OWNER_GONE, USER, 10);
	add_owned(&recording, 2, OWNER_USER, USER, 100);
	add_owned(&recording, 3, OWNER_GONE, USER, 1000);
	add_owned(&recording, 3, OWNER_NOBODY, 0, 10000);
	EXPECT_EQ(choose_and_free(&recording), 110);
}

static uint64_t slice_total(const struct recording *recording, size_t slice)
{
	return profile__total(recording->slices[slice], VALUE_COUNT);
}

static void add_to_slice(struct recording *recording, size_t slice, int32_t pid, uint32_t uid,
			 uint64_t count)
{
	const struct process process = process_of(pid, OWNER_USER, uid);
	const struct sample sample = sample_of(recording, &process, count, "f@m");

	profile__add(recording->profile, &sample);
	EXPECT_EQ(recording__add_to_slice(recording, slice, &sample), 0);
}

/* A process's owner in one event or slice holds for all. */
static void test_parts(void)
{
	struct recording recording = make(), *more;

	recording.slice_ns = 1000000000;
	more = recording__add_event(&recording, "page-faults");
	add_to_slice(&recording, 0, 1, USER, 1);
	add_to_slice(&recording, 0, 2, OTHER, 10);
	add_to_slice(&recording, 1, 2, USER, 100);
	add_to_slice(&recording, 1, 3, USER, 1000);
	add_to_slice(&recording, 2, 4, USER, 10000);
	add_owned(more, 1, OWNER_USER, USER, 5);
	add_owned(more, 4, OWNER_NOBODY, 0, 50);
	EXPECT_EQ(choose(&recording, true), 1001);
	EXPECT_EQ(slice_total(&recording, 0), 1);
	EXPECT_EQ(slice_total(&recording, 1), 1000);
	EXPECT_EQ(slice_total(&recording, 2), 0);
	EXPECT_EQ(profile__total(recording.more->profile, VALUE_COUNT), 5);
	recording__fini(&recording);
}

/* The names of the frames of the only sample. */
static void expect_only_stack(const struct recording *recording, const char *expected)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	size_t nr_samples, nr_frames = 0;
	const struct sample *samples = profile__samples(recording->profile, &nr_samples);
	const uint32_t *frames = NULL;
	char text[256] = "";

	EXPECT_EQ(nr_samples, 1);
	if (nr_samples)
		frames = dictionary__stack(dictionary, samples[0].stack, &nr_frames);
	for (size_t i = 0; i < nr_frames; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s", i ? " " : "",
			 dictionary__frame_name(dictionary, frames[i]));
	EXPECT_STR(text, expected);
}

static void test_kernel_frames(void)
{
	static const char stack[] = "schedule@[kernel] do_syscall@[kernel] read@libc main@m";
	const struct process process = process_of(1, OWNER_USER, USER);
	struct recording recording = make();

	add_sample(&recording, &process, 1, stack);
	EXPECT_EQ(choose(&recording, true), 1);
	expect_only_stack(&recording, "schedule do_syscall read main");
	EXPECT_EQ(choose(&recording, false), 1);
	expect_only_stack(&recording, "[kernel] read main");
	recording__fini(&recording);

	recording = make(); /* two that are one then */
	add_sample(&recording, &process, 1, stack);
	add_sample(&recording, &process, 2, "futex_wait@[kernel] read@libc main@m");
	EXPECT_EQ(choose(&recording, false), 3);
	expect_only_stack(&recording, "[kernel] read main");
	recording__fini(&recording);
}

static void test_wakers(void)
{
	const struct process process = process_of(1, OWNER_USER, USER);
	const struct frame names[] = {{.function = "their_main"},
				      {.function = "[woken by spoofed]"},
				      {.function = "[woken by theirs]"},
				      {.function = "schedule", .kind = FRAME_KERNEL},
				      {.function = "read"}};
	struct recording recording = make();
	struct sample sample = sample_of(&recording, &process, 1, "f@m");
	struct dictionary *dictionary = profile__dictionary(recording.profile);
	uint32_t frames[5];

	for (size_t i = 0; i < 5; i++)
		frames[i] = dictionary__add_frame(dictionary, &names[i]);
	sample.stack = dictionary__add_stack(dictionary, frames, 5);
	profile__add(recording.profile, &sample);
	EXPECT_EQ(choose(&recording, true), 1);
	expect_only_stack(&recording, "schedule read");
	recording__fini(&recording);
}

/* ---- files of a user's part ---- */

static char *write_plain(const struct recording *recording, size_t *nr_bytes)
{
	static const struct write_options options = {.command_lines = true};
	char *bytes, *inflated = NULL;
	size_t nr;
	FILE *out = open_memstream(&bytes, &nr);

	EXPECT_EQ(pprof__write(out, recording, &options), 0);
	fclose(out);
	EXPECT_EQ(gzip__inflate(bytes, nr, 1 << 20, &inflated, nr_bytes, NULL), 0);
	free(bytes);
	return inflated;
}

/* A process whose strings all begin with whose, and are in no other's. */
static void add_process_of(struct recording *recording, const char *whose, int32_t pid,
			   enum process_owner owner, uint32_t uid)
{
	struct dictionary *dictionary = profile__dictionary(recording->profile);
	struct process process = process_of(pid, owner, uid);
	char texts[8][32];
	const struct frame frames[] = {
		{.function = texts[0], .module = texts[1], .path = texts[2], .build_id = texts[3]},
		{.function = texts[4], .file = texts[5], .line = 3},
		{.function = "schedule",
		 .module = "[kernel]",
		 .kind = FRAME_KERNEL,
		 .address = ~0xfffULL},
		{.function = "nf_hook", .module = "nf_tables", .kind = FRAME_KERNEL},
	};
	struct sample sample = {.tid = pid, .values = {1, 1}};
	uint32_t ids[4];

	for (int i = 0; i < 8; i++)
		snprintf(texts[i], sizeof(texts[i]), "%s_%d", whose, i);
	snprintf(process.comm, sizeof(process.comm), "%s", whose);
	process.cgroup_path = texts[6];
	process.command_line = texts[7];
	for (int i = 0; i < 4; i++)
		ids[i] = dictionary__add_frame(dictionary, &frames[3 - i]);
	sample.process = dictionary__add_process(dictionary, &process);
	sample.stack = dictionary__add_stack(dictionary, ids, 4);
	sample__name_thread(&sample, dictionary, whose);
	profile__add(recording->profile, &sample);
	EXPECT_EQ(recording__add_to_slice(recording, 0, &sample), 0);
}

static void tell_of_all(struct recording *recording)
{
	const char *secret = recording__keep(recording, "secret");

	recording->slice_ns = recording->duration_ns = 1000000000;
	recording->facts[FACT_TARGET] = secret;
	recording->facts[FACT_HOST] = recording__keep(recording, "this_host");
	recording->has_ledger = true;
	recording->ledger.events = recording->ledger.counted = 4321;
	recording->cost.user_ns = 4321;
	recording->whole_system = true;
	recording->quality = (struct quality){.samples = 4321, .nr_causes = 1};
	recording->quality.causes[0] =
		(struct quality_cause){.module = secret, .path = secret, .package = secret};
}

static bool has(const char *bytes, size_t nr_bytes, const char *text)
{
	return memmem(bytes, nr_bytes, text, strlen(text)) != NULL;
}

static void expect_written(bool with_kernel_frames)
{
	static const char *const others[] = {"other", "nobody", "changed", "nobodys",	  "secret",
					     "4321",  "ledger", "cost",	   "whole_system"};
	static const char *const kernels[] = {"schedule", "nf_hook", "nf_tables"};
	struct recording recording = make();
	size_t nr;
	char *bytes;

	add_process_of(&recording, "mine", 1, OWNER_USER, USER);
	add_process_of(&recording, "other", 2, OWNER_USER, OTHER);
	add_process_of(&recording, "nobody", 3, OWNER_NOBODY, 0);
	add_process_of(&recording, "changed", 4, OWNER_USER, USER);
	add_process_of(&recording, "changed", 4, OWNER_NOBODY, 0);
	tell_of_all(&recording);
	EXPECT_EQ(choose(&recording, with_kernel_frames), 1);
	bytes = write_plain(&recording, &nr);
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		EXPECT(!has(bytes, nr, others[i]));
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++)
		EXPECT_EQ(has(bytes, nr, kernels[i]), with_kernel_frames);
	EXPECT(has(bytes, nr, "mine_0") && has(bytes, nr, "mine_4") && has(bytes, nr, "mine_6"));
	EXPECT(has(bytes, nr, "this_host") && has(bytes, nr, "processes of user 1000"));
	EXPECT(has(bytes, nr, "[kernel]"));
	EXPECT_EQ(dictionary__nr_processes(profile__dictionary(recording.profile)), 1);
	free(bytes);
	recording__fini(&recording);
}

static void test_written(void)
{
	expect_written(true);
	expect_written(false);
}

/* Owners are the same when they are read again, also OWNER_NOBODY and root. */
static void test_round_trip(void)
{
	static const struct process owned[] = {
		{.pid = 1},
		{.pid = 2, .owner = OWNER_NOBODY},
		{.pid = 3, .owner = OWNER_USER},
		{.pid = 4, .owner = OWNER_USER, .uid = 4000000000},
		{.pid = 5, .owner = OWNER_GONE},
		{.pid = 6, .owner = OWNER_GONE, .uid = USER},
		{.pid = 6, .owner = OWNER_USER, .uid = USER},
	};
	struct recording recording = make(), again;
	const struct dictionary *dictionary;
	struct error err = {0};
	char *bytes;
	size_t nr;

	for (size_t i = 0; i < 7; i++)
		add_sample(&recording, &owned[i], 1, "f@m");
	bytes = write_plain(&recording, &nr);
	EXPECT_EQ(formats__read(&again, bytes, nr, &(struct read_options){0}, &err), 0);
	dictionary = profile__dictionary(again.profile);
	EXPECT_EQ(dictionary__nr_processes(dictionary), 7);
	for (uint32_t i = 0; i < 7 && i < dictionary__nr_processes(dictionary); i++) {
		const struct process *process = dictionary__process(dictionary, i);

		EXPECT_EQ(process->pid, owned[i].pid);
		EXPECT_EQ(process->owner, owned[i].owner);
		EXPECT_EQ(process->uid, owned[i].uid);
	}
	free(bytes);
	recording__fini(&recording);
	recording__fini(&again);
}

/* Numbers that are no ids, in files of others. */
static void test_no_ids(void)
{
	static const int64_t numbers[] = {-2, UINT32_MAX, INT64_MAX, INT64_MIN, 1LL << 32};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		struct process process = process_of(1, OWNER_USER, USER);

		owner__take(&process, "pid", numbers[i]);
		EXPECT_EQ(process.owner, OWNER_USER);
		owner__take(&process, "uid", numbers[i]);
		EXPECT_EQ(process.owner, OWNER_UNKNOWN);
		EXPECT_EQ(process.uid, 0);
		owner__take(&process, "gone_uid", -1);
		EXPECT_EQ(process.owner, OWNER_UNKNOWN);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"whose", test_owners},
		{"in other hands for a while", test_other_hands},
		{"an id that is used again", test_reused_id},
		{"what ends", test_ends},
		{"slices and events", test_parts},
		{"kernel frames", test_kernel_frames},
		{"wakers", test_wakers},
		{"nothing of others is written", test_written},
		{"written and read", test_round_trip},
		{"no ids", test_no_ids},
		{0},
	};

	return run_tests("owner choice", tests);
}
