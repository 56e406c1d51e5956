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

/* Chooses types: wants returns true if a named type is wanted. kind: BTF_KIND_*. */
struct type_filter {
	bool (*wants)(void *context, unsigned int kind, const char *name, uint32_t id);
	void *context;
};

/*
 * Shows each named type to the filter and makes a BTF of the wanted ones: *extract, of
 * *extract_bytes, to be freed. Only structs, unions and typedefs of them may be wanted. Returns 0
 * or negative errno; -EINVAL: btf is damaged, or has an unknown kind.
 */
int type_extract__make(const void *btf, size_t nr_bytes, const struct type_filter *filter,
		       void **extract, size_t *extract_bytes);

#endif
