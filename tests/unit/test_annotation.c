// SPDX-License-Identifier: GPL-2.0-only
/*
 * An annotation tells where in a function the samples are: lines, addresses, inlined code,
 * recursion; and which function is meant.
 */
#include "expect.h"
#include "model.h"
#include "profile/annotation.h"

#define SELF(line)  ((line).values.self[VALUE_COUNT])
#define CALLS(line) ((line).values.calls[VALUE_COUNT])

static uint32_t frame(const struct model *model, const char *function, uint64_t address,
		      uint32_t line, bool inlined)
{
	return dictionary__add_frame(model->dictionary, &(struct frame){.function = function,
									.module = "m",
									.path = "/m",
									.build_id = "ab",
									.file = line ? "a.c" : NULL,
									.line = line,
									.address = address,
									.inlined = inlined});
}

static void sample(struct model *model, const uint32_t *frames, size_t nr_frames, uint64_t count)
{
	const struct process process = {.pid = 1, .comm = "a"};
	const struct sample one = {
		.process = dictionary__add_process(model->dictionary, &process),
		.stack = dictionary__add_stack(model->dictionary, frames, nr_frames),
		.values = {count, 10 * count},
	};

	profile__add(model->profile, &one);
}

static struct annotation annotate(const struct model *model, const char *name)
{
	struct annotated_function *functions = NULL;
	struct annotation annotation = {0};

	EXPECT_EQ(annotation__search(model->profile, name, &functions), 1);
	annotation__make(&annotation, model->profile, &functions[0]);
	free(functions);
	return annotation;
}

/* f runs at two lines, and calls g at one of them. */
static void test_lines(void)
{
	struct model model = model__new();
	const uint32_t main_at = frame(&model, "main", 0x50, 90, false);
	const uint32_t first[] = {frame(&model, "f", 0x10, 1, false), main_at};
	const uint32_t second[] = {frame(&model, "f", 0x14, 2, false), main_at};
	const uint32_t called[] = {frame(&model, "g", 0x80, 40, false),
				   frame(&model, "f", 0x18, 2, false), main_at};
	struct annotation f;

	sample(&model, first, 2, 3);
	sample(&model, second, 2, 5);
	sample(&model, called, 3, 7);
	f = annotate(&model, "f");
	EXPECT_EQ(f.values.self[VALUE_COUNT], 8);
	EXPECT_EQ(f.values.self[VALUE_WEIGHT], 80);
	EXPECT_EQ(f.values.calls[VALUE_COUNT], 7);
	EXPECT_EQ(f.total[VALUE_COUNT], 15);
	EXPECT_EQ(f.nr_lines, 2);
	EXPECT_EQ(SELF(f.lines[0]), 3);
	EXPECT_EQ(SELF(f.lines[1]), 5);
	EXPECT_EQ(CALLS(f.lines[1]), 7);
	EXPECT_EQ(f.nr_addresses, 3);
	EXPECT_EQ(f.addresses[0].role, ADDRESS_RUNS);
	EXPECT_EQ(f.addresses[2].role, ADDRESS_RETURNS);
	EXPECT_EQ(f.addresses[2].address, 0x18);
	EXPECT_EQ(f.nr_hosts, 0);
	annotation__fini(&f);
	model__free(&model);
}

/* h is inlined into g, and that into f, at one address of f. */
static void test_inlined(void)
{
	struct model model = model__new();
	const uint32_t stack[] = {frame(&model, "h", 0x10, 30, true),
				  frame(&model, "g", 0x10, 20, true),
				  frame(&model, "f", 0x10, 10, false)};
	struct annotation f, g;

	sample(&model, stack, 3, 4);
	f = annotate(&model, "f");
	EXPECT_EQ(f.nr_lines, 2);
	EXPECT_EQ(f.lines[0].line, 10);
	EXPECT(!f.lines[0].inlined);
	EXPECT_STR(f.lines[1].inlined, "h");
	EXPECT_EQ(f.lines[1].inlined_line, 30);
	EXPECT_EQ(SELF(f.lines[0]), 4);
	EXPECT_EQ(SELF(f.lines[1]), 4);
	EXPECT_EQ(f.nr_addresses, 1);
	g = annotate(&model, "g");
	EXPECT_EQ(g.lines[0].line, 20);
	EXPECT_EQ(g.values.self[VALUE_COUNT], 4);
	EXPECT_EQ(g.nr_addresses, 0);
	EXPECT_EQ(g.nr_hosts, 1);
	EXPECT_STR(g.hosts[0].function, "f");
	annotation__fini(&f);
	annotation__fini(&g);
	model__free(&model);
}

/*
 * The stack has the function thrice, twice at one call: that call counts once, and the leaf as
 * self.
 */
static void test_recursion(void)
{
	struct model model = model__new();
	const uint32_t call = frame(&model, "f", 0x18, 2, false);
	const uint32_t stack[] = {frame(&model, "f", 0x14, 2, false), call, call,
				  frame(&model, "main", 0x50, 90, false)};
	struct annotation f;

	sample(&model, stack, 4, 6);
	f = annotate(&model, "f");
	EXPECT_EQ(f.total[VALUE_COUNT], 6);
	EXPECT_EQ(f.nr_lines, 1);
	EXPECT_EQ(SELF(f.lines[0]), 6);
	EXPECT_EQ(CALLS(f.lines[0]), 6);
	EXPECT_EQ(f.nr_addresses, 2);
	EXPECT_EQ(CALLS(f.addresses[1]), 6);
	annotation__fini(&f);
	model__free(&model);
}

/*
 * A caller of the kernel runs at the address of its system call, not behind a call; a part that
 * compilers made is the function's.
 */
static void test_kernel_and_parts(void)
{
	struct model model = model__new();
	struct annotation f;

	add(&model, "a", 1, 2, "read@[kernel] f@m+20 main@m");
	add(&model, "a", 1, 3, "f.cold@m+90 main@m");
	f = annotate(&model, "f");
	EXPECT_EQ(f.values.calls[VALUE_COUNT], 2);
	EXPECT_EQ(f.values.self[VALUE_COUNT], 3);
	EXPECT_EQ(f.nr_addresses, 2);
	EXPECT_EQ(f.addresses[0].role, ADDRESS_RUNS);
	EXPECT_EQ(f.addresses[0].address, 0x20);
	EXPECT_EQ(f.nr_lines, 1);
	EXPECT(!f.lines[0].file);
	annotation__fini(&f);
	model__free(&model);
}

static long search(const struct model *model, const char *name, const char **module)
{
	struct annotated_function *functions = NULL;
	const long nr = annotation__search(model->profile, name, &functions);

	*module = nr > 0 ? functions[0].module : NULL;
	free(functions);
	return nr;
}

static void test_names(void)
{
	struct model model = model__new();
	const char *module;

	add(&model, "a", 1, 1, "free@libc main@m");
	add(&model, "a", 1, 5, "free@m main@m");
	add(&model, "a", 1, 1, "ns::f(int)@m ns::f(char)@m ns::g()@m main@m");
	add(&model, "a", 1, 1, "ns::g@lib main@m");
	EXPECT_EQ(search(&model, "free", &module), 2);
	EXPECT_STR(module, "m"); /* the one with most samples */
	EXPECT_EQ(search(&model, "libc:free", &module), 1);
	EXPECT_STR(module, "libc");
	EXPECT_EQ(search(&model, "ns::f", &module), 2);
	EXPECT_EQ(search(&model, "ns::f(int)", &module), 1);
	EXPECT_EQ(search(&model, "ns::g", &module),
		  1); /* called so, not just so up to parameters */
	EXPECT_STR(module, "lib");
	EXPECT_EQ(search(&model, "", &module), 0);
	EXPECT_EQ(search(&model, "fre", &module), 0);
	EXPECT_EQ(search(&model, "ns…g()", &module), 1);
	EXPECT_EQ(search(&model, "n…:f(…t)", &module), 1);
	EXPECT_EQ(search(&model, "ns::f(…)", &module), 2);	 /* of which one is to be chosen */
	EXPECT_EQ(search(&model, "ns::f(int…int)", &module), 0); /* one place is not two */
	EXPECT_EQ(search(&model, "s::…()", &module), 0);
	EXPECT_EQ(search(&model, "m:ns::f(…t)", &module), 1);
	EXPECT_EQ(search(&model, "lib:ns::f(…t)", &module), 0);
	EXPECT_STR(annotation__near(model.profile, "fre"), "free");
	EXPECT(!annotation__near(model.profile, "entirely"));
	model__free(&model);
}

/* A name with blanks, which part the frames of add(). */
static void add_function(struct model *model, const char *name, const char *module)
{
	const struct frame frame = {.function = name, .module = module};
	uint32_t id = dictionary__add_frame(model->dictionary, &frame);
	const struct sample sample = {.process = model__process(model, "a", 1),
				      .stack = dictionary__add_stack(model->dictionary, &id, 1),
				      .values = {1, 1}};

	profile__add(model->profile, &sample);
}

/*
 * Views leave out return types of C++ functions, and with little room the parameters of functions
 * and templates.
 */
static void test_templates(void)
{
	struct model model = model__new();
	const char *module;

	add(&model, "a", 1, 1,
	    "ns::list<char>::take<ns::less>(int)@m ns::list<int>::operator<(int)@m");
	add_function(&model, "std::vector<int> ns::make<int>(int) const", "m");
	EXPECT_EQ(search(&model, "ns::make", &module), 1);
	EXPECT_EQ(search(&model, "std::v…(int) const", &module), 1);
	EXPECT_EQ(search(&model, "ns::m…(int) const", &module), 1);
	EXPECT_EQ(search(&model, "ns::m…e<int>", &module), 1);
	EXPECT_EQ(search(&model, "ns::list<char>::take<ns::less>", &module), 1);
	EXPECT_EQ(search(&model, "ns::list<>::take<>", &module), 1);
	EXPECT_EQ(search(&model, "ns::list::take", &module), 1);
	EXPECT_EQ(search(&model, "ns::list::operator<", &module), 1);
	EXPECT_EQ(search(&model, "ns::list<>::operator<", &module), 1);
	EXPECT_EQ(search(&model, "ns::list", &module), 0);
	EXPECT_EQ(search(&model, "ns::list::take::more", &module), 0);
	EXPECT_EQ(search(&model, "take", &module), 0);
	EXPECT_EQ(search(&model, "ns::l…ns::less>(int)", &module), 1);
	EXPECT_EQ(search(&model, "ns::l…ns::less>", &module), 1);
	EXPECT_EQ(search(&model, "ns::l…ns::le", &module), 0);
	EXPECT_EQ(search(&model, "m:ns::list<ch…", &module), 1);
	model__free(&model);
}

int main(void)
{
	static const struct test tests[] = {
		{"lines and addresses", test_lines},
		{"what was inlined", test_inlined},
		{"recursion", test_recursion},
		{"the kernel, and parts of functions", test_kernel_and_parts},
		{"names", test_names},
		{"names of templates", test_templates},
		{0},
	};

	return run_tests("annotation", tests);
}
