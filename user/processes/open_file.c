// SPDX-License-Identifier: GPL-2.0-only
/*
 * A path comes from an untrusted process. So it is followed below a root that it cannot leave. The
 * file is checked before it is opened for reading (a FIFO would block, a device would act, the
 * kernel's log would be consumed). For a mapping, only the mapped inode is accepted.
 *
 * A user with a mount namespace can mount any file on any other. A mapped file is known by its
 * inode; other files are refused if they are a mount themselves. Directories such as /tmp or /usr
 * may be mounts.
 */
#include "processes/open_file.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/files.h"
#include "base/shortage.h"
#include "processes/maps.h"
#include "processes/procfs.h"

/* ---- may the file be read? ---- */

/* Numbers that linux/magic.h lacks. */
#define CONFIGFS_MAGIC	 0x62656570
#define MQUEUE_MAGIC	 0x19800202
#define FUSECTL_MAGIC	 0x65735543
#define RPC_PIPEFS_MAGIC 0x67596969
#define NFSD_MAGIC	 0x6e667364
#define PIDFS_MAGIC	 0x50494446

/*
 * Whether the file is on a file system of the kernel's, where reading has side effects.
 * -EMEDIUMTYPE, 0, or other negative errno.
 */
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
			return -EMEDIUMTYPE;
	return 0;
}

enum acceptance {
	ACCEPTS_MOUNTS, /* of single files, as containers have them */
	REFUSES_MOUNTS,
};

/* The result after a failed call: -ENOENT, or a shortage of descriptors. */
static int none_for(int error)
{
	const int code = shortage__of_descriptor(error);

	return shortage__is(code) ? code : -ENOENT;
}

/*
 * Checks the type of a file, opens it for reading if it is a regular one, and closes found, a
 * descriptor with O_PATH; found -1: errno tells the error. The kernel reports mount roots since 5.8
 * (80340fe3605c), except where libc emulates a refused statx by fstat.
 */
static int open_regular(int found, enum acceptance acceptance)
{
	struct statx status;
	char path[32];
	int fd;

	if (found < 0)
		return none_for(errno);
	if (statx(found, "", AT_EMPTY_PATH | AT_STATX_DONT_SYNC, STATX_TYPE, &status))
		fd = shortage__of_call(-errno);
	else if (!S_ISREG(status.stx_mode))
		fd = -EINVAL;
	else if (acceptance == REFUSES_MOUNTS &&
		 !(status.stx_attributes_mask & STATX_ATTR_MOUNT_ROOT))
		fd = -ECONNREFUSED;
	else if (acceptance == REFUSES_MOUNTS && status.stx_attributes & STATX_ATTR_MOUNT_ROOT)
		fd = -EMEDIUMTYPE;
	else
		fd = is_of_kernel(found);
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
 * Whether it is the mapped file. The fstat also refreshes cached attributes for callers that do not
 * wait for the file system.
 */
static bool is_mapped_file(int fd, const struct mapping *mapping)
{
	struct mapping found;
	struct stat status;
	bool is_alike;
	void *page;

	if (fstat(fd, &status))
		return false;
	if (status.st_ino == mapping->inode && major(status.st_dev) == mapping->major &&
	    minor(status.st_dev) == mapping->minor)
		return true;

	/*
	 * On btrfs and overlayfs stat and maps tell different devices: so maps the file, without
	 * touching it, and reads our own maps.
	 */
	page = mmap(NULL, 1, PROT_READ, MAP_PRIVATE, fd, 0);
	if (page == MAP_FAILED)
		return false;
	is_alike = maps__find_own((uintptr_t)page, &found) && found.major == mapping->major &&
		   found.minor == mapping->minor && found.inode == mapping->inode;
	munmap(page, 1);
	return is_alike;
}

/* Opens the file if it is the mapped one. */
static int open_checked(int found, const struct mapping *mapping)
{
	const int fd = open_regular(found, ACCEPTS_MOUNTS);

	if (fd >= 0 && !is_mapped_file(fd, mapping)) {
		close(fd);
		return -ENOENT;
	}
	return fd;
}

/* ---- where the file may be ---- */

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

static int open_in_process(const struct mapping *mapping, const struct mapped_by *by,
			   const struct search_roots *where)
{
	uint64_t start_ticks = by->start_ticks;
	const int process = procfs__open_born(by->pid, &start_ticks);
	struct file_identity identity;
	char path[64];
	int fd;

	if (process < 0)
		return none_for(-process);
	snprintf(path, sizeof(path), "map_files/%" PRIx64 "-%" PRIx64, by->start, by->end);
	fd = openat(process, path, O_PATH | O_CLOEXEC);

	/* Only on the mapping's device: the process may have mapped another file since. */
	if (fd >= 0 && where->on_found && !file__identify(fd, &identity) &&
	    identity.device == makedev(mapping->major, mapping->minor))
		where->on_found(where->context);
	fd = open_checked(fd, mapping);
	if (fd < 0 && has_path(mapping))
		fd = open_in_root(process, "root", mapping);
	close(process);
	return fd;
}

/*
 * Looks in the process, then below its own root, then ours, then all others: the inode tells
 * whether the file is right.
 */
int open_file__mapped(const struct mapping *mapping, const struct mapped_by *by,
		      const struct search_roots *where)
{
	const size_t nr_own = where->has_own ? 1 : 0;
	int fd = open_in_process(mapping, by, where);

	for (size_t i = 0; fd < 0 && has_path(mapping) && i < where->nr_roots + 1; i++) {
		if (i == nr_own)
			fd = open_in_root(AT_FDCWD, "/", mapping);
		else
			fd = open_checked(open_below(where->roots[i - (i > nr_own)], mapping->path,
						     RESOLVE_NO_SYMLINKS),
					  mapping);
	}
	return fd;
}

/* ---- entries of a process ---- */

/* Reads the beginning of a file. Returns the number of bytes, or negative errno. */
static ssize_t read_begin(int process, const char *name, char *bytes, size_t size)
{
	const int fd = procfs__open_file(process, name, O_RDONLY);
	size_t length = 0;
	ssize_t got = 1;

	if (fd < 0)
		return -errno;
	while (got > 0 && length < size) {
		got = read(fd, bytes + length, size - length);
		if (got < 0)
			got = errno == EINTR ? 1 : -errno;
		else
			length += (size_t)got;
	}
	close(fd);
	return got < 0 ? got : (ssize_t)length;
}

static int copy_command_line(int process)
{
	char bytes[PROCESS_COMM_SIZE + COMMAND_LINE_MAX_BYTES] = {0};
	char comm[PROCESS_COMM_SIZE + 1];
	ssize_t got, length;
	int code, text;

	/* The name at last: if that is unchanged, the program was the same meanwhile. */
	length = read_begin(process, "cmdline", bytes + PROCESS_COMM_SIZE, COMMAND_LINE_MAX_BYTES);
	if (length < 0)
		return (int)length;
	got = read_begin(process, "comm", comm, sizeof(comm));
	if (got <= 0)
		return got ? (int)got : -ESRCH;
	memcpy(bytes, comm, (size_t)got - 1); /* without the newline */

	text = memfd_create(COMMAND_LINE_FILE, MFD_CLOEXEC);
	if (text < 0)
		return -errno;
	code = files__write(text, bytes, PROCESS_COMM_SIZE + (size_t)length);
	if (!code && !lseek(text, 0, SEEK_SET))
		return text;
	close(text);
	return code ? code : -EIO;
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
		fd = copy_command_line(process);
	} else {
		fd = procfs__open_file(process, name,
				       strcmp(name, "root") ? O_RDONLY : O_PATH | O_DIRECTORY);
		fd = fd < 0 ? shortage__of_descriptor(errno) : fd;
	}
	close(process);
	return fd == -ENOMEM ? -ENOBUFS : fd; /* our memory is fine: the kernel lacked some for
					       * the other process */
}
