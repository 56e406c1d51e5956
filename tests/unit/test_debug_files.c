// SPDX-License-Identifier: GPL-2.0-only
/*
 * Debug files that objcopy made, in every place where they may lie, and files in these places that
 * are others.
 */
#include "elf/debug_files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "expect.h"
#include "offers.h"
#include "scratch.h"

#define DEBUG_ID "usr/lib/debug/.build-id"

static char id[128], id_path[160]; /* "3f2a..." and "3f/2a..." */

static void read_id(const char *program)
{
	FILE *file;

	scratch_run("readelf -n %s 2>/dev/null | sed -n 's/.*Build ID: //p' > id", program);
	file = fopen(scratch_path("id"), "r");
	if (!file || !fgets(id, sizeof(id), file) || fclose(file) || strlen(id) != 41) {
		fprintf(stderr, "%s: no build ID\n", program);
		exit(1);
	}
	id[40] = '\0';
	snprintf(id_path, sizeof(id_path), "%.2s/%s", id, id + 2);
}

/*
 * In the scratch directory: "whole", "stripped" and its "debug"; "other..." of another program with
 * the same names; "plain..." without build ID. Each stripped one is root/opt/NAME as well.
 */
static void build_all(void)
{
	scratch_create();
	scratch_write("source.c", "int helper(int x) { return x + NUMBER; }\n"
				  "int main(void) { return helper(1); }\n");
	scratch_run("cc -g -O1 -DNUMBER=1 -Wl,--build-id -o whole source.c");
	scratch_run("cc -g -O1 -DNUMBER=2 -Wl,--build-id -o other source.c");
	scratch_run("cc -g -O1 -DNUMBER=1 -Wl,--build-id=none -o plain source.c");
	scratch_run("for f in whole other plain; do objcopy --only-keep-debug $f $f.debug && "
		    "strip -o $f.stripped $f && "
		    "objcopy --add-gnu-debuglink=$f.debug $f.stripped $f.linked; done");
	read_id("whole");
}

static void clear_root(void)
{
	scratch_run("rm -rf root && mkdir -p root/opt symfs");
}

/* Puts a file below the root. */
static void put(const char *file, const char *path)
{
	scratch_run("mkdir -p \"$(dirname '%s')\" && cp '%s' '%s'", path, file, path);
}

static bool is_same(int fd, const char *name)
{
	struct stat found, wanted;

	return !fstat(fd, &found) && !stat(scratch_path(name), &wanted) &&
	       found.st_dev == wanted.st_dev && found.st_ino == wanted.st_ino;
}

struct query {
	const char *file; /* that is mapped */
	const char *section;
	const char *symfs;
};

/* Opens what belongs to a file that its process knows as /opt/FILE, below our root. */
static int search(const struct query *wanted)
{
	struct debug_places query = {
		.fd = open(scratch_path(wanted->file), O_RDONLY | O_CLOEXEC),
		.path = "/opt/program",
		.root = open(scratch_path("root"), O_PATH | O_CLOEXEC),
		.symfs = wanted->symfs ? scratch_path(wanted->symfs) : NULL,
	};
	const struct debug_candidates offers = offers_of(&query);
	int fd =
		debug_files__open(query.fd, wanted->section ? wanted->section : ".symtab", &offers);

	close(query.fd);
	close(query.root);
	return fd;
}

static void expect_found(const struct query *wanted, const char *found)
{
	int fd = search(wanted);

	EXPECT(fd >= 0);
	if (fd < 0) {
		fprintf(stderr, "%s: %s not found\n", wanted->file, found);
		return;
	}
	EXPECT(is_same(fd, found));
	close(fd);
}

static void expect_none(const struct query *wanted)
{
	EXPECT_EQ(search(wanted), -ENOENT);
}

static const char *by_id(const char *root)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s.debug", root, id_path);
	return path;
}

static void test_build_id(void)
{
	const struct query stripped = {.file = "whole.stripped"};

	clear_root();
	expect_none(&stripped);
	put("whole.debug", by_id("root/" DEBUG_ID));
	expect_found(&stripped, by_id("root/" DEBUG_ID));
	expect_none(&(struct query){.file = "other.stripped"});
	expect_none(&(struct query){.file = "plain.stripped"});
	put("other.debug", by_id("root/" DEBUG_ID)); /* in its place, but not it */
	expect_none(&stripped);
	put("plain.debug", by_id("root/" DEBUG_ID));
	expect_none(&stripped);
}

static void test_compressed(void)
{
	const struct query lines = {.file = "whole.stripped", .section = ".debug_info"};

	clear_root();
	scratch_run("objcopy --compress-debug-sections whole.debug whole.small");
	scratch_run("readelf -SW whole.small | grep -q 'debug_info.* C '");
	put("whole.small", by_id("root/" DEBUG_ID));
	expect_found(&lines, by_id("root/" DEBUG_ID));
}

static void test_section(void)
{
	const struct query lines = {.file = "whole.stripped", .section = ".debug_info"};

	clear_root();
	scratch_run("strip -g -o whole.symbols whole");
	put("whole.symbols", by_id("root/" DEBUG_ID));
	expect_none(&lines);
	expect_found(&(struct query){.file = "whole.stripped"}, by_id("root/" DEBUG_ID));
	put("whole.debug", by_id("root/" DEBUG_ID)); /* .text is there in name only */
	expect_found(&lines, by_id("root/" DEBUG_ID));
	expect_none(&(struct query){.file = "whole.stripped", .section = ".text"});
}

static void test_debug_link(void)
{
	static const char *const places[] = {
		"root/opt/%s.debug",
		"root/opt/.debug/%s.debug",
		"root/usr/lib/debug/opt/%s.debug",
	};
	static const char *const programs[] = {"whole", "plain"};
	size_t i, j;

	for (i = 0; i < 3; i++) {
		for (j = 0; j < 2; j++) {
			char debug[64], linked[64], place[64];
			const struct query query = {.file = linked};

			snprintf(debug, sizeof(debug), "%s.debug", programs[j]);
			snprintf(linked, sizeof(linked), "%s.linked", programs[j]);
			snprintf(place, sizeof(place), places[i], programs[j]);
			clear_root();
			expect_none(&query);
			put(debug, place);
			expect_found(&query, place);
			put("other.debug", place);
			expect_none(&query);
			put(debug, place);
			scratch_run("printf x >> %s", place);
			if (j == 1) /* the checksum is all that there is */
				expect_none(&query);
		}
	}
}

/* A name that leads elsewhere is none. */
static void test_link_with_path(void)
{
	clear_root();
	scratch_run("objcopy -O binary --only-section=.gnu_debuglink "
		    "--set-section-flags .gnu_debuglink=alloc plain.linked link && "
		    "sed 's|plain.debug|../plain.de|' link > far && "
		    "objcopy --update-section .gnu_debuglink=far plain.linked plain.far");
	put("plain.debug", "root/plain.de");
	expect_none(&(struct query){.file = "plain.far"});
	put("plain.debug", "root/opt/plain.debug");
	expect_found(&(struct query){.file = "plain.linked"}, "root/opt/plain.debug");
}

static void test_symfs(void)
{
	const struct query query = {.file = "whole.stripped", .symfs = "symfs"};
	const char *const places[] = {by_id("symfs/.build-id"), "symfs/opt/program",
				      "symfs/opt/whole.debug"};
	size_t i;

	for (i = 0; i < 3; i++) {
		const char *file = i == 1 ? "whole" : "whole.debug";
		const struct query linked = {.file = "whole.linked", .symfs = "symfs"};
		const struct query *wanted = i == 2 ? &linked : &query;

		clear_root();
		scratch_run("rm -rf symfs && mkdir symfs");
		expect_none(wanted);
		put(file, places[i]);
		expect_found(wanted, places[i]);
		put("other", places[i]);
		expect_none(wanted);
	}
	put("plain", "symfs/opt/program"); /* nothing proves that it is the same */
	expect_none(&(struct query){.file = "plain.stripped", .symfs = "symfs"});
	put("whole.stripped", "symfs/opt/program");
	expect_none(&query);
}

/* Fedora's .build-id has links. They are followed, and end below the root. */
static void test_symbolic_links(void)
{
	const struct query stripped = {.file = "whole.stripped"};

	clear_root();
	put("whole.debug", "root/usr/lib/debug/opt/some.debug");
	scratch_run("mkdir -p root/" DEBUG_ID "/%.2s", id);
	scratch_run("ln -sf ../../opt/some.debug root/" DEBUG_ID "/%s.debug", id_path);
	expect_found(&stripped, "root/usr/lib/debug/opt/some.debug");
	scratch_run("ln -sf '%s/whole.debug' root/" DEBUG_ID "/%s.debug", scratch_directory,
		    id_path);
	expect_none(&stripped);
	put("whole.debug", "root/escape.debug");
	scratch_run("ln -sf ../../../../../../../../escape.debug root/" DEBUG_ID "/%s.debug",
		    id_path);
	expect_found(&stripped, "root/escape.debug");
	scratch_run("ln -sf ../%s.debug root/" DEBUG_ID "/%s.debug", id_path, id_path);
	expect_none(&stripped);
}

static void test_no_file(void)
{
	const struct query stripped = {.file = "whole.stripped"};

	clear_root();
	scratch_run("mkdir -p root/" DEBUG_ID "/%s.debug", id_path);
	expect_none(&stripped);
	scratch_run("rm -r root/" DEBUG_ID "/%s.debug && mkfifo root/" DEBUG_ID "/%s.debug",
		    id_path, id_path);
	expect_none(&stripped); /* does not wait for a writer */
	scratch_run("rm root/" DEBUG_ID "/%s.debug && echo text > root/" DEBUG_ID "/%s.debug",
		    id_path, id_path);
	expect_none(&stripped);
}

static int search_alternate(const char *debug)
{
	struct debug_places query = {
		.fd = open(scratch_path("whole.stripped"), O_RDONLY | O_CLOEXEC),
		.path = "/opt/program",
		.root = open(scratch_path("root"), O_PATH | O_CLOEXEC),
	};
	int debug_fd = open(scratch_path(debug), O_RDONLY | O_CLOEXEC);
	const struct debug_candidates offers = offers_of(&query);
	int fd = debug_files__open_alternate(debug_fd, &offers);

	close(debug_fd);
	close(query.fd);
	close(query.root);
	return fd;
}

/* "debug" names a file and the build ID of "other", as dwz -m does. */
static void name_alternate(const char *name)
{
	scratch_run("(printf '%s\\0'; readelf -n other | sed -n 's/.*Build ID: //p' | "
		    "sed 's/../\\\\\\\\x&/g' | xargs printf '%%b') > alternate",
		    name);
	scratch_run("objcopy --add-section .gnu_debugaltlink=alternate whole.debug named.debug");
}

static void expect_alternate(const char *name, const char *found)
{
	int fd;

	name_alternate(name);
	fd = search_alternate("named.debug");
	EXPECT(fd >= 0 && is_same(fd, found));
	if (fd >= 0)
		close(fd);
}

static void test_alternate(void)
{
	clear_root();
	EXPECT_EQ(search_alternate("whole.debug"), -ENOENT);
	name_alternate("/usr/lib/debug/.dwz/shared.debug");
	EXPECT_EQ(search_alternate("named.debug"), -ENOENT);
	put("other.debug", "root/usr/lib/debug/.dwz/shared.debug");
	expect_alternate("/usr/lib/debug/.dwz/shared.debug",
			 "root/usr/lib/debug/.dwz/shared.debug");
	put("whole.debug", "root/usr/lib/debug/.dwz/shared.debug");
	EXPECT_EQ(search_alternate("named.debug"), -ENOENT);

	clear_root();
	read_id("other");
	put("other.debug", by_id("root/" DEBUG_ID));
	expect_alternate("nowhere", by_id("root/" DEBUG_ID));
	read_id("whole");
}

/* From /usr/lib/debug/opt, where the debug file is. */
static void test_relative_alternate(void)
{
	clear_root();
	put("other.debug", "root/usr/lib/debug/.dwz/shared.debug");
	expect_alternate("../.dwz/shared.debug", "root/usr/lib/debug/.dwz/shared.debug");
}

int main(void)
{
	static const struct test tests[] = {
		{"by build ID", test_build_id},
		{"compressed", test_compressed},
		{"the section that is asked for", test_section},
		{"by .gnu_debuglink", test_debug_link},
		{"a link with a path", test_link_with_path},
		{"--symfs", test_symfs},
		{"symbolic links", test_symbolic_links},
		{"no file", test_no_file},
		{"by .gnu_debugaltlink", test_alternate},
		{"a relative .gnu_debugaltlink", test_relative_alternate},
		{0},
	};

	build_all();
	return run_tests("debug_files", tests);
}
