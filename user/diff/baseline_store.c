// SPDX-License-Identifier: GPL-2.0-only
#include "diff/baseline_store.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/destination.h"
#include "base/files.h"
#include "base/quote.h"

#define MAX_FILE_BYTES ((size_t)512 << 20)
#define NR_PARTS       4		       /* of a path: benchmark, machine, branch, time */
#define TIMES	       "[0-9]*T[0-9]*.[0-9]*Z" /* no half-saved ones */
#define UNFINISHED     ".saving"
#define MAX_CLAIMS     1000

/* ---- names as parts of a path ---- */

/* "feature/simd" is "feature%2Fsimd", and nothing begins with a point. NULL: out of memory. */
static char *encode_name(const char *name)
{
	char *text = malloc(3 * strlen(name) + 1), *at = text;

	for (size_t i = 0; text && name[i]; i++) {
		unsigned char c = (unsigned char)name[i];

		if ((c < 0x80 && isalnum(c)) || c == '-' || c == '_' || (c == '.' && i))
			*at++ = (char)c;
		else
			at += sprintf(at, "%%%02X", c);
	}
	if (text)
		*at = '\0';
	return text;
}

static void decode_name(char *text)
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

/* "BENCHMARK/MACHINE/BRANCH", or "*" for what is not said. NULL: out of memory. */
static char *encode_key(const struct baseline_key *key)
{
	const char *names[] = {key->benchmark, key->machine, key->branch};
	char *parts[3] = {NULL}, *text = NULL;
	bool failed = false;

	for (int i = 0; i < 3; i++) {
		parts[i] = names[i] ? encode_name(names[i]) : strdup("*");
		failed |= !parts[i];
	}
	if (!failed && asprintf(&text, "%s/%s/%s", parts[0], parts[1], parts[2]) < 0)
		text = NULL;
	for (int i = 0; i < 3; i++)
		free(parts[i]);
	return text;
}

/* ---- saving ---- */

/* The last of them must be new: -EEXIST. */
static int make_directories(char *path)
{
	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (mkdir(path, 0777) && errno != EEXIST) {
			*slash = '/';
			return -errno;
		}
		*slash = '/';
	}
	return mkdir(path, 0777) ? -errno : 0;
}

static void format_now(char *text, size_t size)
{
	struct timespec now;
	char seconds[32] = "";
	struct tm tm;

	clock_gettime(CLOCK_REALTIME, &now);
	if (gmtime_r(&now.tv_sec, &tm))
		strftime(seconds, sizeof(seconds), "%Y%m%dT%H%M%S", &tm);
	snprintf(text, size, "%s.%03ldZ", seconds, now.tv_nsec / 1000000);
}

/* As cp(1) does: whoever may read a run may read its copy, and nobody else. */
static int copy_file(const char *from, const char *to, struct error *err)
{
	struct destination destination;
	struct quoted quoted;
	struct stat status;
	size_t nr_bytes;
	char *bytes;
	int code = files__read(from, MAX_FILE_BYTES, &bytes, &nr_bytes);

	if (code)
		return error__set(err, EXIT_USAGE, code, "cannot read %s", quote(&quoted, from));
	code = destination__open(&destination, to,
				 stat(from, &status) ? DESTINATION_PRIVATE : status.st_mode & 0666,
				 err);
	if (!code) {
		fwrite(bytes, 1, nr_bytes, destination.out); /* closing tells */
		code = destination__close(&destination, 0, err);
	}
	free(bytes);
	return code;
}

static int copy_runs(const char *directory, char *const *files, size_t nr_files, struct error *err)
{
	int code = 0;

	for (size_t i = 0; i < nr_files && !code; i++) {
		size_t length = strlen(files[i]);
		bool is_pprof = length > 6 && !strcmp(files[i] + length - 6, ".pb.gz");
		char *path;

		if (asprintf(&path, "%s/run-%03zu%s", directory, i + 1, is_pprof ? ".pb.gz" : "") <
		    0)
			return error__no_memory(err);
		code = copy_file(files[i], path, err);
		free(path);
	}
	return code;
}

/* What somebody else removed meanwhile is gone as well. */
static int remove_directory(const char *path)
{
	char *pattern = files__pattern(path, "run-*");
	glob_t found = {0};
	int code = pattern ? 0 : -ENOMEM;

	if (pattern && !glob(pattern, 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc && !code; i++)
			code = unlink(found.gl_pathv[i]) && errno != ENOENT ? -errno : 0;
	}
	globfree(&found);
	free(pattern);
	if (!code && rmdir(path) && errno != ENOENT)
		code = -errno;
	return code;
}

/*
 * A directory of our own under a name that nobody looks for, which leaves *path to us too. -EEXIST:
 * somebody else saves, or saved, in this millisecond.
 */
static int claim_time(const char *parent, char **path, char **directory)
{
	char now[64];
	int code;

	format_now(now, sizeof(now));
	if (asprintf(path, "%s/%s", parent, now) < 0) {
		*path = NULL;
		return -ENOMEM;
	}
	if (asprintf(directory, "%s" UNFINISHED, *path) < 0) {
		*directory = NULL;
		return -ENOMEM;
	}
	code = make_directories(*directory);
	if (!code && !access(*path, F_OK)) {
		rmdir(*directory);
		code = -EEXIST;
	}
	return code;
}

static int claim(const char *parent, char **path, char **directory)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};

	for (int i = 0;; i++) {
		int code = claim_time(parent, path, directory);

		if (code != -EEXIST || i == MAX_CLAIMS)
			return code;
		free(*path);
		free(*directory);
		*path = *directory = NULL;
		nanosleep(&millisecond, NULL);
	}
}

/* The directory gets its name when all of it is there. */
static int fill(const char *directory, const char *path, char *const *files, size_t nr_files,
		struct error *err)
{
	struct quoted quoted;
	int code = copy_runs(directory, files, nr_files, err);

	if (!code && rename(directory, path))
		code = error__set(err, EXIT_INTERNAL, -errno, "cannot rename %s",
				  quote(&quoted, directory));
	if (code)
		remove_directory(directory);
	return code;
}

int baseline_store__save(const char *directory, const struct baseline_key *key, char *const *files,
			 size_t nr_files, char **saved, struct error *err)
{
	char *name = encode_key(key), *parent = NULL, *unfinished = NULL;
	struct quoted quoted;
	int code;

	*saved = NULL;
	if (!name || asprintf(&parent, "%s/%s", directory, name) < 0) {
		free(name);
		return error__no_memory(err);
	}
	code = claim(parent, saved, &unfinished);
	code = code ? error__set(err, destination__exit_code(code), code,
				 "cannot make the directory %s",
				 quote(&quoted, unfinished ? unfinished : parent))
		    : fill(unfinished, *saved, files, nr_files, err);
	free(unfinished);
	free(parent);
	free(name);
	if (code) {
		free(*saved);
		*saved = NULL;
	}
	return code;
}

/* ---- finding ---- */

static size_t count_runs(const char *path)
{
	char *pattern = files__pattern(path, "run-*");
	glob_t found = {0};
	size_t nr = 0;

	if (pattern && !glob(pattern, GLOB_NOSORT, NULL, &found))
		nr = found.gl_pathc;
	globfree(&found);
	free(pattern);
	return nr;
}

/* Cuts a copy of the path into its last parts. */
static int baseline__init(struct baseline *baseline, const char *path)
{
	char *copy = strdup(path), *parts[NR_PARTS] = {NULL};
	bool failed = !copy;

	for (int i = NR_PARTS - 1; copy && i >= 0; i--) {
		char *slash = strrchr(copy, '/');

		parts[i] = strdup(slash + 1);
		failed |= !parts[i];
		*slash = '\0';
		if (parts[i])
			decode_name(parts[i]);
	}
	free(copy);
	*baseline = (struct baseline){
		.benchmark = parts[0],
		.machine = parts[1],
		.branch = parts[2],
		.time = parts[3],
		.path = strdup(path),
		.nr_runs = count_runs(path),
	};
	return failed || !baseline->path ? -ENOMEM : 0;
}

static int take_matches(struct baselines *found, const glob_t *matches)
{
	int code = 0;

	found->list = calloc(matches->gl_pathc + 1, sizeof(*found->list));
	if (!found->list)
		return -ENOMEM;
	for (size_t i = 0; i < matches->gl_pathc && !code; i++) {
		code = baseline__init(&found->list[i], matches->gl_pathv[i]);
		found->nr++;
	}
	return code;
}

/* Paths are sorted as text, and so are times. */
int baseline_store__find(const char *directory, const struct baseline_key *key,
			 struct baselines *found, struct error *err)
{
	char *name = encode_key(key), *all = NULL, *pattern = NULL;
	glob_t matches = {0};
	int code = -ENOMEM;

	if (name && asprintf(&all, "%s/" TIMES, name) >= 0)
		pattern = files__pattern(directory, all);
	if (pattern) {
		code = glob(pattern, 0, NULL, &matches);
		code = code == GLOB_NOSPACE ? -ENOMEM : code ? 0 : take_matches(found, &matches);
		globfree(&matches);
	}
	free(pattern);
	free(all);
	free(name);
	return code ? error__no_memory(err) : 0;
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

/* Of the same benchmark, machine and branch. */
static bool is_kin(const struct baseline *a, const struct baseline *b)
{
	return !strcmp(a->benchmark, b->benchmark) && !strcmp(a->machine, b->machine) &&
	       !strcmp(a->branch, b->branch);
}

static int remove_baseline(const struct baseline *baseline, struct error *err)
{
	struct quoted quoted;
	int code = remove_directory(baseline->path);

	return code ? error__set(err, EXIT_INTERNAL, code, "cannot remove %s",
				 quote(&quoted, baseline->path))
		    : 0;
}

int baseline_store__prune(const char *directory, const struct baseline_key *key,
			  unsigned int nr_kept, void (*on_removed)(const struct baseline *baseline),
			  struct error *err)
{
	struct baselines found = {0};
	int code = baseline_store__find(directory, key, &found, err);

	/* Old enough is what has so many of its kind behind it, for the youngest are last. */
	for (size_t i = 0; !code && i + nr_kept < found.nr; i++) {
		if (!is_kin(&found.list[i], &found.list[i + nr_kept]))
			continue;
		code = remove_baseline(&found.list[i], err);
		if (!code)
			on_removed(&found.list[i]);
	}
	baselines__fini(&found);
	return code;
}
