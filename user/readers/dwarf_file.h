/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_READERS_DWARF_FILE_H
#define TOPSTACKS_READERS_DWARF_FILE_H

#include <elfutils/libdw.h>

#include "readers/line_rows.h"

/* A file with debug information, as libdw reads it. */
struct dwarf_file {
	Elf *elf;
	Dwarf *dwarf; /* NULL: no debug information, or none that is safe to read */
};

/* fd belongs to the caller, and must stay open. */
struct dwarf_file dwarf_file__open(int fd);
void dwarf_file__close(struct dwarf_file *file);

/*
 * The bytes of .debug_line, valid while the file is open; empty if there is none, or it is
 * big-endian.
 */
struct line_programs dwarf_file__line_programs(const struct dwarf_file *file);

#endif
