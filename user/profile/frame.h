/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A frame: one named place in one stack. The value type that symbols produce and profiles keep.
 */
#ifndef TOPSTACKS_PROFILE_FRAME_H
#define TOPSTACKS_PROFILE_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum frame_kind {
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_JIT,
	FRAME_INTERPRETED, /* code of an interpreter: a word that is no address */
	FRAME_INLINED, /* how inlined frames, of whatever kind, are shown: frame__shown_kind() */
	FRAME_KINDS,
};

/* "user", "kernel", "jit", "interpreted", "inlined": the words of every output. */
const char *frame_kind__name(enum frame_kind kind);

/*
 * Strings are borrowed from whoever fills the frame and are hostile until escaped for an output.
 *
 *   function  demangled, without suffix folding; NULL where there is no symbol
 *   module    short name: "libc.so.6", "[kernel]", "nf_tables" (a kernel module), "[vdso]";
 *             NULL where not even a mapping is known
 *   path      as mapped, e.g. "/usr/lib/x86_64-linux-gnu/libc.so.6"; NULL if none
 *   build_id  lower-case hex; NULL if none
 *   address   virtual address within the module's file (kernel: the address itself; no module: the
 *             raw address), the same for every process that maps the file
 *   offset    address - start of the symbol, or of the function that has none
 *   has_start function is NULL, but the code there is one function, which begins at address - offset
 *   root      a stack that ends here is whole: _start, clone, a thread's or the kernel's entry
 *   file      of the source, and the line in it; NULL and 0 if not known
 *   start_line  where the source of the function begins; 0: not known
 *   inlined   its code is part of the next frame's function, at the same address
 */
struct frame {
	const char *function;
	const char *module;
	const char *path;
	const char *build_id;
	const char *file;
	uint64_t address;
	uint64_t offset;
	uint32_t line;
	uint32_t start_line;
	enum frame_kind kind;
	bool has_start;
	bool root;
	bool inlined;
};

/* What it does is decided at run time, by a compiler or an interpreter, whose names are its own. */
static inline bool frame_kind__is_dynamic(enum frame_kind kind)
{
	return kind == FRAME_JIT || kind == FRAME_INTERPRETED;
}

/* The module of an address where one piece of code replaced another: which of them it is in. */
#define FRAME_REPLACED "[replaced]"

static inline enum frame_kind frame__shown_kind(const struct frame *frame)
{
	return frame->inlined ? FRAME_INLINED : frame->kind;
}

/* Code made at run time that nobody has told of: who made it may do so later. */
static inline bool frame__may_be_told(const struct frame *frame)
{
	return frame->kind == FRAME_JIT && !frame->function;
}

/* Which function it is in is known: by its name, or by where it begins. */
static inline bool frame__is_identified(const struct frame *frame)
{
	return frame->function || frame->has_start;
}

/* No file is known: it is of text, or in code that is in no file. */
static inline bool frame__is_bare(const struct frame *frame)
{
	return !frame->path && !frame->build_id;
}

/* Where the function begins, with has_start. */
static inline uint64_t frame__start(const struct frame *frame)
{
	return frame->address - frame->offset;
}

/* "_start", "entry_SYSCALL_64": what no stack goes on behind. */
bool frame__is_root_name(enum frame_kind kind, const char *function);

/*
 * "function", "module@0x10" (the start of the function, which has no name), "module+0x12" (the
 * address), "module" (where an address tells nothing), "[unknown]": what a frame is called. As
 * snprintf.
 */
int frame__name(const struct frame *frame, char *text, size_t size);

/*
 * Whether a name is that of a function in a file which is known by its start, as frame__name()
 * writes it: "libz.so.1@0x4970", whose module has *module_bytes bytes.
 */
bool frame__parse_start(const char *name, size_t *module_bytes, uint64_t *start);

/*
 * The module need not be shown beside the name: "libc.so.6+0x1234", "libz.so.1@0x4970" and "[heap]"
 * say theirs already;
 * "[kernel]" is what [k] says, and "[anon]", where most code made at run time is, what [j] says.
 */
bool frame__says_module(const char *name, const char *module, enum frame_kind kind);

#endif
