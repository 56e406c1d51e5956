/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A frame: one named place in one stack. The value type that symbols produce and profiles keep.
 */
#ifndef TOPSTACKS_PROFILE_FRAME_H
#define TOPSTACKS_PROFILE_FRAME_H

#include "base/common.h"

enum frame_kind {
	FRAME_USER,
	FRAME_KERNEL,
	FRAME_JIT,
	FRAME_INTERPRETED, /* an interpreter's code: a token, not an address */
	FRAME_INLINED,	   /* only as shown: an inlined frame of any kind; frame__shown_kind() */
	FRAME_KINDS,
};

/* "user", "kernel", "jit", "interpreted", "inlined": every output uses these words. */
const char *frame_kind__name(enum frame_kind kind);

/*
 * Strings are borrowed from the code that fills the frame. They are hostile until escaped for an
 * output.
 *
 *   function  demangled, without suffix folding; NULL where there is no symbol
 *   module    short name: "libc.so.6", "[kernel]", "nf_tables" (a kernel module), "[vdso]";
 *             NULL where not even a mapping is known
 *   path      as mapped, e.g. "/usr/lib/x86_64-linux-gnu/libc.so.6"; NULL if none
 *   build_id  lower-case hex; NULL if none
 *   address   virtual address within the module's file (kernel: the address itself; no module: the
 *             raw address), the same for every process that maps the file
 *   offset    address - start of the symbol, or of the function without a symbol
 *   has_start function is NULL, but the code there is one function: it begins at address - offset
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

/* A compiler or an interpreter makes this code, and its names, at run time. */
static inline bool frame_kind__is_dynamic(enum frame_kind kind)
{
	return kind == FRAME_JIT || kind == FRAME_INTERPRETED;
}

/* The module of an address where other code was mapped later: either of the two may have run. */
#define FRAME_REPLACED "[replaced]"

static inline enum frame_kind frame__shown_kind(const struct frame *frame)
{
	return frame->inlined ? FRAME_INLINED : frame->kind;
}

/* Code made at run time that has no name yet: its runtime may still report one. */
static inline bool frame__may_be_told(const struct frame *frame)
{
	return frame->kind == FRAME_JIT && !frame->function;
}

/* The function is known, by name or by start address. */
static inline bool frame__is_identified(const struct frame *frame)
{
	return frame->function || frame->has_start;
}

/* No file is known: the frame was read from text, or its code is in no file. */
static inline bool frame__is_bare(const struct frame *frame)
{
	return !frame->path && !frame->build_id;
}

/* The start of the function; only with has_start. */
static inline uint64_t frame__start(const struct frame *frame)
{
	return frame->address - frame->offset;
}

/* Functions that nothing calls, such as "_start" and "entry_SYSCALL_64": stacks end there. */
bool frame__is_root_name(enum frame_kind kind, const char *function);

/*
 * Writes the name of a frame as every output shows it. As snprintf. The first that applies:
 *
 *   "function"
 *   "module"       of code made at run time, and of replaced code: addresses mean nothing there
 *   "module@0x10"  the start of a function without a symbol
 *   "module+0x12"  the address
 *   "[unknown]"
 */
int frame__name(const struct frame *frame, char *text, size_t size);

/*
 * True if a name is a module and the start of a function without a symbol, as frame__name() writes
 * it: "libz.so.1@0x4970". *module_bytes is the length of the module.
 */
bool frame__parse_start(const char *name, size_t *module_bytes, uint64_t *start);

/*
 * True if showing the module beside the name would add nothing. "libc.so.6+0x1234",
 * "libz.so.1@0x4970" and "[heap]" have their module in the name; "[kernel]" is what the mark [k]
 * says, and "[anon]", the module of most code made at run time, what [j] says.
 */
bool frame__says_module(const char *name, const char *module, enum frame_kind kind);

#endif
