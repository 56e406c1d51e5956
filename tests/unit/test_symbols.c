// SPDX-License-Identifier: GPL-2.0-only
/*
 * From (process, address) to a frame: our own functions as dlsym and dladdr know them, files that
 * are gone, replaced, rewritten or no files at all, and processes of made-up events.
 */
#include "symbols/symbols.h"

#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <gnu/libc-version.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "expect.h"
#include "processes.h"
#include "scratch.h"

#define PID   0x40000000 /* above every pid_max */
#define PLACE 0x7f0000000000ULL

static struct symbols *symbols;
static struct frame frame;

static void begin(void)
{
	const struct symbols_options options = {.demangle = true};

	symbols = symbols__new(&options);
}

static void end(void)
{
	symbols__free(symbols);
	symbols = NULL;
}

static struct image *image_of(pid_t pid)
{
	const struct process process = {
		.pid = pid, .start_ns = process_start_ns(pid), .seen_ns = monotonic_ns()};

	EXPECT_EQ(symbols__read_process(symbols, pid), 0);
	return symbols__image(symbols, &process);
}

static struct image *own_image(void)
{
	return image_of(getpid());
}

/* ---- events of processes that nobody can look up ---- */

static void tell(enum process_event_type type, int32_t pid, uint64_t time_ns)
{
	const struct process_event event = {.type = type, .pid = pid, .time_ns = time_ns};

	symbols__observe(symbols, &event);
}

/* The first segment of code of a file, as a program header says, at some address. */
static void tell_map(int32_t pid, uint64_t time_ns, uint64_t start, uint64_t offset,
		     const char *path, const struct stat *status)
{
	const struct process_event event = {
		.type = PROCESS_MAPPED,
		.pid = pid,
		.time_ns = time_ns,
		.mapping = {.start = start,
			    .end = start + 0x10000,
			    .offset = offset,
			    .inode = status ? status->st_ino : 0,
			    .major = status ? major(status->st_dev) : 0,
			    .minor = status ? minor(status->st_dev) : 0,
			    .path = path},
	};

	symbols__observe(symbols, &event);
}

static void resolve(int32_t pid, uint64_t seen_ns, uint64_t address)
{
	const struct process process = {.pid = pid, .start_ns = 5, .seen_ns = seen_ns};

	symbols__resolve(symbols, symbols__image(symbols, &process), address, false, &frame);
}

/* ---- files whose functions are known ---- */

/* A function with this name, at the same address and file offset in every file made by this. */
static void build(const char *name, const char *function)
{
	char source[512];

	snprintf(source, sizeof(source),
		 "__asm__(\".globl %s\\n.type %s, @function\\n%s: .skip 64, 0x90\\n\"\n"
		 "\".size %s, 64\\n\");\nvoid _start(void) { for (;;); }\n",
		 function, function, function, function);
	scratch_write("program.c", source);
	scratch_run("cc -O1 -nostdlib -static -no-pie -fno-pie -Wl,-Ttext=0x401000 "
		    "-Wl,-z,max-page-size=4096 -Wl,--build-id -o %s program.c",
		    name);
}

/* Where the function is in such a file. */
static uint64_t offset_in(const char *path)
{
	static const char nops[] = "\x90\x90\x90\x90\x90\x90\x90\x90";
	char text[65536];
	int fd = open(path, O_RDONLY);
	ssize_t length = read(fd, text, sizeof(text));
	char *found = memmem(text, (size_t)length, nops, 8);

	close(fd);
	EXPECT(found);
	return (uint64_t)(found - text);
}

static struct stat status_of(const char *path)
{
	struct stat status;

	EXPECT_EQ(stat(path, &status), 0);
	return status;
}

/* A process that maps the file at PLACE, so that the function is there. */
static void tell_program(int32_t pid, uint64_t time_ns, const char *path, uint64_t offset,
			 const struct stat *status)
{
	tell(PROCESS_EXECED, pid, time_ns);
	tell_map(pid, time_ns, PLACE, offset, path, status);
}

/* ---- our own process ---- */

static void check_own(struct image *image, void *function, const char *name, const char *module)
{
	const uint64_t address = (uintptr_t)function;
	Dl_info info;

	EXPECT(dladdr(function, &info));
	symbols__resolve(symbols, image, address, false, &frame);
	EXPECT_STR(frame.function, name);
	EXPECT_STR(frame.module, module);
	EXPECT_EQ(frame.offset, 0);
	EXPECT_EQ(frame.address, address - (uintptr_t)info.dli_fbase);
	EXPECT_EQ(frame.kind, FRAME_USER);
	symbols__resolve(symbols, image, address + 1, false, &frame);
	EXPECT_STR(frame.function, name);
	EXPECT_EQ(frame.offset, 1);
	/* A call that is the last instruction of what is before it. */
	symbols__resolve(symbols, image, address, true, &frame);
	EXPECT(!frame.function || strcmp(frame.function, name));
	EXPECT_EQ(frame.address, address - (uintptr_t)info.dli_fbase);
	symbols__resolve(symbols, image, address + 1, true, &frame);
	EXPECT_STR(frame.function, name);
	EXPECT_EQ(frame.offset, 1);
	EXPECT_EQ(frame.address, address + 1 - (uintptr_t)info.dli_fbase);
}

static void test_own(void)
{
	struct image *image;
	const char *name;
	char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[length] = '\0';
	begin();
	image = own_image();
	name = strrchr(path, '/') + 1;
	check_own(image, (void *)(uintptr_t)run_tests, "run_tests", name);
	check_own(image, (void *)(uintptr_t)symbols__resolve, "symbols__resolve", name);
	EXPECT_STR(frame.path, path);
	EXPECT_EQ(strlen(frame.build_id), 40);
	check_own(image, (void *)(uintptr_t)gnu_get_libc_version, "gnu_get_libc_version",
		  "libc.so.6");
	EXPECT(!frame.root);
	symbols__resolve(symbols, image, 1, false, &frame);
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, NULL);
	EXPECT_EQ(frame.address, 1);
	symbols__resolve(symbols, image, 0, true, &frame);
	EXPECT_EQ(frame.address, 0);
	symbols__resolve(symbols, NULL, (uintptr_t)run_tests, false, &frame);
	EXPECT_STR(frame.module, NULL);
	end();
}

static void test_demangle_option(void)
{
	const struct symbols_options raw = {.demangle = false};
	struct stat status;
	uint64_t offset;

	build("cpp", "_ZN3foo3barEi");
	status = status_of(scratch_path("cpp"));
	offset = offset_in(scratch_path("cpp"));
	begin();
	tell_program(PID, monotonic_ns(), scratch_path("cpp"), offset, &status);
	resolve(PID, monotonic_ns(), PLACE);
	EXPECT_STR(frame.function, "foo::bar(int)");
	end();
	symbols = symbols__new(&raw);
	tell_program(PID, monotonic_ns(), scratch_path("cpp"), offset, &status);
	resolve(PID, monotonic_ns(), PLACE);
	EXPECT_STR(frame.function, "_ZN3foo3barEi");
	end();
}

static void test_vdso(void)
{
	void *vdso = dlopen("linux-vdso.so.1", RTLD_NOW | RTLD_NOLOAD);
	void *function = vdso ? dlsym(vdso, "__vdso_clock_gettime") : NULL;
	struct image *image;

	if (!function) /* valgrind hides it */
		return;
	begin();
	image = own_image();
	symbols__resolve(symbols, image, (uintptr_t)function, false, &frame);
	/* clock_gettime is a weak name of the same function */
	EXPECT_STR(frame.function, "__vdso_clock_gettime");
	EXPECT_STR(frame.module, "[vdso]");
	EXPECT_STR(frame.path, NULL);
	EXPECT_EQ(frame.kind, FRAME_USER);
	EXPECT(frame.address < 65536);
	/* The one of 32-bit processes is another file. */
	tell(PROCESS_EXECED, PID, 1);
	tell_map(PID, 2, 0xf7fc0000, 0, "[vdso]", NULL);
	resolve(PID, 3, 0xf7fc0000 + frame.address);
	EXPECT_STR(frame.module, "[vdso]");
	EXPECT_STR(frame.function, NULL);
	end();
}

static void test_anonymous(void)
{
	static const char *const paths[] = {"", "//anon", "[anon:code]", "/dev/zero (deleted)",
					    "/SYSV00000000 (deleted)"};
	void *page = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	int memory = memfd_create("jit code", 0);
	void *shared;
	struct image *image;
	size_t i;

	EXPECT_EQ(ftruncate(memory, 4096), 0);
	shared = mmap(NULL, 4096, PROT_READ | PROT_EXEC, MAP_SHARED, memory, 0);
	begin();
	image = own_image();
	symbols__resolve(symbols, image, (uintptr_t)page + 8, false, &frame);
	EXPECT_STR(frame.module, "[anon]");
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.path, NULL);
	EXPECT_EQ(frame.kind, FRAME_JIT);
	EXPECT_EQ(frame.address, (uintptr_t)page + 8);
	symbols__resolve(symbols, image, (uintptr_t)shared + 8, false, &frame);
	EXPECT_STR(frame.module, "memfd:jit code");
	EXPECT_EQ(frame.kind, FRAME_JIT);
	for (i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		tell(PROCESS_EXECED, PID, i + 1);
		tell_map(PID, i + 1, PLACE, PLACE, paths[i], NULL);
		resolve(PID, i + 1, PLACE + 8);
		EXPECT_STR(frame.module, "[anon]");
		EXPECT_EQ(frame.kind, FRAME_JIT);
		EXPECT_EQ(frame.address, PLACE + 8);
	}
	end();
	munmap(page, 4096);
	munmap(shared, 4096);
	close(memory);
}

/* ---- files and processes ---- */

/* Two programs that are not position independent run one after the other under one pid. */
static void test_exec_of_equal_addresses(void)
{
	const char *const one = scratch_path("one"), *const two = scratch_path("two");
	struct stat status_one, status_two;
	uint64_t now_ns;

	build("one", "only_in_one");
	build("two", "only_in_two");
	status_one = status_of(one);
	status_two = status_of(two);
	EXPECT_EQ(offset_in(one), offset_in(two));
	begin();
	now_ns = monotonic_ns();
	tell_program(PID, now_ns, one, offset_in(one), &status_one);
	tell_program(PID, now_ns + 1000, two, offset_in(two), &status_two);
	tell(PROCESS_EXITED, PID, now_ns + 2000);
	resolve(PID, now_ns + 1500, PLACE);
	EXPECT_STR(frame.function, "only_in_two");
	EXPECT_STR(frame.module, "two");
	resolve(PID, now_ns + 500, PLACE + 63);
	EXPECT_STR(frame.function, "only_in_one");
	EXPECT_EQ(frame.offset, 63);
	EXPECT_EQ(frame.address, 0x401000 + 63);
	resolve(PID, now_ns + 500, PLACE + 0x10000);
	EXPECT_STR(frame.module, NULL);
	resolve(PID, now_ns + 500, PLACE - 1);
	EXPECT_STR(frame.module, NULL);
	end();
}

/* A library that is loaded where another one was: samples of both may be in one sum. */
static void test_replaced_code(void)
{
	const char *const one = scratch_path("one"), *const two = scratch_path("two");
	struct stat status_one, status_two;
	uint64_t now_ns;

	build("one", "only_in_one");
	build("two", "only_in_two");
	status_one = status_of(one);
	status_two = status_of(two);
	begin();
	now_ns = monotonic_ns();
	tell_program(PID, now_ns, one, offset_in(one), &status_one);
	resolve(PID, now_ns + 500, PLACE);
	EXPECT_STR(frame.function, "only_in_one");
	tell_map(PID, now_ns + 1000, PLACE, offset_in(two), two, &status_two);
	resolve(PID, now_ns + 999, PLACE);
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, FRAME_REPLACED);
	EXPECT_EQ(frame.address, PLACE);
	resolve(PID, now_ns + 1000, PLACE);
	EXPECT_STR(frame.function, "only_in_two");
	end();
}

/* One that was made after the oldest sample, and before it was loaded. */
static void test_new_library(void)
{
	const uint64_t begin_ns = monotonic_ns();
	struct stat status;
	const char *path;

	build("new", "only_in_new");
	path = scratch_path("new");
	status = status_of(path);
	begin();
	tell(PROCESS_EXECED, PID, begin_ns);
	resolve(PID, begin_ns + 1, PLACE);
	tell_map(PID, monotonic_ns(), PLACE, offset_in(path), path, &status);
	resolve(PID, begin_ns + 1, PLACE);
	EXPECT_STR(frame.function, "only_in_new");
	end();
}

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
	/* Nobody reads from it, as we may not: a writer would find out. */
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

/* What failed for one process is tried again for the next; what is open needs no path any more. */
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

static size_t count_descriptors(void)
{
	DIR *directory = opendir("/proc/self/fd");
	size_t nr = 0;

	while (readdir(directory))
		nr++;
	closedir(directory);
	return nr;
}

static void test_many_files(void)
{
	const size_t before = count_descriptors();
	const uint64_t now_ns = monotonic_ns() + 60000000000ULL; /* after they were made */
	char name[32];
	uint64_t offset;
	int i, round;

	build("one", "only_in_one");
	offset = offset_in(scratch_path("one"));
	scratch_run("for i in $(seq 400); do cp one many-$i; done");
	begin();
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

/* ---- the kernel ---- */

static void test_kernel(void)
{
	uint64_t address = 0;
	char line[600], name[512] = "", type;
	FILE *kallsyms = fopen("/proc/kallsyms", "re");

	while (fgets(line, sizeof(line), kallsyms) && strcmp(name, "ret_from_fork_asm") &&
	       strcmp(name, "ret_from_fork"))
		if (sscanf(line, "%lx %c %511s", &address, &type, name) != 3)
			break;
	fclose(kallsyms);
	begin();
	symbols__resolve_kernel(symbols, address ? address : 0xffffffff81000000, false, &frame);
	EXPECT_STR(frame.module, "[kernel]");
	EXPECT_EQ(frame.kind, FRAME_KERNEL);
	EXPECT_STR(frame.path, NULL);
	EXPECT_STR(frame.function, address ? name : NULL);
	EXPECT_EQ(frame.root, address != 0);
	symbols__resolve_kernel(symbols, address + 1, true, &frame);
	EXPECT_STR(frame.function, address ? name : NULL);
	EXPECT_EQ(frame.address, address + 1);
	EXPECT_EQ(frame.offset, address ? 1 : 0);
	symbols__resolve_kernel(symbols, address, true, &frame);
	EXPECT(!frame.function || strcmp(frame.function, name));
	symbols__resolve_kernel(symbols, 0x1000, false, &frame);
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, "[kernel]");
	end();
}

static void test_kernel_threads(void)
{
	struct process process = {.pid = getpid(), .kernel_thread = true};

	begin();
	EXPECT(symbols__image(symbols, &process) == NULL);
	process.kernel_thread = false;
	process.pid = 0;
	EXPECT(symbols__image(symbols, &process) == NULL);
	process.pid = -1;
	EXPECT(symbols__image(symbols, &process) == NULL);
	EXPECT(symbols__read_process(symbols, PID) < 0);
	end();
	symbols__free(NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{"our own functions", test_own},
		{"demangling or not", test_demangle_option},
		{"vDSO", test_vdso},
		{"memory without a file", test_anonymous},
		{"exec of two programs with equal addresses", test_exec_of_equal_addresses},
		{"a library in the place of another", test_replaced_code},
		{"a library that is new", test_new_library},
		{"other files", test_other_files},
		{"files that are no programs", test_no_programs},
		{"links in paths", test_links_in_paths},
		{"a file that goes", test_file_that_goes},
		{"a rewritten file", test_rewritten_file},
		{"a deleted program", test_deleted_program},
		{"many files", test_many_files},
		{"kernel addresses", test_kernel},
		{"kernel threads and nobody", test_kernel_threads},
		{0},
	};

	scratch_create();
	return run_tests("symbols", tests);
}
