/* SPDX-License-Identifier: GPL-2.0-only */
/* Asks the kernel for the BPF programs that are loaded, whoever did it. Needs CAP_SYS_ADMIN. */
#ifndef TOPSTACKS_CAPTURE_HOST_BPF_PROGRAMS_H
#define TOPSTACKS_CAPTURE_HOST_BPF_PROGRAMS_H

struct program_list;

/*
 * Fills the list, which is zeroed before, of 4,096 programs at most, in the kernel's order. With seconds
 * above 0 the kernel measures for so long what each run takes, which costs each run two readings of a
 * clock; that ends with the call, and with this process in any case. 0, after which the list is to be
 * released; or negative errno.
 */
int bpf_programs__read(struct program_list *list, double seconds);

#endif
