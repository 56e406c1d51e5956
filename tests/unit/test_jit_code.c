// SPDX-License-Identifier: GPL-2.0-only
/* Readers may lie about code: bytes that are no record end it, and do no other harm. */
#include "symbols/jit/jit_code.h"

#include <errno.h>
#include <string.h>

#include "elf/symbol_table.h"
#include "jit_told.h"

static struct jit_bounds bounds;
static struct jit_code code;
static struct jit_told told;

static void begin(void)
{
	bounds = (struct jit_bounds){.max_code_bytes = 1 << 20};
	code = (struct jit_code){.bounds = &bounds};
	told = (struct jit_told){0};
}

static void end(void)
{
	free(told.bytes);
	jit_code__clear(&code);
	EXPECT_EQ(bounds.code_bytes, 0);
}

static void tell(uint64_t start, const char *name)
{
	const struct jit_record record = {.operation = JIT_ADD,
					  .start = start,
					  .size = 0x10,
					  .name_bytes = (uint32_t)strlen(name)};

	jit_told__add(&told, &record, name);
}

static const char *name_at(uint64_t address)
{
	struct found_symbol found;

	return jit_code__find(&code, address, &found) ? found.name : NULL;
}

/* The last record of two is changed: the one before it holds. */
static void expect_refused(size_t offset, uint32_t value)
{
	begin();
	tell(0x1000, "first");
	offset += told.nr_bytes;
	tell(0x2000, "second");
	memcpy(told.bytes + offset, &value, sizeof(value));
	EXPECT_EQ(jit_code__apply(&code, told.bytes, told.nr_bytes), -EBADMSG);
	EXPECT_STR(name_at(0x1000), "first");
	EXPECT_STR(name_at(0x2000), NULL);
	end();
}

static void test_lies(void)
{
	const size_t operation = offsetof(struct jit_record, operation);
	const size_t name_bytes = offsetof(struct jit_record, name_bytes);

	expect_refused(operation, NR_JIT_OPERATIONS);
	expect_refused(operation, UINT32_MAX);
	expect_refused(name_bytes, 9); /* beyond the end */
	expect_refused(name_bytes, JIT_MAX_NAME_BYTES + 1);
	expect_refused(name_bytes, UINT32_MAX);
}

static void test_cut(void)
{
	begin();
	tell(0x1000, "first");
	for (size_t nr = 1; nr < told.nr_bytes; nr++)
		EXPECT_EQ(jit_code__apply(&code, told.bytes, nr), -EBADMSG);
	EXPECT_STR(name_at(0x1000), NULL);
	EXPECT_EQ(jit_code__apply(&code, told.bytes, 0), 0);
	end();
}

/* A name is shorter than it says, and without a zero: it ends where its record does. */
static void test_names(void)
{
	begin();
	tell(0x1000, "exactly8");
	tell(0x2000, "after");
	EXPECT_EQ(jit_code__apply(&code, told.bytes, told.nr_bytes), 0);
	EXPECT_STR(name_at(0x1000), "exactly8");
	EXPECT_STR(name_at(0x2000), "after");
	end();
	begin();
	tell(0x1000, "several");
	memcpy(told.bytes + sizeof(struct jit_record) + 3, "\0\0", 2);
	EXPECT_EQ(jit_code__apply(&code, told.bytes, told.nr_bytes), 0);
	EXPECT_STR(name_at(0x1000), "sev");
	end();
}

static size_t nr_named(const struct jit_code *in, uint64_t nr_functions)
{
	struct found_symbol found;
	size_t nr = 0;

	for (uint64_t i = 0; i < nr_functions; i++)
		nr += jit_code__find(in, 0x1000 + i * 0x10, &found);
	return nr;
}

static void fill(struct jit_code *with, uint64_t nr_functions)
{
	char name[JIT_MAX_NAME_BYTES + 1] = "";

	memset(name, 'n', JIT_MAX_NAME_BYTES);
	told.nr_bytes = 0;
	for (uint64_t i = 0; i < nr_functions; i++)
		tell(0x1000 + i * 0x10, name);
	EXPECT_EQ(jit_code__apply(with, told.bytes, told.nr_bytes), 0);
	EXPECT(bounds.code_bytes <= bounds.max_code_bytes);
}

/* One that has all room loses some to later ones, until it has as much as they have. */
static void test_largest_pays(void)
{
	struct jit_code small = {.bounds = &bounds}, other = {.bounds = &bounds};

	begin();
	fill(&code, 30000);
	EXPECT(nr_named(&code, 30000) > 900); /* a thousand fit */
	fill(&small, 100);
	EXPECT_EQ(nr_named(&small, 100), 100);
	fill(&other, 30000);
	EXPECT(nr_named(&other, 30000) > 400);
	EXPECT(nr_named(&code, 30000) > 400);
	EXPECT_EQ(nr_named(&small, 100), 100);
	jit_code__clear(&other);
	jit_code__clear(&small);
	end();
	EXPECT(!bounds.codes);
}

int main(void)
{
	static const struct test tests[] = {
		{"records that lie", test_lies},
		{"records that are cut", test_cut},
		{"names", test_names},
		{"the largest pays", test_largest_pays},
		{0},
	};

	return run_tests("jit_code", tests);
}
