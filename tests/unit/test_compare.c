// SPDX-License-Identifier: GPL-2.0-only
/* Each caller of a comparison takes the same parts of a file into its decision. */
#include "diff/compare.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "expect.h"
#include "formats/formats.h"
#include "model.h"
#include "scratch.h"

static const struct rates shares = {.per = PER_SHARE};

/* Stacks that may lack callers blur totals, and slices tell bursts: diff and record know both. */
static void test_what_a_run_is(void)
{
	struct profile *slices[2] = {NULL, NULL};
	struct run_file file = {
		.side = SIDE_NEW,
		.recording = {.has_ledger = true,
			      .ledger = {.counted = 100, .whole = 60},
			      .slices = slices,
			      .nr_slices = 2},
	};
	const struct run_files files = {.list = &file, .nr = 1};
	struct run run = compare__run(&files, 0, &shares);

	EXPECT_EQ(run.side, SIDE_NEW);
	EXPECT_NEAR(run.incomplete, 0.4, 1e-9);
	EXPECT_EQ(run.nr_slices, 2);
	EXPECT_NEAR(run.divisor, 0, 0);
}

/* A series grows run by run: those that are read stay as they are. */
static void test_read_once(void)
{
	struct run_files files = {0};
	struct error err = {0};

	scratch_write("first.folded", "main;fold 30\n");
	scratch_write("second.folded", "main;fold 31\n");
	EXPECT_EQ(run_files__add(&files, scratch_path("first.folded"), SIDE_BASE, &err), 0);
	EXPECT_EQ(run_files__read(&files, &err), 0);
	scratch_run("rm first.folded");
	EXPECT_EQ(run_files__add(&files, scratch_path("second.folded"), SIDE_BASE, &err), 0);
	EXPECT_EQ(run_files__read(&files, &err), 0);
	EXPECT_EQ(profile__total(files.list[0].recording.profile, VALUE_COUNT), 30);
	EXPECT_EQ(profile__total(files.list[1].recording.profile, VALUE_COUNT), 31);
	run_files__free(&files);
}

/* A weight without counts does not tell how much of it is chance. */
static void test_no_counts(void)
{
	static const struct metrics widgets = {
		.of[VALUE_WEIGHT] = {.name = "made", .unit = "widgets"}, .shown = VALUE_WEIGHT};
	static const struct write_options plain;
	struct run_files files = {0};
	struct recording recording;
	struct error err = {0};
	FILE *out = fopen(scratch_path("made.pb"), "w");

	recording__init(&recording);
	profile__set_metrics(recording.profile, &widgets);
	EXPECT_EQ(pprof__write(out, &recording, &plain), 0);
	fclose(out);
	EXPECT_EQ(run_files__add(&files, scratch_path("made.pb"), SIDE_BASE, &err), 0);
	EXPECT_EQ(run_files__read(&files, &err), -EINVAL);
	EXPECT(strstr(err.text, " holds widgets, no counts, so that nothing says ") != NULL);
	recording__fini(&recording);
	run_files__free(&files);
}

/* Ten faults that weigh bytes, which are shown. */
static void write_faults(const char *path, const struct thinned *thinned, uint64_t period)
{
	static const struct metrics faults = {
		.of = {{.name = "faults", .unit = "count", .is_events = true},
		       {.name = "touched", .unit = "bytes"}},
		.shown = VALUE_WEIGHT,
	};
	static const struct write_options plain;
	struct model model = model__new();
	struct recording recording = {
		.profile = model.profile, .thinned = *thinned, .period = period};
	FILE *out = fopen(path, "w");

	add(&model, "a", 1, 10, "leaf@x main@x");
	profile__set_metrics(model.profile, &faults);
	EXPECT_EQ(pprof__write(out, &recording, &plain), 0);
	fclose(out);
	model__free(&model);
}

static int read_faults(const struct thinned *thinned, uint64_t period, const char *sample_type,
		       struct error *err)
{
	struct run_files files = {.sample_type = sample_type};
	int code;

	write_faults(scratch_path("faults.pb"), thinned, period);
	EXPECT_EQ(run_files__add(&files, scratch_path("faults.pb"), SIDE_BASE, err), 0);
	code = run_files__read(&files, err);
	if (!code)
		EXPECT_EQ(run_file__has_unjudged_weights(&files.list[0]), !sample_type);
	run_files__free(&files);
	return code;
}

/* Weights are refused that somebody asks for; where they are shown anyway, counts are compared. */
static void test_chosen_weights(void)
{
	struct error err = {0};

	EXPECT_EQ(read_faults(&(struct thinned){0}, 1, NULL, &err), 0);
	EXPECT_EQ(read_faults(&(struct thinned){0}, 1, "faults", &err), 0);
	EXPECT_EQ(read_faults(&(struct thinned){0}, 1, "touched", &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, "\"touched\" are weights") != NULL);
	EXPECT(strstr(err.text, "by --sample-type \"faults\"") != NULL);
}

/* Samples of one period are alike, however large it is. Those of a period that rose are not. */
static void test_period_that_rose(void)
{
	struct error err = {0};

	EXPECT_EQ(read_faults(&(struct thinned){0}, 100, NULL, &err), 0);
	EXPECT_EQ(read_faults(&(struct thinned){4, 0}, 4, NULL, &err), 0);
	EXPECT_EQ(read_faults(&(struct thinned){4, 1000000}, 4, NULL, &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, "faults.pb\": its period rose during the run") != NULL);
	/* Files that were added up do not say when it rose. */
	EXPECT_EQ(read_faults(&(struct thinned){4, 0}, 0, NULL, &err), -EINVAL);
}

struct seen_changes {
	size_t nr;
	double effect;
};

static int take(void *context, const struct diff_report *report, struct error *err)
{
	struct seen_changes *seen = context;

	(void)err;
	seen->nr++;
	seen->effect = report->decision->found_effect;
	return 7;
}

/* More lines of the same say more, and the end of the report is handed through. */
static void test_decide(void)
{
	static const struct diff_report report;
	struct run_files files = {0};
	struct diff_config config;
	struct seen_changes few = {0}, many = {0};
	struct error err = {0};
	struct run runs[6];

	diff_config__init(&config);
	for (size_t i = 0; i < 6; i++) {
		char name[16];

		snprintf(name, sizeof(name), "%zu.folded", i);
		scratch_write(name, "main;fold 3000\nmain;parse 1000\n");
		EXPECT_EQ(run_files__add(&files, scratch_path(name), i % 2 ? SIDE_NEW : SIDE_BASE,
					 &err),
			  0);
	}
	EXPECT_EQ(run_files__read(&files, &err), 0);
	for (size_t i = 0; i < 6; i++)
		runs[i] = compare__run(&files, i, &shares);
	EXPECT_EQ(compare__decide(runs, 2, MATCH_FUNCTIONS, &config, &report, take, &few, &err), 7);
	EXPECT_EQ(compare__decide(runs, 6, MATCH_FUNCTIONS, &config, &report, take, &many, &err),
		  7);
	EXPECT_EQ(few.nr, 1);
	EXPECT(many.effect < few.effect);
	run_files__free(&files);
	diff_config__fini(&config);
}

static mode_t mode_of(const char *name)
{
	struct stat status;

	return stat(scratch_path(name), &status) ? 0 : status.st_mode & 0777;
}

static void write_comparison(const struct diff_config *config)
{
	const struct compare_plan plan = {
		.by = MATCH_FUNCTIONS,
		.format = "text",
		.output = scratch_path("comparison"),
		.flamegraph = scratch_path("comparison.svg"),
	};
	struct run_files files = {0};
	struct error err = {0};

	scratch_run("rm -f comparison*");
	EXPECT_EQ(run_files__add(&files, scratch_path("before.folded"), SIDE_BASE, &err), 0);
	EXPECT_EQ(run_files__add(&files, scratch_path("after.folded"), SIDE_NEW, &err), 0);
	EXPECT_EQ(compare__files(&plan, config, &files, &err), 0);
	run_files__free(&files);
}

static void test_private_runs(void)
{
	struct diff_config config;

	umask(022);
	diff_config__init(&config);
	scratch_write("before.folded", "main;fold 30\n");
	scratch_write("after.folded", "main;fold 30\n");
	write_comparison(&config);
	EXPECT_EQ(mode_of("comparison"), 0644);
	EXPECT_EQ(mode_of("comparison.svg"), 0644);
	scratch_run("chmod 640 after.folded");
	write_comparison(&config);
	EXPECT_EQ(mode_of("comparison"), 0600);
	EXPECT_EQ(mode_of("comparison.svg"), 0600);
	diff_config__fini(&config);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"what a run is", test_what_a_run_is},
		{"files are read once", test_read_once},
		{"what counts nothing is refused", test_no_counts},
		{"weights that were asked for are refused", test_chosen_weights},
		{"periods that rose are refused", test_period_that_rose},
		{"a decision by the files' counts", test_decide},
		{"a comparison is as private as its runs", test_private_runs},
		{0},
	};

	(void)argc;
	(void)argv;
	scratch_create();
	return run_tests("compare", tests);
}
