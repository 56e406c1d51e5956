/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A filter of system calls (seccomp): a BPF program that the kernel runs at each call. It is built
 * here in order: verdicts on calls, then one on all others.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_SYSCALL_FILTER_H
#define TOPSTACKS_BASE_SYSTEM_SYSCALL_FILTER_H

#include <linux/filter.h>
#include <linux/seccomp.h>

#include "base/common.h"

#define SYSCALL_FILTER_MAX_STEPS 192

/* Verdicts; SECCOMP_RET_TRAP is another one. */
#define SYSCALL_ALLOWED SECCOMP_RET_ALLOW
#define SYSCALL_REFUSED (SECCOMP_RET_ERRNO | EPERM)

struct syscall_filter {
	size_t nr; /* more than SYSCALL_FILTER_MAX_STEPS: it cannot be installed */
	struct sock_filter steps[SYSCALL_FILTER_MAX_STEPS];
};

/* Begins a filter. Calls with another machine's numbers (i386, x32) are refused. */
void syscall_filter__init(struct syscall_filter *filter);

/* Begins a filter on top of an installed one, which has checked the machine already. */
void syscall_filter__init_above(struct syscall_filter *filter);

/* Adds a verdict on calls, given by number. */
void syscall_filter__add(struct syscall_filter *filter, const int *calls, size_t nr_calls,
			 uint32_t verdict);

/*
 * Refuses by name the calls that neither a sampler nor a pusher ever makes. All others are for the
 * caller to decide on, because libraries choose system calls by themselves, and change with their
 * versions. Readers of untrusted bytes need little, so their filters name what is allowed.
 */
void syscall_filter__refuse_needless(struct syscall_filter *filter);

/*
 * Refuses a call if one of the bits is set in the low 32 bits of an argument (numbered from 0).
 * Steps added later decide on the other calls.
 */
void syscall_filter__refuse_bits(struct syscall_filter *filter, int call, unsigned int argument,
				 uint32_t bits);

/*
 * Allows a call if an argument (numbered likewise) is one of the values, and refuses it otherwise.
 */
void syscall_filter__allow_values(struct syscall_filter *filter, int call, unsigned int argument,
				  const int *values, size_t nr_values);

/* Ends the filter with the verdict on all other calls. */
void syscall_filter__end(struct syscall_filter *filter, uint32_t verdict);

/*
 * Installs the filter for this thread and its children, and sets no_new_privs. 0 or negative errno.
 */
int syscall_filter__install(const struct syscall_filter *filter, unsigned int flags);

#endif
