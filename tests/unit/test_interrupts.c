// SPDX-License-Identifier: GPL-2.0-only
/* Some stacks of the idle task are work: stacks as four kernels show them, leaf first. */
#include "symbols/kernel.h"

#include <stddef.h>

#include "expect.h"

#define MAX_FRAMES 24

static bool is_work(const char *const *frames)
{
	bool work = false;

	for (; *frames; frames++)
		work |= interrupt__is_entry(*frames);
	return work;
}

static void test_idling(void)
{
	static const char *const stacks[][MAX_FRAMES] = {
		/* 6.18 and 6.12, a virtual machine */
		{"pv_native_safe_halt", "arch_cpu_idle", "default_idle_call", "do_idle",
		 "cpu_startup_entry", "rest_init", "start_kernel", "x86_64_start_reservations",
		 "x86_64_start_kernel", "common_startup_64"},
		/* 6.1, the second CPU */
		{"native_safe_halt", "default_idle", "default_idle_call", "do_idle",
		 "cpu_startup_entry", "start_secondary", "secondary_startup_64_no_verify"},
		/* 5.10 */
		{"native_safe_halt", "default_idle", "default_idle_call", "do_idle",
		 "cpu_startup_entry", "start_kernel", "secondary_startup_64_no_verify"},
		/* with a driver for the processor's sleep states */
		{"intel_idle", "cpuidle_enter_state", "cpuidle_enter", "call_cpuidle", "do_idle",
		 "cpu_startup_entry", "start_secondary"},
		{"poll_idle", "cpuidle_enter_state", "cpuidle_enter", "do_idle"},
		{"tick_nohz_idle_enter", "do_idle", "cpu_startup_entry"},
		{NULL},
	};

	for (size_t i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		EXPECT_EQ(is_work(stacks[i]), false);
	EXPECT_EQ(interrupt__is_entry(NULL), false);
	EXPECT_EQ(interrupt__is_entry(""), false);
}

static void test_working(void)
{
	static const char *const stacks[][MAX_FRAMES] = {
		/* 6.18: packets of another CPU */
		{"__udp4_lib_rcv", "ip_local_deliver_finish", "process_backlog", "net_rx_action",
		 "handle_softirqs", "__irq_exit_rcu", "sysvec_call_function_single",
		 "asm_sysvec_call_function_single", "pv_native_safe_halt", "do_idle"},
		{"run_timer_softirq", "__do_softirq", "__irq_exit_rcu", "do_idle"},
		/* 5.10: on a stack of their own */
		{"rcu_core", "__softirqentry_text_start", "asm_call_irq_on_stack",
		 "do_softirq_own_stack", "irq_exit_rcu", "sysvec_apic_timer_interrupt",
		 "asm_sysvec_apic_timer_interrupt", "native_safe_halt"},
		{"handle_softirqs.isra.0", "do_idle"},
		{"virtqueue_get_buf", "vring_interrupt", "handle_irq_event", "common_interrupt",
		 "asm_common_interrupt", "native_safe_halt"},
		/* arm64 */
		{"gic_handle_irq", "el1_interrupt", "el1h_64_irq_handler", "el1h_64_irq",
		 "arch_local_irq_enable", "do_idle"},
	};

	for (size_t i = 0; i < sizeof(stacks) / sizeof(stacks[0]); i++)
		EXPECT_EQ(is_work(stacks[i]), true);
}

int main(void)
{
	static const struct test tests[] = {
		{"idling is no work", test_idling},
		{"interrupts and what they leave behind are work", test_working},
		{0},
	};

	return run_tests("interrupts", tests);
}
