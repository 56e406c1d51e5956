// SPDX-License-Identifier: GPL-2.0-only
/* Reports as they read, and hostile names in them. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "diff/reports/report.h"
#include "gate.h"

static char *const warnings[] = {"the CPU differs: \"@all ![x](http://x.org)\" `#1 <img src=x>"};

static char *write_report(const struct gate *gate, const char *format, bool unchanged,
			  double required_power)
{
	struct decision_options options = decision_options__default();
	struct diff_report report = {
		.match = gate->match,
		.decision = &gate->decision,
		.outcome = &gate->outcome,
		.options = &options,
		.unchanged = unchanged,
		.required_power = required_power,
		.warnings = warnings,
		.nr_warnings = 1,
	};
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(diff_report__write(out, &report, format), 0);
	fclose(out);
	return text;
}

static void expect_has(const char *text, const char *part)
{
	if (!strstr(text, part))
		EXPECT_STR(text, part);
}

static size_t count_lines(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		nr += *text == '\n';
	return nr;
}

static void test_text(void)
{
	struct gate gate = gate__new();
	char *text;

	put_slow_sort(&gate);
	decide(&gate, "regressed");
	text = write_report(&gate, "text", false, 0);
	EXPECT(!strncmp(text,
			"FAILED: 2 of 6 units tested (2 regressed, 0 improved, 4 unchanged, 0 not",
			72));
	expect_has(text, "\na function with 10 % of the samples must become ");
	expect_has(text, "base: 3 runs, 60200 samples; new: 3 runs, 63210 samples;");
	expect_has(text,
		   "\nregressed             5.0 %    9.5 %     +100.0 %         +90 to +110 %    "
		   ">99.99 %  ");
	expect_has(text, "  self   sort (x)\n");
	expect_has(text, "  total  load (x)\n");
	EXPECT(!strstr(text, "total  main"));
	expect_has(text, "draw (x); share only: because of others\n");
	free(text);
	text = write_report(&gate, "text", true, 0);
	expect_has(text, "\nunchanged ");
	free(text);
	gate__free(&gate);
}

/*
 * The only functions have no others to be measured against: their rows say so where all are asked
 * for.
 */
static void test_untested(void)
{
	struct gate gate = gate__new();
	char *text;

	put(&gate, 1000, 2000, "a@x main@x");
	decide(&gate, "regressed");
	text = write_report(&gate, "text", false, 0);
	expect_has(text, "passed: 0 units tested ");
	EXPECT(!strstr(text, "\nnot enough samples "));
	free(text);
	text = write_report(&gate, "text", true, 0);
	expect_has(text, "self   a (x); not tested: nothing is left to measure it against\n");
	expect_has(text, "total  main (x); not tested: nothing is left to measure it against\n");
	EXPECT(!strstr(text, "+100.0 %"));
	free(text);
	gate__free(&gate);
}

static void test_verdict_lines(void)
{
	struct gate few = gate__new(), none = gate__new();
	char *text;

	put(&few, 30, 30, "a@x main@x");
	put(&few, 30, 30, "b@x main@x");
	decide(&few, "regressed");
	text = write_report(&few, "text", false, 0);
	EXPECT(!strncmp(text, "passed: ", 8));
	expect_has(text, " 2 not enough samples)\n");
	EXPECT(!strstr(text, "\nnot enough samples ")); /* noise stays out of a passed report */
	free(text);
	text = write_report(&few, "text", true, 0);
	expect_has(text, "\nnot enough samples ");
	expect_has(text, "needs ");
	free(text);
	text = write_report(&few, "text", false, 0.1);
	EXPECT(!strncmp(text, "BLIND: ", 7));
	expect_has(text, "needs "); /* the row asks for more runs */
	free(text);
	gate__free(&few);

	put(&none, 1000, 0, "a@x main@x");
	put(&none, 1000, 0, "b@x main@x");
	decide(&none, "regressed");
	text = write_report(&none, "text", false, 0);
	EXPECT(!strncmp(text, "nothing compared: new has no samples", 36));
	expect_has(text, "no slowdown of a function with 10 % of the samples would be found\n");
	expect_has(text, "take 3 to 5 runs a side"); /* of the side that is there */
	free(text);
	gate__free(&none);
}

static void test_moved(void)
{
	struct gate gate = gate__new();
	char *text;

	put_inlined(&gate);
	decide(&gate, "regressed");
	text = write_report(&gate, "text", false, 0);
	expect_has(text, "parse (x); moved here from skip (x)\n");
	expect_has(text, "skip (x); moved to parse (x)\n");
	expect_has(text, " gone ");
	free(text);
	gate__free(&gate);
}

static void put_hostile(struct gate *gate)
{
	put(gate, 1000, 3000, "a`|\033[31m\r\"<b>@x|y main@x");
	put(gate, 9000, 9000, "b@x main@x");
	put(gate, 5000, 5000, "main@x");
	decide(gate, "regressed");
}

/* Hostile names neither control a terminal nor end a line, a cell or an element. */
static void test_hostile(void)
{
	struct gate gate = gate__new();
	const char *format;

	put_hostile(&gate);
	for (size_t i = 0; (format = diff_report__format(i)); i++) {
		char *text = write_report(&gate, format, true, 0);

		EXPECT(!strchr(text, '\033'));
		EXPECT(strcmp(format, "csv") ? !strchr(text, '\r') : !strstr(text, "m\r"));
		EXPECT(strcmp(format, "junit") || !strstr(text, "<b>"));
		free(text);
	}
	gate__free(&gate);
}

/* Eight cells a line, whatever names are made of. */
static void test_markdown(void)
{
	struct gate gate = gate__new();
	char *text, *rest, *line;
	size_t nr_rows = 0;

	put_hostile(&gate);
	text = rest = write_report(&gate, "markdown", true, 0);
	EXPECT(!strncmp(text, "### Profile: FAILED: ", 21));
	while ((line = strsep(&rest, "\n"))) {
		size_t nr_bars = 0, nr_ticks = 0;

		for (size_t i = 0; line[0] == '|' && line[i]; i++) {
			nr_bars += line[i] == '|';
			nr_ticks += line[i] == '`';
		}
		if (line[0] != '|')
			continue;
		EXPECT_EQ(nr_bars, 9);
		EXPECT_EQ(nr_ticks % 2, 0);
		nr_rows++;
	}
	EXPECT(nr_rows >= 4);
	free(text);
	gate__free(&gate);
}

/* Expects a part of the line outside of its code spans. */
static void expect_outside(const char *line, const char *part, bool there)
{
	char outside[1000];
	size_t nr = 0;
	bool inside = false;

	for (; *line && nr < sizeof(outside) - 1; line++) {
		if (*line == '`')
			inside = !inside;
		else if (!inside)
			outside[nr++] = *line;
	}
	outside[nr] = '\0';
	EXPECT(!inside);
	EXPECT_EQ(!!strstr(outside, part), there);
}

/* Facts, file names and units of a file neither link nor mention anybody, nor are they markup. */
static void test_markdown_facts(void)
{
	static const char *const hostile[] = {"@", "#1", "](", "<img", "http:", "www."};
	struct metrics metrics = cpu_metrics;
	struct gate gate = gate__new();
	char *text, *rest, *line;

	metrics.of[VALUE_COUNT].name = "@all www.x.org `#1";
	put_slow_sort(&gate);
	for (size_t i = 0; i < NR_RUNS; i++)
		profile__set_metrics(gate.models[i].profile, &metrics);
	decide(&gate, "regressed");
	text = rest = write_report(&gate, "markdown", true, 0);
	expect_has(text, "\n`warning: the CPU differs: \"@all ![x](http://x.org)\" \\x60#1 <img");
	expect_has(text, "### Profile: `FAILED: ");
	while ((line = strsep(&rest, "\n")))
		for (size_t i = 0; i < sizeof(hostile) / sizeof(hostile[0]); i++)
			expect_outside(line, hostile[i], false);
	free(text);
	gate__free(&gate);
	expect_outside("a `@b` @c", "@c", true); /* this test could fail */
}

static void test_json(void)
{
	struct gate gate = gate__new();
	char *text;

	put_slow_sort(&gate);
	decide(&gate, "regressed");
	text = write_report(&gate, "json", false, 0);
	EXPECT_EQ(count_lines(text), 1);
	EXPECT(!strncmp(text, "{\"schema\":\"topstacks.diff/1\",\"exit_code\":1,\"failing\":2,",
			55));
	expect_has(text,
		   "{\"name\":\"sort\",\"module\":\"x\",\"domain\":\"user\",\"kind\":\"self\","
		   "\"verdict\":\"regressed\",\"fails\":true,\"untested\":null,"
		   "\"base\":{\"samples\":3010,");
	expect_has(text, "\"phi_source\":\"not needed\"");
	EXPECT(!strstr(text, "inf") && !strstr(text, "nan,"));
	free(text);
	gate__free(&gate);
}

static void test_junit(void)
{
	struct gate gate = gate__new();
	char *text;

	put_slow_sort(&gate);
	decide(&gate, "regressed");
	text = write_report(&gate, "junit", false, 0);
	expect_has(text, "\n<testsuite name=\"topstacks diff\" tests=\"7\" failures=\"2\" "
			 "errors=\"0\" skipped=\"0\">\n");
	expect_has(text, "<testcase classname=\"x\" name=\"sort self\"><failure "
			 "type=\"regressed\" message=\"+100.0 % (+90 to +110 %): 5.0 % of samples, "
			 "now 9.5 %\"/></testcase>\n");
	expect_has(text, "<testcase classname=\"x\" name=\"draw self\"></testcase>\n");
	free(text);
	text = write_report(&gate, "junit", false, 0.0001);
	expect_has(text, "errors=\"0\""); /* a found change was no blindness */
	free(text);
	gate__free(&gate);
}

static void test_junit_without_decision(void)
{
	struct gate gate = gate__new();
	char *text;

	put(&gate, 30, 30, "a@x main@x");
	put(&gate, 30, 30, "b@x main@x");
	decide(&gate, "regressed");
	text = write_report(&gate, "junit", false, 0.1);
	expect_has(text, " errors=\"1\"");
	expect_has(text, "<error message=\"no decision\" type=\"power\"/>");
	expect_has(text, "name=\"a self\"><skipped message=\"not enough samples: needs ");
	free(text);
	gate__free(&gate);
}

static void test_github(void)
{
	struct gate gate = gate__new();
	char *text;

	put(&gate, 1000, 3000, "a%b:c,d@x main@x");
	put(&gate, 9000, 9000, "b@x main@x");
	decide(&gate, "regressed");
	text = write_report(&gate, "github", false, 0);
	EXPECT(!strncmp(text, "::error title=Profile::FAILED: 1 of ", 36));
	EXPECT_EQ(count_lines(text), 2);
	expect_has(text, " not enough samples)%0Aa function with 10 %25 of ");
	expect_has(text, "\n::error title=a%25b%3Ac%2Cd (x) regressed::self, +200.0 %25 (+");
	free(text);
	gate__free(&gate);
}

static void test_bmf(void)
{
	struct gate gate = gate__new();
	char *text;

	put_slow_sort(&gate);
	decide(&gate, "regressed");
	text = write_report(&gate, "bmf", false, 0);
	expect_has(text, "{\"read (x) self\":{\"share\":{\"value\":0.28");
	expect_has(text, "},\"slowdown\":{\"value\":1.9998");
	expect_has(text, "\"main (x) total\":{\"share\":{\"value\":1}}");
	free(text);
	gate__free(&gate);
}

static void test_csv(void)
{
	struct gate gate = gate__new();
	char *text;

	put_slow_sort(&gate);
	decide(&gate, "regressed");
	text = write_report(&gate, "csv", false, 0);
	EXPECT(!strncmp(text, "name,module,domain,kind,verdict,fails,base_samples,", 51));
	expect_has(text, "\r\n\"sort\",\"x\",user,self,regressed,1,3010,0.05,6020,0.0952");
	expect_has(text, "\r\n\"main\",\"x\",user,total,not enough samples,0,60200,1,63210,1,");
	expect_has(text, ",,,,,\r\n"); /* main was not tested */
	free(text);
	gate__free(&gate);
}

static void test_formats(void)
{
	static const char *const names[] = {"text",   "markdown", "json", "junit",
					    "github", "bmf",	  "csv"};
	const size_t nr = sizeof(names) / sizeof(names[0]);

	for (size_t i = 0; i < nr; i++)
		EXPECT_STR(diff_report__format(i), names[i]);
	EXPECT(!diff_report__format(nr));
	EXPECT_EQ(diff_report__write(stdout, NULL, "xml"), -EINVAL);
}

/* Counts of other events have their own name in all reports, and verdicts keep theirs. */
static void test_noun(void)
{
	static const struct {
		const char *format, *part;
	} parts[] = {
		{"text", " 4 unchanged, 0 not enough <faults>)\n"},
		{"text", "base: 3 runs, 60200 <faults>; new: "},
		{"text", "a function with 10 % of the <faults> must have "},
		{"markdown", "base: 3 runs, 60200 <faults>; new: "},
		{"junit", ": 5.0 % of &lt;faults&gt;, now 9.5 %\"/>"},
		{"github", ": 5.0 %25 of <faults>, now 9.5 %25"},
	};
	struct metrics metrics = cpu_metrics;
	struct gate gate = gate__new();
	char *text;

	metrics.of[VALUE_COUNT].name = "<faults>";
	put_slow_sort(&gate);
	for (size_t i = 0; i < NR_RUNS; i++)
		profile__set_metrics(gate.models[i].profile, &metrics);
	decide(&gate, "regressed");
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		text = write_report(&gate, parts[i].format, false, 0);
		expect_has(text, parts[i].part);
		EXPECT(!strstr(text, " samples"));
		free(text);
	}
	text = write_report(&gate, "json", false, 0);
	expect_has(text, ",\"counted\":\"<faults>\",");
	free(text);
	gate__free(&gate);
}

/* A row is in percent, or in times, and never in powers of ten; and asks for what can be done. */
static void test_numbers(void)
{
	static const struct {
		double ratio, low, high, needed_runs, needed_length;
		const char *change, *interval, *remark;
	} cases[] = {
		{1.08, 0.95, 1.21, 7, 2.4, "+8.0 %", "-5 to +21 %",
		 "needs 7 runs a side, or runs 2.4 times as long"},
		{5.632, 0.86, 37, 4, 1, "5.6 times", "0.86 to 37 times", "needs 4 runs a side"},
		{0.92, 0.0001, 110, INFINITY, 0, "0.92 times", "<0.001 to 110 times",
		 "needs more than 1000 runs a side"},
		{66000, 25, 6.6e7, INFINITY, 12, ">1,000 times", "25 to >1,000 times",
		 "needs runs 12 times as long"},
		{12, 11, INFINITY, 1e12, 1e12, "12 times", "11 to >1,000 times",
		 "needs more than 1000 runs a side"},
	};
	struct decision_options options = decision_options__default();
	struct gate gate = gate__new();
	struct diff_report report = {.options = &options};
	struct finding *finding;

	put_slow_sort(&gate);
	decide(&gate, "regressed");
	report.match = gate.match;
	report.decision = &gate.decision;
	report.outcome = &gate.outcome;
	finding = &gate.decision.findings[0];
	gate.outcome.moved[0] = SIZE_MAX;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct unit_row row;

		*finding = (struct finding){
			.verdict = VERDICT_NOT_ENOUGH,
			.samples = {10, 10},
			.log_ratio = log(cases[i].ratio),
			.low = cases[i].low,
			.high = cases[i].high,
			.needed_runs = cases[i].needed_runs,
			.needed_length = cases[i].needed_length,
		};
		row = unit_row__of(&report, 0);
		EXPECT_STR(row.change, cases[i].change);
		EXPECT_STR(row.interval, cases[i].interval);
		EXPECT_STR(row.remark, cases[i].remark);
	}
	gate__free(&gate);
}

int main(void)
{
	static const struct test tests[] = {
		{"text", test_text},
		{"verdict lines", test_verdict_lines},
		{"what is not tested", test_untested},
		{"moved cost", test_moved},
		{"hostile names", test_hostile},
		{"markdown", test_markdown},
		{"Markdown of facts", test_markdown_facts},
		{"json", test_json},
		{"JUnit", test_junit},
		{"JUnit without decision", test_junit_without_decision},
		{"GitHub", test_github},
		{"Bencher", test_bmf},
		{"CSV", test_csv},
		{"formats", test_formats},
		{"what is counted", test_noun},
		{"numbers", test_numbers},
		{0},
	};

	return run_tests("reports", tests);
}
