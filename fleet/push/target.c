// SPDX-License-Identifier: GPL-2.0-only
#include "push/target.h"

#include <arpa/inet.h>
#include <curl/curl.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"

const struct push_target *target__of(enum push_format format)
{
	static const struct push_target *const rows[PUSH_FORMATS] = {
		[PUSH_PYROSCOPE] = &target_pyroscope,
		[PUSH_OTLP] = &target_otlp,
		[PUSH_PPROF] = &target_pprof,
	};

	return rows[format];
}

static int refuse(struct error *err, const char *url, const char *why)
{
	struct quoted quoted;

	return error__say(err, EXIT_USAGE, -EINVAL, "cannot send to %s: %s", quote(&quoted, url),
			  why);
}

static bool is_loopback(const char *host)
{
	struct in_addr address;

	if (!strcmp(host, "localhost") || !strcmp(host, "[::1]"))
		return true;
	return inet_pton(AF_INET, host, &address) == 1 && ntohl(address.s_addr) >> 24 == 127;
}

static bool has_part(CURLU *parsed, CURLUPart what)
{
	char *part = NULL;
	bool has = !curl_url_get(parsed, what, &part, 0) && part && *part;

	curl_free(part);
	return has;
}

static int check(CURLU *parsed, const char *url, bool *is_plain, struct error *err)
{
	char *scheme = NULL, *host = NULL;
	int code = 0;

	if (curl_url_set(parsed, CURLUPART_URL, url, 0) ||
	    curl_url_get(parsed, CURLUPART_SCHEME, &scheme, 0) ||
	    curl_url_get(parsed, CURLUPART_HOST, &host, 0))
		code = refuse(err, url, "it is no URL such as https://host/path");
	else if (has_part(parsed, CURLUPART_USER) || has_part(parsed, CURLUPART_PASSWORD))
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "a URL must not have a user or a password, which other users of "
				  "this machine would see; there are --user and --token-file");
	else if (has_part(parsed, CURLUPART_QUERY) || has_part(parsed, CURLUPART_FRAGMENT))
		code = error__say(err, EXIT_USAGE, -EINVAL,
				  "a URL must not have a query, which other users of this machine "
				  "would see, and servers log; for tokens there is --token-file");
	else if (strcmp(scheme, "https") != 0 && strcmp(scheme, "http") != 0)
		code = refuse(err, url, "only https:// and http:// are known");
	else if (!strcmp(scheme, "http") && !is_loopback(host))
		code = refuse(err, url, "http:// is for this machine alone; take https://");
	else
		*is_plain = !strcmp(scheme, "http");
	curl_free(scheme);
	curl_free(host);
	return code;
}

/* ".../prefix/" and "/push" become ".../prefix/push". */
static int add_path(CURLU *parsed, const char *path)
{
	char *before = NULL, *whole = NULL;
	size_t length;
	int code = 0;

	if (curl_url_get(parsed, CURLUPART_PATH, &before, 0))
		return -ENOMEM;
	length = strlen(before);
	while (length && before[length - 1] == '/')
		length--;
	if (length < strlen(path) ||
	    strncmp(before + length - strlen(path), path, strlen(path)) != 0) {
		if (asprintf(&whole, "%.*s%s", (int)length, before, path) < 0)
			code = -ENOMEM;
		else if (curl_url_set(parsed, CURLUPART_PATH, whole, 0))
			code = -ENOMEM;
	}
	free(whole);
	curl_free(before);
	return code;
}

int target__url(const struct push_target *target, const char *url, char **whole, bool *is_plain,
		struct error *err)
{
	CURLU *parsed = curl_url();
	char *text = NULL;
	int code = parsed ? check(parsed, url, is_plain, err) : memory__error(err);

	if (!code && target->path && add_path(parsed, target->path))
		code = memory__error(err);
	if (!code && curl_url_get(parsed, CURLUPART_URL, &text, 0))
		code = memory__error(err);
	*whole = code ? NULL : strdup(text);
	if (!code && !*whole)
		code = memory__error(err);
	curl_free(text);
	curl_url_cleanup(parsed);
	return code;
}
