// SPDX-License-Identifier: GPL-2.0-only
#include "run/command.h"

#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/system/rights.h"
#include "base/system/users.h"
#include "capture/events/alloc_words.h"
#include "capture/events/capture_options.h"
#include "capture/events/event.h"
#include "capture/probes/probe_cost.h"
#include "run/interrupt.h"
#include "run/preload/preload.h"
#include "run/preload/preload_fit.h"
#include "run/preload/program_file.h"
#include "run/target.h"

#define WITHOUT_PIDFD_NS 50000000 /* between two looks whether the command has ended */

struct identity {
	struct user user;
	gid_t *groups;
	int nr_groups;
};

static int find_user(const char *name, struct identity *identity, struct error *err)
{
	int code = users__find(&identity->user, name);
	struct quoted quoted;

	if (code == -ENOENT)
		return error__say(err, EXIT_CANCELED, code, "no such user%s: %s", users__where,
				  quote(&quoted, name));
	if (code)
		return error__say(err, EXIT_CANCELED, code, "the user's name is too long");
	identity->nr_groups = users__groups(&identity->user, &identity->groups);
	if (identity->nr_groups < 0)
		return error__set(err, EXIT_CANCELED, identity->nr_groups,
				  "cannot find the groups of user %s", quote(&quoted, name));
	return 0;
}

static void close_if_open(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

static void close_all(struct command *command)
{
	close_if_open(&command->go);
	close_if_open(&command->failure);
	close_if_open(&command->pidfd);
}

/* The child writes this into the pipe when it cannot run the command. */
struct failure {
	int code; /* negative errno */
	bool is_identity;
};

/* The arguments of a command's exec, and the account that it runs as. */
struct start {
	char **words;
	char **environment;		 /* NULL: ours */
	const struct identity *identity; /* NULL: ours */
};

/* Runs in the child, and makes system calls only: other threads may hold locks. */
static void run(int go, int failure, const struct start *start)
{
	const struct identity *identity = start->identity;
	const struct user *user = identity ? &identity->user : NULL;
	struct failure failed = {0};
	ssize_t got;
	char byte;

	interrupt__reset();
	if (start->environment)
		environ = start->environment;
	if (identity) {
		rights__raise(
			RIGHTS_TO_BECOME); /* the exec recomputes the effective capabilities */
		if (setgroups((size_t)identity->nr_groups, identity->groups) ||
		    setgid(user->group) || setuid(user->number))
			failed.code = -errno;
		/* No login shell runs, but programs find the user's files by these variables. */
		else if (setenv("HOME", user->home, 1) || setenv("USER", user->name, 1) ||
			 setenv("LOGNAME", user->name, 1))
			failed.code = -ENOMEM;
	}
	failed.is_identity = failed.code;
	if (!failed.code) {
		/* A byte lets the child exec. There is none if topstacks was killed, say. */
		do
			got = read(go, &byte, 1);
		while (got < 0 && errno == EINTR);
		if (got != 1)
			_exit(EXIT_CANCELED);
		execvp(start->words[0], start->words);
		failed.code = -errno;
	}
	if (write(failure, &failed, sizeof(failed)) != sizeof(failed))
		_exit(EXIT_CANCELED);
	_exit(0);
}

int command__fork(struct command *command, char **words, char **environment, const char *user,
		  struct error *err)
{
	int go[2] = {-1, -1}, failure[2] = {-1, -1};
	struct identity identity = {0};
	const struct start start = {words, environment, user ? &identity : NULL};
	struct quoted quoted;
	int code;

	code = user ? find_user(user, &identity, err) : 0;
	if (code) {
		free(identity.groups);
		return code;
	}

	*command = (struct command){.pid = -1, .pidfd = -1};
	if (!pipe2(go, O_CLOEXEC) && !pipe2(failure, O_CLOEXEC))
		command->pid = fork();
	code = command->pid < 0 ? -errno : 0;
	if (command->pid == 0) {
		close(go[1]);
		run(go[0], failure[1], &start);
	}
	free(identity.groups);
	command->go = go[1];
	command->failure = failure[0];
	close_if_open(&go[0]);
	close_if_open(&failure[1]);
	if (code) {
		close_all(command);
		return error__set(err, EXIT_CANCELED, code, "cannot start %s",
				  quote(&quoted, words[0]));
	}
	command->pidfd = (int)syscall(SYS_pidfd_open, command->pid, 0);
	return 0;
}

int command__exec(struct command *command, char **words, struct error *err)
{
	struct failure failed;
	struct quoted quoted;

	if (write(command->go, "", 1) != 1)
		errno = 0; /* the child was killed, and has ended */
	close_if_open(&command->go);
	/* The pipe closes by itself when the exec succeeds. */
	if (read(command->failure, &failed, sizeof(failed)) != sizeof(failed))
		failed.code = 0;
	close_if_open(&command->failure);
	if (!failed.code)
		return 0;
	command__wait(command);
	quote(&quoted, words[0]);
	if (failed.is_identity)
		return error__set(err, EXIT_CANCELED, failed.code,
				  "cannot run %s as the user that --user names", quoted.text);
	return error__set(err, failed.code == -ENOENT ? EXIT_ENOENT : EXIT_CANNOT_INVOKE,
			  failed.code, "cannot run %s", quoted.text);
}

static int end_of(struct command *command, int status)
{
	close_all(command);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

int command__wait(struct command *command)
{
	const struct timespec tick = {.tv_nsec = WITHOUT_PIDFD_NS};
	struct pollfd ended = {.fd = command->pidfd, .events = POLLIN};
	int status = 0, number;
	sigset_t mask;

	/* The first signal to us alone is the command's, too; a second one ends us. */
	interrupt__setup(false);
	interrupt__let_in(&mask);
	while (!waitpid(command->pid, &status, WNOHANG)) {
		ppoll(&ended, 1, ended.fd < 0 ? &tick : NULL, &mask);
		if (interrupt__take(&number) == INTERRUPT_PROCESS)
			kill(command->pid, number);
	}
	return end_of(command, status);
}

void command__abandon(struct command *command)
{
	int status = 0;

	kill(command->pid, SIGKILL);
	while (waitpid(command->pid, &status, 0) < 0 && errno == EINTR)
		;
	end_of(command, status);
}

/* ---- allocations ---- */

/*
 * Opens the program so that its own malloc is probed instead. Every call hits the probe, sampled or
 * not.
 */
static int use_program(struct alloc_command *prepared, const char *command, bool is_quiet,
		       struct error *err)
{
	struct quoted quoted;
	double ns = 0;
	const int file = program_file__open(command);
	int code = probe_cost__measure(true, false, &ns, err);

	if (!code && file > 0 && !is_quiet)
		fprintf(stderr,
			"topstacks: %s cannot have the allocation library: each call of its malloc "
			"is hit by a probe instead, which takes it %.1f us\n",
			quote(&quoted, command), ns / 1000);
	prepared->program = file > 0 ? file : 0;
	return code;
}

int alloc_command__prepare(struct alloc_command *prepared, const struct target *target,
			   const struct capture_options *capture, bool is_quiet, struct error *err)
{
	enum preload_obstacle obstacle;
	struct events events;
	struct error ignored;
	uint64_t mean_bytes; /* between two samples; 0: there is no alloc event */
	char library[PATH_MAX], *note;
	int code;

	*prepared = (struct alloc_command){0};
	if (events__parse(&events, capture->event, &ignored))
		return 0;
	mean_bytes = alloc_words__mean_of(&events);
	events__free(&events);
	if (!mean_bytes)
		return 0;

	obstacle = preload_fit__check(target->command[0], target->user, err);
	if (obstacle == PRELOAD_STATIC || obstacle == PRELOAD_OWN_MALLOC)
		return use_program(prepared, target->command[0], is_quiet, err);
	if (obstacle)
		return err->code;
	code = preload__find(library, err);
	if (code)
		return code;
	note = is_quiet ? NULL : preload_fit__note(target->command[0]);
	if (note)
		fprintf(stderr, "topstacks: %s\n", note);
	free(note);
	prepared->preloaded = xstrdup(library);
	prepared->environment =
		preload__environment(library, mean_bytes, !capture->follow_children);
	return 0;
}

void alloc_command__free(struct alloc_command *prepared)
{
	if (prepared->program)
		close(prepared->program);
	free(prepared->preloaded);
	free(prepared->environment);
	*prepared = (struct alloc_command){0};
}
