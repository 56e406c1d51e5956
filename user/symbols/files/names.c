// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/files/names.h"

#include "base/strings.h"
#include "elf/names.h"
#include "profile/frame.h"

/* Demangles and interns a name. Cuts off names longer than any real one. */
static struct symbol_name *new_name(struct strings *strings, const char *raw, bool demangle)
{
	struct symbol_name *name = strings__allocate(strings, sizeof(*name));
	char *text = demangle && raw[0] == '_' ? xmalloc(NAME_MAX_DEMANGLED) : NULL;
	const size_t length = text ? names__demangle(raw, text, NAME_MAX_DEMANGLED) : 0;

	*name = (struct symbol_name){
		.function = length ? strings__intern(strings, text, length)
				   : strings__intern(strings, raw,
						     strnlen(raw, NAME_MAX_DEMANGLED - 1))};
	free(text);
	return name;
}

const struct symbol_name *names__user(struct strings *strings, const char *raw, bool demangle)
{
	struct symbol_name *name = new_name(strings, raw, demangle);

	name->root = frame__is_root_name(FRAME_USER, raw);
	return name;
}

const struct symbol_name *names__kernel(struct strings *strings, const char *raw, bool demangle)
{
	char function[512]; /* KSYM_NAME_LEN, since 6.1 (b8a94bfb3395) */
	const char *tab = strchr(raw, '\t'), *module = tab && tab[1] ? tab + 1 : "[kernel]";
	const size_t length = tab ? (size_t)(tab - raw) : strlen(raw), nr_module = strlen(module);
	struct symbol_name *name;

	if (length >= sizeof(function))
		return NULL;
	memcpy(function, raw, length);
	function[length] = '\0';
	name = new_name(strings, function, demangle);
	name->root = frame__is_root_name(FRAME_KERNEL, function);
	/* "[nf_tables]" is a module and loses its brackets; "[kernel]" and "[bpf]" are none. */
	if (nr_module < 3 || *module != '[' || !tab || !tab[1] || !strcmp(module, "[bpf]"))
		name->module = strings__intern(strings, module, nr_module);
	else
		name->module = strings__intern(strings, module + 1, nr_module - 2);
	return name;
}
