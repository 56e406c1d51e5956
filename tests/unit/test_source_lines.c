// SPDX-License-Identifier: GPL-2.0-only
/* Readers may lie about source lines: the answer is read up to the first error. */
#include "readers/source_lines.h"

#include <string.h>

#include "expect.h"
#include "readers/readers.h"

#define NR_ADDRESSES 10

static char bytes[65536];
static size_t nr_bytes;

static void put(uint32_t number)
{
	memcpy(bytes + nr_bytes, &number, sizeof(number));
	nr_bytes += sizeof(number);
}

static void put_text(const char *text)
{
	const size_t length = strlen(text) + 1;

	put((uint32_t)length);
	memcpy(bytes + nr_bytes, text, length);
	nr_bytes += length;
}

/* Puts a valid address with one place. */
static void begin(void)
{
	nr_bytes = 0;
	put(3);
	put(1);
	put(42);
	put_text("function");
	put_text("/file.c");
}

struct taken {
	size_t nr_addresses;
	struct source_place place; /* the first of the last address */
};

static int take(void *context, size_t address, const struct source_place *places, size_t nr_places)
{
	struct taken *taken = context;

	EXPECT(address < NR_ADDRESSES && nr_places <= MAX_PLACES);
	taken->nr_addresses++;
	if (nr_places)
		taken->place = places[0];
	return 0;
}

static struct taken take_all(void)
{
	const struct reader_answer answer = {bytes, nr_bytes};
	struct taken taken = {0};
	const struct place_taker taker = {take, &taken};

	source_lines__each(&answer, NR_ADDRESSES, &taker);
	return taken;
}

static void expect_first_only(void)
{
	const struct taken taken = take_all();

	EXPECT_EQ(taken.nr_addresses, 1);
	EXPECT_STR(taken.place.function, "function");
	EXPECT_STR(taken.place.file, "/file.c");
	EXPECT_EQ(taken.place.line, 42);
}

static void test_honest(void)
{
	struct taken taken;

	begin();
	expect_first_only();
	put(9);
	put(1);
	put(0);
	put(0);
	put(0);
	taken = take_all();
	EXPECT_EQ(taken.nr_addresses, 2);
	EXPECT_STR(taken.place.function, NULL);
	EXPECT_STR(taken.place.file, NULL);
}

static void test_numbers(void)
{
	begin();
	put(NR_ADDRESSES);
	put(0);
	expect_first_only();
	begin();
	put(4);
	put(MAX_PLACES + 1);
	memset(bytes + nr_bytes, 0, 4096);
	nr_bytes += 4096;
	expect_first_only();
}

static void expect_text_refused(uint32_t length, const char *text, size_t nr_text)
{
	begin();
	put(4);
	put(1);
	put(42);
	put(length);
	memcpy(bytes + nr_bytes, text, nr_text);
	nr_bytes += nr_text;
	expect_first_only();
}

static void test_texts(void)
{
	static char large[MAX_PLACE_BYTES + 64];

	expect_text_refused(4, "abcdefgh", 8); /* without a zero */
	expect_text_refused(9, "abc", 4);      /* beyond the end */
	expect_text_refused(UINT32_MAX, "abc", 4);
	expect_text_refused(MAX_PLACE_BYTES + 1, large, sizeof(large));
}

static void test_cut(void)
{
	begin();
	for (nr_bytes--; nr_bytes; nr_bytes--)
		EXPECT_EQ(take_all().nr_addresses, 0);
	EXPECT_EQ(take_all().nr_addresses, 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"as it should be", test_honest},
		{"numbers out of range", test_numbers},
		{"texts out of range", test_texts},
		{"cut anywhere", test_cut},
		{0},
	};

	return run_tests("source_lines", tests);
}
