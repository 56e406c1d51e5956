/* SPDX-License-Identifier: GPL-2.0-only */
/* The symbols that a distribution leaves in a stripped file, compressed. */
#ifndef TOPSTACKS_ELF_MINI_DEBUG_H
#define TOPSTACKS_ELF_MINI_DEBUG_H

struct elf_file;

/*
 * Opens the ELF file that .gnu_debugdata of another one holds, xz-compressed: the symbols that
 * .dynsym lacks ("mini-debuginfo", Fedora's default). 0; -ENOENT: there is none that can be read;
 * -ENOMEM.
 */
int mini_debug__open(struct elf_file *file, struct elf_file *mini);

#endif
