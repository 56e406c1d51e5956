// SPDX-License-Identifier: GPL-2.0-only
/*
 * The child is a fork, so it has the query as it is. It answers into a file in memory, which takes
 * no reader to go on, and what it writes is as hostile as what it reads:
 *
 *	u32 address's index, u32 nr_places, { u32 line, u32 length, text\0, u32 length, text\0 }...
 *
 * The texts being function and file; their lengths include the \0, and 0 stands for NULL.
 */
#include "lines/reader.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <linux/capability.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/files.h"
#include "base/rights.h"

#define MAX_SECONDS	 20		/* of CPU time, and as many again to wait */
#define MAX_MEMORY_BYTES (512ULL << 20) /* of its own: files that it maps do not count */
#define MAX_ANSWER_BYTES (64U << 20)
#define MAX_TEXT_BYTES	 4096
#define NICENESS	 10 /* whatever ours is: it works beside what is sampled */
#define MAX_STATUS_BYTES (1U << 20)

/* ---- the child ---- */

static int put(FILE *answers, const void *bytes, size_t nr_bytes)
{
	return fwrite(bytes, 1, nr_bytes, answers) == nr_bytes ? 0 : -EIO;
}

static int put_number(FILE *answers, size_t number)
{
	const uint32_t value = (uint32_t)number;

	return put(answers, &value, sizeof(value));
}

static int put_text(FILE *answers, const char *text)
{
	const size_t length = text ? strnlen(text, MAX_TEXT_BYTES) + 1 : 0;

	if (length == 0 || length > MAX_TEXT_BYTES)
		return put_number(answers, 0);
	return put_number(answers, length) || put(answers, text, length) ? -EIO : 0;
}

static int put_file(FILE *answers, const struct source_place *place)
{
	char path[MAX_TEXT_BYTES];

	if (!place->file || !place->directory)
		return put_text(answers, place->file);
	if (snprintf(path, sizeof(path), "%s/%s", place->directory, place->file) >=
	    (int)sizeof(path))
		return put_text(answers, NULL);
	return put_text(answers, path);
}

static int put_places(void *context, size_t address, const struct source_place *places,
		      size_t nr_places)
{
	FILE *answers = context;

	if (put_number(answers, address) || put_number(answers, nr_places))
		return -EIO;
	for (size_t i = 0; i < nr_places; i++)
		if (put_number(answers, places[i].line) || put_text(answers, places[i].function) ||
		    put_file(answers, &places[i]))
			return -EIO;
	return 0;
}

static void set_limit(int resource, uint64_t most)
{
	setrlimit(resource, &(struct rlimit){most, most});
}

/* Data that it has from us, of which sanitizers have terabytes: "VmData:\t     356 kB". */
static uint64_t data_bytes(void)
{
	uint64_t kilobytes = 0;
	char *text, *line;

	if (files__read("/proc/self/status", MAX_STATUS_BYTES, &text, NULL))
		return 0;
	line = strstr(text, "\nVmData:");
	if (line)
		kilobytes = strtoull(line + strlen("\nVmData:"), NULL, 10);
	free(text);
	return kilobytes * 1024;
}

static void set_bounds(void)
{
	set_limit(RLIMIT_DATA, data_bytes() + MAX_MEMORY_BYTES);
	set_limit(RLIMIT_CPU, MAX_SECONDS);
	set_limit(RLIMIT_FSIZE, MAX_ANSWER_BYTES);
	set_limit(RLIMIT_CORE, 0);
	setpriority(PRIO_PROCESS, 0, NICENESS);
}

/*
 * A file may name others: what its owner could not open, it shall not open either. Without
 * capabilities, root is but the owner of root's files.
 */
static int give_up_rights(int fd)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {0};
	struct stat status;

	if (fstat(fd, &status))
		return -errno;
	rights__raise(RIGHTS_TO_BECOME);
	if (geteuid() == 0 && status.st_uid != 0 &&
	    (setgroups(0, NULL) || setresgid(status.st_gid, status.st_gid, status.st_gid) ||
	     setresuid(status.st_uid, status.st_uid, status.st_uid)))
		return -errno;
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return syscall(SYS_capset, &header, none) ? -errno : 0;
}

enum {
	OWN_FILE = 3,
	OWN_ALTERNATE,
	OWN_ANSWERS,
	OWN_END,
};

/* Nothing but these stays open: not the maps, not the events, not the terminal. */
static int keep_files(struct dwarf_query *query, int *answers)
{
	const int above = fcntl(*answers, F_DUPFD, OWN_END);
	const int file = fcntl(query->fd, F_DUPFD, OWN_END);
	const int alternate = query->alternate < 0 ? -1 : fcntl(query->alternate, F_DUPFD, OWN_END);
	const int nothing = open("/dev/null", O_RDWR);

	if (dup2(nothing, 0) || dup2(nothing, 1) != 1 || dup2(nothing, 2) != 2 ||
	    dup2(above, OWN_ANSWERS) < 0 || dup2(file, OWN_FILE) < 0)
		return -EBADF;
	query->alternate = alternate < 0 ? -1 : dup2(alternate, OWN_ALTERNATE);
	query->fd = OWN_FILE;
	*answers = OWN_ANSWERS;
	return syscall(SYS_close_range, OWN_END, ~0U, 0) ? -errno : 0;
}

static void reset_signals(void)
{
	sigset_t none;

	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	signal(SIGINT, SIG_IGN); /* Ctrl-C ends the sampling, not what is saved then */
}

/* Of 0, and of errors from there on: what a crash or a sanitizer exits with is not 0. */
#define FIRST_EXIT_CODE 40

__attribute__((noreturn)) static void run_child(struct dwarf_query query, int fd, pid_t parent)
{
	FILE *answers;
	int code;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	reset_signals();
	set_bounds();
	unsetenv("DEBUGINFOD_URLS"); /* libdw would ask the network */
	if (getppid() != parent || keep_files(&query, &fd) || give_up_rights(query.fd))
		_exit(FIRST_EXIT_CODE + EIO);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* a change of rights takes it back */
	answers = fdopen(fd, "w");
	query.on_places = put_places;
	query.context = answers;
	code = answers ? dwarf__find(&query) : -ENOMEM;
	if (answers && fflush(answers))
		code = -EIO;
	_exit(FIRST_EXIT_CODE - code);
}

/* ---- the parent ---- */

int line_reader__start(struct line_reader *reader, const struct dwarf_query *query)
{
	const pid_t parent = getpid();
	pid_t pid;
	int answers;

	if (reader->pid)
		return -EBUSY;
	answers = memfd_create("source-lines", MFD_CLOEXEC);
	if (answers < 0)
		return -errno;
	pid = fork();
	if (pid == 0)
		run_child(*query, answers, parent);
	if (pid < 0) {
		const int code = -errno;

		close(answers);
		return code;
	}
	*reader = (struct line_reader){
		.pid = pid,
		.ended = (int)syscall(SYS_pidfd_open, pid, 0),
		.answers = answers,
		.deadline_ns = monotonic_ns() + 2 * MAX_SECONDS * 1000000000ULL,
	};
	return 0;
}

static bool has_ended(const struct line_reader *reader)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)reader->pid, &info, WEXITED | WNOHANG | WNOWAIT) ||
	       info.si_pid == reader->pid;
}

bool line_reader__wait(struct line_reader *reader, uint64_t until_ns)
{
	struct pollfd watched = {.fd = reader->ended, .events = POLLIN};
	uint64_t now_ns = monotonic_ns();

	while (!has_ended(reader)) {
		uint64_t end_ns = reader->deadline_ns < until_ns ? reader->deadline_ns : until_ns;

		if (now_ns >= reader->deadline_ns)
			kill(reader->pid, SIGKILL);
		else if (now_ns >= end_ns)
			return false;
		poll(&watched, 1, now_ns < end_ns ? (int)((end_ns - now_ns) / 1000000 + 1) : 100);
		now_ns = monotonic_ns();
	}
	return true;
}

/* ---- answers ---- */

struct answer_cursor {
	const char *next;
	size_t nr_left;
};

static bool take_number(struct answer_cursor *cursor, uint32_t *number)
{
	if (cursor->nr_left < sizeof(*number))
		return false;
	memcpy(number, cursor->next, sizeof(*number));
	cursor->next += sizeof(*number);
	cursor->nr_left -= sizeof(*number);
	return true;
}

static bool take_text(struct answer_cursor *cursor, const char **text)
{
	uint32_t length;

	*text = NULL;
	if (!take_number(cursor, &length) || length > cursor->nr_left || length > MAX_TEXT_BYTES)
		return false;
	if (length == 0)
		return true;
	*text = cursor->next;
	cursor->next += length;
	cursor->nr_left -= length;
	return (*text)[length - 1] == '\0';
}

static bool take_places(struct answer_cursor *cursor, struct source_place *places,
			uint32_t nr_places)
{
	if (nr_places > MAX_PLACES)
		return false;
	memset(places, 0, nr_places * sizeof(*places));
	for (uint32_t i = 0; i < nr_places; i++)
		if (!take_number(cursor, &places[i].line) ||
		    !take_text(cursor, &places[i].function) || !take_text(cursor, &places[i].file))
			return false;
	return true;
}

/* The child wrote by the same descriptor, so that it is at the end. NULL: none, or out of memory. */
static char *read_answers(int fd, size_t *nr_bytes)
{
	char *bytes;

	if (lseek(fd, 0, SEEK_SET) || files__read_fd(fd, MAX_ANSWER_BYTES, &bytes, nr_bytes))
		return NULL;
	return bytes;
}

uint64_t line_reader__cpu_ns(const struct line_reader *reader)
{
	struct timespec time;
	clockid_t clock;

	if (clock_getcpuclockid(reader->pid, &clock) || clock_gettime(clock, &time))
		return 0;
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static int reap(const struct line_reader *reader)
{
	int status;

	while (waitpid(reader->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -EIO;
	if (!WIFEXITED(status) || WEXITSTATUS(status) < FIRST_EXIT_CODE)
		return -EIO;
	return FIRST_EXIT_CODE - WEXITSTATUS(status);
}

static void close_files(struct line_reader *reader)
{
	if (reader->ended >= 0)
		close(reader->ended);
	close(reader->answers);
	*reader = (struct line_reader){0};
}

int line_reader__finish(struct line_reader *reader, size_t nr_addresses,
			int (*on_places)(void *context, size_t address,
					 const struct source_place *places, size_t nr_places),
			void *context)
{
	int code = reap(reader);
	struct source_place places[MAX_PLACES];
	uint32_t address, nr_places;
	struct answer_cursor cursor;
	char *answers = read_answers(reader->answers, &cursor.nr_left);

	cursor.next = answers;
	while (answers && take_number(&cursor, &address) && address < nr_addresses &&
	       take_number(&cursor, &nr_places) && take_places(&cursor, places, nr_places))
		if (on_places(context, address, places, nr_places))
			break;
	free(answers);
	close_files(reader);
	return code;
}

void line_reader__close(struct line_reader *reader)
{
	if (!reader->pid)
		return;
	kill(reader->pid, SIGKILL);
	reap(reader);
	close_files(reader);
}
