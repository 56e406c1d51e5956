/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_PROCESSES_VDSO_H
#define TOPSTACKS_PROCESSES_VDSO_H

struct debug_query;
struct object;

/*
 * The code that the kernel maps into every process, read from our own memory: it is the same for
 * all 64-bit processes. query is not used. 0 or negative errno.
 */
int vdso__read(const struct debug_query *query, struct object **object);

#endif
