// SPDX-License-Identifier: GPL-2.0-only
/* Ranking against results worked out by hand, and the order of many rows against the C library's sort. */
#include "expect.h"
#include "model.h"

static char text[4096];

/* "8 comm f;main | 5 comm g": the rows in one string, to compare at a glance. */
static const char *describe(const struct model *model, enum merge merge)
{
	struct row *rows;
	long nr_rows = profile__top_stacks(model->profile, merge, &rows);
	FILE *out = fmemopen(text, sizeof(text), "w");

	for (long i = 0; i < nr_rows; i++) {
		const struct process *process =
			dictionary__process(model->dictionary, rows[i].process);
		size_t nr_frames;
		const uint32_t *frames =
			dictionary__stack(model->dictionary, rows[i].stack, &nr_frames);

		fprintf(out, "%s%lu %s", i ? " | " : "", rows[i].values[VALUE_COUNT],
			process->comm);
		if (merge != MERGE_BY_COMM)
			fprintf(out, "-%d", process->pid);
		if (merge == MERGE_BY_THREAD)
			fprintf(out, "/%d", rows[i].tid);
		for (size_t j = 0; j < nr_frames; j++)
			fprintf(out, "%c%s", j ? ';' : ' ',
				dictionary__frame_name(model->dictionary, frames[j]));
	}
	fputc('\0', out);
	fclose(out);
	free(rows);
	return text;
}

/* "f@m 5/9 | main@m 0/9": self and total */
static const char *describe_functions(const struct model *model, size_t nr)
{
	struct group_row *rows;
	long nr_rows = profile__group(model->profile, GROUP_BY_FUNCTION, SORT_BY_SELF, &rows);
	FILE *out = fmemopen(text, sizeof(text), "w");

	for (long i = 0; i < nr_rows && i < (long)nr; i++)
		fprintf(out, "%s%s@%s %lu/%lu", i ? " | " : "", rows[i].name,
			rows[i].module ? rows[i].module : "", rows[i].self, rows[i].total);
	fputc('\0', out);
	fclose(out);
	free(rows);
	return text;
}

static void test_merge_by_name(void)
{
	struct model model = model__new();

	add(&model, "a", 1, 3, "f@m+20 main@m+90");
	add(&model, "a", 1, 4, "f@m+24 main@m+94"); /* other addresses, same functions */
	add(&model, "a", 1, 6, "f@other main@m");   /* another module is another function */
	add(&model, "a", 1, 5, "f@m");
	EXPECT_STR(describe(&model, MERGE_BY_COMM), "7 a f;main | 6 a f;main | 5 a f");
	model__free(&model);
}

static void test_merge_nameless(void)
{
	struct model model = model__new();

	add(&model, "a", 1, 1, "@m+20");
	add(&model, "a", 1, 2, "@m+24");
	add(&model, "a", 1, 4, "@+1");
	add(&model, "a", 1, 8, "@+2");
	add(&model, "a", 1, 16, "");
	EXPECT_STR(describe(&model, MERGE_BY_COMM),
		   "16 a | 12 a [unknown] | 2 a m+0x24 | 1 a m+0x20");
	model__free(&model);
}

static void test_merge_owners(void)
{
	struct model model = model__new();

	add_thread(&model, "a", 1, 10, 3, "f@m");
	add_thread(&model, "a", 1, 11, 4, "f@m");
	add_thread(&model, "a", 2, 12, 5, "f@m");
	add_thread(&model, "b", 3, 13, 6, "f@m");
	add_thread(&model, "c", 5, 14, 1, "");
	add_thread(&model, "c", 4, 15, 1, "");
	EXPECT_STR(describe(&model, MERGE_BY_COMM), "12 a f | 6 b f | 2 c");
	EXPECT_STR(describe(&model, MERGE_BY_PROCESS),
		   "7 a-1 f | 6 b-3 f | 5 a-2 f | 1 c-4 | 1 c-5");
	EXPECT_STR(describe(&model, MERGE_BY_THREAD),
		   "6 b-3/13 f | 5 a-2/12 f | 4 a-1/11 f | 3 a-1/10 f | 1 c-4/15 | 1 c-5/14");
	model__free(&model);
}

static const struct {
	const char *comm;
	int32_t pid, tid;
	const char *stack;
} tied[] = {
	{"a", 1, 1, "f@m"}, {"a", 1, 2, "f@m"}, {"a", 2, 1, "f@m"}, {"a", 2, 1, "f@m g@m"},
	{"a", 2, 1, "f@n"}, {"a", 2, 1, "g@m"}, {"b", 1, 1, "f@m"},
};

#define TIED (sizeof(tied) / sizeof(tied[0]))

/* Equal counts: rows come out in this order, whatever the order of the samples. */
static void test_ties(void)
{
	for (size_t first = 0; first < TIED; first++) {
		struct model model = model__new();

		for (size_t i = 0; i < TIED; i++) {
			size_t at = (first + i * 3) % TIED;

			add_thread(&model, tied[at].comm, tied[at].pid, tied[at].tid, 5,
				   tied[at].stack);
		}
		EXPECT_STR(describe(&model, MERGE_BY_THREAD),
			   "5 a-1/1 f | 5 a-1/2 f | 5 a-2/1 f | 5 a-2/1 f;g | 5 a-2/1 f | "
			   "5 a-2/1 g | 5 b-1/1 f");
		EXPECT_STR(describe_functions(&model, 9), "f@m 25/25 | g@m 5/10 | f@n 5/5");
		model__free(&model);
	}
}

/* A difference of exactly 2^32 or more than 2^31 is where comparing by subtraction fails. */
static void test_large_counts(void)
{
	struct model model = model__new();

	add(&model, "a", 1, 1, "f@m");
	add(&model, "a", 1, 1 + (1UL << 32), "g@m");
	add(&model, "a", 1, 3000000000, "h@m");
	add(&model, "a", 1, 1UL << 63, "i@m");
	EXPECT_STR(describe(&model, MERGE_BY_COMM),
		   "9223372036854775808 a i | 4294967297 a g | 3000000000 a h | 1 a f");
	model__free(&model);
}

static void test_functions(void)
{
	struct model model = model__new();

	add(&model, "a", 1, 5, "f@m g@m main@m");
	add(&model, "a", 1, 3, "f@m+20 f@m+24 f@m+28 main@m"); /* recursion counts once */
	add(&model, "b", 2, 2, "g@m main@m");
	add(&model, "b", 2, 1, "@libc+1234 main@m");
	add(&model, "b", 2, 7, ""); /* no stack, no function */
	EXPECT_STR(describe_functions(&model, 9),
		   "f@m 8/8 | g@m 2/7 | libc+0x1234@libc 1/1 | main@m 0/11");
	EXPECT_STR(describe_functions(&model, 1), "f@m 8/8");
	model__free(&model);
}

static void test_function_ties(void)
{
	static const char *const stacks[] = {"h@a", "f@b", "f@a", "g@a", "@a+2", "f@"};

	for (size_t first = 0; first < 6; first++) {
		struct model model = model__new();

		for (size_t i = 0; i < 6; i++)
			add(&model, "a", 1, 5, stacks[(first + i * 5) % 6]);
		EXPECT_STR(describe_functions(&model, 9),
			   "a+0x2@a 5/5 | f@ 5/5 | f@a 5/5 | f@b 5/5 | g@a 5/5 | h@a 5/5");
		model__free(&model);
	}
}

/* The dictionary may know names that this profile does not have. */
static void test_functions_of_others(void)
{
	struct model model = model__new();

	add(&model, "a", 1, 5, "f@m");
	profile__clear(model.profile);
	add(&model, "a", 1, 5, "k@[kernel] g@perf.map");
	EXPECT_STR(describe_functions(&model, 9), "k@[kernel] 5/5 | g@perf.map 0/5");
	model__free(&model);
}

static void test_empty(void)
{
	struct model model = model__new();

	EXPECT_STR(describe(&model, MERGE_BY_COMM), "");
	EXPECT_STR(describe_functions(&model, 9), "");
	model__free(&model);
}

#define STACKS	    2000
#define MOST_FRAMES 20

/* Names are two letters, so that texts of stacks are in the order of their names. */
struct drawn_stack {
	uint64_t count;
	char text[5 * MOST_FRAMES + 1];
};

static int order_drawn(const void *left, const void *right)
{
	const struct drawn_stack *a = left, *b = right;

	if (a->count != b->count)
		return a->count < b->count ? 1 : -1;
	return strcmp(a->text, b->text);
}

/* Most frames of a stack have the same name. Returns the number of distinct stacks. */
static size_t draw(struct drawn_stack *drawn, unsigned int nr_names)
{
	unsigned int random = 12345, name;
	size_t nr = 0;

	for (size_t i = 0; i < STACKS; i++) {
		char *at = drawn[nr].text;
		bool is_new = true;

		for (size_t j = 0; j <= i % MOST_FRAMES; j++) {
			random = random * 1103515245 + 12345;
			name = random & 0x30000 ? 0 : (random >> 18) % nr_names;
			at += sprintf(at, "%s%c%c@m", j ? " " : "", 'a' + name / 26,
				      'a' + name % 26);
		}
		drawn[nr].count = 1 + i % 3;
		for (size_t j = 0; j < nr && is_new; j++)
			is_new = strcmp(drawn[j].text, drawn[nr].text) != 0;
		nr += is_new;
	}
	return nr;
}

/* With few names and with many, which take more bits in a key. */
static void test_order_of_names(void)
{
	static const unsigned int numbers[] = {3, 600};
	struct drawn_stack *drawn = calloc(STACKS, sizeof(*drawn));

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		const size_t nr = draw(drawn, numbers[i]);
		struct model model = model__new();
		size_t nr_wrong = 0, nr_frames;
		struct row *rows;

		EXPECT(nr > STACKS / 2);
		for (size_t j = 0; j < nr; j++)
			add(&model, "a", 1, drawn[j].count, drawn[j].text);
		qsort(drawn, nr, sizeof(*drawn), order_drawn);
		EXPECT_EQ(profile__top_stacks(model.profile, MERGE_BY_COMM, &rows), (long)nr);
		for (size_t j = 0; j < nr; j++) {
			const uint32_t *frames =
				dictionary__stack(model.dictionary, rows[j].stack, &nr_frames);
			char *at = text;

			for (size_t k = 0; k < nr_frames; k++)
				at += sprintf(at, "%s%s@m", k ? " " : "",
					      dictionary__frame_name(model.dictionary, frames[k]));
			nr_wrong += rows[j].values[VALUE_COUNT] != drawn[j].count ||
				    strcmp(text, drawn[j].text) != 0;
		}
		EXPECT_EQ(nr_wrong, 0);
		free(rows);
		model__free(&model);
	}
	free(drawn);
}

int main(void)
{
	static const struct test tests[] = {
		{"stacks merge by name and module", test_merge_by_name},
		{"frames without a function merge by what they are called", test_merge_nameless},
		{"rows merge by comm, by process or by thread", test_merge_owners},
		{"ties come out in one order", test_ties},
		{"counts beyond 32 bits", test_large_counts},
		{"functions by self, total once a stack", test_functions},
		{"ties of functions come out in one order", test_function_ties},
		{"functions of this profile only", test_functions_of_others},
		{"an empty profile", test_empty},
		{"equal values are in the order of their names", test_order_of_names},
		{0},
	};

	return run_tests("query", tests);
}
