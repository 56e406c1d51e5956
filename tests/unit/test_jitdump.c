// SPDX-License-Identifier: GPL-2.0-only
/* Files put together field by field as the specification says, growing, cut and lying. */
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "elf/symbol_table.h"
#include "expect.h"
#include "jit_told.h"

static struct jit_bounds bounds;
static struct jit_code code;
static struct jitdump dump;
static size_t allowance;
static int fd;

static void put(uint64_t value, size_t bytes)
{
	EXPECT_EQ(write(fd, &value, bytes), bytes); /* little endian, as we are */
}

static void put_header(uint32_t magic, uint32_t version, uint32_t bytes)
{
	put(magic, 4);
	put(version, 4);
	put(bytes, 4);
	put(EM_X86_64, 4);
	put(0, 4);
	put(4711, 4);
	put(1234567, 8);
	put(0, 8);
	while (bytes-- > 40 && bytes < 100)
		put(0, 1);
}

static void put_record(uint32_t kind, size_t payload_bytes)
{
	put(kind, 4);
	put(16 + payload_bytes, 4);
	put(99, 8);
}

static void put_load(uint64_t address, uint64_t bytes, uint64_t index, const char *name)
{
	const size_t name_bytes = strlen(name) + 1;
	char *native = malloc(bytes);

	memset(native, 'n', bytes);
	put_record(0, 40 + name_bytes + bytes);
	put(4711, 4);
	put(4712, 4);
	put(address, 8);
	put(address, 8);
	put(bytes, 8);
	put(index, 8);
	EXPECT_EQ(write(fd, name, name_bytes), name_bytes);
	EXPECT_EQ(write(fd, native, bytes), bytes);
	free(native);
}

static void put_move(uint64_t from, uint64_t to, uint64_t bytes, uint64_t index)
{
	put_record(1, 48);
	put(4711, 4);
	put(4712, 4);
	put(to, 8);
	put(from, 8);
	put(to, 8);
	put(bytes, 8);
	put(index, 8);
}

static void begin_with(uint32_t magic, uint32_t version, uint32_t bytes)
{
	bounds = (struct jit_bounds){.max_code_bytes = 64 << 20};
	code = (struct jit_code){.bounds = &bounds};
	dump = (struct jitdump){0};
	fd = memfd_create("dump", 0);
	allowance = 1 << 30;
	put_header(magic, version, bytes);
}

static void begin(void)
{
	begin_with(0x4a695444, 1, 40);
}

static void end(void)
{
	jit_code__clear(&code);
	EXPECT_EQ(bounds.code_bytes, 0);
	close(fd);
}

static bool read_dump(void)
{
	struct jit_told told = {0};
	const bool has_changed = jitdump__read(&dump, fd, &told, &allowance);

	apply_told(&code, &told);
	return has_changed;
}

static const char *name_at(uint64_t address)
{
	struct found_symbol found;

	return jit_code__find(&code, address, &found) ? found.name : NULL;
}

/* The records that are told have this time. */
static void expect_times(uint64_t time_ns)
{
	struct jit_told told = {0};
	struct jit_record record;
	size_t nr = 0;

	put_load(0x1000, 16, 1, "f");
	put_move(0x1000, 0x2000, 16, 1);
	EXPECT(jitdump__read(&dump, fd, &told, &allowance));
	for (size_t at = 0; at < told.nr_bytes; at += JIT_RECORD_BYTES(record.name_bytes), nr++) {
		memcpy(&record, told.bytes + at, sizeof(record));
		EXPECT_EQ(record.time_ns, time_ns);
	}
	EXPECT_EQ(nr, 2);
	free(told.bytes);
	end();
}

static void test_times(void)
{
	const uint64_t is_cpu_ticks = 1;

	begin();
	expect_times(99);
	begin();
	EXPECT_EQ(pwrite(fd, &is_cpu_ticks, 8, 32), 8);
	expect_times(0); /* that time is not known */
}

static void test_loads(void)
{
	begin();
	EXPECT(!read_dump());
	put_load(0x1000, 100, 1, "first(int, int)");
	put_record(2, 24); /* lines */
	put(0x1000, 8);
	put(0, 8);
	put(0, 8);
	put_record(4, 8); /* unwinding */
	put(0, 8);
	put_load(0x2000, 5000, 2, "second");
	put_record(77, 0); /* of the future */
	put_load(0x4000, 0, 3, "without code");
	EXPECT(read_dump());
	EXPECT_STR(name_at(0xfff), NULL);
	EXPECT_STR(name_at(0x1000), "first(int, int)");
	EXPECT_STR(name_at(0x1063), "first(int, int)");
	EXPECT_STR(name_at(0x1064), NULL);
	EXPECT_STR(name_at(0x2000 + 4999), "second");
	EXPECT_STR(name_at(0x4000), NULL);
	EXPECT(!read_dump());
	put_load(0x1010, 16, 4, "in its place");
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x1010), "in its place");
	EXPECT_STR(name_at(0x1000), NULL);
	end();
}

static void test_moves(void)
{
	begin();
	put_load(0x1000, 0x100, 7, "mover");
	put_load(0x3000, 0x100, 8, "other");
	put_move(0x1000, 0x2000, 0x100, 7);
	put_move(0x3000, 0x4000, 0x100, 9); /* another function is there */
	put_move(0x5000, 0x6000, 0x100, 7); /* and there is nothing */
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x1000), NULL);
	EXPECT_STR(name_at(0x20ff), "mover");
	EXPECT_STR(name_at(0x3000), "other");
	EXPECT_STR(name_at(0x4000), NULL);
	EXPECT_STR(name_at(0x6000), NULL);
	put_move(0x2000, 0x2080, 0x100, 7); /* over itself */
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x2000), NULL);
	EXPECT_STR(name_at(0x217f), "mover");
	end();
}

static void test_close(void)
{
	begin();
	put_load(0x1000, 16, 1, "before");
	put_record(3, 0);
	put_load(0x2000, 16, 2, "after");
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x1000), "before");
	EXPECT_STR(name_at(0x2000), NULL);
	EXPECT(!read_dump());
	end();
}

/* At every length the last record is there as a whole or not at all. */
static void test_growing(void)
{
	static char whole[4096];
	ssize_t size;

	begin();
	put_load(0x1000, 64, 1, "first");
	put_load(0x2000, 64, 2, "second");
	size = pread(fd, whole, sizeof(whole), 0);
	EXPECT(size > 200);
	EXPECT_EQ(ftruncate(fd, 0), 0);
	for (ssize_t at = 0; at < size; at++) {
		EXPECT_EQ(pwrite(fd, whole + at, 1, at), 1);
		read_dump();
		EXPECT_EQ(name_at(0x2000) != NULL, at + 1 == size);
	}
	EXPECT_STR(name_at(0x1000), "first");
	EXPECT_EQ(ftruncate(fd, 50), 0); /* and anew */
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x1000), NULL);
	end();
}

static void test_long_header(void)
{
	begin_with(0x4a695444, 1, 48);
	put_load(0x1000, 16, 1, "first");
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x1000), "first");
	end();
}

static void expect_refused(uint32_t magic, uint32_t version, uint32_t bytes)
{
	begin_with(magic, version, bytes);
	put_load(0x1000, 16, 1, "first");
	EXPECT(!read_dump());
	EXPECT_STR(name_at(0x1000), NULL);
	end();
}

static void test_headers(void)
{
	expect_refused(0x4454694a, 1, 40); /* the other byte order */
	expect_refused(0x464c457f, 1, 40);
	expect_refused(0x4a695444, 2, 40);
	expect_refused(0x4a695444, 1, 39);
	expect_refused(0x4a695444, 1, 0);
	expect_refused(0x4a695444, 1, 0xffffffff);
}

static void test_lying_sizes(void)
{
	begin();
	put(0, 4);
	put(15, 4); /* less than its header */
	put(0, 8);
	put_load(0x1000, 16, 1, "never found");
	EXPECT(!read_dump());
	EXPECT_STR(name_at(0x1000), NULL);
	end();
	begin();
	put(0, 4);
	put(0xffffffff, 4); /* the rest of it may come */
	put(0, 8);
	put_load(0x1000, 16, 1, "within it");
	EXPECT(!read_dump());
	EXPECT_STR(name_at(0x1000), NULL);
	end();
	begin();
	put_record(0, 40); /* no room for a name */
	for (int i = 0; i < 5; i++)
		put(0x1000, 8);
	put_record(0, 8);
	put(0x1000, 8);
	put_record(1, 8);
	put(0x1000, 8);
	put_load(0x2000, 16, 1, "after them");
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x1000), NULL);
	EXPECT_STR(name_at(0x2000), "after them");
	end();
}

static void test_long_names(void)
{
	static char name[5000];

	memset(name, 'x', sizeof(name) - 1);
	begin();
	put_load(0x1000, 16, 1, name);
	put_load(0x2000, 16, 2, "second");
	EXPECT(read_dump());
	EXPECT_EQ(strlen(name_at(0x1000)), JIT_MAX_NAME_BYTES);
	EXPECT_STR(name_at(0x2000), "second");
	end();
}

static void test_allowance(void)
{
	begin();
	for (uint64_t i = 0; i < 1000; i++)
		put_load(0x1000 + 16 * i, 16, i, "f");
	allowance = 100 * 1100;
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x1000), "f");
	EXPECT_STR(name_at(0x1000 + 999 * 16), NULL);
	EXPECT(!read_dump());
	allowance = 1 << 30;
	EXPECT(read_dump());
	EXPECT_STR(name_at(0x1000 + 999 * 16), "f");
	end();
}

static void test_paths(void)
{
	EXPECT_EQ(jitdump__pid("/root/.debug/jit/x/jit-4711.dump"), 4711);
	EXPECT_EQ(jitdump__pid("/tmp/jit-7.dump (deleted)"), 7);
	EXPECT_EQ(jitdump__pid("/tmp/jit-0.dump"), 0);
	EXPECT_EQ(jitdump__pid("/tmp/jit--7.dump"), 0);
	EXPECT_EQ(jitdump__pid("/tmp/jit-7.dump.gz"), 0);
	EXPECT_EQ(jitdump__pid("/tmp/jit-99999999999.dump"), 0);
	EXPECT_EQ(jitdump__pid("/tmp/xjit-7.dump"), 0);
	EXPECT_EQ(jitdump__pid("jit-7.dump"), 0);
	EXPECT_EQ(jitdump__pid("/jit-7.dump/x"), 0);
	EXPECT_EQ(jitdump__pid(""), 0);
}

int main(void)
{
	static const struct test tests[] = {
		{"functions", test_loads},
		{"moves", test_moves},
		{"times", test_times},
		{"the runtime's end", test_close},
		{"a file that grows", test_growing},
		{"a longer header", test_long_header},
		{"other files", test_headers},
		{"sizes that lie", test_lying_sizes},
		{"long names", test_long_names},
		{"only so much at a time", test_allowance},
		{"paths", test_paths},
		{0},
	};

	return run_tests("jitdump", tests);
}
