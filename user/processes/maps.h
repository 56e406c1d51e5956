/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The text in which the kernel lists a process's mappings, /proc/PID/maps: whoever needs the
 * mappings of a living process, to name its addresses or to unwind its stacks, reads them by this,
 * in order of address.
 */
#ifndef TOPSTACKS_PROCESSES_MAPS_H
#define TOPSTACKS_PROCESSES_MAPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/process.h"

enum mapping_kind {
	MAPPING_FILE,
	MAPPING_VDSO,	   /* of 64-bit processes */
	MAPPING_ANONYMOUS, /* memory that somebody writes code into */
	MAPPING_OTHER,	   /* "[vsyscall]" and such, which nobody can read */
};

/* By its path, as maps and perf's records have it. */
enum mapping_kind mapping__kind(const struct mapping *mapping);

/*
 * Calls on_mapping for each mapping of such a text, until it returns something else than 0, and
 * returns that; 0 or negative errno otherwise, -EFBIG: the text is longer than what is read of one.
 */
int maps__each(int fd, int (*on_mapping)(void *context, const struct mapping *, bool executable),
	       void *context);

/* The same for each that is executable. */
int maps__each_executable(int text, int (*on_mapping)(void *context, const struct mapping *),
			  void *context);

/*
 * What an opener is asked for of a process: its text, or no more of it than tells that it is long. A
 * kernel takes a hundred times as long for the longest text as for those that nearly all processes have.
 */
#define MAPS_FILE	 "maps"
#define MAPS_FILE_START	 "maps, if they are few"
#define SHORT_MAPS_BYTES (256U << 10)

/*
 * The text of a process, given as /proc/PID: a file in memory, of the caller's; that of kernel threads
 * is empty. Or negative errno. Of one of more than max_bytes a little more than these are copied; 0: as
 * much as is read of one. A process can keep whoever reads its text waiting for ever: it is
 * asked by an opener.
 */
int maps__copy(int process, size_t max_bytes);

/* Whether the copy says that there are more. */
bool maps__exceed(int text, size_t max_bytes);

/* Our own mapping that holds an address, without its path. False: there is none. */
bool maps__find_own(uint64_t address, struct mapping *mapping);

/*
 * The vDSO, an ELF file that the kernel maps into every process, as a file of the caller's: it is
 * the same in all 64-bit processes. A descriptor, or -ENOENT: there is none.
 */
int vdso__open(void);

#endif
