// SPDX-License-Identifier: GPL-2.0-only
/*
 * Some thousand kernel addresses are ever sampled, while the list of all symbols has a hundred
 * thousand lines that take 50 ms to read. So each address is asked about once, where the kernel can
 * be asked; the list is for kernels where it cannot.
 */
#include "symbols/kernel.h"

#include "base/strings.h"
#include "elf/symbol_table.h"
#include "profile/frame.h"
#include "symbols/files/names.h"

/* A looked-up address; name NULL: it has none. */
struct known {
	struct map_number address;
	uint64_t start;
	const struct symbol_name *name;
};

int kernel_symbols__renew(struct kernel_symbols *kernel, struct strings *strings)
{
	const char *module = strings__intern(strings, "[kernel]", strlen("[kernel]"));

	if (!module)
		return -ENOMEM;
	map__clear(&kernel->known);
	symbol_table__free(kernel->list);
	kernel->list = NULL;
	kernel->listed = false;
	kernel->strings = strings;
	kernel->module = module;
	return 0;
}

int kernel_symbols__init(struct kernel_symbols *kernel, struct strings *strings)
{
	int code = map__init_numbers(&kernel->known, free);

	return code ? code : kernel_symbols__renew(kernel, strings);
}

void kernel_symbols__fini(struct kernel_symbols *kernel)
{
	map__fini(&kernel->known);
	symbol_table__free(kernel->list);
}

/* ---- asking ---- */

/*
 * Whether the kernel generated the code: "bpf_prog_6deef7357e7b4530_on_fork",
 * "bpf_trampoline_6442536499".
 */
static bool is_of_bpf(const char *name)
{
	static const char program[] = "bpf_prog_", trampoline[] = "bpf_trampoline_";

	if (!strncmp(name, program, strlen(program)))
		return strspn(name + strlen(program), "0123456789abcdef") == 16;
	return !strncmp(name, trampoline, strlen(trampoline)) &&
	       strspn(name + strlen(trampoline), "0123456789");
}

bool kernel_answer__parse(const char *answer, char *raw, size_t size, uint64_t *offset)
{
	const char *plus = strrchr(answer, '+');
	const char *module = plus ? strstr(plus, " [") : NULL;
	int length;

	if (!plus || plus == answer || !strncmp(answer, "0x", 2))
		return false;
	if (!module && is_of_bpf(answer))
		module = " [bpf]"; /* as in kallsyms */
	*offset = strtoull(plus + 1, NULL, 16);
	length = snprintf(raw, size, "%.*s%s%s", (int)(plus - answer), answer, module ? "\t" : "",
			  module ? module + 1 : "");
	return length > 0 && (size_t)length < size;
}

static void ask(struct kernel_symbols *kernel, struct known *known)
{
	const uint64_t address = known->address.number;
	const char *answer = kernel->ask_kernel(kernel->context, address);
	uint64_t offset;
	char raw[640];

	if (!answer)
		return;
	kernel->answers = true;
	if (!kernel_answer__parse(answer, raw, sizeof(raw), &offset))
		return;
	known->name = names__kernel(kernel->strings, raw, kernel->demangle);
	known->start = address - offset;
}

/* ---- the list ---- */

static void look_up(struct kernel_symbols *kernel, struct known *known)
{
	struct found_symbol found;

	if (!kernel->listed && kallsyms__load(&kernel->list))
		kernel->list = NULL;
	kernel->listed = true;
	if (!kernel->list || !symbol_table__find(kernel->list, known->address.number, &found))
		return;
	if (!*found.slot)
		*found.slot = names__kernel(kernel->strings, found.name, kernel->demangle);
	known->name = *found.slot;
	known->start = found.start;
}

/* ---- both ---- */

static const struct known *add_known(struct kernel_symbols *kernel, uint64_t address)
{
	struct known *known = calloc(1, sizeof(*known));

	if (!known)
		return NULL;
	known->address = map__number(&kernel->known, address);
	if (kernel->ask_kernel)
		ask(kernel, known);
	if (!kernel->answers)
		look_up(kernel, known);
	if (map__add(&kernel->known, &known->address.item)) {
		free(known);
		return NULL;
	}
	return known;
}

void kernel_symbols__resolve(struct kernel_symbols *kernel, uint64_t address, bool is_caller,
			     struct frame *frame)
{
	const uint64_t asked = address - (is_caller && address);
	const struct known *known = map__find_number(&kernel->known, asked);

	if (!known)
		known = add_known(kernel, asked);
	*frame = (struct frame){.address = address, .kind = FRAME_KERNEL, .module = kernel->module};
	if (!known || !known->name)
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
