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

#endif
