// SPDX-License-Identifier: GPL-2.0-only
/*
 * Probes of malloc and its like go to these places: in the C library of this program, against
 * readelf's view of it.
 */
#include "capture/probes/malloc_places.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "capture/events/probe.h"
#include "capture/probes/allocators.h"
#include "expect.h"
#include "readers/readers.h"

static struct readers *readers;
static struct allocators allocators;
static const struct allocator *libc;
static struct malloc_places places;

/*
 * Returns where a function of the C library begins in its file, whose offsets are its addresses; 0:
 * it has none.
 */
static uint64_t place_of(const char *name)
{
	unsigned long long address, found = 0;
	char command[512], line[512], known[256];
	FILE *symbols;

	snprintf(command, sizeof(command), "readelf -W --dyn-syms '%s'", libc->path);
	symbols = popen(command, "r");
	while (fgets(line, sizeof(line), symbols))
		if (sscanf(line, " %*d: %llx %*d FUNC %*s %*s %*d %255[^@\n ]", &address, known) ==
			    2 &&
		    !strcmp(known, name))
			found = address;
	pclose(symbols);
	return found;
}

static const struct malloc_place *find(const char *name)
{
	const uint64_t entry = place_of(name);

	for (size_t i = 0; i < places.nr; i++)
		if (places.list[i].offset - places.list[i].call.before == entry)
			return &places.list[i];
	return NULL;
}

static void expect_call(const char *name, unsigned int size, unsigned int number)
{
	const struct malloc_place *place = find(name);

	EXPECT(place != NULL);
	if (!place)
		return;
	EXPECT_EQ(place->call.size.kind, PROBE_ARGUMENT_REGISTER);
	EXPECT_EQ(place->call.size.register_offset, probe__argument_offset(size));
	EXPECT_EQ(place->call.number.kind,
		  number ? PROBE_ARGUMENT_REGISTER : PROBE_ARGUMENT_CONSTANT);
	if (number)
		EXPECT_EQ(place->call.number.register_offset, probe__argument_offset(number));
	else
		EXPECT_EQ(place->call.number.number, 1);
	EXPECT(place->call.before <= 16 && place->call.before < place->call.code_bytes);
}

static void test_places(void)
{
	struct error err = {0};

	EXPECT_EQ(allocators__find(&allocators, getpid(), NULL, readers, &err), 0);
	libc = allocators__with_malloc(&allocators, getpid(), &err);
	EXPECT(libc != NULL);
	if (!libc)
		return;
	EXPECT_EQ(malloc_places__add(&places, libc, readers, &err), 0);
	EXPECT_EQ(places.list[0].offset - places.list[0].call.before, place_of("malloc"));
	expect_call("malloc", 1, 0);
	expect_call("calloc", 2, 1);
	expect_call("realloc", 2, 0);
	expect_call("reallocarray", 3, 2);
	expect_call("posix_memalign", 3, 0);
	expect_call("memalign", 2, 0);
	expect_call("aligned_alloc", 2, 0);
	expect_call("valloc", 1, 0);
	expect_call("pvalloc", 1, 0);
	EXPECT(!find("free") && !find("mallopt"));
}

/*
 * Known places are not added again: neither two names of one function, nor the same file of another
 * process.
 */
static void test_again(void)
{
	const size_t nr = places.nr;
	struct error err = {0};

	for (size_t i = 0; i < nr; i++)
		for (size_t other = 0; other < i; other++)
			EXPECT(places.list[i].offset != places.list[other].offset);
	EXPECT_EQ(malloc_places__add(&places, libc, readers, &err), 0);
	EXPECT_EQ(places.nr, nr);
	EXPECT_EQ(malloc_places__find(&places, libc->file), 0);
	EXPECT_EQ(malloc_places__find(&places, STDIN_FILENO), nr);
	malloc_places__free(&places);
	EXPECT_EQ(places.nr, 0);
	allocators__close(&allocators);
}

int main(void)
{
	static const struct test tests[] = {
		{"places in the C library", test_places},
		{"once each", test_again},
		{0},
	};
	int failed;

	if (readers__start(&readers, jobs__find))
		return 1;
	failed = run_tests("malloc_places", tests);
	readers__stop(readers);
	return failed;
}
