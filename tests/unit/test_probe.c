// SPDX-License-Identifier: GPL-2.0-only
/* A probe's words and its place: in this program, which has the functions below. */
#include "expect.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "capture/events/event_words.h"
#include "capture/events/probe.h"
#include "capture/events/tracepoint.h"
#include "capture/probes/probe_place.h"
#include "readers/readers.h"

static struct uprobe probe;
static struct event_words words;
static struct error err;

static int parse(const char *item)
{
	probe__free(&probe);
	event_words__free(&words);
	err = (struct error){0};
	EXPECT_EQ(event_words__parse(&words, item, strlen(item), &err), 0);
	return probe__parse(&probe, &words, &err);
}

static void test_words(void)
{
	EXPECT(probe__is_meant("uprobe:libc:malloc") && probe__is_meant("kprobe:x"));
	EXPECT(!probe__is_meant("uprobes:x") && !probe__is_meant("sched:sched_switch"));
	EXPECT_EQ(parse("uprobe:/usr/lib/libc.so.6:malloc"), 0);
	EXPECT_STR(probe.file, "/usr/lib/libc.so.6");
	EXPECT_STR(probe.symbol, "malloc");
	EXPECT(!probe.is_of_returns && !probe.has_offset && !probe.arguments);
	EXPECT_EQ(parse("uprobe:./a/b:f+0x10"), 0);
	EXPECT_STR(probe.file, "./a/b");
	EXPECT_STR(probe.symbol, "f");
	EXPECT(probe.has_offset);
	EXPECT_EQ(probe.offset, 16);
	EXPECT_EQ(parse("uprobe:libc:calloc/weight=arg2,arg1>1,unit=bytes/"), 0);
	EXPECT_EQ(probe.arguments, 3);
	EXPECT_EQ(parse("uretprobe:libc:malloc/weight=ret/"), 0);
	EXPECT(probe.is_of_returns);
	EXPECT_EQ(parse("uprobe:./a:ns::A::operator+(ns::A const&) const"), 0);
	EXPECT_STR(probe.symbol, "ns::A::operator+(ns::A const&) const");
	EXPECT(!probe.has_offset);
	EXPECT_EQ(parse("uprobe:./a:f(int, char*)/arg1>1/"), 0);
	EXPECT_STR(probe.symbol, "f(int, char*)");
	EXPECT_EQ(probe.arguments, 1);
}

static void expect_refusal(const char *item, const char *why)
{
	EXPECT(parse(item) < 0);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, why));
	if (!strstr(err.text, why))
		printf("%s: %s\n", item, err.text);
}

static void test_refusals(void)
{
	expect_refusal("uprobe:libc", "FILE:SYMBOL");
	expect_refusal("uprobe::f", "FILE:SYMBOL");
	expect_refusal("uprobe:libc:", "FILE:SYMBOL");
	expect_refusal("uprobe:libc:f+", "a number of bytes, not \"\"");
	expect_refusal("uprobe:libc:f+-1", "a number of bytes, not \"-1\"");
	expect_refusal("uprobe:libc:f+1x", "a number of bytes, not \"1x\"");
	expect_refusal("uprobe:libc:f+99999999999999999999", "a number of bytes");
	expect_refusal("uretprobe:libc:f+4", "takes no +OFFSET");
	expect_refusal("usdt:libc:a:b", "usdt is not offered");
	expect_refusal("kprobe:vfs_read", "kprobe is not offered");
	expect_refusal("kretprobe:vfs_read", "kretprobe is not offered");
}

static void test_fields(void)
{
	struct tracepoint fields;

	EXPECT_EQ(parse("uprobe:libc:f"), 0);
	probe__describe_fields(&probe, &fields);
	EXPECT_EQ(fields.nr_fields, PROBE_ARGUMENTS);
	EXPECT(tracepoint__field(&fields, "arg6") && !tracepoint__field(&fields, "ret"));
#ifdef __x86_64__ /* struct pt_regs, in words */
	EXPECT_EQ(tracepoint__field(&fields, "arg1")->offset, 14 * 8);
	EXPECT_EQ(tracepoint__field(&fields, "arg6")->offset, 8 * 8);
#endif
	tracepoint__free(&fields);
	EXPECT_EQ(parse("uretprobe:libc:f"), 0);
	probe__describe_fields(&probe, &fields);
	EXPECT_EQ(fields.nr_fields, 1);
	EXPECT(tracepoint__field(&fields, "ret") != NULL);
#ifdef __x86_64__
	EXPECT_EQ(tracepoint__field(&fields, "ret")->offset, 10 * 8);
#endif
	tracepoint__free(&fields);
}

/* ---- places ---- */

static struct readers *readers;

/* A function of this file, which is seen from outside. */
uint64_t probe_me_here(uint64_t value);

__attribute__((noipa)) uint64_t probe_me_here(uint64_t value)
{
	return value * 3;
}

/* Functions of other languages: their symbols are these. */
uint64_t overload_of_pointer(uint64_t value) __asm__("_ZN6probed4twinEPc");
uint64_t overload_of_number(uint64_t value) __asm__("_ZN6probed4twinEm");
uint64_t of_rust(uint64_t value) __asm__("_ZN6probed6rustic17h0123456789abcdefE");

__attribute__((noipa)) uint64_t overload_of_pointer(uint64_t value)
{
	return value * 5;
}

__attribute__((noipa)) uint64_t overload_of_number(uint64_t value)
{
	return value * 7;
}

__attribute__((noipa)) uint64_t of_rust(uint64_t value)
{
	return value * 9;
}

static int find(const char *item, struct probe_place *place)
{
	int file;

	EXPECT_EQ(parse(item), 0);
	file = probe_place__open_file(&probe, NULL, 0, &err);
	return file < 0 ? file : probe_place__find(place, &probe, file, readers, &err);
}

static void expect_unplaced(const char *item, int code, const char *why)
{
	struct probe_place place = {.file = -1};

	EXPECT_EQ(find(item, &place), code);
	EXPECT(strstr(err.text, why));
	if (!strstr(err.text, why))
		printf("%s: %s\n", item, err.text);
	if (place.file >= 0)
		close(place.file);
}

static void test_places(void)
{
	const uint8_t *code = (const uint8_t *)probe_me_here;
	struct probe_place place;
	uint8_t there[sizeof(place.code)] = {0};

	EXPECT_EQ(find("uprobe:/proc/self/exe:probe_me_here", &place), 0);
	EXPECT(place.of_function.offset <= PLACEMENT_MAX_BYTES);
	EXPECT(pread(place.file, there, sizeof(there), (off_t)place.offset) > 0);
	EXPECT(!memcmp(there, code + place.of_function.offset, place.of_function.length));
	EXPECT(!memcmp(there, place.code, place.of_function.length));
	close(place.file);
	expect_unplaced("uprobe:/proc/self/exe:probe_me_her", -ENOENT,
			"has no function \"probe_me_her\"; near: probe_me_here");
	expect_unplaced("uprobe:/proc/self/exe:probe_me_here+4096", -EINVAL, "no instruction of");
	expect_unplaced("uprobe:/proc/self/exe:qqqqqqqqqqqqqqqqqqqqqqqqqqqq", -ENOENT,
			"has no function");
	expect_unplaced("uprobe:/proc/self/maps:f", -ENOEXEC, "cannot read the functions");
	expect_unplaced("uprobe:/nowhere/at/all:f", -ENOENT, "cannot open");
	expect_unplaced("uprobe:/dev/null:f", -EINVAL, "cannot open");
	expect_unplaced("uprobe:libc:malloc", -EINVAL, "give its path instead, or -p");
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	probe__free(&probe);
	event_words__free(&words);
}

static void expect_place(const char *item, uint64_t (*function)(uint64_t value))
{
	const uint8_t *code = (const uint8_t *)function;
	struct probe_place place;
	const int failed = find(item, &place);

	EXPECT_EQ(failed, 0);
	if (failed) {
		printf("%s: %s\n", item, err.text);
		return;
	}
	EXPECT(!memcmp(place.code, code + place.of_function.offset,
		       place.function_bytes - place.of_function.offset));
	close(place.file);
}

/* Names are understood as they are shown; if a name is that of several functions, all are told. */
static void test_shown_names(void)
{
	expect_place("uprobe:/proc/self/exe:probed::twin(char*)", overload_of_pointer);
	expect_place("uprobe:/proc/self/exe:probed::twin(unsigned long)", overload_of_number);
	expect_place("uprobe:/proc/self/exe:_ZN6probed4twinEm", overload_of_number);
	expect_place("uprobe:/proc/self/exe:probed::rustic", of_rust);
	expect_unplaced("uprobe:/proc/self/exe:probed::twin", -EEXIST,
			"has several functions \"probed::twin\"");
	EXPECT(strstr(err.text, "probed::twin(char*)") &&
	       strstr(err.text, "probed::twin(unsigned long)"));
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	expect_unplaced("uprobe:/proc/self/exe:probed::rustik", -ENOENT, "; near: probed::rustic");
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	probe__free(&probe);
	event_words__free(&words);
}

int main(void)
{
	static const struct test tests[] = {
		{"probes taken apart", test_words},
		{"what is no probe", test_refusals},
		{"numbers at hand", test_fields},
		{"places in files", test_places},
		{"names as they are shown", test_shown_names},
		{0},
	};
	int failed;

	if (readers__start(&readers, jobs__find))
		return 1;
	failed = run_tests("probe", tests);
	readers__stop(readers);
	return failed;
}
