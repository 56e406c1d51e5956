/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What there may be too little of to begin with something: descriptors, processes, memory for one of
 * them. These are told apart from what is found out afterwards, as they say nothing of a file.
 */
#ifndef TOPSTACKS_BASE_SHORTAGE_H
#define TOPSTACKS_BASE_SHORTAGE_H

#include <stdbool.h>

/*
 * -EMFILE: descriptors of ours; -ENFILE: of all; -EUSERS: processes, by the limit of the user or of the
 * control group; -ENOBUFS: memory of the kernel's; -ECHILD: who forks them (base/system/spawner.h) was ended;
 * -ECONNREFUSED: a system call was not permitted. Other numbers are no shortage.
 */
bool shortage__is(int code);

/* Of a descriptor that could not be had for this errno: negative errno as above, or -error. */
int shortage__of_descriptor(int error);

/* Of a process that could not be forked for this errno. */
int shortage__of_process(int error);

/*
 * The shortage behind the code of a system call that asks for no file by name: there, EPERM and EACCES say nothing of who may
 * look at a file. Negative errno as above, or code.
 */
int shortage__of_call(int code);

#endif
