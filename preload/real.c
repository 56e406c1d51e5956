// SPDX-License-Identifier: GPL-2.0-only
#include "real.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdbool.h>

#include "early.h"

/* The oldest version of dlsym: since 2.34 the C library has another one, which older ones lack. */
#ifdef __x86_64__
__asm__(".symver dlsym, dlsym@GLIBC_2.2.5");
#else
__asm__(".symver dlsym, dlsym@GLIBC_2.17");
#endif

static _Thread_local bool is_looking;

#define LOOK_UP(name)                                                          \
	do {                                                                   \
		const __typeof__(real.name) found =                            \
			(__typeof__(real.name))dlsym(RTLD_NEXT, #name);        \
		if (found)                                                     \
			__atomic_store_n(&real.name, found, __ATOMIC_RELAXED); \
	} while (0)

/* Concurrent lookups by several threads find the same functions. */
static void look_up_all(void)
{
	const int code = errno;

	if (is_looking)
		return;
	is_looking = true;
	LOOK_UP(free); /* first: dlsym may free memory of a real malloc */
	LOOK_UP(malloc);
	LOOK_UP(calloc);
	LOOK_UP(realloc);
	LOOK_UP(memalign);
	LOOK_UP(aligned_alloc);
	LOOK_UP(posix_memalign);
	LOOK_UP(valloc);
	LOOK_UP(pvalloc);
	is_looking = false;
	errno = code;
}

/*
 * The initial value of a function pointer: looks the real function up and calls it, or evaluates
 * `otherwise` if there is none, or none yet.
 */
#define FIRST(type, name, parameters, arguments, otherwise) \
	static type first_##name parameters                 \
	{                                                   \
		look_up_all();                              \
		if (real.name == first_##name)              \
			return otherwise;                   \
		return real.name arguments;                 \
	}

static void *none(void)
{
	errno = ENOMEM;
	return NULL;
}

static void *zeroed(size_t count, size_t size)
{
	return __builtin_mul_overflow(count, size, &size) ? none() : early__allocate(size);
}

FIRST(void *, malloc, (size_t size), (size), early__allocate(size))
FIRST(void, free, (void *block), (block), (void)0)
FIRST(void *, calloc, (size_t count, size_t size), (count, size), zeroed(count, size))
FIRST(void *, realloc, (void *block, size_t size), (block, size),
      block ? none() : early__allocate(size))
FIRST(void *, memalign, (size_t alignment, size_t size), (alignment, size), none())
FIRST(void *, aligned_alloc, (size_t alignment, size_t size), (alignment, size), none())
FIRST(int, posix_memalign, (void **block, size_t alignment, size_t size), (block, alignment, size),
      ENOMEM)
FIRST(void *, valloc, (size_t size), (size), none())
FIRST(void *, pvalloc, (size_t size), (size), none())

struct real_functions real = {
	.malloc = first_malloc,
	.free = first_free,
	.calloc = first_calloc,
	.realloc = first_realloc,
	.memalign = first_memalign,
	.aligned_alloc = first_aligned_alloc,
	.posix_memalign = first_posix_memalign,
	.valloc = first_valloc,
	.pvalloc = first_pvalloc,
};
