// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files that come when they come: readers here do what the file says in its first word. There is no
 * room for any table, so that a file that has one is a file that finds no room.
 */
#include "capture/unwinding/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/clock.h"
#include "capture/host/map_calls.h"
#include "expect.h"
#include "processes/maps.h"
#include "readers/readers.h"
#include "take_memory.h"
#include "topstacks/interpreter_abi.h"
#include "topstacks/unwind_abi.h"

#define MIB	   (1ULL << 20)
#define SECOND	   1000000000ULL
#define PAGE_BYTES 4096
#define NR_MANY	   40 /* files; more than are read at once */

/* ---- readers ---- */

static const struct {
	struct interpreter interpreter;
	uint64_t base, head;
	uint32_t nr_segments, nr_rows;
	uint64_t vaddr, offset, size;
	struct unwind_row row;
} table = {{0}, 0, 0, 1, 1, 0, 0, PAGE_BYTES, {.rules = UNWIND_NONE}};

static int answer(const struct reader_task *task, size_t nr_bytes)
{
	return write(task->answer, &table, nr_bytes) == (ssize_t)nr_bytes ? 0 : -EIO;
}

static int obey(const struct reader_task *task)
{
	const struct reader_question question = {.kind = QUESTION_SPLIT, .name = "other"};
	char word[16] = "";

	if (pread(task->files[0], word, sizeof(word) - 1, 0) <= 0)
		return -EIO;
	if (!strcmp(word, "table"))
		return answer(task, sizeof(table));
	if (!strcmp(word, "lie"))
		return answer(task, sizeof(table) - 1);
	if (!strcmp(word, "nothing"))
		return 0;
	if (!strcmp(word, "none"))
		return -ENOENT;
	if (!strcmp(word, "memory"))
		return take_memory();
	if (!strcmp(word, "ask"))
		return reader__ask(task, &question) < 0 ? answer(task, sizeof(table)) : 0;
	if (!strcmp(word, "crash"))
		__builtin_trap();
	for (volatile int i = 0; i < 2; i = 0) /* "spin" */
		;
	return 0;
}

static const struct job_row *find_job(uint32_t job)
{
	static const struct job_row row = {
		"obey",
		0,
		{.max_memory_bytes = 64 * MIB, .max_answer_bytes = MIB, .max_seconds = 1},
		obey};

	return job == READ_UNWIND ? &row : NULL;
}

/* ---- files that this process has mapped ---- */

struct mapped {
	void *page;
	char path[64];
	struct mapping mapping;
};

static int note_mapping(void *context, const struct mapping *mapping)
{
	struct mapped *mapped = context;

	if (mapping->start != (uintptr_t)mapped->page)
		return 0;
	mapped->mapping = *mapping;
	mapped->mapping.path = mapped->path;
	return 1;
}

static void map_word(struct mapped *mapped, const char *word)
{
	char bytes[PAGE_BYTES] = "";
	int fd, maps;

	*mapped = (struct mapped){.path = "/tmp/topstacks-test-XXXXXX"};
	snprintf(bytes, sizeof(bytes), "%s", word);
	fd = mkostemp(mapped->path, O_CLOEXEC);
	EXPECT_EQ(write(fd, bytes, sizeof(bytes)), sizeof(bytes));
	mapped->page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_EXEC, MAP_PRIVATE, fd, 0);
	EXPECT(mapped->page != MAP_FAILED);
	close(fd);
	maps = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	EXPECT_EQ(maps__each_executable(maps, note_mapping, mapped), 1);
	close(maps);
}

static void unmap(struct mapped *mapped)
{
	munmap(mapped->page, PAGE_BYTES);
	unlink(mapped->path);
}

/* ---- a loader ---- */

struct loading_fixture {
	struct map_calls calls;
	struct readers *readers;
	struct unwind_files *files;
	struct unwind_loader *loader;
};

static void begin(struct loading_fixture *fixture)
{
	*fixture = (struct loading_fixture){0};
	EXPECT_EQ(readers__start(&fixture->readers, find_job), 0);
	fixture->files = unwind_files__new(-1, -1, 0, &fixture->calls, -1, NULL);
	fixture->loader = unwind_loader__new(fixture->files, fixture->readers, NULL);
}

static void end(struct loading_fixture *fixture)
{
	unwind_loader__free(fixture->loader);
	unwind_files__free(fixture->files);
	readers__stop(fixture->readers);
}

/*
 * Waits until the part is done. Descriptors announce all work: a caller that polls them need not
 * look otherwise.
 */
static void await(struct unwind_loader *loader, const struct unwind_part *part)
{
	const uint64_t until_ns = monotonic_ns() + 60 * SECOND;
	struct pollfd watched[UNWIND_MAX_WATCHED];

	while (!part->is_done && monotonic_ns() < until_ns) {
		unwind_loader__work(loader);
		if (!part->is_done)
			poll(watched, unwind_loader__watch(loader, watched), 10000);
	}
	EXPECT(part->is_done);
}

static bool has_table(const struct unwind_part *part)
{
	struct unwind_region region;

	EXPECT_EQ(unwind_part__regions(part, &region, 1), 1);
	EXPECT_EQ(region.nr_rows, 0);
	return region.no_room;
}

static struct unwind_part *ask(struct loading_fixture *fixture, const struct mapped *mapped)
{
	return unwind_loader__ask(fixture->loader, &mapped->mapping, getpid());
}

/* Reads a file with a word; its message is in *text, "" if there is none. */
static bool read_word(const char *word, char *text, size_t size)
{
	struct loading_fixture fixture;
	struct unwind_part *part;
	struct mapped mapped;
	char again[256];
	bool found;

	begin(&fixture);
	map_word(&mapped, word);
	part = ask(&fixture, &mapped);
	EXPECT(!part->is_done && unwind_loader__is_busy(fixture.loader));
	await(fixture.loader, part);
	EXPECT(!unwind_loader__is_busy(fixture.loader));
	found = has_table(part);
	unwind_part__put(part);
	*text = '\0';
	unwind_loader__take_failure(fixture.loader, text, size);
	EXPECT(!unwind_loader__take_failure(fixture.loader, again, sizeof(again)));
	if (*text) {
		EXPECT(strstr(text, strrchr(mapped.path, '/') + 1) != NULL);
		part = ask(&fixture, &mapped); /* it is not tried again */
		unwind_loader__work(fixture.loader);
		EXPECT(part->is_done);
		unwind_part__put(part);
		EXPECT(!unwind_loader__take_failure(fixture.loader, again, sizeof(again)));
	}
	unmap(&mapped);
	end(&fixture);
	return found;
}

/* ---- tests ---- */

static void test_arrives(void)
{
	char text[256];

	EXPECT(read_word("table", text, sizeof(text)));
	EXPECT_STR(text, "");
	EXPECT(!read_word("none", text, sizeof(text)));
	EXPECT_STR(text, "");
}

static void test_fails(void)
{
	static const struct {
		const char *word, *reason;
	} failures[] = {
		{"crash", "damaged"},
		{"lie", "damaged"},
		{"nothing", "damaged"},
		{"ask", "damaged"},
		{"memory", "there was no memory for it, or it took more than 79 MiB"},
		{"spin", "took more than 5 s"},
	};
	char text[256];

	for (size_t i = 0; i < sizeof(failures) / sizeof(failures[0]); i++) {
		EXPECT(!read_word(failures[i].word, text, sizeof(text)));
		EXPECT(strstr(text, failures[i].reason) != NULL);
	}
}

static void test_never_waits(void)
{
	struct loading_fixture fixture;
	struct unwind_part *slow, *quick;
	struct mapped spins, has;
	uint64_t asked_ns;

	begin(&fixture);
	map_word(&spins, "spin");
	map_word(&has, "table");
	asked_ns = monotonic_ns();
	slow = ask(&fixture, &spins);
	quick = ask(&fixture, &has);
	await(fixture.loader, quick); /* no caller waits for another one's file */
	EXPECT(has_table(quick));
	EXPECT(!slow->is_done);
	EXPECT(!has_table(slow));
	EXPECT(unwind_part__is_awaited(slow, asked_ns + SECOND));
	EXPECT(!unwind_part__is_awaited(slow, asked_ns + 4 * SECOND));
	EXPECT(!unwind_part__is_awaited(quick, asked_ns));
	for (int i = 0; i < 100; i++)
		unwind_loader__work(fixture.loader);
	EXPECT(monotonic_ns() - asked_ns < 20 * SECOND); /* it would spin for ever */
	unwind_part__put(quick);
	unwind_part__put(slow);
	end(&fixture);
	unmap(&spins);
	unmap(&has);
}

static void test_many(void)
{
	struct loading_fixture fixture;
	struct mapped mapped[NR_MANY];
	struct unwind_part *parts[2 * NR_MANY];

	begin(&fixture);
	for (size_t i = 0; i < NR_MANY; i++)
		map_word(&mapped[i], "table");
	for (size_t i = 0; i < 2 * NR_MANY; i++)
		parts[i] = ask(&fixture, &mapped[i % NR_MANY]);
	for (size_t i = 0; i < 2 * NR_MANY; i++) {
		await(fixture.loader, parts[i]);
		EXPECT(has_table(parts[i]));
	}
	EXPECT(!unwind_loader__is_busy(fixture.loader));
	for (size_t i = 0; i < 2 * NR_MANY; i++)
		unwind_part__put(parts[i]);
	for (size_t i = 0; i < NR_MANY; i++)
		unmap(&mapped[i]);
	end(&fixture);
}

/* The loader takes one arrived table each time, so that its caller can look around in between. */
static void test_one_at_a_time(void)
{
	enum { NR_FILES = 4 };
	struct loading_fixture fixture;
	struct mapped mapped[NR_FILES];
	struct unwind_part *parts[NR_FILES];
	struct pollfd watched[UNWIND_MAX_WATCHED];
	size_t nr_done = 0;

	begin(&fixture);
	for (size_t i = 0; i < NR_FILES; i++) {
		map_word(&mapped[i], "table");
		parts[i] = ask(&fixture, &mapped[i]);
	}
	unwind_loader__work(fixture.loader);
	EXPECT_EQ(unwind_loader__watch(fixture.loader, watched), NR_FILES);
	for (size_t i = 0; i < NR_FILES; i++)
		EXPECT_EQ(poll(&watched[i], 1, 60000), 1);
	for (size_t nr_before = 0; nr_done < NR_FILES; nr_before = nr_done) {
		unwind_loader__work(fixture.loader);
		nr_done = 0;
		for (size_t i = 0; i < NR_FILES; i++)
			nr_done += parts[i]->is_done;
		EXPECT(nr_done <= nr_before + 1);
	}
	for (size_t i = 0; i < NR_FILES; i++) {
		unwind_part__put(parts[i]);
		unmap(&mapped[i]);
	}
	end(&fixture);
}

/* Files that are made to be slow hold up no others, though they are more than are read at once. */
static void test_slow(void)
{
	enum { NR_SLOW = 12 };
	struct loading_fixture fixture;
	struct mapped slow[NR_SLOW], quick;
	struct unwind_part *parts[NR_SLOW], *part;
	size_t nr_done = 0;

	begin(&fixture);
	for (size_t i = 0; i < NR_SLOW; i++) {
		map_word(&slow[i], "spin");
		parts[i] = ask(&fixture, &slow[i]);
	}
	map_word(&quick, "table");
	part = ask(&fixture, &quick);
	while (!part->is_done) {
		unwind_loader__work(fixture.loader);
		usleep(1000);
	}
	EXPECT(has_table(part));
	for (size_t i = 0; i < NR_SLOW; i++)
		nr_done += parts[i]->is_done;
	EXPECT_EQ(nr_done, 0);
	unwind_part__put(part);
	unmap(&quick);
	EXPECT(unwind_loader__is_busy(fixture.loader)); /* their turn comes */
	for (size_t i = 0; i < NR_SLOW; i++) {
		unwind_part__put(parts[i]);
		unmap(&slow[i]);
	}
	end(&fixture);
}

/* The caller that asked has gone; the next one finds the result. */
static void test_arrives_for_nobody(void)
{
	struct loading_fixture fixture;
	struct unwind_part *part;
	struct mapped mapped;
	char text[256];

	begin(&fixture);
	map_word(&mapped, "crash");
	unwind_part__put(ask(&fixture, &mapped));
	while (unwind_loader__is_busy(fixture.loader))
		unwind_loader__work(fixture.loader);
	EXPECT(unwind_loader__take_failure(fixture.loader, text, sizeof(text)));
	part = ask(&fixture, &mapped);
	EXPECT(unwind_loader__work(fixture.loader));
	EXPECT(part->is_done);
	unwind_part__put(part);
	unmap(&mapped);
	end(&fixture);
}

static void test_same_mapping(void)
{
	struct loading_fixture fixture;
	struct unwind_part *part;
	struct mapped mapped;
	struct mapping other;

	begin(&fixture);
	map_word(&mapped, "none");
	part = ask(&fixture, &mapped);
	EXPECT(unwind_part__is_of(part, &mapped.mapping));
	await(fixture.loader, part);
	EXPECT(unwind_part__is_of(part, &mapped.mapping));
	EXPECT_EQ(part->start, mapped.mapping.start);
	other = mapped.mapping;
	other.inode++;
	EXPECT(!unwind_part__is_of(part, &other));
	other = mapped.mapping;
	other.offset += PAGE_BYTES;
	EXPECT(!unwind_part__is_of(part, &other));
	unwind_part__put(part);
	unmap(&mapped);
	end(&fixture);
}

static void test_without_readers(void)
{
	struct map_calls calls = {0};
	struct unwind_files *files = unwind_files__new(-1, -1, 0, &calls, -1, NULL);
	struct unwind_loader *loader = unwind_loader__new(files, NULL, NULL);
	const struct mapping anonymous = {.start = 0x1000, .end = 0x2000, .path = ""};
	const struct mapping gone = {
		.start = 0x1000, .end = 0x2000, .inode = 1, .path = "/nowhere/at/all"};
	const struct mapping not_ours = {.start = 0x1000, .end = 0x2000, .path = "[vdso]"};
	const struct mapping vdso = {
		.start = 0x7ffff7fc0000, .end = 0x7ffff7fc2000, .path = "[vdso]"};
	const struct mapping *mappings[] = {&anonymous, &gone, &not_ours, &vdso};
	char text[256];

	for (size_t i = 0; i < 4; i++) {
		struct unwind_part *part = unwind_loader__ask(loader, mappings[i], getpid());

		await(loader, part);
		EXPECT_EQ(has_table(part), mappings[i] == &vdso);
		unwind_part__put(part);
	}
	EXPECT(!unwind_loader__take_failure(loader, text, sizeof(text)));
	unwind_loader__free(loader);
	unwind_files__free(files);
}

int main(void)
{
	static const struct test tests[] = {
		{"a table arrives", test_arrives},
		{"readers that fail", test_fails},
		{"nobody waits", test_never_waits},
		{"many files", test_many},
		{"one file at a time", test_one_at_a_time},
		{"slow files", test_slow},
		{"whoever asked has gone", test_arrives_for_nobody},
		{"the same mapping", test_same_mapping},
		{"what is no file, and nobody who reads", test_without_readers},
		{0},
	};

	return run_tests("unwind_loader", tests);
}
