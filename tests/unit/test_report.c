// SPDX-License-Identifier: GPL-2.0-only
/* Files in, a report out. */
#include "actions/report.h"

#include <sys/stat.h>

#include "base/files.h"
#include "expect.h"
#include "scratch.h"

/* Returns a report of stacks.folded; free() it. */
static char *write_report(struct report report)
{
	const char *input = scratch_path("stacks.folded"), *output = scratch_path("report");
	char *paths[] = {(char *)(uintptr_t)input, NULL};
	struct error err = {0};
	char *text = NULL;

	scratch_write("stacks.folded", "main;fold 30\nmain;parse 10\n");
	report.paths = paths;
	report.nr_rows = 20;
	report.output = output;
	if (!report.format)
		report.format = "text";
	EXPECT_EQ(report__write(&report, &err), 0);
	EXPECT_EQ(files__read(output, 1 << 20, &text, NULL), 0);
	return text;
}

static bool report_has(struct report report, const char *words)
{
	char *text = write_report(report);
	bool has = strstr(text, words) != NULL;

	free(text);
	return has;
}

static void test_filters(void)
{
	EXPECT(report_has((struct report){.format = "folded"}, "fold 30"));
	EXPECT(report_has((struct report){.format = "folded", .choice.focus = "parse"},
			  "parse 10"));
	EXPECT(!report_has((struct report){.format = "folded", .choice.focus = "parse"}, "fold"));
	EXPECT(report_has((struct report){.choice.focus = "parse"}, "25.0 % of them selected"));
}

/* COLOR_ALWAYS holds for a file, too. */
static void test_colors(void)
{
	EXPECT(report_has((struct report){.color = COLOR_ALWAYS}, "\033["));
	EXPECT(!report_has((struct report){.color = COLOR_AUTO}, "\033["));
	EXPECT(!report_has((struct report){.color = COLOR_NEVER}, "\033["));
}

static void test_no_intervals(void)
{
	char *paths[] = {(char *)(uintptr_t)scratch_path("stacks.folded"), NULL};
	const struct report report = {.paths = paths,
				      .nr_rows = 20,
				      .format = "html",
				      .output = scratch_path("page"),
				      .by = BY_TIME};
	struct error err = {0};

	scratch_write("stacks.folded", "main;fold 30\n");
	EXPECT(report__write(&report, &err) < 0);
	EXPECT_EQ(err.exit_code, EXIT_USAGE); /* there are no intervals in it */
}

/* Folded text has no threads, so there is nothing that could be told apart. */
static void test_no_threads(void)
{
	char *paths[] = {(char *)(uintptr_t)scratch_path("stacks.folded"), NULL};
	const struct report plain = {
		.paths = paths, .nr_rows = 20, .format = "text", .output = scratch_path("text")};
	struct report wanted[] = {plain, plain, plain};

	wanted[0].by = BY_THREAD;
	wanted[1].merge = MERGE_BY_THREAD;
	wanted[2].choice.tid = 4711;
	scratch_write("stacks.folded", "main;fold 30\n");
	for (size_t i = 0; i < 3; i++) {
		struct error err = {0};

		EXPECT(report__write(&wanted[i], &err) < 0);
		EXPECT_EQ(err.exit_code, EXIT_USAGE);
		EXPECT(strstr(err.text, "record with --threads") != NULL);
	}
}

static mode_t export_mode(const char *format, const char *first, const char *second)
{
	const char *input[] = {scratch_path(first), second ? scratch_path(second) : NULL, NULL};
	const struct report report = {.paths = (char **)(uintptr_t)input,
				      .nr_rows = 20,
				      .format = format,
				      .output = scratch_path("export")};
	struct error err = {0};
	struct stat status;

	unlink(report.output);
	EXPECT_EQ(report__write(&report, &err), 0);
	return stat(report.output, &status) ? 0 : status.st_mode & 0777;
}

/* A sum hides samples from other users if one of its profiles does. */
static void test_private_inputs(void)
{
	static const char *const formats[] = {"text", "folded", "pprof",   "json",	"csv",
					      "html", "svg",	"firefox", "speedscope"};

	umask(022);
	scratch_write("hidden", "main;fold 30\n");
	scratch_write("groups", "main;fold 30\n");
	scratch_write("open", "main;fold 30\n");
	scratch_run("chmod 600 hidden && chmod 640 groups && chmod 644 open");
	for (size_t i = 0; i < sizeof(formats) / sizeof(formats[0]); i++) {
		EXPECT_EQ(export_mode(formats[i], "hidden", NULL), 0600);
		EXPECT_EQ(export_mode(formats[i], "open", NULL), 0644);
	}
	EXPECT_EQ(export_mode("html", "groups", NULL), 0600);
	EXPECT_EQ(export_mode("html", "open", "open"), 0644);
	EXPECT_EQ(export_mode("html", "open", "hidden"), 0600);
	EXPECT_EQ(export_mode("html", "hidden", "open"), 0600);
	umask(027);
	EXPECT_EQ(export_mode("html", "open", NULL), 0640);
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{"only what is asked for", test_filters},
		{"colours go where they are asked for", test_colors},
		{"what a file does not have", test_no_intervals},
		{"threads that nobody told apart", test_no_threads},
		{"an export is as private as what it is made from", test_private_inputs},
		{0},
	};

	(void)argc;
	(void)argv;
	scratch_create();
	return run_tests("report", tests);
}
