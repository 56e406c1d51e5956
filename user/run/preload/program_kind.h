/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Reads from the ELF header and tables of a program how it is started. The file is untrusted: each
 * offset is checked, nothing is mapped, and a part that cannot be read counts as missing.
 */
#ifndef TOPSTACKS_RUN_PRELOAD_PROGRAM_KIND_H
#define TOPSTACKS_RUN_PRELOAD_PROGRAM_KIND_H

#include "base/common.h"

struct program_kind {
	bool is_elf;
	bool is_native;	 /* of our class and machine; if false, the rest is not known */
	bool is_dynamic; /* it has a loader */
};

struct program_kind program_kind__at(int fd);

/* Whether a native file exports a symbol of this name. */
bool program_kind__exports(int fd, const char *symbol);

/*
 * Calls visit for each library that the file is linked with, by the name in the file; 256 at most.
 */
void program_kind__visit_libraries(int fd, void (*visit)(void *context, const char *name),
				   void *context);

#endif
