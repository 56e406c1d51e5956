// SPDX-License-Identifier: GPL-2.0-only
/*
 *	who hires ── requests ──> spawner ──fork──> worker
 *	    │  └───── status ────────┘                │
 *	    └──────── channel ────────────────────────┘
 *
 * A request brings the worker's end of the channel and the spawner's end of the status. The worker
 * does not have the latter: how it ended is what the kernel says, not what it says itself.
 */
#include "base/system/spawner.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/files.h"
#include "base/shortage.h"
#include "base/system/channel.h"
#include "base/system/rights.h"

#define MAX_RUNNING 64 /* includes dismissed workers that cannot be killed */

#define ENDING_MS 200 /* wait for its end; init reaps it later */

#define FAREWELL_NS 2000000000ULL /* time from the farewell signal to the kill */
#define TICK_NS	    100000000	  /* interval of checks whether such a worker has ended */

#define MAX_STAT_BYTES 4096

#define OWN_REQUESTS 3 /* descriptor numbers in the spawner and in a worker */
#define OWN_CHANNEL  3
#define FIRST_EXIT_CODE \
	64 /* exit code of 0, and of errors from there on: crashes and sanitizers use others */

struct spawner {
	int requests;
	atomic_int pid; /* 0: it has ended and is reaped */
	atomic_uint_fast64_t cpu_ns;
};

/* A message on the status: first the pid, then the end. */
struct news {
	pid_t pid; /* 0: the worker has ended */
	struct worker_end end;
};

/* The first message of a spawner to the process that started it. */
struct readiness {
	int code;	   /* 0: ready; or negative errno */
	bool is_confining; /* confine() was called */
};

struct request {
	uint32_t kind, nr_bytes;
	char arguments[WORKER_MAX_BYTES];
};

/* ---- a worker ---- */

/* Moves files to OWN_CHANNEL and up, avoiding overlaps. */
static int arrange(struct worker *worker, const int *files, size_t nr_files)
{
	int moved[WORKER_MAX_FILES + 1];
	const int above = OWN_CHANNEL + WORKER_MAX_FILES + 1;

	for (size_t i = 0; i < nr_files; i++) {
		moved[i] = fcntl(files[i], F_DUPFD, above);
		if (moved[i] < 0) /* EINVAL: the limit of descriptors is lower */
			return errno == EINVAL ? -EMFILE : shortage__of_descriptor(errno);
	}
	for (size_t i = 0; i < nr_files; i++)
		if (dup2(moved[i], OWN_CHANNEL + (int)i) < 0)
			return -errno;
	worker->channel = OWN_CHANNEL;
	worker->nr_files = nr_files - 1;
	for (size_t i = 1; i < nr_files; i++)
		worker->files[i - 1] = OWN_CHANNEL + (int)i;
	return syscall(SYS_close_range, OWN_CHANNEL + (unsigned int)nr_files, ~0U, 0) ? -errno : 0;
}

/* files: the channel, then the worker's files. */
__attribute__((noreturn)) static void run_worker(const struct spawner_plan *plan,
						 const struct request *request, const int *files,
						 size_t nr_files, pid_t spawner)
{
	struct worker worker = {.arguments = request->arguments, .nr_bytes = request->nr_bytes};
	int code;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	signal(SIGCHLD, SIG_DFL);
	memory__end_quietly(FIRST_EXIT_CODE + ENOMEM);
	code = getppid() == spawner ? shortage__of_call(arrange(&worker, files, nr_files)) : -EIO;
	if (!code)
		code = plan->run(plan->context, request->kind, &worker);
	_exit(FIRST_EXIT_CODE - code);
}

/* ---- the spawner ---- */

struct active {
	pid_t pid;
	int status;	  /* -1: dismissed */
	uint64_t kill_ns; /* then: time of its kill (CLOCK_MONOTONIC) */
};

struct spawning {
	const struct spawner_plan *plan;
	struct active running[MAX_RUNNING];
	size_t nr_running;
};

/* Sends a message. If the receiver is gone, the failure does not matter. */
static void tell(int status, const struct news *news)
{
	channel__send(status, true, news, sizeof(*news), NULL, 0);
}

static int code_of(int wait_status)
{
	if (WIFSIGNALED(wait_status) && WTERMSIG(wait_status) == SIGKILL)
		return -ENOMEM; /* workers are the first that the kernel kills for memory */
	if (WIFSIGNALED(wait_status))
		return WTERMSIG(wait_status) == SIGXCPU ? -ETIME : -EIO;
	if (WEXITSTATUS(wait_status) < FIRST_EXIT_CODE ||
	    WEXITSTATUS(wait_status) == FIRST_EXIT_CODE + ECHILD) /* only the spawner may report
								   * this */
		return -EIO;
	return FIRST_EXIT_CODE - WEXITSTATUS(wait_status);
}

static uint64_t ns_of(const struct timeval *time)
{
	return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_usec * 1000;
}

static void note_end(struct spawning *spawning, pid_t pid, int wait_status,
		     const struct rusage *usage)
{
	const struct news news = {
		.end = {.code = code_of(wait_status),
			.is_gone = true,
			.cpu_ns = ns_of(&usage->ru_utime) + ns_of(&usage->ru_stime)}};

	for (size_t i = 0; i < spawning->nr_running; i++) {
		const struct active ended = spawning->running[i];

		if (ended.pid != pid)
			continue;
		spawning->running[i] = spawning->running[--spawning->nr_running];
		if (ended.status < 0)
			return;
		tell(ended.status, &news);
		close(ended.status);
		return;
	}
}

/*
 * Forks a worker. files: the spawner's end of the status, then the worker's files; code: 0, or why
 * files are missing.
 */
static void spawn(struct spawning *spawning, const struct request *request, int *files,
		  size_t nr_files, int code)
{
	const pid_t spawner = getpid();
	struct news news = {.end.code = code ? code : -EAGAIN};
	pid_t pid = -1;

	if (!code && spawning->nr_running < MAX_RUNNING && nr_files >= 2) {
		pid = fork();
		if (pid < 0)
			news.end.code = shortage__of_call(shortage__of_process(errno));
	}
	if (pid == 0)
		run_worker(spawning->plan, request, files + 1, nr_files - 1, spawner);
	if (pid > 0) {
		news.pid = pid;
		spawning->running[spawning->nr_running++] =
			(struct active){.pid = pid, .status = files[0]};
	}
	if (nr_files)
		tell(files[0], &news);
	for (size_t i = pid > 0; i < nr_files; i++)
		close(files[i]);
}

/* Takes a request. False: the channel is closed, so there will be no more. */
static bool take_request(struct spawning *spawning)
{
	struct request request;
	int files[WORKER_MAX_FILES + 2];
	size_t nr_files = WORKER_MAX_FILES + 2;
	const ssize_t length =
		channel__receive(OWN_REQUESTS, false, &request, sizeof(request), files, &nr_files);

	if (length >= (ssize_t)offsetof(struct request, arguments) || length == -EMFILE)
		spawn(spawning, &request, files, nr_files, length < 0 ? -EMFILE : 0);
	return length > 0 || length == -EAGAIN || length == -EMFILE;
}

/* Kills workers whose farewell was too long ago. Returns whether others are left. */
static bool kill_overdue(struct spawning *spawning)
{
	bool is_any_left = false;

	for (size_t i = 0; i < spawning->nr_running && spawning->plan->farewell; i++) {
		if (spawning->running[i].status >= 0)
			continue;
		is_any_left = true;
		if (monotonic_ns() >= spawning->running[i].kill_ns)
			kill(spawning->running[i].pid, SIGKILL);
	}
	return is_any_left;
}

static bool work(struct spawning *spawning, const sigset_t *while_waiting)
{
	struct pollfd watched[MAX_RUNNING + 1] = {{.fd = OWN_REQUESTS, .events = POLLIN}};
	const size_t nr_running = spawning->nr_running;
	const int farewell = spawning->plan->farewell;
	const struct timespec tick = {.tv_nsec = TICK_NS};
	const struct timespec *until = kill_overdue(spawning) ? &tick : NULL;
	bool goes_on = true;
	struct rusage usage;
	int wait_status;
	pid_t pid;

	for (size_t i = 0; i < nr_running; i++)
		watched[i + 1].fd = spawning->running[i].status;
	if (ppoll(watched, nr_running + 1, until, while_waiting) > 0) {
		for (size_t i = 0; i < nr_running; i++) {
			struct active *running = &spawning->running[i];

			if (!watched[i + 1].revents)
				continue;
			/* The hiring process has closed its status, and so dismissed it. */
			kill(running->pid, farewell ? farewell : SIGKILL);
			close(running->status);
			running->status = -1;
			running->kill_ns = monotonic_ns() + FAREWELL_NS;
		}
		if (watched[0].revents)
			goes_on = take_request(spawning);
	}
	while ((pid = wait4(-1, &wait_status, WNOHANG, &usage)) > 0)
		note_end(spawning, pid, wait_status, &usage);
	return goes_on;
}

static void hear(int signal_number)
{
	(void)signal_number; /* its only purpose is to end a wait */
}

/*
 * Detaches the spawner from the terminal's signals and output. *requests: its channel, which it
 * also uses to report an error.
 */
static int keep_requests(int *requests)
{
	int nothing, above;

	setsid();
	nothing = open("/dev/null", O_RDWR);
	if (nothing < 0)
		return shortage__of_descriptor(errno);
	above = fcntl(*requests, F_DUPFD, OWN_REQUESTS + 1);
	if (above < 0) /* EINVAL: the limit of descriptors is lower */
		return errno == EINVAL ? -EMFILE : shortage__of_descriptor(errno);
	*requests = above;
	if (dup2(nothing, 0) < 0 || dup2(nothing, 1) < 0 || dup2(nothing, 2) < 0 ||
	    dup2(above, OWN_REQUESTS) < 0)
		return shortage__of_descriptor(errno);
	*requests = OWN_REQUESTS;
	return syscall(SYS_close_range, OWN_REQUESTS + 1, ~0U, 0) ? -errno : 0;
}

__attribute__((noreturn)) static void run_spawner(const struct spawner_plan *plan, int requests,
						  pid_t parent)
{
	const struct sigaction action = {.sa_handler = hear};
	struct spawning spawning = {.plan = plan};
	sigset_t while_waiting, ends;
	struct readiness start;

	/* Ignores all signals but SIGCHLD, which is delivered while waiting for requests. */
	for (int number = 1; number < NSIG; number++)
		signal(number, SIG_DFL);
	sigemptyset(&while_waiting);
	sigprocmask(SIG_SETMASK, &while_waiting, NULL);
	sigemptyset(&ends);
	sigaddset(&ends, SIGCHLD);
	sigprocmask(SIG_BLOCK, &ends, NULL);
	sigaction(SIGCHLD, &action, NULL);

	prctl(PR_SET_NAME, plan->name);
	start.code = keep_requests(&requests);
	start.is_confining = !start.code;
	if (!start.code && plan->confine)
		start.code = plan->confine(plan->context);
	prctl(PR_SET_PDEATHSIG, SIGKILL); /* at last, as a change of rights would clear it */
	if (getppid() != parent)
		_exit(1);
	if (channel__send(requests, true, &start, sizeof(start), NULL, 0) || start.code)
		_exit(1);
	while (work(&spawning, &while_waiting))
		;
	_exit(0);
}

/* ---- the hiring process ---- */

int spawner__start(struct spawner **out, const struct spawner_plan *plan)
{
	const pid_t parent = getpid();
	struct spawner *spawner;
	pid_t pid;
	int ends[2];
	int code = shortage__of_descriptor(-channel__open(ends));

	if (code)
		return code;
	pid = fork();
	if (pid == 0)
		run_spawner(plan, ends[1], parent);
	code = pid < 0 ? shortage__of_process(errno) : 0;
	close(ends[1]);
	if (code) {
		close(ends[0]);
		return code;
	}
	spawner = xcalloc(1, sizeof(*spawner));
	spawner->requests = ends[0];
	atomic_init(&spawner->pid, pid);
	*out = spawner;
	return 0;
}

int spawner__await(struct spawner *spawner, bool *by_confine)
{
	size_t nr_files = 0;
	struct readiness start;
	const ssize_t length =
		channel__receive(spawner->requests, true, &start, sizeof(start), NULL, &nr_files);

	if (by_confine)
		*by_confine = length == sizeof(start) && start.code && start.is_confining;
	if (length == -EPIPE)
		return -ECHILD;
	if (length < 0)
		return shortage__of_descriptor((int)-length);
	return length == sizeof(start) ? start.code : -EIO;
}

/*
 * Kills the spawner; its workers die with it. It is not asked to end, as other processes of its
 * user may have stopped it. Waits a limited time for its end: closing the files that it was to pass
 * on may block in a file system for ever.
 */
void spawner__stop(struct spawner *spawner)
{
	pid_t pid;

	if (!spawner)
		return;
	close(spawner->requests);
	pid = atomic_load(&spawner->pid);
	if (pid > 0) {
		kill(pid, SIGKILL);
		for (int i = 0; i < ENDING_MS && !waitpid(pid, NULL, WNOHANG); i++)
			clock_sleep(1000000);
	}
	free(spawner);
}

/*
 * Whether the spawner has ended. Then it is reaped, in any thread, once, without waiting, as its
 * open files may delay its end: if it is not gone yet, the next call reaps it.
 */
static bool was_ended(struct spawner *spawner)
{
	struct pollfd watched = {.fd = spawner->requests};
	pid_t pid;

	if (poll(&watched, 1, 0) <= 0 || !(watched.revents & POLLHUP))
		return false;
	pid = atomic_exchange(&spawner->pid, 0);
	if (pid > 0 && !waitpid(pid, NULL, WNOHANG))
		atomic_store(&spawner->pid, pid);
	return true;
}

int spawner__hire(struct spawner *spawner, uint32_t kind, const int *files, size_t nr_files,
		  const void *arguments, size_t nr_bytes, struct hired *hired)
{
	struct request request = {.kind = kind, .nr_bytes = (uint32_t)nr_bytes};
	int passed[WORKER_MAX_FILES + 2], status[2], channel[2] = {-1, -1};
	int code;

	if (nr_files > WORKER_MAX_FILES || nr_bytes > sizeof(request.arguments))
		return -E2BIG;
	if (was_ended(spawner))
		return -ECHILD;
	code = channel__open(status);
	if (code)
		return shortage__of_call(shortage__of_descriptor(-code));
	code = shortage__of_call(shortage__of_descriptor(-channel__open(channel)));
	if (!code) {
		passed[0] = status[1];
		passed[1] = channel[1];
		if (nr_files)
			memcpy(passed + 2, files, nr_files * sizeof(*files));
		if (nr_bytes)
			memcpy(request.arguments, arguments, nr_bytes);
		/* Sent without waiting, in case the spawner takes none. */
		code = shortage__of_descriptor(-channel__send(
			spawner->requests, false, &request,
			offsetof(struct request, arguments) + nr_bytes, passed, nr_files + 2));
		close(channel[1]);
	}
	close(status[1]);
	if (code == -EPIPE)
		code = was_ended(spawner) ? -ECHILD : -EPIPE;
	*hired = (struct hired){.spawner = spawner, .channel = channel[0], .status = status[0]};
	if (code)
		hired__dismiss(hired);
	return code;
}

bool hired__has_ended(struct hired *hired, struct worker_end *end)
{
	struct news news = {0};
	size_t nr_files = 0;
	ssize_t length;

	while ((length = channel__receive(hired->status, false, &news, sizeof(news), NULL,
					  &nr_files)) == sizeof(news) &&
	       news.pid)
		hired->pid = news.pid;
	if (length == -EAGAIN)
		return false;
	if (length == sizeof(news))
		*end = news.end;
	else if (length < 0 && length != -EPIPE)
		*end = (struct worker_end){.code = shortage__of_call((int)length)};
	else
		*end = (struct worker_end){.code = was_ended(hired->spawner) ? -ECHILD : -EAGAIN};
	return true;
}

uint64_t spawner__cpu_ns(const struct spawner *spawner)
{
	return atomic_load(&spawner->cpu_ns);
}

void spawner__add_cpu(struct spawner *spawner, uint64_t cpu_ns)
{
	atomic_fetch_add(&spawner->cpu_ns, cpu_ns);
}

uint64_t hired__cpu_ns(const struct hired *hired)
{
	struct timespec time;
	clockid_t clock;

	if (!hired->pid || clock_getcpuclockid(hired->pid, &clock) || clock_gettime(clock, &time))
		return 0;
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Reads the state from "4711 (any) thing) S 1 ...". */
bool hired__is_idle(const struct hired *hired)
{
	char path[32], *text, state = '\0';
	const char *name_end;
	uint64_t before;
	int code;

	if (!hired->pid)
		return false;
	snprintf(path, sizeof(path), "/proc/%d/stat", hired->pid);
	before = rights__raise(RIGHTS_TO_LOOK); /* /proc may hide other users' processes
						 * (hidepid) */
	code = files__read(path, MAX_STAT_BYTES, &text, NULL);
	rights__restore(before);
	if (code)
		return false;
	name_end = strrchr(text, ')');
	if (name_end && name_end[1] == ' ')
		state = name_end[2];
	free(text);
	return state && state != 'R';
}

void hired__dismiss(struct hired *hired)
{
	close(hired->channel);
	close(hired->status);
	*hired = (struct hired){.channel = -1, .status = -1};
}
