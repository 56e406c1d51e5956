/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Finds the debug file with the parts that were stripped from a file: by build ID, or by name and
 * checksum. Callers know where such files may lie; this code proves whether one is the right file.
 */
#ifndef TOPSTACKS_ELF_DEBUG_FILES_H
#define TOPSTACKS_ELF_DEBUG_FILES_H

struct elf_file;

/*
 * The kinds of references in a file. The reference is a build ID in lower-case hex, or a name,
 * never a path that leaves its directory.
 */
enum debug_question {
	QUESTION_DEBUG_ID,	 /* a debug file by build ID */
	QUESTION_DEBUG_LINK,	 /* a debug file by its base name in .gnu_debuglink */
	QUESTION_ALTERNATE,	 /* the file that debug files share (made by dwz), by build ID */
	QUESTION_ALTERNATE_LINK, /* likewise, by its base name in .gnu_debugaltlink */
	QUESTION_SPLIT,		 /* a .dwo file, by its path below the file's directory */
	QUESTION_PACKAGE, /* the package of all .dwo files: the file's name with .dwp; name is
			   * ignored */
	NR_DEBUG_QUESTIONS,
};

/* A caller's callback that offers files. */
struct debug_candidates {
	/*
	 * Opens the file with this index, from 0 on, among those that may be meant. A descriptor
	 * for reading, which the caller closes; negative: there are no more.
	 */
	int (*next)(void *context, enum debug_question question, const char *name,
		    unsigned int index);
	void *context;
};

/*
 * Opens an ELF file other than fd that has the named section (".symtab", ".debug_info") with
 * contents, and is proven to belong to fd: by an equal build ID, or if one of them has none, by the
 * checksum in .gnu_debuglink. A descriptor for reading, which the caller closes. -ENOENT: there is
 * none.
 */
int debug_files__open(int fd, const char *section, const struct debug_candidates *offers);

/*
 * Opens the ELF file inside .gnu_debugdata, xz-compressed: the symbols that .dynsym lacks
 * ("mini-debuginfo", Fedora's default). 0; -ENOENT: none that can be read; -ENOMEM.
 */
int debug_files__open_mini(struct elf_file *file, struct elf_file *mini);

/*
 * Opens the file that .gnu_debugaltlink of fd names, proven by its build ID. A descriptor, which
 * the caller closes; -ENOENT: fd names none, or it is not here.
 */
int debug_files__open_alternate(int fd, const struct debug_candidates *offers);

#endif
