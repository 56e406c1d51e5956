// SPDX-License-Identifier: GPL-2.0-only
/*
 * The library is loaded at run time, not linked: users without servers need neither it nor libcurl
 * and its dependencies. It is configured by environment variables, as it has no other interface for
 * that.
 */
#include "symbols/debug/fetcher.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/system/channel.h"
#include "base/system/rights.h"
#include "base/system/spawner.h"
#include "symbols/debug/fetcher_walls.h"

#define LIBRARY "libdebuginfod.so.1"

/* A server that sends nothing for this long is given up. */
#define SILENCE_NS 10000000000ULL

/* The library opens few files at a time. */
#define MAX_DESCRIPTORS 64

/* ---- the library ---- */

struct debuginfod_client;

struct library {
	struct debuginfod_client *(*begin)(void);
	void (*end)(struct debuginfod_client *client);
	int (*find)(struct debuginfod_client *client, const unsigned char *build_id, int length,
		    char **path);
	void (*on_progress)(struct debuginfod_client *client,
			    int (*progress)(struct debuginfod_client *client, long done, long all));
	void (*set_context)(struct debuginfod_client *client, void *context);
	void *(*context)(struct debuginfod_client *client);
	const char *(*url)(struct debuginfod_client *client);
};

#ifdef TOPSTACKS_STATIC
bool fetchers__are_possible(void)
{
	return false;
}

static int load(struct library *library)
{
	(void)library;
	return -ENOTSUP;
}
#else
bool fetchers__are_possible(void)
{
	return true;
}

static int load(struct library *library)
{
	void *handle = dlopen(LIBRARY, RTLD_NOW);
	const struct {
		const char *name;
		void *function; /* the pointer to set */
	} symbols[] = {
		{"debuginfod_begin", &library->begin},
		{"debuginfod_end", &library->end},
		{"debuginfod_find_debuginfo", &library->find},
		{"debuginfod_set_progressfn", &library->on_progress},
		{"debuginfod_set_user_data", &library->set_context},
		{"debuginfod_get_user_data", &library->context},
		{"debuginfod_get_url", &library->url},
	};

	for (size_t i = 0; i < sizeof(symbols) / sizeof(symbols[0]); i++) {
		void **function = symbols[i].function;

		*function = handle ? dlsym(handle, symbols[i].name) : NULL;
		if (!*function)
			return -ELIBACC;
	}
	return 0;
}
#endif

/* ---- the process that forks fetchers ---- */

static int confine(const void *context)
{
	const struct fetcher_plan *plan = context;
	const struct {
		const char *name, *value; /* NULL: not set */
	} settings[] = {
		{"DEBUGINFOD_URLS", plan->urls}, {"DEBUGINFOD_CACHE_PATH", plan->cache},
		{"DEBUGINFOD_TIMEOUT", "0"}, /* the library's limit would end slow connections,
					      * too; see on_progress() */
		{"DEBUGINFOD_RETRY_LIMIT", "0"}, {"DEBUGINFOD_MAXTIME", NULL},
		{"DEBUGINFOD_PROGRESS", NULL},	 {"DEBUGINFOD_VERBOSE", NULL},
	};
	struct library library;
	int code = load(&library);

	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]) && !code; i++)
		if (settings[i].value ? setenv(settings[i].name, settings[i].value, 1)
				      : unsetenv(settings[i].name))
			code = -errno;
	rights__hide_memory();
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	if (!code)
		code = rights__reduce(0);
	if (!code)
		fetcher_walls__raise_for_files(plan->cache);
	return code;
}

/* ---- a fetcher ---- */

struct fetch {
	const struct fetch_request *request;
	struct library debuginfod;
	uint64_t begun_ns, heard_ns;
	uint64_t nr_bytes;
	int file;    /* the file it writes to, which we close; -1: not known yet */
	int stopped; /* why it was stopped, negative errno; 0: it was not */
};

/*
 * Finds the file that the library writes, whose size limits the fetch: the transfer may be
 * compressed, so its size does not tell. The library does not say which descriptor it is.
 */
static int find_file(void)
{
	struct stat status;

	for (int fd = 0; fd < MAX_DESCRIPTORS; fd++) {
		const int flags = fcntl(fd, F_GETFL);

		if (flags >= 0 && (flags & O_ACCMODE) != O_RDONLY && !fstat(fd, &status) &&
		    S_ISREG(status.st_mode))
			return fcntl(fd, F_DUPFD_CLOEXEC, 0);
	}
	return -1;
}

static uint64_t file_bytes(int fd)
{
	struct stat status;

	return fd >= 0 && !fstat(fd, &status) ? (uint64_t)status.st_size : 0;
}

/*
 * The library calls this at least once a second. Before it has chosen a server, done counts the
 * calls; then it counts bytes.
 */
static int on_progress(struct debuginfod_client *client, long done, long all)
{
	const uint64_t now_ns = monotonic_ns();
	struct library library;
	struct fetch *fetch;
	sigset_t pending;

	(void)all;
	if (load(&library))
		return 1;
	fetch = library.context(client);
	if (library.url(client) && done > 0 && (uint64_t)done != fetch->nr_bytes) {
		fetch->nr_bytes = (uint64_t)done;
		fetch->heard_ns = now_ns;
	}
	if (fetch->file < 0)
		fetch->file = find_file();
	if (!sigpending(&pending) && sigismember(&pending, SIGTERM) == 1) /* it is not wanted */
		fetch->stopped = -ECANCELED;
	else if (fetch->nr_bytes > fetch->request->max_bytes)
		fetch->stopped = -EFBIG;
	else if (now_ns - fetch->begun_ns > fetch->request->max_ns)
		fetch->stopped = -ETIME;
	else
		fetch->stopped = now_ns - fetch->heard_ns > SILENCE_NS ? -ETIMEDOUT : 0;
	return fetch->stopped != 0;
}

static int find(struct fetch *fetch)
{
	struct debuginfod_client *client = fetch->debuginfod.begin();
	int fd;

	if (!client)
		return -ENOMEM;
	fetch->begun_ns = fetch->heard_ns = monotonic_ns();
	fetch->debuginfod.set_context(client, fetch);
	fetch->debuginfod.on_progress(client, on_progress);
	fd = fetch->debuginfod.find(client, (const unsigned char *)fetch->request->build_id, 0,
				    NULL);
	if (file_bytes(fd) > fetch->nr_bytes)
		fetch->nr_bytes = file_bytes(fd);
	if (file_bytes(fetch->file) > fetch->nr_bytes)
		fetch->nr_bytes = file_bytes(fetch->file);
	if (fd >= 0)
		return 0;
	if (fetch->stopped)
		return fetch->stopped;
	/*
	 * The library has a single code for write errors: a file that has reached the limit was too
	 * large, else the disk is full.
	 */
	if (fd == -EIO)
		return file_bytes(fetch->file) >= fetch->request->max_bytes ? -EFBIG : -ENOSPC;
	return fd;
}

static int run(const void *context, uint32_t kind, const struct worker *worker)
{
	const struct fetcher_plan *plan = context;
	struct fetch fetch = {.request = worker->arguments, .file = -1};
	struct fetch_account account;
	char path[PATH_MAX], limit[24];
	struct stat status;
	sigset_t end;
	int code = worker->nr_bytes == sizeof(*fetch.request) ? load(&fetch.debuginfod) : -EINVAL;

	(void)kind;
	if (code)
		return code;

	/* SIGTERM comes when the parent is gone: the library then removes its partial file. */
	sigemptyset(&end);
	sigaddset(&end, SIGTERM);
	sigprocmask(SIG_BLOCK, &end, NULL);
	prctl(PR_SET_PDEATHSIG, SIGTERM);

	/* Writes beyond the limit fail, in case the library misjudges sizes. */
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE,
		  &(struct rlimit){fetch.request->max_bytes, fetch.request->max_bytes});
	snprintf(limit, sizeof(limit), "%" PRIu64, fetch.request->max_bytes);
	if (setenv("DEBUGINFOD_MAXSIZE", limit, 1))
		return -errno;
	fetcher_walls__raise_for_calls();
	code = find(&fetch);

	/*
	 * The library remembers by an empty file that no server has a file. It leaves one also if
	 * no server has said so.
	 */
	if (code && code != -ENOENT &&
	    snprintf(path, sizeof(path), "%s/%s/debuginfo", plan->cache, fetch.request->build_id) <
		    (int)sizeof(path) &&
	    !lstat(path, &status) && !status.st_size)
		unlink(path);
	account = (struct fetch_account){.nr_bytes = fetch.nr_bytes};
	channel__send(worker->channel, false, &account, sizeof(account), NULL, 0);
	return code;
}

/* ---- the caller's side ---- */

int fetchers__start(struct spawner **spawner, const struct fetcher_plan *plan)
{
	int code = spawner__start(spawner, &(struct spawner_plan){.name = "ts-fetcher",
								  .confine = confine,
								  .run = run,
								  .context = plan,
								  .farewell = SIGTERM});

	if (code)
		return code;
	code = spawner__await(*spawner, NULL);
	if (code)
		spawner__stop(*spawner);
	return code;
}

int fetcher__ask(struct spawner *spawner, const struct fetch_request *request, struct hired *hired)
{
	return spawner__hire(spawner, 0, NULL, 0, request, sizeof(*request), hired);
}
