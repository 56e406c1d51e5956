// SPDX-License-Identifier: GPL-2.0-only
/* Sequences that are no keys go, wherever they are cut; the keys around them stay. */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

#include "live/sequences.h"

/* Returns the keys that are left. */
static const char *keys_of(const char *sent)
{
	static char keys[64];
	struct sequence sequence = {0};
	size_t nr = 0;

	for (size_t i = 0; sent[i]; i++) {
		if (sequence__is_open(&sequence)) {
			if (sequence__take(&sequence, sent[i]))
				continue;
		} else if (sent[i] == 27 && sent[i + 1] &&
			   sequence__begin(&sequence, sent[i + 1])) {
			i++;
			continue;
		}
		keys[nr++] = sent[i];
	}
	keys[nr] = '\0';
	return keys;
}

static void test_reports(void)
{
	EXPECT_STR(keys_of("a\033[<0;10;20Mb\033[<0;10;20mc"), "abc");
	EXPECT_STR(keys_of("a\033[<64;10;20M\033[<65;1;2Mq"), "aq");
	EXPECT_STR(keys_of("a\033[M !!b\033[M#RRc"),
		   "abc");			       /* X10: three bytes, which may be letters */
	EXPECT_STR(keys_of("a\033[35;10;20Mb"), "ab"); /* urxvt */
	EXPECT_STR(keys_of("\033[I\033[Oa"), "a");     /* the focus */
	EXPECT_STR(keys_of("\033[200~R\033[201~"), "R");
	EXPECT_STR(keys_of("\033[?1;2c\033[1;5Ax"), "x");
	EXPECT_STR(keys_of("\033OMx"), "x");
}

static void test_others(void)
{
	char endless[40 + 64] = "\033[";

	EXPECT_STR(keys_of("\033"), "\033");
	EXPECT_STR(keys_of("\033q"), "\033q");
	EXPECT_STR(keys_of("\033\033"), "\033\033");
	EXPECT_STR(keys_of("\033[1\nq"), "\nq"); /* it is cut off */
	memset(endless + 2, '1', sizeof(endless) - 4);
	endless[sizeof(endless) - 2] = 'q';
	EXPECT(strchr(keys_of(endless), 'q') != NULL);
	EXPECT_STR(keys_of("\033[<0;10"), "");
}

int main(void)
{
	static const struct test tests[] = {
		{"what terminals report", test_reports},
		{"what is no sequence", test_others},
		{0},
	};

	return run_tests("sequences", tests);
}
