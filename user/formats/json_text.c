// SPDX-License-Identifier: GPL-2.0-only
#include "formats/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

#include "base/escape.h"
#include "base/numbers.h"

static void write_key(struct json *json, const char *key)
{
	if (json->comma)
		putc(',', json->out);
	json->comma = true;
	if (!key)
		return;
	putc('"', json->out);
	fputs(key, json->out);
	fputs("\":", json->out);
}

void json__open(struct json *json, const char *key, char bracket)
{
	write_key(json, key);
	putc(bracket, json->out);
	json->comma = false;
}

void json__close(struct json *json, char bracket)
{
	putc(bracket, json->out);
	json->comma = true;
}

void json__count(struct json *json, const char *key, uint64_t count)
{
	write_key(json, key);
	fprintf(json->out, "%" PRIu64, count);
}

void json__integer(struct json *json, const char *key, int64_t integer)
{
	write_key(json, key);
	fprintf(json->out, "%" PRId64, integer);
}

void json__number(struct json *json, const char *key, double number)
{
	write_key(json, key);
	if (!isfinite(number))
		fputs("null", json->out);
	else if (rint(number) == number && fabs(number) < 1e18)
		fprintf(json->out, "%.0f", number);
	else
		text__print_number(json->out, number);
}

void json__boolean(struct json *json, const char *key, bool value)
{
	write_key(json, key);
	fputs(value ? "true" : "false", json->out);
}

/* To the nanosecond, which a double would not keep. */
void json__seconds(struct json *json, const char *key, uint64_t ns)
{
	write_key(json, key);
	fprintf(json->out, "%" PRIu64 ".%09" PRIu64, ns / 1000000000, ns % 1000000000);
}

/* In integers: a locale's decimal comma would be no JSON, nor would infinity. */
void json__rate(struct json *json, const char *key, double rate_hz)
{
	uint64_t mhz;

	write_key(json, key);
	if (!(rate_hz >= 0 && rate_hz < 1e12)) {
		fputs("null", json->out);
		return;
	}
	mhz = (uint64_t)llround(rate_hz * 1000);
	fprintf(json->out, "%" PRIu64, mhz / 1000);
	if (mhz % 1000)
		fprintf(json->out, ".%03" PRIu64, mhz % 1000);
}

void json__string(struct json *json, const char *key, const char *string)
{
	write_key(json, key);
	if (string)
		text__print_json(json->out, string);
	else
		fputs("null", json->out);
}

/* "2026-01-31T12:34:56.789Z" */
void json__realtime(struct json *json, const char *key, int64_t realtime_ns)
{
	int64_t ms = realtime_ns / 1000000;
	time_t seconds = (time_t)(ms / 1000);
	char text[64] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	write_key(json, key);
	fprintf(json->out, "\"%s.%03dZ\"", text, (int)(ms % 1000));
}

void json__null(struct json *json, const char *key)
{
	write_key(json, key);
	fputs("null", json->out);
}

void json__milliseconds(struct json *json, const char *key, uint64_t ns)
{
	write_key(json, key);
	fprintf(json->out, "%" PRIu64 ".%06" PRIu64, ns / 1000000, ns % 1000000);
}
