/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Parses /proc/PID/maps, the kernel's list of a process's mappings in order of address. Used to
 * name the addresses of a living process and to unwind its stacks.
 */
#ifndef TOPSTACKS_PROCESSES_MAPS_H
#define TOPSTACKS_PROCESSES_MAPS_H

#include "base/common.h"
#include "processes/process.h"

enum mapping_kind {
	MAPPING_FILE,
	MAPPING_VDSO,	   /* of 64-bit processes */
	MAPPING_ANONYMOUS, /* memory; code in it is made at run time */
	MAPPING_OTHER,	   /* "[vsyscall]" and the like, which cannot be read */
};

/* The kind by the path, as it is in maps and perf's records. */
enum mapping_kind mapping__kind(const struct mapping *mapping);

/*
 * Calls on_mapping for each mapping of a maps text until it returns non-zero, and returns that
 * value. Otherwise 0 or negative errno; -EFBIG: the text is longer than the limit.
 */
int maps__each(int fd, int (*on_mapping)(void *context, const struct mapping *, bool executable),
	       void *context);

/* The same for executable mappings only. */
int maps__each_executable(int text, int (*on_mapping)(void *context, const struct mapping *),
			  void *context);

/*
 * Paths that an opener takes for a process: the whole maps text, or only enough of it to see that
 * it is long. The longest text takes the kernel a hundred times as long as nearly all others.
 */
#define MAPS_FILE	 "maps"
#define MAPS_FILE_START	 "maps, if they are few"
#define SHORT_MAPS_BYTES (256U << 10)

/*
 * Copies the maps text of a process, given as /proc/PID, to a file in memory, which the caller
 * closes; the text of kernel threads is empty. Or negative errno. Copies little more than max_bytes
 * of a longer text; 0: up to the usual limit. A process can delay this for ever, so openers run it.
 */
int maps__copy(int process, size_t max_bytes);

/* Whether the text was longer than max_bytes. */
bool maps__exceed(int text, size_t max_bytes);

/* Finds our own mapping that contains an address, without its path. False: there is none. */
bool maps__find_own(uint64_t address, struct mapping *mapping);

/*
 * Copies the vDSO, an ELF file that the kernel maps into every process, to a file that the caller
 * closes: it is the same in all 64-bit processes. A descriptor, or -ENOENT: there is none.
 */
int vdso__open(void);

#endif
