// SPDX-License-Identifier: GPL-2.0-only
/* The functions of a Go program, from the table that it carries for its own use. */
#include "elf/pclntab.h"
#include "elf/symbol_builder.h"
#include "elf/symbols.h"

static int add_function(const struct go_function *function, struct symbol_builder *builder)
{
	struct symbol symbol = {.start = function->start,
				.size = function->end - function->start,
				.sized = true,
				.name = function->name};
	const int code = symbol_builder__measure(builder, symbol.name, function->max_name_bytes,
						 &symbol.name_length);

	if (code || symbol.name_length == 0)
		return code;
	return symbol_builder__add(builder, &symbol);
}

int gopclntab__add(struct elf_file *file, struct symbol_builder *builder, struct named_range *named)
{
	struct go_function function;
	struct pclntab table;
	int code = 0;

	*named = (struct named_range){0};
	if (!pclntab__find(&table, file))
		return 0;
	named->start = pclntab__start(&table);
	named->end = pclntab__end(&table);
	symbol_builder__expect(builder, table.size);
	for (uint64_t i = 0; i < table.nr_functions && !code; i++)
		if (pclntab__function(&table, i, &function))
			code = add_function(&function, builder);
	return code;
}
