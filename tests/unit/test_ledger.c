// SPDX-License-Identifier: GPL-2.0-only
/* The ledger's arithmetic, against values computed by hand. */
#include "profile/ledger.h"

#include <string.h>

#include "expect.h"

/* 10,000 = 600 + 50 + 9,335 + 15; 600 = 500 + 30 + 63 + 7; lost 15 = 12 + 3; missing 7 = 4 + 3 */
static const struct ledger example = {
	.events = 10000,
	.counted = 600,
	.idle = 50,
	.filtered = 9335,
	.lost = {[LOSS_THROTTLED] = 12, [LOSS_COUNTS_FULL] = 3},
	.whole = 500,
	.cut = {[CUT_DEPTH] = 20, [CUT_UNMAPPED] = 10},
	.unverified = 63,
	.missing = {[MISSING_SPILL_FULL] = 4, [MISSING_UNREADABLE] = 3},
	.due = 10100,
	.late = 100,
	.sampled_ns = 6000000000,
	.ran_ns = 6250000000,
	.stacks_read = 40,
	.stacks_read_ns = 20000,
	.drains = 5,
	.map_calls = 9,
	.map_calls_ns = 45000,
	.flip_ns = 60000,
	.grace_ns = 50000,
};

static void test_sums(void)
{
	EXPECT_EQ(ledger__lost(&example), 15);
	EXPECT_EQ(ledger__missing(&example), 7);
	EXPECT_EQ(ledger__balances(&example), true);
	EXPECT_NEAR(ledger__coverage(&example), 96.0, 1e-9);
}

/* Each term of both equations counts: one more of any, and the ledger is out of balance. */
static void test_balance(void)
{
	for (int term = 0; term < 5 + LOSSES + MISSINGS + CUTS; term++) {
		struct ledger ledger = example;
		uint64_t *const fixed[] = {&ledger.events, &ledger.idle, &ledger.filtered,
					   &ledger.whole, &ledger.unverified};

		if (term < 5)
			++*fixed[term];
		else if (term < 5 + LOSSES)
			ledger.lost[term - 5]++;
		else if (term < 5 + LOSSES + MISSINGS)
			ledger.missing[term - 5 - LOSSES]++;
		else
			ledger.cut[term - 5 - LOSSES - MISSINGS]++;
		EXPECT_EQ(ledger__balances(&ledger), false);
	}
	EXPECT_EQ(ledger__balances(&(struct ledger){0}), true);
	EXPECT_EQ(ledger__balances(&(struct ledger){.events = 1, .counted = 1}), false);
	/* 2^64 + 5 is not 5 */
	EXPECT_EQ(
		ledger__balances(&(struct ledger){.events = 4, .idle = UINT64_MAX, .filtered = 5}),
		false);
}

static void test_coverage_unknown(void)
{
	EXPECT(ledger__coverage(&(struct ledger){.sampled_ns = 5}) < 0);
	EXPECT_NEAR(ledger__coverage(&(struct ledger){.ran_ns = 5}), 0, 0);
	/* One of two runs that were added up was not measured. */
	EXPECT(ledger__coverage(
		       &(struct ledger){.sampled_ns = 9, .ran_ns = 5, .ran_unmeasured = true}) < 0);
}

/* Every field is added: fill both with bytes, so that one that is forgotten keeps the first value.
 */
static void test_add(void)
{
	struct ledger sum, more;
	const uint64_t *words = (const uint64_t *)&sum;

	memset(&sum, 0x01, sizeof(sum));
	memset(&more, 0x02, sizeof(more));
	sum.idle_excluded = sum.ran_unmeasured = sum.lost_unmeasured = false;
	more.idle_excluded = more.ran_unmeasured = more.lost_unmeasured = true;
	ledger__add(&sum, &more);
	EXPECT_EQ(sum.idle_excluded, true);
	EXPECT_EQ(sum.ran_unmeasured, true);
	EXPECT_EQ(sum.lost_unmeasured, true);
	for (size_t i = 0; i < sizeof(sum) / sizeof(*words); i++)
		if (i != offsetof(struct ledger, idle_excluded) / sizeof(*words))
			EXPECT_EQ(words[i], 0x0303030303030303);
}

static void test_add_examples(void)
{
	struct ledger sum = {0};

	ledger__add(&sum, &example);
	ledger__add(&sum, &example);
	EXPECT_EQ(sum.events, 20000);
	EXPECT_EQ(sum.lost[LOSS_THROTTLED], 24);
	EXPECT_EQ(sum.missing[MISSING_UNREADABLE], 6);
	EXPECT_EQ(sum.ran_ns, 12500000000);
	EXPECT_EQ(sum.late, 200);
	EXPECT_EQ(sum.idle_excluded, false);
	EXPECT_EQ(ledger__balances(&sum), true);
	sum.events = UINT64_MAX - 3;
	ledger__add(&sum, &example);
	EXPECT(sum.events == UINT64_MAX);
}

static const char *line(const struct ledger *ledger)
{
	static char text[512];
	int length = ledger__line(ledger, text, sizeof(text));

	EXPECT_EQ(length, strlen(text));
	return text;
}

/* The subject is the CPU clock alone, with all processes. */
static const struct ledger_subject clock_alone;

static const char *notice_of(const struct ledger *ledger, const struct ledger_subject *subject,
			     size_t nth)
{
	static char text[256];
	int length;

	text[0] = '\0';
	length = ledger__notice(ledger, subject, nth, text, sizeof(text));
	EXPECT_EQ(length, strlen(text));
	return text;
}

static const char *notice(const struct ledger *ledger, size_t nth)
{
	return notice_of(ledger, &clock_alone, nth);
}

static const char *common_notice(const struct ledger *ledger, size_t nth)
{
	static char text[256];
	int length;

	text[0] = '\0';
	length = ledger__notice_common(ledger, &clock_alone, nth, text, sizeof(text));
	EXPECT_EQ(length, strlen(text));
	return text;
}

static void test_line(void)
{
	struct ledger ledger = {.events = 10000, .counted = 600, .filtered = 9400, .whole = 600};
	char text[8];

	EXPECT_STR(line(&ledger), "10,000 events = 600 counted + 0 idle + 9,400 filtered + 0 lost");
	EXPECT_EQ(ledger__line(&ledger, text, sizeof(text)), 62); /* as snprintf */
	EXPECT_STR(text, "10,000 ");
	EXPECT_EQ(ledger__line(&ledger, NULL, 0), 62);
	EXPECT_STR(line(&example),
		   "10,000 events = 600 counted + 50 idle + 9,335 filtered + 15 lost "
		   "(12 throttled, 3 counts_full); 7 stacks missing (4 spill_full, 3 unreadable)");
	ledger.lost_unmeasured = true;
	EXPECT_STR(line(&ledger),
		   "10,000 events = 600 counted + 0 idle + 9,400 filtered + 0 lost or "
		   "more, which is not verifiable here");
	ledger.kept_out = 140;
	EXPECT_STR(line(&ledger),
		   "10,000 events = 600 counted + 0 idle + 9,400 filtered + 0 lost; of this and "
		   "other events 140 hits were kept out, of which ones the kernel does not say");
	EXPECT_STR(common_notice(&ledger, 0),
		   "140 hits of several events kept out: another BPF program or bpf() call was at "
		   "work on that CPU; of which events they are the kernel does not say");
	ledger.kept_out = 0;
	ledger.lost_unmeasured = false;
	ledger.idle = 1;
	EXPECT_STR(line(&ledger), "10,000 events = 600 counted + 1 idle + 9,400 filtered + 0 lost; "
				  "DOES NOT BALANCE");
}

static void test_notices(void)
{
	const struct ledger others = {.children_not_followed = 1,
				      .processes_unnamed = 2,
				      .runtime_untracked = 3,
				      .records_lost = 4};

	EXPECT_STR(notice(&example, 0), "12 samples lost, throttled: lower -F, or raise "
					"kernel.perf_event_max_sample_rate");
	EXPECT_STR(notice(&example, 1),
		   "3 samples lost, counts_full: raise --max-memory or lower -F");
	EXPECT_STR(notice(&example, 2),
		   "4 stacks missing, spill_full: raise --max-memory or lower -F");
	EXPECT_STR(notice(&example, 3),
		   "3 stacks missing, unreadable: the kernel could not walk them");
	/* The other cuts have no remedy. */
	EXPECT_STR(notice(&example, 4), "20 stacks truncated, depth: stacks deeper than "
					"--max-depth, which is 127 at most");
	EXPECT_STR(notice(&example, 5), "");
	EXPECT_EQ(strncmp(common_notice(&others, 0), "1 child not followed: ", 22), 0);
	EXPECT_EQ(strncmp(common_notice(&others, 1), "2 samples without their process: ", 33), 0);
	EXPECT(*common_notice(&others, 3) != '\0');
	EXPECT_STR(common_notice(&others, 4), "");
	EXPECT_STR(notice(&others, 0), "");
	EXPECT_STR(common_notice(&example, 0), "");
	EXPECT_STR(notice(&(struct ledger){.events = 5, .idle = 5, .due = 7}, 0), "");
}

/* Live blocks have a map of their own, which more memory does not make larger. */
static void test_remedy_of_live(void)
{
	static const struct ledger_subject live = {.is_counted = true, .is_live = true};
	const struct ledger ledger = {.events = 3, .lost = {[LOSS_COUNTS_FULL] = 3}};

	EXPECT_STR(notice_of(&ledger, &live, 0), "3 samples lost, counts_full: there is room for "
						 "262,144 blocks at a time; raise --alloc-every");
}

/* -F is no remedy for an event without a rate, nor fewer events for a single one. */
static void test_remedies(void)
{
	static const struct ledger_subject faults = {.is_counted = true, .has_targets = true};
	static const struct ledger_subject one_of_two = {.is_counted = true, .has_others = true};
	const struct ledger ledger = {.events = 610,
				      .lost = {[LOSS_COUNTS_FULL] = 3, [LOSS_PROGRAM_BUSY] = 607}};

	EXPECT_STR(notice_of(&ledger, &faults, 0),
		   "3 samples lost, counts_full: raise --max-memory, or sample fewer with period=N "
		   "or --max-overhead");
	EXPECT_STR(
		notice_of(&ledger, &faults, 1),
		"607 samples lost, perhaps of other processes, program_busy: another BPF program "
		"or bpf() call was at work on that CPU; give topstacks a better priority");
	EXPECT_STR(notice_of(&ledger, &one_of_two, 1),
		   "607 samples lost, program_busy: another BPF program or bpf() call was at work "
		   "on that CPU; give -e fewer events, or topstacks a better priority");
	EXPECT_EQ(ledger__lost_of_anyone(&ledger), 607);
	EXPECT_EQ(ledger__lost_of_anyone(&example), 12);
}

static void test_one(void)
{
	const struct ledger one = {.events = 3,
				   .counted = 2,
				   .lost = {[LOSS_COUNTS_FULL] = 1},
				   .missing = {[MISSING_BUSY] = 1},
				   .whole = 1};

	EXPECT_STR(line(&one), "3 events = 2 counted + 0 idle + 0 filtered + 1 lost "
			       "(1 counts_full); 1 stack missing (1 busy)");
	EXPECT_STR(notice(&one, 0), "1 sample lost, counts_full: raise --max-memory or lower -F");
	EXPECT_EQ(strncmp(notice(&one, 1), "1 stack missing, busy: ", 23), 0);
}

/* Names are keys of JSON: lower case, no two alike; every reason has its remedy. */
static void test_reasons(void)
{
	const char *names[LOSSES + MISSINGS];

	for (int i = 0; i < LOSSES + MISSINGS; i++) {
		struct ledger ledger = {0};
		const char *remedy;

		*(i < LOSSES ? &ledger.lost[i] : &ledger.missing[i - LOSSES]) = 1;
		remedy = strstr(notice(&ledger, 0), ": ");
		names[i] = i < LOSSES ? loss__name((enum loss)i)
				      : missing__name((enum missing)(i - LOSSES));
		EXPECT(remedy && remedy[2]);
		EXPECT(*names[i] != '\0');
		EXPECT_EQ(strspn(names[i], "abcdefghijklmnopqrstuvwxyz_"), strlen(names[i]));
		for (int j = 0; j < i; j++)
			EXPECT(strcmp(names[i], names[j]) != 0);
		for (size_t j = 0; ledger__field_name(j); j++)
			if (*ledger__field(&ledger, j))
				EXPECT_STR(strchr(ledger__field_name(j), '.') + 1, names[i]);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"sums over reasons, balance, coverage", test_sums},
		{"every term of the balance counts", test_balance},
		{"coverage of what did not run", test_coverage_unknown},
		{"every field is added", test_add},
		{"adding examples", test_add_examples},
		{"one line", test_line},
		{"one sentence for each loss", test_notices},
		{"what helps, of which event", test_remedies},
		{"what helps where live blocks find no room", test_remedy_of_live},
		{"one is not many", test_one},
		{"every reason has a name and a remedy", test_reasons},
		{0},
	};

	return run_tests("ledger", tests);
}
