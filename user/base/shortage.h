/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shortages of resources that keep an operation from starting: of descriptors, processes, or memory
 * for them. They are told apart from later errors, because they say nothing about a file.
 */
#ifndef TOPSTACKS_BASE_SHORTAGE_H
#define TOPSTACKS_BASE_SHORTAGE_H

#include "base/common.h"

/*
 * Whether a code is a shortage. -EMFILE: our descriptors; -ENFILE: the system's; -EUSERS:
 * processes, by the limit of the user or the control group; -ENOBUFS: kernel memory; -ECHILD: the
 * spawner that forks them (base/system/spawner.h) was killed; -ECONNREFUSED: a system call was not
 * permitted.
 */
bool shortage__is(int code);

/* The code for an errno of opening a descriptor: a shortage as above, or -error. */
int shortage__of_descriptor(int error);

/* The code for an errno of fork(). */
int shortage__of_process(int error);

/*
 * The shortage for the code of a system call that names no file: there, EPERM and EACCES do not
 * mean that a file is not accessible. Returns a shortage as above, or code.
 */
int shortage__of_call(int code);

#endif
