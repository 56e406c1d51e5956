// SPDX-License-Identifier: GPL-2.0-only
/* Code objects of interpreters: by their words, for as long as anybody refers to them. */
#include "expect.h"

#include <string.h>

#include "capture/events/sample.h"
#include "capture/kernel/code_objects.h"
#include "capture/kernel/raw_stacks.h"
#include "topstacks/abi.h"
#include "topstacks/interpreter_abi.h"

static void set_text(struct code_text *text, char *to, const char *from)
{
	*text = (struct code_text){.nr_bytes = (uint16_t)strlen(from)};
	memcpy(to, from, text->nr_bytes);
}

static struct code_record record_of(uint64_t code, const char *name, const char *file)
{
	struct code_record record = {.code = WORD_INTERPRETED(LANGUAGE_PYTHON, 0, code),
				     .first_line = 7};

	set_text(&record.name_text, record.name, name);
	set_text(&record.file_text, record.file, file);
	return record;
}

static void test_names(void)
{
	struct code_record python = record_of(1, "Shape.area", "/srv/app/shape.py");
	struct code_record frozen = record_of(2, "<module>", "<frozen importlib._bootstrap>");
	struct code_record php = record_of(3, "render", "/srv/www/");
	struct code_objects *codes = code_objects__new();
	const struct code *code = code_objects__add(codes, &python);

	EXPECT_STR(code->name, "Shape.area");
	EXPECT_STR(code->file, "/srv/app/shape.py");
	EXPECT_STR(code->module, "shape.py");
	EXPECT_EQ(code->first_line, 7);
	EXPECT_STR(code_objects__add(codes, &frozen)->module, "<frozen importlib._bootstrap>");
	php.code = WORD_INTERPRETED(LANGUAGE_PHP, 0, 3);
	set_text(&php.owner_text, php.owner, "Page");
	code = code_objects__add(codes, &php);
	EXPECT_STR(code->name, "Page::render");
	EXPECT_STR(code->module, "/srv/www/");
	code_objects__free(codes);
}

/* Lengths and kinds of a record are the kernel's copies, but nothing rests on them. */
static void test_lying_record(void)
{
	struct code_record record = record_of(1, "name", "file");
	struct code_objects *codes = code_objects__new();
	const struct code *code;

	record.name_text.nr_bytes = record.file_text.nr_bytes = record.owner_text.nr_bytes = 0xffff;
	record.nr_line_bytes = 0xffffffff;
	record.lines_kind = 0xff;
	record.name_text.width = 9;
	memset(record.file, 'x', sizeof(record.file));
	code = code_objects__add(codes, &record);
	EXPECT_EQ(strlen(code->file), sizeof(record.file));
	EXPECT(code__line(code, WORD_INTERPRETED(LANGUAGE_PYTHON, 5, 1)) < 0x80000000U);
	code_objects__free(codes);
}

static void test_references(void)
{
	struct code_record record = record_of(1, "first", "a.py"),
			   other = record_of(1, "other", "");
	const uint64_t word = WORD_INTERPRETED(LANGUAGE_PYTHON, 77, 1);
	struct code_objects *codes = code_objects__new();
	const struct code *code = code_objects__add(codes, &record);

	EXPECT(code_objects__find(codes, word) == code); /* at whatever position */
	EXPECT(code_objects__add(codes, &other) == code);
	EXPECT(!code_objects__find(codes, WORD_INTERPRETED(LANGUAGE_PYTHON, 0, 2)));
	EXPECT(!code_objects__find(codes, WORD_INTERPRETED(LANGUAGE_PHP, 0, 1)));
	code_objects__put(codes, code);
	code_objects__put(codes, code);
	EXPECT(code_objects__find(codes, word) == code);
	code_objects__put(codes, code);
	code_objects__put(codes, code);
	EXPECT(!code_objects__find(codes, word));
	code_objects__put(codes, NULL);
	code_objects__free(codes);
}

/* A stack keeps what it names, and learns what comes later. */
static void test_stack_keeps(void)
{
	struct code_record record = record_of(1, "f", "a.py");
	const uint64_t words[] = {0x1234, record.code | 9ULL << WORD_POSITION_SHIFT};
	struct code_objects *codes = code_objects__new();
	struct raw_stacks *stacks = raw_stacks__new(codes);
	const struct raw_stack *stack = raw_stacks__get(stacks, words, 2, END_WHOLE);

	EXPECT(!raw_stack__code(stack, 1));
	code_objects__add(codes, &record);
	EXPECT(raw_stacks__get(stacks, words, 2, END_WHOLE) == stack);
	EXPECT(!raw_stack__code(stack, 0));
	EXPECT_STR(raw_stack__code(stack, 1)->name, "f");
	code_objects__put(codes, raw_stack__code(stack, 1)); /* that of the record */
	EXPECT_STR(raw_stack__code(stack, 1)->name, "f");
	raw_stacks__put(stacks, stack);
	raw_stacks__put(stacks, stack);
	EXPECT(!code_objects__find(codes, words[1]));
	raw_stacks__free(stacks);
	code_objects__free(codes);
}

int main(void)
{
	static const struct test tests[] = {
		{"names and files", test_names},
		{"a record that lies", test_lying_record},
		{"a code object lives as long as a reference", test_references},
		{"a stack keeps what its words stand for", test_stack_keeps},
		{0},
	};

	return run_tests("codes", tests);
}
