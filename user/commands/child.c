// SPDX-License-Identifier: GPL-2.0-only
#include "commands/child.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <pwd.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/quote.h"
#include "commands/interrupt.h"

struct identity {
	uid_t user;
	gid_t group;
	char name[256];
};

static int find_user(const char *name, struct identity *identity, struct error *err)
{
	struct passwd *entry = getpwnam(name);
	struct quoted quoted;

	if (!entry)
		return error__say(err, EXIT_CANCELED, -ENOENT, "no such user: %s",
				  quote(&quoted, name));
	if (strlen(entry->pw_name) >= sizeof(identity->name))
		return error__say(err, EXIT_CANCELED, -ENAMETOOLONG, "the user's name is too long");
	identity->user = entry->pw_uid;
	identity->group = entry->pw_gid;
	strcpy(identity->name, entry->pw_name);
	return 0;
}

static int become(const struct identity *identity)
{
	if (initgroups(identity->name, identity->group) || setgid(identity->group) ||
	    setuid(identity->user))
		return -errno;
	return 0;
}

/* In the child. Nothing but system calls: other threads may hold locks. */
static void run(int go, int failure, char **words, const struct identity *identity)
{
	char byte;
	int code = 0;

	interrupt__reset();
	if (identity)
		code = become(identity);
	while (!code && read(go, &byte, 1) < 0 && errno == EINTR)
		;
	if (!code) {
		execvp(words[0], words);
		code = -errno;
	}
	if (write(failure, &code, sizeof(code)) != sizeof(code))
		_exit(EXIT_CANCELED);
	_exit(0);
}

static int fork_child(struct child *child, char **words, const struct identity *identity)
{
	int go[2], failure[2];

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failure, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return -errno;
	}
	child->pid = fork();
	if (child->pid == 0) {
		close(go[1]);
		run(go[0], failure[1], words, identity);
	}
	close(go[0]);
	close(failure[1]);
	child->go = go[1];
	child->failure = failure[0];
	return child->pid < 0 ? -errno : 0;
}

int child__fork(struct child *child, char **words, const char *user, struct error *err)
{
	struct identity identity;
	struct quoted quoted;
	int code;

	if (user) {
		code = find_user(user, &identity, err);
		if (code)
			return code;
	}
	code = fork_child(child, words, user ? &identity : NULL);
	if (code)
		return error__set(err, EXIT_CANCELED, code, "cannot start %s",
				  quote(&quoted, words[0]));
	child->pidfd = (int)syscall(SYS_pidfd_open, child->pid, 0);
	return 0;
}

int child__exec(struct child *child, char **words, struct error *err)
{
	struct quoted quoted;
	int code = 0;

	close(child->go);
	/* The pipe closes by itself when the exec succeeds. */
	if (read(child->failure, &code, sizeof(code)) != sizeof(code))
		code = 0;
	close(child->failure);
	if (!code)
		return 0;
	waitpid(child->pid, NULL, 0);
	return error__set(err, code == -ENOENT ? EXIT_ENOENT : EXIT_CANNOT_INVOKE, code,
			  "cannot run %s", quote(&quoted, words[0]));
}

int child__wait(struct child *child)
{
	int status = 0;

	while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
		;
	if (child->pidfd >= 0)
		close(child->pidfd);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void child__abandon(struct child *child)
{
	kill(child->pid, SIGKILL);
	close(child->go);
	close(child->failure);
	child__wait(child);
}
