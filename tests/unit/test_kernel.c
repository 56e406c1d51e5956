// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernel addresses: answers are taken apart, each address is asked once, and a list serves without
 * an answer.
 */
#include "expect.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symbols/kernel.h"
#include "symbols/symbols.h"

static void expect_answer(const char *answer, const char *raw, uint64_t offset)
{
	uint64_t got_offset = 0;
	char got[128];

	EXPECT(kernel_answer__parse(answer, got, sizeof(got), &got_offset));
	EXPECT_STR(got, raw);
	EXPECT_EQ(got_offset, offset);
}

static void test_answers(void)
{
	char raw[64];
	uint64_t offset;

	expect_answer("do_syscall_64+0x3c/0x280", "do_syscall_64", 0x3c);
	expect_answer("nft_do_chain+0x0/0x5a0 [nf_tables]", "nft_do_chain\t[nf_tables]", 0);
	expect_answer("bpf_prog_6deef7357e7b4530_on_fork+0x8/0x20 [bpf]",
		      "bpf_prog_6deef7357e7b4530_on_fork\t[bpf]", 8);
	expect_answer("bpf_prog_6deef7357e7b4530_on_fork+0x8/0x20",
		      "bpf_prog_6deef7357e7b4530_on_fork\t[bpf]", 8);
	expect_answer("bpf_prog_6deef7357e7b4530+0x8/0x20", "bpf_prog_6deef7357e7b4530\t[bpf]", 8);
	expect_answer("bpf_trampoline_6442536499+0x5/0xa0", "bpf_trampoline_6442536499\t[bpf]", 5);
	expect_answer("bpf_prog_test_run_xdp+0x8/0x20", "bpf_prog_test_run_xdp", 8);
	expect_answer("bpf_prog_add+0x8/0x20", "bpf_prog_add", 8);
	expect_answer("bpf_trampoline_enter+0x8/0x20", "bpf_trampoline_enter", 8);
	expect_answer("irqentry_exit.isra.0+0x1/0x2", "irqentry_exit.isra.0", 1);
	EXPECT(!kernel_answer__parse("0xffffffff81000000", raw, sizeof(raw), &offset));
	EXPECT(!kernel_answer__parse("", raw, sizeof(raw), &offset));
	EXPECT(!kernel_answer__parse("+0x1/0x2", raw, sizeof(raw), &offset));
	EXPECT(!kernel_answer__parse("much_too_long+0x1/0x2", raw, 4, &offset));
}

/* The kernel of two functions counts its questions. */
static const char *ask(void *context, uint64_t address)
{
	int *nr_questions = context;

	++*nr_questions;
	if (address >= 0x1000 && address < 0x1080)
		return address == 0x107f ? "vfs_read+0x7f/0x80" : "vfs_read+0x10/0x80";
	return address == 0x2000 ? "hook+0x0/0x10 [filter]" : "0xffff800000000000";
}

static const char *silence(void *context, uint64_t address)
{
	(void)address;
	++*(int *)context;
	return NULL;
}

static struct symbols *make_symbols(const char *(*answer)(void *, uint64_t), int *nr_questions)
{
	struct symbols_options options = {
		.demangle = true, .ask_kernel = answer, .context = nr_questions};

	return symbols__new(&options);
}

static void test_asks_once(void)
{
	int nr_questions = 0;
	struct symbols *symbols = make_symbols(ask, &nr_questions);
	struct frame frame;

	symbols__resolve_kernel(symbols, 0x1010, false, &frame);
	symbols__resolve_kernel(symbols, 0x1010, false, &frame);
	EXPECT_EQ(nr_questions, 1);
	EXPECT_STR(frame.function, "vfs_read");
	EXPECT_STR(frame.module, "[kernel]");
	EXPECT_EQ(frame.offset, 0x10);
	EXPECT_EQ(frame.kind, FRAME_KERNEL);
	symbols__resolve_kernel(symbols, 0x2000, false, &frame);
	EXPECT_STR(frame.module, "filter");
	symbols__resolve_kernel(symbols, 0x3000, false, &frame);
	EXPECT(frame.function == NULL);
	EXPECT_STR(frame.module, "[kernel]");
	symbols__free(symbols);
}

/* A call at the very end of a function returns to the one behind it. */
static void test_callers(void)
{
	int nr_questions = 0;
	struct symbols *symbols = make_symbols(ask, &nr_questions);
	struct frame frame;

	symbols__resolve_kernel(symbols, 0x1080, true, &frame);
	EXPECT_STR(frame.function, "vfs_read");
	EXPECT_EQ(frame.address, 0x1080);
	EXPECT_EQ(frame.offset, 0x80);
	symbols__free(symbols);
}

static void test_falls_back(void)
{
	int nr_questions = 0;
	struct symbols *symbols = make_symbols(silence, &nr_questions);
	struct frame frame;

	symbols__resolve_kernel(symbols, 1, false, &frame); /* before any symbol of the list */
	EXPECT(nr_questions > 0);
	EXPECT(frame.function == NULL);
	EXPECT_STR(frame.module, "[kernel]");
	symbols__free(symbols);
}

/* The names are those of /proc/kallsyms, whose addresses are zeros if it is not for us. */
static void test_list(void)
{
	struct symbols *symbols = symbols__new(&(struct symbols_options){.demangle = true});
	struct frame frame;
	uint64_t address = 0;
	char line[600], name[512] = "", type;
	FILE *kallsyms = fopen("/proc/kallsyms", "re");

	while (fgets(line, sizeof(line), kallsyms) && strcmp(name, "ret_from_fork_asm") &&
	       strcmp(name, "ret_from_fork"))
		if (sscanf(line, "%lx %c %511s", &address, &type, name) != 3)
			break;
	fclose(kallsyms);
	symbols__resolve_kernel(symbols, address ? address : 0xffffffff81000000, false, &frame);
	EXPECT_STR(frame.module, "[kernel]");
	EXPECT_EQ(frame.kind, FRAME_KERNEL);
	EXPECT_STR(frame.path, NULL);
	EXPECT_STR(frame.function, address ? name : NULL);
	EXPECT_EQ(frame.root, address != 0);
	symbols__resolve_kernel(symbols, address + 1, true, &frame);
	EXPECT_STR(frame.function, address ? name : NULL);
	EXPECT_EQ(frame.address, address + 1);
	EXPECT_EQ(frame.offset, address ? 1 : 0);
	symbols__resolve_kernel(symbols, address, true, &frame);
	EXPECT(!frame.function || strcmp(frame.function, name));
	symbols__resolve_kernel(symbols, 0x1000, false, &frame);
	EXPECT_STR(frame.function, NULL);
	EXPECT_STR(frame.module, "[kernel]");
	symbols__free(symbols);
}

int main(void)
{
	static const struct test tests[] = {
		{"answers are taken apart", test_answers},
		{"an address is asked about once", test_asks_once},
		{"a caller is looked up before its return address", test_callers},
		{"without answers the list is read", test_falls_back},
		{"addresses of the list", test_list},
		{0},
	};

	return run_tests("kernel", tests);
}
