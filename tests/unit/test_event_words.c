// SPDX-License-Identifier: GPL-2.0-only
/* Events as users say them, well and badly, have the meaning of their authors. */
#include "expect.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "capture/events/event_words.h"

static struct event_words words;
static struct error err;

static int parse(const char *item)
{
	event_words__free(&words);
	err = (struct error){0};
	return event_words__parse(&words, item, strlen(item), &err);
}

static void expect_refused(const char *item, const char *sentence)
{
	EXPECT_EQ(parse(item), -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT_STR(err.text, sentence);
}

static void test_names(void)
{
	EXPECT_EQ(parse("page-faults"), 0);
	EXPECT_STR(words.name, "page-faults");
	EXPECT_STR(words.said, "page-faults");
	EXPECT(words.in_user && words.in_kernel);
	EXPECT_EQ(words.nr_terms, 0);
	EXPECT_EQ(words.period, 0);
	EXPECT_EQ(words.freq_hz, 0);
	EXPECT(!words.weight && !words.unit);
	EXPECT_EQ(parse("r01c2"), 0);
	EXPECT_STR(words.name, "r01c2");
}

static void expect_modes(const char *item, const char *name, bool in_user, bool in_kernel)
{
	EXPECT_EQ(parse(item), 0);
	EXPECT_STR(words.name, name);
	EXPECT_EQ(words.in_user, in_user);
	EXPECT_EQ(words.in_kernel, in_kernel);
}

static void test_modifiers(void)
{
	expect_modes("page-faults:u", "page-faults", true, false);
	expect_modes("page-faults:k", "page-faults", false, true);
	expect_modes("page-faults:uk", "page-faults", true, true);
	expect_modes("cycles/period=7/u", "cycles", true, false);
	expect_modes("cycles/period=7/:k", "cycles", false, true);
	expect_modes("cycles:k/period=7/", "cycles", false, true);
	expect_modes("sched:sched_switch:k", "sched:sched_switch", false, true);
	expect_refused("cycles:pp",
		       "in the event \"cycles:pp\": of modifiers there are u and k, not \"pp\"");
	expect_refused(
		"cycles/period=7/x",
		"in the event \"cycles/period=7/x\": of modifiers there are u and k, not \"x\"");
	expect_refused("cycles:", "in the event \"cycles:\": there is nothing after the colon");
}

/* A word after a colon that is no modifier is a tracepoint's name. */
static void test_tracepoints(void)
{
	expect_modes("sched:sched_switch", "sched:sched_switch", true, true);
	EXPECT_EQ(parse("block:block_rq_issue/"
			"weight=bytes,unit=bytes,nr_sector>=8,rwbs!=0,dev&0x10/"),
		  0);
	EXPECT_STR(words.name, "block:block_rq_issue");
	EXPECT_STR(words.weight, "bytes");
	EXPECT_STR(words.unit, "bytes");
	EXPECT_EQ(words.nr_terms, 3);
	EXPECT_STR(words.terms[0].key, "nr_sector");
	EXPECT_EQ(words.terms[0].op, EVENT_OP_GREATER_EQUAL);
	EXPECT_EQ(words.terms[0].number, 8);
	EXPECT_EQ(words.terms[1].op, EVENT_OP_NOT_EQUAL);
	EXPECT_STR(words.terms[2].key, "dev");
	EXPECT_EQ(words.terms[2].op, EVENT_OP_BITS);
	EXPECT_EQ(words.terms[2].number, 16);
	EXPECT_EQ(parse("syscalls:sys_exit_read/ret<0,ret>-12,period==4/"), 0);
	EXPECT_EQ(words.terms[0].op, EVENT_OP_LESS);
	EXPECT_EQ((int64_t)words.terms[1].number, -12);
	EXPECT(words.terms[1].is_negative && !words.terms[0].is_negative);
	EXPECT_STR(words.terms[2].key, "period"); /* a field of that name */
	expect_refused("sched:sched_switch/prev_comm==\"sh\"/",
		       "in the event \"sched:sched_switch/prev_comm==\"sh\"/\": "
		       "\"prev_comm==\"sh\"\": a field is "
		       "compared with a number of 64 bits");
}

static void test_pmu(void)
{
	EXPECT_EQ(parse("cpu_core/event=0x3c,umask=1,any/k"), 0);
	EXPECT_STR(words.name, "cpu_core");
	EXPECT_EQ(words.nr_terms, 3);
	EXPECT_STR(words.terms[0].key, "event");
	EXPECT_STR(words.terms[0].text, "0x3c");
	EXPECT_EQ(words.terms[0].op, EVENT_OP_SET);
	EXPECT(words.terms[0].is_number);
	EXPECT_EQ(words.terms[0].number, 0x3c);
	EXPECT_STR(words.terms[2].key, "any");
	EXPECT_EQ(words.terms[2].op, EVENT_OP_NONE);
	EXPECT(!words.terms[2].text);
	EXPECT_EQ(parse("p/a=zap,b=010,c=0xffffffffffffffff,d=18446744073709551616/"), 0);
	EXPECT(!words.terms[0].is_number);
	EXPECT_STR(words.terms[0].text, "zap");
	EXPECT_EQ(words.terms[1].number, 10); /* not octal */
	EXPECT_EQ(words.terms[2].number, UINT64_MAX);
	EXPECT(!words.terms[3].is_number);
	EXPECT_EQ(parse("p/a=-9223372036854775808,b=-9223372036854775809/"), 0);
	EXPECT_EQ((int64_t)words.terms[0].number, INT64_MIN);
	EXPECT(!words.terms[1].is_number);
}

static void test_common(void)
{
	EXPECT_EQ(parse("cycles/period=1000003/"), 0);
	EXPECT_EQ(words.period, 1000003);
	EXPECT_EQ(words.nr_terms, 0);
	EXPECT_EQ(parse("cycles/freq=0x63/"), 0);
	EXPECT_EQ(words.freq_hz, 99);
	EXPECT_EQ(parse("a:b/period=0x7fffffffffffffff,weight=len,unit=ns/"), 0);
	EXPECT_EQ(words.period, INT64_MAX);
	EXPECT_STR(words.weight, "len");
	EXPECT_STR(words.unit, "nanoseconds");
	EXPECT_EQ(parse("a:b/unit=us/"), 0);
	EXPECT_STR(words.unit, "microseconds");
	event_words__free(&words);
	EXPECT_EQ(parse("a:b/unit=pages/"), 0);
	EXPECT_STR(words.unit, "pages");
	event_words__free(&words);
	EXPECT_EQ(parse("a:b/unit=ns_2/"), 0);
	EXPECT_STR(words.unit, "ns_2");
}

static void test_common_wrong(void)
{
	expect_refused("a/period/", "in the event \"a/period/\": period has no value: period=N");
	expect_refused("a/unit/",
		       "in the event \"a/unit/\": unit has no value: unit=bytes|ns|NAME");
	expect_refused("a/freq=/", "in the event \"a/freq=/\": the term \"freq=\" has no value");
	expect_refused(
		"a/freq=0/",
		"in the event \"a/freq=0/\": freq is a whole number from 1 to 100000, not \"0\"");
	expect_refused("a/freq=100001/",
		       "in the event \"a/freq=100001/\": freq is a whole number from 1 to "
		       "100000, not \"100001\"");
	expect_refused("a/period=-1/",
		       "in the event \"a/period=-1/\": period is a whole number from 1 to "
		       "9223372036854775807, not \"-1\"");
	expect_refused("a/period=9223372036854775808/",
		       "in the event \"a/period=9223372036854775808/\": period is a whole number "
		       "from 1 to "
		       "9223372036854775807, not \"9223372036854775808\"");
	expect_refused("a/period=1,freq=2/",
		       "in the event \"a/period=1,freq=2/\": period and freq exclude each other");
	expect_refused("a/period=1,period=2/",
		       "in the event \"a/period=1,period=2/\": period is said twice");
	expect_refused("a/weight=x,weight=y/",
		       "in the event \"a/weight=x,weight=y/\": weight is said twice");
	expect_refused("a/weight=x,unit=count/",
		       "in the event \"a/weight=x,unit=count/\": count is no unit of a weight: "
		       "hits are counted anyway");
	expect_refused(
		"a/weight=x,unit=byte/",
		"in the event \"a/weight=x,unit=byte/\": there is no unit byte; near: bytes");
	expect_refused("a/weight=1x/",
		       "in the event \"a/weight=1x/\": weight is a word of letters and digits, "
		       "not \"1x\"");
}

static void test_wrong_shape(void)
{
	expect_refused("", "there is an empty event in the list");
	expect_refused("/a=1/", "in the event \"/a=1/\": there is no name");
	expect_refused(":u", "in the event \":u\": there is no name");
	expect_refused("a/b",
		       "in the event \"a/b\": the slash before the terms is not closed by another");
	expect_refused("a//", "in the event \"a//\": a term is empty");
	expect_refused("a/b=1,/", "in the event \"a/b=1,/\": a term is empty");
	expect_refused("a/=1/", "in the event \"a/=1/\": the term \"=1\" has no name");
	expect_refused("a/b!1/",
		       "in the event \"a/b!1/\": \"b!1\": there are =, ==, !=, <, <=, >, >= and &");
	expect_refused(
		"a/b>x/",
		"in the event \"a/b>x/\": \"b>x\": a field is compared with a number of 64 bits");
	expect_refused("a/a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a/",
		       "in the event \"a/a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a/\": there are more than "
		       "16 terms");
	EXPECT_EQ(parse("a/a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a/"), 0);
}

static void test_hostile(void)
{
	char *item = malloc(EVENT_MAX_BYTES + 2);

	expect_refused("a\033[31m", "there are control characters in an event");
	EXPECT_EQ(event_words__parse(&words, "a\0b", 3, &err), -EINVAL);
	EXPECT_STR(err.text, "there are control characters in an event");
	EXPECT_EQ(parse("\xff\xe2\x80\xae/\xff"), -EINVAL);
	EXPECT(!strchr(err.text, '\xff') && !strstr(err.text, "\xe2\x80\xae"));
	memset(item, 'a', EVENT_MAX_BYTES + 1);
	item[EVENT_MAX_BYTES + 1] = '\0';
	expect_refused(item, "an event has no more than 4096 bytes");
	item[EVENT_MAX_BYTES] = '\0';
	EXPECT_EQ(parse(item), 0);
	memset(item + 1, '/', EVENT_MAX_BYTES - 1);
	EXPECT_EQ(parse(item), -EINVAL);
	free(item);
}

/*
 * A text of any kind gives a sentence, or words that lie within the item; nothing is read beyond
 * its end.
 */
static void test_made_up(void)
{
	static const char letters[] = "ap:ukr/,=!<>&-0x9.\xff";
	size_t i, length, nr_good = 0;
	char *item;
	int round;

	srand(1);
	for (round = 0; round < 200000; round++) {
		length = (size_t)rand() % 24;
		item = malloc(length); /* its end is one that sanitizers see */
		for (i = 0; i < length; i++)
			item[i] = letters[(size_t)rand() % (sizeof(letters) - 1)];
		event_words__free(&words);
		err = (struct error){0};
		if (event_words__parse(&words, item, length, &err)) {
			EXPECT(*err.text && !words.said);
		} else {
			nr_good++;
			EXPECT(*words.name && !memcmp(words.said, item, length));
			EXPECT(words.in_user || words.in_kernel);
			EXPECT(!words.period || !words.freq_hz);
		}
		free(item);
	}
	EXPECT(nr_good > 1000);
}

static void expect_list(const char *list, const char *parts)
{
	char text[256] = "";
	size_t length;

	for (;; list++) {
		length = event_words__item_length(list);
		strncat(text, list, length);
		strcat(text, "|");
		list += length;
		if (!*list)
			break;
	}
	EXPECT_STR(text, parts);
}

static void test_lists(void)
{
	expect_list("cpu", "cpu|");
	expect_list("cpu,page-faults:u", "cpu|page-faults:u|");
	expect_list("cpu/event=1,umask=2/u,a:b/c,d/,e", "cpu/event=1,umask=2/u|a:b/c,d/|e|");
	expect_list("", "|");
	expect_list(",a,", "|a||");
	expect_list("a/b,c", "a/b,c|");
}

/* Slashes of a file's name stand around no terms. */
static void test_probes(void)
{
	expect_list("uprobe:/bin/x:main,cpu", "uprobe:/bin/x:main|cpu|");
	expect_list("uprobe:x:ns::f(int, A<B, char*>)/arg1>1,freq=9/,cpu",
		    "uprobe:x:ns::f(int, A<B, char*>)/arg1>1,freq=9/|cpu|");
	expect_list("uprobe:x:A::operator()(int, int),uprobe:x:operator<<(A, B)/arg1>1/,cpu",
		    "uprobe:x:A::operator()(int, int)|uprobe:x:operator<<(A, B)/arg1>1/|cpu|");
	expect_list("uprobe:x:operator/(A, B)/arg1>1/,uprobe:x:A::operator,(int),cpu",
		    "uprobe:x:operator/(A, B)/arg1>1/|uprobe:x:A::operator,(int)|cpu|");
	expect_list("uprobe:x:an_operator/arg1>1/,cpu", "uprobe:x:an_operator/arg1>1/|cpu|");
	expect_list("uprobe:/a/b/c:f/weight=arg1,unit=bytes/,cpu",
		    "uprobe:/a/b/c:f/weight=arg1,unit=bytes/|cpu|");
	expect_list("kprobe:f/a,b/,c", "kprobe:f/a,b/|c|");
	EXPECT_EQ(parse("uretprobe:/lib/libc.so:malloc/weight=ret/"), 0);
	EXPECT_STR(words.name, "uretprobe:/lib/libc.so:malloc");
	EXPECT_STR(words.weight, "ret");
	EXPECT_EQ(parse("usdt:/bin/x:prov:uk"), 0);
	EXPECT_STR(words.name, "usdt:/bin/x:prov:uk");
	EXPECT_EQ(parse("uprobe:/bin/x"), 0);
	EXPECT_STR(words.name, "uprobe:/bin/x");
}

int main(void)
{
	static const struct test tests[] = {
		{"names", test_names},
		{"modifiers", test_modifiers},
		{"tracepoints", test_tracepoints},
		{"terms of a PMU", test_pmu},
		{"common terms", test_common},
		{"common terms said wrong", test_common_wrong},
		{"no shape of an event", test_wrong_shape},
		{"hostile input", test_hostile},
		{"made-up input", test_made_up},
		{"lists", test_lists},
		{"probes", test_probes},
		{0},
	};

	return run_tests("event_words", tests);
}
