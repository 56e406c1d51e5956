// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/names.h"

#include <string.h>

#include "base/strings.h"
#include "elf/names.h"
#include "profile/frame.h"

static const char *intern_function(struct strings *strings, const char *raw, bool demangle)
{
	char text[NAME_MAX_DEMANGLED];
	const size_t raw_length = strnlen(raw, sizeof(text));
	const bool is_short = raw_length < sizeof(text);
	const size_t length = demangle && is_short ? names__demangle(raw, text, sizeof(text)) : 0;

	return length ? strings__intern(strings, text, length)
		      : strings__intern(strings, raw, raw_length - !is_short);
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

/* "[nf_tables]" is a module and loses its brackets; "[bpf]" is not one and keeps them. */
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
