// SPDX-License-Identifier: GPL-2.0-only
/* A stack on one line: frames are left out where they do not fit. */
#include "live/stack_line.h"

#include "expect.h"
#include "model.h"
#include "views/pen.h"

#define NR_COLUMNS 60

/* Returns the line of a stack, whose frame "differs" is in no other; "." is an unwritten cell. */
static const char *paint(const struct model *model, uint32_t stack, size_t differs)
{
	static char text[4 * NR_COLUMNS + 1];
	struct canvas canvas = {0};
	struct stack_line line = {
		.dictionary = model->dictionary, .most_name = 32, .differs = differs};
	struct pen pen;

	EXPECT_EQ(canvas__resize(&canvas, 1, NR_COLUMNS), 0);
	line.frames = dictionary__stack(model->dictionary, stack, &line.nr_frames);
	pen = pen__on_canvas(&canvas, 0, 0, NR_COLUMNS);
	stack_line__paint(&line, &pen);
	text[0] = '\0';
	for (size_t i = 0; i < NR_COLUMNS; i++) {
		const struct cell *cell = canvas__cell(&canvas, 0, i);

		strcat(text, !cell->columns ? "" : *cell->text ? cell->text : ".");
	}
	canvas__fini(&canvas);
	text[strcspn(text, ".")] = '\0';
	return text;
}

static size_t nr_common(const struct model *model, uint32_t a, uint32_t b)
{
	struct stack_line line = {.dictionary = model->dictionary};
	size_t nr;
	const uint32_t *frames = dictionary__stack(model->dictionary, b, &nr);

	line.frames = dictionary__stack(model->dictionary, a, &line.nr_frames);
	return stack_line__nr_common(&line, frames, nr);
}

/* The way through the kernel, or the common part of two stacks, leaves room to their difference. */
static void test_where_they_differ(void)
{
	struct model model = model__new();
	const struct sample *samples;
	size_t nr;

	add(&model, "prog", 1, 1,
	    "send_one@[kernel] queue_it@[kernel] find_route@[kernel] do_send@[kernel] "
	    "sys_send@[kernel] send@libc.so write_reply@prog one@prog main@prog");
	add(&model, "prog", 1, 1,
	    "send_one@[kernel] queue_it@[kernel] find_route@[kernel] do_send@[kernel] "
	    "sys_send@[kernel] send@libc.so write_reply@prog other@prog main@prog");
	add(&model, "prog", 1, 1, "send@libc.so main@prog");
	samples = profile__samples(model.profile, &nr);
	EXPECT_EQ(nr, 3);
	EXPECT_STR(paint(&model, samples[0].stack, 0),
		   "send_one [k] ← queue_it [k] ← … ← send ← write_reply ← one …");
	EXPECT_EQ(nr_common(&model, samples[0].stack, samples[1].stack), 7);
	EXPECT_EQ(nr_common(&model, samples[0].stack, samples[2].stack), 0);
	EXPECT_STR(paint(&model, samples[1].stack, 7),
		   "send_one [k] ← queue_it [k] ← find_route [k] ← … ← other …");
	/* The frame that differs is shown anyway. */
	EXPECT_STR(paint(&model, samples[1].stack, 1), paint(&model, samples[1].stack, 0));
	EXPECT_STR(paint(&model, samples[2].stack, 1), "send ← main");
	model__free(&model);
}

/* Room that is left is used, and the frame that differs is shortened before it is left out. */
static void test_long_names(void)
{
	struct model model = model__new();
	const struct sample *samples;
	size_t nr;

	add(&model, "prog", 1, 1,
	    "a_function_with_a_long_name@prog another_function_of_that_kind@prog "
	    "the_third_of_these_functions@prog the_one_in_which_they_are_not_alike@prog main@prog");
	samples = profile__samples(model.profile, &nr);
	EXPECT_STR(paint(&model, samples[0].stack, 0),
		   "a_function_with_a_long_name ← another_fu…tion_of_that_kind …");
	EXPECT(strstr(paint(&model, samples[0].stack, 3), "← … ← the_one"));
	model__free(&model);
}

int main(void)
{
	static const struct test tests[] = {
		{"the frame in which stacks differ stays", test_where_they_differ},
		{"long names", test_long_names},
		{0},
	};

	return run_tests("stack line", tests);
}
