// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of waits: labels hold the wait of each sample, and are read back; nonsense in them is not.
 */
#include <string.h>

#include "events_model.h"
#include "expect.h"
#include "formats/formats.h"
#include "formats/gzip.h"
#include "waiting_model.h"

/* Returns the inflated file of the recording; free() it. */
static char *write_plain(const struct recording *recording, size_t *nr_bytes)
{
	static const struct write_options plain;
	char *bytes, *inflated = NULL;
	size_t nr;
	FILE *out = open_memstream(&bytes, &nr);

	EXPECT_EQ(pprof__write(out, recording, &plain), 0);
	fclose(out);
	EXPECT_EQ(gzip__inflate(bytes, nr, 1 << 20, &inflated, nr_bytes, NULL), 0);
	free(bytes);
	return inflated;
}

static struct recording read_bytes(const char *bytes, size_t nr_bytes, const char *type)
{
	const struct read_options options = {.sample_type = type};
	struct recording again;

	EXPECT_EQ(formats__read(&again, bytes, nr_bytes, &options, NULL), 0);
	return again;
}

static struct recording read_again(const struct recording *recording, const char *type)
{
	size_t nr_bytes;
	char *bytes = write_plain(recording, &nr_bytes);
	struct recording again = read_bytes(bytes, nr_bytes, type);

	free(bytes);
	return again;
}

static void expect_server(const struct profile *profile, uint64_t times)
{
	EXPECT_EQ(ns_of_wait(profile, NET_WAIT), times * 400000000);
	EXPECT_EQ(ns_of_wait(profile, LOCK_WAIT), times * 300000000);
	EXPECT_EQ(ns_of_wait(profile, LOCK_WOKEN), times * 200000000);
	EXPECT_EQ(ns_of_wait(profile, DISK_WAIT), times * 40000000);
	EXPECT_EQ(ns_of_wait(profile, PREEMPTED), times * 50000000);
	EXPECT_EQ(ns_of_wait(profile, STOPPED), times * 10000000);
	EXPECT_EQ(profile__total(profile, VALUE_WEIGHT), times * 1000000000);
	EXPECT_EQ(profile__total(profile, VALUE_COUNT), times * 18);
}

static void test_read_back(void)
{
	struct recording recording = waiting_recording(), again = read_again(&recording, NULL);
	size_t nr;

	expect_server(again.profile, 1);
	profile__samples(again.profile, &nr);
	EXPECT_EQ(nr, 6);
	EXPECT_EQ(profile__metrics(again.profile)->shown, VALUE_WEIGHT);
	for (int value = 0; value < VALUES; value++)
		EXPECT(metric__equal(&profile__metrics(again.profile)->of[value],
				     &waits_metrics.of[value]));
	EXPECT(!again.left_out);
	recording__fini(&again);
	recording__fini(&recording);
}

static void test_chosen(void)
{
	static const struct {
		const char *wanted;
		enum value shown;
	} choices[] = {
		{"waits", VALUE_COUNT}, {"off_cpu", VALUE_WEIGHT}, {"off-cpu", VALUE_WEIGHT}};
	struct recording recording = waiting_recording();

	for (size_t i = 0; i < sizeof(choices) / sizeof(choices[0]); i++) {
		struct recording again = read_again(&recording, choices[i].wanted);

		EXPECT_EQ(profile__metrics(again.profile)->shown, choices[i].shown);
		expect_server(again.profile, 1);
		recording__fini(&again);
	}
	recording__fini(&recording);
}

/* A file has no headings of its own: those of a live picture are ours to know. */
static void test_headings(void)
{
	struct recording recording = waiting_recording(), again = read_again(&recording, NULL);
	const struct metrics *metrics = profile__metrics(again.profile);

	EXPECT_STR(metric__heading(&metrics->of[VALUE_COUNT], 7), "WAITS");
	EXPECT_STR(metric__heading(&metrics->of[VALUE_WEIGHT], 7), "TIME");
	EXPECT_STR(metric__title(&metrics->of[VALUE_WEIGHT]), "Time off the CPU");
	recording__fini(&again);
	recording__fini(&recording);
}

/* Two files added up, into another dictionary. */
static void test_merged(void)
{
	struct recording recording = waiting_recording(), again = read_again(&recording, NULL);

	EXPECT_EQ(profile__merge(again.profile, recording.profile), 0);
	expect_server(again.profile, 2);
	recording__fini(&again);
	recording__fini(&recording);
}

/* The events of a run on the CPU and off it, at the same stacks, keep their own samples. */
static void test_beside_cpu(void)
{
	struct recording recording, again;
	struct model model;

	recording__init(&recording);
	add_event(&recording, "cpu-clock", &cpu_metrics, 10);
	add_event(&recording, "off-cpu", &waits_metrics, 0);
	profile__clear(recording.more->profile);
	model = (struct model){profile__dictionary(recording.profile), recording.more->profile};
	add_server(&model);
	model.profile = recording.profile;
	add(&model, "server", 42, 5, "parse@server main@server");
	for (int turned = 0; turned < 2; turned++) {
		const struct recording *cpu = turned ? again.more : &again;

		again = read_again(&recording, turned ? "off-cpu" : NULL);
		cpu = turned ? again.more : &again;
		EXPECT_EQ(recording__nr_events(&again), 2);
		EXPECT_EQ(profile__total(cpu->profile, VALUE_COUNT), 16);
		EXPECT_EQ(ns_of_wait(cpu->profile, 0), 160000000);
		expect_server(turned ? again.profile : again.more->profile, 1);
		recording__fini(&again);
	}
	recording__fini(&recording);
}

/* All pairs of state and kind are tried, since files have words for them, and not our numbers. */
static void test_all_waits(void)
{
	struct recording recording = waiting_recording(), again;
	struct model model = {profile__dictionary(recording.profile), recording.profile};
	uint64_t ns = 1;

	profile__clear(recording.profile);
	for (uint32_t state = 1; state < WAIT_STATES; state++)
		for (uint32_t kind = 0; kind < WAIT_KINDS; kind++)
			add_waiting(&model, "server", WAIT(state, kind), 1, ns++, "f@server");
	again = read_again(&recording, NULL);
	ns = 1;
	for (uint32_t state = 1; state < WAIT_STATES; state++)
		for (uint32_t kind = 0; kind < WAIT_KINDS; kind++)
			EXPECT_EQ(ns_of_wait(again.profile, WAIT(state, kind)), ns++);
	recording__fini(&again);
	recording__fini(&recording);
}

static void replace(char *bytes, size_t nr_bytes, const char *word, const char *other)
{
	char *at = memmem(bytes, nr_bytes, word, strlen(word));

	EXPECT(at && strlen(word) == strlen(other));
	memcpy(at, other, strlen(other));
}

/* Words that mean nothing are of others; what is told beside them still holds. */
static void test_nonsense(void)
{
	struct recording recording = waiting_recording(), again;
	size_t nr_bytes;
	char *bytes = write_plain(&recording, &nr_bytes);

	replace(bytes, nr_bytes, "woken", "WOKEN");
	replace(bytes, nr_bytes, "net", "\x1b[m");
	again = read_bytes(bytes, nr_bytes, NULL);
	EXPECT_EQ(ns_of_wait(again.profile, 0), 200000000); /* no state: no wait */
	EXPECT_EQ(ns_of_wait(again.profile, WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_NOTHING)), 400000000);
	EXPECT_EQ(ns_of_wait(again.profile, LOCK_WAIT), 300000000);
	EXPECT_EQ(profile__total(again.profile, VALUE_WEIGHT), 1000000000);
	recording__fini(&again);
	free(bytes);
	recording__fini(&recording);
}

/* The account of wall time is kept, and added up. */
static void test_wall(void)
{
	struct recording recording = waiting_recording(), again;
	struct ledger *ledger = &recording.ledger;

	ledger->wall_ns = 1100;
	ledger->running_ns = 100;
	ledger->runnable_ns = 250;
	ledger->blocked_ns = 740;
	ledger->unknown_ns = 10;
	ledger->unplaced_ns = 3;
	ledger->scheduled_ns = 101;
	ledger->delayed_ns = 251;
	ledger->uncredited_ns = 20;
	ledger->overcredited_ns = 19;
	ledger->switches = 18;
	ledger->asleep = 4;
	ledger->asleep_walked = 3;
	again = read_again(&recording, NULL);
	EXPECT(!memcmp(&again.ledger, ledger, sizeof(*ledger)));
	EXPECT_EQ(ledger__wall_error_ns(&again.ledger), 0);
	ledger__add(&again.ledger, ledger);
	EXPECT_EQ(again.ledger.wall_ns, 2200);
	EXPECT_EQ(again.ledger.asleep_walked, 6);
	EXPECT_EQ(ledger__wall_error_ns(&again.ledger), 0);
	recording__fini(&again);
	recording__fini(&recording);
}

/* Facts that older files lack are not made up. */
static void test_no_wall(void)
{
	struct recording recording = waiting_recording(), again = read_again(&recording, NULL);
	char line[200];

	EXPECT(again.has_ledger);
	EXPECT(!ledger__has_wall(&again.ledger));
	EXPECT_EQ(ledger__wall_line(&again.ledger, line, sizeof(line)), 0);
	recording__fini(&again);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"written and read", test_read_back},
		{"which is shown", test_chosen},
		{"headings", test_headings},
		{"added up", test_merged},
		{"beside CPU time", test_beside_cpu},
		{"all states and kinds", test_all_waits},
		{"words without meaning", test_nonsense},
		{"the account of wall time", test_wall},
		{"no such account", test_no_wall},
		{0},
	};

	return run_tests("pprof of waits", tests);
}
