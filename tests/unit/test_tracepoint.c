// SPDX-License-Identifier: GPL-2.0-only
/* tracefs describes tracepoints; these descriptions are as kernels write them. */
#include "expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "capture/events/tracepoint.h"

#define COMMON                                                             \
	"	field:unsigned short common_type;	offset:0;	size:2;	signed:0;\n" \
	"	field:unsigned char common_flags;	offset:2;	size:1;	signed:0;\n" \
	"	field:unsigned char common_preempt_count;	offset:3;	size:1;	"    \
	"signed:0;\n"                                                      \
	"	field:int common_pid;	offset:4;	size:4;	signed:1;\n\n"

static const char block_rq_issue[] =
	"name: block_rq_issue\nID: 1124\nformat:\n" COMMON
	"	field:dev_t dev;	offset:8;	size:4;	signed:0;\n"
	"	field:sector_t sector;	offset:16;	size:8;	signed:0;\n"
	"	field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;\n"
	"	field:unsigned int bytes;	offset:28;	size:4;	signed:0;\n"
	"	field:unsigned short ioprio;	offset:32;	size:2;	signed:0;\n"
	"	field:char rwbs[10];	offset:34;	size:10;	signed:0;\n"
	"	field:char comm[16];	offset:44;	size:16;	signed:0;\n"
	"	field:__data_loc char[] cmd;	offset:60;	size:4;	signed:0;\n\n"
	"print fmt: \"%d,%d %s %u (%s) %llu + %u %s,%u,%u [%s]\", ((unsigned int) ((REC->dev) >> "
	"20))\n"
	"	field:int after;	offset:8;	size:4;	signed:1;\n";

static const char sched_switch[] =
	"name: sched_switch\nID: 316\nformat:\n" COMMON
	"	field:char prev_comm[16];	offset:8;	size:16;	signed:0;\n"
	"	field:pid_t prev_pid;	offset:24;	size:4;	signed:1;\n"
	"	field:int prev_prio;	offset:28;	size:4;	signed:1;\n"
	"	field:long prev_state;	offset:32;	size:8;	signed:1;\n"
	"	field:char next_comm[16];	offset:40;	size:16;	signed:0;\n"
	"	field:pid_t next_pid;	offset:56;	size:4;	signed:1;\n"
	"	field:int next_prio;	offset:60;	size:4;	signed:1;\n\n"
	"print fmt: \"prev_comm=%s\", REC->prev_comm\n";

static const char sys_enter_read[] =
	"name: sys_enter_read\nID: 812\nformat:\n" COMMON
	"	field:int __syscall_nr;	offset:8;	size:4;	signed:1;\n"
	"	field:unsigned int fd;	offset:16;	size:8;	signed:0;\n"
	"	field:char * buf;	offset:24;	size:8;	signed:0;\n"
	"	field:size_t count;	offset:32;	size:8;	signed:0;\n\n"
	"print fmt: \"fd: 0x%08lx\", ((unsigned long)(REC->fd))\n";

static int parse(struct tracepoint *tracepoint, const char *format)
{
	return tracepoint__parse(tracepoint, strdup(format));
}

static void expect_field(const struct tracepoint *tracepoint, const char *name, unsigned int offset,
			 unsigned int size, bool is_signed, enum tracepoint_shape shape)
{
	const struct tracepoint_field *field = tracepoint__field(tracepoint, name);

	EXPECT(field != NULL);
	if (!field)
		return;
	EXPECT_EQ(field->offset, offset);
	EXPECT_EQ(field->size, size);
	EXPECT_EQ(field->is_signed, is_signed);
	EXPECT_EQ(field->shape, shape);
}

static void test_block(void)
{
	struct tracepoint tracepoint;
	char weights[128];

	EXPECT_EQ(parse(&tracepoint, block_rq_issue), 0);
	EXPECT_EQ(tracepoint.id, 1124);
	EXPECT_EQ(tracepoint.nr_fields, 12);
	expect_field(&tracepoint, "bytes", 28, 4, false, SHAPE_NUMBER);
	expect_field(&tracepoint, "sector", 16, 8, false, SHAPE_NUMBER);
	expect_field(&tracepoint, "ioprio", 32, 2, false, SHAPE_NUMBER);
	expect_field(&tracepoint, "rwbs", 34, 10, false, SHAPE_OTHER);
	expect_field(&tracepoint, "cmd", 60, 4, false, SHAPE_OTHER);
	expect_field(&tracepoint, "common_pid", 4, 4, true, SHAPE_COMMON);
	EXPECT(tracepoint__field(&tracepoint, "after") == NULL);
	EXPECT(tracepoint__field(&tracepoint, "char") == NULL);
	EXPECT_STR(tracepoint__list_weights(&tracepoint, 4, weights, sizeof(weights)),
		   "dev, sector, nr_sector, bytes");
	EXPECT_STR(tracepoint__list_weights(&tracepoint, 4, weights, 6), "dev, ");
	tracepoint__free(&tracepoint);
}

static void test_others(void)
{
	struct tracepoint tracepoint;

	EXPECT_EQ(parse(&tracepoint, sched_switch), 0);
	EXPECT_EQ(tracepoint.id, 316);
	expect_field(&tracepoint, "prev_comm", 8, 16, false, SHAPE_OTHER);
	expect_field(&tracepoint, "prev_state", 32, 8, true, SHAPE_NUMBER);
	expect_field(&tracepoint, "next_pid", 56, 4, true, SHAPE_NUMBER);
	tracepoint__free(&tracepoint);

	EXPECT_EQ(parse(&tracepoint, sys_enter_read), 0);
	expect_field(&tracepoint, "fd", 16, 8, false, SHAPE_NUMBER);
	expect_field(&tracepoint, "buf", 24, 8, false, SHAPE_ADDRESS);
	expect_field(&tracepoint, "count", 32, 8, false, SHAPE_NUMBER);
	tracepoint__free(&tracepoint);
}

static void expect_refusal(const struct tracepoint *tracepoint, const char *name, bool is_weight,
			   const char *sentence)
{
	struct error err = {0};

	EXPECT(!tracepoint__number(tracepoint, "a:b", name, is_weight, &err));
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT_STR(err.text, sentence);
}

static void test_refusals(void)
{
	struct tracepoint tracepoint;
	struct error err = {0};

	parse(&tracepoint, sys_enter_read);
	EXPECT(tracepoint__number(&tracepoint, "a:b", "count", true, &err) != NULL);
	EXPECT(tracepoint__number(&tracepoint, "a:b", "buf", false, &err) != NULL);
	expect_refusal(
		&tracepoint, "buf", true,
		"field \"buf\" of tracepoint \"a:b\" is an address, which is no quantity: it "
		"cannot be a weight; there are: __syscall_nr, count, fd");
	expect_refusal(&tracepoint, "conut", false,
		       "tracepoint \"a:b\" has no field \"conut\"; near: count");
	expect_refusal(
		&tracepoint, "common_pid", false,
		"field \"common_pid\" of tracepoint \"a:b\" is none that BPF programs see: it "
		"cannot be compared with; there are: __syscall_nr, buf, count, fd");
	tracepoint__free(&tracepoint);
	parse(&tracepoint, sched_switch);
	expect_refusal(&tracepoint, "next_comm", false,
		       "field \"next_comm\" of tracepoint \"a:b\" is no number: it cannot be "
		       "compared with; there are: next_pid, next_prio, prev_pid, prev_prio, "
		       "prev_state");
	tracepoint__free(&tracepoint);
}

static void expect_damaged(const char *line)
{
	struct tracepoint tracepoint;
	char format[512];

	snprintf(format, sizeof(format),
		 "ID: 7\nformat:\n%s\n\tfield:int x;\toffset:8;\tsize:4;\tsigned:1;", line);
	EXPECT_EQ(parse(&tracepoint, format), 0);
	EXPECT_EQ(tracepoint.nr_fields, 1);
	EXPECT_STR(tracepoint.fields[0].name, "x");
	tracepoint__free(&tracepoint);
}

static void test_damaged(void)
{
	struct tracepoint tracepoint;

	expect_damaged("	field:");
	expect_damaged("	field:int y");
	expect_damaged("	field:int y;");
	expect_damaged("	field:;	offset:8;	size:4;	signed:1;");
	expect_damaged("	field:[];	offset:8;	size:4;	signed:1;");
	expect_damaged("	field:int y;	offset:-8;	size:4;	signed:1;");
	expect_damaged("	field:int y;	offset:8190;	size:4;	signed:1;");
	expect_damaged("	field:int y;	offset:99999999999999999999;	size:4;	signed:1;");
	expect_damaged("	field:int y;	offset:8;	size:4;	signed:2;");
	expect_damaged("	field:int y;	offset:8	size:4;	signed:1;");
	expect_damaged("	field:int \033[2J;	offset:8;	size:4;	signed:1;");
	EXPECT_EQ(parse(&tracepoint, ""), -EINVAL);
	tracepoint__free(&tracepoint);
	EXPECT_EQ(parse(&tracepoint, "	field:int x;	offset:8;	size:4;	signed:1;"),
		  -EINVAL);
	tracepoint__free(&tracepoint); /* it has no number */
	EXPECT_EQ(parse(&tracepoint,
			"ID: 4294967296\n	field:int x;	offset:8;	size:4;	signed:1;"),
		  -EINVAL);
	tracepoint__free(&tracepoint);
}

static void test_names(void)
{
	EXPECT(tracepoint_name__is_sane("sched:sched_switch"));
	EXPECT(tracepoint_name__is_sane("kvm-x86:a.b"));
	EXPECT(!tracepoint_name__is_sane("sched"));
	EXPECT(!tracepoint_name__is_sane(":switch"));
	EXPECT(!tracepoint_name__is_sane("sched:"));
	EXPECT(!tracepoint_name__is_sane("..:id"));
	EXPECT(!tracepoint_name__is_sane("a:.."));
	EXPECT(!tracepoint_name__is_sane("a/b:c"));
	EXPECT(!tracepoint_name__is_sane("a:b/c"));
	EXPECT(!tracepoint_name__is_sane("a:b:c"));
	EXPECT(!tracepoint_name__is_sane("a:b c"));
	EXPECT(!tracepoint_name__is_sane("a:b\n"));
	EXPECT(!tracepoint_name__is_sane(
		"a:0123456789012345678901234567890123456789012345678901234567890123456789"
		"0123456789012345678901234567890123456789012345678901234567890123456789"));
}

int main(void)
{
	static const struct test tests[] = {
		{"numbers, arrays and texts", test_block},
		{"signs and addresses", test_others},
		{"fields that are no numbers", test_refusals},
		{"damaged descriptions", test_damaged},
		{"names", test_names},
		{0},
	};

	return run_tests("tracepoint", tests);
}
