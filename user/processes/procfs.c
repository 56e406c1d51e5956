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

static int open_process(int32_t pid)
{
	char path[32];
	uint64_t before;
	int fd;

	if (!procfs__is_ours())
		return -ESRCH;
	snprintf(path, sizeof(path), "/proc/%d", pid);
	before = rights__raise(RIGHTS_TO_LOOK); /* /proc may hide other users' processes
						 * (hidepid) */
	fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
	rights__restore(before);
	if (fd >= 0)
		return fd;
	return errno == ENOENT ? -ESRCH : -errno;
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

static int read_start(int process, uint64_t *ticks)
{
	char text[1024];
	int code = read_text(process, "stat", text, sizeof(text));

	return code ? code : parse_start(text, ticks);
}

static int open_born(int32_t pid, uint64_t *start_ticks)
{
	int process = open_process(pid), code;
	uint64_t ticks = 0;

	if (process < 0)
		return process;
	code = read_start(process, &ticks);
	if (!code && *start_ticks && !procfs__same_start(ticks, *start_ticks))
		code = -ESRCH;
	if (code) {
		close(process);
		return code;
	}
	*start_ticks = ticks;
	return process;
}

/* Raises the rights once for both files. */
int procfs__open_born(int32_t pid, uint64_t *start_ticks)
{
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);
	const int process = open_born(pid, start_ticks);

	rights__restore(before);
	return process;
}

/*
 *	Uid:	1000	1000	1000	1000		real, effective, saved, of files
 *	NSpid:	4711	7			in our pid namespace, ..., in its own
 *
 * A name's newlines are escaped, so a line that begins so is one of the kernel's.
 */
static int parse_identity(const char *status, struct process_identity *identity)
{
	const char *uid = strstr(status, "\nUid:"), *pids = strstr(status, "\nNSpid:");
	size_t length;

	if (!uid || !pids || sscanf(uid, " Uid: %*u %" SCNu32, &identity->uid) != 1)
		return -EPROTO;
	pids += strlen("\nNSpid:");
	length = strcspn(pids, "\n");
	while (length > 0 && !isspace((unsigned char)pids[length - 1]))
		length--;
	identity->pid = (int32_t)strtol(pids + length, NULL, 10);
	return identity->pid > 0 ? 0 : -EPROTO;
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
	char text[4096];

	if (read_text(process, "status", text, sizeof(text)) ||
	    parse_identity(text, &living->identity))
		living->identity = (struct process_identity){0};
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
