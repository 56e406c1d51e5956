// SPDX-License-Identifier: GPL-2.0-only
/*
 * A comparison is a flame graph: its boxes have places and words, and foreign names do no harm in
 * them. The browser tests look at the page itself.
 */
#include <stdlib.h>
#include <string.h>

#include "diff/reports/report.h"
#include "gate.h"

static struct diff_report report_of(const struct gate *gate)
{
	static struct decision_options options;

	options = decision_options__default();
	return (struct diff_report){
		.match = gate->match,
		.decision = &gate->decision,
		.outcome = &gate->outcome,
		.options = &options,
	};
}

/* Both sides have 20,000 samples: draw halves, sort doubles. Each side is all of the width. */
static struct gate three_functions(void)
{
	struct gate gate = gate__new();

	put(&gate, 4000, 8000, "sort@x load@x main@x");
	put(&gate, 8000, 4000, "draw@x main@x");
	put(&gate, 8000, 8000, "main@x");
	return gate;
}

static char *write_picture(const struct gate *gate, bool page)
{
	struct diff_report report = report_of(gate);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(diff_picture__write(out, &report, page), 0);
	fclose(out);
	return text;
}

/* Own samples of main, 40 %, are on the left; draw is 40 and 20 %, load and sort 20 and 40 %. */
static void test_boxes(void)
{
	struct gate gate = three_functions();
	char *svg;

	decide_by(&gate, "regressed", MATCH_SUBTREES);
	svg = write_picture(&gate, false);
	EXPECT(strstr(svg, "<g class=\"box none\"><title>all samples but the machine's\n"
			   "100.00 % of base, 100.00 % of new</title>"
			   "<rect x=\"12.00\" y=\"105\" width=\"1175.20\""));
	EXPECT(strstr(svg, "<g class=\"box none\"><title>main (x)\n"));
	EXPECT(strstr(svg, "<g class=\"box improved\"><title>draw (x)\n"
			   "40.00 % of base, 20.00 % of new\nimproved: -50.0 % (-5"));
	EXPECT(strstr(svg, "<rect x=\"482.40\" y=\"71\" width=\"352.00\" height=\"16\" "
			   "fill=\"#2f7fbf\" rx=\"2\"/>"
			   "<text x=\"486.4\" y=\"83\" fill=\"#fff\">draw -50.0 %</text>"));
	EXPECT(strstr(svg, "<g class=\"box regressed\"><title>load (x)\n"
			   "20.00 % of base, 40.00 % of new\nregressed: +100.0 % (+"));
	EXPECT(strstr(svg, "<rect x=\"835.20\" y=\"71\" width=\"352.00\""));
	EXPECT(strstr(svg, "<rect x=\"835.20\" y=\"54\" width=\"352.00\""));
	EXPECT(strstr(svg, ">sort +100.0 %</text>"));
	EXPECT(strstr(svg, " subtrees tested ("));
	EXPECT(!strstr(svg, "narrower"));
	free(svg);
	gate__free(&gate);
}

/* A frame of one side only is half as wide as its share, framed or dashed. */
static void test_presence(void)
{
	struct gate gate = gate__new();
	char *svg;

	put(&gate, 0, 4000, "fresh@x main@x");
	put(&gate, 2000, 0, "old@x main@x");
	put(&gate, 8000, 6000, "main@x");
	decide_by(&gate, "regressed", MATCH_SUBTREES);
	svg = write_picture(&gate, false);
	EXPECT(strstr(svg, "<g class=\"box regressed new\"><title>fresh (x)\n"
			   "0.00 % of base, 40.00 % of new\nregressed: new"));
	EXPECT(strstr(svg, "<g class=\"box improved gone\"><title>old (x)\n"
			   "20.00 % of base, 0.00 % of new\nimproved: gone"));
	EXPECT(strstr(svg, "width=\"234.40\" height=\"16\" fill=\"#d6523b\" rx=\"2\" "
			   "stroke=\"#15181e\""));
	EXPECT(strstr(svg, "stroke-dasharray"));
	free(svg);
	gate__free(&gate);
}

/* Frames that are too narrow are not drawn, but they are counted, and so are their samples. */
static void test_narrow(void)
{
	struct gate gate = gate__new();
	char *svg;

	put(&gate, 9999900, 9999900, "main@x");
	put(&gate, 100, 100, "leaf@x narrow@x main@x");
	decide_by(&gate, "regressed", MATCH_SUBTREES);
	svg = write_picture(&gate, false);
	EXPECT(strstr(svg, "2 frames narrower than a pixel not drawn"));
	EXPECT(!strstr(svg, "leaf"));
	EXPECT(strstr(svg, "100.00 % of base, 100.00 % of new"));
	free(svg);
	gate__free(&gate);
}

static void test_hostile(void)
{
	struct gate gate = gate__new();
	char *svg, *page;

	put(&gate, 4000, 8000, "</script><script>\033[31m\"'&@</svg>\r main@x");
	put(&gate, 8000, 8000, "main@x");
	decide_by(&gate, "regressed", MATCH_SUBTREES);
	svg = write_picture(&gate, false);
	EXPECT(!strchr(svg, '\033') && !strchr(svg, '\r'));
	EXPECT(!strstr(svg, "<script") && !strstr(svg, "(</svg>"));
	EXPECT(strstr(svg, "&lt;/script&gt;&lt;script&gt;\\x1b[31m&quot;&#39;&amp;"));
	page = write_picture(&gate, true);
	EXPECT(!strstr(page, "<script>\\x1b") && !strchr(page, '\033') && !strchr(page, '\r'));
	EXPECT(!strstr(page, "</svg>\r") && !strstr(page, "[31m"));
	free(svg);
	free(page);
	gate__free(&gate);
}

/* Without samples there is nothing to draw, and nothing to divide by. */
static void test_empty(void)
{
	struct gate none = gate__new(), one = gate__new();
	char *svg;

	decide_by(&none, "regressed", MATCH_SUBTREES);
	svg = write_picture(&none, false);
	EXPECT(strstr(svg, "nothing compared") && !strstr(svg, "nan"));
	free(svg);
	gate__free(&none);

	put(&one, 100, 0, "a@x main@x");
	decide_by(&one, "regressed", MATCH_SUBTREES);
	svg = write_picture(&one, false);
	EXPECT(strstr(svg, "class=\"box none gone\"") && !strstr(svg, "nan"));
	free(svg);
	gate__free(&one);
}

int main(void)
{
	static const struct test tests[] = {
		{"boxes", test_boxes},		{"what only one side has", test_presence},
		{"narrow frames", test_narrow}, {"hostile names", test_hostile},
		{"empty sides", test_empty},	{0},
	};

	return run_tests("diff_picture", tests);
}
