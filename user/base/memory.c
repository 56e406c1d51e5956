// SPDX-License-Identifier: GPL-2.0-only
#include "base/memory.h"

#include <malloc.h>
#include <search.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <libiberty/ansidecl.h>
#include <libiberty/objalloc.h>

#include "base/error.h"

#define MOST_RESERVE_BYTES (256UL << 20)

/* Allocations are everywhere, and so is the need for the reserve: the only state that all share. */
static struct {
	_Atomic(void *) bytes; /* NULL: none */
	size_t nr_bytes;
	atomic_bool is_short;
	int quiet_code; /* 0: ends with words */
	bool says_at_exit, has_limit;
	int exit_code; /* 0: EXIT_INTERNAL */
	bool (*shed)(void *context);
	void *context;
} reserve;

/* False: it was given back before. */
static bool give_back(void)
{
	void *bytes = atomic_exchange(&reserve.bytes, NULL);

	if (!bytes)
		return false;
	munmap(bytes, reserve.nr_bytes);
	atomic_store(&reserve.is_short, true);
	return true;
}

const char *memory__remedy(void)
{
	struct rlimit addresses = {RLIM_INFINITY, RLIM_INFINITY}, data = addresses;

	getrlimit(RLIMIT_AS, &addresses);
	getrlimit(RLIMIT_DATA, &data); /* --max-memory sets it, too */
	if (addresses.rlim_cur != RLIM_INFINITY && addresses.rlim_cur <= data.rlim_cur)
		return "raise the limit (ulimit -v)";
	if (reserve.has_limit)
		return "raise --max-memory";
	if (data.rlim_cur != RLIM_INFINITY)
		return "raise the limit (ulimit -d)";
	return "end other programs that need much, or give the machine more";
}

int memory__error(struct error *err)
{
	error__say(err, EXIT_INTERNAL, -ENOMEM, "out of memory");
	return error__remedy(err, "%s", memory__remedy());
}

/*
 * Registered before all other handlers, so it runs after them: what gives the terminal back would
 * erase the words.
 */
static void say_end(void)
{
	const char *const words[] = {
		"topstacks: memory ran out, so the program ended at once, without its output; ",
		memory__remedy(), "\n"};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		(void)!write(STDERR_FILENO, words[i], strlen(words[i]));
}

bool memory__set_aside(void)
{
	size_t wanted = MOST_RESERVE_BYTES;
	struct rlimit limit;
	void *bytes;

	if (atomic_load(&reserve.bytes))
		return true;
	if (!reserve.says_at_exit)
		reserve.says_at_exit = !at_quick_exit(say_end);
	/*
	 * Threads work in turns. A heap of its own for each would grow by single pages, with a
	 * system call for each, would not have what another frees, and takes 64 MiB of addresses.
	 */
	mallopt(M_ARENA_MAX, 1);
	if (!getrlimit(RLIMIT_AS, &limit) && limit.rlim_cur / 8 < wanted)
		wanted = limit.rlim_cur / 8;
	if (!getrlimit(RLIMIT_DATA, &limit) && limit.rlim_cur / 8 < wanted)
		wanted = limit.rlim_cur / 8;
	wanted |= 1; /* never empty */
	bytes = mmap(NULL, wanted, PROT_READ | PROT_WRITE,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (bytes == MAP_FAILED)
		return false;
	reserve.nr_bytes = wanted;
	atomic_store(&reserve.is_short, false);
	atomic_store(&reserve.bytes, bytes);
	return true;
}

size_t memory__reserve_bytes(void)
{
	return atomic_load(&reserve.bytes) ? reserve.nr_bytes : 0;
}

void memory__end_at_limit(void)
{
	give_back();
	reserve.has_limit = true;
}

void memory__exit_with(int exit_code)
{
	reserve.exit_code = exit_code;
}

void memory__end_quietly(int exit_code)
{
	give_back();
	reserve.shed = NULL;
	reserve.quiet_code = exit_code;
}

void memory__shed_by(bool (*shed)(void *context), void *context)
{
	reserve.shed = shed;
	reserve.context = context;
}

/* Frees something that the process can do without. */
static bool shed(void)
{
	if (!reserve.shed || !reserve.shed(reserve.context))
		return false;
	malloc_trim(0);
	return true;
}

bool memory__is_short(void)
{
	return atomic_load(&reserve.is_short);
}

bool memory__recover(void)
{
	while (memory__is_short() && !memory__set_aside())
		if (!shed())
			return false;
	return true;
}

__attribute__((noreturn)) static void end(void)
{
	if (reserve.quiet_code)
		_exit(reserve.quiet_code);
	if (!reserve.says_at_exit)
		say_end();
	quick_exit(reserve.exit_code ? reserve.exit_code : EXIT_INTERNAL);
}

/*
 * Frees memory before an allocation is tried again. Does not return if there is nothing left to
 * free. *nr_tries: of this allocation; another thread may have made room since the first. Not
 * inlined, so that allocations that succeed stay short.
 */
__attribute__((noinline, cold)) static void make_room(unsigned int *nr_tries)
{
	if (!give_back() && (*nr_tries)++ && !shed())
		end();
}

void *xrealloc(void *old, size_t nr_bytes)
{
	unsigned int nr_tries = 0;
	void *grown;

	while (!(grown = realloc(old, nr_bytes ? nr_bytes : 1)))
		make_room(&nr_tries);
	return grown;
}

void *xmalloc(size_t nr_bytes)
{
	return xrealloc(NULL, nr_bytes);
}

void *xcalloc(size_t count, size_t nr_bytes)
{
	unsigned int nr_tries = 0;
	void *bytes;

	if (!count || !nr_bytes)
		count = nr_bytes = 1;
	while (!(bytes = calloc(count, nr_bytes)))
		make_room(&nr_tries);
	return bytes;
}

char *xstrndup(const char *text, size_t nr_bytes)
{
	const size_t length = strnlen(text, nr_bytes);
	char *copy = xmalloc(length + 1);

	memcpy(copy, text, length);
	copy[length] = '\0';
	return copy;
}

char *xstrdup(const char *text)
{
	return xstrndup(text, SIZE_MAX);
}

char *xasprintf(const char *format, ...)
{
	unsigned int nr_tries = 0;
	va_list arguments;
	char *text;
	int length;

	do {
		va_start(arguments, format);
		length = vasprintf(&text, format, arguments);
		va_end(arguments);
	} while (length < 0 && (make_room(&nr_tries), true));
	return text;
}

void *xtsearch(const void *key, void **root, int (*compare)(const void *a, const void *b))
{
	unsigned int nr_tries = 0;
	void *node;

	while (!(node = tsearch(key, root, compare)))
		make_room(&nr_tries);
	return node;
}

void *xobjalloc(struct objalloc **arena, size_t nr_bytes)
{
	unsigned int nr_tries = 0;
	void *bytes;

	while (!*arena && !(*arena = objalloc_create()))
		make_room(&nr_tries);
	while (!(bytes = objalloc_alloc(*arena, nr_bytes)))
		make_room(&nr_tries);
	return bytes;
}

FILE *xmemstream(char **text, size_t *nr_bytes)
{
	unsigned int nr_tries = 0;
	FILE *stream;

	while (!(stream = open_memstream(text, nr_bytes)))
		make_room(&nr_tries);
	return stream;
}

void xfclose(FILE *stream)
{
	if (fclose(stream))
		end();
}
