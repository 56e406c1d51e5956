// SPDX-License-Identifier: GPL-2.0-only
/* Keys change the screen, which is read as a person would. */
#include "desk.h"
#include "events_model.h"
#include "views/summary.h"

static void give_redis(struct desk *desk, uint64_t lost)
{
	struct model model = model__new();

	add(&model, "redis", 1, 60, "copy@[kernel] write@libc send@redis main@redis");
	add(&model, "redis", 1, 30, "send@redis main@redis");
	add(&model, "cron", 2, 10, "main@cron");
	give_events(&desk->live, &model, lost);
}

static void test_screen(void)
{
	struct desk desk = begin(24, 80);

	EXPECT(shows(&desk, "the first picture comes after 0.8 s"));
	give_redis(&desk, 0);
	give_redis(&desk, 0);
	EXPECT_STR(
		screen(&desk),
		"topstacks  redis (pid 1)                                    interval 2, 12:34:56\n"
		"cpu-clock  98.9 Hz (asked 99) on 2 CPUs, every 5 s, running for 12 s\n"
		"100 samples, 0 lost, 100.0 % whole, 100.0 % covered; cost 0.10 % CPU, 12.3 MB\n"
		" 1 Stacks  2 Functions  3 Tree  4 Processes  5 Modules  6 Flames\n"
		"     %  SAMPLES  CHANGE  PAST    COMMAND  STACK, leaf ← callers\n"
		"  60.0       60       ·      ██  redis    copy [k] ← write ← send ← main\n"
		"  30.0       30       ·      ██  redis    send ← main\n"
		"  10.0       10       ·      ██  cron     main\n"
		"\n\n\n\n\n\n\n\n\n"
		"  60.0 %  redis\n"
		"  copy [k]\n"
		"  write (libc)\n"
		"  send (redis)\n"
		"  main (redis)\n"
		"\n"
		"? help  q quit  Enter stack  / filter  Space freeze  [ ] step  c compare\n");
	EXPECT(canvas__cell(&desk.canvas, 5, 40)->is_marked);
	end(&desk);
}

static void test_losses(void)
{
	struct desk desk = begin(24, 80);

	give_redis(&desk, 12);
	EXPECT(shows(&desk, "100 samples, 12 lost"));
	EXPECT(shows(&desk, "\n12 samples lost, throttled: "));
	end(&desk);
}

/* Where the programs were timed, the screen has the time of a run, and the parts of our own CPU. */
static void test_stats(void)
{
	struct desk desk = begin(24, 80);
	struct model model = model__new();
	struct recording interval = interval_of(&model, 12);

	interval.cost.program_runs = 1000;
	interval.cost.program_ns = 1300000;
	interval.cost.drain_ns = 800000;
	interval.cost.symbols_ns = 107600000;
	interval.cost.display_ns = 200000;
	interval.ledger.flip_ns = 24000;
	interval.ledger.grace_ns = 22000;
	give_interval(&desk.live, &model, &interval);
	EXPECT(shows(&desk, "\ndrain 800 us, symbols 108 ms, display 200 us; a run 1.3 us, a flip "
			    "24 us, grace…\n12 samples lost, throttled: "));
	EXPECT_EQ(canvas__resize(&desk.canvas, 15, 60), 0);
	EXPECT(shows(&desk, "\ndrain 800 us, symbols 108 ms, display 200 us; a run 1.3 us,…\n"));
	EXPECT_EQ(canvas__resize(&desk.canvas, 9, 60), 0);
	EXPECT(!shows(&desk, "drain"));
	give_redis(&desk, 0);
	EXPECT_EQ(canvas__resize(&desk.canvas, 24, 80), 0);
	EXPECT(!shows(&desk, "drain"));
	end(&desk);
}

static void test_silence(void)
{
	struct desk desk = begin(24, 80);
	struct model model = model__new();
	struct recording interval = interval_of(&model, 0);

	interval.ledger.sampled_ns = interval.ledger.ran_ns = 0;
	give_interval(&desk.live, &model, &interval);
	EXPECT(shows(&desk, "  no samples: the target did not run\n"));
	model = model__new();
	interval.profile = model.profile;
	interval.ledger.ran_unmeasured = true;
	give_interval(&desk.live, &model, &interval);
	EXPECT(shows(&desk,
		     "  no samples: the target did not run on the CPUs of -C, or too briefly\n"));
	for (int i = 0; i < 2; i++) {
		model = model__new();
		interval.profile = model.profile;
		interval.ledger.ran_unmeasured = i;
		interval.ledger.lost[LOSS_NO_SET] = 5;
		give_interval(&desk.live, &model, &interval);
		EXPECT(shows(&desk, "  no samples: all were lost\n"));
	}
	end(&desk);
}

/* The live view tells alarming facts in the words of the text, and the rest in brief. */
static void test_same_facts(void)
{
	struct desk desk = begin(50, 200);
	struct model model = model__new();
	struct recording interval = interval_of(&model, 7);
	struct summary summary;

	add(&model, "redis", 1, 100, "f@libc g@");
	interval.ledger.events = 110;
	interval.ledger.counted = 100;
	interval.ledger.whole = 40;
	interval.ledger.cut[CUT_DEPTH] = 30;
	interval.ledger.missing[MISSING_SPILL_FULL] = 20;
	interval.ledger.unverified = 10;
	interval.ledger.sampled_ns = interval.ledger.ran_ns / 2;
	interval.ledger.due = 200;
	interval.ledger.late = 20;
	interval.cost.kernel_bytes = 8240000;
	interval.facts[FACT_UNWINDING] = "unwind tables";
	interval.quality = (struct quality){.frames = 100, .unresolved = 3, .samples = 100};
	summary__init(&summary, &interval, NULL);
	give_interval(&desk.live, &model, &interval);
	for (size_t i = 0; i < summary.nr_rows; i++) {
		const struct summary_row *row = &summary.rows[i];

		if (!row->is_brief)
			EXPECT_EQ(shows(&desk, row->text), row->importance >= IMPORTANCE_NEEDED);
	}
	EXPECT(shows(&desk, "\ncpu-clock  98.9 Hz (asked 99) on 2 CPUs, every 5 s"));
	EXPECT(shows(&desk,
		     "\n100 samples, 7 lost, NOT BALANCED, 40.0 % whole, 30.0 % truncated, 20.0 % "
		     "missing, 10.0 % unverified; by unwind tables, 50.0 % covered; cost "
		     "0.10 % CPU, 12.3 MB, 8.24 MB in the kernel\n"));
	end(&desk);
}

static void test_views(void)
{
	struct desk desk = begin(30, 100);

	give_redis(&desk, 0);
	press(&desk, "2");
	EXPECT(shows(&desk, "SELF % ±        TOTAL % ±      CHANGE  PAST    FUNCTION"));
	EXPECT(shows(&desk, "send (redis)"));
	press(&desk, "3");
	EXPECT(shows(&desk, "- redis → main → send\n"));
	EXPECT(shows(&desk, "    write → copy [k]\n"));
	press(&desk, "4");
	EXPECT(shows(&desk, "redis (1)\n"));
	press(&desk, "5");
	EXPECT(shows(&desk, "[kernel]\n"));
	press(&desk, "6");
	EXPECT(shows(&desk, "cron      redis"));
	press_one(&desk, INPUT_TAB);
	EXPECT(shows(&desk, "COMMAND"));
	press_one(&desk, INPUT_BACK_TAB);
	EXPECT_EQ(desk.live.selection.view, VIEW_FLAMES);
	end(&desk);
}

/* 60 of 100 samples: Wilson's interval reaches from 50.2 to 69.1 %. 25 and 15 may be equal. */
static void test_errors(void)
{
	struct desk desk = begin(24, 84);

	GIVE(&desk.live, 60, 25, 15);
	EXPECT(shows(&desk, "  60.0 ±9.8 "));
	EXPECT(shows(&desk, "  25.0 ±9.3 ┐ "));
	EXPECT(shows(&desk, "  15.0 ±8.3 ┘ "));
	press(&desk, "2");
	EXPECT(shows(&desk, "  25.0 ±9.3 ┐      25.0 ±9.3 "));
	press(&desk, "t");
	EXPECT(!shows(&desk, "┐")); /* main has them all */
	press(&desk, "tE");
	EXPECT(!shows(&desk, "±"));
	EXPECT(shows(&desk, "SELF %  TOTAL %  CHANGE"));
	press(&desk, "E");
	EXPECT(shows(&desk, "± holds the true share in 95 of 100 recordings: 100 samples"));
	EXPECT(shows(&desk, "  25.0 ±9.3 ┐"));
	end(&desk);
}

/* A narrow screen has errors if the user asks. */
static void test_errors_need_room(void)
{
	struct desk desk = begin(24, 83);

	GIVE(&desk.live, 60, 25, 15);
	EXPECT(!shows(&desk, "±"));
	press(&desk, "E");
	EXPECT(shows(&desk, "  60.0 ±9.8 "));
	end(&desk);
}

/* All of an interval is this, all of the next is that: the sum of so many samples is worth few. */
static void test_errors_of_bursts(void)
{
	struct desk desk = begin(24, 100);

	for (size_t i = 0; i < 10; i++)
		GIVE(&desk.live, i % 2 ? 100 : 0, i % 2 ? 0 : 100);
	press(&desk, "m");
	EXPECT(shows(&desk, "±"));
	press(&desk, "E");
	press(&desk, "E");
	EXPECT(shows(&desk, "1,000 samples, worth "));
	EXPECT(!shows(&desk, "0 independent ones")); /* of ten or more */
	end(&desk);
}

static void test_filter(void)
{
	struct desk desk = begin(24, 80);

	give_redis(&desk, 0);
	press(&desk, "/crn\b\bron");
	EXPECT(shows(&desk, "\nfilter (regular expression): cron"));
	press_one(&desk, INPUT_ENTER);
	EXPECT(shows(&desk, "  /cron/  10.0 %"));
	EXPECT(!shows(&desk, "copy [k]"));
	press(&desk, "/\x15(");
	press_one(&desk, INPUT_ENTER);
	EXPECT(shows(&desk, "\nno regular expression: \"(\": "));
	EXPECT(shows(&desk, "\nfilter (regular expression): ("));
	press(&desk, "c"); /* the field is still open, and the wrong expression is being mended */
	EXPECT(!shows(&desk, "no regular expression"));
	EXPECT(shows(&desk, "\nfilter (regular expression): (c"));
	press(&desk, "opy)");
	press_one(&desk, INPUT_ENTER);
	EXPECT(shows(&desk, "  /(copy)/  "));
	EXPECT(!shows(&desk, "filter (regular"));
	press(&desk, "/\x15"
		     "cron");
	press_one(&desk, INPUT_ENTER);
	press(&desk, "/x(");
	press_one(&desk, INPUT_ENTER);
	press_one(&desk, INPUT_ESCAPE); /* as it was */
	EXPECT(shows(&desk, "  /cron/  10.0 %"));
	press_one(&desk, INPUT_ESCAPE);
	EXPECT(shows(&desk, "copy [k]"));
	end(&desk);
}

static void test_requests(void)
{
	struct desk desk = begin(24, 80);

	EXPECT_EQ(press(&desk, "w"), ACTION_SAVE);
	EXPECT_EQ(press(&desk, "f"), ACTION_FLAME_GRAPH);
	EXPECT_EQ(press(&desk, "\x0c"), ACTION_REDRAW);
	press(&desk, "i\x15"
		     "0.25");
	EXPECT_EQ(press_one(&desk, INPUT_ENTER), ACTION_INTERVAL);
	EXPECT_NEAR(desk.ui.value, 0.25, 0);
	press(&desk, "F");
	EXPECT(shows(&desk, "samples a second on each CPU: 99"));
	press(&desk, "499"); /* in the place of the old rate */
	EXPECT(shows(&desk, "samples a second on each CPU: 499"));
	EXPECT_EQ(press_one(&desk, INPUT_ENTER), ACTION_RATE);
	EXPECT_NEAR(desk.ui.value, 499, 0);
	press(&desk, "F");
	press_one(&desk, INPUT_ERASE); /* which changes it */
	press(&desk, "8");
	EXPECT_EQ(press_one(&desk, INPUT_ENTER), ACTION_RATE);
	EXPECT_NEAR(desk.ui.value, 98, 0);
	for (const char *const *bad = (const char *const[]){"", "x", "0", "1e9", "nan", "1x", NULL};
	     *bad; bad++) {
		press(&desk, "F\x15");
		press(&desk, *bad);
		EXPECT_EQ(press_one(&desk, INPUT_ENTER), ACTION_NONE);
		EXPECT(shows(&desk, "\nnot 0.01 to 100,000 samples a second"));
		EXPECT(shows(&desk, "samples a second on each CPU:"));
		press_one(&desk, INPUT_ESCAPE);
		EXPECT(!shows(&desk, "not 0.01 to 100,000"));
	}
	EXPECT_EQ(press(&desk, "q"), ACTION_QUIT);
	end(&desk);
}

static void test_time(void)
{
	struct desk desk = begin(24, 80);

	give_redis(&desk, 0);
	give_redis(&desk, 0);
	press(&desk, "[");
	EXPECT(shows(&desk, "FROZEN: interval 1, 1 newer"));
	press(&desk, "[");
	EXPECT(shows(&desk, "this is the oldest interval"));
	press(&desk, "c");
	EXPECT(shows(&desk, "  against interval 1"));
	press_one(&desk, INPUT_ESCAPE);
	press_one(&desk, INPUT_ESCAPE);
	EXPECT(!shows(&desk, "against"));
	EXPECT(!shows(&desk, "FROZEN"));
	press(&desk, "Rj");
	EXPECT(!shows(&desk, "R again"));
	press(&desk, "R");
	EXPECT(shows(&desk, "R again forgets all intervals"));
	press(&desk, "m");
	EXPECT(shows(&desk, "sum up to interval 2")); /* they are there */
	press(&desk, "m ");
	EXPECT(shows(&desk, "FROZEN: decaying sum, interval 2"));
	press(&desk, "p");
	EXPECT(!shows(&desk, "FROZEN"));
	press(&desk, "RR");
	EXPECT(!shows(&desk, "R again") && !shows(&desk, "interval 2"));
	give_redis(&desk, 0);
	desk.ui.is_over = true;
	EXPECT(shows(&desk, "redis (pid 1) has ended; this is its last picture"));
	end(&desk);
}

static void test_stack_and_help(void)
{
	struct desk desk = begin(15, 60);
	size_t nr_keys;

	give_redis(&desk, 0);
	EXPECT(!shows(&desk, "  write (libc)\n")); /* no room for it below the table */
	press_one(&desk, INPUT_ENTER);
	EXPECT(shows(&desk, "  copy [k]\n  write (libc)\n  send (redis)\n  main (redis)\n"));
	press_one(&desk, INPUT_ENTER);
	press(&desk, "?");
	EXPECT(shows(&desk, "  1 … 6, Tab"));
	EXPECT(!shows(&desk, "The hottest rows"));
	press_one(&desk, INPUT_END);
	EXPECT(shows(&desk, "in none of them."));
	EXPECT(!shows(&desk, "more lines"));
	press(&desk, "?");
	EXPECT(shows(&desk, "COMMAND"));
	keys__all(&nr_keys);
	for (size_t i = 0; i < nr_keys; i++) /* each is found by its input, once */
		EXPECT(keys__find(keys__all(&nr_keys)[i].input) == &keys__all(&nr_keys)[i]);
	end(&desk);
}

/* Any key at any time in any size: nothing is written beside the canvas, nothing fails. */
/* Both events see f, the second one g, too. */
static void give_two_events(struct desk *desk)
{
	struct recording interval = two_events(10, 3, false);

	interval.facts[FACT_TARGET] = "prog (pid 1)";
	EXPECT_EQ(live__add(&desk->live, &interval), 0);
	while (live__work(&desk->live) > 0)
		;
	recording__fini(&interval);
}

/* The next event, and the first again; intervals that come are shown by the same. */
static void test_next_event(void)
{
	struct desk desk = begin(24, 100);

	give_redis(&desk, 0);
	press(&desk, "e");
	EXPECT(shows(&desk, "there is one event; -e samples several"));
	end(&desk);
	desk = begin(24, 100);
	give_two_events(&desk);
	EXPECT(shows(&desk, "cpu-clock"));
	EXPECT(shows(&desk, "11 samples"));
	press(&desk, "e");
	EXPECT(shows(&desk, "shown is page-faults; sampled are all"));
	EXPECT(shows(&desk, "4 page-faults"));
	EXPECT(!shows(&desk, "covered"));
	give_two_events(&desk);
	EXPECT(shows(&desk, "4 page-faults"));
	press(&desk, "m");
	EXPECT(shows(&desk, "8 page-faults"));
	press(&desk, "[");
	EXPECT(shows(&desk, "4 page-faults"));
	press(&desk, "e");
	EXPECT(shows(&desk, "11 samples"));
	press(&desk, "F");
	EXPECT(shows(&desk, "there is no rate to set: the events of -e are counted"));
	end(&desk);
}

/*
 * On the smallest screen, the needed keys are on the first page, more lines are below, and none is
 * cut.
 */
static void test_help_fits(void)
{
	static const char *const first[] = {"\n  i, F   ", "\n  R   ", "\n  Esc   ", "\n  q   ",
					    " more lines: ↓ or PgDn\n"};
	struct desk desk = begin(15, 60);
	size_t nr_pages = 0;

	give_redis(&desk, 0);
	press(&desk, "?");
	for (size_t i = 0; i < sizeof(first) / sizeof(first[0]); i++)
		EXPECT(shows(&desk, first[i]));
	while (shows(&desk, "more lines") && nr_pages++ < 100) {
		EXPECT(!strstr(screen(&desk), "…\n"));
		press_one(&desk, INPUT_PAGE_DOWN);
	}
	EXPECT(!strstr(screen(&desk), "…\n"));
	EXPECT(nr_pages > 1 && nr_pages < 10);
	end(&desk);
}

static void test_long_message(void)
{
	struct desk desk = begin(24, 80);
	const char *sentence =
		"at -F 99199 the kernel would throttle, as kernel.perf_event_max_sample_rate is "
		"100000; lower it, or: sudo sysctl kernel.perf_event_max_sample_rate=148800";
	char shown[256], *text;

	give_redis(&desk, 0);
	ui__say(&desk.ui, true, "%s", sentence);
	text = screen(&desk);
	for (char *at = text; (at = strchr(at, '\n')); at++) /* as one line */
		*at = ' ';
	snprintf(shown, sizeof(shown), " %s ", sentence);
	EXPECT(strstr(text, shown) != NULL);
	end(&desk);
}

/* Rows of one sample each: 1 of 100 stacks by name, and how many of them. */
static void test_noise(void)
{
	struct desk desk = begin(24, 80);
	struct model model = model__new();

	add(&model, "redis", 1, 97, "send@redis main@redis");
	add(&model, "redis", 1, 1, "a@redis main@redis");
	add(&model, "redis", 1, 1, "b@redis main@redis");
	add(&model, "redis", 1, 1, "c@redis main@redis");
	give(&desk.live, &model);
	EXPECT(shows(&desk, "\n   3.0                           + 3 stacks with 1 sample each\n"));
	press_one(&desk, INPUT_DOWN);
	press_one(&desk, INPUT_ENTER);
	EXPECT(shows(&desk, "- 3 stacks with 1 sample each\n   1.0        1 "));
	press_one(&desk, INPUT_LEFT);
	EXPECT(shows(&desk, "+ 3 stacks"));
	press_one(&desk, INPUT_RIGHT);
	EXPECT(shows(&desk, "- 3 stacks"));
	press(&desk, "2");
	EXPECT(shows(&desk, "+ 3 functions with 1 sample each") ||
	       shows(&desk, "- 3 functions with 1 sample each"));
	end(&desk);
}

static void test_monkey(void)
{
	static const int inputs[] = {
		'1',	    '2',	'3',	     '4',	    '5',
		'6',	    'm',	'c',	     '[',	    ']',
		' ',	    'z',	'u',	     'K',	    'U',
		't',	    'r',	'b',	     '+',	    '-',
		'*',	    '_',	'R',	     '/',	    'a',
		'?',	    INPUT_TAB,	INPUT_ENTER, INPUT_ESCAPE,  INPUT_UP,
		INPUT_DOWN, INPUT_LEFT, INPUT_RIGHT, INPUT_PAGE_UP, INPUT_PAGE_DOWN,
		INPUT_HOME, INPUT_END,	INPUT_ERASE, 0x6f22,	    0x1f980,
		'i',	    'F',
	};
	struct desk desk = begin(24, 80);
	unsigned int seed = 42;

	desk.ui.by_thread = true;
	for (int i = 0; i < 3000; i++) {
		press_one(&desk,
			  inputs[(size_t)rand_r(&seed) % (sizeof(inputs) / sizeof(*inputs))]);
		if (i % 7 == 0)
			give_redis(&desk, (uint64_t)(i % 2));
		if (i % 13 == 0)
			canvas__resize(&desk.canvas, 1 + (size_t)rand_r(&seed) % 60,
				       1 + (size_t)rand_r(&seed) % 220);
		screen(&desk);
	}
	end(&desk);
}

int main(void)
{
	static const struct test tests[] = {
		{"a screen to the letter", test_screen},
		{"losses have their reason", test_losses},
		{"parts of the cost", test_stats},
		{"the same facts as the text", test_same_facts},
		{"nothing was sampled", test_silence},
		{"views", test_views},
		{"error bars", test_errors},
		{"error bars need room", test_errors_need_room},
		{"error bars of bursts", test_errors_of_bursts},
		{"the filter", test_filter},
		{"what is left to the caller", test_requests},
		{"time", test_time},
		{"the stack and help", test_stack_and_help},
		{"the next event", test_next_event},
		{"help on the smallest screen", test_help_fits},
		{"a message of two lines", test_long_message},
		{"rows of one sample", test_noise},
		{"any key at any time", test_monkey},
		{0},
	};

	setenv("TZ", "UTC0", 1);
	return run_tests("ui", tests);
}
