// SPDX-License-Identifier: GPL-2.0-only
#include "actions/rotation.h"

#include <ctype.h>
#include <dirent.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/output/destination.h"
#include "base/output/path_walk.h"
#include "base/output/replacement.h"
#include "base/system/users.h"

#define GROUP	    "topstacks"
#define GROUP_READS 0750 /* directory whose group may read the files */

#define PREFIX	   "topstacks-"
#define SUFFIX	   ".pb.gz"
#define SHAPE	   "00000000T000000.000Z" /* 0: a digit */
#define MIN_DIGITS 8
#define MAX_DIGITS 15
#define MAX_NUMBER UINT64_C(999999999999999)

#define LOCK_TRIES    100 /* any reader of the directory may lock it */
#define LOCK_PAUSE_NS 10000000

/* ---- names ---- */

/*
 * Parses the number in a file's name, "-00000042"; *number is 0 if text does not begin with "-".
 * Returns the rest of text, or NULL: the number is not in our form, or is 0.
 */
static const char *read_number(const char *text, uint64_t *number)
{
	size_t nr_digits;

	*number = 0;
	if (*text != '-')
		return text;
	nr_digits = strspn(++text, "0123456789");
	if (nr_digits < MIN_DIGITS || nr_digits > MAX_DIGITS)
		return NULL;
	*number = strtoull(text, NULL, 10);
	return *number ? text + nr_digits : NULL;
}

/* Whether a file has one of our names; *rest is the text after the suffix. */
static bool is_ours(const char *name, uint64_t *number, const char **rest)
{
	if (strncmp(name, PREFIX, strlen(PREFIX)))
		return false;
	name += strlen(PREFIX);
	for (const char *shape = SHAPE; *shape; shape++, name++)
		if (*shape == '0' ? !isdigit((unsigned char)*name) : *name != *shape)
			return false;
	name = read_number(name, number);
	if (!name || strncmp(name, SUFFIX, strlen(SUFFIX)))
		return false;
	*rest = name + strlen(SUFFIX);
	return true;
}

bool rotation__is_name(const char *name, uint64_t *number)
{
	const char *rest;

	return is_ours(name, number, &rest) && !*rest;
}

/*
 * Skips directories and the like, which other users may put there. Some file systems do not tell
 * the type here.
 */
static bool is_file(const struct dirent *entry)
{
	return entry->d_type == DT_REG || entry->d_type == DT_UNKNOWN;
}

static int is_finished(const struct dirent *entry)
{
	uint64_t number;

	return is_file(entry) && rotation__is_name(entry->d_name, &number);
}

static int is_unfinished(const struct dirent *entry)
{
	const char *rest;
	uint64_t number;

	return is_file(entry) && is_ours(entry->d_name, &number, &rest) &&
	       replacement__is_temporary(rest);
}

/* ---- the directory ---- */

static int explain_directory(int code, const char *directory, struct error *err)
{
	struct quoted quoted;

	return error__set(err, destination__exit_code(code), code, "cannot use the directory %s",
			  quote(&quoted, directory));
}

/* Calls visit for all matching files, in the order of names, which is that of time. */
static int each_file(int fd, int (*matches)(const struct dirent *),
		     int (*visit)(void *context, int fd, const char *name), void *context)
{
	struct dirent **entries;
	int nr = scandirat(fd, ".", &entries, matches, alphasort);
	int code = 0;

	if (nr < 0)
		return -errno;
	for (int i = 0; i < nr; i++) {
		if (!code)
			code = visit(context, fd, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return code;
}

static int remove_unowned(void *nothing, int fd, const char *name)
{
	(void)nothing;
	return replacement__sweep(fd, name);
}

int rotation__prepare(struct rotation *rotation, const char *directory, mode_t mode,
		      struct error *err)
{
	int code = mkdir(directory, mode) && errno != EEXIST ? -errno : 0;
	int fd = code ? code : path_walk__open_directory(directory, false);

	*rotation = (struct rotation){.directory = directory};
	if (users__find_group(GROUP, &rotation->group))
		rotation->group = 0;
	code = fd < 0 ? fd : each_file(fd, is_unfinished, remove_unowned, NULL);
	if (fd >= 0)
		close(fd);
	return code ? explain_directory(code, directory, err) : 0;
}

/* ---- the next file ---- */

/*
 * Takes the lock on numbers, so that two instances do not take the same one. A process that holds
 * it for long is hostile or stuck: then goes on without the lock.
 */
static void lock(int fd)
{
	const struct timespec pause = {.tv_nsec = LOCK_PAUSE_NS};

	for (int i = 0; i < LOCK_TRIES && flock(fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK; i++)
		nanosleep(&pause, NULL);
}

static int find_highest(void *context, int fd, const char *name)
{
	uint64_t *highest = context, number;

	(void)fd;
	if (rotation__is_name(name, &number) && number > *highest)
		*highest = number;
	return 0;
}

int rotation__next(const struct rotation *rotation, struct rotation_file *file,
		   int64_t start_realtime_ns, struct error *err)
{
	struct quoted quoted;
	uint64_t number = 0;
	int code;
	const int64_t ms = start_realtime_ns / 1000000;
	const time_t seconds = (time_t)(ms / 1000);
	char time[64] = "", name[128];
	struct stat status;
	struct tm tm;

	*file = (struct rotation_file){
		.lock = path_walk__open_directory(rotation->directory, false)};
	code = file->lock < 0 ? file->lock : 0;
	if (!code) {
		lock(file->lock);
		if (rotation->group && !fstat(file->lock, &status) &&
		    status.st_gid == rotation->group && (status.st_mode & 0777) == GROUP_READS)
			file->readers = rotation->group;
		code = each_file(file->lock, is_finished, find_highest, &number);
	}
	if (code)
		return error__set(err, destination__exit_code(code), code,
				  "cannot write to the directory %s",
				  quote(&quoted, rotation->directory));
	number = number < MAX_NUMBER ? number + 1 : MAX_NUMBER;
	if (gmtime_r(&seconds, &tm))
		strftime(time, sizeof(time), "%Y%m%dT%H%M%S", &tm);
	snprintf(name, sizeof(name), PREFIX "%s.%03dZ-%0*" PRIu64 SUFFIX, time, (int)(ms % 1000),
		 MIN_DIGITS, number);
	file->path = files__join(rotation->directory, name);
	return 0;
}

void rotation__end(struct rotation_file *file)
{
	free(file->path);
	if (file->lock >= 0)
		close(file->lock);
}

/* ---- removing old files ---- */

struct keeping {
	const char *newest; /* the file just written */
	size_t nr, nr_later;
	size_t nr_kept;
};

static int count_file(void *context, int fd, const char *name)
{
	struct keeping *keeping = context;
	const bool later = strcmp(name, keeping->newest) > 0;

	(void)fd;
	keeping->nr_later += later;
	keeping->nr += !later;
	return 0;
}

static int remove_if_old(void *context, int fd, const char *name)
{
	struct keeping *keeping = context;

	if (keeping->nr <= keeping->nr_kept)
		return 0;
	keeping->nr--;
	return unlinkat(fd, name, 0) && errno != ENOENT ? -errno : 0;
}

int rotation__remove_old(const struct rotation *rotation, const char *written, unsigned int nr_kept,
			 size_t *nr_later, struct error *err)
{
	struct keeping keeping = {.newest = strrchr(written, '/') + 1, .nr_kept = nr_kept};
	int fd = path_walk__open_directory(rotation->directory, false);
	int code = fd < 0 ? fd : each_file(fd, is_finished, count_file, &keeping);

	if (!code)
		code = each_file(fd, is_finished, remove_if_old, &keeping);
	if (fd >= 0)
		close(fd);
	*nr_later = keeping.nr_later;
	return code ? explain_directory(code, rotation->directory, err) : 0;
}
