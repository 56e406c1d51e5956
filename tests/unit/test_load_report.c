// SPDX-License-Identifier: GPL-2.0-only
/* What libbpf prints of maps and programs that the kernel refused. */
#include "capture/load_report.h"

#include "expect.h"

static void test_names(void)
{
	struct load_report report = {0};

	load_report__read(&report,
			  "libbpf: map 'targets': failed to create: Invalid argument(-22)\n");
	load_report__read(&report,
			  "libbpf: map 'dying': failed to create: Invalid argument(-22)\n");
	load_report__read(&report, "libbpf: prog 'on_cpu': relo #1: no matching targets found\n");
	EXPECT_STR(report.map, "targets");
	EXPECT_STR(report.program, "");
	load_report__read(&report,
			  "libbpf: prog 'on_cpu': BPF program load failed: Invalid argument\n");
	EXPECT_STR(report.program, "on_cpu");
	EXPECT_STR(report.verifier, "");
}

/* The last line that is no statistic; none of its bytes reaches a terminal as it is. */
static void test_verifier(void)
{
	struct load_report report = {0};

	load_report__read(&report, "libbpf: prog 'on_cpu': -- BEGIN PROG LOAD LOG --\n"
				   "0: R1=ctx(off=0,imm=0) R10=fp0\n"
				   "R1 is \x1b[2J no pointer\n"
				   "verification time 12 usec\n"
				   "processed 1 insns (limit 1000000)\n"
				   "-- END PROG LOAD LOG --\n");
	EXPECT_STR(report.verifier, "R1 is ?[2J no pointer");
	load_report__read(&report, "libbpf: prog 'on_exit': -- BEGIN PROG LOAD LOG --\nlater\n"
				   "-- END PROG LOAD LOG --\n");
	EXPECT_STR(report.verifier, "R1 is ?[2J no pointer");
	report = (struct load_report){0};
	load_report__read(&report, "libbpf: prog 'x': -- BEGIN PROG LOAD LOG --\n"
				   "-- END PROG LOAD LOG --\n");
	EXPECT_STR(report.verifier, "");
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
