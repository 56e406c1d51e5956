// SPDX-License-Identifier: GPL-2.0-only
/*
 * Frames that were recorded without a name have that of the file of their path and build ID, or of
 * its debug file, but of no other; and only new files are read.
 */
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include "expect.h"
#include "readers/readers.h"
#include "scratch.h"
#include "symbols/files/file_names.h"

static const char source[] =
	"__attribute__((noinline)) static int hidden(int x) { return x * 3 + 1; }\n"
	"__attribute__((noinline)) int shown(int x) { return hidden(x) + 1; }\n"
	"int main(int argc, char **argv) { (void)argv; return shown(argc); }\n";

static struct readers *readers;
static char build_id[129];

/* column: of nm -S, 1: the address, 2: the size */
static uint64_t number_of(const char *symbol, int column)
{
	char command[512];
	unsigned long number = 0;
	FILE *out;

	snprintf(command, sizeof(command), "nm -S '%s' | awk '$4 == \"%s\" { print $%d }'",
		 scratch_path("whole"), symbol, column);
	out = popen(command, "r");
	EXPECT(out && fscanf(out, "%lx", &number) == 1);
	pclose(out);
	return number;
}

static uint64_t address_of(const char *symbol)
{
	return number_of(symbol, 1);
}

static void read_build_id(void)
{
	char command[512];
	FILE *out;

	snprintf(command, sizeof(command), "readelf -n '%s' | sed -n 's/.*Build ID: //p'",
		 scratch_path("whole"));
	out = popen(command, "r");
	if (!out || fscanf(out, "%128s", build_id) != 1 || pclose(out))
		exit(1);
}

static struct file_names *new_names(const char *symfs, uint64_t max_ns)
{
	return file_names__new(
		&(struct file_names_options){.symfs = symfs, .max_ns = max_ns, .readers = readers});
}

static struct frame frame_at(uint64_t address)
{
	return (struct frame){.module = "program",
			      .path = scratch_path("program"),
			      .build_id = build_id,
			      .address = address};
}

/* Returns the name of "hidden" by the files in the directory and below symfs (NULL: nowhere). */
static const char *look_up(const char *symfs)
{
	static char name[64];
	struct file_names *names = new_names(symfs, UINT64_MAX / 2);
	const struct frame frame = frame_at(address_of("hidden"));
	struct frame named = {0};

	strcpy(name, "nothing");
	if (file_names__find(names, &frame, false, &named))
		snprintf(name, sizeof(name), "%s", named.function ? named.function : "start");
	file_names__free(names);
	return name;
}

static void empty_places(void)
{
	scratch_run("rm -rf symfs program program.debug .debug && mkdir symfs");
}

static void test_places(void)
{
	static const char *const debug_places[] = {"program.debug", ".debug/program.debug",
						   "symfs/program.debug"};
	char place[256];

	empty_places();
	EXPECT_STR(look_up(scratch_path("symfs")), "nothing");
	scratch_run("cp whole program");
	EXPECT_STR(look_up(NULL), "hidden");
	scratch_run("strip program");
	EXPECT_STR(look_up(NULL), "start");
	scratch_run("cp whole symfs/program");
	EXPECT_STR(look_up(NULL), "start");
	EXPECT_STR(look_up(scratch_path("symfs")), "hidden");
	for (size_t i = 0; i < sizeof(debug_places) / sizeof(debug_places[0]); i++) {
		empty_places();
		scratch_run("mkdir -p .debug && cp whole.debug %s", debug_places[i]);
		EXPECT_STR(look_up(scratch_path("symfs")), "hidden");
	}
	empty_places();
	snprintf(place, sizeof(place), "symfs/%s.debug", build_id);
	scratch_run("cp whole.debug %s", place);
	EXPECT_STR(look_up(scratch_path("symfs")), "hidden");
}

/* These files have another build ID, or none, or are no program at all. */
static void test_other_files(void)
{
	static const char *const others[] = {"cp other", "cp none", "cp source.c",
					     "mkfifo",	 "mkdir",   "ln -s /whole"};

	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		empty_places();
		scratch_run("%s program && %s symfs/program.debug", others[i], others[i]);
		EXPECT_STR(look_up(scratch_path("symfs")), "nothing");
	}
	empty_places();
	scratch_run("cp whole symfs/inside && ln -s /inside symfs/program");
	EXPECT_STR(look_up(scratch_path("symfs")), "hidden");
}

/* A caller's address may be the first one after its function. */
static void test_callers(void)
{
	const uint64_t start = address_of("shown");
	struct file_names *names = new_names(NULL, UINT64_MAX / 2);
	struct frame frame = frame_at(start), named;

	empty_places();
	scratch_run("cp whole program");
	EXPECT(file_names__find(names, &frame, false, &named));
	EXPECT_STR(named.function, "shown");
	EXPECT_EQ(named.offset, 0);
	frame.address = start + 3;
	frame.has_start = true;
	frame.offset = 1;
	EXPECT(file_names__find(names, &frame, true, &named));
	EXPECT_STR(named.function, "shown");
	EXPECT_EQ(named.offset, 3);
	EXPECT(!named.has_start);
	EXPECT_STR(named.module, "program");
	frame.function = "kept";
	EXPECT(!file_names__find(names, &frame, true, &named));
	file_names__free(names);
}

/* The start of a function is told only to a frame without one. */
static void test_starts(void)
{
	const uint64_t start = address_of("hidden");
	struct file_names *names = new_names(NULL, UINT64_MAX / 2);
	struct frame frame = frame_at(start + 2), named;

	empty_places();
	scratch_run("strip -o program whole");
	EXPECT(file_names__find(names, &frame, false, &named));
	EXPECT(!named.function && named.has_start);
	EXPECT_EQ(frame__start(&named), start);
	EXPECT(!file_names__find(names, &named, false, &frame));
	file_names__free(names);
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_REALTIME, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/*
 * A recording that began after the file was made has seen it; for an earlier recording the file is
 * read all the same.
 */
static void test_since(void)
{
	struct file_names *names = new_names(NULL, UINT64_MAX / 2);
	const struct frame frame = frame_at(address_of("hidden"));
	struct frame named;

	empty_places();
	scratch_run("cp whole program");
	file_names__begin(names, now_ns() + 1000000000);
	EXPECT(!file_names__find(names, &frame, false, &named));
	file_names__begin(names, now_ns() - 3600000000000);
	EXPECT(file_names__find(names, &frame, false, &named));
	file_names__begin(names, now_ns() + 1000000000);
	EXPECT(file_names__find(names, &frame, false, &named));
	file_names__free(names);
}

struct told {
	struct file_names_result last;
	size_t nr;
};

static void take(void *context, const struct file_names_result *result)
{
	struct told *told = context;

	told->last = *result;
	told->nr++;
}

static void test_results(void)
{
	struct file_names *names = new_names(NULL, UINT64_MAX / 2);
	const struct frame hidden = frame_at(address_of("hidden")),
			   shown = frame_at(address_of("shown"));
	struct told told = {0};
	struct frame named;

	empty_places();
	scratch_run("strip -o program whole && mkdir -p .debug && "
		    "cp whole.debug .debug/program.debug");
	EXPECT(file_names__find(names, &hidden, false, &named));
	EXPECT(file_names__find(names, &hidden, false, &named));
	EXPECT(file_names__find(names, &shown, false, &named));
	file_names__each(names, take, &told);
	EXPECT_EQ(told.nr, 1);
	EXPECT_EQ(told.last.nr_functions, 2);
	EXPECT(told.last.from && strstr(told.last.from, "/.debug/program.debug"));
	file_names__free(names);

	names = new_names(NULL, 0); /* no time */
	EXPECT(!file_names__find(names, &hidden, false, &named));
	told.nr = 0;
	file_names__each(names, take, &told);
	EXPECT_EQ(told.nr, 1);
	EXPECT(!told.last.from && told.last.is_unread);
	file_names__free(names);
}

/*
 * A function has the bounds of its symbol, or else those of .eh_frame; also for a frame with a
 * name.
 */
static void test_functions(void)
{
	const uint64_t start = address_of("hidden"), end = start + number_of("hidden", 2);
	struct frame frame = frame_at(start);
	struct file_names *names = new_names(NULL, UINT64_MAX / 2);
	struct file_function function;

	frame.function = "hidden";
	empty_places();
	scratch_run("cp whole program");
	EXPECT(file_names__function(names, &frame, end - 1, &function));
	EXPECT_STR(function.name, "hidden");
	EXPECT_EQ(function.start, start);
	EXPECT_EQ(function.end, end);
	EXPECT(!file_names__function(names, &frame, 3, &function));
	file_names__free(names);

	names = new_names(NULL, UINT64_MAX / 2);
	scratch_run("strip program");
	EXPECT(file_names__function(names, &frame, start, &function));
	EXPECT(!function.name);
	EXPECT_EQ(function.start, start);
	EXPECT_EQ(function.end, end);
	frame.build_id = NULL;
	EXPECT(!file_names__function(names, &frame, start, &function));
	file_names__free(names);
}

int main(void)
{
	static const struct test tests[] = {
		{"where files lie", test_places}, {"files that are not meant", test_other_files},
		{"callers", test_callers},	  {"starts", test_starts},
		{"functions", test_functions},	  {"what is older than a recording", test_since},
		{"what was found", test_results}, {0},
	};
	int code;

	scratch_create();
	scratch_write("source.c", source);
	scratch_run("cc -O1 -Wl,--build-id -o whole source.c && "
		    "cc -O2 -Wl,--build-id -o other source.c && "
		    "cc -O1 -Wl,--build-id=none -o none source.c && "
		    "objcopy --only-keep-debug whole whole.debug");
	read_build_id();
	if (readers__start(&readers, jobs__find))
		return 1;
	code = run_tests("file_names", tests);
	readers__stop(readers);
	return code;
}
