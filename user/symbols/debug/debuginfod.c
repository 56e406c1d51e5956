// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/debug/debuginfod.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

static int check_writable(const char *path, struct error *err)
{
	const int code = debug_cache__check_writable(path);
	struct quoted quoted;

	if (!code)
		return 0;
	error__set(err, EXIT_USAGE, code, "cannot write to the debuginfod cache %s",
		   quote(&quoted, path));
	return error__remedy(err, "set DEBUGINFOD_CACHE_PATH to another one");
}

static int open_cache(struct debuginfod *servers, char *path, struct error *err)
{
	struct quoted quoted;
	const char *why;

	servers->cache = debug_cache__make(path);
	if (servers->cache >= 0)
		return check_writable(path, err);
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

static int start_fetchers(struct debuginfod *servers, const char *urls, const char *cache,
			  struct error *err)
{
	const int code = fetchers__start(&servers->fetchers,
					 &(struct fetcher_plan){.urls = urls, .cache = cache});

	if (code == -ELIBACC)
		return error__say(err, EXIT_SYSTEM, code,
				  "--debuginfod needs libdebuginfod.so.1, which is not installed; "
				  "on Debian it is in the package libdebuginfod1");
	return code ? error__set(err, EXIT_INTERNAL, code,
				 "cannot start the process that fetches debug files")
		    : 0;
}

int debuginfod__start(struct debuginfod **out, const char *given, struct error *err)
{
	struct debuginfod *servers = malloc(sizeof(*servers));
	char path[PATH_MAX], *urls = NULL;
	int code;

	if (!fetchers__are_possible()) {
		free(servers);
		return error__say(err, EXIT_SYSTEM, -ENOTSUP,
				  "--debuginfod is not compiled into this program");
	}
	if (!servers)
		return error__no_memory(err);
	*servers = (struct debuginfod){
		.cache = -1, .left_ns = DEBUGINFOD_MAX_NS, .left_bytes = DEBUGINFOD_MAX_BYTES};
	code = debug_servers__find(given, SYSTEM_DEBUG_SERVERS, &urls, err);
	if (!code)
		code = open_cache(servers, path, err);
	if (!code)
		code = start_fetchers(servers, urls, path, err);
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

/*
 * Charges the bytes that the fetcher reports, which is not trusted. Without a sane report the whole
 * budget is spent.
 */
static void spend_bytes(struct debuginfod *servers, const struct hired *fetcher)
{
	struct fetch_account account;
	size_t nr_files = 0;
	const ssize_t length = channel__receive(fetcher->channel, false, &account, sizeof(account),
						NULL, &nr_files);

	if (length != sizeof(account) || account.nr_bytes > servers->left_bytes)
		servers->left_bytes = 0;
	else
		servers->left_bytes -= account.nr_bytes;
}

static void spend_time(struct debuginfod *servers, uint64_t begun_ns)
{
	const uint64_t spent_ns = monotonic_ns() - begun_ns;

	servers->left_ns -= spent_ns < servers->left_ns ? spent_ns : servers->left_ns;
}

static int fetch(struct debuginfod *servers, const char *build_id)
{
	struct fetch_request request = {.max_bytes = servers->left_bytes,
					.max_ns = servers->left_ns};
	const uint64_t begun_ns = monotonic_ns();
	const time_t begun = time(NULL);
	struct worker_end end = {.code = -ETIME};
	struct hired fetcher;
	bool has_ended;
	int code;

	strcpy(request.build_id, build_id);
	code = fetcher__ask(servers->fetchers, &request, &fetcher);
	if (code)
		return code;
	has_ended = await_end(&fetcher, begun_ns + request.max_ns + GRACE_NS, &end);
	spend_bytes(servers, &fetcher);
	hired__dismiss(&fetcher);
	if (!has_ended || end.code == -EIO) /* killed or crashed: it left its partial file */
		debug_leftovers__remove_since(servers->cache, build_id, begun);
	spend_time(servers, begun_ns);
	return end.code;
}

/* Whether the library can put a file for this build ID into the cache. */
static bool has_room(const struct debuginfod *servers, const char *build_id)
{
	struct stat status;

	return fstatat(servers->cache, build_id, &status, AT_SYMLINK_NOFOLLOW) ||
	       S_ISDIR(status.st_mode);
}

/* ---- checking a fetched file ---- */

static int compare_id(const struct reader_answer *answer, const char *build_id)
{
	const size_t size = strlen(build_id) + 1;

	return answer->nr_bytes == size && !memcmp(answer->bytes, build_id, size) ? 0 : -ESTALE;
}

static int read_id(struct readers *readers, int fd, const char *build_id)
{
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
	if (!code)
		code = compare_id(&answer, build_id);
	reader_answer__free(&answer);
	return code;
}

/*
 * Checks the fetched file. Removes a file that is no debug file of this build ID, so that no other
 * program finds it there.
 */
static int check(const struct debuginfod *servers, struct readers *readers, const char *build_id)
{
	char name[NAME_SIZE];
	int fd, code;

	snprintf(name, sizeof(name), "/%s/debuginfo", build_id);
	fd = open_file__below(servers->cache, name, false);
	if (fd < 0)
		return -EIO;
	code = debug_cache__is_ours(fd) ? read_id(readers, fd, build_id) : -EIO;
	close(fd);
	if (code)
		unlinkat(servers->cache, name + 1, 0);
	return code;
}

static bool is_build_id(const char *text)
{
	return strlen(text) < BUILD_ID_TEXT_SIZE && strlen(text) > 2 &&
	       !text[strspn(text, "0123456789abcdef")];
}

int debuginfod__fetch(struct debuginfod *servers, struct readers *readers, const char *build_id)
{
	int code;

	if (!is_build_id(build_id))
		return -EDOM;
	if (!servers->left_ns)
		return -ETIME;
	if (!servers->left_bytes)
		return -EFBIG;
	if (!has_room(servers, build_id))
		return -ENOTDIR;
	debug_leftovers__remove_old(servers->cache, build_id);
	code = fetch(servers, build_id);
	return code ? code : check(servers, readers, build_id);
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
		{ENOTDIR, "what is called BUILD-ID in the cache is no directory"},
		{ENOSPC, "it cannot be written to the cache; the disk may be full"},
	};

	for (size_t i = 0; i < sizeof(reasons) / sizeof(reasons[0]); i++)
		if (code == -reasons[i].code)
			return reasons[i].words;
	return "who was to fetch it has failed";
}
