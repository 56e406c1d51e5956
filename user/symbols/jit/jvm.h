/* SPDX-License-Identifier: GPL-2.0-only */
/* Which process is a JVM: not by what it calls itself, but by what its library exports. */
#ifndef TOPSTACKS_SYMBOLS_JIT_JVM_H
#define TOPSTACKS_SYMBOLS_JIT_JVM_H

struct image;
struct modules;
struct roots;

/*
 * Has the library read if that was not done: as modules__find(). 1: it is one; 0: it is none; -EINPROGRESS: its
 * library is still being read.
 */
int jvm__is(struct modules *modules, const struct image *image, struct roots *roots);

#endif
