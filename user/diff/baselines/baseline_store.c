// SPDX-License-Identifier: GPL-2.0-only
/* Finding baselines, and removing the oldest. */
#include "diff/baselines/baseline_store.h"

#include <unistd.h>

#include "base/files.h"
#include "base/output/path_walk.h"
#include "diff/baselines/store_directories.h"

struct store_walk {
	char *names[STORE_NAMES]; /* encoded; NULL: all */
	bool sweeps;
	struct baselines *found;
	size_t capacity;
};

/* parts: encoded names of the path, and the time. */
static void add_baseline(struct store_walk *walk, int fd, const char *path,
			 const char *const *parts)
{
	struct baselines *found = walk->found;
	struct dirent **entries;
	const int nr_runs = scandirat(fd, ".", &entries, store__is_run, NULL);
	char *copies[STORE_NAMES + 1];

	store__free_entries(entries, nr_runs);
	for (int i = 0; i <= STORE_NAMES; i++) {
		copies[i] = xstrdup(parts[i]);
		store__decode_name(copies[i]);
	}
	array__reserve(&found->list, &walk->capacity, found->nr + 1);
	found->list[found->nr++] = (struct baseline){
		.benchmark = copies[0],
		.machine = copies[1],
		.branch = copies[2],
		.time = copies[STORE_NAMES],
		.path = xstrdup(path),
		.nr_runs = nr_runs < 0 ? 0 : (size_t)nr_runs,
	};
}

static int walk_level(struct store_walk *walk, int fd, const char *path, const char **parts,
		      int level);

/* Skips entries that are no directories, or gone by now. */
static int walk_entry(struct store_walk *walk, int parent, const char *path, const char **parts,
		      int level)
{
	char *below;
	int fd, code = 0;

	if (level < STORE_NAMES && walk->names[level] &&
	    strcmp(walk->names[level], parts[level]) != 0)
		return 0;
	fd = store__open_below(parent, parts[level]);
	if (fd < 0)
		return 0;
	below = files__join(path, parts[level]);
	if (level < STORE_NAMES)
		code = walk_level(walk, fd, below, parts, level + 1);
	else
		add_baseline(walk, fd, below, parts);
	free(below);
	close(fd);
	return code;
}

static int walk_level(struct store_walk *walk, int fd, const char *path, const char **parts,
		      int level)
{
	struct dirent **entries;
	int code = 0, nr;

	if (level == STORE_NAMES && walk->sweeps)
		store__sweep(fd);
	nr = scandirat(fd, ".", &entries, level < STORE_NAMES ? store__is_name : store__is_time,
		       alphasort);
	if (nr < 0)
		return -errno;
	for (int i = 0; i < nr && !code; i++) {
		parts[level] = entries[i]->d_name;
		code = walk_entry(walk, fd, path, parts, level);
	}
	store__free_entries(entries, nr);
	return code;
}

static int find(struct store_walk *walk, const char *directory, const struct baseline_key *key,
		struct error *err)
{
	const char *names[STORE_NAMES] = {key->benchmark, key->machine, key->branch};
	const char *parts[STORE_NAMES + 1];
	struct quoted quoted;
	int fd = path_walk__open_directory(directory, false), code = fd;

	if (fd >= 0) {
		for (int i = 0; i < STORE_NAMES; i++)
			walk->names[i] = names[i] ? store__encode_name(names[i]) : NULL;
		code = walk_level(walk, fd, directory, parts, 0);
		for (int i = 0; i < STORE_NAMES; i++)
			free(walk->names[i]);
		close(fd);
	}
	if (code == -ENOMEM)
		return memory__error(err);
	return code && code != -ENOENT
		       ? error__set(err, EXIT_USAGE, code, "cannot read the directory %s",
				    quote(&quoted, directory))
		       : 0;
}

int baseline_store__find(const char *directory, const struct baseline_key *key,
			 struct baselines *found, struct error *err)
{
	struct store_walk walk = {.found = found};

	return find(&walk, directory, key, err);
}

void baselines__fini(struct baselines *found)
{
	for (size_t i = 0; i < found->nr; i++) {
		free(found->list[i].benchmark);
		free(found->list[i].machine);
		free(found->list[i].branch);
		free(found->list[i].time);
		free(found->list[i].path);
	}
	free(found->list);
	*found = (struct baselines){0};
}

static int remove_baseline(const char *directory, const struct baseline *baseline)
{
	const struct baseline_key key = {baseline->benchmark, baseline->machine, baseline->branch};
	int parent = store__open_kin(directory, &key, false);
	int fd = parent < 0 ? parent : store__open_below(parent, baseline->time);
	int code = fd < 0 ? fd : store__remove(parent, fd, baseline->time);

	if (fd >= 0)
		close(fd);
	if (parent >= 0)
		close(parent);
	return code == -ENOENT ? 0 : code;
}

int baseline_store__prune(const char *directory, const struct baseline_key *key,
			  unsigned int nr_kept, void (*on_removed)(const struct baseline *baseline),
			  struct error *err)
{
	struct baselines found = {0};
	struct store_walk walk = {.found = &found, .sweeps = true};
	int code = find(&walk, directory, key, err);
	size_t nr_stuck = 0;

	/*
	 * The list is sorted by time, so a baseline is old enough if the one nr_kept places behind
	 * it has the same key.
	 */
	for (size_t i = 0; (!code || nr_stuck) && i + nr_kept < found.nr; i++) {
		const struct baseline *old = &found.list[i], *kin = &found.list[i + nr_kept];
		struct quoted quoted;
		int failed;

		if (strcmp(old->benchmark, kin->benchmark) || strcmp(old->machine, kin->machine) ||
		    strcmp(old->branch, kin->branch))
			continue;
		failed = remove_baseline(directory, old);
		if (!failed) {
			on_removed(old);
		} else if (!nr_stuck++) {
			code = error__set(err, EXIT_INTERNAL, failed, "cannot remove %s",
					  quote(&quoted, old->path));
			if (failed == -ENOTEMPTY)
				error__remedy(err, "remove from it all that is not a run");
		}
	}
	if (nr_stuck > 1)
		error__remedy(err, "%zu more could not be removed", nr_stuck - 1);
	baselines__fini(&found);
	return code;
}
