// SPDX-License-Identifier: GPL-2.0-only
/* Losses are told: of counted events, of several events, and of time that others took. */
#include "events_model.h"
#include "views/events.h"
#include "views/summary.h"
#include "views/views.h"

static char text[1 << 16];

static struct recording interval_of(const struct model *model)
{
	const uint64_t counted = profile__total(model->profile, VALUE_COUNT);

	return (struct recording){
		.profile = model->profile,
		.ledger = {.events = counted, .counted = counted, .whole = counted},
		.has_ledger = true,
		.duration_ns = 5000000000,
		.nr_cpus = 2,
	};
}

static const char *block(const struct recording *interval)
{
	static const struct view_options options = {.merge = MERGE_BY_COMM, .nr_rows = 20};
	FILE *out = fmemopen(text, sizeof(text), "w");

	EXPECT_EQ(view__write_block(out, interval, &options), 0);
	fputc('\0', out);
	fclose(out);
	return text;
}

/* The target has 2 of 100 lost samples, if it lost as many as others: a hundredth of its own. */
static void test_part_of_target(void)
{
	struct model model = model__new();
	struct recording interval = interval_of(&model);

	profile__set_metrics(model.profile, &fault_metrics);
	interval.facts[FACT_EVENT] = "page-faults";
	interval.asked_hz = 0;
	interval.ledger = (struct ledger){.events = 10100,
					  .counted = 200,
					  .filtered = 9800,
					  .lost = {[LOSS_PROGRAM_BUSY] = 100},
					  .ran_unmeasured = true};
	EXPECT(strstr(block(&interval),
		      "LOST       100 samples lost, perhaps of other processes "
		      "(2 of them the target's, by its part of all), program_busy"));
	EXPECT(event__lost_little(&interval));
	interval.ledger.lost[LOSS_PROGRAM_BUSY] = 125;
	EXPECT(!event__lost_little(&interval)); /* 3 of 200 */
	interval.ledger.lost[LOSS_PROGRAM_BUSY] = 20;
	EXPECT(strstr(block(&interval), "(none of them the target's, by its part of all)"));
	interval.ledger.lost[LOSS_COUNTS_FULL] = 1; /* which is the target's */
	EXPECT(!event__lost_little(&interval));
	model__free(&model);
}

/* 548,508 samples were filtered, 2 lost, and none counted: the owners of the two are unknown. */
static struct recording idle_target(const struct model *model)
{
	struct recording interval = interval_of(model);

	profile__set_metrics(model->profile, &fault_metrics);
	interval.facts[FACT_EVENT] = "page-faults";
	interval.asked_hz = 0;
	interval.ledger = (struct ledger){.events = 548510,
					  .filtered = 548508,
					  .lost = {[LOSS_PROGRAM_BUSY] = 2},
					  .ran_unmeasured = true};
	return interval;
}

static void test_lost_of_others(void)
{
	struct model model = model__new();
	struct recording interval = idle_target(&model);

	EXPECT(strstr(block(&interval),
		      "\nno samples: the target had no such event that is known of; 2 were lost, "
		      "perhaps of other processes\n") != NULL);
	interval.ledger.lost[LOSS_PROGRAM_BUSY] = 1;
	EXPECT(strstr(block(&interval), "known of; 1 was lost, ") != NULL);
	/* One that had no room was of the target. */
	interval.ledger.lost[LOSS_COUNTS_FULL] = 1;
	EXPECT(strstr(block(&interval), "\nno samples: all were lost\n") != NULL);
	interval.ledger.lost[LOSS_COUNTS_FULL] = 0;
	interval.whole_system = true;
	EXPECT(strstr(block(&interval), "\nno samples: all were lost\n") != NULL);
	interval.ledger.lost[LOSS_PROGRAM_BUSY] = 0;
	EXPECT(strstr(block(&interval), "\nno samples: the target had no such event\n") != NULL);
	model__free(&model);
}

/*
 * A few bytes are no sample, by chance; and without live blocks the event may have happened all the
 * same.
 */
static void test_no_blocks(void)
{
	struct model model = model__new();
	struct recording interval = idle_target(&model);

	interval.ledger = (struct ledger){.allocated = 80000, .ran_unmeasured = true};
	interval.period = 512 << 10;
	profile__set_metrics(model.profile, &metrics__alloc);
	EXPECT(strstr(block(&interval), "\nno samples: 80 kB were allocated, and one is due every "
					"524 kB; lower --alloc-every") != NULL);
	interval.ledger.allocated = 0;
	EXPECT(strstr(block(&interval), "\nno samples: the target had no such event\n") != NULL);
	profile__set_metrics(model.profile, &metrics__live);
	EXPECT(strstr(block(&interval), "\nno samples: nothing that was sampled is still "
					"allocated\n") != NULL);
	model__free(&model);
}

static const char *brief(const struct recording *interval)
{
	static char line[512];
	struct phrases phrases = {0};
	size_t used = 0;

	summary__brief_samples(&phrases, interval, 1);
	for (size_t i = 0; i < phrases.nr && used < sizeof(line); i++)
		used += (size_t)snprintf(line + used, sizeof(line) - used, "%s%s",
					 phrases.of[i].before, phrases.of[i].text);
	return line;
}

static void test_brief_losses(void)
{
	struct model model = model__new();
	struct recording interval = idle_target(&model);

	EXPECT(strstr(brief(&interval), "0 page-faults, 2 lost, perhaps of others, 100.0 % "
					"accounted for") != NULL);
	interval.ledger.filtered = interval.ledger.events = 0;
	interval.ledger.lost[LOSS_PROGRAM_BUSY] = 0;
	EXPECT(strstr(brief(&interval), "0 page-faults, 0 lost; cost") != NULL);
	model__free(&model);
}

/*
 * 1 s of 10 s of CPU time is sampled: 800 of the 900 missing samples at 100 Hz ran into programs.
 */
static void test_kept_out(void)
{
	struct model model = model__new();
	struct recording interval;

	add(&model, "dd", 1, 100, "read@dd main@dd");
	interval = interval_of(&model);
	interval.asked_hz = 100;
	interval.ledger.sampled_ns = 1000000000;
	interval.ledger.ran_ns = 10000000000;
	interval.ledger.lost[LOSS_PROGRAM_BUSY] = 800;
	EXPECT(strstr(block(&interval),
		      "\n           low: 800 samples fell into the programs of other events\n") !=
	       NULL);
	interval.ledger.lost[LOSS_PROGRAM_BUSY] = 449; /* less than half of it */
	EXPECT(strstr(block(&interval), "low: timers late, ") != NULL);
	interval.ledger.lost[LOSS_PROGRAM_BUSY] = 450;
	EXPECT(strstr(block(&interval), "low: 450 samples fell into ") != NULL);
	model__free(&model);
}

/* Each event's losses have its name, and losses common to both are told once. */
static void test_losses_of_each(void)
{
	struct recording recording = two_events(60, 40, true);
	struct recording *clock = recording.more;

	recording.asked_hz = 0;
	recording.ledger.records_lost = clock->ledger.records_lost = 7;
	clock->asked_hz = 99;
	clock->ledger.lost[LOSS_COUNTS_FULL] = 5;
	clock->ledger.events += 5;
	clock->ledger.whole = clock->ledger.counted;
	clock->ledger.sampled_ns = 900000000;
	clock->ledger.ran_ns = 1000000000;
	EXPECT(strstr(block(&recording),
		      "\nLOST       cpu-clock: 5 samples lost, counts_full: raise --max-memory or "
		      "lower -F\nLOST       7 records of mappings lost: ") != NULL);
	EXPECT(!strstr(strstr(text, "7 records") + 1, "7 records"));
	EXPECT(strstr(text, " 5 lost (5 counts_full); coverage 90.0 %\n") != NULL);
	/* Hits of events that share a program are told once, whichever event is shown. */
	clock->ledger.kept_out = 140;
	EXPECT(strstr(block(&recording), "\nLOST       140 hits of several events kept out: ") !=
	       NULL);
	EXPECT(strstr(text, "; of this and other events 140 hits were kept out, ") != NULL);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"losses that may be others'", test_lost_of_others},
		{"how many of them would be the target's", test_part_of_target},
		{"no blocks", test_no_blocks},
		{"the same, in brief", test_brief_losses},
		{"coverage that other events took", test_kept_out},
		{"losses of each event", test_losses_of_each},
		{0},
	};

	return run_tests("losses", tests);
}
