// SPDX-License-Identifier: GPL-2.0-only
/*
 * refuse ERRNO NAME COMMAND...: runs a command. In all its processes, bpf() calls that load a
 * program or make a map of this name fail with this errno. If NAME is "links", calls that link a
 * perf event to a program fail; if it is "statistics", calls that switch statistics on. The program
 * ends as the command does, but with 99 if no call was refused.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

enum { NOTHING_REFUSED = 99 };

static void die(const char *what)
{
	perror(what);
	exit(98);
}

/*
 * Makes every bpf() of this process and its children wait for an answer. Returns the descriptor to
 * answer at.
 */
static int install_filter(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_bpf, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog program = {sizeof(code) / sizeof(code[0]), code};

	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER,
			    &program);
}

static bool is_meant(const struct seccomp_notif *call, const char *name)
{
	union bpf_attr attr = {0};
	const struct iovec here = {&attr, sizeof(attr)};
	struct iovec there = {(void *)(uintptr_t)call->data.args[1], call->data.args[2]};

	if (there.iov_len > sizeof(attr))
		there.iov_len = sizeof(attr);
	if (process_vm_readv((pid_t)call->pid, &here, 1, &there, 1, 0) < 0)
		return false;
	switch (call->data.args[0]) {
	case BPF_PROG_LOAD:
		return !strncmp(attr.prog_name, name, sizeof(attr.prog_name));
	case BPF_MAP_CREATE:
		return !strncmp(attr.map_name, name, sizeof(attr.map_name));
	case BPF_LINK_CREATE:
		return !strcmp(name, "links") && attr.link_create.attach_type == BPF_PERF_EVENT;
	case BPF_ENABLE_STATS:
		return !strcmp(name, "statistics");
	default:
		return false;
	}
}

/* Answers calls until no process is left that could make one. Returns true if any was refused. */
static bool answer_calls(int listener, int code, const char *name)
{
	struct pollfd poll_fd = {.fd = listener, .events = POLLIN};
	bool has_refused = false;

	while (poll(&poll_fd, 1, -1) >= 0 && poll_fd.revents & POLLIN) {
		struct seccomp_notif call = {0};
		struct seccomp_notif_resp answer = {0};

		if (ioctl(listener, SECCOMP_IOCTL_NOTIF_RECV, &call))
			continue; /* it was ended meanwhile */
		answer.id = call.id;
		if (is_meant(&call, name)) {
			answer.error = -code;
			has_refused = true;
		} else {
			answer.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE;
		}
		ioctl(listener, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	}
	return has_refused;
}

/* Makes a number that is shared with the child, which makes the descriptor. */
static int *share(void)
{
	int *shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (shared == MAP_FAILED)
		die("mmap");
	*shared = -1;
	return shared;
}

static int take_listener(pid_t child, volatile int *theirs)
{
	const int process = (int)syscall(SYS_pidfd_open, child, 0);
	int listener = -1;

	while (process >= 0 && *theirs < 0 && !waitpid(child, NULL, WNOHANG))
		usleep(1000);
	if (process >= 0)
		listener = (int)syscall(SYS_pidfd_getfd, process, *theirs, 0);
	if (listener < 0)
		die("no filter");
	*theirs = -1;
	close(process);
	return listener;
}

int main(int argc, char **argv)
{
	int *theirs = share(), status, listener, code;
	bool has_refused;
	pid_t child;

	if (argc < 4)
		return 98;
	code = !strcmp(argv[1], "EPERM")    ? EPERM
	       : !strcmp(argv[1], "ENOMEM") ? ENOMEM
	       : !strcmp(argv[1], "EINVAL") ? EINVAL
					    : atoi(argv[1]);
	child = fork();
	if (!child) {
		const int own = install_filter();

		if (own < 0)
			die("seccomp");
		fcntl(own, F_SETFD, FD_CLOEXEC);
		*(volatile int *)theirs = own;
		while (*(volatile int *)theirs >= 0) /* until it was taken */
			usleep(1000);
		execvp(argv[3], argv + 3);
		die(argv[3]);
	}
	listener = take_listener(child, theirs);
	has_refused = answer_calls(listener, code, argv[2]);
	if (waitpid(child, &status, 0) != child)
		die("waitpid");
	if (!has_refused)
		return NOTHING_REFUSED;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
