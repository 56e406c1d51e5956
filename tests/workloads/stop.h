/* SPDX-License-Identifier: GPL-2.0-only */
/* Breakpoints by which a program tells a debugger what is on its stack: C, and C++. */
#ifndef STOP_H
#define STOP_H

#include <stdint.h>

/* The return addresses that it must find, innermost first. */
struct stop {
	uint64_t is_last;
	uint64_t nr_frames;
	void *frames[8];
};

/* Where stop is, is in rax, or in x0. */
#ifdef __aarch64__
#define STOP()                                                       \
	do {                                                         \
		register struct stop *told __asm__("x0") = &stop;    \
		__asm__ volatile("brk #0" : : "r"(told) : "memory"); \
	} while (0)
#else
#define STOP() __asm__ volatile("int3" : : "a"(&stop) : "memory")
#endif

#endif
