// SPDX-License-Identifier: GPL-2.0-only
/*
 * From (process, address) to a frame: our own functions as dlsym and dladdr know them, memory
 * without a file, and processes of made-up events.
 */
#include "symbols/symbols.h"

#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "made_up.h"

/* ---- our own process ---- */

static void check_own(struct image *image, void *function, const char *name, const char *module)
{
	const uint64_t address = (uintptr_t)function;
	struct frame before;
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
	/*
	 * The call is the last instruction of the function before it; if there is none, there was
	 * no call.
	 */
	symbols__resolve(symbols, image, address - 1, false, &before);
	symbols__resolve(symbols, image, address, true, &frame);
	EXPECT_STR(frame.function, before.function ? before.function : name);
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
	check_own(image, (void *)(uintptr_t)symbols__resolve, "symbols__resolve",
		  "libtopstacks.so");
	check_own(image, (void *)(uintptr_t)run_tests, "run_tests", name);
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
	begin_with(&raw);
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
		{"kernel threads and nobody", test_kernel_threads},
		{0},
	};

	scratch_create();
	return run_tests("symbols", tests);
}
