// SPDX-License-Identifier: GPL-2.0-only
/*
 * A process behind the walls of a fetcher can still use the cache, look up names of hosts, and ask
 * servers.
 */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "base/system/landlock.h"
#include "expect.h"
#include "scratch.h"
#include "symbols/debug/fetcher_walls.h"

/* Returns whether the check is true in a process of its own. */
static bool holds(bool (*check)(void))
{
	const pid_t pid = fork();
	int status;

	if (pid == 0)
		_exit(check() ? 0 : 1);
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Returns 0 or the kernel's errno. */
static int open_as(const char *path, int flags)
{
	const int fd = open(path, flags, 0600);

	if (fd < 0)
		return errno;
	close(fd);
	return 0;
}

static bool has_walls(void)
{
	return landlock__install(NULL, 0) == 0;
}

/* ---- files ---- */

static bool keeps_to_files(void)
{
	fetcher_walls__raise_for_files(scratch_path("cache"));
	return open_as(scratch_path("cache/new"), O_CREAT | O_WRONLY) == 0 &&
	       open_as(scratch_path("cache/old"), O_RDWR) == 0 &&
	       !mkdir(scratch_path("cache/directory"), 0700) &&
	       !rename(scratch_path("cache/new"), scratch_path("cache/newer")) &&
	       !unlink(scratch_path("cache/newer")) && open_as("/etc/hosts", O_RDONLY) != EACCES &&
	       open_as(scratch_path("secret"), O_RDONLY) == EACCES &&
	       open_as(scratch_path("secret"), O_WRONLY) == EACCES &&
	       open_as(scratch_path("beside"), O_CREAT | O_WRONLY) == EACCES &&
	       open_as("/etc/passwd", O_RDONLY) == EACCES &&
	       open_as("/proc/self/environ", O_RDONLY) == EACCES &&
	       symlink("old", scratch_path("cache/link")) == -1 && errno == EACCES &&
	       unlink(scratch_path("secret")) == -1 && errno == EACCES;
}

static bool reads_headers(void)
{
	setenv("DEBUGINFOD_HEADERS_FILE", scratch_path("secret"), 1);
	fetcher_walls__raise_for_files(scratch_path("cache"));
	return open_as(scratch_path("secret"), O_RDONLY) == 0 &&
	       open_as(scratch_path("secret"), O_WRONLY) == EACCES;
}

static void test_files(void)
{
	scratch_run("mkdir cache && echo old >cache/old && echo secret >secret");
	if (!holds(has_walls)) /* before Linux 5.13 */
		return;
	EXPECT(holds(keeps_to_files));
	EXPECT(holds(reads_headers));
}

/* ---- system calls ---- */

static bool is_refused(long result)
{
	return result == -1 && errno == EPERM;
}

static bool keeps_to_calls(void)
{
	const struct sockaddr_in any = {.sin_family = AF_INET};
	const int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	char *const words[] = {"true", NULL};

	fetcher_walls__raise_for_calls();
	return fd >= 0 && !is_refused(socket(AF_INET6, SOCK_DGRAM, 0)) &&
	       is_refused(socket(AF_UNIX, SOCK_STREAM, 0)) &&
	       is_refused(socket(AF_NETLINK, SOCK_RAW, 0)) &&
	       is_refused(socket(AF_PACKET, SOCK_RAW, 0)) &&
	       is_refused(bind(fd, (const struct sockaddr *)&any, sizeof(any))) &&
	       is_refused(listen(fd, 1)) && is_refused(execve("/bin/true", words, words)) &&
	       is_refused(kill(getppid(), 0)) && is_refused(syscall(SYS_ptrace, 0, 0, 0, 0)) &&
	       is_refused(chmod("/tmp", 0)) && is_refused(setuid(0)) &&
	       is_refused(syscall(SYS_unshare, 0)) &&
	       is_refused(syscall(SYS_io_uring_setup, 1, NULL));
}

static void test_calls(void)
{
	EXPECT(holds(keeps_to_calls));
}

int main(void)
{
	static const struct test tests[] = {
		{"files", test_files},
		{"system calls", test_calls},
		{0},
	};

	scratch_create();
	return run_tests("fetcher_walls", tests);
}
