// SPDX-License-Identifier: GPL-2.0-only
/* Mapped files that are gone, replaced, rewritten, deleted or no files at all, and many of them. */
#include "processes/mapped_files.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "descriptors.h"
#include "made_up.h"

static void test_other_files(void)
{
	const char *const path = scratch_path("one");
	struct stat status, other;
	uint64_t now_ns;

	build("one", "only_in_one");
	status = status_of(path);
	now_ns = monotonic_ns();
	begin();
	other = status;
	other.st_ino++;
	tell_program(PID, now_ns, path, 0x1000, &other);
	resolve(PID, now_ns, PLACE + 4);
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, "one");
	EXPECT_STR(frame.path, path);
	EXPECT_STR(frame.build_id, NULL);
	EXPECT_EQ(frame.address, 0x1004);
	other = status;
	other.st_dev = makedev(major(status.st_dev) + 1, minor(status.st_dev));
	tell_program(PID + 1, now_ns, path, 0x1000, &other);
	resolve(PID + 1, now_ns, PLACE);
	EXPECT_STR(frame.function, NULL);
	/* A file that came later than the sample: its inode was another file's then. */
	tell_program(PID + 2, 1, path, offset_in(path), &status);
	resolve(PID + 2, 2, PLACE);
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, "one");
	/* None of that keeps the right one from its names. */
	tell_program(PID + 3, now_ns, path, offset_in(path), &status);
	resolve(PID + 3, now_ns, PLACE);
	EXPECT_STR(frame.function, "only_in_one");
	resolve(PID + 2, 2, PLACE);
	EXPECT_STR(frame.function, NULL);
	end();
}

static void check_not_read(const char *name)
{
	const char *path = scratch_path(name);
	struct stat status;

	EXPECT_EQ(lstat(path, &status), 0);
	begin();
	tell_program(PID, monotonic_ns(), path, 0x1000, &status);
	resolve(PID, monotonic_ns(), PLACE + 4);
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, name);
	EXPECT_EQ(frame.address, 0x1004);
	EXPECT_EQ(frame.kind, FRAME_USER);
	/* We do not have the FIFO open for reading, as a writer would notice. */
	if (S_ISFIFO(status.st_mode))
		EXPECT_EQ(open(path, O_WRONLY | O_NONBLOCK), -1);
	end();
}

static void test_no_programs(void)
{
	build("one", "only_in_one");
	scratch_write("text", "this is not a program, but long enough to be looked at for a while");
	scratch_run("mkfifo fifo; ln -sf one link; mkdir directory");
	check_not_read("text");
	check_not_read("fifo"); /* and does not wait for a writer */
	check_not_read("link");
	check_not_read("directory");
	begin();
	tell_program(PID, 1, "/no/such/file", 0x1000, NULL);
	resolve(PID, 2, PLACE);
	EXPECT_STR(frame.module, "file");
	tell_program(PID, 3, "//toolong", 0x1000, NULL);
	resolve(PID, 4, PLACE);
	EXPECT_STR(frame.module, "toolong");
	tell_program(PID, 5, "/", 0x1000, NULL);
	resolve(PID, 6, PLACE);
	EXPECT_STR(frame.module, "/");
	tell_program(PID, 7, "relative", 0x1000, NULL);
	resolve(PID, 8, PLACE);
	EXPECT_STR(frame.module, "relative");
	end();
}

/* Through a link on the way to it a path leads somewhere else than the kernel meant. */
static void test_links_in_paths(void)
{
	struct stat status;

	scratch_run("mkdir -p real && ln -sf real linked");
	build("real/one", "only_in_one");
	status = status_of(scratch_path("real/one"));
	begin();
	tell_program(PID, monotonic_ns(), scratch_path("linked/one"), 0x1000, &status);
	resolve(PID, monotonic_ns(), PLACE);
	EXPECT_STR(frame.function, NULL);
	end();
}

/*
 * A file that failed for one process is tried again for the next; an open one needs no path any
 * more.
 */
static void test_file_that_goes(void)
{
	const char *const path = scratch_path("one");
	struct stat status;
	uint64_t now_ns, offset;
	const char *function;

	build("one", "only_in_one");
	status = status_of(path);
	offset = offset_in(path);
	now_ns = monotonic_ns();
	begin();
	scratch_run("mv one elsewhere");
	tell_program(PID, now_ns, path, offset, &status);
	resolve(PID, now_ns, PLACE);
	EXPECT_STR(frame.function, NULL);
	scratch_run("mv elsewhere one");
	resolve(PID, now_ns, PLACE);
	EXPECT_STR(frame.function, NULL); /* once a process */
	tell_program(PID + 1, now_ns, path, offset, &status);
	resolve(PID + 1, now_ns, PLACE);
	EXPECT_STR(frame.function, "only_in_one");
	function = frame.function;
	resolve(PID, now_ns, PLACE);
	EXPECT_STR(frame.function, "only_in_one");
	scratch_run("rm one");
	tell_program(PID + 2, now_ns + 10, path, offset, &status);
	resolve(PID + 2, now_ns + 10, PLACE + 1);
	EXPECT_STR(frame.function, "only_in_one");
	EXPECT(frame.function == function);
	/* The same path, another file. */
	build("one", "another");
	status = status_of(path);
	tell_program(PID + 3, monotonic_ns(), path, offset, &status);
	resolve(PID + 3, monotonic_ns(), PLACE);
	EXPECT_STR(frame.function, "another");
	resolve(PID, now_ns, PLACE);
	EXPECT_STR(frame.function, "only_in_one");
	end();
}

/* The same inode with other contents: a library that somebody copied another one over. */
static void test_rewritten_file(void)
{
	const char *const path = scratch_path("library");
	struct stat status;
	uint64_t before_ns, offset;

	build("library", "version_one");
	build("update", "version_two");
	status = status_of(path);
	offset = offset_in(path);
	before_ns = monotonic_ns();
	begin();
	tell_program(PID, before_ns, path, offset, &status);
	resolve(PID, before_ns, PLACE);
	EXPECT_STR(frame.function, "version_one");
	scratch_run("sleep 0.02; cat update > library");
	EXPECT_EQ(status_of(path).st_ino, status.st_ino);
	tell_program(PID + 1, monotonic_ns(), path, offset, &status);
	resolve(PID + 1, monotonic_ns(), PLACE);
	EXPECT_STR(frame.function, "version_two");
	resolve(PID, before_ns, PLACE);
	EXPECT(!frame.function || !strcmp(frame.function, "version_one"));
	EXPECT_STR(frame.module, "library");
	end();
}

/* The address of main as nm has it. */
static uint64_t main_of(const char *path)
{
	char command[512], line[256] = "";
	uint64_t address = 0;
	FILE *nm;

	snprintf(command, sizeof(command), "nm '%s' | grep ' T main$'", path);
	nm = popen(command, "r");
	EXPECT(fgets(line, sizeof(line), nm));
	pclose(nm);
	EXPECT_EQ(sscanf(line, "%lx", &address), 1);
	return address;
}

/* A program that runs after its file is gone: only map_files leads to that. */
static void test_deleted_program(void)
{
	char path[64], link[4096] = "";
	struct image *image;
	uint64_t address;
	pid_t child;

	scratch_write("program.c", "#include <unistd.h>\nint main(void) { for (;;) pause(); }\n");
	scratch_run("cc -O1 -no-pie -fno-pie -o 'a sleeper' program.c");
	address = main_of(scratch_path("a sleeper"));
	child = fork();
	if (child == 0) {
		execl(scratch_path("a sleeper"), "sleeper", NULL);
		_exit(1);
	}
	snprintf(path, sizeof(path), "/proc/%d/exe", child);
	while (readlink(path, link, sizeof(link) - 1) < 0 || !strstr(link, "a sleeper"))
		usleep(1000);
	scratch_run("rm 'a sleeper'");
	begin();
	image = image_of(child);
	symbols__resolve(symbols, image, address, false, &frame);
	EXPECT_STR(frame.module, "a sleeper");
	EXPECT_STR(frame.path, scratch_path("a sleeper"));
	if (geteuid() == 0) /* map_files wants CAP_CHECKPOINT_RESTORE */
		EXPECT_STR(frame.function, "main");
	end();
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
}

/* ---- bounds ---- */

static void test_many_files(void)
{
	const uint64_t now_ns = monotonic_ns() + 60000000000ULL; /* after they were made */
	char name[32];
	uint64_t offset;
	size_t before;
	int i, round;

	build("one", "only_in_one");
	offset = offset_in(scratch_path("one"));
	scratch_run("for i in $(seq 400); do cp one many-$i; done");
	begin();
	before = count_descriptors();
	for (round = 0; round < 2; round++) {
		for (i = 1; i <= 400; i++) {
			struct stat status;

			snprintf(name, sizeof(name), "many-%d", i);
			status = status_of(scratch_path(name));
			tell_program(PID + i, now_ns, scratch_path(name), offset, &status);
			resolve(PID + i, now_ns, PLACE);
			EXPECT_STR(frame.function, "only_in_one");
			EXPECT_STR(frame.module, name);
		}
	}
	EXPECT(count_descriptors() <= before + 256);
	EXPECT(symbols__memory_bytes(symbols) < 2 << 20);
	for (i = 1; i <= 400; i++)
		tell(PROCESS_EXITED, PID + i, now_ns + 1);
	symbols__forget(symbols, now_ns + 2);
	symbols__forget(symbols, now_ns + 100000000000ULL);
	EXPECT_EQ(count_descriptors(), before);
	EXPECT_STR(frame.module, "many-400"); /* frames outlive what they came from */
	end();
}

/* The one whose last use is the oldest goes first, wherever it was in between. */
static void test_order_of_use(void)
{
	static const char *const names[] = {"first", "second", "third"};
	const struct mapped_file_user user = {
		.by = {.pid = PID}, .serial = 1, .seen_ns = UINT64_MAX >> 1};
	struct mapped_file *file[3];
	struct mapped_files files;

	mapped_files__init(&files, NULL);
	for (size_t i = 0; i < 3; i++) {
		struct mapping mapping = {.path = scratch_path(names[i])};
		struct stat status;

		scratch_write(names[i], "contents");
		status = status_of(mapping.path);
		mapping.inode = status.st_ino;
		mapping.major = major(status.st_dev);
		mapping.minor = minor(status.st_dev);
		file[i] = mapped_files__get(&files, &mapping);
		EXPECT(mapped_file__open(file[i], &user));
	}
	EXPECT(mapped_file__open(file[0], &user));
	EXPECT(mapped_file__open(file[1], &user));
	EXPECT(mapped_file__open(file[1], &user));
	EXPECT(mapped_files__close_oldest(&files));
	EXPECT(file[0]->fd >= 0 && file[1]->fd >= 0 && file[2]->fd < 0);
	EXPECT(mapped_files__close_oldest(&files));
	EXPECT(file[0]->fd < 0 && file[1]->fd >= 0);
	EXPECT(mapped_file__open(file[2],
				 &(struct mapped_file_user){{.pid = PID}, 2, user.seen_ns}));
	EXPECT(mapped_files__close_oldest(&files));
	EXPECT(mapped_files__close_oldest(&files));
	EXPECT_EQ(files.nr_open, 0);
	EXPECT(!mapped_files__close_oldest(&files));
	mapped_files__fini(&files);
}

int main(void)
{
	static const struct test tests[] = {
		{"other files", test_other_files},
		{"files that are no programs", test_no_programs},
		{"links in paths", test_links_in_paths},
		{"a file that goes", test_file_that_goes},
		{"a rewritten file", test_rewritten_file},
		{"a deleted program", test_deleted_program},
		{"many files", test_many_files},
		{"the order of use", test_order_of_use},
		{0},
	};

	scratch_create();
	return run_tests("mapped_files", tests);
}
