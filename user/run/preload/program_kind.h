/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a program is, by the few bytes that decide how it is started. The file may be anything: each part is held
 * against bounds, nothing is mapped, and what cannot be read is not there.
 */
#ifndef TOPSTACKS_RUN_PRELOAD_PROGRAM_KIND_H
#define TOPSTACKS_RUN_PRELOAD_PROGRAM_KIND_H

#include <stdbool.h>

struct elf_glance {
	bool is_elf;
	bool is_native;	 /* of our own class and machine; if not, nothing more is known */
	bool is_dynamic; /* a loader starts it */
};

struct elf_glance elf_glance__at(int fd);

/* Whether a native file offers others a symbol of this name. */
bool elf_glance__exports(int fd, const char *symbol);

/* The names of the libraries that it is linked with, as it has them; of 256 at most. */
void elf_glance__visit_libraries(int fd, void (*visit)(void *context, const char *name),
				 void *context);

#endif
