// SPDX-License-Identifier: GPL-2.0-only
/* Names of frames and their kinds for every output, and the functions in which stacks end. */
#include "profile/frame.h"

const char *frame_kind__name(enum frame_kind kind)
{
	static const char *const names[FRAME_KINDS] = {[FRAME_USER] = "user",
						       [FRAME_KERNEL] = "kernel",
						       [FRAME_JIT] = "jit",
						       [FRAME_INTERPRETED] = "interpreted",
						       [FRAME_INLINED] = "inlined"};

	return names[kind];
}

int frame__name(const struct frame *frame, char *text, size_t size)
{
	if (frame->function)
		return snprintf(text, size, "%s", frame->function);
	if (!frame->module)
		return snprintf(text, size, "[unknown]");
	/* Addresses are meaningless there: one row for the module, not one for each instruction. */
	if (frame_kind__is_dynamic(frame->kind) || !strcmp(frame->module, FRAME_REPLACED))
		return snprintf(text, size, "%s", frame->module);
	if (frame->has_start)
		return snprintf(text, size, "%s@0x%" PRIx64, frame->module, frame__start(frame));
	return snprintf(text, size, "%s+0x%" PRIx64, frame->module, frame->address);
}

bool frame__parse_start(const char *name, size_t *module_bytes, uint64_t *start)
{
	const char *at = strrchr(name, '@'), *digits;
	size_t length;

	if (!at || at == name || strncmp(at, "@0x", 3) != 0)
		return false;
	*module_bytes = (size_t)(at - name);

	/* a number as "%x" writes it, up to the end of the name */
	digits = at + 3;
	length = strspn(digits, "0123456789abcdef");
	if (!length || length > 16 || digits[length] || (*digits == '0' && length > 1))
		return false;
	return sscanf(digits, "%" SCNx64, start) == 1;
}

bool frame__says_module(const char *name, const char *module, enum frame_kind kind)
{
	size_t length = strlen(module);

	if (!strncmp(name, module, length) && strchr("+@", name[length])) /* or its end */
		return true;
	return !strcmp(module, kind == FRAME_JIT ? "[anon]" : "[kernel]");
}

/* ---- functions that nothing calls: a stack that ends in one of them is complete ---- */

struct root {
	const char *name;
	bool is_prefix; /* names may go on: ".isra.0", "_impl" */
};

static const struct root user_roots[] = {
	/* the program's entry, and what the C library calls main from */
	{"_start", false},
	{"__libc_start_main", true},
	{"__libc_start_call_main", true},
	/* the same in musl, whose own code has no unwind tables */
	{"_start_c", false},
	{"libc_start_main_stage2", true},
	/* the dynamic loader's entry */
	{"_dl_start", false},
	{"_dl_start_user", false},
	/* a thread's first instructions, in glibc and in others */
	{"clone", false},
	{"clone3", false},
	{"__clone", true},
	{"start_thread", false},
	{"thread_start", false},
	/* Go: a goroutine's, a scheduler's and the program's first frame */
	{"runtime.goexit", true},
	{"runtime.mstart", true},
	{"runtime.rt0_go", true},
	{"rt0_go", false},
	{NULL, false},
};

static const struct root kernel_roots[] = {
	/* system calls */
	{"entry_SYSCALL_64", true},
	{"entry_SYSCALL_compat", true},
	{"entry_SYSENTER_compat", true},
	{"entry_INT80", true},
	/* exceptions and interrupts: asm_exc_page_fault, asm_sysvec_apic_timer_interrupt */
	{"asm_", true},
	/* a kernel thread, or a task's return from its birth: ret_from_fork_asm */
	{"ret_from_fork", true},
	/* the boot, and the idle task of each CPU */
	{"secondary_startup_64", true},
	{"common_startup_64", true},
	{"x86_64_start_kernel", false},
	{"x86_64_start_reservations", false},
	{"start_kernel", false},
	{"start_secondary", false},
	/* the same on aarch64: from user space, since 5.14 and before; the boot */
	{"el0t_64_sync", false},
	{"el0t_64_irq", false},
	{"el0t_64_fiq", false},
	{"el0t_64_error", false},
	{"el0t_32_sync", false},
	{"el0t_32_irq", false},
	{"el0t_32_fiq", false},
	{"el0t_32_error", false},
	{"el0_sync", false},
	{"el0_irq", false},
	{"el0_fiq", false},
	{"el0_error", false},
	{"__primary_switched", false},
	{"__secondary_switched", false},
	{"secondary_start_kernel", false},
	{NULL, false},
};

bool frame__is_root_name(enum frame_kind kind, const char *function)
{
	const struct root *root = kind == FRAME_KERNEL ? kernel_roots : user_roots;

	/* an interpreter or JIT may use these names for anything */
	if (frame_kind__is_dynamic(kind))
		return false;
	for (; root->name; root++)
		if (*function == *root->name &&
		    !strncmp(function, root->name, strlen(root->name)) &&
		    (root->is_prefix || !function[strlen(root->name)]))
			return true;
	return false;
}
