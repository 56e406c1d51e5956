// SPDX-License-Identifier: GPL-2.0-only
#include "formats/json_text.h"

#include <math.h>
#include <time.h>

#include "base/escape.h"

/* ---- the buffer ---- */

void json__flush(struct json *json)
{
	fwrite(json->bytes, 1, json->nr_bytes, json->out);
	json->nr_bytes = 0;
}

static void put(struct json *json, const char *bytes, size_t nr_bytes)
{
	if (nr_bytes > sizeof(json->bytes) - json->nr_bytes)
		json__flush(json);
	if (nr_bytes > sizeof(json->bytes)) {
		fwrite(bytes, 1, nr_bytes, json->out);
		return;
	}
	memcpy(&json->bytes[json->nr_bytes], bytes, nr_bytes);
	json->nr_bytes += nr_bytes;
}

static void put_char(struct json *json, char c)
{
	if (json->nr_bytes == sizeof(json->bytes))
		json__flush(json);
	json->bytes[json->nr_bytes++] = c;
}

static void put_text(struct json *json, const char *text)
{
	put(json, text, strlen(text));
}

/*
 * Writes a number, with zeros in front up to this width. Most output may be numbers, and printf is
 * slow.
 */
static void put_number(struct json *json, uint64_t number, int width)
{
	char digits[20];
	size_t at = sizeof(digits);

	do {
		digits[--at] = (char)('0' + number % 10);
		number /= 10;
	} while (number || sizeof(digits) - at < (size_t)width);
	put(json, &digits[at], sizeof(digits) - at);
}

static void put_fixed(struct json *json, uint64_t number, uint64_t unit, int nr_decimals)
{
	put_number(json, number / unit, 1);
	put_char(json, '.');
	put_number(json, number % unit, nr_decimals);
}

/* ---- pieces ---- */

static void put_key(struct json *json, const char *key)
{
	if (json->comma)
		put_char(json, ',');
	json->comma = true;
	if (!key)
		return;
	put_char(json, '"');
	put_text(json, key);
	put(json, "\":", 2);
}

void json__open(struct json *json, const char *key, char bracket)
{
	put_key(json, key);
	put_char(json, bracket);
	json->comma = false;
}

void json__close(struct json *json, char bracket)
{
	put_char(json, bracket);
	json->comma = true;
}

void json__end(struct json *json)
{
	put(json, "}\n", 2);
	json__flush(json);
}

void json__made(struct json *json, const char *text, size_t nr_bytes)
{
	put_key(json, NULL);
	put(json, text, nr_bytes);
}

void json__count(struct json *json, const char *key, uint64_t count)
{
	put_key(json, key);
	put_number(json, count, 1);
}

void json__integer(struct json *json, const char *key, int64_t integer)
{
	put_key(json, key);
	if (integer < 0)
		put_char(json, '-');
	put_number(json, integer < 0 ? -(uint64_t)integer : (uint64_t)integer, 1);
}

void json__number(struct json *json, const char *key, double number)
{
	put_key(json, key);
	json__flush(json);
	if (!isfinite(number))
		fputs("null", json->out);
	else if (rint(number) == number && fabs(number) < 1e18)
		fprintf(json->out, "%.0f", number);
	else
		text__print_number(json->out, number);
}

void json__boolean(struct json *json, const char *key, bool value)
{
	put_key(json, key);
	put_text(json, value ? "true" : "false");
}

/* Written to the nanosecond, which a double could not hold. */
void json__seconds(struct json *json, const char *key, uint64_t ns)
{
	put_key(json, key);
	put_fixed(json, ns, 1000000000, 9);
}

void json__milliseconds(struct json *json, const char *key, uint64_t ns)
{
	put_key(json, key);
	put_fixed(json, ns, 1000000, 6);
}

/* Uses integers: a locale's decimal comma would be invalid JSON, and infinity as well. */
void json__rate(struct json *json, const char *key, double rate_hz)
{
	uint64_t mhz;

	if (!(rate_hz >= 0 && rate_hz < 1e12)) {
		json__null(json, key);
		return;
	}
	mhz = (uint64_t)llround(rate_hz * 1000);
	put_key(json, key);
	if (mhz % 1000)
		put_fixed(json, mhz, 1000, 3);
	else
		put_number(json, mhz / 1000, 1);
}

void json__string(struct json *json, const char *key, const char *string)
{
	size_t nr_bytes = 0;

	if (!string) {
		json__null(json, key);
		return;
	}
	put_key(json, key);
	/* Nearly always, the whole string is printable ASCII. */
	while (string[nr_bytes] >= 0x20 && string[nr_bytes] < 0x7f && string[nr_bytes] != '"' &&
	       string[nr_bytes] != '\\')
		nr_bytes++;
	if (string[nr_bytes]) {
		json__flush(json);
		text__print_json(json->out, string);
		return;
	}
	put_char(json, '"');
	put(json, string, nr_bytes);
	put_char(json, '"');
}

/* "2026-01-31T12:34:56.789Z" */
void json__realtime(struct json *json, const char *key, int64_t realtime_ns)
{
	int64_t ms = realtime_ns / 1000000;
	time_t seconds = (time_t)(ms / 1000);
	char second[64] = "", text[96];
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(second, sizeof(second), "%Y-%m-%dT%H:%M:%S", &tm);
	snprintf(text, sizeof(text), "\"%s.%03dZ\"", second, (int)(ms % 1000));
	put_key(json, key);
	put_text(json, text);
}

void json__null(struct json *json, const char *key)
{
	put_key(json, key);
	put(json, "null", 4);
}
