// SPDX-License-Identifier: GPL-2.0-only
/*
 * Readers that behave, readers that fail in every way, and one under an attacker's control: a table
 * has the attempts of the latter and their outcomes.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/system/channel.h"
#include "expect.h"
#include "readers/readers.h"
#include "take_memory.h"

#define SECOND 1000000000ULL
#define MIB    (1ULL << 20)

/* ---- jobs of honest and broken readers ---- */

/* Answers with the first bytes of its file, and then its arguments. */
static int copy(const struct reader_task *task)
{
	char bytes[64];
	const ssize_t nr = pread(task->files[0], bytes, sizeof(bytes), 0);

	if (nr < 0 || write(task->answer, bytes, (size_t)nr) != nr ||
	    write(task->answer, task->arguments, task->nr_bytes) != (ssize_t)task->nr_bytes)
		return -EIO;
	return 0;
}

static int fail(const struct reader_task *task)
{
	return write(task->answer, "half", 4) == 4 ? -EBADMSG : -EIO;
}

static int crash(const struct reader_task *task)
{
	(void)task;
	__builtin_trap();
}

static int spin(const struct reader_task *task)
{
	for (volatile uint64_t i = 0; i < UINT64_MAX; i++)
		(void)task;
	return 0;
}

static int be_greedy(const struct reader_task *task)
{
	(void)task;
	return take_memory();
}

static int answer_much(const struct reader_task *task)
{
	return ftruncate(task->answer, 64 * MIB) ? -errno : 0;
}

/* Asks for three files, and answers with their contents. */
static int ask(const struct reader_task *task)
{
	struct reader_question question = {.kind = QUESTION_DEBUG_ID, .name = "3f2a9c"};
	char byte;

	for (question.index = 0; question.index < 3; question.index++) {
		const int file = reader__ask(task, &question);

		if (file >= 0 &&
		    (pread(file, &byte, 1, 0) != 1 || write(task->answer, &byte, 1) != 1))
			return -EIO;
	}
	return 0;
}

static int ask_path(const struct reader_task *task)
{
	struct reader_question question = {.kind = QUESTION_SPLIT, .name = "../../etc/shadow"};

	return reader__ask(task, &question) < 0 ? 0 : -EEXIST;
}

static int ask_for_ever(const struct reader_task *task)
{
	struct reader_question question = {.name = "x"};

	while (reader__ask(task, &question) < 0 || question.name[0])
		;
	return 0;
}

/* Never hears a reply, so that there is no room for more of them. */
static int ask_deaf(const struct reader_task *task)
{
	const struct reader_question question = {.name = "x"};

	while (!channel__send(task->channel, true, &question, sizeof(question), NULL, 0))
		;
	return 0;
}

/* For an answer that never comes. */
static int wait_for_reply(const struct reader_task *task)
{
	struct reader_question question = {.name = "x"};

	return reader__ask(task, &question) < 0 ? 0 : -EEXIST;
}

/* ---- one that was taken over ---- */

struct attempt {
	const char *what;
	long (*try)(const struct reader_task *task);
	long outcome; /* 0: it can; or negative errno */
};

static long result(long value)
{
	return value < 0 ? -errno : 0;
}

#define ATTEMPT(name, expression)                        \
	static long name(const struct reader_task *task) \
	{                                                \
		(void)task;                              \
		return result((long)(expression));       \
	}

ATTEMPT(try_open, open("/etc/passwd", O_RDONLY))
#ifdef SYS_open
ATTEMPT(try_old_open, syscall(SYS_open, "/etc/passwd", O_RDONLY))
#endif
ATTEMPT(try_openat2, syscall(SYS_openat2, AT_FDCWD, "/etc/passwd", NULL, 0))
ATTEMPT(try_create, syscall(SYS_openat, AT_FDCWD, "planted", O_CREAT | O_RDWR, 0600))
ATTEMPT(try_proc, open("/proc/self/maps", O_RDONLY))
ATTEMPT(try_parent_memory, syscall(SYS_process_vm_readv, getppid(), NULL, 0, NULL, 0, 0))
ATTEMPT(try_unlink, unlink("/etc/passwd"))
ATTEMPT(try_link, symlinkat("/etc/passwd", task->files[0], "link"))
ATTEMPT(try_socket, socket(AF_INET, SOCK_STREAM, 0))
ATTEMPT(try_local_socket, socket(AF_UNIX, SOCK_STREAM, 0))
ATTEMPT(try_connect, connect(task->channel, NULL, 0))
ATTEMPT(try_ptrace, ptrace(PTRACE_ATTACH, 1, NULL, NULL))
ATTEMPT(try_traceme, ptrace(PTRACE_TRACEME, 0, NULL, NULL))
ATTEMPT(try_kill, kill(1, 0))
ATTEMPT(try_kill_all, kill(-1, SIGCONT))
ATTEMPT(try_tgkill, syscall(SYS_tgkill, 1, 1, 0))
ATTEMPT(try_fork, fork())
ATTEMPT(try_clone, syscall(SYS_clone3, NULL, 0))
ATTEMPT(try_exec, execl("/bin/true", "true", (char *)NULL))
ATTEMPT(try_mount, mount("none", "/", "tmpfs", 0, NULL))
ATTEMPT(try_unshare, unshare(0x10000000))
ATTEMPT(try_setuid, setuid(0))
ATTEMPT(try_chroot, chroot("/"))
ATTEMPT(try_bpf, syscall(SYS_bpf, 0, NULL, 0))
ATTEMPT(try_perf, syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0))
ATTEMPT(try_keys, syscall(SYS_keyctl, 0, 0))
ATTEMPT(try_limits, setrlimit(RLIMIT_CPU, &(struct rlimit){RLIM_INFINITY, RLIM_INFINITY}))
ATTEMPT(try_code,
	mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, task->files[0], 0) == MAP_FAILED ? -1
											      : 0)
ATTEMPT(try_shared_memory, mmap(NULL, 4096, PROT_READ, MAP_SHARED | MAP_ANONYMOUS, -1, 0))
ATTEMPT(try_shared_answer, mmap(NULL, 4096, PROT_READ, MAP_SHARED, task->answer, 0))
ATTEMPT(try_growing_memory,
	mmap(NULL, 4096, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_GROWSDOWN, -1, 0))
ATTEMPT(try_ioctl, syscall(SYS_ioctl, task->channel, 0, 0))
ATTEMPT(try_write_file, pwrite(task->files[0], "x", 1, 0))
ATTEMPT(try_signals, fcntl(task->channel, F_SETOWN, 1))
ATTEMPT(try_sleep, syscall(SYS_rt_sigsuspend, &(sigset_t){0}, 8))
ATTEMPT(try_terminal, write(1, "x", 1))

/* A reader inherits no other descriptors; 0 to 2 are /dev/null. */
static long try_inherited(const struct reader_task *task)
{
	for (int fd = 3; fd < 4096; fd++)
		if (fd != task->channel && fd != task->answer && fd != task->files[0] &&
		    fcntl(fd, F_GETFD) >= 0)
			return -EEXIST;
	return -ENOENT;
}

/* There is a way to look at a path; but nothing is there. */
static long try_stat(const struct reader_task *task)
{
	struct stat status;

	(void)task;
	return result(stat("/etc/passwd", &status));
}

static const struct attempt attempts[] = {
	{"open a file", try_open, -EPERM},
#ifdef SYS_open
	{"open a file by the old call", try_old_open, -EPERM},
#endif
	{"open a file by the new call", try_openat2, -EPERM},
	{"create a file", try_create, -EPERM},
	{"look into /proc", try_proc, -EPERM},
	{"read its parent's memory", try_parent_memory, -EPERM},
	{"remove a file", try_unlink, -EPERM},
	{"plant a link", try_link, -EPERM},
	{"see what files there are", try_stat, -EACCES},
	{"find an inherited descriptor", try_inherited, -ENOENT},
	{"write to the terminal", try_terminal, 0}, /* /dev/null */
	{"write to the file it reads", try_write_file, -EBADF},
	{"make an internet socket", try_socket, -EPERM},
	{"make a local socket", try_local_socket, -EPERM},
	{"connect its channel elsewhere", try_connect, -EPERM},
	{"have its channel send signals", try_signals, -EPERM},
	{"control a device", try_ioctl, -EPERM},
	{"trace a process", try_ptrace, -EPERM},
	{"be traced", try_traceme, -EPERM},
	{"send a signal", try_kill, -EPERM},
	{"send a signal to all", try_kill_all, -EPERM},
	{"send a signal to a thread", try_tgkill, -EPERM},
	{"fork", try_fork, -EPERM},
	{"fork by the new call", try_clone, -EPERM},
	{"run a program", try_exec, -EPERM},
	{"map a file as code", try_code, -EPERM},
	{"share memory, which has no bound", try_shared_memory, -EPERM},
	{"map its answer", try_shared_answer, -EPERM},
	{"take memory as a stack does", try_growing_memory, -EPERM},
	{"mount", try_mount, -EPERM},
	{"make a namespace", try_unshare, -EPERM},
	{"become root", try_setuid, -EPERM},
	{"change its root", try_chroot, -EPERM},
	{"load a BPF program", try_bpf, -EPERM},
	{"open an event", try_perf, -EPERM},
	{"reach keys", try_keys, -EPERM},
	{"raise its limits", try_limits, -EPERM},
	{"sleep for ever", try_sleep, -EPERM},
};

#define NR_ATTEMPTS (sizeof(attempts) / sizeof(attempts[0]))

static int try_all(const struct reader_task *task)
{
	for (size_t i = 0; i < NR_ATTEMPTS; i++) {
		const long outcome = attempts[i].try(task);

		if (write(task->answer, &outcome, sizeof(outcome)) != sizeof(outcome))
			return -EIO;
	}
	return 0;
}

/* ---- the table of jobs ---- */

enum {
	COPY,
	FAIL,
	CRASH,
	SPIN,
	TAKE_MEMORY,
	ANSWER_MUCH,
	ASK,
	ASK_PATH,
	ASK_FOR_EVER,
	ASK_DEAF,
	WAIT,
	WAIT_BRIEFLY,
	TRY_ALL,
	AT_MOST_TWO,
	NR_JOBS,
};

static const struct job_row *find_job(uint32_t number)
{
	static const struct reader_bounds bounds = {
		.max_memory_bytes = 256 * MIB, .max_answer_bytes = MIB, .max_seconds = 1};
	static const struct reader_bounds patient = {
		.max_memory_bytes = 256 * MIB, .max_answer_bytes = MIB, .max_seconds = 100};
	static const struct job_row jobs[] = {
		[COPY] = {"copy", 0, bounds, copy},
		[FAIL] = {"fail", 0, bounds, fail},
		[CRASH] = {"crash", 0, bounds, crash},
		[SPIN] = {"spin", 0, bounds, spin},
		[TAKE_MEMORY] = {"take memory", 0, bounds, be_greedy},
		[ANSWER_MUCH] = {"answer much", 0, bounds, answer_much},
		[ASK] = {"ask", 0, bounds, ask},
		[ASK_PATH] = {"ask for a path", 0, bounds, ask_path},
		[ASK_FOR_EVER] = {"ask for ever", 0, bounds, ask_for_ever},
		[ASK_DEAF] = {"ask, deaf", 0, bounds, ask_deaf},
		[WAIT] = {"wait", 0, patient, wait_for_reply},
		[WAIT_BRIEFLY] = {"wait briefly", 0, bounds, wait_for_reply},
		[TRY_ALL] = {"try all", 0, bounds, try_all},
		[AT_MOST_TWO] = {"at most two", 2, patient, wait_for_reply},
	};

	return number < NR_JOBS ? &jobs[number] : NULL;
}

/* ---- tests ---- */

static struct readers *start(void)
{
	struct readers *readers = NULL;

	EXPECT_EQ(readers__start(&readers, find_job), 0);
	return readers;
}

static int file_of(const char *text)
{
	char path[] = "/tmp/topstacks-test-XXXXXX";
	const int made = mkostemp(path, O_CLOEXEC);
	int fd;

	EXPECT_EQ(write(made, text, strlen(text)), strlen(text));
	fd = open(path, O_RDONLY | O_CLOEXEC);
	close(made);
	unlink(path);
	return fd;
}

/* Runs a job on a file of "contents"; answers to all questions with it. */
static int run(struct readers *readers, uint32_t job, struct reader_answer *answer)
{
	struct reading reading;
	struct reader_question question;
	enum reading_state state;
	const int fd = file_of("contents");
	int code;

	*answer = (struct reader_answer){0};
	code = reading__start(&reading, readers, job, &fd, 1, "more", 4);
	EXPECT_EQ(code, 0);
	while ((state = reading__wait(&reading, UINT64_MAX, &question)) == READING_ASKS)
		reading__reply(&reading, question.index == 1 ? -1 : fd);
	EXPECT_EQ(state, READING_ENDED);
	close(fd);
	return reading__finish(&reading, answer);
}

static int run_alone(uint32_t job, struct reader_answer *answer)
{
	struct readers *readers = start();
	const int code = run(readers, job, answer);

	readers__stop(readers);
	return code;
}

static bool is(const struct reader_answer *answer, const char *text)
{
	return answer->nr_bytes == strlen(text) && !memcmp(answer->bytes, text, strlen(text));
}

static void test_answer(void)
{
	struct readers *readers = start();
	struct reader_answer answer;

	for (int i = 0; i < 100; i++) {
		EXPECT_EQ(run(readers, COPY, &answer), 0);
		EXPECT(is(&answer, "contentsmore"));
		reader_answer__free(&answer);
	}
	EXPECT(readers__cpu_ns(readers) > 0);
	readers__stop(readers);
}

/* Answers that were mapped are sealed: neither their length nor their bytes can change. */
static void test_seals(void)
{
	struct readers *readers = start();
	struct reading reading;
	struct reader_question question;
	struct reader_answer answer;
	const int fd = file_of("contents");
	int kept;

	EXPECT_EQ(reading__start(&reading, readers, COPY, &fd, 1, "more", 4), 0);
	kept = fcntl(reading.answer, F_DUPFD_CLOEXEC, 0);
	EXPECT_EQ(reading__wait(&reading, UINT64_MAX, &question), READING_ENDED);
	EXPECT_EQ(reading__finish(&reading, &answer), 0);
	EXPECT(ftruncate(kept, 1) && errno == EPERM);
	EXPECT(ftruncate(kept, 4096) && errno == EPERM);
	EXPECT(pwrite(kept, "x", 1, 0) < 0 && errno == EPERM);
	EXPECT(mmap(NULL, 1, PROT_WRITE, MAP_SHARED, kept, 0) == MAP_FAILED);
	EXPECT(is(&answer, "contentsmore"));
	reader_answer__free(&answer);
	close(kept);
	close(fd);
	readers__stop(readers);
}

static void test_error(void)
{
	struct reader_answer answer;

	EXPECT_EQ(run_alone(FAIL, &answer), -EBADMSG);
	EXPECT(is(&answer, "half"));
	reader_answer__free(&answer);
}

static void test_crash(void)
{
	struct reader_answer answer;

	EXPECT_EQ(run_alone(CRASH, &answer), -EIO);
}

static void test_bounds(void)
{
	struct reader_answer answer;

	EXPECT_EQ(run_alone(SPIN, &answer), -ETIME);
	EXPECT_EQ(run_alone(TAKE_MEMORY, &answer), -ENOMEM);
	EXPECT_EQ(run_alone(ANSWER_MUCH, &answer), -EFBIG);
	EXPECT_EQ(answer.nr_bytes, 0);
}

static void test_questions(void)
{
	struct reader_answer answer;

	EXPECT_EQ(run_alone(ASK, &answer), 0);
	EXPECT(is(&answer, "cc"));
	reader_answer__free(&answer);
	EXPECT_EQ(run_alone(ASK_PATH, &answer), -EIO);
	EXPECT(run_alone(ASK_FOR_EVER, &answer) < 0);
	EXPECT_EQ(run_alone(ASK_DEAF, &answer), -EIO);
}

/* A reader that was given up keeps neither its caller nor the end of the readers waiting. */
static void test_given_up(void)
{
	struct readers *readers = start();
	struct reader_question question;
	struct reading reading;
	const uint64_t begin_ns = monotonic_ns();
	const int fd = file_of("");

	EXPECT_EQ(reading__start(&reading, readers, SPIN, &fd, 1, NULL, 0), 0);
	EXPECT_EQ(reading__wait(&reading, 0, &question), READING_RUNS);
	EXPECT_EQ(reading__wait(&reading, monotonic_ns() + SECOND / 10, &question), READING_RUNS);
	EXPECT(monotonic_ns() - begin_ns >= SECOND / 10);
	EXPECT(reading__cpu_ns(&reading) > 0);
	reading__close(&reading);
	close(fd);
	readers__stop(readers);
}

/* One that is kept waiting has not worked for too long: it is no reason to give it more time. */
static void test_kept_waiting(void)
{
	struct readers *readers = start();
	struct reading reading;
	struct reader_question question;
	struct reader_answer answer;
	const int fd = file_of("");

	EXPECT_EQ(reading__start(&reading, readers, WAIT_BRIEFLY, &fd, 1, NULL, 0), 0);
	EXPECT_EQ(reading__wait(&reading, UINT64_MAX, &question), READING_ASKS);
	EXPECT_EQ(reading__wait(&reading, UINT64_MAX, &question), READING_ENDED);
	EXPECT_EQ(reading__finish(&reading, &answer), -ETIMEDOUT);
	close(fd);
	readers__stop(readers);
}

/* Too many at once are refused. When they are not wanted any more, there is room for others. */
static void test_many(void)
{
	enum { NR = 70, MAX = 64 };
	struct readers *readers = start();
	struct reader_question question;
	struct reader_answer answer;
	struct reading readings[NR];
	const int fd = file_of("");

	for (size_t i = 0; i < NR; i++)
		EXPECT_EQ(reading__start(&readings[i], readers, WAIT, &fd, 1, NULL, 0), 0);
	for (size_t i = 0; i < MAX; i++)
		EXPECT_EQ(reading__wait(&readings[i], UINT64_MAX, &question), READING_ASKS);
	for (size_t i = MAX; i < NR; i++) {
		EXPECT_EQ(reading__wait(&readings[i], UINT64_MAX, &question), READING_ENDED);
		EXPECT_EQ(reading__finish(&readings[i], &answer), -EAGAIN);
	}
	for (size_t i = 0; i < MAX; i++)
		reading__close(&readings[i]);
	while (run(readers, COPY, &answer) == -EAGAIN)
		usleep(1000);
	EXPECT(is(&answer, "contentsmore"));
	reader_answer__free(&answer);
	close(fd);
	readers__stop(readers);
}

static pid_t only_child(void)
{
	char path[64], text[32] = "";
	int fd;

	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	EXPECT(read(fd, text, sizeof(text) - 1) > 0);
	close(fd);
	return (pid_t)strtol(text, NULL, 10);
}

/*
 * A user may stop the processes that are his. Neither asking a stopped spawner nor ending it waits
 * for it.
 */
static void test_stopped(void)
{
	struct readers *readers = start();
	struct reading reading;
	const int fd = file_of("");
	int code = 0;

	EXPECT_EQ(kill(only_child(), SIGSTOP), 0);
	for (size_t i = 0; i < 10000 && !code; i++) {
		code = reading__start(&reading, readers, WAIT, &fd, 1, NULL, 0);
		if (!code)
			reading__close(&reading);
	}
	EXPECT_EQ(code, -EAGAIN);
	close(fd);
	readers__stop(readers);
}

/* Others are not affected. */
static void test_at_once(void)
{
	struct readers *readers = start();
	struct reading readings[2], another;
	const int fd = file_of("");

	for (int i = 0; i < 2; i++)
		EXPECT_EQ(reading__start(&readings[i], readers, AT_MOST_TWO, &fd, 1, NULL, 0), 0);
	EXPECT_EQ(reading__start(&another, readers, AT_MOST_TWO, &fd, 1, NULL, 0), -EAGAIN);
	EXPECT_EQ(reading__start(&another, readers, WAIT, &fd, 1, NULL, 0), 0);
	reading__close(&another);
	EXPECT_EQ(reading__start(&another, readers, AT_MOST_TWO, &fd, 1, NULL, 0), -EAGAIN);
	reading__close(&readings[0]);
	EXPECT_EQ(reading__start(&readings[0], readers, AT_MOST_TWO, &fd, 1, NULL, 0), 0);
	for (int i = 0; i < 2; i++)
		reading__close(&readings[i]);
	close(fd);
	readers__stop(readers);
}

/* All jobs together keep within the bound of docs/security.md. */
static void test_sum(void)
{
	uint64_t sum = 0;

	for (uint32_t job = 0; job < NR_READER_JOBS; job++) {
		const struct job_row *row = jobs__find(job);

		EXPECT(row->max_at_once > 0);
		sum += row->max_at_once *
		       (row->bounds.max_memory_bytes + row->bounds.max_answer_bytes +
			row->bounds.max_scratch_bytes);
	}
	EXPECT(sum <= READERS_MAX_BYTES);
}

static void test_taken_over(void)
{
	struct reader_answer answer;
	const long *outcomes;

	EXPECT_EQ(run_alone(TRY_ALL, &answer), 0);
	EXPECT_EQ(answer.nr_bytes, NR_ATTEMPTS * sizeof(long));
	outcomes = answer.bytes;
	for (size_t i = 0; i < answer.nr_bytes / sizeof(long); i++) {
		const bool as_expected = outcomes[i] == attempts[i].outcome ||
					 (geteuid() && attempts[i].try == try_stat);

		printf("%s    %-34s %s", i ? "" : "\n", attempts[i].what,
		       outcomes[i] ? strerror((int)-outcomes[i]) : "goes through");
		printf("%s\n", as_expected ? "" : "  <- NOT AS IT SHOULD BE");
		EXPECT(as_expected);
	}
	reader_answer__free(&answer);
}

/* The asking process has no children left over, and no descriptors. */
static void test_nothing_left(void)
{
	const int before = open("/dev/null", O_RDONLY | O_CLOEXEC);
	struct reader_answer answer;
	int after;

	run_alone(COPY, &answer);
	reader_answer__free(&answer);
	after = open("/dev/null", O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(after, before + 1);
	EXPECT(wait(NULL) < 0 && errno == ECHILD);
	close(after);
	close(before);
}

int main(void)
{
	static const struct test tests[] = {
		{"an answer", test_answer},
		{"an answer that nobody can change", test_seals},
		{"an error, and what was found before", test_error},
		{"a crash", test_crash},
		{"bounds of time, memory and answers", test_bounds},
		{"questions", test_questions},
		{"one that is kept waiting", test_kept_waiting},
		{"one that nobody waits for", test_given_up},
		{"many at once", test_many},
		{"one whose spawner is stopped", test_stopped},
		{"as many at once as may", test_at_once},
		{"memory of all of them", test_sum},
		{"one that was taken over", test_taken_over},
		{"nothing is left", test_nothing_left},
		{0},
	};

	return run_tests("readers", tests);
}
