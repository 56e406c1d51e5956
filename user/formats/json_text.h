/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * JSON, piece by piece. The output is valid JSON for any bytes in strings and in every locale.
 * Integers are written whole, up to 64 bits.
 *
 *	struct json json = {.out = out};
 *
 *	json__open(&json, NULL, '{');
 *	json__count(&json, "answer", 42);
 *	json__end(&json);
 *
 * Pieces are small and there may be millions: they gather in a buffer. A failed write is known to
 * ferror(out).
 */
#ifndef TOPSTACKS_FORMATS_JSON_TEXT_H
#define TOPSTACKS_FORMATS_JSON_TEXT_H

#include "base/common.h"

/* Knows whether a comma is due. Members of objects have a key; elements of arrays have NULL. */
struct json {
	FILE *out;
	bool comma;
	size_t nr_bytes; /* in the buffer */
	char bytes[4096];
};

/* Writes the buffer to out: before other code writes there, and at the end. */
void json__flush(struct json *json);

/* key: NULL within an array. */
void json__open(struct json *json, const char *key, char bracket);
void json__close(struct json *json, char bracket);

/* Closes the outermost object, ends the line and flushes the buffer. */
void json__end(struct json *json);

/* Writes a value that is JSON already, in an array. */
void json__made(struct json *json, const char *text, size_t nr_bytes);

void json__count(struct json *json, const char *key, uint64_t count);
void json__integer(struct json *json, const char *key, int64_t integer);
/* Whole numbers are exact, others have ten digits; null if not finite. */
void json__number(struct json *json, const char *key, double number);
void json__boolean(struct json *json, const char *key, bool value);
void json__null(struct json *json, const char *key);

/* NULL is null. */
void json__string(struct json *json, const char *key, const char *string);

/* Written to the nanosecond, which a double could not hold. */
void json__seconds(struct json *json, const char *key, uint64_t ns);
void json__milliseconds(struct json *json, const char *key, uint64_t ns);

/* Written to the millihertz; null if it is no valid rate. */
void json__rate(struct json *json, const char *key, double rate_hz);

/* "2026-01-31T12:34:56.789Z" */
void json__realtime(struct json *json, const char *key, int64_t realtime_ns);

#endif
