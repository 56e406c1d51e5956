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
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/clock.h"
#include "processes/procfs.h"
#include "processes/roots.h"

/* ---- is it the mapped file? ---- */

struct probe {
	uint64_t address;
	const struct mapping *wanted;
};

static int is_probed(void *context, const struct mapping *mapping, bool executable)
{
	const struct probe *probe = context;
	const struct mapping *wanted = probe->wanted;

	(void)executable;
	if (probe->address < mapping->start || probe->address >= mapping->end)
		return 0;
	return mapping->major == wanted->major && mapping->minor == wanted->minor &&
			       mapping->inode == wanted->inode
		       ? 1
		       : -ESTALE;
}

/*
 * stat and maps do not speak of the same device on btrfs and overlayfs. So map the file, without
 * touching it, and see what the kernel calls it.
 */
static bool maps_alike(int fd, const struct mapping *wanted)
{
	void *page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	struct probe probe = {(uintptr_t)page, wanted};
	bool alike = false;
	int maps;

	if (page == MAP_FAILED)
		return false;
	maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	if (maps >= 0) {
		alike = maps__each(maps, is_probed, &probe) == 1;
		close(maps);
	}
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

int files__open_regular(int root, const char *path)
{
	const int fd = open_regular(open_below(root, path, RESOLVE_NO_MAGICLINKS));

	return fd < 0 ? -ENOENT : fd;
}

int files__open_nofollow(int root, const char *path)
{
	const int fd = open_regular(open_below(root, path, RESOLVE_NO_SYMLINKS));

	return fd < 0 ? -ENOENT : fd;
}

static int open_in_map_files(int process, const struct witness *witness)
{
	char path[64];

	snprintf(path, sizeof(path), "map_files/%" PRIx64 "-%" PRIx64, witness->start,
		 witness->end);
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

int files__open_process(const struct witness *witness)
{
	int process = procfs__open(witness->pid);
	uint64_t ticks;

	if (process < 0)
		return -ESRCH;
	if (procfs__start_ticks(process, &ticks) ||
	    (witness->start_ticks && !procfs__same_start(ticks, witness->start_ticks))) {
		close(process);
		return -ESRCH;
	}
	return process;
}

int files__open_root(const struct witness *witness)
{
	int process = files__open_process(witness), root;

	if (process < 0) {
		root = witness->root ? fcntl(root__fd(witness->root), F_DUPFD_CLOEXEC, 0) : -1;
	} else {
		root = openat(process, "root", O_PATH | O_DIRECTORY | O_CLOEXEC);
		close(process);
	}
	return root < 0 ? -ENOENT : root;
}

static int open_in_process(const struct mapping *mapping, const struct witness *witness,
			   bool has_path)
{
	int process = files__open_process(witness);
	int fd;

	if (process < 0)
		return -1;
	fd = open_checked(open_in_map_files(process, witness), mapping);
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
static int open_below_roots(const struct mapping *mapping, const struct witness *witness)
{
	const int *roots;
	const size_t nr_roots = witness->roots ? roots__fds(witness->roots, &roots) : 0;
	int fd = open_in_kept(mapping, root__fd(witness->root));

	if (fd < 0)
		fd = open_checked(open_in_root(AT_FDCWD, "/", mapping->path), mapping);
	for (size_t i = 0; i < nr_roots && fd < 0; i++)
		fd = open_in_kept(mapping, roots[i]);
	return fd;
}

int files__open_mapped(const struct mapping *mapping, const struct witness *witness)
{
	const bool has_path = mapping->path[0] == '/' && mapping->path[1] != '/';
	int fd = open_in_process(mapping, witness, has_path);

	if (fd < 0 && has_path)
		fd = open_below_roots(mapping, witness);
	return fd < 0 ? -ENOENT : fd;
}

/* ---- stamps ---- */

static int64_t ns_of(const struct statx_timestamp *time)
{
	return time->tv_sec * 1000000000LL + time->tv_nsec;
}

/*
 * A new file with an old inode number has a younger birth, a rewritten one a younger modification.
 * (Not the change time: renaming or removing a file makes that younger, too.)
 */
int files__stamp(int fd, struct stamp *stamp)
{
	const int64_t now = (int64_t)clock_ns(CLOCK_REALTIME);
	struct statx status;
	int64_t changed, born;

	if (statx(fd, "", AT_EMPTY_PATH, STATX_BASIC_STATS | STATX_BTIME, &status))
		return -errno;
	stamp->bytes = status.stx_size;
	stamp->modified_ns = ns_of(&status.stx_mtime);
	changed = stamp->modified_ns <= now ? stamp->modified_ns : 0; /* anybody can set it */
	born = ns_of(status.stx_mask & STATX_BTIME ? &status.stx_btime : &status.stx_ctime);
	if (born > changed)
		changed = born;
	stamp->changed_ns = changed - (now - (int64_t)monotonic_ns());
	return 0;
}
