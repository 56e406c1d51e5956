// SPDX-License-Identifier: GPL-2.0-only
/* The servers to be asked are found, and the user's cache. */
#include <errno.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/output/user_cache.h"
#include "expect.h"
#include "scratch.h"
#include "symbols/debug/debug_cache.h"
#include "symbols/debug/debug_servers.h"

/* "none": there is none; "refused": one is no server. */
static const char *find(const char *given, const char *variable)
{
	static char found[4096];
	struct error err = {0};
	char *urls;
	int code;

	unsetenv("DEBUGINFOD_URLS");
	if (variable)
		setenv("DEBUGINFOD_URLS", variable, 1);
	code = debug_servers__find(given, scratch_path("*.urls"), &urls, &err);
	if (code)
		return code == -ENOENT ? "none" : "refused";
	snprintf(found, sizeof(found), "%s", urls);
	free(urls);
	return found;
}

static void test_servers(void)
{
	char many[6000] = "";

	scratch_run("rm -f *.urls");
	EXPECT_STR(find("", NULL), "none");
	EXPECT_STR(find("", ""), "none");
	EXPECT_STR(find("http://a", NULL), "http://a");
	EXPECT_STR(find("http://a", "http://b"), "http://a");
	EXPECT_STR(find("", " http://b\thttps://c/d "), "http://b https://c/d");
	EXPECT_STR(find("", "ima:enforcing https://c"), "ima:enforcing https://c");
	scratch_write("one.urls", "https://one\n");
	scratch_write("two.urls", "https://two\nhttps://three\n");
	scratch_write("other.certpath", "https://four\n");
	EXPECT_STR(find("", NULL), "https://one https://two https://three");
	EXPECT_STR(find("", "http://b"), "http://b");
	EXPECT_STR(find("file:///etc", NULL), "refused");
	EXPECT_STR(find("", "http://b /etc"), "refused");
	EXPECT_STR(find("a.example", NULL), "refused");
	for (int i = 0; i < 500; i++)
		strcat(many, "http://abc ");
	EXPECT_STR(find("", many), "refused");
}

/* Where the cache is found with this environment, below the scratch directory. */
static const char *find_cache(const char *home, const char *own, const char *xdg)
{
	static char path[PATH_MAX];
	int fd;

	setenv("HOME", home ? scratch_path(home) : "", 1);
	setenv("DEBUGINFOD_CACHE_PATH", own ? scratch_path(own) : "", 1);
	setenv("XDG_CACHE_HOME", xdg ? scratch_path(xdg) : "", 1);
	fd = debug_cache__open(path);
	if (fd < 0)
		return fd == -ENOENT	     ? "none"
		       : fd == -EOTHERSWRITE ? "open to others"
					     : "of others";
	close(fd);
	return path + strlen(scratch_directory) + 1;
}

static void test_caches(void)
{
	char path[PATH_MAX];
	struct stat status;
	int fd;

	scratch_run("mkdir -p own home/.cache/debuginfod_client xdg/debuginfod_client bare");
	EXPECT_STR(find_cache(NULL, NULL, NULL), "none");
	EXPECT_STR(find_cache("bare", NULL, NULL), "none");
	EXPECT_STR(find_cache("home", NULL, NULL), "home/.cache/debuginfod_client");
	EXPECT_STR(find_cache("home", NULL, "xdg"), "xdg/debuginfod_client");
	EXPECT_STR(find_cache("home", "own", "xdg"), "own");
	scratch_run("mkdir home/.debuginfod_client_cache");
	EXPECT_STR(find_cache("home", NULL, "xdg"), "home/.debuginfod_client_cache");
	scratch_run("chmod 775 own");
	EXPECT_STR(find_cache("home", "own", "xdg"), "open to others");
	scratch_run("chmod 757 own");
	EXPECT_STR(find_cache("home", "own", "xdg"), "open to others");

	EXPECT_STR(find_cache("bare", NULL, NULL), "none");
	fd = debug_cache__make(path);
	EXPECT(fd >= 0);
	close(fd);
	EXPECT(!stat(scratch_path("bare/.cache/debuginfod_client"), &status));
	EXPECT_EQ(status.st_mode & 0777, 0700);
	EXPECT_STR(find_cache("bare", NULL, NULL), "bare/.cache/debuginfod_client");
}

/* A cache of another user is refused: root's for other users, theirs for root. */
static void test_owners(void)
{
	char path[PATH_MAX];

	setenv("DEBUGINFOD_CACHE_PATH", "/usr", 1);
	if (geteuid()) {
		EXPECT_EQ(debug_cache__open(path), -ENOTOURS);
		return;
	}
	scratch_run("mkdir theirs && chown 65534 theirs");
	EXPECT_STR(find_cache("home", "theirs", NULL), "of others");
}

/* A home was kept when its user became root. Links lead to files that are root's. */
static void test_homes_of_others(void)
{
	static const char *const homes[] = {
		"mkdir hut && chown 65534 hut",
		"mkdir hut hut/.cache && chown 65534 hut",
		"mkdir hut hut/.cache && chown 65534 hut/.cache",
		"mkdir hut && ln -s ../goal hut/.cache && chown -h 65534 hut/.cache",
		"mkdir hut hut/.cache && ln -s ../../goal/made hut/.cache/debuginfod_client && "
		"chown -h 65534 hut/.cache/debuginfod_client",
	};
	char path[PATH_MAX];

	if (geteuid())
		return;
	for (size_t i = 0; i < sizeof(homes) / sizeof(homes[0]); i++) {
		scratch_run("rm -rf hut goal && mkdir goal && %s", homes[i]);
		EXPECT_STR(find_cache("hut", NULL, NULL), "none");
		EXPECT_EQ(debug_cache__make(path), -ENOTOURS);
		EXPECT_STR(debug_cache__why(-ENOTOURS), "as it is somebody else's");
		scratch_run("test -z \"$(find goal hut -mindepth 1 -user root ! -name .cache)\" && "
			    "! test -e hut/.cache/debuginfod_client");
	}
}

/* A directory of ours to which a link of theirs leads is not written to. */
static void test_links_of_others(void)
{
	char path[PATH_MAX];
	int fd;

	if (geteuid())
		return;
	scratch_run("rm -rf hut goal && mkdir -p hut goal/debuginfod_client && "
		    "ln -s ../goal hut/.cache");
	EXPECT_STR(find_cache("hut", NULL, NULL), "hut/.cache/debuginfod_client");
	fd = debug_cache__make(path);
	EXPECT(fd >= 0);
	close(fd);
	scratch_run("chown -h 65534 hut/.cache");
	EXPECT_EQ(debug_cache__make(path), -ENOTOURS);
}

int main(void)
{
	static const struct test tests[] = {
		{"servers", test_servers},
		{"places of the cache", test_caches},
		{"a cache of somebody else's", test_owners},
		{"nothing is made in homes of others", test_homes_of_others},
		{"no link of others is followed to ours", test_links_of_others},
		{0},
	};

	scratch_create();
	return run_tests("debug_servers", tests);
}
