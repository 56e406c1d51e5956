// SPDX-License-Identifier: GPL-2.0-only
/* Copied strings become text: by tables written by hand, and all characters by the C library. */
#include "interpreters/code_text.h"

#include <limits.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "expect.h"

#define REPLACED "\xef\xbf\xbd"
#define CUT	 true

static char output[256];

/* The bytes are in memory of their own, so that a sanitizer sees reads beyond it. */
static size_t write_text(unsigned int width, const void *bytes, size_t nr_bytes, bool is_cut,
			 size_t size)
{
	const struct code_text text = {
		.nr_bytes = (uint16_t)nr_bytes, .width = (uint8_t)width, .is_cut = is_cut};
	char *copy = malloc(nr_bytes ? nr_bytes : 1), *to = malloc(size ? size : 1);
	size_t length;

	memcpy(copy, bytes, nr_bytes);
	memset(to, 'x', size ? size : 1);
	length = code_text__write(&text, copy, to, size);
	if (size) {
		EXPECT(length < size && to[length] == '\0' && strlen(to) == length);
		memcpy(output, to, length + 1);
	} else {
		EXPECT(length == 0 && *to == 'x');
	}
	free(copy);
	free(to);
	return length;
}

static const struct {
	unsigned int width;
	const char *bytes;
	size_t nr_bytes;
	bool is_cut;
	const char *text;
} table[] = {
	{0, "", 0, false, ""},
	{0, "main", 4, false, "main"},
	{0, "main", 3, CUT, "mai…"},
	{0, "", 0, CUT, "…"},
	{0, "caf\xc3\xa9 \xe6\xbc\xa2 \xf0\x9f\xa6\x80", 14, false, "café 漢 🦀"},
	{0, "a\0b", 3, false, "a" REPLACED "b"},
	{0, "a\x1b[2J\n", 6, false, "a\x1b[2J\n"}, /* a view escapes it */
	{0, "\xc0\x80", 2, false, REPLACED},	   /* a TEXT_NUL */
	/* overlong, a surrogate, beyond Unicode, no beginning, interrupted */
	{0, "\xc0\x81", 2, false, REPLACED REPLACED},
	{0, "\xed\xa0\x80", 3, false, REPLACED REPLACED REPLACED},
	{0, "\xf4\x90\x80\x80", 4, false, REPLACED REPLACED REPLACED REPLACED},
	{0, "\x80z", 2, false, REPLACED "z"},
	{0, "\xe6\xbc!", 3, false, REPLACED REPLACED "!"},
	{0, "\xe6\0\xbc", 3, false, REPLACED REPLACED REPLACED},
	/* in the middle of a character; the byte that would complete it is none of the copy */
	{0, "caf\xc3\xa9", 4, CUT, "caf" REPLACED "…"},
	{0, "caf\xc3\xa9", 4, false, "caf" REPLACED},
	{0, "\xf0\x9f\xa6\x80", 3, CUT, REPLACED REPLACED REPLACED "…"},
	{1, "caf\xe9", 4, false, "café"},
	{1, "\x7f\x80\xff", 3, CUT, "\x7f\xc2\x80ÿ…"},
	{1, "a\0b", 3, false, "a" REPLACED "b"},
	{2, "a\0\x22\x6f", 4, false, "a漢"},
	{2, "\xff\x07\0\x08\xff\xff", 6, false, "\xdf\xbf\xe0\xa0\x80\xef\xbf\xbf"},
	/* surrogates are no characters, in pairs neither; a zero; half a character */
	{2, "\x3e\xd8\x80\xdd\xff\xd7\0\xe0", 8, false,
	 REPLACED REPLACED "\xed\x9f\xbf\xee\x80\x80"},
	{2, "a\0\0\0b", 5, CUT, "a" REPLACED REPLACED "…"},
	{4, "a\0\0\0\x80\xf9\x01\0", 8, false, "a\xf0\x9f\xa6\x80"},
	{4, "\xff\xff\x10\0\0\0\x11\0\x61\0\0\x80", 12, false,
	 "\xf4\x8f\xbf\xbf" REPLACED REPLACED},
	{4, "\0\xd8\0\0a\0\0", 7, CUT, REPLACED REPLACED "…"},
	/* widths that there are not */
	{3, "abcdef", 6, false, REPLACED},
	{255, "abcdef", 6, CUT, REPLACED "…"},
	{8, "", 0, false, ""},
};

static void test_table(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		size_t length = write_text(table[i].width, table[i].bytes, table[i].nr_bytes,
					   table[i].is_cut, CODE_TEXT_SIZE(table[i].nr_bytes));

		EXPECT_STR(output, table[i].text);
		EXPECT_EQ(length, strlen(table[i].text));
	}
}

/* The same text in less room. */
static void test_room(void)
{
	static const char *const expected[] = {
		"", "", "a", "a", "…", "a…", "a…", "aé…", "aé…", "aé漢zz", "aé漢zz",
	};
	static const char bytes[] = "a\xc3\xa9\xe6\xbc\xa2zz";

	for (size_t size = 1; size < sizeof(expected) / sizeof(expected[0]); size++) {
		write_text(0, bytes, strlen(bytes), false, size);
		EXPECT_STR(output, expected[size]);
	}
	write_text(0, bytes, strlen(bytes), false, 0);
	write_text(0, bytes, strlen(bytes), CUT, strlen(bytes) + 2);
	EXPECT_STR(output, "aé漢…"); /* the last two make room */
	write_text(1, "ab", 2, false, 3);
	EXPECT_STR(output, "ab");
	write_text(1, "ab", 2, CUT, 3); /* no room to say so */
	EXPECT_STR(output, "ab");
}

/* In each width that has it, a character is the same as the C library's. */
static size_t count_wrong(uint32_t code, const char *expected)
{
	size_t nr_wrong = 0;

	for (unsigned int width = 1; width <= 4; width *= 2)
		if (width == 4 || code >> (8 * width) == 0) {
			write_text(width, &code, width, false, CODE_TEXT_SIZE(4));
			nr_wrong += strcmp(output, expected) != 0;
		}
	if (strcmp(expected, REPLACED) || code == 0xfffd) {
		write_text(0, expected, strlen(expected), false, CODE_TEXT_SIZE(4));
		nr_wrong += strcmp(output, expected) != 0;
	}
	return nr_wrong;
}

static void test_all_characters(void)
{
	size_t nr_wrong = 0, nr_replaced = 0;

	EXPECT(setlocale(LC_CTYPE, "C.UTF-8") != NULL);
	for (uint32_t code = 1; code <= 0x10ffff; code++) {
		char expected[MB_LEN_MAX + 1] = "";
		mbstate_t state = {0};

		if (wcrtomb(expected, (wchar_t)code, &state) == (size_t)-1) {
			strcpy(expected, REPLACED);
			nr_replaced++;
		}
		nr_wrong += count_wrong(code, expected);
	}
	setlocale(LC_CTYPE, "C");
	EXPECT_EQ(nr_wrong, 0);
	EXPECT_EQ(nr_replaced, 0x800 /* surrogates */);
}

int main(void)
{
	static const struct test tests[] = {
		{"all widths, whole and cut, good and bad", test_table},
		{"what does not fit ends in an ellipsis and never in half a character", test_room},
		{"every character in every width", test_all_characters},
		{0},
	};

	return run_tests("code_text", tests);
}
