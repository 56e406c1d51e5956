// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/files/names.h"

#include "base/strings.h"
#include "elf/names.h"
#include "profile/frame.h"

/* Demangles and interns a name. Cuts off names longer than any real one. */
static const char *intern_function(struct strings *strings, const char *raw, bool demangle)
{
	const bool is_mangled = demangle && raw[0] == '_';
	char *text = is_mangled ? malloc(NAME_MAX_DEMANGLED) : NULL;
	const size_t length = text ? names__demangle(raw, text, NAME_MAX_DEMANGLED) : 0;
	const char *name =
		length ? strings__intern(strings, text, length)
		       : strings__intern(strings, raw, strnlen(raw, NAME_MAX_DEMANGLED - 1));

	free(text);
	return name;
}

static struct symbol_name *new_name(struct strings *strings, const char *raw, bool demangle)
{
	struct symbol_name *name = strings__allocate(strings, sizeof(*name));

	if (!name)
		return NULL;
	*name = (struct symbol_name){.function = intern_function(strings, raw, demangle)};
	return name->function ? name : NULL;
}

const struct symbol_name *names__user(struct strings *strings, const char *raw, bool demangle)
{
	struct symbol_name *name = new_name(strings, raw, demangle);

	if (name)
		name->root = frame__is_root_name(FRAME_USER, raw);
	return name;
}

/*
 * Interns the module's name: "[nf_tables]" is a module and loses its brackets; "[bpf]" is none and
 * keeps them.
 */
static const char *intern_kernel_module(struct strings *strings, const char *module)
{
	const size_t length = module ? strlen(module) : 0;

	if (length == 0)
		return strings__intern(strings, "[kernel]", strlen("[kernel]"));
	if (length < 3 || module[0] != '[' || !strcmp(module, "[bpf]"))
		return strings__intern(strings, module, length);
	return strings__intern(strings, module + 1, length - 2);
}

const struct symbol_name *names__kernel(struct strings *strings, const char *raw, bool demangle)
{
	char function[512]; /* KSYM_NAME_LEN, since 6.1 (b8a94bfb3395) */
	const char *tab = strchr(raw, '\t');
	const size_t length = tab ? (size_t)(tab - raw) : strlen(raw);
	struct symbol_name *name;

	if (length >= sizeof(function))
		return NULL;
	memcpy(function, raw, length);
	function[length] = '\0';
	name = new_name(strings, function, demangle);
	if (!name)
		return NULL;
	name->root = frame__is_root_name(FRAME_KERNEL, function);
	name->module = intern_kernel_module(strings, tab ? tab + 1 : NULL);
	return name->module ? name : NULL;
}
