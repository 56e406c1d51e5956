// SPDX-License-Identifier: GPL-2.0-only
#include "serve/front.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/output/output.h"
#include "base/system/channel.h"
#include "base/system/rights.h"
#include "serve/messages.h"

#define PROGRAM		"topstacks-front"
#define LONGEST_PAUSE_S 60
#define NOT_STARTED	127 /* exit code of a child that has told why the program cannot start */

/*
 * Finds the program: beside our own one, as in the build directory, or where packages install it.
 */
static int find_program(char path[PATH_MAX], struct error *err)
{
	static const char *const places[] = {"/" PROGRAM, "/../libexec/topstacks/" PROGRAM};
	char self[PATH_MAX];
	struct quoted quoted;
	const ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

	if (length > 0) {
		self[length] = '\0';
		*strrchr(self, '/') = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
			const int size = snprintf(path, PATH_MAX, "%s%s", self, places[i]);

			if (size < PATH_MAX && !access(path, X_OK))
				return 0;
			if (size < PATH_MAX && errno != ENOENT && errno != ENOTDIR)
				return error__set(err, EXIT_SYSTEM, -errno, "cannot run %s",
						  quote(&quoted, path));
		}
	}
	return error__say(err, EXIT_SYSTEM, -ENOENT,
			  PROGRAM " is not there, which speaks HTTP for topstacks; install "
				  "topstacks-fleet, or run make fleet");
}

/*
 * Arranges the child's descriptors: standard error, and the channels at fixed numbers. Returns
 * NULL, or the name of the call that failed.
 */
static const char *arrange(int channel, int setup)
{
	const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
	const int channel_copy = fcntl(channel, F_DUPFD, SERVE_SETUP_FD + 1);
	const int setup_copy = channel_copy < 0 ? -1 : fcntl(setup, F_DUPFD, SERVE_SETUP_FD + 1);

	if (setup_copy < 0)
		return "fcntl()";
	if (nothing < 0)
		return "/dev/null";
	if (dup2(nothing, STDIN_FILENO) < 0 || dup2(nothing, STDOUT_FILENO) < 0 ||
	    dup2(channel_copy, SERVE_CHANNEL_FD) < 0 || dup2(setup_copy, SERVE_SETUP_FD) < 0)
		return "dup2()";
	return syscall(SYS_close_range, SERVE_SETUP_FD + 1, ~0U, 0) ? "close_range()" : NULL;
}

/* Executes the program. tells: print why that fails. */
static void __attribute__((noreturn))
become_front(const char *path, int channel, int setup, bool tells)
{
	char *const arguments[] = {PROGRAM, NULL};
	char *const environment[] = {NULL};
	const char *failed = "prctl()";
	struct error err;

	signal(SIGPIPE, SIG_DFL);
	if (!prctl(PR_SET_PDEATHSIG, SIGKILL))
		failed = arrange(channel, setup);
	if (!failed) {
		execve(path, arguments, environment);
		failed = path;
	}
	error__set(&err, EXIT_INTERNAL, -errno, "cannot start " PROGRAM ": %s", failed);
	error__remedy(&err, "it is tried again");
	if (tells)
		output__print_error(&err);
	_exit(NOT_STARTED);
}

/*
 * Starts the front end, and waits until it ends. tells: the child prints why it cannot be started.
 * False: it could not be started. If it can never serve (EXIT_USAGE), this process exits, too.
 */
static bool run_front(const char *path, int channel, const struct listeners *listeners, bool tells)
{
	int ends[2], status;
	pid_t front;

	if (channel__open(ends))
		return false;
	channel__send(ends[0], false, &listeners->setup, sizeof(listeners->setup), listeners->files,
		      listeners->nr_files);
	front = fork();
	if (!front)
		become_front(path, channel, ends[1], tells);
	close(ends[0]);
	close(ends[1]);
	if (front < 0 || waitpid(front, &status, 0) != front)
		return false;
	if (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_USAGE)
		_exit(EXIT_USAGE); /* it cannot serve, as the certificate is wrong, say, and has
				    * printed why */
	if (WIFEXITED(status) && WEXITSTATUS(status) == NOT_STARTED)
		return false;
	fputs("topstacks: " PROGRAM " has ended, and is started again\n", stderr);
	return true;
}

static void __attribute__((noreturn))
keep(const char *path, int channel, const struct listeners *listeners, pid_t sampler)
{
	unsigned int pause_s = 1;
	bool failed = false;

	prctl(PR_SET_NAME, "topstacks-keep");
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	rights__reduce(RIGHTS_TO_CONFINE);
	/* Terminals and services send these to all processes; the sampler kills us. */
	signal(SIGINT, SIG_IGN);
	signal(SIGTERM, SIG_IGN);
	signal(SIGHUP, SIG_IGN);
	while (getppid() == sampler) {
		const time_t start = time(NULL);

		/*
		 * The cause of a failed start may also end the keeper, and then the sampler reports
		 * it. So only a second failed start is printed.
		 */
		failed = !run_front(path, channel, listeners, failed);
		/* Longer each time that the front end ends at once. */
		pause_s = time(NULL) - start > LONGEST_PAUSE_S ? 1 : pause_s * 2;
		if (pause_s > LONGEST_PAUSE_S)
			pause_s = LONGEST_PAUSE_S;
		sleep(pause_s);
	}
	_exit(0);
}

pid_t front__start(int channel, const struct listeners *listeners, struct error *err)
{
	const pid_t self = getpid();
	char path[PATH_MAX];
	pid_t keeper;
	int code = find_program(path, err);

	if (code)
		return code;
	keeper = fork();
	if (keeper < 0)
		return error__set(err, EXIT_INTERNAL, -errno, "cannot start " PROGRAM);
	if (!keeper)
		keep(path, channel, listeners, self);
	return keeper;
}

int front__stop(pid_t keeper)
{
	int status;

	if (keeper <= 0)
		return 0;
	kill(keeper, SIGKILL); /* this kills the front end, too (PR_SET_PDEATHSIG) */
	if (waitpid(keeper, &status, 0) != keeper || !WIFEXITED(status))
		return 0;
	return WEXITSTATUS(status);
}
