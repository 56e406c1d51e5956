/* SPDX-License-Identifier: GPL-2.0-only */
/* Tells whether a process is a JVM: not by its name, but by what its library exports. */
#ifndef TOPSTACKS_SYMBOLS_JIT_JVM_H
#define TOPSTACKS_SYMBOLS_JIT_JVM_H

struct image;
struct modules;
struct roots;

/*
 * Has the library read, as by modules__find(). 1: the process is a JVM; 0: it is none;
 * -EINPROGRESS: its library is still being read.
 */
int jvm__is(struct modules *modules, const struct image *image, struct roots *roots);

#endif
