// SPDX-License-Identifier: GPL-2.0-only
/* Events have names, and equal names are of events that can be compared. */
#include "expect.h"

#include <stdlib.h>
#include <string.h>

#include "capture/events/event_words.h"

static void expect_names(const char *said, const char *name, const char *count)
{
	struct event_words words;
	struct error err = {0};
	char *made, *made_count;

	EXPECT_EQ(event_words__parse(&words, said, strlen(said), &err), 0);
	made = event_name__make(&words, words.name);
	made_count = event_name__make_count(&words, words.name);
	EXPECT_STR(made, name);
	EXPECT_STR(made_count, count);
	free(made);
	free(made_count);
	event_words__free(&words);
}

static void expect_name(const char *said, const char *name)
{
	expect_names(said, name, name);
}

static void test_what_is_the_same(void)
{
	expect_name("page-faults", "page-faults");
	expect_name("page-faults/period=100/", "page-faults");
	expect_name("cycles/freq=99/", "cycles");
	expect_name("a:b/ret>0x10,dev==1/", "a:b/dev==1,ret>16/");
	expect_name("a:b/dev==1,ret>16/", "a:b/dev==1,ret>16/");
	expect_names("a:b/weight=len,unit=bytes/", "a:b/weight=len/", "a:b");
	expect_names("a:b/weight=len,unit=ns/", "a:b/weight=len/", "a:b");
}

static void test_what_differs(void)
{
	expect_name("page-faults:u", "page-faults:u");
	expect_name("page-faults/period=100/k", "page-faults:k");
	expect_name("a:b/ret>0/", "a:b/ret>0/");
	expect_name("a:b/ret>=0/", "a:b/ret>=0/");
	expect_name("a:b/ret!=-1,ret<7,ret&8/", "a:b/ret!=-1,ret<7,ret&8/");
	expect_names("a:b/ret>0,weight=ret/", "a:b/weight=ret,ret>0/", "a:b/ret>0/");
	expect_names("a:b/weight=x/", "a:b/weight=x/", "a:b");
}

/* Terms of a PMU stay as they are said, as perf has no other words for them either. */
static void test_pmu(void)
{
	expect_name("cpu/event=0x3c,any/u", "cpu/event=0x3c,any/u");
	expect_name("cpu/umask=1,event=0x3c,period=9/", "cpu/umask=1,event=0x3c/");
}

int main(void)
{
	static const struct test tests[] = {
		{"equal names", test_what_is_the_same},
		{"others", test_what_differs},
		{"of a PMU", test_pmu},
		{0},
	};

	return run_tests("names of events", tests);
}
