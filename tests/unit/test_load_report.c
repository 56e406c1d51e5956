// SPDX-License-Identifier: GPL-2.0-only
/*
 * libbpf prints lines about maps and programs that the kernel refused, and a report is made of
 * them.
 */
#include "capture/host/load_report.h"

#include <stdarg.h>

#include <bpf/libbpf.h>

#include "expect.h"

static libbpf_print_fn_t print;

/* Prints as libbpf does. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	print(LIBBPF_WARN, format, arguments);
	va_end(arguments);
}

static void begin(struct load_report *report)
{
	load_report__begin(report);
	print = libbpf_set_print(NULL);
}

static void test_names(void)
{
	struct load_report report;

	begin(&report);
	say("libbpf: map 'targets': failed to create: Invalid argument(-22)\n");
	say("libbpf: map 'dying': failed to create: Invalid argument(-22)\n");
	say("libbpf: prog 'on_cpu': relo #1: no matching targets found\n");
	EXPECT_STR(report.map, "targets");
	EXPECT_STR(report.program, "");
	say("libbpf: prog 'on_cpu': BPF program load failed: Invalid argument\n");
	EXPECT_STR(report.program, "on_cpu");
	EXPECT_STR(report.verifier, "");
	load_report__end();
	say("libbpf: map 'late': failed to create: Invalid argument(-22)\n");
	EXPECT_STR(report.map, "targets");
}

/* The last line that is no statistic; none of its bytes reaches a terminal as it is. */
static void test_verifier(void)
{
	struct load_report report;

	begin(&report);
	say("libbpf: prog 'on_cpu': -- BEGIN PROG LOAD LOG --\n"
	    "0: R1=ctx(off=0,imm=0) R10=fp0\n"
	    "R1 is \x1b[2J no pointer\n"
	    "verification time 12 usec\n"
	    "processed 1 insns (limit 1000000)\n"
	    "-- END PROG LOAD LOG --\n");
	EXPECT_STR(report.verifier, "R1 is ?[2J no pointer");
	say("libbpf: prog 'on_exit': -- BEGIN PROG LOAD LOG --\nlater\n"
	    "-- END PROG LOAD LOG --\n");
	EXPECT_STR(report.verifier, "R1 is ?[2J no pointer");
	begin(&report);
	say("libbpf: prog 'x': -- BEGIN PROG LOAD LOG --\n"
	    "-- END PROG LOAD LOG --\n");
	EXPECT_STR(report.verifier, "");
	load_report__end();
}

int main(void)
{
	static const struct test tests[] = {
		{"maps and programs by name", test_names},
		{"the verifier's last line", test_verifier},
		{0},
	};

	return run_tests("load report", tests);
}
