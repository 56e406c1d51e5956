/* SPDX-License-Identifier: GPL-2.0-only */
/* Lists the BPF programs that are loaded, by any process. Needs CAP_SYS_ADMIN. */
#ifndef TOPSTACKS_CAPTURE_HOST_BPF_PROGRAMS_H
#define TOPSTACKS_CAPTURE_HOST_BPF_PROGRAMS_H

struct program_list;

/*
 * Fills the list, which must be zeroed, with at most 4,096 programs in the kernel's order. If
 * seconds is above 0, the kernel measures run times for so long, which costs each run two clock
 * readings; that ends with the call, or with this process. Returns 0, after which the list must be
 * released, or negative errno.
 */
int bpf_programs__read(struct program_list *list, double seconds);

#endif
