// SPDX-License-Identifier: GPL-2.0-only
/*
 *	ffffffff81000df0 T asm_sysvec_apic_timer_interrupt
 *	ffffffffc0a31000 t nft_do_chain	[nf_tables]
 *
 * There are 100,000 to 300,000 such lines, sorted but for those of modules, and no sizes: a symbol
 * ends where the next one starts. The kernel takes 0.3 us to write a line, and that is most of the
 * time; so we take each byte once. A name is kept with what follows it, and split when first shown.
 */
#include "symbols/kernel.h"

#include <fcntl.h>
#include <libiberty/ansidecl.h>
#include <libiberty/objalloc.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "elf/symbol_builder.h"

#define BUFFER_BYTES 16384 /* procfs gives a page at a time */

/*
 * How far the last symbol before a gap may reach. Behind a module may be code of modules loaded
 * since, which is not in the list; the kernel's own last symbols are end marks that cover nothing.
 */
#define KERNEL_REACH (1U << 20)
#define MODULE_REACH (64U << 10)

struct kallsyms_reader {
	struct symbol_builder builder;
	struct objalloc *names; /* freed when the table has copied them */
};

/* Parses a hexadecimal number. Returns the first character after it. */
static const char *parse_address(const char *text, const char *end, uint64_t *address)
{
	int digit;

	for (*address = 0; text < end && (digit = hex_digit(*text)) >= 0; text++)
		*address = *address << 4 | (uint64_t)digit;
	return text;
}

static bool is_code(char type)
{
	return type == 't' || type == 'T' || type == 'w' || type == 'W';
}

static enum binding binding_of(char type)
{
	switch (type) {
	case 'T':
		return BINDING_GLOBAL;
	case 't':
		return BINDING_LOCAL;
	default:
		return BINDING_WEAK;
	}
}

static const char *keep_name(struct kallsyms_reader *reader, const char *name, size_t length)
{
	char *kept = objalloc_alloc(reader->names, length);

	return kept ? memcpy(kept, name, length) : NULL;
}

/* Adds the symbol of a line; skips lines in another format. */
static int read_line(void *context, char *line, char *end)
{
	struct kallsyms_reader *reader = context;
	struct symbol symbol = {0};
	const char *text = parse_address(line, end, &symbol.start);

	if (text == line || end - text < 4 || text[0] != ' ' || text[2] != ' ')
		return 0;
	if (symbol.start == 0 || !is_code(text[1]) || text[3] == '\t' || !text[3])
		return 0;
	symbol.binding = binding_of(text[1]);
	symbol.name_length = (size_t)(end - text) - 3;
	symbol.name = keep_name(reader, text + 3, symbol.name_length);
	symbol.size = end[-1] == ']' ? MODULE_REACH : KERNEL_REACH;
	return symbol.name ? symbol_builder__add(&reader->builder, &symbol) : -ENOMEM;
}

int kallsyms__read(int fd, struct symbol_table **table)
{
	struct kallsyms_reader reader = {.names = objalloc_create()};
	char buffer[BUFFER_BYTES];
	int code = -ENOMEM;

	if (reader.names)
		code = files__each_line(fd, buffer, sizeof(buffer), read_line, &reader);
	if (!code) {
		*table = symbol_builder__finish(&reader.builder);
		code = *table ? 0 : -ENOMEM;
	}
	symbol_builder__fini(&reader.builder);
	if (reader.names)
		objalloc_free(reader.names);
	return code;
}

int kallsyms__load(struct symbol_table **table)
{
	const uint64_t before = rights__raise(RIGHTS_TO_NAME_KERNEL);
	int fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
	int code;

	rights__restore(before);
	if (fd < 0)
		return -errno;
	code = kallsyms__read(fd, table);
	close(fd);
	return code;
}
