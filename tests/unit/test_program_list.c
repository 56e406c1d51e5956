// SPDX-License-Identifier: GPL-2.0-only
/*
 * Loaded BPF programs: their measured times, their order, those that samples can hit, and doctor's
 * print of them.
 */
#include "capture/host/program_list.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bpf.h>

#include "actions/doctor_programs.h"
#include "expect.h"

static struct loaded_program three[] = {
	{.id = 7,
	 .type = BPF_PROG_TYPE_XDP,
	 .name = "drop_packet",
	 .nr_runs = 110,
	 .run_ns = 90000},
	{.id = 9,
	 .type = BPF_PROG_TYPE_KPROBE,
	 .name = "\033[2Jprobe",
	 .nr_runs = 3,
	 .run_ns = 300},
	{.id = 8, .type = 99, .name = ""},
};

static const struct program_list list = {.programs = three, .nr_programs = 3, .measured_s = 0.001};

static void test_measured(void)
{
	struct loaded_program then[] = {{.id = 7, .nr_runs = 10, .run_ns = 40000},
					{.id = 5, .run_ns = 1}};
	struct loaded_program now[3];
	struct program_list before = {.programs = then, .nr_programs = 2};
	struct program_list after = {.programs = now, .nr_programs = 3};

	memcpy(now, three, sizeof(now));
	program_list__subtract(&after, &before);
	EXPECT_EQ(now[0].nr_runs, 100);
	EXPECT_EQ(now[0].run_ns, 50000);
	EXPECT_EQ(now[1].nr_runs, 3); /* loaded meanwhile */
	then[0].run_ns = 60000;	      /* the kernel's sums of CPUs are not read at one time */
	program_list__subtract(&after, &before);
	EXPECT_EQ(now[0].run_ns, 0);
}

static void test_order(void)
{
	struct loaded_program programs[] = {{.id = 4, .run_ns = 5},
					    {.id = 3},
					    {.id = 2},
					    {.id = 1, .run_ns = UINT64_C(1) << 40}};
	struct program_list ranked = {.programs = programs, .nr_programs = 4}, none = {0};

	program_list__rank(&ranked);
	EXPECT_EQ(programs[0].id, 1);
	EXPECT_EQ(programs[1].id, 4);
	EXPECT_EQ(programs[2].id, 2);
	EXPECT_EQ(programs[3].id, 3);
	program_list__rank(&none);
}

/* The header's own numbers against the table of words. */
static void test_kinds(void)
{
	char text[PROGRAM_KIND_SIZE];

	EXPECT_STR(program__kind(BPF_PROG_TYPE_XDP, text), "xdp");
	EXPECT_STR(program__kind(BPF_PROG_TYPE_SCHED_CLS, text), "sched_cls");
	EXPECT_STR(program__kind(BPF_PROG_TYPE_STRUCT_OPS, text), "struct_ops");
	EXPECT_STR(program__kind(BPF_PROG_TYPE_SYSCALL, text), "syscall");
	EXPECT_STR(program__kind(0, text), "type 0");
	EXPECT_STR(program__kind(4294967295, text), "type 4294967295");
}

static void test_reach(void)
{
	EXPECT_EQ(program__reach(BPF_PROG_TYPE_PERF_EVENT), REACH_NO);
	EXPECT_EQ(program__reach(BPF_PROG_TYPE_TRACEPOINT), REACH_NO);
	EXPECT_EQ(program__reach(BPF_PROG_TYPE_KPROBE), REACH_OF_USERS);
	EXPECT_EQ(program__reach(BPF_PROG_TYPE_XDP), REACH_YES);
	EXPECT_EQ(program__reach(BPF_PROG_TYPE_SCHED_CLS), REACH_YES);
	EXPECT_EQ(program__reach(BPF_PROG_TYPE_SOCKET_FILTER), REACH_YES);
	EXPECT_EQ(program__reach(BPF_PROG_TYPE_TRACING), REACH_YES);
	EXPECT_EQ(program__reach(BPF_PROG_TYPE_RAW_TRACEPOINT), REACH_YES);
	EXPECT_EQ(program__reach(99), REACH_YES);
}

static char *print(void (*printer)(FILE *, const struct program_list *, int),
		   const struct program_list *printed, int code)
{
	char *text = NULL;
	size_t size = 0;
	FILE *out = open_memstream(&text, &size);

	printer(out, printed, code);
	fclose(out);
	return text;
}

static void test_table(void)
{
	char *text = print(doctor_programs__print, &list, 0);

	EXPECT(strstr(text, "         818          110     9.00 %  yes      xdp            "
			    "drop_packet (id 7)\n"));
	EXPECT(strstr(text, " uprobes  kprobe         \\x1b[2Jprobe (id 9)\n"));
	EXPECT(strstr(text, "           -            0     0.00 %  yes      type 99        (no "
			    "name) (id 8)\n"));
	EXPECT(!strchr(text, '\033'));
	EXPECT(strstr(text, "measures no more"));
	EXPECT(strstr(text, "cannot be sampled"));
	free(text);
}

/* The table has no times, and more programs than are shown. */
static void test_long_table(void)
{
	struct program_list many = {.programs = calloc(50, sizeof(struct loaded_program)),
				    .nr_programs = 50,
				    .has_more = true};
	char *text = print(doctor_programs__print, &many, 0);

	EXPECT(strstr(text, "50 and more loaded; --bpf-stats 1 lets the kernel measure"));
	EXPECT(strstr(text, "and 30 or more: --json"));
	free(text);
	free(many.programs);
}

static void test_refused(void)
{
	const struct program_list none = {0};
	char *text = print(doctor_programs__print, &none, -EPERM);

	EXPECT(strstr(text, "unknown: bpf(): Operation not permitted"));
	EXPECT(strstr(text, "cannot be sampled"));
	free(text);
	text = print(doctor_programs__print_json, &none, -EPERM);
	EXPECT_STR(text,
		   "{\"error\":\"Operation not permitted\",\"measured_s\":null,\"more\":false,"
		   "\"programs\":[]}");
	free(text);
}

static void test_json(void)
{
	char *text = print(doctor_programs__print_json, &list, 0);

	EXPECT_STR(text,
		   "{\"error\":null,\"measured_s\":0.001000,\"more\":false,\"programs\":["
		   "{\"id\":7,\"kind\":\"xdp\",\"name\":\"drop_packet\",\"sampled\":true,"
		   "\"runs\":110,\"run_time_ns\":90000},"
		   "{\"id\":9,\"kind\":\"kprobe\",\"name\":\"\\u001b[2Jprobe\",\"sampled\":null,"
		   "\"runs\":3,\"run_time_ns\":300},"
		   "{\"id\":8,\"kind\":\"type 99\",\"name\":\"\",\"sampled\":true,"
		   "\"runs\":0,\"run_time_ns\":0}]}");
	free(text);
}

int main(void)
{
	static const struct test tests[] = {
		{"what ran before is taken away", test_measured},
		{"the dearest come first", test_order},
		{"kinds have the kernel's words", test_kinds},
		{"which samples can hit", test_reach},
		{"a table of foreign names", test_table},
		{"the table is bounded", test_long_table},
		{"who may not list them is told so", test_refused},
		{"as JSON", test_json},
		{0},
	};

	return run_tests("program_list", tests);
}
