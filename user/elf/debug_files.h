/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What was stripped from a file: the debug file that belongs to it, by build ID or by name and
 * checksum. Where such files may lie is somebody else's affair; here it is found out whether one is
 * the right one.
 */
#ifndef TOPSTACKS_ELF_DEBUG_FILES_H
#define TOPSTACKS_ELF_DEBUG_FILES_H

struct elf_file;

/*
 * What a file says of another one is a build ID, in lower-case hex, or a name, never a path that leaves
 * its directory.
 */
enum debug_question {
	QUESTION_DEBUG_ID,	 /* a debug file by build ID */
	QUESTION_DEBUG_LINK,	 /* a debug file by its base name, as .gnu_debuglink says it */
	QUESTION_ALTERNATE,	 /* what several debug files share (as dwz makes it), by build ID */
	QUESTION_ALTERNATE_LINK, /* likewise, by base name, as .gnu_debugaltlink says it */
	QUESTION_SPLIT,		 /* a .dwo file, by its path below the file's directory */
	QUESTION_PACKAGE, /* of all of them, called as the file is, and .dwp: whatever the name */
	NR_DEBUG_QUESTIONS,
};

/* Who knows where files may lie. */
struct debug_offers {
	/*
	 * One of the files that may be meant, from index 0 on: a descriptor of the caller's, for
	 * reading; negative: there are no more.
	 */
	int (*next)(void *context, enum debug_question question, const char *name,
		    unsigned int index);
	void *context;
};

/*
 * A descriptor of the caller's, for reading: an ELF file other than fd that has the section named
 * (".symtab", ".debug_info") with contents, and is proven to belong to it: by an equal build ID, or
 * where one of them has none, by the checksum in .gnu_debuglink. -ENOENT: none.
 */
int debug_files__open(int fd, const char *section, const struct debug_offers *offers);

/*
 * Opens the ELF file that .gnu_debugdata of another one holds, xz-compressed: the symbols that
 * .dynsym lacks ("mini-debuginfo", Fedora's default). 0; -ENOENT: there is none that can be read;
 * -ENOMEM.
 */
int debug_files__open_mini(struct elf_file *file, struct elf_file *mini);

/*
 * The file that .gnu_debugaltlink of fd names, proven by its build ID. A descriptor of the caller's;
 * -ENOENT: it names none, or that is not here.
 */
int debug_files__open_alternate(int fd, const struct debug_offers *offers);

#endif
