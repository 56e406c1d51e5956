// SPDX-License-Identifier: GPL-2.0-only
/* Text in ASCII: each sign has its own replacement, and characters may come in pieces. */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/plain.h"

/* Flushed after each byte if they come in pieces. */
static void expect_plain(const char *text, const char *expected, bool in_pieces)
{
	char *written = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&written, &nr_bytes), *plain = plain__begin(out);

	EXPECT(plain != NULL && plain != out);
	for (; *text; text++) {
		fputc(*text, plain);
		if (in_pieces)
			fflush(plain);
	}
	EXPECT_EQ(plain__end(plain, out), 0);
	fclose(out);
	EXPECT_STR(written, expected);
	free(written);
}

static void expect_both(const char *text, const char *expected)
{
	expect_plain(text, expected, false);
	expect_plain(text, expected, true);
}

static void test_streams(void)
{
	setenv("LC_ALL", "C", 1);
	expect_both("", "");
	expect_both("3.0 ±1.4 a → b\n", "3.0 ~1.4 a > b\n");
	expect_both("na\u00efve_\u51fd\U0001f600", "na\\u{ef}ve_\\u{51fd}\\u{1f600}");
	expect_both("\xff\xe2\x80|\xe2", "\\xff\\xe2\\x80|\\xe2");
	expect_both("\x80\x80", "\\x80\\x80");
}

/* One for each, or two things look alike. */
static void test_signs(void)
{
	static const char *const signs[] = {"…", "±", "←", "→", "│", "·", "▁", "▂", "▃", "▄",
					    "▅", "▆", "▇", "█", "σ", "↑", "↓", "┐", "┘"};
	const size_t nr = sizeof(signs) / sizeof(signs[0]);

	for (size_t i = 0; i < nr; i++) {
		EXPECT(plain__sign(signs[i]) && strlen(plain__sign(signs[i])) == 1);
		for (size_t k = 0; k < i; k++)
			EXPECT(strcmp(plain__sign(signs[i]), plain__sign(signs[k])) != 0);
	}
	EXPECT(!plain__sign("é") && !plain__sign("a"));
}

static void test_environment(void)
{
	unsetenv("LC_CTYPE");
	unsetenv("LANG");
	setenv("LC_ALL", "C", 1);
	EXPECT(plain__is_wanted());
	setenv("LC_ALL", "", 1);
	EXPECT(!plain__is_wanted());
	setenv("LANG", "POSIX", 1);
	EXPECT(plain__is_wanted());
	setenv("LC_CTYPE", "C.UTF-8", 1);
	EXPECT(!plain__is_wanted());
	EXPECT(plain__begin(stdout) == stdout);
	EXPECT_EQ(plain__end(stdout, stdout), 0);
	setenv("LC_ALL", "xx_YY.UTF-8", 1); /* is not installed */
	EXPECT(!plain__is_wanted());
}

int main(void)
{
	static const struct test tests[] = {
		{"text in ASCII", test_streams},
		{"signs differ", test_signs},
		{"who wants it", test_environment},
		{0},
	};

	return run_tests("plain", tests);
}
