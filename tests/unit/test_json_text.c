// SPDX-License-Identifier: GPL-2.0-only
/* JSON, piece by piece, is what printf would have written, wherever its buffer ends. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "formats/json_text.h"

static char *written; /* by the last write_all() */

static void write_all(void (*write)(struct json *json))
{
	size_t nr_bytes;
	FILE *out = open_memstream(&written, &nr_bytes);
	struct json json = {.out = out};

	json__open(&json, NULL, '{');
	write(&json);
	json__end(&json);
	fclose(out);
}

static void write_numbers(struct json *json)
{
	json__count(json, "zero", 0);
	json__count(json, "most", UINT64_MAX);
	json__integer(json, "least", INT64_MIN);
	json__integer(json, "minus", -7);
	json__seconds(json, "s", 1000000020);
	json__milliseconds(json, "ms", 999999);
	json__rate(json, "hz", 99);
	json__rate(json, "mhz", 4999.05);
	json__rate(json, "none", -1);
	json__number(json, "share", 0.25);
	json__boolean(json, "true", true);
	json__null(json, "null");
}

static void test_numbers(void)
{
	write_all(write_numbers);
	EXPECT_STR(written, "{\"zero\":0,\"most\":18446744073709551615,"
			    "\"least\":-9223372036854775808,\"minus\":-7,\"s\":1.000000020,"
			    "\"ms\":0.999999,\"hz\":99,\"mhz\":4999.050,\"none\":null,"
			    "\"share\":0.25,\"true\":true,\"null\":null}\n");
	free(written);
}

#define NR 4000

static void write_many(struct json *json)
{
	json__open(json, "many", '[');
	for (uint64_t i = 0; i < NR; i++) {
		json__count(json, NULL, i * i * i);
		json__string(json, NULL, i % 7 ? "plain" : "a \"b\"");
		json__made(json, "[1]", 3);
	}
	json__close(json, ']');
}

/* Pieces of all lengths meet the end of the buffer; what has to be escaped goes around it. */
static void test_buffer(void)
{
	static char expected[NR * 40];
	char *at = expected + sprintf(expected, "{\"many\":[");

	for (uint64_t i = 0; i < NR; i++)
		at += sprintf(at, "%s%" PRIu64 ",\"%s\",[1]", i ? "," : "", i * i * i,
			      i % 7 ? "plain" : "a \\\"b\\\"");
	strcpy(at, "]}\n");
	write_all(write_many);
	EXPECT(!strcmp(written, expected));
	free(written);
}

static char longer[3 * sizeof(((struct json *)NULL)->bytes)];

static void write_long(struct json *json)
{
	json__string(json, "long", longer);
	json__count(json, "after", 1);
}

static void test_long(void)
{
	static char expected[sizeof(longer) + 64];

	memset(longer, 'x', sizeof(longer) - 1);
	sprintf(expected, "{\"long\":\"%s\",\"after\":1}\n", longer);
	write_all(write_long);
	EXPECT(!strcmp(written, expected));
	free(written);
}

static void test_full(void)
{
	FILE *full = fopen("/dev/full", "w");
	struct json json = {.out = full};

	if (!full)
		return;
	json__open(&json, NULL, '{');
	write_many(&json);
	json__end(&json);
	fflush(full);
	EXPECT(ferror(full));
	fclose(full);
}

int main(void)
{
	static const struct test tests[] = {
		{"numbers are whole", test_numbers},
		{"nothing is lost where the buffer ends", test_buffer},
		{"a string that is longer than the buffer", test_long},
		{"a write that fails is remembered", test_full},
		{0},
	};

	return run_tests("json_text", tests);
}
