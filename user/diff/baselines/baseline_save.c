// SPDX-License-Identifier: GPL-2.0-only
/* A baseline is written under a temporary name in its final directory, and then renamed. */
#include "diff/baselines/baseline_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/output/destination.h"
#include "diff/baselines/store_directories.h"

#define MAX_FILE_BYTES ((size_t)512 << 20)
#define MAX_CLAIMS     1000

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

/* A directory that is being filled. */
struct saving {
	int parent, fd;
	char time[64]; /* its final name */
	char unfinished[80];
};

/*
 * Makes and locks a directory with a temporary name, which also reserves its time. -EEXIST: another
 * save has this millisecond, or another process removed the directory before the lock.
 */
static int claim_time(struct saving *saving)
{
	struct stat status;
	int code = 0;

	format_now(saving->time, sizeof(saving->time));
	snprintf(saving->unfinished, sizeof(saving->unfinished), "%s" STORE_UNFINISHED,
		 saving->time);
	if (mkdirat(saving->parent, saving->unfinished, 0777))
		return -errno;
	saving->fd = store__open_below(saving->parent, saving->unfinished);
	if (saving->fd < 0)
		return saving->fd == -ENOENT ? -EEXIST : saving->fd;
	flock(saving->fd, LOCK_EX); /* on file systems without locks, nothing sweeps */
	if (fstat(saving->fd, &status) || !status.st_nlink) {
		code = -EEXIST;
	} else if (!faccessat(saving->parent, saving->time, F_OK, AT_SYMLINK_NOFOLLOW)) {
		unlinkat(saving->parent, saving->unfinished, AT_REMOVEDIR);
		code = -EEXIST;
	}
	if (code)
		close(saving->fd);
	return code;
}

/*
 * Creates a copy with the permissions of the original, as cp(1) does: exactly the users who may
 * read the run may read its copy.
 */
static int copy_file(const char *from, int directory, size_t number, struct error *err)
{
	size_t length = strlen(from), nr_bytes;
	bool is_pprof = length > 6 && !strcmp(from + length - 6, ".pb.gz");
	struct quoted quoted;
	struct stat status;
	const mode_t mode = stat(from, &status) ? DESTINATION_PRIVATE : status.st_mode & 0666;
	char name[64], *bytes;
	int code = files__read(from, MAX_FILE_BYTES, &bytes, &nr_bytes), fd;

	if (code)
		return error__set(err, EXIT_USAGE, code, "cannot read %s", quote(&quoted, from));
	snprintf(name, sizeof(name), STORE_RUN "%03zu%s", number, is_pprof ? ".pb.gz" : "");
	fd = openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0) {
		code = -errno;
	} else {
		if (!(mode & 0077))
			destination__give_to_caller(fd);
		code = files__write(fd, bytes, nr_bytes);
		if (!code && fsync(fd))
			code = -errno;
		if (close(fd) && !code)
			code = -errno;
	}
	free(bytes);
	return code ? error__set(err, EXIT_INTERNAL, code, "cannot save %s", quote(&quoted, from))
		    : 0;
}

static int fill(const struct saving *saving, char *const *files, size_t nr_files, struct error *err)
{
	struct quoted quoted;
	struct stat status;
	int code = 0;

	/* The bytes of pipes were used up by the check that the file is a profile. */
	for (size_t i = 0; i < nr_files && !code; i++)
		if (!stat(files[i], &status) && !S_ISREG(status.st_mode))
			code = error__say(err, EXIT_USAGE, -EINVAL, "cannot save %s: it is no file",
					  quote(&quoted, files[i]));
	for (size_t i = 0; i < nr_files && !code; i++)
		code = copy_file(files[i], saving->fd, i + 1, err);
	/* The directory gets its final name after all of it is on the disk. */
	if (!code) {
		if (fsync(saving->fd) ||
		    renameat(saving->parent, saving->unfinished, saving->parent, saving->time) ||
		    (fsync(saving->parent) && errno != EINVAL)) {
			code = -errno;
			error__set(err, EXIT_INTERNAL, code, "cannot save the baseline %s",
				   quote(&quoted, saving->time));
		}
	}
	if (code)
		store__remove(saving->parent, saving->fd, saving->unfinished);
	return code;
}

static char *path_of(const char *directory, const struct baseline_key *key, const char *time)
{
	char *benchmark = store__encode_name(key->benchmark);
	char *machine = store__encode_name(key->machine);
	char *branch = store__encode_name(key->branch);
	char *below = xasprintf("%s/%s/%s/%s", benchmark, machine, branch, time);
	char *path = files__join(directory, below);

	free(below);
	free(branch);
	free(machine);
	free(benchmark);
	return path;
}

int baseline_store__save(const char *directory, const struct baseline_key *key, char *const *files,
			 size_t nr_files, char **saved, struct error *err)
{
	const struct timespec millisecond = {.tv_nsec = 1000000};
	struct saving saving = {.parent = store__open_kin(directory, key, true)};
	struct quoted quoted;
	int code = saving.parent < 0 ? saving.parent : 0;

	if (code) {
		format_now(saving.time, sizeof(saving.time));
	} else {
		store__sweep(saving.parent);
		code = claim_time(&saving);
		for (int i = 0; code == -EEXIST && i < MAX_CLAIMS; i++) {
			nanosleep(&millisecond, NULL);
			code = claim_time(&saving);
		}
	}
	*saved = path_of(directory, key, saving.time);
	if (code) {
		error__set(err, destination__exit_code(code), code, "cannot make the directory %s",
			   quote(&quoted, *saved));
	} else {
		code = fill(&saving, files, nr_files, err);
		close(saving.fd);
	}
	if (saving.parent >= 0)
		close(saving.parent);
	if (code) {
		free(*saved);
		*saved = NULL;
	}
	return code;
}
