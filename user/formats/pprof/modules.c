// SPDX-License-Identifier: GPL-2.0-only
/*
 * pprof has one field for a frame's kind, module and path: the file name of a mapping.
 *
 *	/usr/lib/libc.so.6   user, module libc.so.6      [kernel]      kernel, module [kernel]
 *	[vdso]               user, module [vdso]         [nf_tables]   kernel, module nf_tables
 *	[jit]                JIT, no module              [jit:memfd]   JIT, module memfd
 *	[interpreted]        no module                   [interpreted:[python]]
 *
 * Other writers use [kernel.kallsyms] or [guest.kernel.kallsyms], which are read as [kernel].
 */

#include "formats/pprof/pprof.h"

#define KERNEL "[kernel]"

/* Pseudo-files of user space, named as in /proc/PID/maps. */
static const char *const user_names[] = {"[vdso]",    "[vsyscall]", "[vectors]",
					 "[uprobes]", "[heap]",	    "[stack]",
					 "[anon",     "[unknown]",  FRAME_REPLACED};

/* Kinds whose name is in the brackets, before the module if there is one. */
static const enum frame_kind dynamic_kinds[] = {FRAME_JIT, FRAME_INTERPRETED};

char *pprof__file_name(const struct frame *frame)
{
	const char *module = frame->module ? frame->module : "";

	switch (frame->kind) {
	case FRAME_KERNEL:
		if (!*module || *module == '[')
			return xstrdup(*module ? module : KERNEL);
		return xasprintf("[%s]", module);
	case FRAME_JIT:
	case FRAME_INTERPRETED:
		return xasprintf("[%s%s%s]", frame_kind__name(frame->kind), *module ? ":" : "",
				 module);
	default:
		return xstrdup(frame->path ? frame->path : module);
	}
}

static bool starts_with(const char *name, const char *prefix)
{
	return !strncmp(name, prefix, strlen(prefix));
}

/* The text between the brackets of name, behind the first `skipped` bytes. */
static struct pprof_module within_brackets(enum frame_kind kind, const char *name, size_t skipped)
{
	size_t length = strlen(name + skipped);

	if (length && name[skipped + length - 1] == ']')
		length--;
	return (struct pprof_module){
		.kind = kind, .module = name + skipped, .module_bytes = length};
}

/* Parses "[jit]" and "[jit:memfd]". False: it is neither. */
static bool is_dynamic(const char *name, struct pprof_module *module)
{
	for (size_t i = 0; i < sizeof(dynamic_kinds) / sizeof(dynamic_kinds[0]); i++) {
		const char *kind = frame_kind__name(dynamic_kinds[i]);
		const size_t length = strlen(kind);

		if (*name != '[' || strncmp(name + 1, kind, length))
			continue;
		*module = (struct pprof_module){.kind = dynamic_kinds[i]};
		if (name[length + 1] == ':')
			*module = within_brackets(dynamic_kinds[i], name, length + 2);
		if (name[length + 1] == ':' || !strcmp(name + length + 1, "]"))
			return true;
	}
	return false;
}

struct pprof_module pprof__module(const char *name)
{
	static const struct pprof_module kernel = {
		.kind = FRAME_KERNEL, .module = KERNEL, .module_bytes = sizeof(KERNEL) - 1};

	const char *slash = strrchr(name, '/');
	const char *base = slash && slash[1] ? slash + 1 : name;
	struct pprof_module dynamic;
	bool is_user = *name != '[';

	if (!*name)
		return (struct pprof_module){.kind = FRAME_USER};
	if (is_dynamic(name, &dynamic))
		return dynamic;
	if (starts_with(name, "//anon"))
		return (struct pprof_module){.kind = FRAME_JIT};
	if (starts_with(name, "[kernel") || starts_with(name, "[guest.kernel"))
		return kernel;
	for (size_t i = 0; i < sizeof(user_names) / sizeof(user_names[0]); i++)
		is_user |= starts_with(name, user_names[i]);
	if (!is_user)
		return within_brackets(FRAME_KERNEL, name, 1);
	return (struct pprof_module){.kind = FRAME_USER,
				     .module = base,
				     .module_bytes = strlen(base),
				     .path = slash ? name : NULL};
}
