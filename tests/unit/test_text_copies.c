// SPDX-License-Identifier: GPL-2.0-only
/* Some memory may hold a copy of a file's text, by its neighbours in the list of mappings. */
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "expect.h"
#include "processes/text_copies.h"

/* The found mappings, each as "START>ORIGINAL_START+OFFSET PATH", or "START". */
static char found[65536];

static int note(void *context, const struct mapping *mapping)
{
	const struct mapping *original = mapping->original;
	char *end = found + strlen(found);

	(void)context;
	if (strlen(found) > sizeof(found) - 1000)
		return 0;
	end += sprintf(end, "%s%llx", *found ? " " : "", (unsigned long long)mapping->start);
	if (original)
		sprintf(end, ">%llx+%llx%s%s", (unsigned long long)original->start,
			(unsigned long long)original->offset, original->is_head ? "h" : "",
			original->path);
	return 0;
}

static void expect_found(const char *maps, const char *expected)
{
	const int text = memfd_create("maps", MFD_CLOEXEC);

	*found = '\0';
	EXPECT(write(text, maps, strlen(maps)) == (ssize_t)strlen(maps));
	lseek(text, 0, SEEK_SET);
	EXPECT_EQ(text_copies__each_executable(text, note, NULL), 0);
	close(text);
	EXPECT_STR(found, expected);
}

#define HEAD	 "1000-2000 r--p 00000000 08:01 7 /p\n"
#define CODE	 "2000-3000 r-xp 00001000 08:01 7 /p\n"
#define MEMORY	 "3000-5000 r-xp 00000000 00:00 0 \n"
#define CODE_END "5000-6000 r-xp 00004000 08:01 7 /p\n"
#define DATA	 "6000-7000 rw-p 00005000 08:01 7 /p\n"
#define OTHER	 "9000-a000 r-xp 00000000 08:01 8 /other\n"

static void test_inside(void)
{
	expect_found(HEAD CODE MEMORY CODE_END DATA, "2000 3000>2000+1000/p 5000");
	expect_found(HEAD MEMORY DATA, "3000>1000+0h/p");
	expect_found(CODE MEMORY "5000-5100 rw-p 00000000 00:00 0 \n" CODE_END,
		     "2000 3000>2000+1000/p 5000");
	expect_found(HEAD CODE "3000-4000 r-xp 0 00:00 0 \n4000-5000 r-xp 0 00:00 0 \n" CODE_END,
		     "2000 3000>2000+1000/p 4000>2000+1000/p 5000");
	expect_found(HEAD CODE "3000-5000 r-xp 00000000 00:01 99 /memfd:text (deleted)\n" CODE_END,
		     "2000 3000>2000+1000/p 5000");
	expect_found(HEAD CODE "3000-5000 r-xp 00000000 00:0f 99 /anon_hugepage (deleted)\n" DATA,
		     "2000 3000>2000+1000/p");
	expect_found(HEAD CODE "3000-5000 r-xp 00000000 00:0f 99 /dev/hugepages/x (deleted)\n" DATA,
		     "2000 3000>2000+1000/p");
}

/* All that follows, or all that was before, may have been covered. */
static void test_beside(void)
{
	expect_found(HEAD CODE MEMORY OTHER, "2000 3000>2000+1000/p 9000");
	expect_found("4000-5000 r-xp 0 00:00 0 \n" CODE_END DATA, "4000>5000+4000/p 5000");
	expect_found(HEAD CODE MEMORY, "2000 3000>2000+1000/p");
}

static void test_none(void)
{
	expect_found(MEMORY, "3000");
	expect_found(HEAD CODE "7000-8000 r-xp 0 00:00 0 \n" OTHER, "2000 7000 9000");
	expect_found(CODE "3000-5000 r-xp 0 00:01 99 /memfd:jit (deleted)\n" OTHER,
		     "2000 3000 9000");
	/* A file that was deleted is itself. */
	expect_found("1000-2000 r--p 0 08:01 7 /p (deleted)\n2000-3000 r-xp 1000 08:01 7 /p "
		     "(deleted)\n3000-4000 rw-p 2000 08:01 7 /p (deleted)\n",
		     "2000");
	expect_found(CODE "3000-4000 r-xp 0 08:01 9 /q (deleted)\n" OTHER, "2000 3000 9000");
	expect_found(HEAD CODE "7000-8000 r-xp 00000000 00:00 0 [vdso]\n", "2000 7000");
	/* A compiler writes the code that it makes into it. */
	expect_found(OTHER "b000-f000 rwxp 0 00:00 0 \nf000-10000 r-xp 0 08:01 9 /jit.dump\n"
			   "10000-11000 rwxp 0 00:00 0 \n",
		     "9000 b000 f000 10000");
}

/* As many as there are, and names as long as they may be. */
static void test_many(void)
{
	static char maps[8 << 20];
	char *end = maps + sprintf(maps, HEAD CODE);
	int nr_found = 0;

	for (unsigned int at = 0x3000; at < 0x3000 + 1000 * 0x1000; at += 0x1000)
		end += sprintf(end, "%x-%x r-xp 0 00:00 0 /memfd:%0*d (deleted)\n", at, at + 0x1000,
			       (int)(at / 0x1000 % 400) + 1, 1);
	sprintf(end, "400000-500000 r-xp 400000 08:01 7 /p\n");
	const int text = memfd_create("maps", MFD_CLOEXEC);

	*found = '\0';
	EXPECT(write(text, maps, strlen(maps)) == (ssize_t)strlen(maps));
	lseek(text, 0, SEEK_SET);
	EXPECT_EQ(text_copies__each_executable(text, note, NULL), 0);
	close(text);
	for (const char *at = found; at; at = strchr(at + 1, ' '))
		nr_found++;
	EXPECT_EQ(nr_found, 1002);
}

int main(void)
{
	static const struct test tests[] = {
		{"inside of a file", test_inside},
		{"beside it", test_beside},
		{"no copies", test_none},
		{"many", test_many},
		{0},
	};

	return run_tests("text_copies", tests);
}
