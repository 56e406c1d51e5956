// SPDX-License-Identifier: GPL-2.0-only
/*
 *	look	  check pid and start time, the mapped library, the SIGQUIT handler; open its root
 *	become	  switch to its user and group; give up all rights and most system calls
 *	connect	  to /tmp/.java_pidN; if it is missing, make /tmp/.attach_pidN, send SIGQUIT, wait
 *	tell	  send the command, and read the result
 *
 * Names are looked up below a descriptor of the process's root, so its namespaces need not be
 * entered. No link is followed. Only the file system of its /tmp can block; an attacher that it
 * blocks is abandoned. Nothing is closed, as the process ends afterwards.
 */
#include "processes/attacher.h"

#include <fcntl.h>
#include <linux/openat2.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/shortage.h"
#include "base/system/rights.h"
#include "base/system/syscall_filter.h"
#include "processes/attacher_text.h"
#include "processes/maps.h"
#include "processes/procfs.h"

/* Less than the limit at which the caller kills the attacher. */
#define LIMIT_NS (ATTACHER_LIMIT_NS / 100 * 85)
#define PAUSE_MS 10

#define MAX_STATUS_BYTES 16384 /* mostly the list of groups */
#define MAX_ANSWER_BYTES 65536
#define NAME_SIZE	 32

struct attachment {
	const struct attaching *to;
	struct attach_target target;
	uint64_t until_ns;
	int pidfd;  /* keeps the pid from meaning another process */
	int status; /* descriptor of its status, which reads the current state */
	int root, tmp;
	char file[NAME_SIZE], socket[NAME_SIZE], map[NAME_SIZE];
};

/* ---- finding the process ---- */

static int read_status(const struct attachment *attachment, struct attach_target *target)
{
	char text[MAX_STATUS_BYTES];
	const ssize_t got = pread(attachment->status, text, sizeof(text) - 1, 0);

	if (got < 0)
		return -errno;
	text[got] = '\0';
	return attach_text__target(text, target);
}

static int is_library(void *nothing, const struct mapping *mapping)
{
	(void)nothing;
	return attach_text__is_library(mapping->path);
}

/*
 * Finds the process. Its pid was checked after the pidfd was opened, so the pidfd is of that
 * process, too. It must map a JVM's library: the caller has checked the library itself; this
 * notices another program executed since.
 */
static int look(struct attachment *attachment)
{
	uint64_t start_ticks = attachment->to->start_ticks;
	int process, maps, code;

	attachment->pidfd = (int)syscall(SYS_pidfd_open, attachment->to->pid, 0);
	if (attachment->pidfd < 0)
		return shortage__of_descriptor(errno);
	process = procfs__open_born(attachment->to->pid, &start_ticks);
	if (process < 0)
		return process;
	attachment->status = procfs__open_file(process, "status", O_RDONLY);
	attachment->root = procfs__open_file(process, "root", O_PATH | O_DIRECTORY);
	if (attachment->status < 0 || attachment->root < 0)
		return -EACCES;
	code = read_status(attachment, &attachment->target);
	if (code)
		return code;
	maps = procfs__open_file(process, "maps", O_RDONLY);
	code = maps < 0 ? -EACCES : maps__each_executable(maps, is_library, NULL);
	return code > 0 ? 0 : code < 0 ? code : -ESRCH;
}

/* ---- switching to its user ---- */

/* clang-format off */
static const int needed[] = {
	SYS_openat, SYS_openat2, SYS_newfstatat, SYS_fstat, SYS_unlinkat, SYS_close, SYS_read, SYS_write,
	SYS_pread64, SYS_socket, SYS_connect, SYS_getsockopt, SYS_sendto, SYS_recvfrom, SYS_ppoll,
	SYS_pidfd_send_signal, SYS_pipe2, SYS_clone, SYS_clone3, SYS_wait4, SYS_set_robust_list, SYS_rseq, SYS_getpid,
	SYS_gettid, SYS_brk, SYS_mmap, SYS_munmap, SYS_madvise, SYS_futex, SYS_clock_gettime,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
	SYS_exit, SYS_exit_group,
#ifdef __x86_64__
	SYS_poll,
#endif
};
/* clang-format on */

/*
 * Switches to the user by raw system calls, as readers do. Without any right this works only if we
 * are that user already.
 */
static int become(const struct attach_target *target)
{
	static const int harmless[] = {PR_SET_PDEATHSIG};
	const bool is_ours = target->uid == geteuid() && target->gid == getegid();
	struct syscall_filter filter;
	int code;

	if (syscall(SYS_setgroups, 0, NULL) && !is_ours)
		return -EPERM;
	if (syscall(SYS_setresgid, target->gid, target->gid, target->gid) ||
	    syscall(SYS_setresuid, target->uid, target->uid, target->uid))
		return -EPERM;
	code = rights__reduce(0);
	if (code)
		return code;

	/* A second wall: where filters are missing, the attacher still has no rights. */
	syscall_filter__init(&filter);
	syscall_filter__allow_values(&filter, SYS_prctl, 0, harmless, 1);
	syscall_filter__add(&filter, needed, sizeof(needed) / sizeof(needed[0]), SYSCALL_ALLOWED);
	syscall_filter__end(&filter, SYSCALL_REFUSED);
	syscall_filter__install(&filter, SECCOMP_FILTER_FLAG_SPEC_ALLOW);

	prctl(PR_SET_PDEATHSIG, SIGKILL); /* again, as changing the user clears it */
	return 0;
}

/* ---- the JVM's /tmp ---- */

/*
 * 0: the file does not exist; 1: it is a regular file of the process's user; -ENOTUNIQ: anything
 * else.
 */
static int look_at(const struct attachment *attachment, const char *name)
{
	struct stat status;

	if (fstatat(attachment->tmp, name, &status, AT_SYMLINK_NOFOLLOW))
		return errno == ENOENT ? 0 : -ENOTUNIQ;
	return S_ISREG(status.st_mode) && status.st_uid == attachment->target.uid &&
			       status.st_nlink == 1
		       ? 1
		       : -ENOTUNIQ;
}

/*
 * Finds the JVM's socket. A descriptor with O_PATH; -ENOENT: not there yet; other negative errno:
 * not the JVM's own.
 */
static int find_socket(const struct attachment *attachment)
{
	const int found =
		openat(attachment->tmp, attachment->socket, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	struct stat status;

	if (found < 0)
		return errno == ENOENT ? -ENOENT : -EADDRINUSE;
	if (fstat(found, &status) || !S_ISSOCK(status.st_mode) ||
	    status.st_uid != attachment->target.uid)
		return -EADDRINUSE;
	return found;
}

/* ---- the file that the JVM looks for on SIGQUIT ---- */

enum { NOT_MADE = 'n', IS_MADE = 'y' };

struct remover {
	int told; /* pipe: the last byte written tells whether the file exists */
	pid_t pid;
};

/*
 * Starts a process that removes the file when this one ends for any reason. Both run as the JVM's
 * user, who may stop them: when the first one ends, the second one goes on.
 */
static int start_remover(struct remover *remover, const struct attachment *attachment)
{
	char last = NOT_MADE, next;
	int ends[2];

	if (pipe2(ends, O_CLOEXEC))
		return shortage__of_descriptor(errno);
	remover->pid = fork();
	if (remover->pid < 0)
		return shortage__of_process(errno);
	if (remover->pid == 0) {
		close(ends[1]);
		prctl(PR_SET_PDEATHSIG, SIGCONT);
		while (read(ends[0], &next, 1) == 1)
			last = next;
		if (last == IS_MADE)
			unlinkat(attachment->tmp, attachment->file, 0);
		_exit(0);
	}
	close(ends[0]);
	remover->told = ends[1];
	return 0;
}

static bool tell_remover(const struct remover *remover, char is_made)
{
	return write(remover->told, &is_made, 1) == 1;
}

/* Creates the file. Another profiler may have created the same file, and also removes it. */
static int make_file(const struct attachment *attachment, const struct remover *remover)
{
	int fd, code;

	if (!tell_remover(remover, IS_MADE))
		return -EIO;
	fd = openat(attachment->tmp, attachment->file,
		    O_CREAT | O_EXCL | O_NOFOLLOW | O_WRONLY | O_CLOEXEC, 0600);
	if (fd >= 0) {
		close(fd);
		return 0;
	}
	code = errno == EEXIST ? -EEXIST : -ENOENT;
	tell_remover(remover, NOT_MADE);
	return code == -EEXIST && look_at(attachment, attachment->file) == 1 ? 0 : code;
}

/* ---- the signal, and the socket ---- */

/*
 * Sends SIGQUIT after a last check: the JVM may have lost its handler or changed its user
 * meanwhile.
 */
static int send_signal(const struct attachment *attachment)
{
	struct attach_target now = {0};
	int code = read_status(attachment, &now);

	if (!code && now.uid != attachment->target.uid)
		code = -EUCLEAN;
	if (!code && !now.catches_quit)
		code = -ENOSYS;
	if (!code && syscall(SYS_pidfd_send_signal, attachment->pidfd, SIGQUIT, NULL, 0))
		code = errno == ESRCH ? -ESRCH : -EPERM;
	return code;
}

/* Sleeps. 0; -ESRCH: the process has ended; -ETIMEDOUT: the time is over. */
static int pause_for(const struct attachment *attachment)
{
	struct pollfd watched = {.fd = attachment->pidfd, .events = POLLIN};

	if (monotonic_ns() >= attachment->until_ns)
		return -ETIMEDOUT;
	return poll(&watched, 1, PAUSE_MS) > 0 ? -ESRCH : 0;
}

/* Makes the JVM open its socket. Returns as find_socket(). */
static int call(const struct attachment *attachment)
{
	struct remover remover = {-1, -1};
	int code = start_remover(&remover, attachment), found = -ENOENT;

	if (code)
		return code;
	code = make_file(attachment, &remover);
	if (!code)
		code = send_signal(attachment);
	if (!code)
		found = find_socket(attachment);
	while (!code && found == -ENOENT) {
		code = pause_for(attachment);
		found = find_socket(attachment);
	}
	close(remover.told);
	waitpid(remover.pid, NULL, 0);
	return found == -ENOENT ? code : found;
}

/*
 * Connects to the socket that was checked (found), not by its name, which may be another socket's
 * by now. The process itself must listen there: any user may put a socket into /tmp.
 */
static int connect_to(const struct attachment *attachment, int found)
{
	struct sockaddr_un address = {.sun_family = AF_UNIX};
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	struct ucred peer;
	socklen_t size = sizeof(peer);
	int code = 0;

	if (fd < 0)
		return shortage__of_descriptor(errno);
	snprintf(address.sun_path, sizeof(address.sun_path), "/proc/self/fd/%d", found);
	while (!code && connect(fd, (const struct sockaddr *)&address, sizeof(address)))
		code = errno == EAGAIN ? pause_for(attachment) : -ECONNREFUSED;
	if (code)
		return code;
	if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &size) ||
	    peer.pid != attachment->to->pid || peer.uid != attachment->target.uid)
		return -EADDRINUSE;
	return fd;
}

/* ---- the command ---- */

static int receive(const struct attachment *attachment, int fd, char *bytes, size_t size)
{
	struct pollfd watched = {.fd = fd, .events = POLLIN};
	const uint64_t now_ns = monotonic_ns();
	ssize_t got;

	if (now_ns >= attachment->until_ns)
		return -ETIMEDOUT;
	poll(&watched, 1, (int)((attachment->until_ns - now_ns) / 1000000) + 1);
	got = recv(fd, bytes, size, 0);
	if (got < 0)
		return errno == EAGAIN || errno == EINTR ? -EAGAIN : -EBADMSG;
	return (int)got;
}

/*
 * Sends the command, and reads the answer until the JVM closes the connection: then the command is
 * done. Only the first line counts.
 */
static int tell(const struct attachment *attachment, int fd)
{
	/* Protocol version, command, and three arguments, each ended by a zero. */
	static const char words[] = "1\0jcmd\0Compiler.perfmap\0\0";
	char first[16], rest[1024];
	size_t length = 0, total = 0;
	int got = 1;

	if (send(fd, words, sizeof(words), MSG_NOSIGNAL) != (ssize_t)sizeof(words))
		return -EBADMSG;
	while (got && total < MAX_ANSWER_BYTES) {
		const bool is_first = length < sizeof(first);

		got = is_first ? receive(attachment, fd, first + length, sizeof(first) - length)
			       : receive(attachment, fd, rest, sizeof(rest));
		if (got < 0 && got != -EAGAIN)
			return got;
		if (got > 0)
			total += (size_t)got;
		if (got > 0 && is_first)
			length += (size_t)got;
	}
	return attach_text__verdict(first, length);
}

int attacher__serve(const struct attaching *attaching)
{
	struct attachment attachment = {.to = attaching, .until_ns = monotonic_ns() + LIMIT_NS};
	const struct open_how how = {
		.flags = O_PATH | O_DIRECTORY | O_CLOEXEC,
		.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_SYMLINKS,
	};
	int code = look(&attachment), found, fd;

	if (!code && !attachment.target.catches_quit)
		code = -ENOSYS;
	if (!code)
		code = become(&attachment.target);
	if (code)
		return code;

	attachment.tmp = (int)syscall(SYS_openat2, attachment.root, "tmp", &how, sizeof(how));
	if (attachment.tmp < 0)
		return -ENOENT;
	snprintf(attachment.file, NAME_SIZE, ".attach_pid%d", attachment.target.pid);
	snprintf(attachment.socket, NAME_SIZE, ".java_pid%d", attachment.target.pid);
	snprintf(attachment.map, NAME_SIZE, "perf-%d.map", attachment.target.pid);
	/* A map that is another user's link or FIFO would have the JVM write elsewhere, or hang. */
	if (look_at(&attachment, attachment.map) < 0)
		return -ENOTUNIQ;
	found = find_socket(&attachment);
	if (found == -ENOENT)
		found = call(&attachment);
	if (found < 0)
		return found;
	fd = connect_to(&attachment, found);
	return fd < 0 ? fd : tell(&attachment, fd);
}
