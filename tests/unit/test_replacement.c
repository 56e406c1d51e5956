// SPDX-License-Identifier: GPL-2.0-only
/* Files that take the place of others, and leftovers of killed owners. */
#include "base/output/replacement.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include "expect.h"
#include "scratch.h"

/* Returns the names in the directory of the test: "a b". */
static const char *left(void)
{
	static char names[512];
	struct dirent **entries;
	int nr = scandir(scratch_path("."), &entries, NULL, alphasort);
	size_t length = 0;

	*names = '\0';
	for (int i = 0; i < nr; i++) {
		if (entries[i]->d_name[0] != '.')
			length += (size_t)snprintf(names + length, sizeof(names) - length, "%s%s",
						   length ? " " : "", entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return names;
}

static int replace(struct replacement *replacement, const char *text)
{
	const int directory = open(scratch_path("."), O_PATH | O_DIRECTORY);
	int code = replacement__open(replacement, directory, "file");

	if (!code)
		EXPECT_EQ(write(replacement->fd, text, strlen(text)), (ssize_t)strlen(text));
	return code;
}

static int take(struct replacement *replacement)
{
	char *kept;
	int code = replacement__take_place(replacement, &kept);

	free(kept);
	close(replacement->fd);
	return code;
}

static const char *content(void)
{
	static char text[64];
	FILE *file = fopen(scratch_path("file"), "r");

	if (!file || !fgets(text, sizeof(text), file))
		*text = '\0';
	if (file)
		fclose(file);
	return text;
}

static void test_places(void)
{
	struct replacement replacement;

	EXPECT_EQ(replace(&replacement, "one"), 0);
	EXPECT_EQ(take(&replacement), 0);
	EXPECT_STR(content(), "one");
	EXPECT_EQ(replace(&replacement, "two"), 0);
	EXPECT_STR(content(), "one");
	EXPECT_EQ(take(&replacement), 0);
	EXPECT_STR(content(), "two");
	EXPECT_EQ(replace(&replacement, "three"), 0);
	replacement__abandon(&replacement);
	close(replacement.fd);
	EXPECT_STR(content(), "two");
	EXPECT_STR(left(), "file");
	EXPECT_EQ(replacement__open(&replacement, -1, "file"), -EBADF);
}

/* The new file is complete, and another one stands in its place: neither is lost. */
static void test_kept(void)
{
	struct replacement replacement;
	char *kept;

	EXPECT_EQ(replace(&replacement, "precious"), 0);
	scratch_run("rm file && mkdir file");
	EXPECT_EQ(replacement__take_place(&replacement, &kept), -EISDIR);
	close(replacement.fd);
	scratch_run("grep -q precious '%s' && rmdir file", kept);
	EXPECT_EQ(replace(&replacement, "next"), 0);
	EXPECT_EQ(take(&replacement), 0);
	scratch_run("grep -q precious '%s' && rm '%s' file", kept, kept);
	free(kept);
}

/* Gives up all capabilities by which root names, reads and writes files of others. */
static void be_a_poor_root(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {0};

	EXPECT_EQ(syscall(SYS_capset, &header, none), 0);
}

static int replace_as_poor_root(void)
{
	struct replacement replacement;

	if (replace(&replacement, "anothers") || fchown(replacement.fd, 4711, 4712) ||
	    fchmod(replacement.fd, 0640))
		return 1;
	be_a_poor_root();
	return take(&replacement) ? 2 : 0;
}

/*
 * The kernel does not let it be linked (fs.protected_hardlinks): it is copied, to a new name or an
 * old one.
 */
static void test_anothers(void)
{
	int status;

	if (geteuid() != 0)
		return;
	for (int i = 0; i < 2; i++) {
		const pid_t pid = fork();

		if (pid == 0)
			_exit(replace_as_poor_root());
		EXPECT_EQ(waitpid(pid, &status, 0), pid);
		EXPECT_EQ(status, 0);
		EXPECT_STR(content(), "anothers");
		EXPECT_STR(left(), "file");
	}
	scratch_run("rm file");
}

static void test_killed(void)
{
	struct replacement replacement;
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		if (!replace(&replacement, "half"))
			raise(SIGKILL);
		_exit(1);
	}
	EXPECT_EQ(waitpid(pid, &status, 0), pid);
	EXPECT_EQ(WTERMSIG(status), SIGKILL);
	EXPECT_EQ(replace(&replacement, "whole"), 0);
	EXPECT_EQ(take(&replacement), 0);
	EXPECT_STR(left(), "file");
	scratch_run("rm file");
}

/* Temporary files of this one name whose owner is gone, and nothing else. */
static void test_swept(void)
{
	struct replacement replacement;
	int fd;

	scratch_run(
		"touch file.tmp-0123abcd file.tmp-89abcdef file.tmp-0123abcd0 file.tmp-0123ABCD "
		"file.tmp-backup1 files.tmp-0123abcd file.kept-0123abcd && "
		"ln -s nothing file.tmp-00000000 && mkdir file.tmp-11111111");
	fd = open(scratch_path("file.tmp-89abcdef"), O_RDONLY);
	EXPECT_EQ(flock(fd, LOCK_EX), 0);
	EXPECT_EQ(replace(&replacement, "new"), 0);
	EXPECT_EQ(take(&replacement), 0);
	EXPECT_STR(left(),
		   "file file.kept-0123abcd file.tmp-00000000 file.tmp-0123ABCD "
		   "file.tmp-0123abcd0 file.tmp-11111111 file.tmp-89abcdef file.tmp-backup1 "
		   "files.tmp-0123abcd");
	close(fd);
}

int main(void)
{
	static const struct test tests[] = {
		{"a file is new, replaced, or stays", test_places},
		{"what cannot get its name is kept, and not swept", test_kept},
		{"what the kernel does not let us link is copied", test_anothers},
		{"nothing is left of what was killed", test_killed},
		{"what was left behind is swept", test_swept},
		{0},
	};

	scratch_create();
	return run_tests("replacement", tests);
}
