/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A filter of system calls (seccomp): a program that the kernel runs at each of them. It is written
 * out here, in the order in which it is built: verdicts on calls, and one on all others.
 */
#ifndef TOPSTACKS_BASE_SYSTEM_SYSCALL_FILTER_H
#define TOPSTACKS_BASE_SYSTEM_SYSCALL_FILTER_H

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>

#define SYSCALL_FILTER_MAX_STEPS 192

/* Verdicts; SECCOMP_RET_TRAP is one, too. */
#define SYSCALL_ALLOWED SECCOMP_RET_ALLOW
#define SYSCALL_REFUSED (SECCOMP_RET_ERRNO | EPERM)

struct syscall_filter {
	size_t nr; /* more than there is room for: it cannot be installed */
	struct sock_filter steps[SYSCALL_FILTER_MAX_STEPS];
};

/* Begins one. What is called by another machine's numbers (i386, x32) is refused. */
void syscall_filter__init(struct syscall_filter *filter);

/* Begins one for above an installed one, which has seen to it that numbers are this machine's. */
void syscall_filter__init_above(struct syscall_filter *filter);

/* A verdict on calls, by number. */
void syscall_filter__add(struct syscall_filter *filter, const int *calls, size_t nr_calls,
			 uint32_t verdict);

/*
 * Refuses a call if one of the bits is set in an argument (from 0 on; of its low 32 bits). What comes
 * after decides on the others.
 */
void syscall_filter__refuse_bits(struct syscall_filter *filter, int call, unsigned int argument,
				 uint32_t bits);

/* Allows a call if an argument (the same) is one of the values, and refuses it else. */
void syscall_filter__allow_values(struct syscall_filter *filter, int call, unsigned int argument,
				  const int *values, size_t nr_values);

/* Ends it with the verdict on all other calls. */
void syscall_filter__end(struct syscall_filter *filter, uint32_t verdict);

/* For this thread and whatever it starts, which get no new privileges, either. 0 or negative errno. */
int syscall_filter__install(const struct syscall_filter *filter, unsigned int flags);

#endif
