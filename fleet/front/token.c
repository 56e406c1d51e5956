// SPDX-License-Identifier: GPL-2.0-only
#include "front/token.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <strings.h>

#define MAX_BASIC 512 /* bytes of name and password */

/* Keeps a token of visible characters, as it is in a file of its own with a line. */
static int keep(const char *text, size_t length, char *token, size_t size)
{
	if (!length || length >= size)
		return -EINVAL;
	for (size_t i = 0; i < length; i++)
		if (text[i] <= ' ' || text[i] >= 0x7f)
			return -EINVAL;
	memcpy(token, text, length);
	token[length] = '\0';
	return 0;
}

/* ---- Basic ---- */

static int base64_digit(char c)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *at = c ? strchr(digits, c) : NULL;

	return at ? (int)(at - digits) : -1;
}

/* Into out, which is not terminated. Its length; negative: it is none, or too long. */
static long decode(const char *text, char *out, size_t size)
{
	const size_t nr_digits = strcspn(text, "=");
	uint32_t bits = 0;
	size_t used = 0;

	if (strspn(text + nr_digits, "=") != strlen(text + nr_digits) || strlen(text) % 4 ||
	    strlen(text) - nr_digits > 2)
		return -EINVAL;
	for (size_t i = 0; i < nr_digits; i++) {
		if (base64_digit(text[i]) < 0 || used == size)
			return -EINVAL;
		bits = bits << 6 | (uint32_t)base64_digit(text[i]);
		if (i % 4)
			out[used++] = (char)(bits >> (6 - 2 * (i % 4)));
	}
	return (long)used;
}

static int take_password(const char *text, char *token, size_t size)
{
	char decoded[MAX_BASIC];
	const long length = decode(text, decoded, sizeof(decoded));
	const char *colon = length > 0 ? memchr(decoded, ':', (size_t)length) : NULL;
	int code = -EINVAL;

	if (colon)
		code = keep(colon + 1, (size_t)(decoded + length - colon - 1), token, size);
	explicit_bzero(decoded, sizeof(decoded));
	return code;
}

/* ---- schemes ---- */

/* The text behind the name of a scheme; NULL: it is another scheme. */
static const char *after_scheme(const char *text, const char *scheme)
{
	const size_t length = strlen(scheme);

	if (strncasecmp(text, scheme, length) != 0 || text[length] != ' ')
		return NULL;
	text += length;
	return text + strspn(text, " ");
}

int token__take(const char *authorization, char *token, size_t size)
{
	const char *bearer = after_scheme(authorization, "Bearer");
	const char *basic = after_scheme(authorization, "Basic");

	*token = '\0';
	if (bearer)
		return keep(bearer, strlen(bearer), token, size);
	return basic ? take_password(basic, token, size) : -EINVAL;
}
