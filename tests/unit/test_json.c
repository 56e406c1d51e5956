// SPDX-License-Identifier: GPL-2.0-only
/* JSON of an interval is exact where small, and valid by the grammar of RFC 8259 with any names. */
#include <ctype.h>
#include <math.h>

#include "events_model.h"
#include "expect.h"
#include "formats/formats.h"
#include "waits_model.h"

static char text[65536];

static const char *write_json(const struct recording *interval)
{
	FILE *out = fmemopen(text, sizeof(text), "w");

	EXPECT_EQ(json__write_interval(out, interval), 0);
	fputc('\0', out);
	fclose(out);
	return text;
}

/* ---- the grammar: each takes a value off *at, or leaves it at NULL ---- */

static void take_value(const char **at);

static void take_string(const char **at)
{
	for (const char *c = *at + 1; (unsigned char)*c >= 0x20; c++) {
		if (*c == '"') {
			*at = c + 1;
			return;
		}
		if (*c != '\\')
			continue;
		if (*++c == 'u' && strspn(c + 1, "0123456789abcdefABCDEF") >= 4)
			c += 4;
		else if (!*c || !strchr("\"\\/bfnrt", *c))
			break;
	}
	*at = NULL;
}

static void take_number(const char **at)
{
	const char *c = *at + (**at == '-');
	size_t nr_digits = strspn(c, "0123456789");
	bool bad = !nr_digits || (*c == '0' && nr_digits > 1);

	c += nr_digits;
	if (*c == '.') {
		nr_digits = strspn(c + 1, "0123456789");
		bad |= !nr_digits;
		c += 1 + nr_digits;
	}
	*at = bad || isalpha((unsigned char)*c) ? NULL : c;
}

static void take_word(const char **at)
{
	static const char *const words[] = {"true", "false", "null"};

	for (int i = 0; i < 3; i++)
		if (!strncmp(*at, words[i], strlen(words[i]))) {
			*at += strlen(words[i]);
			return;
		}
	*at = NULL;
}

static void take_members(const char **at, char end)
{
	if (*++*at == end) {
		++*at;
		return;
	}
	for (;;) {
		if (end == '}') {
			if (**at == '"')
				take_string(at);
			else
				*at = NULL;
			if (!*at || *(*at)++ != ':')
				break;
		}
		take_value(at);
		if (!*at)
			return;
		if (**at == end) {
			++*at;
			return;
		}
		if (*(*at)++ != ',')
			break;
	}
	*at = NULL;
}

static void take_value(const char **at)
{
	if (**at == '{')
		take_members(at, '}');
	else if (**at == '[')
		take_members(at, ']');
	else if (**at == '"')
		take_string(at);
	else if (**at == '-' || isdigit((unsigned char)**at))
		take_number(at);
	else
		take_word(at);
}

/* One value and a newline, nothing behind it. */
static bool is_one_line_of_json(const char *json)
{
	take_value(&json);
	return json && !strcmp(json, "\n");
}

static void test_grammar(void)
{
	EXPECT(is_one_line_of_json("{\"a\":[1,-2.5,\"x\\u00ff\",true,{}],\"b\":null}\n"));
	EXPECT(!is_one_line_of_json("{\"a\":1,}\n"));
	EXPECT(!is_one_line_of_json("{\"a\":01}\n"));
	EXPECT(!is_one_line_of_json("{\"a\":nan}\n"));
	EXPECT(!is_one_line_of_json("[1 2]\n"));
	EXPECT(!is_one_line_of_json("[1,5]\n\n"));
	EXPECT(!is_one_line_of_json("[\"\\x1b\"]\n"));
	EXPECT(!is_one_line_of_json("[\"a\nb\"]\n"));
}

/* ---- the intervals ---- */

static struct recording small_interval(const struct model *model)
{
	return (struct recording){
		.profile = model->profile,
		.ledger = {.events = 20,
			   .counted = 8,
			   .idle = 1,
			   .filtered = 6,
			   .lost = {1, 2, 0, 1, 1},
			   .whole = 4,
			   .cut = {[CUT_DEPTH] = 1},
			   .unverified = 1,
			   .early = 1,
			   .missing = {0, 1, 0, 1},
			   .due = 21,
			   .idle_excluded = true,
			   .sampled_ns = 80000000,
			   .ran_ns = 81000000,
			   .children_not_followed = 11,
			   .processes_unnamed = 12,
			   .runtime_untracked = 13,
			   .records_lost = 14,
			   .stacks_read = 15,
			   .stacks_read_ns = 16,
			   .map_calls = 23,
			   .map_calls_ns = 24,
			   .drains = 17,
			   .flip_ns = 18,
			   .grace_ns = 7},
		.quality = {.frames = 21,
			    .unresolved = 8,
			    .samples = 22,
			    .leaves = 19,
			    .unidentified = 6,
			    .truncated = 2,
			    .one_frame = 1,
			    .causes = {{.module = "libc",
					.path = "/lib/libc",
					.package = "libc-dbg",
					.symbols = "install libc-dbg",
					.unresolved = 5}},
			    .nr_causes = 1},
		.cost = {.user_ns = 1500000,
			 .system_ns = 2000000001,
			 .resident_bytes = 4096,
			 .peak_bytes = UINT64_MAX,
			 .kernel_bytes = 9,
			 .drain_ns = 700,
			 .symbols_ns = 800,
			 .display_ns = 900,
			 .program_runs = 20,
			 .program_ns = 30000},
		.facts = {[FACT_TARGET] = "redis (pid 42)",
			  [FACT_UNWINDING] = "unwind tables",
			  [FACT_EVENT] = "cpu-clock"},
		.lost_abilities = {{"unwind tables", "frame pointers", "it is \"refused\""},
				   {"probes", NULL, "they are, too"}},
		.start_realtime_ns = 1769862896789999999 - 5000000001,
		.duration_ns = 5000000001,
		.asked_hz = 99,
		.delivered_hz = 98.9004,
		.nr_cpus = 2,
	};
}

static void test_exact(void)
{
	struct model model = model__new();
	struct recording interval = small_interval(&model);

	add_thread(&model, "redis", 42, 43, 5, "send@[kernel] @libc+1234 main@redis");
	add(&model, "java", 7, 3, "run@perf.map @libz+1234-34 @+7");
	EXPECT_STR(write_json(&interval),
		   "{\"schema\":\"topstacks.interval/1\",\"time\":\"2026-01-31T12:34:56.789Z\","
		   "\"duration_s\":5.000000001,\"target\":\"redis (pid 42)\",\"asked_hz\":99,"
		   "\"delivered_hz\":98.900,\"lowered_hz\":0,\"cpus\":2,\"unwinding\":\"unwind "
		   "tables\","
		   "\"lost_abilities\":[{\"name\":\"unwind tables\","
		   "\"instead\":\"frame pointers\",\"why\":\"it is \\\"refused\\\"\"},"
		   "{\"name\":\"probes\",\"instead\":null,\"why\":\"they are, too\"}],"
		   "\"event\":\"cpu-clock\",\"values\":{\"shown\":\"count\","
		   "\"count\":{\"type\":\"samples\",\"unit\":\"count\",\"total\":8},"
		   "\"weight\":{\"type\":\"cpu\",\"unit\":\"nanoseconds\","
		   "\"total\":80000000}},"
		   "\"ledger\":{\"events\":20,\"counted\":8,\"idle\":1,\"filtered\":6,\"lost\":5,"
		   "\"lost_by\":{\"throttled\":1,\"counts_full\":2,\"counts_busy\":0,"
		   "\"counts_error\":1,\"no_set\":1,\"program_busy\":0},"
		   "\"kept_out\":0,\"lost_measured\":true,\"balanced\":true,\"allocated_bytes\":0,"
		   "\"due\":21,"
		   "\"late_or_skipped\":null,\"idle_excluded\":true,"
		   "\"coverage\":{\"sampled_s\":0.080000000,\"ran_s\":0.081000000,"
		   "\"measured\":true},"
		   "\"stacks\":{\"whole\":4,\"truncated\":1,"
		   "\"truncated_by\":{\"depth\":1,\"no_room\":0,\"unlisted\":0,\"no_rule\":0,"
		   "\"unmapped\":0,\"other_rule\":0,"
		   "\"unreadable\":0,\"fp_lost\":0,\"backwards\":0},"
		   "\"unverified\":1,\"early\":1,\"missing\":2,"
		   "\"missing_by\":{\"spill_full\":0,\"collision\":1,\"busy\":0,\"unreadable\":1,"
		   "\"unnamed\":0},"
		   "\"unmapped\":0},"
		   "\"wall_ns\":0,\"running_ns\":0,\"runnable_ns\":0,\"blocked_ns\":0,"
		   "\"unknown_ns\":0,\"unplaced_ns\":0,\"scheduled_ns\":0,\"delayed_ns\":0,"
		   "\"uncredited_ns\":0,\"overcredited_ns\":0,"
		   "\"switches\":0,\"asleep\":0,\"asleep_walked\":0,"
		   "\"children_not_followed\":11,\"processes_unlisted\":0,"
		   "\"processes_unprobed\":0,\"unprobed_s\":0.000000000,"
		   "\"processes_unnamed\":12,\"stateless\":0,\"out_of_step\":0,"
		   "\"codes_full\":0,\"codes_bad\":0,"
		   "\"programs_unsampled\":0,\"unread\":0,"
		   "\"unread_descriptors\":0,"
		   "\"unread_processes\":0,"
		   "\"unread_refused\":0,"
		   "\"runtime_untracked\":13,"
		   "\"records_lost\":14,\"places_lost\":0,\"stacks_read\":15,\"stacks_read_s\":0."
		   "000000016,"
		   "\"map_calls\":23,\"map_calls_s\":0.000000024,"
		   "\"drains\":17,\"flip_s\":0.000000018,\"grace_s\":0.000000007},"
		   "\"quality\":{\"frames\":21,\"unresolved\":8,\"samples\":22,\"leaves\":19,"
		   "\"unidentified\":6,\"truncated\":2,"
		   "\"one_frame\":1,\"causes\":[{\"module\":\"libc\",\"path\":\"/lib/libc\","
		   "\"build_id\":null,\"package\":\"libc-dbg\",\"unresolved\":5,\"ended\":0,"
		   "\"advice\":\"libc: 23.8 % of frames have no name; install libc-dbg\"}]},"
		   "\"cost\":{\"user_s\":0.001500000,\"system_s\":2.000000001,"
		   "\"resident_bytes\":4096,\"peak_bytes\":18446744073709551615,\"kernel_bytes\":9,"
		   "\"symbols_bytes\":0,"
		   "\"drain_s\":0.000000700,\"symbols_s\":0.000000800,\"display_s\":0.000000900,"
		   "\"program_runs\":20,\"program_s\":0.000030000,\"elapsed_s\":0.000000000},"
		   "\"errors\":{\"lack\":null,\"level\":0.95,\"samples\":8,\"dispersion\":1,"
		   "\"quantile\":1.959963985},\"samples\":["
		   "{\"pid\":42,\"tid\":43,\"comm\":\"redis\",\"own_pid\":0,\"cgroup_path\":null,"
		   "\"container\":null,\"count\":5,\"weight_ns\":50000000,"
		   /* of 8: Wilson's intervals of 0.625 and 0.375, which mirror each other */
		   "\"share\":0.625,\"share_low\":0.3057423946,\"share_high\":0.8631557142,"
		   "\"group\":1,"
		   "\"frames\":["
		   "{\"function\":\"send\",\"module\":\"[kernel]\",\"kind\":\"kernel\"},"
		   "{\"function\":null,\"module\":\"libc\",\"kind\":\"user\",\"offset\":4660,"
		   "\"identified\":false},"
		   "{\"function\":\"main\",\"module\":\"redis\",\"kind\":\"user\"}]},"
		   "{\"pid\":7,\"comm\":\"java\",\"own_pid\":0,\"cgroup_path\":null,\"container\":"
		   "null,\"count\":3,\"weight_ns\":30000000,"
		   "\"share\":0.375,\"share_low\":0.1368442858,\"share_high\":0.6942576054,"
		   "\"group\":1,\"frames\":["
		   "{\"function\":\"run\",\"module\":\"perf.map\",\"kind\":\"jit\"},"
		   "{\"function\":null,\"module\":\"libz\",\"kind\":\"user\",\"offset\":4608,"
		   "\"identified\":true},"
		   "{\"function\":null,\"module\":null,\"kind\":\"user\","
		   "\"identified\":false}]}]}\n");
	EXPECT(is_one_line_of_json(text));
	model__free(&model);
}

/*
 * A weight of bytes, or of page faults, has no seconds: there is nothing to compare with CPU time.
 */
static void test_sampled_time(void)
{
	static const struct {
		const char *unit, *told;
	} events[] = {
		{"nanoseconds", "\"coverage\":{\"sampled_s\":0.000003000,"},
		{"events", "\"coverage\":{\"sampled_s\":null,"},
		{"bytes", "\"coverage\":{\"sampled_s\":null,"},
	};

	for (size_t i = 0; i < sizeof(events) / sizeof(events[0]); i++) {
		const struct metrics metrics = {
			.of = {[VALUE_COUNT] = {.name = "a:b", .unit = "count"},
			       [VALUE_WEIGHT] = {.name = "a:b", .unit = events[i].unit}},
		};
		struct model model = model__new();
		struct recording interval = {.profile = model.profile, .ledger.sampled_ns = 3000};

		profile__set_metrics(model.profile, &metrics);
		EXPECT(strstr(write_json(&interval), events[i].told) != NULL);
		model__free(&model);
	}
}

/* Time off the CPU covers none that the scheduler gave; a stack tells its states. */
static void test_waits(void)
{
	struct model model = waits__new();
	struct recording interval = {
		.profile = model.profile,
		.ledger = {.sampled_ns = 3000,
			   .wall_ns = 12,
			   .running_ns = 1,
			   .runnable_ns = 2,
			   .blocked_ns = 4,
			   .unknown_ns = 5,
			   .unplaced_ns = 6,
			   .scheduled_ns = 7,
			   .delayed_ns = 8,
			   .uncredited_ns = 12,
			   .overcredited_ns = 13,
			   .switches = 9,
			   .asleep = 11,
			   .asleep_walked = 10},
	};

	add_wait(&model, 1, WAIT(WAIT_INTERRUPTIBLE, WAIT_FOR_LOCK), 2, 70, "f@m");
	add_wait(&model, 1, WAIT(WAIT_WOKEN, WAIT_FOR_LOCK), 0, 5, "f@m");
	write_json(&interval);
	EXPECT(is_one_line_of_json(text));
	EXPECT(strstr(text, "\"coverage\":{\"sampled_s\":null,"));
	EXPECT(strstr(text,
		      "\"wall_ns\":12,\"running_ns\":1,\"runnable_ns\":2,\"blocked_ns\":4,"
		      "\"unknown_ns\":5,\"unplaced_ns\":6,\"scheduled_ns\":7,\"delayed_ns\":8,"
		      "\"uncredited_ns\":12,\"overcredited_ns\":13,\"switches\":9,\"asleep\":11,"
		      "\"asleep_walked\":10,"));
	EXPECT(strstr(text, "\"count\":2,\"weight_ns\":75,\"wait\":\"lock\","
			    "\"state\":{\"interruptible\":70,\"woken\":5},\"frames\""));
	model__free(&model);
}

/* A file has each state by itself. */
static void test_file_of_waits(void)
{
	struct model model = waits__new();
	const struct recording recording = {.profile = model.profile};
	FILE *out = fmemopen(text, sizeof(text), "w");

	add_wait(&model, 1, WAIT(WAIT_WOKEN, WAIT_FOR_LOCK), 0, 5, "f@m");
	add_wait(&model, 1, WAIT(WAIT_PREEMPTED, 0), 1, 6, "f@m");
	EXPECT_EQ(json__write_recording(out, &recording, &(struct write_options){0}), 0);
	fputc('\0', out);
	fclose(out);
	EXPECT(is_one_line_of_json(text));
	EXPECT(strstr(text,
		      "\"count\":0,\"weight\":5,\"state\":\"woken\",\"wait\":\"lock\",\"frames\""));
	EXPECT(strstr(text, "\"count\":1,\"weight\":6,\"state\":\"preempted\",\"frames\""));
	model__free(&model);
}

static void test_empty(void)
{
	struct model model = model__new();
	struct recording interval = {.profile = model.profile};

	write_json(&interval);
	EXPECT(is_one_line_of_json(text));
	EXPECT(strstr(text, "\"target\":null,") != NULL);
	EXPECT(strstr(text, "\"late_or_skipped\":0,\"idle_excluded\":false,") != NULL);
	EXPECT(strstr(text, "\"samples\":[]}\n") != NULL);
	interval.ledger.ran_unmeasured = true;
	EXPECT(strstr(write_json(&interval), "\"measured\":false}") != NULL);
	model__free(&model);
}

/* Processes are kept apart though their comm and stack are equal. */
static void test_by_process(void)
{
	struct model model = model__new();
	struct recording interval = {.profile = model.profile};

	add(&model, "cc1", 1, 2, "f@m");
	add(&model, "cc1", 2, 1, "f@m");
	add(&model, "cc1", 2, 5, "f@m+99");
	write_json(&interval);
	EXPECT(strstr(text, "{\"pid\":2,\"comm\":\"cc1\",\"own_pid\":0,\"cgroup_path\":null,"
			    "\"container\":null,\"count\":6,") != NULL);
	EXPECT(strstr(text, "{\"pid\":1,\"comm\":\"cc1\",\"own_pid\":0,\"cgroup_path\":null,"
			    "\"container\":null,\"count\":2,") != NULL);
	model__free(&model);
}

/* Every byte that a name can have, alone and before every other kind of byte. */
static void test_hostile(void)
{
	static const char *const followers[] = {"", "\"", "\\", "\x80", "\xe2\x80\xae", "\n", "a"};

	for (unsigned int byte = 1; byte < 256; byte++) {
		struct model model = model__new();
		struct recording interval = {.profile = model.profile};
		char name[16];

		for (size_t i = 0; i < sizeof(followers) / sizeof(followers[0]); i++) {
			struct frame frame = {.function = name, .module = name};
			struct sample sample = {.values = {1, 1}};
			uint32_t id;

			snprintf(name, sizeof(name), "%c%s", (int)byte, followers[i]);
			id = dictionary__add_frame(model.dictionary, &frame);
			sample.process = model__process(&model, name, 1);
			sample.stack = dictionary__add_stack(model.dictionary, &id, 1);
			profile__add(model.profile, &sample);
		}
		interval.facts[FACT_TARGET] = name;
		write_json(&interval);
		EXPECT(is_one_line_of_json(text));
		model__free(&model);
	}
}

static void test_odd_numbers(void)
{
	static const double rates[] = {NAN, INFINITY, -1, 1e300, 1e-9, 0.0005, 999999999.9999};
	struct model model = model__new();
	struct recording interval = {.profile = model.profile, .start_realtime_ns = INT64_MAX};

	for (size_t i = 0; i < sizeof(rates) / sizeof(rates[0]); i++) {
		interval.asked_hz = interval.delivered_hz = rates[i];
		write_json(&interval);
		EXPECT(is_one_line_of_json(text));
	}
	interval.asked_hz = 0.5;
	interval.delivered_hz = NAN;
	write_json(&interval);
	EXPECT(strstr(text, "\"asked_hz\":0.500,\"delivered_hz\":null,") != NULL);
	model__free(&model);
}

/* The first event is beside the others, as that of a run of one is, and is not there twice. */
static void test_events(void)
{
	struct recording interval = two_events(10, 3, false);
	const char *events, *second;

	write_json(&interval);
	EXPECT(is_one_line_of_json(text));
	events = strstr(text, "\"events\":[{\"event\":\"cpu-clock\",\"shown\":true},");
	EXPECT(events);
	EXPECT(strstr(text, "\"event\":\"cpu-clock\",\"values\"") < events);
	second = events ? strstr(events, "{\"event\":\"page-faults\",\"shown\":false") : NULL;
	EXPECT(second && strstr(second, "\"type\":\"page-faults\",\"unit\":\"count\",\"total\":4"));
	EXPECT(second && strstr(second, "\"counted\":4"));
	EXPECT(second && strstr(second, "\"comm\":\"page-faults\""));
	recording__drop_others(&interval);
	EXPECT(!strstr(write_json(&interval), "\"events\":["));
	recording__fini(&interval);
}

int main(void)
{
	static const struct test tests[] = {
		{"the grammar tells JSON from what is none", test_grammar},
		{"an interval to the byte", test_exact},
		{"an empty interval", test_empty},
		{"time of what is no time", test_sampled_time},
		{"waits", test_waits},
		{"a file of waits", test_file_of_waits},
		{"samples by process", test_by_process},
		{"names of any bytes", test_hostile},
		{"rates that are none", test_odd_numbers},
		{"several events", test_events},
		{0},
	};

	return run_tests("json", tests);
}
