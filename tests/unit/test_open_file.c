// SPDX-License-Identifier: GPL-2.0-only
/* Files of all kinds where regular ones are expected: what is opened, and what is refused. */
#include "processes/open_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "expect.h"
#include "scratch.h"

static int open_directory(const char *path)
{
	return open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
}

/* 0 or negative errno. */
static int try_below(const char *root, const char *path, bool follow)
{
	const int directory = open_directory(root);
	const int fd = open_file__below(directory, path, follow);

	close(directory);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static void test_kinds(void)
{
	scratch_run("mkdir d; echo text > d/file; mkfifo d/fifo; ln -s file d/link");
	EXPECT_EQ(try_below(scratch_directory, "/d/file", true), 0);
	EXPECT_EQ(try_below(scratch_directory, "/d/file", false), 0);
	EXPECT_EQ(try_below(scratch_directory, "/d/fifo", true), -EINVAL);
	EXPECT_EQ(try_below(scratch_directory, "/d", true), -EINVAL);
	EXPECT_EQ(try_below(scratch_directory, "/d/none", true), -ENOENT);
	EXPECT_EQ(try_below("/dev", "null", true), -EINVAL);
	EXPECT_EQ(open_file__below(-1, "/d/file", true), -ENOENT);
}

static void test_links(void)
{
	scratch_run("mkdir -p e/f; echo text > e/file; ln -s ../file e/f/link; ln -s f e/g;"
		    "ln -s /etc/passwd e/out; ln -s ../../../../../../etc/passwd e/up");
	EXPECT_EQ(try_below(scratch_directory, "/e/f/link", true), 0);
	EXPECT_EQ(try_below(scratch_directory, "/e/f/link", false), -ENOENT);
	EXPECT_EQ(try_below(scratch_directory, "/e/g/link", true), 0);
	EXPECT_EQ(try_below(scratch_directory, "/e/out", true), -ENOENT);
	EXPECT_EQ(try_below(scratch_directory, "/e/up", true), -ENOENT);
	EXPECT_EQ(try_below("/proc", "self/exe", true), -ENOENT);
}

static void test_files_of_the_kernel(void)
{
	EXPECT_EQ(try_below("/", "/proc/version", true), -EMEDIUMTYPE);
	EXPECT_EQ(try_below("/", "/proc/self/maps", true), -EMEDIUMTYPE);
	EXPECT_EQ(try_below("/", "/sys/kernel/mm/transparent_hugepage/enabled", true),
		  -EMEDIUMTYPE);
}

/* ---- mounts of a namespace of our own ---- */

static bool enter_namespace(void)
{
	if (geteuid() && unshare(CLONE_NEWUSER))
		return false;
	return !unshare(CLONE_NEWNS) && !mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL);
}

enum trial {
	NO_NAMESPACE = 10, /* a process that may not make one sees no mounts either */
	NO_MOUNTS,
	FILE_MOUNTS_OPENED,
	DIRECTORY_MOUNTS_REFUSED,
};

static enum trial try_mounts(void)
{
	const char *directory = scratch_path("m/directory");

	if (!enter_namespace())
		return NO_NAMESPACE;
	if (mount("/proc/version", scratch_path("m/map"), NULL, MS_BIND, NULL) ||
	    mount(scratch_path("m/other"), scratch_path("m/file"), NULL, MS_BIND, NULL) ||
	    mount("none", directory, "tmpfs", 0, NULL))
		return NO_MOUNTS;
	scratch_write("m/directory/file", "text");
	if (try_below(scratch_directory, "/m/map", false) != -EMEDIUMTYPE ||
	    try_below(scratch_directory, "/m/file", false) != -EMEDIUMTYPE ||
	    try_below(scratch_directory, "/m/file", true) != -EMEDIUMTYPE)
		return FILE_MOUNTS_OPENED;
	if (try_below(scratch_directory, "/m/directory/file", false) ||
	    try_below(directory, "/file", false))
		return DIRECTORY_MOUNTS_REFUSED;
	return 0;
}

static void test_mounts(void)
{
	int status;
	pid_t pid;

	scratch_run("mkdir -p m/directory; echo text > m/map; echo text > m/file; echo > m/other");
	pid = fork();
	if (pid == 0)
		_exit(try_mounts());
	EXPECT(waitpid(pid, &status, 0) == pid && WIFEXITED(status));
	EXPECT_EQ(WEXITSTATUS(status), WEXITSTATUS(status) == NO_NAMESPACE ? NO_NAMESPACE : 0);
}

/* ---- mapped files ---- */

static int try_mapped(const char *path, const struct stat *status, void *address)
{
	const struct mapping mapping = {.start = (uintptr_t)address,
					.end = (uintptr_t)address + 4096,
					.inode = status->st_ino,
					.major = major(status->st_dev),
					.minor = minor(status->st_dev),
					.path = path};
	const struct mapped_by by = {.pid = getpid(), .start = mapping.start, .end = mapping.end};
	const struct search_roots nowhere = {0};
	const int fd = open_file__mapped(&mapping, &by, &nowhere);

	if (fd >= 0)
		close(fd);
	return fd < 0 ? fd : 0;
}

static void test_mapped(void)
{
	const char *const path = scratch_path("mapped");
	struct stat status;
	void *page;
	int fd;

	scratch_write("mapped", "text");
	scratch_run("mkfifo pipe");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(fstat(fd, &status), 0);
	page = mmap(NULL, 4096, PROT_READ, MAP_PRIVATE, fd, 0);
	close(fd);
	EXPECT_EQ(try_mapped(path, &status, page), 0);
	EXPECT_EQ(try_mapped(path, &status, NULL), 0); /* by its path alone */
	status.st_ino++;
	EXPECT_EQ(try_mapped(path, &status, page), -ENOENT);
	EXPECT(try_mapped(scratch_path("pipe"), &status, NULL) < 0);
	EXPECT(try_mapped("/proc/version", &status, NULL) < 0);
	munmap(page, 4096);
}

int main(void)
{
	static const struct test tests[] = {
		{"kinds of files", test_kinds},
		{"symbolic links", test_links},
		{"files of the kernel", test_files_of_the_kernel},
		{"files that are mounts", test_mounts},
		{"mapped files", test_mapped},
		{0},
	};

	scratch_create();
	return run_tests("open_file", tests);
}
