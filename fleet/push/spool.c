// SPDX-License-Identifier: GPL-2.0-only
#include "push/spool.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "actions/rotation.h"
#include "base/array.h"
#include "base/files.h"
#include "base/quote.h"

#define MAX_FILE_BYTES (256 << 20)

void spool__clear(struct push_spool *spool)
{
	for (size_t i = 0; i < spool->nr_entries; i++)
		free(spool->entries[i].name);
	free(spool->entries);
	*spool = (struct push_spool){.directory = spool->directory};
}

static int read_all(struct push_spool *spool)
{
	DIR *directory = opendir(spool->directory);
	const struct dirent *entry;
	uint64_t number;
	int code = directory ? 0 : -errno;

	while (!code && (errno = 0, entry = readdir(directory)))
		if (rotation__is_name(entry->d_name, &number) && entry->d_type != DT_DIR) {
			array__reserve(&spool->entries, &spool->capacity, spool->nr_entries + 1);
			spool->entries[spool->nr_entries++] =
				(struct spool_entry){xstrdup(entry->d_name), number};
		}
	if (!code && errno)
		code = -errno;
	if (directory)
		closedir(directory);
	return code;
}

static int compare(const void *left, const void *right)
{
	const struct spool_entry *a = left, *b = right;

	if (a->number != b->number)
		return a->number < b->number ? -1 : 1;
	return strcmp(a->name, b->name);
}

/*
 * As the newest file is never removed, a highest number below ours is that of another beginning.
 * But a user may have removed the newest by hand: files dated before the last done one count
 * as done.
 */
static void notice_restart(const struct push_spool *spool, struct push_state *state)
{
	const size_t nr = spool->nr_entries;

	if (!nr || !spool->entries[nr - 1].number || spool->entries[nr - 1].number >= state->number)
		return;
	state->number = 0;
	for (size_t i = 0; i < nr; i++)
		if (spool->entries[i].number && strcmp(spool->entries[i].name, state->last) <= 0)
			state->number = spool->entries[i].number;
}

static bool is_done(const struct spool_entry *entry, const struct push_state *state)
{
	if (!strcmp(entry->name, state->file))
		return false;
	return entry->number ? entry->number <= state->number
			     : strcmp(entry->name, state->name) <= 0;
}

int spool__list(struct push_spool *spool, struct push_state *state, struct error *err)
{
	struct quoted quoted;
	int code;
	size_t nr = 0;

	spool__clear(spool);
	code = read_all(spool);
	if (code == -ENOMEM)
		return memory__error(err);
	if (code)
		return error__set(err, code == -EACCES ? EXIT_SYSTEM : EXIT_USAGE, code,
				  "cannot look into %s", quote(&quoted, spool->directory));
	if (spool->nr_entries)
		qsort(spool->entries, spool->nr_entries, sizeof(*spool->entries), compare);
	notice_restart(spool, state);
	for (size_t i = 0; i < spool->nr_entries; i++) {
		if (is_done(&spool->entries[i], state))
			free(spool->entries[i].name);
		else
			spool->entries[nr++] = spool->entries[i];
	}
	spool->nr_entries = nr;
	return 0;
}

int spool__read(const struct push_spool *spool, const char *name, char **bytes, size_t *nr_bytes)
{
	char *path = files__join(spool->directory, name);
	int fd = path ? open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC) : -1;
	int code = !path ? -ENOMEM : fd < 0 ? -errno : 0;
	struct stat status;

	free(path);
	if (!code && (fstat(fd, &status) || !S_ISREG(status.st_mode)))
		code = -EINVAL;
	if (!code)
		code = files__read_fd(fd, MAX_FILE_BYTES, bytes, nr_bytes);
	if (fd >= 0)
		close(fd);
	return code;
}
