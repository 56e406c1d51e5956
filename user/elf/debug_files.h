/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finding what was stripped from a file: the debug file that belongs to it, by build ID or by name
 * and checksum, below the roots where it may lie.
 */
#ifndef TOPSTACKS_ELF_DEBUG_FILES_H
#define TOPSTACKS_ELF_DEBUG_FILES_H

struct elf_file;

/* The file that somebody has mapped, and where to look for what belongs to it. */
struct debug_query {
	int fd;
	const char *path;  /* as its process knows it; "": not known */
	int root;	   /* directory that is the process's "/"; -1: out of reach */
	const char *symfs; /* directory to look in first; NULL: none */
};

/*
 * A descriptor of the caller's, for reading: a regular ELF file other than query->fd that has the
 * section named (".symtab", ".debug_info") with contents, and is proven to belong to it: by an
 * equal build ID, or where one of them has none, by the checksum in .gnu_debuglink. -ENOENT: none.
 */
int debug_files__open(const struct debug_query *query, const char *section);

/*
 * Opens the ELF file that .gnu_debugdata of another one holds, xz-compressed: the symbols that
 * .dynsym lacks ("mini-debuginfo", Fedora's default). 0; -ENOENT: there is none that can be read;
 * -ENOMEM.
 */
int debug_files__open_mini(struct elf_file *file, struct elf_file *mini);

/*
 * The file that .gnu_debugaltlink of debug_fd names, proven by its build ID. debug_fd may be
 * query->fd. A descriptor of the caller's; -ENOENT: it names none, or that is not here.
 */
int debug_files__open_alternate(const struct debug_query *query, int debug_fd);

#endif
