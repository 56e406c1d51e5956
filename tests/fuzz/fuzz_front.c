// SPDX-License-Identifier: GPL-2.0-only
/* The head of a request that means harm: a line each of target, Host, Origin and Authorization. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "front/host.h"
#include "front/question.h"
#include "front/token.h"
#include "require.h"

#define NOW	    INT64_C(1795701790000000000)
#define MAX_SECONDS 300

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The next line, terminated in place; the end of all, if there is none. */
static char *take_line(char **text)
{
	char *line = *text;

	*text += strcspn(line, "\n");
	if (**text)
		*(*text)++ = '\0';
	return line;
}

#define REQUIRE_ENDS(field) require(memchr((field), 0, sizeof(field)) != NULL)

static void check_request(const struct serve_request *request)
{
	require(request->size == sizeof(*request) && request->subject < SERVE_SUBJECTS);
	REQUIRE_ENDS(request->event);
	REQUIRE_ENDS(request->comm);
	REQUIRE_ENDS(request->container);
	REQUIRE_ENDS(request->cgroup);
	REQUIRE_ENDS(request->client);
	require(!*request->token && !request->number && !request->uid && request->with_slices <= 1);
	require(request->ago_ns != SERVE_FROM_NOW ||
		request->duration_ns <= MAX_SECONDS * UINT64_C(1000000000));
	require(request->at_ns >= 0 && request->at_ns <= NOW);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = strndup((const char *)data, size), *at = text;
	struct asked_for asked;
	struct error err = {0};
	char token[128];
	const char *host;
	int code;

	require(text != NULL);
	code = question__parse(&asked, take_line(&at), MAX_SECONDS, NOW, &err);
	require(!code || ((code == -EINVAL || code == -ENOENT) && *err.text));
	if (!code)
		check_request(&asked.request);
	host = take_line(&at);
	require(!host__is_ours(host, false) || host__is_ours(host, true));
	host__is_origin(take_line(&at), host);
	code = token__take(take_line(&at), token, sizeof(token));
	REQUIRE_ENDS(token);
	require(!code == (*token != '\0'));
	free(text);
	return 0;
}
