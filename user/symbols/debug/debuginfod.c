// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/debug/debuginfod.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/output/user_cache.h"
#include "base/shortage.h"
#include "base/system/channel.h"
#include "base/system/spawner.h"
#include "processes/open_file.h"
#include "readers/readers.h"
#include "symbols/debug/debug_cache.h"
#include "symbols/debug/debug_servers.h"
#include "symbols/debug/fetcher.h"

/*
 * Extra time for a fetcher to end after its limit: it ends by itself, and removes its partial file.
 */
#define GRACE_NS 2000000000ULL

/* Time for a reader to check the build ID of a fetched file. */
#define READING_NS 3000000000ULL

#define NAME_SIZE (BUILD_ID_TEXT_SIZE + 16)

struct debuginfod {
	struct spawner *fetchers;
	int cache; /* directory, with O_PATH */
	uint64_t left_ns, left_bytes;
};

/* ---- life ---- */

static int open_cache(struct debuginfod *servers, char *path, struct error *err)
{
	struct quoted quoted;
	const char *why;
	int code;

	servers->cache = debug_cache__make(path);
	if (servers->cache >= 0) {
		code = debug_cache__check_writable(path);
		if (!code)
			return 0;
		error__set(err, EXIT_USAGE, code, "cannot write to the debuginfod cache %s",
			   quote(&quoted, path));
		return error__remedy(err, "set DEBUGINFOD_CACHE_PATH to another one");
	}
	if (!*path)
		return error__say(err, EXIT_USAGE, servers->cache,
				  "there is no place for debug files of servers; set HOME or "
				  "DEBUGINFOD_CACHE_PATH");
	why = debug_cache__why(servers->cache);
	if (servers->cache == -ENOLINK)
		why = "as it is a link that leads nowhere";
	if (!why) {
		error__set(err, shortage__is(servers->cache) ? EXIT_INTERNAL : EXIT_USAGE,
			   servers->cache, "cannot make the debuginfod cache %s",
			   quote(&quoted, path));
		return error__remedy(err, "set DEBUGINFOD_CACHE_PATH to another one");
	}
	return error__say(err, EXIT_USAGE, servers->cache,
			  "the debuginfod cache %s is not used, %s; set DEBUGINFOD_CACHE_PATH to "
			  "another one",
			  quote(&quoted, path), why);
}

int debuginfod__start(struct debuginfod **out, const char *given, struct error *err)
{
	struct debuginfod *servers;
	struct fetcher_plan plan;
	char path[PATH_MAX], *urls = NULL;
	int code;

	if (!fetchers__are_possible())
		return error__say(err, EXIT_SYSTEM, -ENOTSUP,
				  "--debuginfod is not compiled into this program");
	servers = xmalloc(sizeof(*servers));
	*servers = (struct debuginfod){
		.cache = -1, .left_ns = DEBUGINFOD_MAX_NS, .left_bytes = DEBUGINFOD_MAX_BYTES};
	code = debug_servers__find(given, SYSTEM_DEBUG_SERVERS, &urls, err);
	if (!code)
		code = open_cache(servers, path, err);
	if (!code) {
		plan = (struct fetcher_plan){.urls = urls, .cache = path};
		code = fetchers__start(&servers->fetchers, &plan);
		if (code == -ELIBACC)
			error__say(err, EXIT_SYSTEM, code,
				   "--debuginfod needs libdebuginfod.so.1, which is not installed; "
				   "on Debian it is in the package libdebuginfod1");
		else if (code)
			error__set(err, EXIT_INTERNAL, code,
				   "cannot start the process that fetches debug files");
	}
	free(urls);
	if (code)
		debuginfod__stop(servers);
	else
		*out = servers;
	return code;
}

void debuginfod__stop(struct debuginfod *servers)
{
	if (!servers)
		return;
	spawner__stop(servers->fetchers);
	if (servers->cache >= 0)
		close(servers->cache);
	free(servers);
}

/* ---- fetching ---- */

/* Waits for the fetcher to end. False: it did not end in time, so its account is not known. */
static bool await_end(struct hired *fetcher, uint64_t until_ns, struct worker_end *end)
{
	while (!hired__has_ended(fetcher, end)) {
		struct pollfd watched = {.fd = fetcher->status, .events = POLLIN};
		const uint64_t now_ns = monotonic_ns();

		if (now_ns >= until_ns)
			return false;
		poll(&watched, 1, (int)((until_ns - now_ns) / 1000000) + 1);
	}
	return true;
}

static int fetch(struct debuginfod *servers, const char *build_id)
{
	struct fetch_request request = {.max_bytes = servers->left_bytes,
					.max_ns = servers->left_ns};
	const uint64_t begun_ns = monotonic_ns();
	const time_t begun = time(NULL);
	struct worker_end end = {.code = -ETIME};
	struct fetch_account account;
	size_t nr_files = 0;
	struct hired fetcher;
	bool has_ended;
	ssize_t length;
	int code;

	strcpy(request.build_id, build_id);
	code = fetcher__ask(servers->fetchers, &request, &fetcher);
	if (code)
		return code;
	has_ended = await_end(&fetcher, begun_ns + request.max_ns + GRACE_NS, &end);

	/* Its report is not trusted. Without a sane one the whole budget is spent. */
	length = channel__receive(fetcher.channel, false, &account, sizeof(account), NULL,
				  &nr_files);
	if (length != sizeof(account) || account.nr_bytes > servers->left_bytes)
		servers->left_bytes = 0;
	else
		servers->left_bytes -= account.nr_bytes;
	hired__dismiss(&fetcher);
	/* A fetcher that crashed or was killed leaves a part of the file. */
	if (!has_ended || end.code == -EIO || end.code == -ENOMEM)
		debug_leftovers__remove_since(servers->cache, build_id, begun);
	servers->left_ns -= earlier(monotonic_ns() - begun_ns, servers->left_ns);
	return end.code;
}

/* ---- checking a fetched file ---- */

static int read_id(struct readers *readers, int fd, const char *build_id)
{
	const size_t size = strlen(build_id) + 1;
	struct reading reading = {0};
	struct reader_question ignored;
	struct reader_answer answer = {0};
	int code = reading__start(&reading, readers, READ_BUILD_ID, &fd, 1, NULL, 0);

	if (code)
		return code;
	if (reading__wait(&reading, monotonic_ns() + READING_NS, &ignored) != READING_ENDED) {
		reading__close(&reading);
		return -ENOEXEC;
	}
	code = reading__finish(&reading, &answer);
	if (!code && (answer.nr_bytes != size || memcmp(answer.bytes, build_id, size) != 0))
		code = -ESTALE;
	reader_answer__free(&answer);
	return code;
}

int debuginfod__fetch(struct debuginfod *servers, struct readers *readers, const char *build_id)
{
	const size_t length = strlen(build_id);
	char name[NAME_SIZE];
	struct stat status;
	int fd, code;

	if (length <= 2 || length >= BUILD_ID_TEXT_SIZE ||
	    build_id[strspn(build_id, "0123456789abcdef")])
		return -EDOM;
	if (!servers->left_ns)
		return -ETIME;
	if (!servers->left_bytes)
		return -EFBIG;
	/* The library can put the file into a directory of that name alone. */
	if (!fstatat(servers->cache, build_id, &status, AT_SYMLINK_NOFOLLOW) &&
	    !S_ISDIR(status.st_mode))
		return -ENOTDIR;
	debug_leftovers__remove_old(servers->cache, build_id);
	code = fetch(servers, build_id);
	if (code)
		return code;

	/* A file that is no debug file of this build ID goes, so that no program finds it there. */
	snprintf(name, sizeof(name), "/%s/debuginfo", build_id);
	fd = open_file__below(servers->cache, name, false);
	if (fd < 0)
		return -EIO;
	code = user_cache__is_ours(fd) ? read_id(readers, fd, build_id) : -EIO;
	close(fd);
	if (code)
		unlinkat(servers->cache, name + 1, 0);
	return code;
}

const char *debuginfod__why(int code)
{
	static const struct {
		int code;
		const char *words;
	} reasons[] = {
		{ENOENT, "no server has sent it"},
		{EDOM, "no server was asked, as that is no build ID"},
		{ESTALE, "what came has another build ID, and is not used"},
		{ENOEXEC, "what came is no debug file, and is not used"},
		{EMSGSIZE, "what came is not whole, and is not used"},
		{ENODATA, "what came has neither symbols nor DWARF, and is not used"},
		{EFBIG, "it is larger than what is left of 2 GB for a run"},
		{ETIME, "60 s for a run are over"},
		{ETIMEDOUT, "no server has answered for 10 s"},
		{ECONNREFUSED, "the server cannot be reached"},
		{EHOSTUNREACH, "the server cannot be found"},
		{ENETUNREACH, "there is no network"},
		{ECONNRESET, "the server broke off"},
		{EACCES, "the server does not hand it out"},
		{ENOTDIR, "the cache has a file BUILD-ID where a directory belongs"},
		{ENOSPC, "it cannot be written to the cache; the disk may be full"},
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (code == -reasons[i].code)
			return reasons[i].words;
	return "the fetcher failed";
}
