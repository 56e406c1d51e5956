// SPDX-License-Identifier: GPL-2.0-only
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
#include "symbols/interrupts.h"

#include <stddef.h>
#include <string.h>

/* Beginnings: compilers append .isra.0 and the like, and there is one sysvec_ for each vector. */
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
};

bool interrupt__is_entry(const char *function)
{
	for (size_t i = 0; function && i < sizeof(entries) / sizeof(entries[0]); i++)
		if (!strncmp(function, entries[i], strlen(entries[i])))
			return true;
	return false;
}
