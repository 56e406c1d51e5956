/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The kernel's types that BPF programs need to be loaded. libbpf would read all types, and search
 * them for each struct that is relocated and each program that hooks into a function or tracepoint
 * by its type. This file reads them once.
 *
 * While a struct kernel_types exists, only this thread may open and load objects, because libbpf's
 * handlers point to it.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_KERNEL_TYPES_H
#define TOPSTACKS_CAPTURE_HOST_KERNEL_TYPES_H

#include "base/common.h"

struct bpf_object;
struct kernel_types;

/*
 * Call it before the object is opened. reads_kernel: the kernel has bpf_probe_read_kernel(). On
 * failure NULL, with err filled.
 */
struct kernel_types *kernel_types__new(bool reads_kernel, struct error *err);

/* Returns the path for the object's btf_custom_path. The file is empty until kernel_types__find. */
const char *kernel_types__path(const struct kernel_types *types);

/*
 * Finds the types that the object's loadable programs need. Returns 0 or negative errno, with err
 * filled.
 */
int kernel_types__find(struct kernel_types *types, const struct bpf_object *object,
		       struct error *err);

/* The object may outlive it. NULL is fine. */
void kernel_types__free(struct kernel_types *types);

/* Calls of kernel helpers in a program that is not loaded yet. */
struct bpf_insn;
struct bpf_program;

/*
 * Replaces each call of a helper (enum bpf_func_id) by an instruction. Returns 0 or negative errno.
 */
int helper_calls__replace(struct bpf_program *program, int32_t helper, struct bpf_insn with);

/*
 * ---- type_extract.c: a small BTF of chosen types of a large one ----
 *
 * Types keep their members and the types of these, so offsets are unchanged; pointers become
 * pointers to void.
 */

enum type_use {
	TYPE_IGNORED,
	TYPE_NOTED, /* its place is noted, but it is not in the extract */
	TYPE_COPIED,
};

/* Chooses types: wants says what a named type is used for. kind: BTF_KIND_*. */
struct type_filter {
	enum type_use (*wants)(void *context, unsigned int kind, const char *name, uint32_t id);
	void *context;
};

/* Where types are: their number, and their offset in the types of BTF. */
struct type_places {
	struct type_place {
		uint32_t id, offset;
	} * list; /* to be freed */
	size_t nr, capacity;
};

/*
 * Shows each named type to the filter and makes a BTF of the wanted ones: *extract, of
 * *extract_bytes, to be freed. Only structs, unions and typedefs of them may be copied. If there
 * are places, only the types there are shown and used; else they are filled with those of all types
 * that were noted or copied. Returns 0 or negative errno; -EINVAL: btf is damaged, or has an
 * unknown kind, or places are wrong.
 */
int type_extract__make(const void *btf, size_t nr_bytes, const struct type_filter *filter,
		       struct type_places *places, void **extract, size_t *extract_bytes);

/* ---- type_cache.c: the places of types in a file of the user ---- */

/* An open cache; closed if directory is negative. */
struct type_cache {
	int directory;
	char name[192];
};

/*
 * Opens the cache of this kernel, for a hash of all that is wanted. Not opened, as after any
 * failure: the kernel has no build ID, there is no place for a cache, or the process has more
 * rights than its caller.
 */
void type_cache__open(struct type_cache *cache, uint64_t wanted);
void type_cache__close(struct type_cache *cache);

/* Reads places, which may be wrong, and the sum that they must have. False: there are none. */
bool type_cache__read(const struct type_cache *cache, struct type_places *places, uint64_t *sum);

/* Writes them, if that is possible. */
void type_cache__write(const struct type_cache *cache, const struct type_places *places,
		       uint64_t sum);

/* Returns a sum of places and of the extract that was made of the types there. */
uint64_t type_cache__sum(const struct type_places *places, const void *extract,
			 size_t extract_bytes);

uint64_t type_cache__hash(const void *bytes, size_t nr_bytes);

#endif
