// SPDX-License-Identifier: GPL-2.0-only
/*
 * Outputs go to files that are replaced, through links that stay, and to files that are written to
 * as they are.
 */
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "base/output/destination.h"
#include "expect.h"
#include "scratch.h"

static const char *content_of(const char *name)
{
	static char text[64];
	FILE *file = fopen(scratch_path(name), "r");
	size_t length = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	text[length] = '\0';
	if (file)
		fclose(file);
	return file ? text : "(not there)";
}

static mode_t mode_of(const char *name)
{
	struct stat status;

	return lstat(scratch_path(name), &status) ? 0 : status.st_mode;
}

/* Returns the number of files that are not whole. */
static size_t count_leftovers(void)
{
	glob_t found = {0};
	size_t nr;

	glob(scratch_path("*.tmp-*"), 0, NULL, &found);
	glob(scratch_path("*.kept-*"), GLOB_APPEND, NULL, &found);
	nr = found.gl_pathc;
	globfree(&found);
	return nr;
}

static int write_to(const char *path, const char *text, int code, struct error *err)
{
	struct destination destination;
	int failed = destination__open(&destination, path, DESTINATION_SHARED, err);

	if (failed)
		return failed;
	fputs(text, destination.out);
	return destination__close(&destination, code, err);
}

static void test_regular_file(void)
{
	struct error err;

	umask(027);
	EXPECT_EQ(write_to(scratch_path("new"), "one", 0, &err), 0);
	EXPECT_STR(content_of("new"), "one");
	EXPECT_EQ(mode_of("new") & 0777, 0640);
	chmod(scratch_path("new"), 0604);
	EXPECT_EQ(write_to(scratch_path("new"), "two", 0, &err), 0);
	EXPECT_STR(content_of("new"), "two");
	EXPECT_EQ(mode_of("new") & 0777, 0604);
	EXPECT_EQ(write_to(scratch_path("new"), "three", -EIO, &err), -EIO);
	EXPECT_STR(content_of("new"), "two");
	EXPECT(strstr(err.text, "cannot write \"") && strstr(err.text, "input/output error"));
	EXPECT_EQ(count_leftovers(), 0);
}

static uid_t owner_of(const char *name)
{
	struct stat status;

	return lstat(scratch_path(name), &status) ? (uid_t)-1 : status.st_uid;
}

static void open_private(const char *name)
{
	struct destination destination;
	struct error err;

	EXPECT_EQ(destination__open(&destination, scratch_path(name), DESTINATION_PRIVATE, &err),
		  0);
	EXPECT_EQ(destination__close(&destination, 0, &err), 0);
}

/*
 * A private file made with sudo belongs to the caller of sudo; SUDO_UID of a user other than root
 * is not believed.
 */
static void test_private_file(void)
{
	const uid_t caller = getuid() ? getuid() : 4711;
	int fd;

	umask(022);
	setenv("SUDO_UID", "4711", 1);
	setenv("SUDO_GID", "4712", 1);
	open_private("private");
	EXPECT_EQ(mode_of("private") & 0777, 0600);
	EXPECT_EQ(owner_of("private"), caller);
	fd = destination__open_growing(scratch_path("growing"));
	EXPECT_EQ(mode_of("growing") & 0777, 0600);
	EXPECT_EQ(owner_of("growing"), caller);
	close(fd);
	setenv("SUDO_UID", "4711x", 1);
	open_private("nobodys");
	EXPECT_EQ(owner_of("nobodys"), getuid());
	setenv("SUDO_UID", "4711", 1);
	chmod(scratch_path("private"), 0644);
	open_private("private");
	EXPECT_EQ(mode_of("private") & 0777, 0644);
	EXPECT_EQ(owner_of("private"), caller);
	unsetenv("SUDO_UID");
	unsetenv("SUDO_GID");
}

/*
 * A stranger's file in the place of an output is replaced or refused, and gets nothing of the
 * output.
 */
static void test_strangers_file(void)
{
	struct error err;
	int fd;

	if (geteuid())
		return; /* only root can make one */
	umask(022);
	scratch_run(
		"for name in secret growing_secret shown; do echo old > $name; chmod 666 $name; "
		"chown 4711:4712 $name; done");
	open_private("secret");
	EXPECT_EQ(mode_of("secret") & 0777, 0600);
	EXPECT_EQ(owner_of("secret"), 0);
	EXPECT_EQ(write_to(scratch_path("shown"), "new", 0, &err), 0);
	EXPECT_EQ(mode_of("shown") & 0777, 0644);
	EXPECT_EQ(owner_of("shown"), 0);
	EXPECT_EQ(destination__open_growing(scratch_path("growing_secret")), -ENOTOURS);
	EXPECT_STR(content_of("growing_secret"), "old\n");
	setenv("SUDO_UID", "4711", 1);
	fd = destination__open_growing(scratch_path("growing_secret"));
	unsetenv("SUDO_UID");
	EXPECT(fd >= 0);
	EXPECT_STR(content_of("growing_secret"), "");
	close(fd);
}

static void test_link(void)
{
	struct error err;

	scratch_run("mkdir there && echo old > there/file && ln -s there/file link && "
		    "ln -s link second");
	EXPECT_EQ(write_to(scratch_path("second"), "new", 0, &err), 0);
	EXPECT(S_ISLNK(mode_of("second")) && S_ISLNK(mode_of("link")));
	EXPECT_STR(content_of("there/file"), "new");
}

static void test_link_to_nothing(void)
{
	struct error err;

	scratch_run("ln -s not_yet dangling");
	EXPECT_EQ(destination__check(scratch_path("dangling"), &err), 0);
	EXPECT(!mode_of("not_yet"));
	EXPECT_EQ(write_to(scratch_path("dangling"), "new", 0, &err), 0);
	EXPECT(S_ISLNK(mode_of("dangling")));
	EXPECT_STR(content_of("not_yet"), "new");
}

/* The earlier bytes of a descriptor's file stay, and later ones come after them. */
static void test_descriptor(void)
{
	int fd = open(scratch_path("shared"), O_WRONLY | O_CREAT, 0666);
	struct error err;
	char path[64];

	EXPECT_EQ(write(fd, "a", 1), 1);
	snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	EXPECT_EQ(destination__check(path, &err), 0);
	EXPECT_EQ(write_to(path, "b", 0, &err), 0);
	snprintf(path, sizeof(path), "/proc/%d/fd/%d", (int)getpid(), fd);
	EXPECT_EQ(write_to(path, "c", 0, &err), 0);
	EXPECT_EQ(write(fd, "d", 1), 1);
	EXPECT_STR(content_of("shared"), "abcd");
	unlink(scratch_path("shared"));
	EXPECT_EQ(write_to(path, "e", 0, &err), 0);
	EXPECT_EQ(lseek(fd, 0, SEEK_END), 5);
	close(fd);
}

static void test_fifo(void)
{
	char text[8] = "";
	struct error err;
	int fd;

	scratch_run("mkfifo pipe && ln -s pipe to_pipe");
	fd = open(scratch_path("pipe"), O_RDONLY | O_NONBLOCK);
	EXPECT_EQ(destination__check(scratch_path("to_pipe"), &err), 0);
	EXPECT_EQ(write_to(scratch_path("to_pipe"), "through", 0, &err), 0);
	EXPECT_EQ(read(fd, text, sizeof(text)), 7);
	EXPECT_STR(text, "through");
	EXPECT(S_ISFIFO(mode_of("pipe")));
	EXPECT_EQ(write_to("/dev/full", "nowhere", 0, &err), -ENOSPC);
	EXPECT_STR(err.text, "cannot write \"/dev/full\": no space left on device");
	close(fd);
}

/* A write does not wait for a reader that never comes, and no link leads to a device. */
static void test_nobody_reads(void)
{
	struct error err;

	scratch_run("mkfifo lonely && ln -s lonely to_lonely && ln -s /dev/full to_device");
	EXPECT_EQ(write_to(scratch_path("to_lonely"), "nowhere", 0, &err), -ENXIO);
	EXPECT(strstr(err.text, "; no program reads it"));
	EXPECT_EQ(destination__check(scratch_path("to_device"), &err), -ELOOP);
	EXPECT(strstr(err.text, "; a device is written to by its own name only"));
	EXPECT_EQ(write_to(scratch_path("to_device"), "nowhere", 0, &err), -ELOOP);
	EXPECT_EQ(destination__open_growing(scratch_path("to_device")), -ELOOP);
	EXPECT(S_ISFIFO(mode_of("lonely")));
}

/* Something that a rename cannot replace stands there when all is written. */
static void test_kept(void)
{
	struct destination destination;
	struct error err;

	EXPECT_EQ(destination__open(&destination, scratch_path("kept"), DESTINATION_SHARED, &err),
		  0);
	fputs("precious", destination.out);
	scratch_run("mkdir kept");
	EXPECT_EQ(destination__close(&destination, 0, &err), -EISDIR);
	EXPECT_EQ(count_leftovers(), 1);
	scratch_run("grep -q precious kept.kept-* && mv kept.* kept/");
	EXPECT(strstr(err.text, "is a directory; all of it is in /"));
	EXPECT(strstr(err.text, "/kept.kept-"));
}

static void test_check(void)
{
	struct error err;

	EXPECT_EQ(destination__check(scratch_path("unborn"), &err), 0);
	EXPECT(!mode_of("unborn"));
	EXPECT_EQ(destination__check("-", &err), 0);
	EXPECT_EQ(destination__check(scratch_path("no/such"), &err), -ENOENT);
	EXPECT_EQ(destination__check(scratch_path("."), &err), -EISDIR);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT_EQ(count_leftovers(), 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"a file is replaced when it is whole, and keeps its mode", test_regular_file},
		{"a private file is its owner's, and sudo's caller's", test_private_file},
		{"a stranger's file is neither kept nor grown", test_strangers_file},
		{"a link stays, and what it leads to is replaced", test_link},
		{"a link that leads to nothing yet", test_link_to_nothing},
		{"a descriptor of our own is shared", test_descriptor},
		{"a FIFO and a device are written to", test_fifo},
		{"a FIFO that nobody reads, a link to a device", test_nobody_reads},
		{"what is whole is kept when it cannot get its name", test_kept},
		{"checking beforehand leaves nothing behind", test_check},
		{0},
	};

	scratch_create();
	return run_tests("destination", tests);
}
