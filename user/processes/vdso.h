/* SPDX-License-Identifier: GPL-2.0-only */
/* The vDSO, which is the same file in all processes. */
#ifndef TOPSTACKS_PROCESSES_VDSO_H
#define TOPSTACKS_PROCESSES_VDSO_H

#include <stddef.h>

/*
 * The code that the kernel maps into every process, an ELF file, in our own memory: it is the same
 * in all 64-bit processes. 0, or -ENOENT: there is none.
 */
int vdso__image(const void **image, size_t *nr_bytes);

#endif
