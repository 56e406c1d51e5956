// SPDX-License-Identifier: GPL-2.0-only
/* The differential flame graph: where boxes are, what they say, and what foreign names may not do.
 */
#include <stdlib.h>
#include <string.h>

#include "flame/overlay.h"
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

static const struct flame_box *find_box(const struct flame *flame, const struct gate *gate,
					const char *path)
{
	for (size_t i = 1; i < flame->nr_boxes; i++) {
		char *name = match__full_name(gate->match, flame->boxes[i].unit);
		bool found = !strcmp(name, path);

		free(name);
		if (found)
			return &flame->boxes[i];
	}
	EXPECT_STR("no box", path);
	return &flame->boxes[0];
}

/* Of both sides 20,000 samples: draw halves, sort doubles. Each side is all of the width. */
static struct gate three_functions(void)
{
	struct gate gate = gate__new();

	put(&gate, 4000, 8000, "sort@x load@x main@x");
	put(&gate, 8000, 4000, "draw@x main@x");
	put(&gate, 8000, 8000, "main@x");
	decide_by(&gate, "regressed", MATCH_SUBTREES);
	return gate;
}

static void test_layout(void)
{
	struct gate gate = three_functions();
	struct diff_report report = report_of(&gate);
	const struct flame_box *main, *draw, *load, *sort;
	struct flame flame;

	EXPECT_EQ(flame__init(&flame, &report, 0), 0);
	EXPECT_EQ(flame.nr_boxes, 5);
	EXPECT_EQ(flame.nr_rows, 4);
	EXPECT_NEAR(flame.boxes[0].width, 1, 1e-12);
	main = find_box(&flame, &gate, "main");
	draw = find_box(&flame, &gate, "main;draw");
	load = find_box(&flame, &gate, "main;load");
	sort = find_box(&flame, &gate, "main;load;sort");
	EXPECT_NEAR(main->width, 1, 1e-12);
	EXPECT_NEAR(draw->left, 0, 1e-12);
	EXPECT_NEAR(draw->width, 0.3, 1e-3);
	EXPECT_NEAR(draw->share[SIDE_BASE], 0.4, 1e-3);
	EXPECT_NEAR(draw->share[SIDE_NEW], 0.2, 1e-3);
	EXPECT_NEAR(load->left, draw->width, 1e-12);
	EXPECT_NEAR(sort->left, load->left, 1e-12);
	EXPECT_NEAR(sort->width, load->width, 1e-12);
	EXPECT_EQ(main->tone, TONE_NONE);
	EXPECT_EQ(draw->tone, TONE_IMPROVED);
	EXPECT_EQ(sort->tone, TONE_REGRESSED);
	flame__fini(&flame);

	EXPECT_EQ(flame__init(&flame, &report, 0.5), 0);
	EXPECT_EQ(flame.nr_boxes, 2);
	EXPECT_EQ(flame.nr_hidden, 3);
	flame__fini(&flame);
	gate__free(&gate);
}

static char *write_flame(const struct gate *gate, bool page)
{
	struct diff_report report = report_of(gate);
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(diff_flame__write(out, &report, page), 0);
	fclose(out);
	return text;
}

static void test_hostile(void)
{
	struct gate gate = gate__new();

	put(&gate, 4000, 8000, "</script><script>\033[31m\"'&@</svg>\r main@x");
	put(&gate, 8000, 8000, "main@x");
	decide_by(&gate, "regressed", MATCH_SUBTREES);
	for (int page = 0; page < 2; page++) {
		char *text = write_flame(&gate, page);

		EXPECT(!strchr(text, '\033') && !strchr(text, '\r'));
		EXPECT(!strstr(text, "</script><") && !strstr(text, "(</svg>"));
		EXPECT(strstr(text, "&lt;/script&gt;&lt;script&gt;\\x1b[31m&quot;&#39;&amp;"));
		free(text);
	}
	gate__free(&gate);
}

/* Without samples there is nothing to draw, and nothing to divide by. */
static void test_empty(void)
{
	struct gate none = gate__new(), one = gate__new();
	char *text;

	decide_by(&none, "regressed", MATCH_SUBTREES);
	text = write_flame(&none, false);
	EXPECT(strstr(text, "nothing compared") && !strstr(text, "nan"));
	free(text);
	gate__free(&none);

	put(&one, 100, 0, "a@x main@x");
	decide_by(&one, "regressed", MATCH_SUBTREES);
	text = write_flame(&one, true);
	EXPECT(strstr(text, "class=\"box none gone\"") && !strstr(text, "nan"));
	free(text);
	gate__free(&one);
}

int main(void)
{
	static const struct test tests[] = {
		{"layout", test_layout},
		{"hostile names", test_hostile},
		{"empty sides", test_empty},
		{0},
	};

	return run_tests("diff_picture", tests);
}
