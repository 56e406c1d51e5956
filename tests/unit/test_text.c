// SPDX-License-Identifier: GPL-2.0-only
/* Escaping against tables written by hand, widths against the C library's. */
#include "base/escape.h"
#include "base/numbers.h"
#include "base/text.h"

#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

#include "expect.h"

static char output[4096];
static size_t columns;

static FILE *begin(void)
{
	memset(output, 0, sizeof(output));
	return fmemopen(output, sizeof(output), "w");
}

static const char *safe(const char *string, size_t max_columns)
{
	FILE *out = begin();

	columns = text__print_safe(out, string, max_columns);
	fclose(out);
	return output;
}

static const char *json(const char *string)
{
	FILE *out = begin();

	text__print_json(out, string);
	fclose(out);
	return output;
}

static const char *escaped(const char *string, const char *special)
{
	FILE *out = begin();

	text__print_escaped(out, string, special);
	fclose(out);
	return output;
}

/* input, on a terminal, in JSON, lossless */
static const struct {
	const char *input, *safe, *json, *escaped;
} table[] = {
	{"", "", "\"\"", ""},
	{"main", "main", "\"main\"", "main"},
	{"a\xc0\x80"
	 "b",
	 "a\\x00b", "\"a\\u0000b\"", "a\\x00b"},
	{"a b;c", "a b;c", "\"a b;c\"", "a b\\x3bc"},
	{"C:\\x", "C:\\x", "\"C:\\\\x\"", "C:\\\\x"},
	{"say \"hi\"", "say \"hi\"", "\"say \\\"hi\\\"\"", "say \"hi\""},
	{"\x1b[2J", "\\x1b[2J", "\"\\u001b[2J\"", "\\x1b[2J"},
	{"a\nb\tc\r", "a\\x0ab\\x09c\\x0d", "\"a\\u000ab\\u0009c\\u000d\"", "a\\x0ab\\x09c\\x0d"},
	{"\x7f", "\\x7f", "\"\\u007f\"", "\\x7f"},
	/* C1: CSI as a character, and as a byte that is no UTF-8 */
	{"\xc2\x9b", "\\u{9b}", "\"\\u009b\"", "\\xc2\\x9b"},
	{"\x9b", "\\x9b", "\"\xef\xbf\xbd\"", "\\x9b"},
	/* a name that would turn the rest of the line around; isolates; invisible; byte order mark
	 */
	{"\xe2\x80\xae", "\\u{202e}", "\"\\u202e\"", "\\xe2\\x80\\xae"},
	{"\xe2\x81\xa6", "\\u{2066}", "\"\\u2066\"", "\\xe2\\x81\\xa6"},
	{"a\xe2\x80\x8b", "a\\u{200b}", "\"a\\u200b\"", "a\\xe2\\x80\\x8b"},
	{"\xef\xbb\xbfx", "\\u{feff}x", "\"\\ufeffx\"", "\\xef\\xbb\\xbfx"},
	{"\xf3\xa0\x81\x81", "\\u{e0041}", "\"\\udb40\\udc41\"", "\\xf3\\xa0\\x81\\x81"},
	{"\xf4\x8f\xbf\xbf", "\\u{10ffff}", "\"\\udbff\\udfff\"", "\\xf4\\x8f\\xbf\\xbf"},
	/* overlong, surrogate, beyond the last character, cut short */
	{"\xc0\x81", "\\xc0\\x81", "\"\xef\xbf\xbd\xef\xbf\xbd\"", "\\xc0\\x81"},
	{"\xe0\x80\xaf", "\\xe0\\x80\\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	 "\\xe0\\x80\\xaf"},
	{"\xed\xa0\x80", "\\xed\\xa0\\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
	 "\\xed\\xa0\\x80"},
	{"\xf4\x90\x80\x80", "\\xf4\\x90\\x80\\x80",
	 "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "\\xf4\\x90\\x80\\x80"},
	{"\xe2\x82", "\\xe2\\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"", "\\xe2\\x82"},
	{"\xe2\x82x", "\\xe2\\x82x", "\"\xef\xbf\xbd\xef\xbf\xbdx\"", "\\xe2\\x82x"},
	{"\xff\xfe", "\\xff\\xfe", "\"\xef\xbf\xbd\xef\xbf\xbd\"", "\\xff\\xfe"},
	/* people's letters stay: é, 漢, 🦀, ← */
	{"\xc3\xa9", "\xc3\xa9", "\"\xc3\xa9\"", "\xc3\xa9"},
	{"\xe6\xbc\xa2", "\xe6\xbc\xa2", "\"\xe6\xbc\xa2\"", "\xe6\xbc\xa2"},
	{"\xf0\x9f\xa6\x80", "\xf0\x9f\xa6\x80", "\"\xf0\x9f\xa6\x80\"", "\xf0\x9f\xa6\x80"},
	{"\xe2\x86\x90", "\xe2\x86\x90", "\"\xe2\x86\x90\"", "\xe2\x86\x90"},
};

static void test_table(void)
{
	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		EXPECT_STR(safe(table[i].input, 0), table[i].safe);
		EXPECT_STR(json(table[i].input), table[i].json);
		EXPECT_STR(escaped(table[i].input, ";"), table[i].escaped);
	}
}

/* Once more escaped, only what may not be there is. */
static void test_words(void)
{
	static const char *const words[][2] = {
		{"sh -c \\x0aexit", "sh -c \\x0aexit"},
		{"C:\\x", "C:\\x"},
		{"a`b|c", "a\\x60b\\x7cc"},
		{"a\nb", "a\\x0ab"},
		{"\xe2\x80\xae", "\\xe2\\x80\\xae"},
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		FILE *out = begin();

		text__print_words(out, words[i][0], "`|");
		fclose(out);
		EXPECT_STR(output, words[i][1]);
	}
}

static void test_control_bytes(void)
{
	for (int byte = 1; byte < 256; byte++) {
		char input[] = {(char)byte, '\0'};
		char expected[8];

		if (byte >= 0x20 && byte < 0x7f)
			snprintf(expected, sizeof(expected), "%c", byte);
		else
			snprintf(expected, sizeof(expected), "\\x%02x", (unsigned int)byte);
		EXPECT_STR(safe(input, 0), expected);
	}
}

/* A spreadsheet computes what begins so; inside of a cell it is a name's. */
static void test_csv(void)
{
	static const char *const cells[][2] = {
		{"main", "\"main\""},
		{"", "\"\""},
		{"=HYPERLINK(\"x\")", "\"\\x3dHYPERLINK(\"\"x\"\")\""},
		{"+1", "\"\\x2b1\""},
		{"-[NSObject init]", "\"\\x2d[NSObject init]\""},
		{"@SUM(1)", "\"\\x40SUM(1)\""},
		{"＝1+1", "\"\\xef\\xbc\\x9d1+1\""},
		{"＠SUM(1)", "\"\\xef\\xbc\\xa0SUM(1)\""},
		{"ü＝1", "\"ü＝1\""},
		{"\t=1", "\"\\x09=1\""},
		{"\r=1", "\"\\x0d=1\""},
		{"a=b+c-d@e", "\"a=b+c-d@e\""},
	};
	char text[64];

	for (size_t i = 0; i < sizeof(cells) / sizeof(cells[0]); i++) {
		FILE *out = fmemopen(text, sizeof(text), "w");

		text__print_csv(out, cells[i][0]);
		fclose(out);
		EXPECT_STR(text, cells[i][1]);
	}
}

static const struct {
	const char *input;
	size_t max;
	const char *output;
	size_t columns;
} cuts[] = {
	{"abcd", 4, "abcd", 4},
	{"abcde", 4, "abc…", 4},
	{"abcde", 1, "…", 1},
	{"a", 1, "a", 1},
	{"", 3, "", 0},
	{"漢字", 4, "漢字", 4},
	{"漢字漢", 4, "漢…", 3}, /* half a character is none */
	{"漢字漢", 5, "漢字…", 5},
	{"漢", 1, "…", 1},
	{"ab\x1b"
	 "cd",
	 8, "ab\\x1bcd", 8},
	{"ab\x1b"
	 "cd",
	 7, "ab\\x1b…", 7},
	{"ab\x1b"
	 "cd",
	 6, "ab…", 3}, /* half an escape is none */
};

static void test_cut(void)
{
	for (size_t i = 0; i < sizeof(cuts) / sizeof(cuts[0]); i++) {
		EXPECT_STR(safe(cuts[i].input, cuts[i].max), cuts[i].output);
		EXPECT_EQ(columns, cuts[i].columns);
	}
	EXPECT_EQ(text__width("ab\x1b漢"), 8);
}

/* No character takes more columns than we say: our line never overflows. */
static void test_widths(void)
{
	size_t nr_raw = 0, nr_short = 0, nr_control_shown = 0;

	EXPECT(setlocale(LC_CTYPE, "C.UTF-8") != NULL);
	for (wchar_t code = 1; code <= 0x10ffff; code++) {
		char input[MB_LEN_MAX + 1] = "";
		mbstate_t state = {0};
		int theirs = wcwidth(code);
		size_t ours;

		if (wcrtomb(input, code, &state) == (size_t)-1)
			continue; /* a surrogate */
		ours = text__width(input);
		if (ours > 2)
			continue; /* escaped */
		nr_raw++;
		nr_short += theirs > (int)ours;
		nr_control_shown += iswcntrl((wint_t)code) != 0;
	}
	setlocale(LC_CTYPE, "C");
	EXPECT(nr_raw > 100000);
	EXPECT_EQ(nr_short, 0);
	EXPECT_EQ(nr_control_shown, 0);
}

typedef int format_function(char *text, size_t size, uint64_t value);

static const struct {
	format_function *format;
	uint64_t value;
	const char *text;
} units[] = {
	{text__format_count, 0, "0"},
	{text__format_count, 999, "999"},
	{text__format_count, 1000, "1,000"},
	{text__format_count, 1234567, "1,234,567"},
	{text__format_count, UINT64_MAX, "18,446,744,073,709,551,615"},
	{text__format_bytes, 0, "0 B"},
	{text__format_bytes, 999, "999 B"},
	{text__format_bytes, 1000, "1 kB"},
	{text__format_bytes, 512000, "512 kB"},
	{text__format_bytes, 999499, "999 kB"},
	{text__format_bytes, 999500, "1 MB"},
	{text__format_bytes, 1200000, "1.2 MB"},
	{text__format_bytes, 1234567, "1.23 MB"},
	{text__format_bytes, UINT64_MAX, "18.4 EB"},
	{text__format_duration, 0, "0 s"},
	{text__format_duration, 1, "1 ns"},
	{text__format_duration, 12000, "12 us"},
	{text__format_duration, 20000000, "20 ms"},
	{text__format_duration, 999600000, "1 s"},
	{text__format_duration, 1500000000, "1.5 s"},
	{text__format_duration, 59940000000, "59.9 s"},
	{text__format_duration, 59960000000, "1 min 0 s"},
	{text__format_duration, 125400000000, "2 min 5 s"},
	{text__format_duration, 3599600000000, "1 h 0 min"},
	{text__format_duration, 12000000000000, "3 h 20 min"},
};

static void test_units(void)
{
	char text[64];

	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		int length = units[i].format(text, sizeof(text), units[i].value);

		EXPECT_STR(text, units[i].text);
		EXPECT_EQ(length, strlen(units[i].text));
	}
	EXPECT_EQ(text__format_count(NULL, 0, 12345), 6);
	EXPECT_STR(text__plural(0), "s");
	EXPECT_STR(text__plural(1), "");
	EXPECT_STR(text__plural(2), "s");
}

static void test_rounded(void)
{
	static const struct {
		int digits;
		double number;
		const char *text;
	} cases[] = {
		{2, 0, "0"},	      {2, 0.0514, "0.051"},	  {2, 6.14, "6.1"},
		{2, 99.4, "99"},      {2, 99.6, "100"},		  {2, 1191.3, "1191"},
		{3, 132.4, "132"},    {3, 999.6, "1000"},	  {3, 12345, "12345"},
		{3, 88.64, "88.6"},   {2, 3e12, "3000000000000"}, {2, 5e-6, "0"},
		{2, INFINITY, "inf"},
	};
	char text[ROUNDED_SIZE];

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		EXPECT_STR(text__format_rounded(text, cases[i].digits, cases[i].number),
			   cases[i].text);
}

static void test_stream_error(void)
{
	FILE *out = fopen("/dev/full", "w");

	EXPECT(out != NULL);
	if (!out)
		return;
	EXPECT_EQ(text__stream_error(out), 0);
	setvbuf(out, NULL, _IONBF, 0);
	text__print_safe(out, "x", 0);
	EXPECT_EQ(text__stream_error(out), -28 /* ENOSPC */);
	fclose(out);
}

static void test_nouns(void)
{
	static const struct {
		const char *plural, *one;
	} nouns[] = {
		{"samples", "sample"},
		{"context-switches", "context-switch"},
		{"branches", "branch"},
		{"cache-misses", "cache-miss"},
		{"caches", "cache"},
		{"address", "address"},
		{"page-faults:u", "page-faults:u"},
		{"syscalls:sys_enter_times", "syscalls:sys_enter_times"},
		{"s", "s"},
		{"", ""},
	};

	for (size_t i = 0; i < sizeof(nouns) / sizeof(nouns[0]); i++) {
		EXPECT_EQ(text__noun_length(nouns[i].plural, false), strlen(nouns[i].plural));
		EXPECT_EQ(text__noun_length(nouns[i].plural, true), strlen(nouns[i].one));
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"what is unsafe is escaped, everything else stays", test_table},
		{"every single byte", test_control_bytes},
		{"words keep their backslashes", test_words},
		{"cells of a table are no formulas", test_csv},
		{"cuts end in an ellipsis and never in half a character", test_cut},
		{"no character is wider than we say", test_widths},
		{"units at their boundaries", test_units},
		{"nouns of one", test_nouns},
		{"rounded numbers have no exponent", test_rounded},
		{"a full disk is noticed", test_stream_error},
		{0},
	};

	return run_tests("text", tests);
}
