// SPDX-License-Identifier: GPL-2.0-only
/* Hosts, origins and tokens in the heads of requests. */
#include <errno.h>
#include <string.h>

#include "expect.h"
#include "front/host.h"
#include "front/token.h"

static void test_hosts(void)
{
	static const char *const ours[] = {
		"localhost",  "LocalHost:6060", "127.0.0.1",   "127.0.0.1:6060",
		"10.1.2.3:1", "[::1]",		"[::1]:65535", "[2001:db8::1]:80",
	};
	static const char *const names[] = {
		"example.com",
		"example.com:80",
		"localhost.evil.example",
		"xlocalhost",
		"127.0.0.1.evil.example",
		"127.1",
		"2130706433",
		"localhost.",
	};
	static const char *const neither[] = {
		"",
		":",
		":80",
		"localhost:",
		"localhost:x",
		"localhost:80:80",
		"localhost:123456",
		"[::1",
		"[::1]x",
		"[]",
		"[localhost]",
		"[127.0.0.1]",
		"::1",
		"a b",
		"x@localhost",
		"localhost/",
		"loc\xc3\xa4lhost",
		"[::1%25lo]",
	};

	for (size_t i = 0; i < sizeof(ours) / sizeof(ours[0]); i++)
		EXPECT(host__is_ours(ours[i], false) && host__is_ours(ours[i], true));
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		EXPECT(!host__is_ours(names[i], false) && host__is_ours(names[i], true));
	for (size_t i = 0; i < sizeof(neither) / sizeof(neither[0]); i++)
		EXPECT(!host__is_ours(neither[i], false) && !host__is_ours(neither[i], true));
}

static void test_origins(void)
{
	EXPECT(host__is_origin("http://localhost:6060", "localhost:6060"));
	EXPECT(host__is_origin("https://EXAMPLE.com", "example.com"));
	EXPECT(!host__is_origin("http://localhost:3000", "localhost:6060"));
	EXPECT(!host__is_origin("http://evil.example", "localhost"));
	EXPECT(!host__is_origin("null", "null"));
	EXPECT(!host__is_origin("", ""));
	EXPECT(!host__is_origin("localhost", "localhost"));
}

static char token[16];

static int take(const char *authorization)
{
	memset(token, 'x', sizeof(token));
	return token__take(authorization, token, sizeof(token));
}

static void test_tokens(void)
{
	EXPECT_EQ(take("Bearer abc.-_~+/="), 0);
	EXPECT_STR(token, "abc.-_~+/=");
	EXPECT_EQ(take("bearer   abc"), 0);
	EXPECT_STR(token, "abc");
	EXPECT_EQ(take("Bearer 123456789012345"), 0);
	EXPECT_EQ(strlen(token), 15);
	/* "x:secret", ":secret", "a:b:c", "x:~~~" */
	EXPECT_EQ(take("Basic eDpzZWNyZXQ="), 0);
	EXPECT_STR(token, "secret");
	EXPECT_EQ(take("basic OnNlY3JldA=="), 0);
	EXPECT_STR(token, "secret");
	EXPECT_EQ(take("Basic YTpiOmM="), 0);
	EXPECT_STR(token, "b:c");
	EXPECT_EQ(take("Basic eDp+fn4="), 0);
	EXPECT_STR(token, "~~~");
}

static void test_no_tokens(void)
{
	static const char *const none[] = {
		"",
		" ",
		"Bearer",
		"Bearer ",
		"Bearer   ",
		"Bearerabc",
		"Bearer a b",
		"Bearer abc ",
		"Bearer a\tb",
		"Bearer \xc3\xa9",
		"Bearer 1234567890123456",
		"Digest username=x",
		"Basic",
		"Basic ",
		"Basic eDo=",
		"Basic eHg=",
		"Basic !!!!",
		"Basic eDpz=XQ=",
		"Basic eDpzZWNyZXQ",
		"Basic eDpzZWNyZXQ==",
		"Basic ====",
		"Basic eDphIGI=",
		"Basic eDoKCg==",
		"Basic eDpzAA==",
		"Basic eDo3NjU0MzIxNzY1NDMyMTc2NTQzMjE=",
	};

	for (size_t i = 0; i < sizeof(none) / sizeof(none[0]); i++) {
		EXPECT_EQ(take(none[i]), -EINVAL);
		EXPECT_STR(token, "");
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"hosts", test_hosts},
		{"origins", test_origins},
		{"tokens", test_tokens},
		{"what is no token", test_no_tokens},
		{0},
	};

	return run_tests("front_head", tests);
}
