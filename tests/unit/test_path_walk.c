// SPDX-License-Identifier: GPL-2.0-only
/*
 * Paths are walked as the kernel does, but links of other users are not followed with any setting
 * of the kernel.
 */
#include "base/output/path_walk.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#include "base/output/destination.h"
#include "expect.h"
#include "scratch.h"

#define OWNER	 4711 /* of directories */
#define STRANGER 4712

static bool is_same(int fd, const char *path)
{
	struct stat a, b;

	return fd >= 0 && !fstat(fd, &a) && !stat(path, &b) && a.st_dev == b.st_dev &&
	       a.st_ino == b.st_ino;
}

/* The kernel's answer for a path is right, where other users cannot make links. */
static void test_as_the_kernel(void)
{
	static const char *const paths[] = {
		"file",	       "d/e/f",	      "d//e/./../e/f", "to_file", "to_to_file",
		"to_dir/e/f",  "up/file",     "absolute",      "d/back",  "proc_self/status",
		"d/e/f/",      "file/x",      "d/e/f/..",      "loop",	  "none/x",
		"to_file/x",   "d/",	      "to_dir/",       ".",	  "d/..",
		"to_to_dir/e", "proc_root/x", "to_file/",      "",
	};

	scratch_run(
		"mkdir -p d/e && touch file d/e/f && ln -s file to_file && "
		"ln -s to_file to_to_file && ln -s d to_dir && ln -s to_dir/ to_to_dir && "
		"ln -s d/.. up && ln -s \"$PWD//d/e/f\" absolute && ln -s ../file d/back && "
		"ln -s loop loop && ln -s /proc/self proc_self && ln -s /proc/self/root proc_root");
	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		const char *path = *paths[i] ? scratch_path(paths[i]) : "";
		const int fd = open(path, O_PATH | O_CLOEXEC);
		const int expected = fd < 0 ? -errno : 0;
		struct walked_path place;
		const int code = path_walk__find(&place, path);

		if (!code && place.fd < 0)
			EXPECT_EQ(-ENOENT, expected);
		else
			EXPECT_EQ(code, expected);
		if (!code && place.fd >= 0)
			EXPECT(is_same(place.fd, path));
		if (!code)
			path_walk__close(&place);
		if (fd >= 0)
			close(fd);
	}
}

static void test_not_there(void)
{
	struct walked_path place;
	int fd;

	scratch_run("mkdir new && ln -s new/born dangling");
	EXPECT_EQ(path_walk__find(&place, scratch_path("dangling")), 0);
	EXPECT_EQ(place.fd, -1);
	EXPECT_STR(place.name, "born");
	EXPECT(place.is_linked);
	EXPECT(is_same(place.directory, scratch_path("new")));
	/* The place stays the same when its path leads elsewhere. */
	scratch_run("mv new old && ln -s /nowhere new");
	fd = path_walk__open(&place, O_WRONLY | O_CREAT | O_EXCL, 0600);
	EXPECT(is_same(fd, scratch_path("old/born")));
	close(fd);
	path_walk__close(&place);
	EXPECT_EQ(path_walk__find(&place, scratch_path("absent/")), -EISDIR);
}

static void test_directories(void)
{
	int fd = path_walk__open_directory(scratch_path("made/for//us/"), true);

	EXPECT(is_same(fd, scratch_path("made/for/us")));
	close(fd);
	EXPECT_EQ(path_walk__open_directory(scratch_path("made/no"), false), -ENOENT);
	scratch_run("touch made/file");
	EXPECT_EQ(path_walk__open_directory(scratch_path("made/file"), true), -ENOTDIR);
}

/*
 * Makes a directory of mode with a link of links_owner in it, and walks path through it. Returns
 * the code.
 */
static int find_through(mode_t mode, uid_t owner, uid_t links_owner, const char *path)
{
	struct walked_path place;
	int code;

	scratch_run("rm -rf tmp && mkdir -p tmp victim && touch victim/file && "
		    "ln -s ../victim/file tmp/link && ln -s ../victim tmp/dir && "
		    "chown -h %u tmp/link tmp/dir && chown %u tmp && chmod %o tmp",
		    links_owner, owner, mode);
	code = path_walk__find(&place, scratch_path(path));
	if (!code)
		path_walk__close(&place);
	return code;
}

static void test_strangers(void)
{
	static const struct {
		mode_t mode;
		bool is_shared;
	} modes[] = {{0777, false}, {01755, false}, {01777, true}, {01775, true}, {01773, true}};

	if (geteuid() != 0)
		return;
	scratch_run("ln -s tmp/link mine");
	for (size_t i = 0; i < sizeof(modes) / sizeof(modes[0]); i++) {
		const int expected = modes[i].is_shared ? -ESTRANGER : 0;

		EXPECT_EQ(find_through(modes[i].mode, OWNER, STRANGER, "tmp/link"), expected);
		EXPECT_EQ(find_through(modes[i].mode, OWNER, STRANGER, "tmp/dir/file"), expected);
	}
	EXPECT_EQ(find_through(01777, OWNER, STRANGER, "mine"), -ESTRANGER);
	EXPECT_EQ(find_through(01777, OWNER, OWNER, "tmp/link"), 0);
	EXPECT_EQ(find_through(01777, OWNER, 0, "tmp/link"), 0);
	EXPECT_EQ(find_through(01777, 0, STRANGER, "tmp/link"), -ESTRANGER);
	EXPECT_EQ(find_through(01777, 0, STRANGER, "tmp/../tmp/link"), -ESTRANGER);
}

/* Outputs and directories say so, and leave alone what is behind it. */
static void test_outputs(void)
{
	struct destination destination;
	struct error err;

	if (geteuid() != 0)
		return;
	EXPECT_EQ(find_through(01777, 0, STRANGER, "tmp/link"), -ESTRANGER);
	scratch_run("echo precious > victim/file");
	EXPECT_EQ(destination__check(scratch_path("tmp/link"), &err), -ESTRANGER);
	EXPECT_EQ(
		destination__open(&destination, scratch_path("tmp/link"), DESTINATION_SHARED, &err),
		-ESTRANGER);
	EXPECT_EQ(err.exit_code, EXIT_INTERNAL);
	EXPECT(strstr(err.text, "/tmp/link\": a link in it is another user's and lies where "
				"anybody may put links; name what it leads to instead"));
	EXPECT_EQ(destination__open_growing(scratch_path("tmp/link")), -ESTRANGER);
	EXPECT_EQ(path_walk__open_directory(scratch_path("tmp/dir"), true), -ESTRANGER);
	scratch_run("grep -q precious victim/file && test -L tmp/link");
}

int main(void)
{
	static const struct test tests[] = {
		{"paths lead where the kernel says", test_as_the_kernel},
		{"what is not there yet has a directory and a name", test_not_there},
		{"directories are made on the way", test_directories},
		{"a stranger's link in a shared directory is not followed", test_strangers},
		{"outputs do not go through one", test_outputs},
		{0},
	};

	scratch_create();
	return run_tests("place", tests);
}
