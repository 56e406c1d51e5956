// SPDX-License-Identifier: GPL-2.0-only
/*
 * A path is what somebody else says. So it is followed below a root that it cannot leave; what is
 * there is looked at before it is opened for reading (a FIFO would block, a device would act, the
 * kernel's log would be consumed); and of a mapping it is used only if it is the inode that was
 * mapped.
 *
 * A user who has a namespace of his own can mount any file on any other. A mapped file is known by
 * its inode; any other is refused if it is a mount by itself. /tmp or /usr may be mounts.
 */
#include "processes/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/shortage.h"
#include "processes/command_line.h"
#include "processes/maps.h"
#include "processes/procfs.h"

/* ---- may it be read? ---- */

/* Those that linux/magic.h lacks. */
#define CONFIGFS_MAGIC	 0x62656570
#define MQUEUE_MAGIC	 0x19800202
#define FUSECTL_MAGIC	 0x65735543
#define RPC_PIPEFS_MAGIC 0x67596969
#define NFSD_MAGIC	 0x6e667364
#define PIDFS_MAGIC	 0x50494446

/* Their files are questions to the kernel, or orders. 1, 0, or negative errno. */
static int is_of_kernel(int fd)
{
	static const uint32_t kinds[] = {
		PROC_SUPER_MAGIC,     SYSFS_MAGIC,	 DEBUGFS_MAGIC,	      TRACEFS_MAGIC,
		SECURITYFS_MAGIC,     SELINUX_MAGIC,	 SMACK_MAGIC,	      CGROUP_SUPER_MAGIC,
		CGROUP2_SUPER_MAGIC,  CONFIGFS_MAGIC,	 BPF_FS_MAGIC,	      PSTOREFS_MAGIC,
		EFIVARFS_MAGIC,	      BINFMTFS_MAGIC,	 NSFS_MAGIC,	      SOCKFS_MAGIC,
		PIPEFS_MAGIC,	      MQUEUE_MAGIC,	 DEVPTS_SUPER_MAGIC,  FUSECTL_MAGIC,
		RDTGROUP_SUPER_MAGIC, AAFS_MAGIC,	 RPC_PIPEFS_MAGIC,    NFSD_MAGIC,
		PIDFS_MAGIC,	      XENFS_SUPER_MAGIC, ANON_INODE_FS_MAGIC,
	};
	struct statfs status;

	if (fstatfs(fd, &status))
		return shortage__of_call(-errno);
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if ((uint32_t)status.f_type == kinds[i])
			return 1;
	return 0;
}

enum acceptance {
	ACCEPTS_MOUNTS, /* of single files, as containers have them */
	REFUSES_MOUNTS,
};

/*
 * found has O_PATH. What is mounted the kernel tells from 5.8 on (80340fe3605c), and libc does not that asks by fstat
 * where statx is refused.
 */
static int check_kind(int found, enum acceptance acceptance)
{
	struct statx status;
	int code;

	if (statx(found, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &status))
		return shortage__of_call(-errno);
	if (!S_ISREG(status.stx_mode))
		return -EINVAL;
	if (acceptance == REFUSES_MOUNTS && !(status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT))
		return -ECONNREFUSED;
	if (acceptance == REFUSES_MOUNTS && status.stx_attributes & STATX_ATTR_MOUNT_ROOT)
		return -EMEDIUMTYPE;
	code = is_of_kernel(found);
	return code > 0 ? -EMEDIUMTYPE : code;
}

/* After a call that failed: there is none within reach, but for a lack of descriptors. */
static int none_for(int error)
{
	const int code = shortage__of_descriptor(error);

	return shortage__is(code) ? code : -ENOENT;
}

/* Takes a descriptor with O_PATH; -1: there is none for what errno says. */
static int open_regular(int found, enum acceptance acceptance)
{
	char path[32];
	int fd;

	if (found < 0)
		return none_for(errno);
	fd = check_kind(found, acceptance);
	if (!fd) {
		snprintf(path, sizeof(path), "/proc/self/fd/%d", found);
		fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
		if (fd < 0)
			fd = none_for(errno);
	}
	close(found);
	return fd;
}

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

/* What is cached of it is new from here on, for those who do not wait for its file system. */
static bool is_mapped_file(int fd, const struct mapping *mapping)
{
	struct stat status;

	if (fstat(fd, &status))
		return false;
	if (status.st_ino == mapping->inode && major(status.st_dev) == mapping->major &&
	    minor(status.st_dev) == mapping->minor)
		return true;
	return maps_alike(fd, mapping);
}

/* Gives nothing but the file that is mapped. */
static int open_checked(int found, const struct mapping *mapping)
{
	const int fd = open_regular(found, ACCEPTS_MOUNTS);

	if (fd >= 0 && !is_mapped_file(fd, mapping)) {
		close(fd);
		return -ENOENT;
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

int open_file__below(int root, const char *path, bool follow)
{
	const uint64_t links = follow ? RESOLVE_NO_MAGICLINKS : RESOLVE_NO_SYMLINKS;
	const int fd = open_regular(open_below(root, path, links), REFUSES_MOUNTS);
	struct stat status;

	if (fd >= 0)
		fstat(fd, &status); /* as is_mapped_file() does */
	return fd;
}

static int open_in_map_files(int process, const struct mapped_by *by)
{
	char path[64];

	snprintf(path, sizeof(path), "map_files/%" PRIx64 "-%" PRIx64, by->start, by->end);
	return openat(process, path, O_PATH | O_CLOEXEC);
}

static int open_in_root(int directory, const char *root_path, const struct mapping *mapping)
{
	const int root = openat(directory, root_path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const int fd = open_checked(open_below(root, mapping->path, RESOLVE_NO_SYMLINKS), mapping);

	if (root >= 0)
		close(root);
	return fd;
}

static bool has_path(const struct mapping *mapping)
{
	return mapping->path[0] == '/' && mapping->path[1] != '/';
}

/* A process may have mapped something else there since. */
static void tell_found(int found, const struct mapping *mapping, const struct search_roots *where)
{
	struct file_identity identity;

	if (found >= 0 && where->on_found && !file__identify(found, &identity) &&
	    identity.device == makedev(mapping->major, mapping->minor))
		where->on_found(where->context);
}

static int open_in_process(const struct mapping *mapping, const struct mapped_by *by,
			   const struct search_roots *where)
{
	uint64_t start_ticks = by->start_ticks;
	const int process = procfs__open_born(by->pid, &start_ticks);
	int fd;

	if (process < 0)
		return none_for(-process);
	fd = open_in_map_files(process, by);
	tell_found(fd, mapping, where);
	fd = open_checked(fd, mapping);
	if (fd < 0 && has_path(mapping))
		fd = open_in_root(process, "root", mapping);
	close(process);
	return fd;
}

/* Below its own root, then ours, then that of anybody else: the inode says whether it is right. */
static int open_below_roots(const struct mapping *mapping, const struct search_roots *where)
{
	const size_t nr_own = where->has_own ? 1 : 0;
	int fd = -ENOENT;

	for (size_t i = 0; fd < 0 && i < where->nr_roots + 1; i++) {
		if (i == nr_own)
			fd = open_in_root(AT_FDCWD, "/", mapping);
		else
			fd = open_checked(open_below(where->roots[i - (i > nr_own)], mapping->path,
						     RESOLVE_NO_SYMLINKS),
					  mapping);
	}
	return fd;
}

int open_file__mapped(const struct mapping *mapping, const struct mapped_by *by,
		      const struct search_roots *where)
{
	int fd = open_in_process(mapping, by, where);

	if (fd < 0 && has_path(mapping))
		fd = open_below_roots(mapping, where);
	return fd;
}

int open_file__of_process(const struct mapped_by *by, const char *name, struct living *living)
{
	uint64_t start_ticks = by->start_ticks;
	const int process = procfs__open_born(by->pid, &start_ticks);
	int fd;

	if (process < 0)
		return process;
	if (living) {
		living->start_ticks = start_ticks;
		procfs__look_at(process, living);
	}
	if (!strcmp(name, MAPS_FILE)) {
		fd = maps__copy(process, 0);
	} else if (!strcmp(name, MAPS_FILE_START)) {
		fd = maps__copy(process, SHORT_MAPS_BYTES);
	} else if (!strcmp(name, COMMAND_LINE_FILE)) {
		fd = command_line__copy(process);
	} else {
		fd = procfs__open_file(process, name,
				       strcmp(name, "root") ? O_RDONLY : O_PATH | O_DIRECTORY);
		fd = fd < 0 ? shortage__of_descriptor(errno) : fd;
	}
	close(process);
	return fd == -ENOMEM ? -ENOBUFS : fd; /* it is not who asks that lacks memory */
}
