// SPDX-License-Identifier: GPL-2.0-only
/* Views: a block to the byte, and without control characters from hostile names. */
#include "views/views.h"

#include <limits.h>
#include <locale.h>
#include <wchar.h>

#include "expect.h"
#include "model.h"

#define MAX_TEXT (1 << 20)

static char *text;

static struct recording interval_of(const struct model *model)
{
	uint64_t counted = profile__total(model->profile, VALUE_COUNT);

	return (struct recording){
		.profile = model->profile,
		.ledger = {.events = counted + 3000,
			   .counted = counted,
			   .filtered = 3000,
			   .whole = counted,
			   .sampled_ns = 10000000 * counted,
			   .ran_ns = 10000000 * counted},
		.cost = {.user_ns = 10000000,
			 .system_ns = 5000000,
			 .resident_bytes = 12300000,
			 .kernel_bytes = 8240000},
		.facts[FACT_TARGET] = "redis-server (pid 4711)",
		.has_ledger = true,
		.start_realtime_ns = 1769862896789999999 - 5000000000,
		.duration_ns = 5000000000,
		.asked_hz = 99,
		.delivered_hz = 98.9,
		.nr_cpus = 2,
	};
}

static const struct view_options plain = {
	.merge = MERGE_BY_COMM, .nr_rows = 20, .errors = ERRORS_NEVER};

static const char *block(const struct recording *interval, const struct view_options *options)
{
	FILE *out = fmemopen(text, MAX_TEXT, "w");

	EXPECT_EQ(view__write_block(out, interval, options), 0);
	fputc('\0', out);
	fclose(out);
	return text;
}

static const char *tree(const struct recording *interval, const struct view_options *options)
{
	FILE *out = fmemopen(text, MAX_TEXT, "w");

	EXPECT_EQ(view__write_tree(out, interval, options, TREE_FROM_ROOT), 0);
	fputc('\0', out);
	fclose(out);
	return text;
}

static const char *functions(const struct recording *interval, const struct view_options *options)
{
	FILE *out = fmemopen(text, MAX_TEXT, "w");
	struct group_row *groups;
	long nr = profile__group(interval->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &groups);

	EXPECT_EQ(view__write_groups(out, interval, options, groups, (size_t)nr, "FUNCTION"), 0);
	free(groups);
	fputc('\0', out);
	fclose(out);
	return text;
}

/* ---- to a width ---- */

/* Returns the width of the widest line, without its colours. */
static size_t width_of(const char *lines)
{
	size_t widest = 0, width;

	while (*lines) {
		char *line = strndup(lines, strcspn(lines, "\n"));

		width = 0;
		for (const char *at = line; *at; at++)
			width += (*at & 0xc0) != 0x80; /* characters of UTF-8 */
		widest = width > widest ? width : widest;
		lines += strlen(line) + 1;
		free(line);
	}
	return widest;
}

static void test_tree_width(void)
{
	struct view_options options = plain;
	struct model model = model__new();
	struct recording interval = interval_of(&model);

	add(&model, "prog", 1, 10, "leaf@p before@p third@p second@p first@p main@p");
	EXPECT_STR(tree(&interval, &options),
		   "TOTAL %   SELF %\n"
		   "  100.0    100.0  prog → main → first → second → third → before → leaf\n");
	EXPECT_EQ(width_of(text), 70);
	options.width = 70;
	EXPECT(strstr(tree(&interval, &options), "third → before → leaf"));
	options.width = 69;
	EXPECT_STR(tree(&interval, &options),
		   "TOTAL %   SELF %\n"
		   "  100.0    100.0  prog → main → first → … → third → before → leaf\n");
	options.width = 44;
	EXPECT_STR(tree(&interval, &options), "TOTAL %   SELF %\n"
					      "  100.0    100.0  prog → main → … → leaf\n");
	model__free(&model);
}

/* Rows below the limit are one line for each tree of the outermost rows, which has their sum. */
static void test_tree_hidden(void)
{
	struct view_options options = plain;
	struct model model = model__new();
	struct recording interval = interval_of(&model);

	options.percent_limit = 5;
	add(&model, "prog", 1, 45, "f@p main@p");
	add(&model, "prog", 1, 40, "g@p main@p");
	add(&model, "prog", 1, 4, "h@p main@p");
	add(&model, "prog", 1, 3, "i@p f@p main@p");
	add(&model, "prog", 1, 2, "j@p g@p main@p");
	add(&model, "other", 2, 5, "main@o");
	add(&model, "third", 3, 1, "main@t");
	EXPECT_STR(tree(&interval, &options),
		   "TOTAL %   SELF %\n"
		   "   94.0      0.0  prog → main\n"
		   "   48.0     45.0    f\n"
		   "   42.0     40.0    g\n"
		   "                    … 3 more, each below 5 %, together 9.0 %\n"
		   "    5.0      5.0  other → main\n"
		   "                  … 1 more, below 5 %, together 1.0 %\n");
	model__free(&model);
}

static size_t header(const struct recording *interval, const struct view_options *options,
		     char *words)
{
	FILE *out = fmemopen(text, MAX_TEXT, "w");
	size_t nr = 0;

	EXPECT_EQ(view__write_header(out, interval, options), 0);
	fputc('\0', out);
	fclose(out);
	for (const char *at = text; *at; at++)
		if (!strchr(" \n", *at))
			words[nr++] = *at;
		else if (nr && words[nr - 1] != ' ')
			words[nr++] = ' ';
	words[nr] = '\0';
	return width_of(text);
}

/* A header is as wide as lines are, and its words are whole. */
static void test_header_width(void)
{
	static char whole[8192], words[8192];
	struct model model = model__new();
	struct recording interval = interval_of(&model);
	struct view_options options = plain;
	size_t widest;

	add(&model, "prog", 1, 10, "f@p main@p");
	interval.facts[FACT_TARGET] =
		"bash -c for_each_in_turn the words of a command line that is long";
	interval.ledger.lost[0] = 12;
	widest = header(&interval, &options, whole);
	EXPECT(widest > 80);
	for (options.width = 40; options.width <= widest; options.width++) {
		EXPECT(header(&interval, &options, words) <= options.width);
		if (options.width >= 44) /* that the longest word needs */
			EXPECT_STR(words, whole);
	}
	interval.facts[FACT_TARGET] = "a_word_that_is_wider_than_any_line_of_forty_columns";
	options.width = 40;
	EXPECT(header(&interval, &options, words) <= 40);
	model__free(&model);
}

/* A line of any content is never wider than asked; a cut text says so. */
static void test_widths(void)
{
	static const char stack[] = "parse_a_very_long_name_of_a_kernel_function@[kernel] "
				    "another_name_that_has_no_room_at_all@libmodule.so "
				    "and_yet_another_one_of_forty_columns_all@p main@p";
	struct model model = model__new();
	struct recording interval = interval_of(&model);
	struct view_options options = plain;
	size_t whole;

	add(&model, "a program name", 1, 10, stack);
	add(&model, "a program name", 1, 10, "f@p main@p");
	whole = width_of(tree(&interval, &options));
	for (options.width = 40; options.width < 240; options.width++) {
		EXPECT(width_of(tree(&interval, &options)) <= options.width);
		EXPECT_EQ(strstr(text, "…") != NULL, options.width < whole);
		EXPECT(width_of(functions(&interval, &options)) <= options.width);
		EXPECT(options.width < 60 || strstr(text, " [k]"));
	}
	model__free(&model);
}

/* The functions of C++ are brief before they are cut. */
static void test_brief_names(void)
{
	const char *name = "std::vector<int>_ns::parse<char>(std::string_const&)";
	struct view_options options = {.nr_rows = 20, .width = 80};
	struct model model = model__new();
	struct recording interval = interval_of(&model);
	char stack[128];

	snprintf(stack, sizeof(stack), "%s@p main@p", name);
	add(&model, "prog", 1, 10, stack);
	EXPECT(strstr(functions(&interval, &options), "std::vector<>_ns::parse<> (p)"));
	options.width = 0;
	EXPECT(strstr(functions(&interval, &options), name));
	model__free(&model);
}

/*
 * The bounds of 60 % of 1,000 samples are 3.1 points off, by Wilson's formula; 8 % and 7 % may be
 * equal, as (80 - 70) / sqrt(150) is no more than 1.96; a tenth of a point is the least.
 */
static void test_errors(void)
{
	struct view_options options = plain;
	struct model model = model__new();
	struct recording interval = interval_of(&model);

	add(&model, "prog", 1, 600, "a@p main@p");
	add(&model, "prog", 1, 250, "b@p main@p");
	add(&model, "prog", 1, 80, "c@p main@p");
	add(&model, "prog", 1, 70, "d@p main@p");
	options.errors = ERRORS_ALWAYS;
	EXPECT_STR(functions(&interval, &options),
		   "SELF % ±        TOTAL % ±         SELF    TOTAL  FUNCTION\n"
		   "  60.0 ±3.1        60.0 ±3.1       600      600  a (p)\n"
		   "  25.0 ±2.8        25.0 ±2.8       250      250  b (p)\n"
		   "   8.0 ±1.8 ┐       8.0 ±1.8        80       80  c (p)\n"
		   "   7.0 ±1.8 ┘       7.0 ±1.8        70       70  d (p)\n"
		   "   0.0 ±0.4       100.0 ±0.4         0    1,000  main (p)\n");
	EXPECT_STR(tree(&interval, &options), "TOTAL % ±       SELF % ±    \n"
					      "  100.0 ±0.4       0.0 ±0.4   prog → main\n"
					      "   60.0 ±3.1      60.0 ±3.1     a\n"
					      "   25.0 ±2.8      25.0 ±2.8     b\n"
					      "    8.0 ±1.8       8.0 ±1.8     c\n"
					      "    7.0 ±1.8       7.0 ±1.8     d\n");
	EXPECT(strstr(
		block(&interval, &options),
		"errors     ± holds the true share in 95 of 100 recordings: 1,000 samples\n"));
	model__free(&model);
	model = model__new();
	interval = interval_of(&model);
	add(&model, "prog", 1, 1, "a@p");
	EXPECT(strstr(block(&interval, &options), "in 95 of 100 recordings: 1 sample\n"));
	model__free(&model);
}

/* Lines with too little room have no errors, unless the user asks. */
static void test_errors_need_room(void)
{
	struct view_options options = {.nr_rows = 20, .width = 72};
	struct model model = model__new();
	struct recording interval = interval_of(&model);

	add(&model, "prog", 1, 600, "a@p main@p");
	EXPECT(strstr(functions(&interval, &options), "±"));
	options.width = 71;
	EXPECT(!strstr(functions(&interval, &options), "±"));
	options.errors = ERRORS_ALWAYS;
	EXPECT(strstr(functions(&interval, &options), "±"));
	model__free(&model);
}

/* ---- to the byte ---- */

static void add_redis(struct model *model)
{
	add(model, "redis-server", 4711, 1200,
	    "tcp_sendmsg@[kernel] nft_do_chain@nf_tables write@libc.so.6 main@redis-server");
	add(model, "redis-server", 4711, 700, "dictFind@redis-server+20 main@redis-server");
	add(model, "redis-server", 4711, 50, "dictFind@redis-server+24 main@redis-server");
	add(model, "java", 99, 40, "App.run@perf.map @libjvm.so+1234 @");
	add(model, "bio_lazy_free", 4711, 10, "");
}

#define HEADER                                                                         \
	"topstacks  2026-01-31 12:34:56, 5 s of redis-server (pid 4711)\n"             \
	"samples    2,000 at 98.9 Hz on 2 CPUs (asked 99 Hz)\n"                        \
	"stacks     100.0 % whole\n"                                                   \
	"coverage   100.0 % of the CPU time the scheduler gave it (20 s of 20 s)\n"    \
	"ledger     5,000 events = 2,000 counted + 0 idle + 3,000 filtered + 0 lost\n" \
	"cost       0.30 % of a CPU (15 ms), 12.3 MB of memory, 8.24 MB in the kernel\n"

#define FUNCTIONS                                    \
	"SELF %  TOTAL %  FUNCTION\n"                \
	"  60.0     60.0  tcp_sendmsg [k]\n"         \
	"  37.5     37.5  dictFind (redis-server)\n" \
	"   2.0      2.0  App.run [j] (perf.map)\n"

/* A rate that changed, and a cost that was still growing when sampling had ended. */
static void test_rates_and_cost(void)
{
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	interval.first_hz = 20000;
	interval.asked_hz = 4999;
	interval.lowered_hz = 1249.5;
	interval.cost.user_ns = 12000000000; /* in 8 s on two CPUs */
	interval.cost.elapsed_ns = 8000000000;
	block(&interval, &plain);
	EXPECT(strstr(text, "(asked 20,000 Hz, then 4,999 Hz, lowered to 1,250 Hz)\n"));
	EXPECT(strstr(text, "cost       150.06 % of a CPU (12 s)"));
	EXPECT(!strstr(text, "Hz programs")); /* 1,250 Hz take less than 3 % */
	interval.lowered_hz = 0;
	EXPECT(strstr(block(&interval, &plain),
		      "at 4999 Hz programs on 2 CPUs run some 8 % slower"));
	model__free(&model);
}

static void test_block(void)
{
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	EXPECT_STR(block(&interval, &plain),
		   HEADER "\n"
			  "    %  SAMPLES  COMMAND        STACK, leaf ← callers\n"
			  " 60.0    1,200  redis-server\n"
			  "        tcp_sendmsg [k]\n"
			  "        nft_do_chain (nf_tables)\n"
			  "        write (libc.so.6)\n"
			  "        main (redis-server)\n"
			  "\n"
			  " 37.5      750  redis-server\n"
			  "        dictFind (redis-server)\n"
			  "        main (redis-server)\n"
			  "\n"
			  "  2.0       40  java\n"
			  "        App.run [j] (perf.map)\n"
			  "        libjvm.so+0x1234\n"
			  "        [unknown]\n"
			  "\n"
			  "  0.5       10  bio_lazy_free\n"
			  "        [no stack]\n"
			  "\n" FUNCTIONS "   0.0     97.5  main (redis-server)\n"
			  "   0.0     60.0  nft_do_chain (nf_tables)\n"
			  "   0.0     60.0  write (libc.so.6)\n"
			  "   0.0      2.0  [unknown]\n"
			  "   0.0      2.0  libjvm.so+0x1234\n"
			  "\n");
	model__free(&model);
}

static void test_ids(void)
{
	struct view_options options = {
		.merge = MERGE_BY_THREAD, .errors = ERRORS_NEVER, .nr_rows = 5, .pids = true};
	struct model model = model__new();
	struct recording interval;

	add_thread(&model, "redis", 42, 43, 1, "f@m");
	interval = interval_of(&model);
	EXPECT(strstr(block(&interval, &options),
		      "    %  SAMPLES      PID      TID  COMMAND  STACK, leaf ← callers\n"
		      "100.0        1       42       43  redis\n") != NULL);
	options.merge = MERGE_BY_PROCESS;
	EXPECT(strstr(block(&interval, &options),
		      "    %  SAMPLES      PID  COMMAND  STACK, leaf ← callers\n"
		      "100.0        1       42  redis\n") != NULL);
	model__free(&model);
}

static void test_rows_asked_for(void)
{
	struct view_options options = {
		.merge = MERGE_BY_COMM, .errors = ERRORS_NEVER, .nr_rows = 1};
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	EXPECT(strstr(block(&interval, &options), " 60.0    1,200 ") != NULL);
	EXPECT(strstr(text, " 37.5      750 ") == NULL);
	EXPECT(strstr(block(&interval, &options), " 37.5      750 ") == NULL);
	model__free(&model);
}

/* ---- words for special cases ---- */

/*
 * A line tells of the rest that is not shown: 5 + 1 + 1 samples of 100, and a limit leaves out no
 * less than -n.
 */
static void test_rest(void)
{
	struct view_options options = {
		.merge = MERGE_BY_COMM, .errors = ERRORS_NEVER, .nr_rows = 1};
	struct model model = model__new();
	struct recording interval;

	add(&model, "redis", 1, 93, "a@redis main@redis");
	add(&model, "redis", 1, 5, "b@redis main@redis");
	add(&model, "redis", 1, 1, "c@redis main@redis");
	add(&model, "redis", 1, 1, "d@redis main@redis");
	interval = interval_of(&model);
	EXPECT(strstr(block(&interval, &options),
		      "\n\n  7.0        7  3 more stacks, 2 of them with 1 sample\n\nSELF"));
	options.nr_rows = 20;
	EXPECT(!strstr(block(&interval, &options), " more stack"));
	options.percent_limit = 2;
	EXPECT(strstr(block(&interval, &options),
		      "\n  2.0        2  2 more stacks, 2 of them with 1 sample\n"));
	options.percent_limit = 10;
	options.nr_rows = 3;
	EXPECT(strstr(block(&interval, &options), "\n  7.0        7  3 more stacks, 2 of"));
	model__free(&model);
}

static void test_silence(void)
{
	struct model model = model__new();
	struct recording interval = interval_of(&model);

	EXPECT(strstr(block(&interval, &plain), "\nno samples: the target did not run\n") != NULL);
	EXPECT(strstr(text, "COMMAND") == NULL);
	interval.ledger.lost[LOSS_NO_SET] = 5;
	EXPECT(strstr(block(&interval, &plain), "\nno samples: all were lost\n") != NULL);
	interval.ledger.lost[LOSS_NO_SET] = 0;
	interval.ledger.ran_ns = 3200000;
	EXPECT(strstr(block(&interval, &plain), "\nno samples: the target ran for 3.2 ms (one is "
						"due every 10.1 ms; raise -F, "
						"or sample for longer)\n") != NULL);
	interval.ledger.lost[LOSS_NO_SET] = 5;
	EXPECT(strstr(block(&interval, &plain),
		      "\nno samples, although the target ran for 3.2 ms\n") != NULL);
	model__free(&model);
}

/* With -C the target's time on these CPUs is unknown, and also whether it ran there. */
static void test_unmeasured(void)
{
	static const char coverage[] = "\ncoverage   not measured: with -C the scheduler's clock "
				       "does not tell CPUs apart\n";
	struct model silent = model__new(), model = model__new();
	struct recording interval = interval_of(&silent);

	interval.ledger.ran_unmeasured = true;
	EXPECT(strstr(block(&interval, &plain), coverage) != NULL);
	EXPECT(strstr(text, "\nno samples: the target did not run on the CPUs of -C, or too "
			    "briefly\n") != NULL);
	interval.ledger.lost[LOSS_NO_SET] = 5;
	EXPECT(strstr(block(&interval, &plain), "\nno samples: all were lost\n") != NULL);
	add_redis(&model);
	interval = interval_of(&model);
	interval.ledger.ran_unmeasured = true;
	EXPECT(strstr(block(&interval, &plain), coverage) != NULL);
	model__free(&silent);
	model__free(&model);
}

static void test_losses(void)
{
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	interval.ledger.lost[LOSS_COUNTS_FULL] = 1234;
	interval.ledger.events += 1234;
	interval.ledger.whole -= 500;
	interval.ledger.unverified = 400;
	interval.ledger.missing[MISSING_SPILL_FULL] = 100;
	EXPECT(strstr(block(&interval, &plain),
		      "stacks     75.0 % whole, 5.0 % missing, 20.0 % unverified (may lack "
		      "callers)\n") != NULL);
	EXPECT(strstr(text,
		      "LOST       1,234 samples lost, counts_full: raise --max-memory or lower -F\n"
		      "LOST       100 stacks missing, spill_full: raise --max-memory or lower "
		      "-F\n") != NULL);
	model__free(&model);
}

/* Samples that are fewer than the events, and their weights. */
static void test_weights(void)
{
	static const struct {
		const char *unit, *told;
		uint64_t weight;
	} events[] = {
		{"events", "\na:b        30 on 2 CPUs\n", 30},
		{"events", "\na:b        30, standing for 3,000 on 2 CPUs\n", 3000},
		{"bytes", "\na:b        30, 30 B on 2 CPUs\n", 30},
		{"pages", "\na:b        30, 90 pages on 2 CPUs\n", 90},
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct metrics metrics = {
			.of = {[VALUE_COUNT] = {.name = "a:b", .unit = "count", .is_events = true},
			       [VALUE_WEIGHT] = {.name = "a:b", .unit = events[i].unit}},
		};
		struct model model = model__new();
		struct recording interval;
		struct sample sample;

		profile__set_metrics(model.profile, &metrics);
		add(&model, "redis", 1, 30, "main@redis");
		interval = interval_of(&model);
		sample = *profile__samples(model.profile, &(size_t){0});
		profile__clear(model.profile);
		sample.values[VALUE_WEIGHT] = events[i].weight;
		profile__add(model.profile, &sample);
		interval.facts[FACT_EVENT] = "a:b";
		interval.asked_hz = 0;
		if (!strstr(block(&interval, &plain), events[i].told))
			EXPECT_STR(text, events[i].told);
		model__free(&model);
	}
}

/* ---- hostile names ---- */

struct escapes {
	size_t nr_controls; /* other than newlines and colours */
	size_t nr_colors;
};

/* Steps over "\033[...m". NULL: it is something else. */
static const char *skip_color(const char *at)
{
	if (at[0] != '\033' || at[1] != '[')
		return NULL;
	at += 2 + strspn(at + 2, "0123456789;");
	return *at == 'm' ? at + 1 : NULL;
}

static struct escapes measure(const char *at)
{
	struct escapes extent = {0};
	mbstate_t state = {0};

	while (*at) {
		const char *after = skip_color(at);
		wchar_t code;
		size_t length;

		if (after) {
			extent.nr_colors++;
			at = after;
			continue;
		}
		length = mbrtowc(&code, at, MB_LEN_MAX, &state);
		if (length > MB_LEN_MAX) {
			extent.nr_controls++;
			break;
		}
		at += length;
		extent.nr_controls += code != L'\n' && wcwidth(code) < 0;
	}
	return extent;
}

static void add_hostile(struct model *model)
{
	static const char *const names[] = {
		"\033[2J\033]0;owned\a",
		"\r\n\n\n",
		"\x9b"
		"31m",
		"\xe2\x80\xae"
		"evil",
		"漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字",
		"🦀🦀🦀🦀🦀🦀🦀🦀🦀🦀",
		"\xff\xfe\xfd",
		"",
		"std::_Hashtable<std::string, std::pair<std::string const, int>, std::allocator<"
		"std::pair<std::string const, int> >, std::__detail::_Select1st>::_M_find_before",
	};
	size_t nr_names = sizeof(names) / sizeof(names[0]);

	for (size_t i = 0; i < 4 * nr_names; i++) {
		uint32_t frames[64];
		struct sample sample = {.values = {1 + i * i * i * i * i * i * i, 1}};
		size_t nr_frames = (i * 7) % 64;

		for (size_t j = 0; j < nr_frames; j++) {
			struct frame frame = {
				.function = names[(i + j) % nr_names],
				.module = names[(i + 2 * j) % nr_names],
				.kind = (enum frame_kind)(j < i % 9 ? FRAME_KERNEL : j % 3)};

			frames[j] = dictionary__add_frame(model->dictionary, &frame);
		}
		sample.stack = dictionary__add_stack(model->dictionary, frames, nr_frames);
		sample.process =
			model__process(model, names[i % nr_names], i % 2 ? INT32_MAX : (int)i);
		profile__add(model->profile, &sample);
	}
}

static void expect_safe(const struct recording *interval)
{
	for (int variant = 0; variant < 4; variant++) {
		struct view_options options = {.merge = variant & 1 ? MERGE_BY_THREAD
								    : MERGE_BY_COMM,
					       .nr_rows = variant & 2 ? 3 : 1000,
					       .color = variant & 2,
					       .pids = variant & 1};
		struct escapes extent = measure(block(interval, &options));

		EXPECT_EQ(extent.nr_controls, 0);
		EXPECT(options.color || !extent.nr_colors);
	}
}

/* Late timers: beyond one in a thousand; and any low coverage has a reason, or may be chance. */
static void test_late(void)
{
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	interval.ledger.due = 5010;
	interval.ledger.late = 5;
	EXPECT(strstr(block(&interval, &plain), "late ") == NULL);
	interval.ledger.due = 6000;
	interval.ledger.late = 1000;
	EXPECT(strstr(block(&interval, &plain),
		      "+ 0 lost\nlate       in 1,000 of 6,000 periods the kernel's timer did not "
		      "fire in time, on idle CPUs: the CPU time is covered\n") != NULL);
	EXPECT(strstr(block(&interval, &plain), "low:") == NULL);
	interval.ledger.sampled_ns = interval.ledger.ran_ns / 100 * 96;
	EXPECT(strstr(block(&interval, &plain), "\n           low: the kernel's timer did not fire "
						"in time in 1000 periods\n") != NULL);
	EXPECT(strstr(block(&interval, &plain), "did not fire in time\n") != NULL);
	/* 1,980 samples are due in 20 s at 99 Hz: twice the root of their number is 4.5 %. */
	interval.ledger.late = 6;
	EXPECT(strstr(block(&interval, &plain),
		      "\n           low by chance? so few samples may be 4 % off\n") != NULL);
	interval.ledger.sampled_ns = interval.ledger.ran_ns / 100 * 95;
	EXPECT(strstr(block(&interval, &plain), "\n           low: timers late, interrupts off "
						"(busy host?), bpf() calls on maps, or "
						"credited with what its wakers ran\n") != NULL);
	interval.has_cycles = true;
	EXPECT(strstr(block(&interval, &plain), "ran; -e cycles sees code with interrupts off\n") !=
	       NULL);
	interval.ledger.lost[LOSS_THROTTLED] = 3;
	EXPECT(strstr(block(&interval, &plain),
		      "\n           low: the kernel throttled 3 samples\n") != NULL);
	model__free(&model);
}

/*
 * More samples than the scheduler's clock has time for: chance, or threads that take turns; with -a
 * neither is known.
 */
static void test_high(void)
{
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	interval.ledger.sampled_ns = interval.ledger.ran_ns / 100 * 103;
	EXPECT(strstr(block(&interval, &plain), "high") == NULL);
	interval.ledger.sampled_ns = interval.ledger.ran_ns / 100 * 104;
	EXPECT(strstr(block(&interval, &plain),
		      "\n           high by chance? so few samples may be 4 % off\n") != NULL);
	interval.ledger.sampled_ns = interval.ledger.ran_ns / 100 * 106;
	EXPECT(strstr(block(&interval, &plain),
		      "\n           high: its time after it wakes a thread that takes its CPU is "
		      "credited to that thread; -e wall tells how much\n") != NULL);
	interval.whole_system = true;
	EXPECT(strstr(block(&interval, &plain), "high") == NULL);
	model__free(&model);
}

/* The two accounts of a little time say nothing about each other, and give no alarm. */
static void test_little_time(void)
{
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	interval.ledger.ran_ns = 30000000;
	interval.ledger.sampled_ns = 70000000;
	EXPECT(strstr(block(&interval, &plain),
		      "\ncoverage   not judged: 30 ms of CPU time are too "
		      "little to compare with samples\n") != NULL);
	interval.ledger.sampled_ns = 10000000;
	EXPECT(strstr(block(&interval, &plain), "low") == NULL);
	interval.ledger.ran_ns = 200000000;
	EXPECT(strstr(block(&interval, &plain), "coverage   5.0 % of the CPU time") != NULL);
	EXPECT(strstr(block(&interval, &plain), "low") != NULL);
	model__free(&model);
}

/* --stats tells the average time of a run of the program and of a change of generations. */
static void test_cost_parts(void)
{
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	EXPECT(strstr(block(&interval, &plain), "a run") == NULL);
	interval.cost.drain_ns = 4100000;
	interval.cost.symbols_ns = 38000000;
	interval.cost.display_ns = 800000;
	interval.cost.program_runs = 1000;
	interval.cost.program_ns = 1300000;
	interval.ledger.drains = 5;
	interval.ledger.flip_ns = 120000;
	interval.ledger.grace_ns = 110000;
	EXPECT(strstr(block(&interval, &plain), "\n           drain 4.1 ms, symbols 38 ms, display "
						"800 us; a run 1.3 us, a flip 24 us, grace "
						"11 us a CPU\n") != NULL);
	model__free(&model);
}

/* Fewer events of a counted kind are sampled: from some time on, or all the time. */
static void test_thinned(void)
{
	struct model model = model__new();
	struct recording interval;

	add_redis(&model);
	interval = interval_of(&model);
	EXPECT(strstr(block(&interval, &plain), "one in") == NULL);
	interval.thinned = (struct thinned){1024, 6040000000};
	EXPECT(strstr(block(&interval, &plain),
		      "\n           from 6.0 s on fewer are sampled, at the end one in 1,024, to "
		      "stay within --max-overhead\n") != NULL);
	interval.thinned.since_ns = 0;
	EXPECT(strstr(block(&interval, &plain),
		      "\n           fewer are sampled, at the end one in 1,024") != NULL);
	model__free(&model);
}

static void test_hostile(void)
{
	struct model models[] = {model__new(), model__new(), model__new()};

	add_redis(&models[1]);
	add_hostile(&models[2]);
	for (int i = 0; i < 3; i++) {
		struct recording interval = interval_of(&models[i]);

		expect_safe(&interval);
		interval.facts[FACT_TARGET] = "\033[31m\n漢字";
		interval.delivered_hz = 1e300;
		for (int j = 0; j < LOSSES; j++)
			interval.ledger.lost[j] = UINT64_MAX;
		for (int j = 0; j < MISSINGS; j++)
			interval.ledger.missing[j] = 1;
		interval.ledger.cut[CUT_DEPTH] = interval.ledger.records_lost = 1;
		expect_safe(&interval);
		model__free(&models[i]);
	}
}

/*
 * In a block no line is cut: a name as long as a template's has both ends there, and its middle is
 * left out.
 */
static void test_block_is_whole(void)
{
	struct model model = model__new();
	struct recording interval;
	static char name[5000], stack[5100];

	memset(name, 'x', sizeof(name) - 2);
	name[sizeof(name) - 2] = 'Z';
	snprintf(stack, sizeof(stack), "%s@m main@m", name);
	add(&model, "a", 1, 1, stack);
	interval = interval_of(&model);
	EXPECT(strstr(block(&interval, &plain), name) == NULL);
	snprintf(stack, sizeof(stack), " %.60s…%s (m)\n", name, name + sizeof(name) - 1 - 99);
	EXPECT(strstr(text, stack) != NULL);
	name[160] = '\0';
	name[159] = 'Z';
	snprintf(stack, sizeof(stack), "%s@m main@m", name);
	add(&model, "a", 1, 1, stack);
	EXPECT(strstr(block(&interval, &plain), name) != NULL);
	model__free(&model);
}

static void test_write_error(void)
{
	struct model model = model__new();
	struct recording interval;
	FILE *out = fopen("/dev/full", "w");

	setvbuf(out, NULL, _IONBF, 0);
	add_redis(&model);
	interval = interval_of(&model);
	EXPECT_EQ(view__write_block(out, &interval, &plain), -28 /* ENOSPC */);
	fclose(out);
	model__free(&model);
}

int main(void)
{
	static const struct test tests[] = {
		{"a tree to a width", test_tree_width},
		{"no line is wider", test_widths},
		{"a tree tells what it hides once", test_tree_hidden},
		{"headers of some width", test_header_width},
		{"brief names where there is little room", test_brief_names},
		{"error bars", test_errors},
		{"error bars need room", test_errors_need_room},
		{"a block to the byte", test_block},
		{"rates that changed, and a cost that went on", test_rates_and_cost},
		{"process and thread ids", test_ids},
		{"no more rows than asked for", test_rows_asked_for},
		{"what is not shown", test_rest},
		{"nothing was sampled", test_silence},
		{"the time on some CPUs is not measured", test_unmeasured},
		{"losses come with their remedy", test_losses},
		{"what weighs, and what stands for more", test_weights},
		{"parts of the cost", test_cost_parts},
		{"fewer of what is counted", test_thinned},
		{"late timers, and a low coverage in words", test_late},
		{"a high coverage in words", test_high},
		{"too little time for a coverage", test_little_time},
		{"no control characters, whoever chose the names", test_hostile},
		{"no line is cut in a block", test_block_is_whole},
		{"a full disk is an error", test_write_error},
		{0},
	};
	int failed;

	setenv("TZ", "UTC0", 1);
	text = malloc(MAX_TEXT);
	if (!text || !setlocale(LC_CTYPE, "C.UTF-8")) /* for measuring */
		return 1;
	failed = run_tests("views", tests);
	free(text);
	return failed;
}
