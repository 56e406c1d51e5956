// SPDX-License-Identifier: GPL-2.0-only
/* All files are reached from the directory's descriptor, and no link is followed. */
#include "serve/saved.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/output/path_walk.h"
#include "base/output/replacement.h"

#define PREFIX "topstacks-when-"
#define SHAPE  "-00000000T000000.000Z" /* 0: a digit */
#define SUFFIX ".pb.gz"
#define TIME   (sizeof(SHAPE) - 1)

/* ---- names ---- */

/* The time within a name of ours that ends at rest. NULL: the name is not ours. */
static const char *time_of(const char *name, const char *rest)
{
	const size_t length = (size_t)(rest - name);
	const size_t least = strlen(PREFIX) + TIME + strlen(SUFFIX);

	if (length <= least || strncmp(name, PREFIX, strlen(PREFIX)) != 0 ||
	    strncmp(rest - strlen(SUFFIX), SUFFIX, strlen(SUFFIX)) != 0)
		return NULL;
	rest -= strlen(SUFFIX) + TIME;
	for (size_t i = 0; i < TIME; i++)
		if (SHAPE[i] == '0' ? !isdigit((unsigned char)rest[i]) : rest[i] != SHAPE[i])
			return NULL;
	return rest;
}

/* ---- existing files ---- */

struct saved_file {
	char *name;
	const char *time; /* in its name */
	uint64_t nr_bytes;
};

struct saved_files {
	struct saved_file *list;
	size_t nr, capacity;
	uint64_t nr_bytes;
};

static int note_file(struct saved_files *files, const struct saved *saved, const char *name)
{
	struct saved_file file = {0};
	struct stat status;

	if (!time_of(name, name + strlen(name)) ||
	    fstatat(saved->directory, name, &status, AT_SYMLINK_NOFOLLOW) ||
	    !S_ISREG(status.st_mode))
		return 0;
	file.name = xstrdup(name);
	file.time = time_of(file.name, file.name + strlen(file.name));
	file.nr_bytes = (uint64_t)status.st_size;
	files->nr_bytes += file.nr_bytes;
	array__reserve(&files->list, &files->capacity, files->nr + 1);
	files->list[files->nr++] = file;
	return 0;
}

static int by_time(const void *left, const void *right)
{
	const struct saved_file *a = left, *b = right;
	const int order = strcmp(a->time, b->time);

	return order ? order : strcmp(a->name, b->name);
}

/* Calls visit for each name in the directory. 0, what visit returned, or negative errno. */
static int each_name(const struct saved *saved,
		     int (*visit)(struct saved_files *files, const struct saved *saved,
				  const char *name),
		     struct saved_files *files)
{
	int fd = openat(saved->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), code = 0;
	DIR *directory = fd < 0 ? NULL : fdopendir(fd);
	const struct dirent *entry;

	if (!directory) {
		code = -errno;
		if (fd >= 0)
			close(fd);
		return code;
	}
	while (!code && (entry = readdir(directory)))
		code = visit(files, saved, entry->d_name);
	closedir(directory);
	return code;
}

/* Removes an unfinished file of a killed run. */
static int sweep_file(struct saved_files *files, const struct saved *saved, const char *name)
{
	const char *suffix = strstr(name, SUFFIX), *rest = suffix ? suffix + strlen(SUFFIX) : NULL;

	(void)files;
	if (rest && replacement__is_temporary(rest) && time_of(name, rest))
		replacement__sweep(saved->directory, name);
	return 0;
}

int saved__open(struct saved *saved, const char *path, uint64_t max_bytes, struct error *err)
{
	struct quoted quoted;

	*saved = (struct saved){.directory = path_walk__open_directory(path, true),
				.max_bytes = max_bytes};
	if (saved->directory < 0)
		return error__set(err, EXIT_INTERNAL, saved->directory,
				  "cannot make the directory %s", quote(&quoted, path));
	each_name(saved, sweep_file, NULL);
	return 0;
}

void saved__close(struct saved *saved)
{
	if (saved->directory >= 0)
		close(saved->directory);
	saved->directory = -1;
}

/* ---- saving ---- */

/* Removes the oldest files, until there is room. */
static int make_room(struct saved *saved, uint64_t wanted)
{
	struct saved_files files = {0};
	int code = each_name(saved, note_file, &files);

	if (files.nr)
		qsort(files.list, files.nr, sizeof(*files.list), by_time);
	for (size_t i = 0; !code && i < files.nr; i++) {
		const struct saved_file *file = &files.list[i];

		if (files.nr_bytes + wanted <= saved->max_bytes)
			break;
		if (unlinkat(saved->directory, file->name, 0) && errno != ENOENT) {
			code = -errno;
			break;
		}
		files.nr_bytes -= file->nr_bytes;
		saved->nr_removed++;
		saved->removed_bytes += file->nr_bytes;
	}
	for (size_t i = 0; i < files.nr; i++)
		free(files.list[i].name);
	free(files.list);
	return code;
}

static int write_file(const struct saved *saved, const char *name, const void *bytes,
		      size_t nr_bytes)
{
	int directory = openat(saved->directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC), code;
	struct replacement replacement;
	char *kept = NULL;

	if (directory < 0)
		return -errno;
	code = replacement__open(&replacement, directory, name);
	if (code)
		return code;
	code = files__write(replacement.fd, bytes, nr_bytes);
	if (code)
		replacement__abandon(&replacement);
	else
		code = replacement__take_place(&replacement, &kept);
	close(replacement.fd);
	free(kept);
	return code;
}

int saved__add(struct saved *saved, const char *rule, int64_t time_ns, const void *bytes,
	       size_t nr_bytes, struct error *err)
{
	char name[NAME_MAX + 1];
	struct quoted quoted;
	int code = nr_bytes > saved->max_bytes ? -EFBIG : make_room(saved, nr_bytes);
	const time_t seconds = (time_t)(time_ns / 1000000000);
	char time[32] = "";
	struct tm tm;

	if (gmtime_r(&seconds, &tm))
		strftime(time, sizeof(time), "%Y%m%dT%H%M%S", &tm);
	snprintf(name, sizeof(name), PREFIX "%s-%s.%03dZ" SUFFIX, rule, time,
		 (int)(time_ns / 1000000 % 1000));
	if (!code)
		code = write_file(saved, name, bytes, nr_bytes);
	if (!code) {
		saved->nr_saved++;
		return 0;
	}
	saved->nr_failed++;
	if (code == -EFBIG)
		return error__say(err, EXIT_INTERNAL, code,
				  "%s is not saved: it has %zu bytes, which is more than all may "
				  "have",
				  quote(&quoted, name), nr_bytes);
	return error__set(err, EXIT_INTERNAL, code, "cannot save %s", quote(&quoted, name));
}
