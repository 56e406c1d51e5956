// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "expect.h"
#include "model.h"
#include "profile/recording.h"
#include "profile/select/choice.h"

static struct model example(void)
{
	struct model model = model__new();

	add(&model, "server", 1, 50, "read@libc serve@server main@server");
	add(&model, "server", 2, 30, "serve@server serve@server main@server");
	add(&model, "tool", 3, 20, "read@tool main@tool");
	return model;
}

static void expect_group(const struct group_row *row, const char *name, uint64_t self,
			 uint64_t total)
{
	EXPECT_STR(row->name, name);
	EXPECT_EQ(row->self, self);
	EXPECT_EQ(row->total, total);
}

static void test_functions(void)
{
	struct metrics metrics = cpu_metrics;
	struct model model = example();
	struct group_row *rows;

	EXPECT_EQ(profile__group(model.profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &rows), 5);
	expect_group(&rows[0], "read", 50, 50);
	expect_group(&rows[1], "serve", 30, 80); /* recursion counts once */
	expect_group(&rows[2], "read", 20, 20);	 /* another module's */
	expect_group(&rows[3], "main", 0, 80);
	free(rows);
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_FUNCTION, SORT_BY_TOTAL, &rows), 5);
	expect_group(&rows[0], "serve", 30, 80);
	free(rows);
	metrics.shown = VALUE_WEIGHT;
	profile__set_metrics(model.profile, &metrics);
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_FUNCTION, SORT_BY_NAME, &rows), 5);
	expect_group(&rows[0], "main", 0, 800000000);
	free(rows);
	model__free(&model);
}

/*
 * A compiler's part of f is f in function views, and itself in the data; a JIT's names stay whole.
 */
static void test_suffixes(void)
{
	struct model model = model__new();
	struct group_row *rows;

	add(&model, "m", 1, 8, "f.isra.0@m f.cold@m f.part.3.constprop.1@m f@m");
	add(&model, "m", 1, 4, "g.llvm.123456@m f.cold@other");
	add(&model, "m", 1, 2, "h.cold@perf.map .cold@m main.f@m");
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &rows), 6);
	expect_group(&rows[0], "f", 8, 8);
	expect_group(&rows[1], "g", 4, 4);
	expect_group(&rows[2], "h.cold", 2, 2);
	expect_group(&rows[3], "f", 0, 4); /* another module's */
	expect_group(&rows[4], ".cold", 0, 2);
	expect_group(&rows[5], "main.f", 0, 2);
	free(rows);
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_SYMBOL, SORT_BY_NAME, &rows), 9);
	expect_group(&rows[1], "f", 0, 8);
	expect_group(&rows[2], "f.cold", 0, 8);
	free(rows);
	EXPECT_STR(dictionary__frame_name(model.dictionary, 0), "f.isra.0");
	model__free(&model);
}

/* Where the source tells that dots are the language's, a name is no copy's. */
static void test_languages(void)
{
	static const struct frame frames[] = {
		{.function = "main.cold", .module = "m", .file = "/src/main.go"},
		{.function = "exports.default", .module = "m", .file = "a.b/index.js"},
		{.function = "f.cold", .module = "m", .file = "/src.go/f.c"},
		{.function = "g.default.1", .module = "m", .file = "g"},
	};
	struct model model = model__new();
	struct sample sample = {.values = {1, 1}, .process = model__process(&model, "m", 1)};
	struct group_row *rows;
	uint32_t ids[4];

	for (size_t i = 0; i < 4; i++)
		ids[i] = dictionary__add_frame(model.dictionary, &frames[i]);
	sample.stack = dictionary__add_stack(model.dictionary, ids, 4);
	profile__add(model.profile, &sample);
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_FUNCTION, SORT_BY_NAME, &rows), 4);
	expect_group(&rows[0], "exports.default", 0, 1);
	expect_group(&rows[1], "f", 0, 1);
	expect_group(&rows[2], "g", 0, 1);
	expect_group(&rows[3], "main.cold", 1, 1);
	free(rows);
	model__free(&model);
}

static void test_demangled(void)
{
	static const char *const names[] = {"ns::f(int) [clone .cold]", "ns::f(int) (.llvm.7)",
					    "ns::f(int) [clone .isra.0] [clone .cold]",
					    "ns::f(int)"};
	struct model model = model__new();
	struct sample sample = {.values = {1, 1}, .process = model__process(&model, "m", 1)};
	struct group_row *rows;
	uint32_t frames[4];

	for (size_t i = 0; i < 4; i++)
		frames[i] = dictionary__add_frame(
			model.dictionary, &(struct frame){.function = names[i], .module = "m"});
	sample.stack = dictionary__add_stack(model.dictionary, frames, 4);
	profile__add(model.profile, &sample);
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &rows), 1);
	expect_group(&rows[0], "ns::f(int)", 1, 1);
	free(rows);
	model__free(&model);
}

static void test_others(void)
{
	struct model model = example();
	struct group_row *rows;

	EXPECT_EQ(profile__group(model.profile, GROUP_BY_MODULE, SORT_BY_TOTAL, &rows), 3);
	expect_group(&rows[0], "server", 30, 80);
	expect_group(&rows[1], "libc", 50, 50);
	free(rows);
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_PROCESS, SORT_BY_SELF, &rows), 3);
	expect_group(&rows[0], "server (1)", 50, 50);
	expect_group(&rows[2], "tool (3)", 20, 20);
	free(rows);
	model__free(&model);
}

/*
 * Threads have the names that they gave themselves, each name that they had; also in another
 * profile.
 */
static void test_threads(void)
{
	struct model model = model__new(), other = model__new();
	struct group_row *rows;

	add_thread(&model, "java", 7, 11, 2, "a@m");
	add_named_thread(&model, "java", 7, 11, "java", 30, "a@m");
	add_named_thread(&model, "java", 7, 12, "C2 CompilerThre", 20, "a@m");
	add_named_thread(&model, "java", 7, 12, "C2 CompilerThre", 5, "b@m");
	add_named_thread(&model, "java", 7, 12, "java", 1, "b@m");
	add(&other, "x", 1, 1, "z@m"); /* its strings have other numbers */
	EXPECT_EQ(profile__merge(other.profile, model.profile), 0);
	model__free(&model);
	EXPECT_EQ(profile__group(other.profile, GROUP_BY_THREAD, SORT_BY_SELF, &rows), 4);
	expect_group(&rows[0], "java (7/11)", 32, 32);
	expect_group(&rows[1], "C2 CompilerThre (12) of java (7)", 25, 25);
	expect_group(&rows[2], "java (7/12)", 1, 1);
	free(rows);
	EXPECT_EQ(profile__group(other.profile, GROUP_BY_PROCESS, SORT_BY_SELF, &rows), 2);
	expect_group(&rows[0], "java (7)", 58, 58);
	free(rows);
	model__free(&other);
}

static void test_lines(void)
{
	struct model model = model__new();
	struct frame frame = {.function = "f", .module = "m", .file = "f.c", .line = 3};
	struct sample sample = {.values = {1, 1}, .process = model__process(&model, "m", 1)};
	struct group_row *rows;
	uint32_t id;

	for (uint32_t line = 3; line < 6; line++) {
		frame.line = line;
		id = dictionary__add_frame(model.dictionary, &frame);
		sample.stack = dictionary__add_stack(model.dictionary, &id, 1);
		sample.values[VALUE_COUNT] = line;
		profile__add(model.profile, &sample);
	}
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_LINE, SORT_BY_SELF, &rows), 3);
	expect_group(&rows[0], "f.c:5", 5, 5);
	free(rows);
	EXPECT_EQ(profile__group(model.profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &rows), 1);
	free(rows);
	model__free(&model);
}

static uint64_t total_with(const char *focus, const char *ignore)
{
	struct model model = example();
	struct recording recording;
	uint64_t total;

	recording__init(&recording);
	profile__merge(recording.profile, model.profile);
	EXPECT_EQ(recording__choose(&recording, &(struct choice){.focus = focus, .ignore = ignore},
				    NULL),
		  0);
	total = profile__total(recording.profile, VALUE_COUNT);
	recording__fini(&recording);
	model__free(&model);
	return total;
}

static void test_filter(void)
{
	struct recording recording;
	struct error err;

	EXPECT_EQ(total_with(NULL, NULL), 100);
	EXPECT_EQ(total_with("^read$", NULL), 70);
	EXPECT_EQ(total_with(NULL, "^read$"), 30);
	EXPECT_EQ(total_with("serve", "^libc$"), 30); /* a module */
	EXPECT_EQ(total_with("nowhere", NULL), 0);
	recording__init(&recording);
	EXPECT_EQ(recording__choose(&recording, &(struct choice){.focus = "("}, &err), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	recording__fini(&recording);
}

/* The brackets of the name are groups to an expression, and its plus is a repetition. */
static void test_shown_name(void)
{
	const char *name = "ns::A::operator+(int, char*)";
	struct model model = model__new();
	struct frame frame = {.function = name, .module = "m"};
	uint32_t id = dictionary__add_frame(model.dictionary, &frame);
	struct sample sample = {.values = {7, 7},
				.process = model__process(&model, "m", 1),
				.stack = dictionary__add_stack(model.dictionary, &id, 1)};
	struct recording recording;

	profile__add(model.profile, &sample);
	recording__init(&recording);
	profile__merge(recording.profile, model.profile);
	EXPECT_EQ(recording__choose(&recording, &(struct choice){.focus = name}, NULL), 0);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 7);
	EXPECT_EQ(recording__choose(&recording, &(struct choice){.ignore = name}, NULL), 0);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 0);
	recording__fini(&recording);
	model__free(&model);
}

int main(void)
{
	static const struct test tests[] = {
		{"functions", test_functions},
		{"suffixes", test_suffixes},
		{"languages whose names have dots", test_languages},
		{"demangled suffixes", test_demangled},
		{"modules and processes", test_others},
		{"threads", test_threads},
		{"lines", test_lines},
		{"focus and ignore", test_filter},
		{"a name as it is shown is focused", test_shown_name},
		{0},
	};

	return run_tests("groups", tests);
}
