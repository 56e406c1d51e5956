// SPDX-License-Identifier: GPL-2.0-only
/*
 * A directory of /proc stays with its process: once its birth is right, so is all that is read
 * there. Its files are read in one go, with buffers of fixed size.
 */
#include "processes/procfs.h"

#include <ctype.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/system/rights.h"

int procfs__check(struct error *err)
{
	if (!access("/proc/stat", F_OK))
		return 0;
	if (errno != ENOENT)
		return error__set(err, EXIT_SYSTEM, -errno, "cannot look at /proc/stat");
	return error__say(err, EXIT_SYSTEM, -ENOENT,
			  "/proc is not mounted; to mend it: mount -t proc proc /proc");
}

bool procfs__is_ours(void)
{
	char pid[32] = "";

	return readlink("/proc/self", pid, sizeof(pid) - 1) > 0 && atoi(pid) == getpid();
}

bool procfs__has_all(void)
{
	const ino_t first = 0xeffffffc; /* PID_NS_INIT_INO of linux/nsfs.h, since Linux 3.8 */
	struct stat status;

	return stat("/proc/self/ns/pid", &status) || status.st_ino == first;
}

/*
 * Parses the start time in "4711 (any) thing) S 1 ...": the name may contain anything, the rest are
 * numbers.
 */
static int parse_start(const char *stat, uint64_t *ticks)
{
	const int start_field = 22;
	const char *field = strrchr(stat, ')');
	int i;

	for (i = 2; field && i < start_field; i++) {
		field = strchr(field, ' ');
		field = field ? field + 1 : NULL;
	}
	if (!field)
		return -EPROTO;
	*ticks = strtoull(field, NULL, 10);
	return 0;
}

int procfs__open_file(int process, const char *name, int flags)
{
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	const int fd = openat(process, name, flags | O_CLOEXEC);

	rights__restore(before);
	return fd;
}

/* Reads the beginning of a small file of a process, and terminates it. */
static int read_text(int process, const char *name, char *text, size_t size)
{
	int fd = procfs__open_file(process, name, O_RDONLY), code;
	ssize_t got;

	if (fd < 0)
		return -errno;
	do
		got = read(fd, text, size - 1);
	while (got < 0 && errno == EINTR);
	code = got < 0 ? -errno : 0;
	close(fd);
	text[code ? 0 : got] = '\0';
	return code;
}

int procfs__open_born(int32_t pid, uint64_t *start_ticks)
{
	char path[32], text[1024];
	uint64_t before, ticks;
	int process, code;

	if (!procfs__is_ours())
		return -ESRCH;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	before = rights__raise(RIGHTS_TO_LOOK); /* /proc may hide other users' processes
						 * (hidepid) */
	process = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (process < 0)
		code = errno == ENOENT ? -ESRCH : -errno;
	else
		code = read_text(process, "stat", text, sizeof(text));
	rights__restore(before);
	if (!code)
		code = parse_start(text, &ticks);
	if (!code && *start_ticks && !procfs__same_start(ticks, *start_ticks))
		code = -ESRCH;
	if (!code) {
		*start_ticks = ticks;
		return process;
	}
	if (process >= 0)
		close(process);
	return code;
}

/*
 *	Uid:	1000	1000	1000	1000		real, effective, saved, of files
 *	NSpid:	4711	7			in our pid namespace, ..., in its own
 *
 * A name's newlines are escaped, so a line that begins so is one of the kernel's.
 */
int32_t procfs__own_pid(const char *status)
{
	const char *pids = strstr(status, "\nNSpid:");
	size_t length;

	if (!pids)
		return 0;
	pids += strlen("\nNSpid:");
	length = strcspn(pids, "\n");
	while (length > 0 && !isspace((unsigned char)pids[length - 1]))
		length--;
	return (int32_t)strtol(pids + length, NULL, 10);
}

/* Uses cached attributes, so that no FUSE or network file system is asked. */
bool procfs__identify_root(int process, struct root_identity *root)
{
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	struct statx namespace, directory;
	const int failed = statx(process, "ns/mnt", 0, STATX_INO, &namespace) ||
			   statx(process, "root", AT_STATX_DONT_SYNC, STATX_INO, &directory);

	rights__restore(before);
	if (failed)
		return false;
	*root = (struct root_identity){
		.namespace = namespace.stx_ino,
		.device = makedev(directory.stx_dev_major, directory.stx_dev_minor),
		.inode = directory.stx_ino};
	return true;
}

void procfs__look_at(int process, struct living *living)
{
	struct process_identity *identity = &living->identity;
	const char *uid;
	char text[4096];

	*identity = (struct process_identity){0};
	if (!read_text(process, "status", text, sizeof(text))) {
		uid = strstr(text, "\nUid:");
		identity->pid = procfs__own_pid(text);
		if (!uid || sscanf(uid, " Uid: %*u %" SCNu32, &identity->uid) != 1 ||
		    identity->pid <= 0)
			*identity = (struct process_identity){0};
	}
	if (!procfs__identify_root(process, &living->root))
		living->root = (struct root_identity){0};
}

static uint64_t tick_ns(void)
{
	const long hz = sysconf(_SC_CLK_TCK);

	return 1000000000ULL / (uint64_t)(hz > 0 ? hz : 100);
}

uint64_t procfs__ticks(uint64_t boottime_ns)
{
	return boottime_ns / tick_ns();
}

uint64_t procfs__birth_ns(uint64_t ticks)
{
	return ticks * tick_ns();
}

bool procfs__same_start(uint64_t ticks, uint64_t other_ticks)
{
	return ticks - other_ticks + 1 <= 2;
}
