// SPDX-License-Identifier: GPL-2.0-only
/*
 * Some thousand kernel addresses are ever sampled, while the list of all symbols has a hundred
 * thousand lines that take 50 ms to read. So each address is asked about once, where the kernel can
 * be asked; the list is for kernels where it cannot.
 */
#include "symbols/kernel.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/files.h"
#include "base/strings.h"
#include "base/system/rights.h"
#include "elf/symbol_builder.h"
#include "elf/symbol_table.h"
#include "profile/frame.h"
#include "symbols/files/names.h"

#include <libiberty/ansidecl.h>
#include <libiberty/objalloc.h>

#define BUFFER_BYTES 16384 /* procfs gives a page at a time */

/*
 * How far the last symbol before a gap may reach. Behind a module may be code of modules loaded
 * since, which is not in the list; the kernel's own last symbols are end marks that cover nothing.
 */
#define KERNEL_REACH (1U << 20)
#define MODULE_REACH (64U << 10)

/* A looked-up address; name NULL: it has none. */
struct known {
	struct map_number address;
	uint64_t start;
	const struct symbol_name *name;
};

void kernel_symbols__renew(struct kernel_symbols *kernel, struct strings *strings)
{
	map__clear(&kernel->known);
	symbol_table__free(kernel->list);
	kernel->list = NULL;
	kernel->listed = false;
	kernel->strings = strings;
	kernel->module = strings__intern(strings, "[kernel]", strlen("[kernel]"));
}

void kernel_symbols__init(struct kernel_symbols *kernel, struct strings *strings)
{
	map__init_numbers(&kernel->known, free);
	kernel_symbols__renew(kernel, strings);
}

void kernel_symbols__fini(struct kernel_symbols *kernel)
{
	map__fini(&kernel->known);
	symbol_table__free(kernel->list);
}

bool kernel_answer__parse(const char *answer, char *raw, size_t size, uint64_t *offset)
{
	static const char program[] = "bpf_prog_", trampoline[] = "bpf_trampoline_";
	const char *plus = strrchr(answer, '+');
	const char *module = plus ? strstr(plus, " [") : NULL;
	bool is_of_bpf = false;
	int length;

	if (!plus || plus == answer || !strncmp(answer, "0x", 2))
		return false;
	/* "bpf_prog_6deef7357e7b4530_on_fork" and "bpf_trampoline_6442536499". */
	if (!strncmp(answer, program, strlen(program)))
		is_of_bpf = strspn(answer + strlen(program), "0123456789abcdef") == 16;
	else if (!strncmp(answer, trampoline, strlen(trampoline)))
		is_of_bpf = strspn(answer + strlen(trampoline), "0123456789");
	if (!module && is_of_bpf)
		module = " [bpf]"; /* as in kallsyms */
	*offset = strtoull(plus + 1, NULL, 16);
	length = snprintf(raw, size, "%.*s%s%s", (int)(plus - answer), answer, module ? "\t" : "",
			  module ? module + 1 : "");
	return length > 0 && (size_t)length < size;
}

/* ---- the list ---- */

/*
 *	ffffffff81000df0 T asm_sysvec_apic_timer_interrupt
 *	ffffffffc0a31000 t nft_do_chain	[nf_tables]
 *
 * There are 100,000 to 300,000 such lines, sorted but for those of modules, and no sizes: a symbol
 * ends where the next one starts. The kernel takes 0.3 us to write a line, and that is most of the
 * time; so we take each byte once. A name is kept with what follows it, and split when first shown.
 */
struct kallsyms_reader {
	struct symbol_builder builder;
	struct objalloc *names; /* freed when the table has copied them */
};

/* Adds the symbol of a line; skips lines in another format. */
static int read_line(void *context, char *line, char *end)
{
	struct kallsyms_reader *reader = context;
	struct symbol symbol = {0};
	const char *text = line;
	char type, *name;
	int digit;

	for (; text < end && (digit = hex_digit(*text)) >= 0; text++)
		symbol.start = symbol.start << 4 | (uint64_t)digit;
	if (text == line || end - text < 4 || text[0] != ' ' || text[2] != ' ')
		return 0;
	type = text[1];
	if (symbol.start == 0 || !type || !strchr("tTwW", type) || text[3] == '\t' || !text[3])
		return 0;
	symbol.binding = type == 'T' ? BINDING_GLOBAL : type == 't' ? BINDING_LOCAL : BINDING_WEAK;
	symbol.name_length = (size_t)(end - text) - 3;
	name = xobjalloc(&reader->names, symbol.name_length);
	symbol.name = memcpy(name, text + 3, symbol.name_length);
	symbol.size = end[-1] == ']' ? MODULE_REACH : KERNEL_REACH;
	return symbol_builder__add(&reader->builder, &symbol);
}

int kallsyms__read(int fd, struct symbol_table **table)
{
	struct kallsyms_reader reader = {0};
	char buffer[BUFFER_BYTES];
	int code = files__each_line(fd, buffer, sizeof(buffer), read_line, &reader);

	if (!code) {
		*table = symbol_builder__finish(&reader.builder);
		code = *table ? 0 : -ENOMEM;
	}
	symbol_builder__fini(&reader.builder);
	if (reader.names)
		objalloc_free(reader.names);
	return code;
}

/* ---- asking ---- */

/* Asks the kernel for the name of an address, or, if it does not answer, looks into the list. */
static void find_name(struct kernel_symbols *kernel, struct known *known)
{
	const uint64_t address = known->address.number;
	const char *answer =
		kernel->ask_kernel ? kernel->ask_kernel(kernel->context, address) : NULL;
	struct found_symbol found;
	uint64_t offset, before;
	char raw[640];
	int fd;

	kernel->answers |= answer != NULL;
	if (answer && kernel_answer__parse(answer, raw, sizeof(raw), &offset)) {
		known->name = names__kernel(kernel->strings, raw, kernel->demangle);
		known->start = address - offset;
	}
	if (kernel->answers)
		return;
	if (!kernel->listed) {
		kernel->listed = true;
		before = rights__raise(RIGHTS_TO_NAME_KERNEL);
		fd = open("/proc/kallsyms", O_RDONLY | O_CLOEXEC);
		rights__restore(before);
		if (fd >= 0 && kallsyms__read(fd, &kernel->list))
			kernel->list = NULL;
		if (fd >= 0)
			close(fd);
	}
	if (!kernel->list || !symbol_table__find(kernel->list, address, &found))
		return;
	if (!*found.slot)
		*found.slot = names__kernel(kernel->strings, found.name, kernel->demangle);
	known->name = *found.slot;
	known->start = found.start;
}

void kernel_symbols__resolve(struct kernel_symbols *kernel, uint64_t address, bool is_caller,
			     struct frame *frame)
{
	const uint64_t asked = address - (is_caller && address);
	struct known *known = map__find_number(&kernel->known, asked);

	if (!known) {
		known = map__add_number(&kernel->known, asked, sizeof(*known));
		find_name(kernel, known);
	}
	*frame = (struct frame){.address = address, .kind = FRAME_KERNEL, .module = kernel->module};
	if (!known->name)
		return;
	frame->function = known->name->function;
	frame->module = known->name->module;
	frame->root = known->name->root;
	frame->offset = address - known->start;
}

size_t kernel_symbols__memory_bytes(const struct kernel_symbols *kernel)
{
	return sizeof(*kernel) + map__memory_bytes(&kernel->known) +
	       map__nr_items(&kernel->known) * sizeof(struct known) +
	       (kernel->list ? symbol_table__memory_bytes(kernel->list) : 0);
}

/* ---- interrupts ---- */

/*
 * The kernel's own mark is the count of interrupts in preempt_count, whose place differs from
 * version to version and is hidden where kallsyms has no data symbols; names have been steadier.
 *
 * An idle CPU that is hit while it idles, and while it works off network packets:
 *
 *	pv_native_safe_halt               nf_hook_slow
 *	default_idle_call                 net_rx_action
 *	do_idle                           handle_softirqs
 *	cpu_startup_entry                 __irq_exit_rcu
 *	start_secondary                   common_interrupt
 *	                                  asm_common_interrupt
 *	                                  pv_native_safe_halt ...
 */

/*
 * Prefixes, as compilers append .isra.0 and the like, and each vector has its own sysvec_ function.
 */
static const char *const entries[] = {
	"asm_common_interrupt", /* x86, 5.8 (fa5e5c409213); with the vectors' asm_sysvec_ */
	"asm_sysvec_",
	"asm_call_", /* x86, 5.8 to 5.11: asm_call_irq_on_stack and its like */
	"common_interrupt",
	"sysvec_",
	"handle_softirqs", /* 6.10; the loop of __do_softirq before */
	"__do_softirq",
	"do_softirq",
	"irq_exit",
	"__irq_exit",
	"el1_irq", /* arm64 before 5.14 */
	"el1h_64_irq",
	"el1h_64_fiq",
	"el1h_64_error",
};

bool interrupt__is_entry(const char *function)
{
	for (size_t i = 0; function && i < sizeof(entries) / sizeof(entries[0]); i++)
		if (!strncmp(function, entries[i], strlen(entries[i])))
			return true;
	return false;
}
