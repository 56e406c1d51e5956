/* SPDX-License-Identifier: GPL-2.0-only */
/* The calls of the kernel's helper functions in a program that is not loaded yet. */
#ifndef TOPSTACKS_CAPTURE_HOST_HELPER_CALLS_H
#define TOPSTACKS_CAPTURE_HOST_HELPER_CALLS_H

#include <stdint.h>

struct bpf_insn;
struct bpf_program;

/* Puts an instruction into the place of each call of a helper (enum bpf_func_id). 0 or negative errno. */
int helper_calls__replace(struct bpf_program *program, int32_t helper, struct bpf_insn with);

#endif
