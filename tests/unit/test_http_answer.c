// SPDX-License-Identifier: GPL-2.0-only
/* Answers of a server, and of those that are none. */
#include "serve/http_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"

#define OK "HTTP/1.0 200 OK\r\n"

static int parse(struct http_answer *answer, const char *text, struct error *err)
{
	*err = (struct error){0};
	return http_answer__parse(answer, text, strlen(text), err);
}

static void taken(const char *text, unsigned int status, const char *body)
{
	struct http_answer answer;
	struct error err;

	EXPECT_EQ(parse(&answer, text, &err), 0);
	EXPECT_EQ(answer.status, status);
	EXPECT_EQ(answer.nr_bytes, strlen(body));
	EXPECT(!err.code && !strncmp(answer.body, body, answer.nr_bytes));
}

static void test_bodies(void)
{
	taken(OK "\r\nbody", 200, "body");
	taken(OK "\r\n", 200, "");
	taken("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody", 200, "body");
	taken("HTTP/1.1 200 OK\r\ncontent-length:4\r\n\r\nbody and more", 200, "body");
	taken("HTTP/1.0 404\nX: y\n\nno", 404, "no"); /* line feeds alone */
	taken(OK "Content-Encoding: identity\r\nContent-Length: 0\r\n\r\n", 200, "");
	taken(OK "X-Content-Length: 100\r\n\r\nbody", 200, "body");
}

static void refused(const char *text, const char *words)
{
	struct http_answer answer;
	struct error err;

	EXPECT_EQ(parse(&answer, text, &err), -EPROTO);
	EXPECT(strstr(err.text, words) != NULL);
}

static void test_no_answers(void)
{
	refused("", "nothing at all");
	refused("220 mail.example ESMTP\r\n", "is no HTTP");
	refused("HTTP/2.0 200 OK\r\n\r\n", "is no HTTP");
	refused("HTTP/1.0 2x0 OK\r\n\r\n", "is no HTTP");
	refused("HTTP/1.0 20\r\n\r\n", "is no HTTP");
	refused("HTTP/1.0 200", "is no HTTP");
	refused(OK, "was cut off");
	refused(OK "X: y\r\n", "was cut off");
	refused(OK "Content-Length: 5\r\n\r\nbody", "was cut off");
	refused(OK "Content-Length: -1\r\n\r\nbody", "a form that was not asked for");
	refused(OK "Content-Length: 4 4\r\n\r\nbody", "a form that was not asked for");
	refused(OK "Content-Length: 9999999999999999\r\n\r\nbody", "a form that was not");
	refused(OK "Content-Length: 4\r\nContent-Length: 3\r\n\r\nbody", "a form that was not");
	refused(OK "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "a form that was not asked for");
	refused(OK "Content-Encoding: gzip\r\n\r\nbody", "a form that was not asked for");
}

/* Fields that never end are not looked at for long. */
static void test_long_head(void)
{
	struct http_answer answer;
	struct error err = {0};
	size_t size = 1 << 20;
	char *text = malloc(size + 1);

	memset(text, 'x', size);
	memcpy(text, OK, strlen(OK));
	memcpy(text + size - 4, "\r\n\r\n", 5);
	EXPECT_EQ(http_answer__parse(&answer, text, size, &err), -EPROTO);
	free(text);
}

static void refusal(const char *text, enum exit_code exit_code, const char *sentence)
{
	struct http_answer answer;
	struct error err;

	EXPECT_EQ(parse(&answer, text, &err), 0);
	EXPECT(http_answer__refuse(&answer, &err) < 0);
	EXPECT_EQ(err.exit_code, exit_code);
	EXPECT_STR(err.text, sentence);
}

static void test_refusals(void)
{
	refusal("HTTP/1.0 404 Not Found\r\nContent-Type: text/plain\r\n\r\nonly 15 min are kept\nx",
		EXIT_USAGE, "topstacks serve answers 404 Not Found: only 15 min are kept");
	refusal("HTTP/1.0 503\r\n\r\nwhat is no text/plain is not shown", EXIT_INTERNAL,
		"topstacks serve answers 503");
	refusal("HTTP/1.0 401 \033[2J\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n\033]0;x\a",
		EXIT_SYSTEM, "topstacks serve answers 401 \\x1b[2J: \\x1b]0;x\\x07");
}

int main(void)
{
	static const struct test tests[] = {
		{"bodies", test_bodies},
		{"what is no answer", test_no_answers},
		{"a head without end", test_long_head},
		{"refusals", test_refusals},
		{0},
	};

	return run_tests("http_answer", tests);
}
