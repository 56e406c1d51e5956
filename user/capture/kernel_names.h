/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_CAPTURE_KERNEL_NAMES_H
#define TOPSTACKS_CAPTURE_KERNEL_NAMES_H

#include <stdint.h>

struct kernel_names_bpf;

/* Loads the program that asks the kernel. NULL: it cannot be asked (before 5.14). */
struct kernel_names_bpf *kernel_names__open(void);
void kernel_names__close(struct kernel_names_bpf *names);

/*
 * What the kernel calls the address: "name+0x1f/0x5a0 [module]", or the address in hex. Valid until
 * the next question; NULL if there is no answer.
 */
const char *kernel_names__ask(struct kernel_names_bpf *names, uint64_t address);

#endif
