// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/tracefs.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/rights.h"

static const char *const places[] = {"/sys/kernel/tracing", "/sys/kernel/debug/tracing"};

#define FILES_REMEDY "run as root, or with CAP_DAC_READ_SEARCH"
#define MOUNT_REMEDY "run as root, or: sudo mount -t tracefs tracefs /sys/kernel/tracing"

/*
 * Opens tracefs at place. When the second place is opened as a directory, the kernel mounts tracefs
 * there; O_PATH looks at it first and mounts nothing.
 */
static int open_mounted(const char *place)
{
	const int path = open(place, O_PATH | O_CLOEXEC);
	struct statfs system;
	int fd = -ENOENT;

	if (path < 0) /* without rights, no other of our calls can see the mount either */
		return -ENOENT;
	if (!fstatfs(path, &system) && system.f_type == TRACEFS_MAGIC) {
		fd = openat(path, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		fd = fd < 0 ? -errno : fd;
	}
	close(path);
	return fd;
}

/* Mounts tracefs without a path; the mount ends when the descriptor is closed. */
static int open_detached(void)
{
	const uint64_t before = rights__raise(RIGHT_SYS_ADMIN);
	const int context = fsopen("tracefs", FSOPEN_CLOEXEC);
	int fd = -1, code;

	if (context >= 0 && !fsconfig(context, FSCONFIG_CMD_CREATE, NULL, NULL, 0))
		fd = fsmount(context, FSMOUNT_CLOEXEC,
			     MOUNT_ATTR_RDONLY | MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
				     MOUNT_ATTR_NOEXEC);
	code = fd < 0 ? -errno : fd;
	if (context >= 0)
		close(context);
	rights__restore(before);
	return code;
}

static int explain(struct error *err, int code, bool is_mounted)
{
	if (code == -ENODEV)
		return error__say(
			err, EXIT_SYSTEM, code,
			"cannot read the kernel's tracepoints: this kernel has no tracefs; they "
			"need CONFIG_FTRACE");
	error__set(err, EXIT_SYSTEM, code, "cannot read the kernel's tracepoints%s",
		   is_mounted ? "" : ": tracefs is not mounted, nor may we open it");
	return error__remedy(err, "%s", is_mounted ? FILES_REMEDY : MOUNT_REMEDY);
}

int tracefs__open(struct error *err)
{
	uint64_t before = rights__raise(RIGHT_DAC_READ_SEARCH);
	bool is_mounted = false, is_empty;
	struct stat status;
	size_t i;
	int fd = -ENOENT;

	for (i = 0; i < sizeof(places) / sizeof(*places) && fd == -ENOENT; i++)
		fd = open_mounted(places[i]);
	is_mounted = fd != -ENOENT;
	rights__restore(before);
	if (fd < 0)
		fd = open_detached();
	if (fd < 0)
		return explain(err, fd, is_mounted);

	/* If lockdown was "confidentiality" at boot, the kernel fills none (tracefs_create_file). */
	before = rights__raise(RIGHT_DAC_READ_SEARCH);
	is_empty = fstatat(fd, "events", &status, 0) && errno == ENOENT;
	rights__restore(before);
	if (!is_empty)
		return fd;
	close(fd);
	return error__say(err, EXIT_SYSTEM, -EPERM,
			  "cannot read the kernel's tracepoints: tracefs is empty, as lockdown "
			  "(confidentiality) leaves it");
}

int tracefs__read(int tracefs, const char *path, size_t max_bytes, char **text)
{
	const uint64_t before = rights__raise(RIGHT_DAC_READ_SEARCH);
	const int fd = openat(tracefs, path, O_RDONLY | O_CLOEXEC);
	int code = fd < 0 ? -errno : 0;

	*text = NULL;
	rights__restore(before);
	if (code)
		return code;
	code = files__read_fd(fd, max_bytes, text, NULL);
	close(fd);
	return code;
}
