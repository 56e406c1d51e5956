// SPDX-License-Identifier: GPL-2.0-only
/* Text as the kernel writes it, cut and broken; the real file against a search with getline. */
#include "symbols/kernel.h"

#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/symbol_table.h"
#include "expect.h"
#include "symbol_ranges.h"

static struct symbol_table *read_text(const char *text, size_t length)
{
	struct symbol_table *table = NULL;
	FILE *file = tmpfile();

	EXPECT_EQ(fwrite(text, 1, length, file), length);
	fflush(file);
	rewind(file);
	EXPECT_EQ(kallsyms__read(fileno(file), &table), 0);
	fclose(file);
	return table;
}

static const char *name_at(const struct symbol_table *table, uint64_t address)
{
	struct found_symbol found;

	return symbol_table__find(table, address, &found) ? found.name : NULL;
}

static void test_text(void)
{
	static const char text[] = "ffffffff81000000 T _text\n"
				   "ffffffff81000000 T _stext\n"
				   "ffffffff81000000 t a_local\n"
				   "ffffffff81000100 t second\n"
				   "ffffffff81000200 W weak\n"
				   "ffffffff81000300 D data\n"
				   "ffffffff81000310 r rodata\n"
				   "ffffffff81000320 w last\n"
				   "ffffffffc0002000 t after\t[nf_tables]\n"
				   "ffffffffc0001000 t before\t[nf_tables]\n"
				   "ffffffffc0003000 t \t[nf_tables]\n"
				   "ffffffffc0000000 t bpf_prog_1_x\t[bpf]\n";
	struct symbol_table *table = read_text(text, strlen(text));

	EXPECT_STR(name_at(table, 0xffffffff80ffffff), NULL);
	EXPECT_STR(name_at(table, 0xffffffff81000000), "_text");
	EXPECT_STR(name_at(table, 0xffffffff810000ff), "_text");
	EXPECT_STR(name_at(table, 0xffffffff81000100), "second");
	EXPECT_STR(name_at(table, 0xffffffff8100031f), "weak");
	EXPECT_STR(name_at(table, 0xffffffff81000320), "last");
	EXPECT_STR(name_at(table, 0xffffffffc0000fff), "bpf_prog_1_x\t[bpf]");
	EXPECT_STR(name_at(table, 0xffffffffc0001fff), "before\t[nf_tables]");
	EXPECT_STR(name_at(table, 0xffffffffc0002000), "after\t[nf_tables]");
	/* Far behind a module there may be code that was loaded since. */
	EXPECT_STR(name_at(table, 0xffffffffc0100000), NULL);
	symbol_table__free(table);
}

static void test_hidden(void)
{
	static const char zeros[] = "0000000000000000 T _text\n0000000000000000 t x\n";
	static const char data[] = "0000000000000000 A per_cpu\nffffffff81000300 D data\n";
	struct symbol_table *table = read_text(zeros, strlen(zeros));

	EXPECT_STR(name_at(table, 0), NULL);
	symbol_table__free(table);
	table = read_text(data, strlen(data));
	symbol_table__free(table);
	table = read_text("", 0);
	symbol_table__free(table);
}

static void test_broken(void)
{
	static const char text[] =
		"\n \nx\nffffffff81000000\nffffffff81000000 \nffffffff81000000 T\n"
		"ffffffff81000000 T \n T name\nffffffff81000000T name\n"
		"ffffffff81000000 Tname\nffffffff81000000  T name\n"
		"FFFFFFFF81000000 T upper\n"
		"ffffffff81000010 T good\n"
		"ffffffff81000020 T no newline";
	struct symbol_table *table = read_text(text, strlen(text));

	EXPECT_EQ(count_ranges(table, 0xffffffff81000000, 0xffffffff81001000), 1);
	EXPECT_STR(name_at(table, 0xffffffff81000010), "good");
	symbol_table__free(table);
}

/* Lines that cross the boundaries of reads, and one that is longer than any buffer. */
static void test_long_text(void)
{
	const size_t capacity = 1 << 20;
	char *text = malloc(capacity);
	size_t length = 0, i;
	struct symbol_table *table;
	char name[32];

	for (i = 0; i < 10000; i++)
		length += (size_t)sprintf(text + length, "%zx t f%zu\n",
					  0xffffffff81000000 + i * 16, i);
	memset(text + length, 'x', 100000);
	length += 100000;
	length += (size_t)sprintf(text + length, "\nffffffff82000000 t end\n");
	table = read_text(text, length);
	for (i = 0; i < 10000; i++) {
		snprintf(name, sizeof(name), "f%zu", i);
		EXPECT_STR(name_at(table, 0xffffffff81000000 + i * 16 + 15), name);
	}
	EXPECT_STR(name_at(table, 0xffffffff82000000), "end");
	symbol_table__free(table);
	free(text);
}

struct kallsyms_line {
	uint64_t address;
	char *name;
};

static int compare_lines(const void *left, const void *right)
{
	const struct kallsyms_line *a = left, *b = right;

	return (a->address > b->address) - (a->address < b->address);
}

static size_t read_lines(struct kallsyms_line **lines)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char *text = NULL, type, name[600];
	size_t size = 0, nr = 0;
	uint64_t address;

	*lines = malloc(1000000 * sizeof(**lines));
	while (nr < 1000000 && getline(&text, &size, file) > 0) {
		if (sscanf(text, "%lx %c %599[^\n]", &address, &type, name) == 3 && address &&
		    strchr("tTwW", type))
			(*lines)[nr++] = (struct kallsyms_line){address, strdup(name)};
	}
	free(text);
	fclose(file);
	qsort(*lines, nr, sizeof(**lines), compare_lines);
	return nr;
}

/* Programs come and go while we read, so look at the kernel's own symbols only. */
static void test_real(void)
{
	struct symbol_table *table = NULL;
	struct kallsyms_line *lines;
	size_t nr, i, first, nr_wrong = 0;
	const int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);

	EXPECT_EQ(kallsyms__read(fd, &table), 0);
	close(fd);
	nr = read_lines(&lines);
	EXPECT((symbol_table__memory_bytes(table) > 4096) == (nr > 0));
	for (i = first = 0; i < nr; i++) {
		const char *name = name_at(table, lines[i].address);
		bool found = false;
		size_t alias;

		if (lines[i].address != lines[first].address)
			first = i;
		for (alias = first; alias < nr && lines[alias].address == lines[i].address; alias++)
			found = found || (name && !strcmp(name, lines[alias].name));
		nr_wrong += !found && !strchr(lines[i].name, '[');
	}
	EXPECT_EQ(nr_wrong, 0);
	for (i = 0; i < nr; i++)
		free(lines[i].name);
	free(lines);
	symbol_table__free(table);
}

int main(void)
{
	static const struct test tests[] = {
		{"text", test_text},
		{"hidden addresses", test_hidden},
		{"broken lines", test_broken},
		{"long text", test_long_text},
		{"the kernel we run on", test_real},
		{0},
	};

	return run_tests("kallsyms", tests);
}
