// SPDX-License-Identifier: GPL-2.0-only
/* The terms of a tracepoint become the settings of its program. */
#include "expect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/events/event.h"
#include "capture/events/tracepoint.h"
#include "capture/events/tracepoint_terms.h"

static const char format[] = "ID: 7\nformat:\n"
			     "	field:dev_t dev;	offset:8;	size:4;	signed:0;\n"
			     "	field:unsigned int bytes;	offset:28;	size:4;	signed:0;\n"
			     "	field:long ret;	offset:16;	size:8;	signed:1;\n"
			     "	field:char small;	offset:33;	size:1;	signed:1;\n"
			     "	field:char comm[16];	offset:44;	size:16;	signed:0;\n"
			     "	field:void * ptr;	offset:64;	size:8;	signed:0;\n";

static struct tracepoint tracepoint;
static struct event_words words;
static struct error err;

static int apply(const char *item)
{
	tracepoint__free(&tracepoint);
	event_words__free(&words);
	err = (struct error){0};
	EXPECT_EQ(tracepoint__parse(&tracepoint, strdup(format)), 0);
	EXPECT_EQ(event_words__parse(&words, item, strlen(item), &err), 0);
	return tracepoint_terms__apply(&tracepoint, &words, &err);
}

/* Returns the unit of the event that was applied. */
static const char *unit(void)
{
	struct event event = {.words = words};

	tracepoint_terms__describe(&event);
	return event.metrics.of[VALUE_WEIGHT].unit;
}

static void test_weight(void)
{
	EXPECT_EQ(apply("a:b"), 0);
	EXPECT_EQ(tracepoint.settings.weight.size, 0);
	EXPECT_EQ(tracepoint.settings.nr_conditions, 0);
	EXPECT_EQ(apply("a:b/weight=bytes/"), 0);
	EXPECT_EQ(tracepoint.settings.weight.offset, 28);
	EXPECT_EQ(tracepoint.settings.weight.size, 4);
	EXPECT_EQ(tracepoint.settings.weight.is_signed, 0);
	EXPECT_STR(unit(), "bytes");
	EXPECT_EQ(apply("a:b/weight=ret,unit=ns/"), 0);
	EXPECT_EQ(tracepoint.settings.weight.is_signed, 1);
	EXPECT_STR(unit(), "nanoseconds");
	EXPECT_EQ(apply("a:b/weight=small/"), 0);
	EXPECT_STR(unit(), "small");
}

static void expect_condition(const char *item, enum record_op op, unsigned long long number)
{
	const struct record_condition *condition = &tracepoint.settings.conditions[0];

	EXPECT_EQ(apply(item), 0);
	EXPECT_EQ(tracepoint.settings.nr_conditions, 1);
	EXPECT_EQ(condition->op, op);
	EXPECT_EQ(condition->number, number);
}

static void test_conditions(void)
{
	expect_condition("a:b/dev==0x700000/", RECORD_EQUAL, 0x700000);
	expect_condition("a:b/dev!=1/", RECORD_NOT_EQUAL, 1);
	expect_condition("a:b/ret<0/", RECORD_LESS, 0);
	expect_condition("a:b/ret<=-11/", RECORD_LESS_EQUAL, (unsigned long long)-11);
	expect_condition("a:b/bytes>4096/", RECORD_GREATER, 4096);
	expect_condition("a:b/small>=-128/", RECORD_GREATER_EQUAL, (unsigned long long)-128);
	expect_condition("a:b/small&0x80/", RECORD_BITS, 0x80);
	expect_condition("a:b/ptr!=0/", RECORD_NOT_EQUAL, 0);
	expect_condition("a:b/ret>=-9223372036854775808/", RECORD_GREATER_EQUAL, 1ULL << 63);
	EXPECT_EQ(apply("a:b/dev==1,dev==2,dev==3,ret<9,weight=bytes/"), 0);
	EXPECT_EQ(tracepoint.settings.nr_conditions, 4);
	EXPECT_EQ(tracepoint.settings.conditions[3].field.offset, 16);
}

static void expect_refusal(const char *item, const char *part)
{
	EXPECT(apply(item) < 0);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, part) != NULL);
	if (!strstr(err.text, part))
		EXPECT_STR(err.text, part);
}

static void test_refusals(void)
{
	expect_refusal("a:b/dev==-1/",
		       "\"dev\" of tracepoint \"a:b\" never is \"-1\": it has 4 bytes and no sign");
	expect_refusal("a:b/dev==0x100000000/", "it has 4 bytes and no sign");
	expect_refusal("a:b/ptr==-1/", "it has 8 bytes and no sign");
	expect_refusal("a:b/small==128/", "never is \"128\": it has 1 byte");
	expect_refusal("a:b/dev<0/", "never is less than \"0\": it has 4 bytes and no sign");
	expect_refusal("a:b/dev==-1/", "it may hold 0xffffffff");
	expect_refusal("a:b/ptr==-1/", "it may hold 0xffffffffffffffff, or of 32 bits 0xffffffff");
	expect_refusal("a:b/dev&0/", "never is");
	expect_refusal("a:b/small==-129/", "never is");
	expect_refusal("a:b/ret==0x8000000000000000/", "never is");
	expect_refusal("a:b/dev==1,dev==2,dev==3,dev==4,dev==5/", "by 4 conditions at most");
	expect_refusal("a:b/device=1/", "has no term \"device\"");
	expect_refusal("a:b/dev/", "has no term \"dev\"");
	expect_refusal("a:b/byte==1/", "has no field \"byte\"; near: bytes");
	expect_refusal("a:b/weight=comm/", "is no number: it cannot be a weight");
	expect_refusal("a:b/weight=ptr/", "is an address, which is no quantity");
	expect_refusal("a:b/unit=bytes/", "needs a field that is measured in it");
	expect_refusal("a:b/freq=10/", "takes no freq=, but one in N with period=N");
	tracepoint__free(&tracepoint);
	event_words__free(&words);
}

int main(void)
{
	static const struct test tests[] = {
		{"weights and their units", test_weight},
		{"conditions", test_conditions},
		{"what a tracepoint does not take", test_refusals},
		{0},
	};

	return run_tests("tracepoint_terms", tests);
}
