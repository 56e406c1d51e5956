// SPDX-License-Identifier: GPL-2.0-only
/* Flame graphs of waits tell the parts of a frame's time, in words and colours. */
#include <string.h>

#include "expect.h"
#include "flame/colors.h"
#include "flame/parts.h"
#include "formats/formats.h"
#include "waiting_model.h"

static char *svg_of(const struct profile *profile)
{
	const struct flame_options options = {0};
	size_t size;
	char *text;
	FILE *out = open_memstream(&text, &size);

	EXPECT_EQ(flame__write_svg(out, profile, &options), 0);
	fclose(out);
	return text;
}

/* Returns the box whose tooltip begins so, up to its end; valid until the next call. */
static const char *box_of(const char *svg, const char *title)
{
	static char box[2000];
	const char *begin = strstr(svg, title);

	EXPECT(begin);
	snprintf(box, sizeof(box), "%.*s", begin ? (int)(strstr(begin, "</g>") - begin) : 0,
		 begin ? begin : "");
	return box;
}

static void expect_color(const char *box, enum wait_state state, const char *function)
{
	const struct tree_name name = {.text = function};
	char fill[32];

	snprintf(fill, sizeof(fill), "fill=\"#%06x\"", color__of_state(state__style(state), &name));
	EXPECT(strstr(box, fill));
}

static void test_picture(void)
{
	struct model model = model__new();
	const char *box;
	char *svg;

	add_server(&model);
	svg = svg_of(model.profile);
	box = box_of(svg, "<title>lock (libc): 500 ms");
	EXPECT(strstr(box, "\nblocked 60.00%, woken 40.00%\nfor lock 100.00%</title>"));
	expect_color(box, WAIT_INTERRUPTIBLE, "lock");
	box = box_of(svg, "<title>main (server): 1 s");
	EXPECT(strstr(box, "\nblocked 74.00%, woken 20.00%, preempted 5.00%, stopped 1.00%\n"
			   "for lock 50.00%, net 40.00%, disk 4.00%</title>"));
	box = box_of(svg, "<title>parse (server)");
	expect_color(box, WAIT_PREEMPTED, "parse");
	expect_color(box_of(svg, "<title>fsync (libc)"), WAIT_DISK, "fsync");
	EXPECT(strstr(svg, ">blocked <tspan fill=\"#5c6370\">74.0%"));
	EXPECT(strstr(svg, ">for net <tspan fill=\"#5c6370\">40.0%"));
	free(svg);
	model__free(&model);
}

/* The strip of a frame in several states is as wide as the frame; one state has none. */
static void test_strip(void)
{
	struct model model = model__new();
	const char *at;
	double width, sum = 0, whole = 0;
	char *svg;

	add_server(&model);
	svg = svg_of(model.profile);
	at = box_of(svg, "<title>lock (libc)");
	while ((at = strstr(at, "width=\""))) {
		width = strtod(at + strlen("width=\""), NULL);
		if (whole > 0)
			sum += width;
		else
			whole = width;
		at++;
	}
	EXPECT_NEAR(sum, whole, 1);
	at = box_of(svg, "<title>recv (libc)");
	at = strstr(at, "<rect");
	EXPECT(at && !strstr(at + 1, "<rect"));
	free(svg);
	model__free(&model);
}

/* Where nothing is told of waits, pictures are as they were. */
static void test_none(void)
{
	struct model model = model__new();
	const struct tree_name name = {.text = "read", .module = "libc"};
	char *svg, fill[32];

	add(&model, "sh", 1, 30, "read@libc main@sh");
	svg = svg_of(model.profile);
	snprintf(fill, sizeof(fill), "fill=\"#%06x\"", color__of_name(&name));
	EXPECT(strstr(box_of(svg, "<title>read (libc)"), fill));
	EXPECT(!strstr(svg, "blocked"));
	free(svg);
	model__free(&model);
}

/* Some stacks tell of their waits and others do not: the shares are of all of them. */
static void test_partly(void)
{
	struct model model = model__new();
	struct wait_parts parts = {0};
	struct wait_sums sums;
	struct tree *tree;

	add_server(&model);
	add_waiting(&model, "server", 0, 1, 7, "recv@libc main@server");
	tree = tree__new(model.profile, MERGE_BY_COMM, TREE_FROM_ROOT);
	wait_parts__add(&parts, tree, model.profile);
	EXPECT_EQ(parts.nr, 6); /* one for each wait */
	sums = wait_parts__sum(&parts, VALUE_WEIGHT, 0, tree__nr_stacks(tree));
	EXPECT_EQ(sums.states[WAIT_INTERRUPTIBLE], 740000000);
	EXPECT_EQ(sums.states[WAIT_DISK], 0); /* it looks like the others that are blocked */
	EXPECT_EQ(sums.states[WAIT_WOKEN], 200000000);
	EXPECT_EQ(sums.kinds[WAIT_FOR_LOCK], 500000000);
	EXPECT_EQ(wait_sums__most(&sums), WAIT_INTERRUPTIBLE);
	sums = wait_parts__sum(&parts, VALUE_COUNT, 0, tree__nr_stacks(tree));
	EXPECT_EQ(sums.states[WAIT_INTERRUPTIBLE], 8);
	EXPECT_EQ(sums.states[WAIT_WOKEN], 0);
	wait_parts__free(&parts);
	tree__free(tree);
	model__free(&model);
}

/* The account of wall time is among the facts. */
static void test_wall(void)
{
	const struct write_options options = {0};
	struct recording recording = waiting_recording();
	size_t size;
	char *svg;
	FILE *out = open_memstream(&svg, &size);

	recording.ledger.wall_ns = 1500000000;
	recording.ledger.running_ns = 500000000;
	recording.ledger.runnable_ns = 250000000;
	recording.ledger.blocked_ns = 750000000;
	EXPECT_EQ(svg__write(out, &recording, &options), 0);
	fclose(out);
	EXPECT(strstr(svg,
		      " · 1.5 s of threads = 500 ms running + 250 ms runnable + 750 ms blocked"));
	free(svg);
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"a picture", test_picture},
		{"the strip of a frame", test_strip},
		{"no waits", test_none},
		{"sums of stacks", test_partly},
		{"the account of wall time", test_wall},
		{0},
	};

	return run_tests("flame graphs of waits", tests);
}
