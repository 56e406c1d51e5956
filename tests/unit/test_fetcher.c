// SPDX-License-Identifier: GPL-2.0-only
/*
 * A fetcher takes from a lying server only the bytes and the time that it was allowed. The server
 * is tests/e2e/lying_debuginfod.py. Without libdebuginfod the fetcher says that it is missing.
 */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/system/channel.h"
#include "base/system/spawner.h"
#include "expect.h"
#include "scratch.h"
#include "symbols/debug/fetcher.h"

#define ID	   "0123456789abcdef0123456789abcdef01234567"
#define SECOND_NS  1000000000ULL
#define PATIENCE_S 60

static pid_t server;
static int port;

static void start_server(void)
{
	int ends[2];
	FILE *out;

	scratch_write("file", "some bytes that are no ELF file\n");
	if (pipe(ends))
		exit(1);
	server = fork();
	if (server == 0) {
		dup2(ends[1], 1);
		close(ends[0]);
		execlp("python3", "python3", "tests/e2e/lying_debuginfod.py", scratch_path("file"),
		       NULL);
		_exit(1);
	}
	close(ends[1]);
	out = fdopen(ends[0], "r"); /* stays open: the server goes on to print */
	if (!out || fscanf(out, "ready %d", &port) != 1)
		exit(1);
}

static void stop_server(void)
{
	kill(server, SIGKILL);
	waitpid(server, NULL, 0);
}

/* Fetches into an empty cache from the server that lies so, and returns the fetcher's code. */
static int fetch(const char *how, uint64_t max_bytes, uint64_t max_ns,
		 struct fetch_account *account)
{
	struct fetch_request request = {.max_bytes = max_bytes, .max_ns = max_ns, .build_id = ID};
	struct worker_end end = {.code = -EBUSY};
	struct spawner *spawner;
	struct hired fetcher;
	size_t nr_files = 0;
	char url[64];

	snprintf(url, sizeof(url), "http://127.0.0.1:%d/%s", port, how);
	scratch_run("rm -rf cache && mkdir cache");
	EXPECT_EQ(fetchers__start(&spawner, &(struct fetcher_plan){url, scratch_path("cache")}), 0);
	EXPECT_EQ(fetcher__ask(spawner, &request, &fetcher), 0);
	for (int i = 0; i < PATIENCE_S && !hired__has_ended(&fetcher, &end); i++)
		poll(&(struct pollfd){.fd = fetcher.status, .events = POLLIN}, 1, 1000);
	EXPECT_EQ(channel__receive(fetcher.channel, false, account, sizeof(*account), NULL,
				   &nr_files),
		  sizeof(*account));
	hired__dismiss(&fetcher);
	spawner__stop(spawner);
	return end.code;
}

/* No file is below the cache, whatever its name, but settings. */
static void expect_empty_cache(void)
{
	scratch_run("test -z \"$(find cache -type f ! -name 'cache_*_s' ! -name 'max_*_s')\"");
}

static void test_whole(void)
{
	struct fetch_account account;
	struct stat status;

	EXPECT_EQ(fetch("other", 1 << 20, 30 * SECOND_NS, &account), 0);
	EXPECT_EQ(account.nr_bytes, 32);
	EXPECT(!stat(scratch_path("cache/" ID "/debuginfo"), &status));
	EXPECT_EQ(status.st_size, 32);
}

static void test_endless(void)
{
	struct fetch_account account;

	EXPECT_EQ(fetch("endless", 8 << 20, 30 * SECOND_NS, &account), -EFBIG);
	expect_empty_cache();
}

static void test_huge(void)
{
	struct fetch_account account;

	EXPECT_EQ(fetch("huge", 8 << 20, 30 * SECOND_NS, &account), -EFBIG);
	expect_empty_cache();
}

/* 80 MB that come as 80 KB. */
static void test_bomb(void)
{
	struct fetch_account account;

	EXPECT_EQ(fetch("bomb", 72 << 20, 30 * SECOND_NS, &account), -EFBIG);
	EXPECT_EQ(account.nr_bytes, 72 << 20);
	expect_empty_cache();
}

static void test_silent(void)
{
	const uint64_t begun_ns = monotonic_ns();
	struct fetch_account account;

	EXPECT_EQ(fetch("silent", 8 << 20, SECOND_NS, &account), -ETIME);
	EXPECT(monotonic_ns() - begun_ns >= SECOND_NS);
	EXPECT_EQ(account.nr_bytes, 0);
	expect_empty_cache();
}

static void test_none(void)
{
	struct fetch_account account;

	EXPECT_EQ(fetch("none", 8 << 20, 30 * SECOND_NS, &account), -ENOENT);
	scratch_run("test ! -s cache/" ID "/debuginfo");
}

static void test_missing(void)
{
	struct spawner *spawner;

	EXPECT_EQ(fetchers__start(&spawner, &(struct fetcher_plan){"http://x", "/tmp"}), -ELIBACC);
}

int main(void)
{
	static const struct test tests[] = {
		{"a file", test_whole},
		{"endless data", test_endless},
		{"a huge length", test_huge},
		{"silence", test_silent},
		{"no file", test_none},
		{"much of little", test_bomb},
		{0},
	};
	static const struct test without[] = {{"no library", test_missing}, {0}};
	int code;

	if (!dlopen("libdebuginfod.so.1", RTLD_NOW))
		return run_tests("fetcher", without);
	scratch_create();
	start_server();
	code = run_tests("fetcher", tests);
	stop_server();
	return code;
}
