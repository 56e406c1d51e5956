// SPDX-License-Identifier: GPL-2.0-only
/*
 * A path is what somebody else says. So it is followed without symbolic links, below a root that it
 * cannot leave; what is there is looked at before it is opened for reading (a FIFO would block, a
 * device would act); and it is used only if it is the inode that was mapped.
 */
#include "processes/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/rights.h"
#include "processes/maps.h"
#include "processes/procfs.h"
#include "processes/roots.h"

/* ---- is it the mapped file? ---- */

/*
 * stat and maps do not speak of the same device on btrfs and overlayfs. So map the file, without
 * touching it, and see what the kernel calls it.
 */
static bool maps_alike(int fd, const struct mapping *wanted)
{
	void *page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	struct mapping found;
	bool alike;

	if (page == MAP_FAILED)
		return false;
	alike = maps__find_own((uintptr_t)page, &found) && found.major == wanted->major &&
		found.minor == wanted->minor && found.inode == wanted->inode;
	munmap(page, 1);
	return alike;
}

static bool is_mapped_file(int fd, const struct stat *status, const struct mapping *mapping)
{
	if (status->st_ino == mapping->inode && major(status->st_dev) == mapping->major &&
	    minor(status->st_dev) == mapping->minor)
		return true;
	return maps_alike(fd, mapping);
}

/* Takes a descriptor of O_PATH, -1 if there is none, and closes it. */
static int open_regular(int found)
{
	struct stat status;
	char path[32];
	int fd = -1;

	if (found < 0)
		return -1;
	if (!fstat(found, &status) && S_ISREG(status.st_mode)) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	}
	close(found);
	return fd;
}

/* The same; gives nothing but the file that is mapped. */
static int open_checked(int found, const struct mapping *mapping)
{
	const int fd = open_regular(found);
	struct stat status;

	if (fd >= 0 && (fstat(fd, &status) || !is_mapped_file(fd, &status, mapping))) {
		close(fd);
		return -1;
	}
	return fd;
}

/* ---- where it may be ---- */

static int open_below(int root, const char *path, uint64_t resolve)
{
	const struct open_how how = {
		.flags = O_PATH | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | resolve,
	};

	return root < 0 ? -1 : (int)syscall(SYS_openat2, root, path, &how, sizeof(how));
}

int file__open_regular(int root, const char *path)
{
	const int fd = open_regular(open_below(root, path, RESOLVE_NO_MAGICLINKS));

	return fd < 0 ? -ENOENT : fd;
}

int file__open_nofollow(int root, const char *path)
{
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	const int fd = open_regular(open_below(root, path, RESOLVE_NO_SYMLINKS));

	rights__restore(before);
	return fd < 0 ? -ENOENT : fd;
}

static int open_in_map_files(int process, const struct mapped_by *by)
{
	char path[64];

	snprintf(path, sizeof(path), "map_files/%" PRIx64 "-%" PRIx64, by->start, by->end);
	return openat(process, path, O_PATH | O_CLOEXEC);
}

static int open_in_root(int directory, const char *root_path, const char *path)
{
	int root = openat(directory, root_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = open_below(root, path, RESOLVE_NO_SYMLINKS);

	if (root >= 0)
		close(root);
	return fd;
}

static int open_process(const struct mapped_by *by)
{
	uint64_t start_ticks = by->start_ticks;

	return procfs__open_born(by->pid, &start_ticks);
}

int file__open_root(const struct mapped_by *by)
{
	int process = open_process(by), root;

	if (process < 0) {
		root = by->root ? fcntl(root__fd(by->root), F_DUPFD_CLOEXEC, 0) : -1;
	} else {
		root = procfs__open_file(process, "root", O_PATH | O_DIRECTORY);
		close(process);
	}
	return root < 0 ? -ENOENT : root;
}

static int open_in_process(const struct mapping *mapping, const struct mapped_by *by, bool has_path)
{
	int process = open_process(by);
	int fd;

	if (process < 0)
		return -1;
	fd = open_checked(open_in_map_files(process, by), mapping);
	if (fd < 0 && has_path)
		fd = open_checked(open_in_root(process, "root", mapping->path), mapping);
	close(process);
	return fd;
}

static int open_in_kept(const struct mapping *mapping, int root)
{
	return open_checked(open_below(root, mapping->path, RESOLVE_NO_SYMLINKS), mapping);
}

/* Below its own root, then ours, then that of anybody else: the inode says whether it is right. */
static int open_below_roots(const struct mapping *mapping, const struct mapped_by *by)
{
	int fd = open_in_kept(mapping, root__fd(by->root)), root = 0;

	if (fd < 0)
		fd = open_checked(open_in_root(AT_FDCWD, "/", mapping->path), mapping);
	for (size_t i = 0; by->roots && fd < 0 && root >= 0; i++) {
		root = roots__fd(by->roots, i);
		fd = open_in_kept(mapping, root);
	}
	return fd;
}

int file__open_mapped(const struct mapping *mapping, const struct mapped_by *by)
{
	const bool has_path = mapping->path[0] == '/' && mapping->path[1] != '/';
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	int fd = open_in_process(mapping, by, has_path);

	if (fd < 0 && has_path)
		fd = open_below_roots(mapping, by);
	rights__restore(before);
	return fd < 0 ? -ENOENT : fd;
}

/* ---- knowing it again ---- */

int file__identify(int fd, struct file_identity *identity)
{
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	*identity = (struct file_identity){
		.inode = status.st_ino,
		.device = status.st_dev,
		.nr_bytes = (uint64_t)status.st_size,
		.modified_ns = status.st_mtim.tv_sec * 1000000000LL + status.st_mtim.tv_nsec,
	};
	return 0;
}

bool file_identity__equals(const struct file_identity *a, const struct file_identity *b)
{
	return a->inode == b->inode && a->device == b->device && a->nr_bytes == b->nr_bytes &&
	       a->modified_ns == b->modified_ns;
}

bool file__is_same(int a, int b)
{
	struct stat of_a, of_b;

	return !fstat(a, &of_a) && !fstat(b, &of_b) && of_a.st_dev == of_b.st_dev &&
	       of_a.st_ino == of_b.st_ino;
}

static int64_t ns_of(const struct statx_timestamp *time)
{
	return time->tv_sec * 1000000000LL + time->tv_nsec;
}

/*
 * A new file with an old inode number has a younger birth, a rewritten one a younger modification.
 * (Not the change time: renaming or removing a file makes that younger, too.)
 */
int file__changed_ns(int fd, int64_t *changed_ns)
{
	const int64_t now = (int64_t)clock_ns(CLOCK_REALTIME);
	struct statx status;
	int64_t changed, born;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &status))
		return -errno;
	changed = ns_of(&status.stx_mtime);
	if (changed > now) /* anybody can set it */
		changed = 0;
	born = ns_of(status.stx_mask & STATX_BTIME ? &status.stx_btime : &status.stx_ctime);
	if (born > changed)
		changed = born;
	*changed_ns = changed - (now - (int64_t)monotonic_ns());
	return 0;
}
