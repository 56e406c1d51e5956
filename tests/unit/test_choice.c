// SPDX-License-Identifier: GPL-2.0-only
/*
 * Samples are chosen by their owners and by their time. Choices by their stacks are in
 * test_groups.c.
 */
#include "profile/select/choice.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "expect.h"

static void add(struct recording *recording, size_t slice, const char *comm, int32_t pid,
		int32_t tid, const char *cgroup, uint64_t count)
{
	struct dictionary *dictionary = profile__dictionary(recording->profile);
	struct process process = {.instance = (uint64_t)pid, .pid = pid, .cgroup_path = cgroup};
	const struct frame frame = {.function = "f", .module = "m", .address = 16};
	struct sample sample = {.tid = tid, .values = {[VALUE_COUNT] = count}};
	uint32_t frames[1];

	memcpy(process.comm, comm, strnlen(comm, sizeof(process.comm)));
	frames[0] = dictionary__add_frame(dictionary, &frame);
	sample.process = dictionary__add_process(dictionary, &process);
	sample.stack = dictionary__add_stack(dictionary, frames, 1);
	profile__add(recording->profile, &sample);
	EXPECT_EQ(recording__add_to_slice(recording, slice, &sample), 0);
}

#define ID "3f2a1b4c5d6e3f2a1b4c5d6e3f2a1b4c5d6e3f2a1b4c5d6e3f2a1b4c5d6e3f2a"

static int choose(struct recording *recording, const struct choice *choice, struct error *err)
{
	const int code = recording__choose_time(recording, choice, err);

	return code ? code : recording__choose(recording, choice, err);
}

static uint64_t chosen(const struct choice *choice)
{
	struct recording recording;
	struct error err = {0};
	uint64_t total, in_slices = 0;

	recording__init(&recording);
	recording.slice_ns = 1000000000;
	add(&recording, 0, "gcc", 10, 10, "/build/one", 1);
	add(&recording, 1, "cc1", 11, 12, "/build/one/two", 10);
	add(&recording, 2, "cc1", 13, 13, "/building", 100);
	add(&recording, 4, "fifteen-letters", 14, 14, "/system.slice/docker-" ID ".scope", 1000);
	EXPECT_EQ(choose(&recording, choice, &err), 0);
	total = profile__total(recording.profile, VALUE_COUNT);
	for (size_t i = 0; i < recording.nr_slices; i++)
		if (recording.slices[i])
			in_slices += profile__total(recording.slices[i], VALUE_COUNT);
	EXPECT_EQ(in_slices, total);
	recording__fini(&recording);
	return total;
}

#define NAMES(...)                                                           \
	{                                                                    \
		.names = (char *[]){__VA_ARGS__},                            \
		.nr_names = sizeof((char *[]){__VA_ARGS__}) / sizeof(char *) \
	}
#define CHOSEN(...) chosen(&(const struct choice){__VA_ARGS__})

static void test_owners(void)
{
	EXPECT_EQ(CHOSEN(.pid = 0), 1111);
	EXPECT_EQ(CHOSEN(.comms = NAMES("cc1")), 110);
	EXPECT_EQ(CHOSEN(.comms = NAMES("?c*")), 111);
	EXPECT_EQ(CHOSEN(.comms = NAMES("fifteen-letters")), 1000);
	EXPECT_EQ(CHOSEN(.comms = NAMES("fifteen")), 0);
	EXPECT_EQ(CHOSEN(.comms = NAMES("fifteen-letters-and-more")), 1000);
	EXPECT_EQ(CHOSEN(.comms = NAMES("fifteen-letters-*")), 0);
	EXPECT_EQ(CHOSEN(.comms = NAMES("cc1", "g*")), 111);
	EXPECT_EQ(CHOSEN(.pid = 11), 10);
	EXPECT_EQ(CHOSEN(.tid = 12), 10);
	EXPECT_EQ(CHOSEN(.tid = 11), 0);
	EXPECT_EQ(CHOSEN(.comms = NAMES("cc1"), .pid = 10), 0);
}

static void test_cgroups(void)
{
	EXPECT_EQ(CHOSEN(.cgroups = NAMES("/")), 1111);
	EXPECT_EQ(CHOSEN(.cgroups = NAMES("/build")), 11); /* not /building */
	EXPECT_EQ(CHOSEN(.cgroups = NAMES("/build/")), 11);
	EXPECT_EQ(CHOSEN(.cgroups = NAMES("/build/one/two")), 10);
	EXPECT_EQ(CHOSEN(.containers = NAMES("docker:3f2a1b4c5d6e")), 1000);
	EXPECT_EQ(CHOSEN(.containers = NAMES("3f2a")), 1000);
	EXPECT_EQ(CHOSEN(.containers = NAMES(ID)), 1000);
	EXPECT_EQ(CHOSEN(.containers = NAMES("3f2a1b4c5d6e3")), 1000);
	EXPECT_EQ(CHOSEN(.containers = NAMES("3f2a1b4c5d6e4")), 0);
	EXPECT_EQ(CHOSEN(.containers = NAMES("2a1b")), 0);
	EXPECT_EQ(CHOSEN(.cgroups = NAMES("/building", "/system.slice")), 1100);
	EXPECT_EQ(CHOSEN(.containers = NAMES("docker")), 0);
}

static void test_times(void)
{
	EXPECT_EQ(CHOSEN(.time = "0-1"), 1);
	EXPECT_EQ(CHOSEN(.time = "1-"), 1110);
	EXPECT_EQ(CHOSEN(.time = "-2"), 11);
	EXPECT_EQ(CHOSEN(.time = "3-4"), 0);
	EXPECT_EQ(CHOSEN(.time = "2-5", .comms = NAMES("cc1")), 100);
	EXPECT_EQ(CHOSEN(.from_s = 1), 1110);
	EXPECT_EQ(CHOSEN(.to_s = 2), 11);
	EXPECT_EQ(CHOSEN(.from_s = 0.4, .to_s = 1.6), 11); /* whole slices, by their middle */
	EXPECT_EQ(CHOSEN(.from_s = 0.6, .to_s = 2.4), 10);
	EXPECT_EQ(CHOSEN(.from_s = 2, .comms = NAMES("cc1")), 100);
}

/*
 * The remaining recording begins with its first slice, is as long as its slices, and is no whole
 * run.
 */
static void test_cut(void)
{
	const struct choice choice = {.from_s = 1, .to_s = 3};
	struct recording recording;
	struct error err = {0};

	recording__init(&recording);
	recording.slice_ns = 1000000000;
	recording.start_realtime_ns = 5000;
	recording.duration_ns = 4500000000;
	recording.is_whole_run = true;
	add(&recording, 0, "gcc", 10, 10, "/", 1);
	add(&recording, 2, "cc1", 11, 12, "/", 10);
	add(&recording, 4, "cc1", 11, 12, "/", 100);
	EXPECT_EQ(choose(&recording, &choice, &err), 0);
	EXPECT_EQ(recording.start_realtime_ns, 1000005000);
	EXPECT_EQ(recording.cut_ns, 1000000000);
	EXPECT_EQ(recording.duration_ns, 2000000000);
	EXPECT_EQ(recording.nr_slices, 2);
	EXPECT(!recording.is_whole_run);
	EXPECT(!recording.slices[0]);
	EXPECT_EQ(profile__total(recording.slices[1], VALUE_COUNT), 10);
	recording__fini(&recording);
}

/* The end of a recording is no slice if it is short and has no samples, but is there. */
static void test_cut_to_end(void)
{
	const struct choice choice = {.from_s = 2};
	struct recording recording;
	struct error err = {0};

	recording__init(&recording);
	recording.slice_ns = 1000000000;
	recording.duration_ns = 5400000000;
	add(&recording, 4, "cc1", 11, 12, "/", 100);
	EXPECT_EQ(choose(&recording, &choice, &err), 0);
	EXPECT_EQ(recording.nr_slices, 3);
	EXPECT_EQ(recording.duration_ns, 3400000000);
	recording__fini(&recording);
}

/* The choice has no time: the recording stays as it was. */
static void test_no_cut(void)
{
	const struct choice choice = {.comms = NAMES("cc1")};
	struct recording recording;
	struct error err = {0};

	recording__init(&recording);
	recording.duration_ns = 4500000000;
	recording.is_whole_run = true;
	EXPECT_EQ(choose(&recording, &choice, &err), 0);
	EXPECT_EQ(recording.duration_ns, 4500000000);
	EXPECT(recording.is_whole_run);
	recording__fini(&recording);
}

static void expect_refused(const struct choice *choice, const char *why)
{
	struct recording recording;
	struct error err = {0};

	recording__init(&recording);
	recording.slice_ns = 1000000000;
	recording.duration_ns = 2000000000;
	add(&recording, 0, "gcc", 10, 10, "/", 1);
	EXPECT_EQ(choose(&recording, choice, &err), -EINVAL);
	EXPECT(strstr(err.text, why));
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 1);
	recording__fini(&recording);
}

static void test_bad_cuts(void)
{
	expect_refused(&(struct choice){.from_s = 2, .to_s = 1},
		       "is not before --to 1 s; exchange them");
	expect_refused(&(struct choice){.from_s = 1, .to_s = 1},
		       "is not before --to 1 s; name a later end");
	expect_refused(&(struct choice){.from_s = 2}, "the recording is 2 s long");
	expect_refused(&(struct choice){.from_s = 0.6, .to_s = 1.4}, "slices are 1 s long");
	expect_refused(&(struct choice){.time = "0.6-1.4"}, "slices are 1 s long");
	expect_refused(&(struct choice){.time = "0-1", .to_s = 1}, "leave it out");
}

static void test_no_times(void)
{
	static const char *const wrong[] = {"",	   "-",	  "5",	   "2-1", "1-1",
					    "x-2", "1-x", "1-2-3", "nan-"};

	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
		struct recording recording;
		struct error err = {0};

		recording__init(&recording);
		EXPECT_EQ(choose(&recording, &(struct choice){.time = wrong[i]}, &err), -EINVAL);
		EXPECT(strstr(err.text, "is no time"));
		EXPECT_EQ(choose(&recording, &(struct choice){.time = "1-2"}, &err), -EINVAL);
		EXPECT(strstr(err.text, "no intervals"));
		recording__fini(&recording);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"by owner", test_owners},
		{"by cgroup and container", test_cgroups},
		{"by time", test_times},
		{"what is no time", test_no_times},
		{"what a cut leaves", test_cut},
		{"cut to the end", test_cut_to_end},
		{"no cut", test_no_cut},
		{"bad cuts", test_bad_cuts},
		{0},
	};

	return run_tests("choice", tests);
}
