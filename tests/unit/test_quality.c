// SPDX-License-Identifier: GPL-2.0-only
/* Quality of names and stacks, against counts made by hand. */
#include "profile/quality.h"

#include "expect.h"
#include "model.h"

static struct model model;
static struct quality quality;
static char text[512];

/* By frame pointers alone. */
static void measure_pointers(const struct ledger *ledger)
{
	quality__measure(&quality, model.profile, ledger, false);
}

static void measure(const struct ledger *ledger)
{
	quality__measure(&quality, model.profile, ledger, true);
}

static const char *line(void)
{
	return quality__line(&quality, text, sizeof(text)) ? text : "";
}

static const char *advice(size_t cause)
{
	int length;

	EXPECT(cause < quality.nr_causes);
	length = quality__advice(&quality, cause, text, sizeof(text));
	EXPECT_EQ(length, strlen(text));
	if (strstr(text, "nothing to mend"))
		EXPECT(!quality__can_mend(&quality.causes[cause]));
	return text;
}

static void test_all_is_well(void)
{
	model = model__new();
	measure(NULL);
	EXPECT_NEAR(quality__percent(&quality), 100, 0);
	EXPECT_STR(line(), "");
	add(&model, "a", 1, 70, "f@a main@a");
	add(&model, "a", 1, 30, "read@[kernel] entry@[kernel] f@a main@a");
	add(&model, "a", 1, 5, "main@a");
	add(&model, "a", 1, 1, "f@a main@a @libc.so.6+123");
	measure(NULL);
	EXPECT_EQ(quality.frames, 2 * 70 + 4 * 30 + 5 + 3);
	EXPECT_EQ(quality.samples, 106);
	EXPECT_EQ(quality.unresolved + quality.truncated + quality.one_frame, 0);
	EXPECT_EQ(quality.nr_causes, 0);
	EXPECT_STR(line(), "");
	model__free(&model);
}

/* An unread file may lack anything: only a longer run is advised. */
static void test_unread(void)
{
	const struct ledger ledger = {.unread = 60, .cut[CUT_NO_RULE] = 60};

	model = model__new();
	add(&model, "a", 1, 60, "f@a @stripped+20");
	add(&model, "a", 1, 40, "f@a main@a");
	measure(&ledger);
	EXPECT_EQ(quality.nr_causes, 1);
	EXPECT_EQ(quality.causes[0].remedy, REMEDY_UNREAD);
	EXPECT(strstr(advice(0), "; it was not read in time: sample for longer"));
	EXPECT(quality__can_mend(&quality.causes[0]));
	model__free(&model);
}

static void test_unresolved(void)
{
	model = model__new();
	add(&model, "a", 1, 60, "f@a @stripped+20 main@a"); /* 180 frames, 60 without a name */
	add(&model, "b", 2, 20, "@ main@b");		    /* 40 frames, 20 */
	measure(NULL);
	EXPECT_EQ(quality.frames, 220);
	EXPECT_EQ(quality.unresolved, 80);
	EXPECT_NEAR(quality__percent(&quality), 100.0 - 100.0 * 80 / 220, 1e-9);
	EXPECT_STR(line(), "63.6 % of frames named, 75.0 % of leaf functions identified");
	EXPECT_EQ(quality.nr_causes, 2);
	EXPECT_STR(advice(0), "stripped: 27.3 % of frames have no name; install its debug symbols");
	EXPECT(quality__can_mend(&quality.causes[0]));
	EXPECT_EQ(quality.causes[1].remedy, REMEDY_UNMAPPED);
	EXPECT(!quality__can_mend(&quality.causes[1]));
	EXPECT_EQ(quality.causes[1].unresolved, 20);
	quality.causes[0].build_id = "abcd";
	EXPECT_STR(advice(0), "stripped: 27.3 % of frames have no name; install its debug symbols "
			      "(build ID abcd)");
	quality.causes[0].symbols = "install stripped-dbgsym";
	EXPECT_STR(advice(0), "stripped: 27.3 % of frames have no name; install stripped-dbgsym");
	model__free(&model);
}

/* A function without a name may be known by its start; only the leaf function counts. */
static void test_identified(void)
{
	model = model__new();
	add(&model, "a", 1, 60, "f@a @m+20 main@a");
	add(&model, "a", 1, 20, "@m+20-4 main@a");
	add(&model, "a", 1, 10, "@m+20 @m+20-4 main@a");
	add(&model, "a", 1, 10, "[missing]@ @m+20 main@a");
	add(&model, "a", 1, 10, "");
	measure(NULL);
	EXPECT_EQ(quality.leaves, 90);
	EXPECT_EQ(quality.unidentified, 10);
	EXPECT_EQ(quality.unresolved, 60 + 20 + 20 + 10);
	EXPECT_STR(line(), "59.3 % of frames named, 88.9 % of leaf functions identified");
	model__free(&model);
}

/*
 * Words in the place of frames are no frames, and a stack of the kernel alone is not a short one.
 */
static void test_words(void)
{
	model = model__new();
	add(&model, "a", 1, 10, "[missing]@");
	add(&model, "a", 1, 10, "read@[kernel] [missing]@");
	add(&model, "a", 1, 10, "read@[kernel]");
	add(&model, "a", 1, 10, "");
	measure(NULL);
	EXPECT_EQ(quality.frames, 20);
	EXPECT_EQ(quality.samples, 40);
	EXPECT_EQ(quality.one_frame, 0);
	EXPECT_NEAR(quality__percent(&quality), 100, 0);
	model__free(&model);
}

/* Expands "f" to a function and two more that were inlined into it. */
static long inline_into_f(void *nothing, const struct frame *frame, bool is_caller,
			  struct frame frames[MAX_EXPANSION])
{
	(void)nothing;
	(void)is_caller;
	if (!frame->function || strcmp(frame->function, "f") != 0)
		return FRAME_STAYS;
	frames[0] = frames[1] = frames[2] = *frame;
	frames[0].inlined = frames[1].inlined = true;
	return 3;
}

/* Quality is the same before somebody looked for inlined functions and after it. */
static void test_inlined(void)
{
	const struct expander expander = {inline_into_f, NULL};
	struct quality compiled;
	struct profile *source;

	model = model__new();
	add(&model, "a", 1, 60, "f@a @stripped+20 f@a main@a");
	add(&model, "a", 1, 30, "@stripped+20 f@a main@a");
	add(&model, "a", 1, 10, "f@a");
	measure(NULL);
	EXPECT_EQ(quality.frames, 4 * 60 + 3 * 30 + 10);
	compiled = quality;
	source = profile__expand(model.profile, &expander);
	quality__measure(&quality, source, NULL, true);
	EXPECT_EQ(quality.frames, compiled.frames);
	EXPECT_EQ(quality.unresolved, compiled.unresolved);
	EXPECT_EQ(quality.leaves, compiled.leaves);
	EXPECT_EQ(quality.unidentified, compiled.unidentified);
	EXPECT_EQ(quality.one_frame, compiled.one_frame);
	profile__free(source);
	model__free(&model);
}

static void test_short_stacks(void)
{
	struct ledger ledger = {.counted = 200, .cut[CUT_NO_RULE] = 20};

	model = model__new();
	add(&model, "a", 1, 150, "f@a main@a");
	add(&model, "a", 1, 10, "work@libfoo.so");
	add(&model, "a", 1, 10, "read@[kernel] work@libfoo.so");
	add(&model, "a", 1, 30, "f@a work@libfoo.so");
	measure(&ledger);
	EXPECT_EQ(quality.samples, 200);
	EXPECT_EQ(quality.truncated, 20);
	EXPECT_EQ(quality.one_frame, 20);
	EXPECT_NEAR(quality__percent(&quality), 90, 1e-9);
	EXPECT_STR(line(),
		   "100.0 % of frames named, 10.0 % of samples truncated, 10.0 % of samples "
		   "with a single user frame");
	EXPECT_EQ(quality.nr_causes, 1);
	EXPECT_EQ(quality.causes[0].ended, 20); /* of the 50 that end there */
	EXPECT_STR(advice(0), "libfoo.so: 10.0 % of stacks may lack its callers; build it with "
			      "-fasynchronous-unwind-tables for --unwind auto, or with "
			      "-fno-omit-frame-pointer");
	model__free(&model);
}

/* Why callers lack is known of all stacks together: the advice is for most of them. */
static void test_why_callers_lack(void)
{
	struct ledger ledger = {.counted = 100, .cut[CUT_NO_ROOM] = 20, .unverified = 10};

	model = model__new();
	add(&model, "a", 1, 20, "f@a main@a");
	add(&model, "a", 1, 80, "f@a work@libfoo.so");
	measure(&ledger);
	EXPECT_EQ(quality.nr_causes, 1);
	EXPECT_STR(advice(0),
		   "libfoo.so: 30.0 % of stacks may lack its callers; raise --unwind-memory: "
		   "there was no room for its unwind table");
	ledger.cut[CUT_UNMAPPED] = 15;
	ledger.cut[CUT_UNREADABLE] = 10;
	measure(&ledger);
	EXPECT_EQ(quality.causes[0].remedy, REMEDY_MOMENT);
	ledger.cut[CUT_OTHER_RULE] = 26; /* such as a frame of 20 MB */
	measure(&ledger);
	EXPECT_EQ(quality.causes[0].remedy, REMEDY_TABLES);
	ledger.cut[CUT_OTHER_RULE] = 0;
	ledger.cut[CUT_NO_RULE] = 16;
	measure(&ledger);
	EXPECT_EQ(quality.causes[0].remedy, REMEDY_CALLERS);
	ledger.unverified = ledger.early = 40; /* no fault of a file, which may well have a table */
	measure(&ledger);
	EXPECT_STR(advice(0),
		   "libfoo.so: 80.0 % of stacks may lack its callers; most were walked before "
		   "unwind tables were loaded: nothing to mend");
	ledger.unverified = ledger.early = 4; /* as in the first moments of any run */
	ledger.cut[CUT_NO_ROOM] = ledger.cut[CUT_UNMAPPED] = 0;
	ledger.cut[CUT_UNREADABLE] = ledger.cut[CUT_NO_RULE] = 0;
	measure(&ledger);
	EXPECT_EQ(quality.nr_causes, 0);
	model__free(&model);
}

/* Unwind tables tell where a function without a name begins: more tables would not help. */
static void test_tables_that_lead_no_further(void)
{
	const struct frame frame = {
		.module = "libluajit.so",
		.path = "/usr/lib/libluajit.so",
		.address = 0x410,
		.offset = 0x10,
		.has_start = true,
	};
	struct ledger ledger = {.counted = 100, .unverified = 80};
	struct sample sample = {.values = {80, 80ull * 10000000}};
	uint32_t id;

	model = model__new();
	add(&model, "lua", 1, 20, "f@lua main@lua");
	id = dictionary__add_frame(model.dictionary, &frame);
	sample.stack = dictionary__add_stack(model.dictionary, &id, 1);
	sample.process = model__process(&model, "lua", 1);
	profile__add(model.profile, &sample);
	measure(&ledger);
	EXPECT_EQ(quality.nr_causes, 2); /* it has no name, too */
	EXPECT_EQ(quality.causes[0].remedy + quality.causes[1].remedy,
		  REMEDY_TABLES + REMEDY_SYMBOLS);
	measure_pointers(&ledger); /* they were not used: with them stacks may be whole */
	EXPECT_EQ(quality.causes[0].remedy + quality.causes[1].remedy,
		  REMEDY_POINTERS + REMEDY_SYMBOLS);
	model__free(&model);
}

/* Both with a known start and without, for a reason that concerns no file: it is told once. */
static void test_module_once(void)
{
	const struct frame frame = {
		.module = "cc1", .path = "/usr/bin/cc1", .address = 0x410, .has_start = true};
	struct ledger ledger = {.counted = 100, .cut[CUT_UNMAPPED] = 80};
	struct sample sample = {.values = {30, 30ull * 10000000}};
	uint32_t id;

	model = model__new();
	add(&model, "cc1", 1, 20, "f@cc1 main@cc1");
	add(&model, "cc1", 1, 50, "parse@cc1");
	id = dictionary__add_frame(model.dictionary, &frame);
	sample.stack = dictionary__add_stack(model.dictionary, &id, 1);
	sample.process = model__process(&model, "cc1", 1);
	profile__add(model.profile, &sample);
	measure(&ledger);
	EXPECT_EQ(quality.nr_causes, 2); /* the other one is the missing name */
	EXPECT_STR(advice(0),
		   "cc1: 80.0 % of stacks may lack its callers; most processes had just begun "
		   "there, or were ending: nothing to mend");
	EXPECT_EQ(quality.causes[1].remedy, REMEDY_SYMBOLS);
	model__free(&model);
}

/*
 * Code made at run time lacks rules, and its callees may be unverified. Files have nothing to mend.
 */
static void test_callers_that_a_runtime_lacks(void)
{
	struct ledger ledger = {.counted = 100, .cut[CUT_NO_RULE] = 80, .unverified = 6};

	ledger.cut[CUT_UNREADABLE] = 6;
	model = model__new();
	add(&model, "java", 1, 80, "loop@perf.map");
	add(&model, "java", 1, 6, "work@libjvm.so");
	add(&model, "java", 1, 14, "f@java main@java __libc_start_call@libc.so.6");
	measure(&ledger);
	EXPECT_EQ(quality.nr_causes, 2);
	EXPECT_STR(advice(0), "perf.map: 80.0 % of stacks may lack its callers; start java with "
			      "-XX:+PreserveFramePointer, if it was not");
	EXPECT_EQ(quality.causes[1].remedy, REMEDY_MOMENT);
	ledger.counted += 7;
	ledger.cut[CUT_NO_RULE] += 7; /* more than end in such code */
	add(&model, "java", 1, 7, "other@libjvm.so");
	measure(&ledger);
	EXPECT_EQ(quality.causes[1].remedy, REMEDY_CALLERS);
	model__free(&model);
}

/*
 * Where nearly all stacks are whole, those whose outermost function has no known name are so, too.
 */
static void test_few_lack_callers(void)
{
	struct ledger ledger = {.counted = 1000, .whole = 991, .unverified = 9};

	model = model__new();
	add(&model, "a", 1, 1000, "f@a g@a");
	measure(&ledger);
	EXPECT_EQ(quality.nr_causes, 0);
	ledger.unverified = 10;
	measure(&ledger);
	EXPECT_EQ(quality.nr_causes, 1);
	EXPECT(strstr(advice(0), "a: 1.0 % of stacks may lack its callers"));
	model__free(&model);
}

/* Unverified stacks may or may not lack callers: the line says so, and they cost no quality. */
static void test_unverified(void)
{
	struct ledger ledger = {.counted = 200, .unverified = 190};

	model = model__new();
	add(&model, "a", 1, 200, "f@a main@a");
	measure(&ledger);
	EXPECT_NEAR(quality__percent(&quality), 100, 0);
	EXPECT_STR(line(), "100.0 % of frames named, 95.0 % of samples unverified");
	ledger.unverified = 1;
	measure(&ledger);
	EXPECT_STR(line(), "");
	model__free(&model);
}

/* A stack that is cut at the limit, or ends at an unknown place, is no module's fault. */
static void test_ends_that_mean_nothing(void)
{
	struct ledger ledger = {.counted = 40, .cut[CUT_DEPTH] = 20};

	model = model__new();
	add(&model, "a", 1, 20, "f@a f@a");
	add(&model, "a", 1, 20, "g@a main@a __libc_start_call@libc.so.6");
	measure(&ledger);
	EXPECT_EQ(quality.truncated, 20);
	EXPECT_EQ(quality.nr_causes, 0);
	EXPECT_NEAR(quality__percent(&quality), 50, 1e-9);
	model__free(&model);
}

/* Text of others has names and no modules; it does not say where a program begins. */
static void test_names_alone(void)
{
	model = model__new();
	add(&model, "", 0, 10, "leaf@ java@");
	add(&model, "", 0, 10, "java@");
	measure(NULL);
	EXPECT_EQ(quality.one_frame, 0);
	EXPECT_EQ(quality.nr_causes, 0);
	EXPECT_STR(line(), "");
	add(&model, "", 0, 10, "@ java@");
	measure(NULL);
	EXPECT_STR(line(), "80.0 % of frames named, 66.7 % of leaf functions identified");
	EXPECT_EQ(quality.causes[0].remedy, REMEDY_UNMAPPED);
	model__free(&model);
}

/* Nor does it where a function is known by its start. */
static void test_starts_alone(void)
{
	model = model__new();
	add(&model, "", 0, 10, "leaf@ @libz.so+40-0");
	add(&model, "", 0, 10, "@libz.so+40-0");
	measure(NULL);
	EXPECT_EQ(quality.one_frame, 0);
	EXPECT_EQ(quality.unresolved, 20);
	EXPECT_EQ(quality.causes[0].ended, 0);
	model__free(&model);
}

/* Code made at run time: its runtime is known from the process's other frames, or its name. */
static void test_runtimes(void)
{
	model = model__new();
	add(&model, "app", 1, 300, "@perf.map @perf.map main@app"); /* 600 */
	add(&model, "app", 1, 10, "gc@libjvm.so main@app");
	add(&model, "node", 2, 100, "@perf.map main@node");
	add(&model, "mystery", 3, 50, "@perf.map main@mystery");
	measure(NULL);
	EXPECT_EQ(quality.nr_causes, 3);
	EXPECT_EQ(quality.causes[0].remedy, REMEDY_JAVA);
	EXPECT_EQ(quality.causes[0].unresolved, 600);
	EXPECT(strstr(advice(0), "; sample with --java-names, or run jcmd PID Compiler.perfmap"));
	quality.causes[0].ended = 100; /* only then does java lack frame pointers */
	EXPECT(strstr(advice(0), "-XX:+PreserveFramePointer"));
	EXPECT(strstr(advice(0), "; sample with --java-names, and "));
	EXPECT_EQ(quality.causes[1].remedy, REMEDY_NODE);
	EXPECT(strstr(advice(1), "--perf-basic-prof"));
	EXPECT_EQ(quality.causes[2].remedy, REMEDY_JIT);
	model__free(&model);
	model = model__new();
	add(&model, "mystery", 3, 50, "loop@perf.map");
	measure(NULL); /* it has a name, and is not said to lack callers */
	EXPECT_EQ(quality.nr_causes, 0);
	model__free(&model);
}

/* The worst three, in order, whatever the order of the samples; none below 1 %. */
static void test_worst_first(void)
{
	model = model__new();
	add(&model, "a", 1, 4, "@m4 main@a");
	add(&model, "a", 1, 900, "f@a main@a");
	add(&model, "a", 1, 30, "@m30 main@a");
	add(&model, "a", 1, 20, "@m20 main@a");
	add(&model, "a", 1, 40, "@m40 main@a");
	add(&model, "a", 1, 25, "@m25 main@a");
	measure(NULL);
	EXPECT_EQ(quality.nr_causes, 3);
	EXPECT_STR(quality.causes[0].module, "m40");
	EXPECT_STR(quality.causes[1].module, "m30");
	EXPECT_STR(quality.causes[2].module, "m25");
	model__free(&model);

	model = model__new();
	add(&model, "a", 1, 985, "f@a main@a");
	add(&model, "a", 1, 19, "@m main@a"); /* 19 of 2,008 frames */
	measure(NULL);
	EXPECT_EQ(quality.unresolved, 19);
	EXPECT_EQ(quality.nr_causes, 0);
	model__free(&model);
}

static void test_hidden_kernel(void)
{
	model = model__new();
	add(&model, "a", 1, 1, "@[kernel] @[kernel] f@a main@a");
	measure(NULL);
	EXPECT_EQ(quality.unresolved, 2);
	EXPECT_STR(advice(0), "[kernel]: 50.0 % of frames have no name; run with CAP_SYSLOG, or "
			      "lower kernel.kptr_restrict");
	model__free(&model);
}

static void test_huge_counts(void)
{
	model = model__new();
	add(&model, "a", 1, UINT64_MAX / 2, "@m main@a");
	add(&model, "a", 1, UINT64_MAX / 2, "f@m main@a");
	measure(NULL);
	EXPECT_EQ(quality.frames == UINT64_MAX, true);
	EXPECT(quality__percent(&quality) > 49 && quality__percent(&quality) < 51);
	model__free(&model);
}

int main(void)
{
	static const struct test tests[] = {
		{"all is well", test_all_is_well},
		{"frames without a name", test_unresolved},
		{"what was not read", test_unread},
		{"functions known by their start", test_identified},
		{"words in the place of frames", test_words},
		{"inlined functions change nothing", test_inlined},
		{"short stacks", test_short_stacks},
		{"stacks of which nobody knows", test_unverified},
		{"why callers lack", test_why_callers_lack},
		{"tables that lead no further have no remedy", test_tables_that_lead_no_further},
		{"a module is told once", test_module_once},
		{"callers that a runtime lacks", test_callers_that_a_runtime_lacks},
		{"ends that mean nothing", test_ends_that_mean_nothing},
		{"hardly any stack lacks callers", test_few_lack_callers},
		{"names alone", test_names_alone},
		{"starts alone", test_starts_alone},
		{"who makes code at run time", test_runtimes},
		{"the worst causes first", test_worst_first},
		{"a kernel that hides its addresses", test_hidden_kernel},
		{"huge counts", test_huge_counts},
		{0},
	};

	return run_tests("quality", tests);
}
