// SPDX-License-Identifier: GPL-2.0-only
/*
 * People read waits in a block, which is right to the byte, and the account of time in the header.
 */
#include <stdlib.h>

#include "expect.h"
#include "views/summary.h"
#include "views/views.h"
#include "waits_model.h"

#define MAX_TEXT (1 << 16)

static char text[MAX_TEXT];

#define BLOCKED(kind) WAIT(WAIT_INTERRUPTIBLE, kind)

/* 10 s of three threads: one waits for work, one has it, and one was preempted. */
static struct model example(void)
{
	struct model model = waits__new();

	add_wait(&model, 1, BLOCKED(WAIT_FOR_POLL), 2, 10000 * MS, "poll@c main@s");
	add_wait(&model, 1, WAIT(WAIT_DISK, WAIT_FOR_DISK), 400, 6000 * MS, "read@c main@s");
	add_wait(&model, 1, WAIT(WAIT_WOKEN, WAIT_FOR_DISK), 0, 1000 * MS, "read@c main@s");
	add_wait(&model, 1, BLOCKED(WAIT_FOR_OTHER), 0, 2000 * MS, "ioctl@c main@s");
	add_wait(&model, 1, WAIT(WAIT_PREEMPTED, 0), 40, 1000 * MS, "work@s main@s");
	return model;
}

static struct recording recording_of(const struct model *model)
{
	return (struct recording){
		.profile = model->profile,
		.has_ledger = true,
		.facts = {[FACT_EVENT] = "off-cpu", [FACT_TARGET] = "server (pid 1)"},
		.nr_cpus = 2,
		.duration_ns = 10000 * MS,
		.ledger = {.events = 450,
			   .counted = 450,
			   .whole = 450,
			   .wall_ns = 30000 * MS,
			   .running_ns = 8000 * MS,
			   .runnable_ns = 2000 * MS,
			   .blocked_ns = 20000 * MS,
			   .scheduled_ns = 8010 * MS,
			   .delayed_ns = 2000 * MS,
			   .switches = 450,
			   .asleep = 3,
			   .asleep_walked = 2},
	};
}

static const char *block(const struct recording *recording, const struct view_options *options)
{
	FILE *out = fmemopen(text, MAX_TEXT, "w");

	EXPECT_EQ(view__write_block(out, recording, options), 0);
	fputc('\0', out);
	fclose(out);
	return text;
}

#define STACKS_BELOW                                              \
	" 35.0   7 s    400  17.5 ms    1 s  disk       server\n" \
	"        read (c)\n"                                      \
	"        main (s)\n"                                      \
	"\n"                                                      \
	" 10.0   2 s      0                  other      server\n" \
	"        ioctl (c)\n"                                     \
	"        main (s)\n"                                      \
	"\n"                                                      \
	"  5.0   1 s     40    25 ms         preempted  server\n" \
	"        work (s)\n"                                      \
	"        main (s)\n"                                      \
	"\n"

#define HEADING "    %  TIME  WAITS  AVERAGE  WOKEN  WAIT       COMMAND  STACK, leaf ← callers\n"

static void test_block(void)
{
	const struct view_options options = {.errors = ERRORS_NEVER, .nr_rows = 20};
	struct model model = example();
	struct recording recording = recording_of(&model);

	EXPECT_STR(
		block(&recording, &options),
		"topstacks  10 s of server (pid 1)\n"
		"waits      450, 20 s of threads\n"
		"stacks     100.0 % whole\n"
		"ledger     450 events = 450 counted + 0 idle + 0 filtered + 0 lost\n"
		"wall       30 s of threads = 8 s running + 2 s runnable + 20 s blocked + 0 s "
		"unknown\n"
		"scheduler  8.01 s ran, 2 s waited to run; agrees within 0.5 % and 10 us a switch "
		"(450)\n"
		"asleep     3 threads before sampling began, 2 of them with their stacks\n"
		"kinds      10.5 % of the time is of waits of no known kind\n"
		"\n" HEADING
		" 50.0  10 s      2      5 s         poll       waiting for work, in 1 stack: "
		"--all-waits shows it\n"
		"\n" STACKS_BELOW "SELF %  TOTAL %  FUNCTION\n"
		"  50.0     50.0  poll (c)\n"
		"  35.0     35.0  read (c)\n"
		"  10.0     10.0  ioctl (c)\n"
		"   5.0      5.0  work (s)\n"
		"   0.0    100.0  main (s)\n"
		"\n");
	model__free(&model);
}

static void test_all_waits(void)
{
	const struct view_options options = {
		.errors = ERRORS_NEVER, .nr_rows = 20, .all_waits = true};
	struct model model = example();
	struct recording recording = recording_of(&model);

	EXPECT(strstr(block(&recording, &options),
		      HEADING " 50.0  10 s      2      5 s         poll       server\n"
			      "        poll (c)\n"
			      "        main (s)\n"
			      "\n" STACKS_BELOW));
	model__free(&model);
}

/* Rows by kind of wait: the time of waiting for a CPU after it is told apart. */
static void test_groups(void)
{
	const struct view_options options = {.errors = ERRORS_NEVER, .nr_rows = 20};
	struct model model = example();
	struct recording recording = recording_of(&model);
	struct group_row *groups;
	const long nr = profile__group(model.profile, GROUP_BY_WAIT, SORT_BY_SELF, &groups);
	FILE *out = fmemopen(text, MAX_TEXT, "w");

	EXPECT_EQ(view__write_groups(out, &recording, &options, groups, (size_t)nr, "WAIT"), 0);
	fputc('\0', out);
	fclose(out);
	free(groups);
	EXPECT_STR(text, "SELF %  TOTAL %     SELF    TOTAL    WOKEN  WAIT\n"
			 "  50.0     50.0     10 s     10 s           poll\n"
			 "  35.0     35.0      7 s      7 s      1 s  disk\n"
			 "  10.0     10.0      2 s      2 s           other\n"
			 "   5.0      5.0      1 s      1 s           preempted\n");
	model__free(&model);
}

/* A limit concerns only rows. */
static void test_only_idle(void)
{
	const struct view_options options = {
		.errors = ERRORS_NEVER, .nr_rows = 20, .percent_limit = 60};
	struct model model = example();
	struct recording recording = recording_of(&model);

	EXPECT(strstr(block(&recording, &options), "poll  waiting for work, in 1 stack"));
	EXPECT(!strstr(text, "        read (c)"));
	model__free(&model);
}

/* Where none is large enough for a row, they are still told of. */
static void test_only_small(void)
{
	const struct view_options options = {
		.errors = ERRORS_NEVER, .nr_rows = 20, .percent_limit = 60, .all_waits = true};
	struct model model = example();
	struct recording recording = recording_of(&model);

	EXPECT(strstr(block(&recording, &options), "100.0  20 s  4 more stacks\n"));
	model__free(&model);
}

/* Running and waiting in one picture: of samples of a clock there is no average. */
static void test_wall(void)
{
	struct metrics metrics = cpu_metrics;
	const struct view_options options = {.errors = ERRORS_NEVER, .nr_rows = 20};
	struct model model = waits__new();
	struct recording recording;

	metrics.of[VALUE_WEIGHT] = (struct metric){.name = "wall", .unit = "nanoseconds"};
	metrics.shown = VALUE_WEIGHT;
	profile__set_metrics(model.profile, &metrics);
	add_wait(&model, 1, WAIT(WAIT_RUNNING, 0), 3, 30 * MS, "work@s main@s");
	add_wait(&model, 1, BLOCKED(WAIT_FOR_NET), 1, 10 * MS, "read@c main@s");
	recording = recording_of(&model);
	EXPECT(strstr(block(&recording, &options), "    %   wall  WAIT     COMMAND"));
	EXPECT(strstr(text, " 75.0  30 ms  running  server\n"));
	EXPECT(strstr(text, " 25.0  10 ms  net      server\n"));
	model__free(&model);
}

/* ---- the account of time ---- */

static const struct summary_row *find_row(const struct summary *summary, const char *label)
{
	for (size_t i = 0; i < summary->nr_rows; i++)
		if (!strcmp(summary->rows[i].label, label))
			return &summary->rows[i];
	return NULL;
}

static struct summary summary;

/* The row of that label, or NULL. */
static const struct summary_row *told(const struct ledger *ledger, const char *label)
{
	struct model model = example();
	struct recording recording = recording_of(&model);
	const struct summary_row *row;

	recording.ledger = *ledger;
	summary__init(&summary, &recording, NULL);
	row = find_row(&summary, label); /* some labels are the model's */
	model__free(&model);
	return row;
}

static struct ledger good_ledger(void)
{
	struct model model = example();
	const struct ledger ledger = recording_of(&model).ledger;

	model__free(&model);
	return ledger;
}

static void test_alarms(void)
{
	struct ledger ledger = good_ledger();

	EXPECT_EQ(told(&ledger, "wall")->style, STYLE_PLAIN);
	EXPECT_EQ(told(&ledger, "scheduler")->style, STYLE_PLAIN);
	EXPECT(!told(&ledger, "LOST"));
	ledger.running_ns++;
	EXPECT_EQ(told(&ledger, "wall")->style, STYLE_ALARM);
	EXPECT(strstr(told(&ledger, "wall")->text, "OFF BY -1 ns"));
	EXPECT_EQ(told(&ledger, "scheduler")->style, STYLE_PLAIN);
	ledger.scheduled_ns = 8060 * MS;
	EXPECT_EQ(told(&ledger, "scheduler")->style, STYLE_ALARM);
	EXPECT_EQ(told(&ledger, "scheduler")->importance, IMPORTANCE_ALARM);
	EXPECT(strstr(told(&ledger, "scheduler")->text, "DIFFERS"));
	ledger.overcredited_ns = 80 * MS;
	ledger.uncredited_ns = 20 * MS;
	EXPECT_EQ(told(&ledger, "scheduler")->style, STYLE_PLAIN);
	EXPECT_STR(told(&ledger, "scheduler")->text,
		   "8.06 s ran + 20 ms uncredited - 80 ms of others, 2 s waited to run; "
		   "agrees within 0.5 % and 10 us a switch (450)");
}

static void test_lost_time(void)
{
	struct ledger ledger = good_ledger();

	ledger.unplaced_ns = 1200 * MS;
	EXPECT_STR(told(&ledger, "LOST")->text,
		   "1.2 s of waits in no sample, since the maps were full: raise --max-memory");
	EXPECT_EQ(told(&ledger, "LOST")->style, STYLE_ALARM);
	ledger.unplaced_ns = 0;
	ledger.unknown_ns = 300 * MS; /* a hundredth */
	EXPECT(!told(&ledger, "LOST"));
	ledger.unknown_ns = 301 * MS;
	EXPECT(strstr(told(&ledger, "LOST")->text, "301 ms of threads unknown: they began "));
}

static void test_no_account(void)
{
	const struct ledger ledger = {.events = 1, .counted = 1, .whole = 1};

	EXPECT(!told(&ledger, "wall"));
	EXPECT(!told(&ledger, "scheduler"));
	EXPECT(!told(&ledger, "asleep"));
}

/* Any event of a run may have the account. */
static void test_several_events(void)
{
	struct model model = example(), cpu = model__new();
	struct recording waits = recording_of(&model), first = {.profile = cpu.profile};

	first.more = &waits;
	first.has_ledger = true;
	summary__init(&summary, &first, NULL);
	EXPECT(find_row(&summary, "wall"));
	model__free(&model);
	model__free(&cpu);
}

/* The live view has this row below its brief lines. */
static void test_live(void)
{
	const struct ledger ledger = good_ledger();

	EXPECT(told(&ledger, "wall"));
	summary__cut(&summary, IMPORTANCE_NEEDED, 4);
	EXPECT_EQ(summary.nr_rows, 1);
	EXPECT_STR(summary.rows[0].about, "wall ");
}

int main(void)
{
	static const struct test tests[] = {
		{"a block of waits", test_block},
		{"rows of all waits", test_all_waits},
		{"by what was waited for", test_groups},
		{"where all else is below the limit", test_only_idle},
		{"only small ones", test_only_small},
		{"wall time", test_wall},
		{"accounts that differ are alarming", test_alarms},
		{"time that is lost has a remedy", test_lost_time},
		{"without an account", test_no_account},
		{"of several events", test_several_events},
		{"in the live view", test_live},
		{0},
	};

	return run_tests("wait_views", tests);
}
