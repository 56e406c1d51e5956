// SPDX-License-Identifier: GPL-2.0-only
#include "diff/baselines/store_directories.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/output/path_walk.h"

#define TIME_SHAPE "00000000T000000.000Z" /* 0: a digit */

/* ---- names as parts of a path ---- */

char *store__encode_name(const char *name)
{
	char *text = xmalloc(3 * strlen(name) + 1), *at = text;

	for (size_t i = 0; name[i]; i++) {
		unsigned char c = (unsigned char)name[i];

		if ((c < 0x80 && isalnum(c)) || c == '-' || c == '_' || (c == '.' && i))
			*at++ = (char)c;
		else
			at += sprintf(at, "%%%02X", c);
	}
	*at = '\0';
	return text;
}

void store__decode_name(char *text)
{
	char *out = text, digits[3] = "";

	for (; *text; text++) {
		if (*text == '%' && isxdigit((unsigned char)text[1]) &&
		    isxdigit((unsigned char)text[2])) {
			memcpy(digits, text + 1, 2);
			*out++ = (char)strtoul(digits, NULL, 16);
			text += 2;
		} else {
			*out++ = *text;
		}
	}
	*out = '\0';
}

int store__is_name(const struct dirent *entry)
{
	char *decoded = xstrdup(entry->d_name), *encoded;
	bool same;

	store__decode_name(decoded);
	encoded = store__encode_name(decoded);
	same = !strcmp(encoded, entry->d_name);
	free(encoded);
	free(decoded);
	return same;
}

/* Returns what follows the time stamp in name; NULL if there is none. */
static const char *skip_time(const char *name)
{
	for (const char *shape = TIME_SHAPE; *shape; shape++, name++)
		if (*shape == '0' ? !isdigit((unsigned char)*name) : *name != *shape)
			return NULL;
	return name;
}

int store__is_time(const struct dirent *entry)
{
	const char *rest = skip_time(entry->d_name);

	return rest && !*rest;
}

static int is_unfinished(const struct dirent *entry)
{
	const char *rest = skip_time(entry->d_name);

	return rest && !strcmp(rest, STORE_UNFINISHED);
}

int store__is_run(const struct dirent *entry)
{
	return !strncmp(entry->d_name, STORE_RUN, strlen(STORE_RUN));
}

/* ---- directories ---- */

int store__open_below(int parent, const char *name)
{
	int fd = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

int store__open_kin(const char *directory, const struct baseline_key *key, bool make)
{
	const char *names[STORE_NAMES] = {key->benchmark, key->machine, key->branch};
	int fd = path_walk__open_directory(directory, make);

	for (int i = 0; i < STORE_NAMES && fd >= 0; i++) {
		char *encoded = store__encode_name(names[i]);
		const int parent = fd;

		fd = make && mkdirat(parent, encoded, 0777) && errno != EEXIST
			     ? -errno
			     : store__open_below(parent, encoded);
		free(encoded);
		close(parent);
	}
	return fd;
}

void store__free_entries(struct dirent **entries, int nr)
{
	for (int i = 0; i < nr; i++)
		free(entries[i]);
	if (nr >= 0)
		free(entries);
}

/* True for entries that save never makes: all that are not named like a run, and directories. */
static int is_foreign(const struct dirent *entry)
{
	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
		return 0;
	return !store__is_run(entry) || entry->d_type == DT_DIR;
}

int store__remove(int parent, int fd, const char *name)
{
	struct dirent **entries;
	int nr = scandirat(fd, ".", &entries, is_foreign, NULL);
	int code = nr < 0 ? -errno : nr ? -ENOTEMPTY : 0;

	store__free_entries(entries, nr);
	if (code)
		return code;
	nr = scandirat(fd, ".", &entries, store__is_run, NULL);
	if (nr < 0)
		return -errno;
	for (int i = 0; i < nr && !code; i++)
		if (unlinkat(fd, entries[i]->d_name, 0) && errno != ENOENT)
			code = -errno;
	store__free_entries(entries, nr);
	if (!code && unlinkat(parent, name, AT_REMOVEDIR) && errno != ENOENT)
		code = -errno;
	return code;
}

/*
 * A saving process holds the lock until the directory has its final name. So if the lock is free
 * and the temporary name still leads to the directory, its process is gone.
 */
static bool is_still_named(int parent, int fd, const char *name)
{
	struct stat opened, named;

	return !fstat(fd, &opened) && !fstatat(parent, name, &named, AT_SYMLINK_NOFOLLOW) &&
	       opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void store__sweep(int parent)
{
	struct dirent **entries;
	int nr = scandirat(parent, ".", &entries, is_unfinished, NULL);

	for (int i = 0; i < nr; i++) {
		int fd = store__open_below(parent, entries[i]->d_name);

		if (fd >= 0 && !flock(fd, LOCK_EX | LOCK_NB) &&
		    is_still_named(parent, fd, entries[i]->d_name))
			store__remove(parent, fd, entries[i]->d_name);
		if (fd >= 0)
			close(fd);
	}
	store__free_entries(entries, nr);
}
