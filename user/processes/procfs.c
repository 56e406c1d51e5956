// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files of /proc that are read in one go, with buffers of fixed size: what does not fit is a line
 * that no kernel writes, and is skipped.
 */
#include "processes/procfs.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/files.h"
#include "processes/mappings.h"

/* A path has at most 4,095 bytes, each of which may be written as four. */
#define BUFFER_BYTES 32768

int procfs__open(int32_t pid)
{
	char path[32];
	int fd;

	if (!files__proc_is_ours())
		return -ESRCH;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0)
		return fd;
	return errno == ENOENT ? -ESRCH : -errno;
}

static ssize_t read_some(int fd, char *text, size_t size)
{
	ssize_t got;

	do
		got = read(fd, text, size);
	while (got < 0 && errno == EINTR);
	return got < 0 ? -errno : got;
}

/* "4711 (any) thing) S 1 ...": the name may hold anything, the rest are numbers. */
static int parse_start(const char *stat, uint64_t *ticks)
{
	const int start_field = 22;
	const char *field = strrchr(stat, ')');
	int i;

	for (i = 2; field && i < start_field; i++) {
		field = strchr(field, ' ');
		field = field ? field + 1 : NULL;
	}
	if (!field)
		return -EPROTO;
	*ticks = strtoull(field, NULL, 10);
	return 0;
}

/* The begin of a small file of a process, terminated. */
static int read_text(int process, const char *name, char *text, size_t size)
{
	int fd = openat(process, name, O_RDONLY | O_CLOEXEC);
	ssize_t got;

	if (fd < 0)
		return -errno;
	got = read_some(fd, text, size - 1);
	close(fd);
	if (got < 0)
		return (int)got;
	text[got] = '\0';
	return 0;
}

int procfs__start_ticks(int process, uint64_t *ticks)
{
	char text[1024];
	int code = read_text(process, "stat", text, sizeof(text));

	return code ? code : parse_start(text, ticks);
}

/*
 *	Uid:	1000	1000	1000	1000		real, effective, saved, of files
 *	NSpid:	4711	7			in our pid namespace, ..., in its own
 *
 * A name's newlines are escaped, so a line that begins so is one of the kernel's.
 */
static int parse_identity(const char *status, struct identity *identity)
{
	const char *uid = strstr(status, "\nUid:"), *pids = strstr(status, "\nNSpid:");
	size_t length;

	if (!uid || !pids || sscanf(uid, " Uid: %*u %" SCNu32, &identity->uid) != 1)
		return -EPROTO;
	pids += strlen("\nNSpid:");
	length = strcspn(pids, "\n");
	while (length > 0 && !isspace((unsigned char)pids[length - 1]))
		length--;
	identity->pid = (int32_t)strtol(pids + length, NULL, 10);
	return identity->pid > 0 ? 0 : -EPROTO;
}

int procfs__identity(int process, struct identity *identity)
{
	char text[4096];
	int code = read_text(process, "status", text, sizeof(text));

	return code ? code : parse_identity(text, identity);
}

static uint64_t tick_ns(void)
{
	const long hz = sysconf(_SC_CLK_TCK);

	return 1000000000ULL / (uint64_t)(hz > 0 ? hz : 100);
}

uint64_t procfs__ticks(uint64_t boottime_ns)
{
	return boottime_ns / tick_ns();
}

uint64_t procfs__birth_ns(uint64_t ticks)
{
	return ticks * tick_ns();
}

bool procfs__same_start(uint64_t ticks, uint64_t other_ticks)
{
	return ticks - other_ticks + 1 <= 2;
}

struct lines {
	int (*on_mapping)(void *context, const struct mapping *mapping, bool executable);
	void *context;
};

/* Takes the whole lines of a text. Returns how many bytes it took, or what on_mapping said. */
static int take_lines(const struct lines *lines, char *text, size_t bytes, size_t *taken)
{
	char *const end = text + bytes;
	char *line = text, *newline;
	int code = 0;

	while (!code && (newline = memchr(line, '\n', (size_t)(end - line)))) {
		struct mapping mapping;
		bool executable;

		*newline = '\0';
		if (mapping__parse(line, &mapping, &executable))
			code = lines->on_mapping(lines->context, &mapping, executable);
		line = newline + 1;
	}
	*taken = (size_t)(line - text);
	return code;
}

int maps__each(int fd, int (*on_mapping)(void *context, const struct mapping *, bool executable),
	       void *context)
{
	const struct lines lines = {on_mapping, context};
	char text[BUFFER_BYTES];
	size_t left = 0, taken;
	ssize_t got;
	int code = 0;

	while (!code && (got = read_some(fd, text + left, sizeof(text) - left)) != 0) {
		if (got < 0)
			return (int)got;
		code = take_lines(&lines, text, left + (size_t)got, &taken);
		left += (size_t)got - taken;
		memmove(text, text + taken, left);
		if (left == sizeof(text))
			left = 0;
	}
	return code;
}

struct executable_only {
	int (*on_mapping)(void *context, const struct mapping *mapping);
	void *context;
	size_t nr_mappings; /* seen so far */
};

static int if_executable(void *context, const struct mapping *mapping, bool executable)
{
	struct executable_only *only = context;

	only->nr_mappings++;
	return executable ? only->on_mapping(only->context, mapping) : 0;
}

static int each_mapping_of(int process, const char *maps, struct executable_only *only)
{
	int fd = openat(process, maps, O_RDONLY | O_CLOEXEC);
	int code;

	if (fd < 0)
		return errno == ENOENT ? -ESRCH : -errno;
	code = maps__each(fd, if_executable, only);
	close(fd);
	return code;
}

/* Where the first thread has ended and others go on, its own maps are empty and theirs are not. */
static int each_mapping_of_threads(int process, struct executable_only *only)
{
	int fd = openat(process, "task", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *threads = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *thread;
	char maps[NAME_MAX + 16];
	int code = 0;

	if (!threads)
		return 0;
	while (!code && !only->nr_mappings && (thread = readdir(threads))) {
		if (thread->d_name[0] == '.')
			continue;
		snprintf(maps, sizeof(maps), "task/%s/maps", thread->d_name);
		code = each_mapping_of(process, maps, only);
		if (code == -ESRCH)
			code = 0;
	}
	closedir(threads);
	return code;
}

int procfs__each_mapping(int process, int (*on_mapping)(void *context, const struct mapping *),
			 void *context)
{
	struct executable_only only = {on_mapping, context, 0};
	int code = each_mapping_of(process, "maps", &only);

	return code || only.nr_mappings ? code : each_mapping_of_threads(process, &only);
}
