/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What BPF programs must know of the kernel's types to be loaded. libbpf would read all of them, and
 * search them again for each struct that is relocated and each program that hooks into a function or
 * tracepoint by its type. Here they are read once.
 *
 * While there is one of these, objects are opened and loaded by this thread alone, for libbpf is told
 * to ask here.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_KERNEL_TYPES_H
#define TOPSTACKS_CAPTURE_HOST_KERNEL_TYPES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"

struct bpf_object;
struct kernel_types;

/*
 * Goes before the object is opened. reads_kernel: the kernel has bpf_probe_read_kernel(). NULL, with *err filled, on
 * failure.
 */
struct kernel_types *kernel_types__new(bool reads_kernel, struct error *err);

/* For the object's btf_custom_path; the file is empty so far. */
const char *kernel_types__path(const struct kernel_types *types);

/* Finds what those programs of the object need that are to be loaded. 0 or negative errno, with *err filled. */
int kernel_types__find(struct kernel_types *types, const struct bpf_object *object,
		       struct error *err);

/* The object may be in use for longer. NULL: nothing to do. */
void kernel_types__free(struct kernel_types *types);

/* The calls of the kernel's helper functions in a program that is not loaded yet. */
struct bpf_insn;
struct bpf_program;

/* Puts an instruction into the place of each call of a helper (enum bpf_func_id). 0 or negative errno. */
int helper_calls__replace(struct bpf_program *program, int32_t helper, struct bpf_insn with);

#endif
