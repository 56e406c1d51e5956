// SPDX-License-Identifier: GPL-2.0-only
/*
 * perf_event_open() is given these attributes, on machines whose /sys/bus/event_source/devices was
 * written down: an Intel processor with two kinds of cores, an AMD and an ARM one. Expected numbers
 * are worked out by hand from the files, or are those that perf opens for the same words.
 */
#include "expect.h"
#include "scratch.h"

#include <errno.h>

#include "capture/events/event_words.h"
#include "capture/events/perf_attr.h"
#include "capture/events/perf_names.h"
#include "capture/events/pmu.h"
#include "capture/events/suggestions.h"

static struct perf_event_attr attr;
static struct error err;
static char name[256];

static const struct {
	const char *path, *text;
} files[] = {
	{"intel/cpu_core/type", "4\n"},
	{"intel/cpu_core/format/event", "config:0-7\n"},
	{"intel/cpu_core/format/umask", "config:8-15\n"},
	{"intel/cpu_core/format/edge", "config:18\n"},
	{"intel/cpu_core/format/inv", "config:23\n"},
	{"intel/cpu_core/format/cmask", "config:24-31\n"},
	{"intel/cpu_core/format/ldlat", "config1:0-15\n"},
	{"intel/cpu_core/format/offcore_rsp", "config1:0-63\n"},
	{"intel/cpu_core/events/cpu-cycles", "event=0x3c\n"},
	{"intel/cpu_core/events/mem-loads", "event=0xcd,umask=0x1,ldlat=3\n"},
	{"intel/cpu_core/events/topdown-be-bound", "event=0x00,umask=0x83\n"},
	{"intel/cpu_atom/type", "10\n"},
	{"intel/cpu_atom/format/event", "config:0-7\n"},
	{"intel/cpu_atom/format/umask", "config:8-15\n"},
	{"intel/cpu_atom/events/mem-loads", "event=0xd0,umask=0x5\n"},
	{"intel/power/type", "21\n"},
	{"intel/power/format/event", "config:0-7\n"},
	{"intel/power/events/energy-pkg", "event=0x02\n"},
	{"intel/power/events/energy-pkg.scale", "2.3283064365386962890625e-10\n"},
	{"intel/power/events/energy-pkg.unit", "Joules\n"},
	{"amd/cpu/type", "4\n"},
	{"amd/cpu/format/event", "config:0-7,32-35\n"},
	{"amd/cpu/format/umask", "config:8-15\n"},
	{"amd/cpu/events/cpu-cycles", "event=0x76\n"},
	{"amd/software/type", "1\n"},
	{"amd/uprobe/type", "8\n"},
	{"arm/armv8_pmuv3_0/type", "8\n"},
	{"arm/armv8_pmuv3_0/format/event", "config:0-15\n"},
	{"arm/armv8_pmuv3_0/format/long", "config1:0\n"},
	{"arm/armv8_pmuv3_0/events/l1d_cache_refill", "event=0x0003\n"},
	{"bad/type", "4\n"}, /* no directory of PMUs */
	{"bad/x/type", "5000000000\n"},
	{"bad/y/type", "-1\n"},
	{"bad/z/type", "12\n"},
	{"bad/z/format/a", "config:0-64\n"},
	{"bad/z/format/b", "config:7-0\n"},
	{"bad/z/format/c", "config9:0\n"},
	{"bad/z/format/d", "config:\n"},
	{"bad/z/format/e", "config:0,\n"},
	{"bad/z/format/f", ""},
	{"bad/z/format/good", "config2:63\n"},
	{"bad/z/format/pair", "config:60-63,0\n"},
	{"bad/z/events/open", "good=?\n"},
	{"bad/z/events/itself", "itself\n"},
	{"bad/z/events/empty", "\n"},
	{"bad/z/events/slashes", "good=1/../\n"},
};

static void write_files(void)
{
	size_t i;

	scratch_create();
	for (i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		scratch_run("mkdir -p \"$(dirname %s)\"", files[i].path);
		scratch_write(files[i].path, files[i].text);
	}
	scratch_run("mkdir bad/z/format/folder");
	scratch_run("head -c 5000 /dev/zero | tr '\\0' 7 > bad/z/format/long");
}

static int fill(const char *machine, const char *item)
{
	struct event_words words;
	char *text = NULL;
	int code;

	err = (struct error){0};
	EXPECT_EQ(event_words__parse(&words, item, strlen(item), &err), 0);
	code = perf_attr__fill(&attr, &words, scratch_path(machine), &text, &err);
	EXPECT_EQ(!!text, code > 0);
	snprintf(name, sizeof(name), "%s", text ? text : "");
	free(text);
	event_words__free(&words);
	return code;
}

static void expect_attr(const char *machine, const char *item, uint32_t type, uint64_t config,
			uint64_t config1)
{
	EXPECT_EQ(fill(machine, item), 1);
	EXPECT_STR(err.text, "");
	EXPECT_EQ(attr.type, type);
	EXPECT_EQ(attr.config, config);
	EXPECT_EQ(attr.config1, config1);
	EXPECT_EQ(attr.config2, 0);
	EXPECT_EQ(attr.size, sizeof(attr));
}

static void expect_refused(const char *machine, const char *item, const char *sentence)
{
	EXPECT(fill(machine, item) < 0);
	EXPECT_STR(err.text, sentence);
}

static void test_generic(void)
{
	expect_attr("amd", "cycles", PERF_TYPE_HARDWARE, 0, 0);
	expect_attr("amd", "cpu-cycles", PERF_TYPE_HARDWARE, 0, 0);
	EXPECT_STR(name, "cycles");
	expect_attr("amd", "instructions", PERF_TYPE_HARDWARE, 1, 0);
	expect_attr("amd", "cache-references", PERF_TYPE_HARDWARE, 2, 0);
	expect_attr("amd", "cache-misses", PERF_TYPE_HARDWARE, 3, 0);
	expect_attr("amd", "branch-instructions", PERF_TYPE_HARDWARE, 4, 0);
	EXPECT_STR(name, "branches");
	expect_attr("amd", "branch-misses", PERF_TYPE_HARDWARE, 5, 0);
	expect_attr("amd", "bus-cycles", PERF_TYPE_HARDWARE, 6, 0);
	expect_attr("amd", "stalled-cycles-frontend", PERF_TYPE_HARDWARE, 7, 0);
	expect_attr("amd", "idle-cycles-backend", PERF_TYPE_HARDWARE, 8, 0);
	expect_attr("amd", "ref-cycles", PERF_TYPE_HARDWARE, 9, 0);
	expect_attr("amd", "faults", PERF_TYPE_SOFTWARE, 2, 0);
	EXPECT_STR(name, "page-faults");
	expect_attr("amd", "cs", PERF_TYPE_SOFTWARE, 3, 0);
	EXPECT_STR(name, "context-switches");
	expect_attr("amd", "migrations", PERF_TYPE_SOFTWARE, 4, 0);
	expect_attr("amd", "minor-faults", PERF_TYPE_SOFTWARE, 5, 0);
	expect_attr("amd", "major-faults", PERF_TYPE_SOFTWARE, 6, 0);
	expect_attr("amd", "alignment-faults", PERF_TYPE_SOFTWARE, 7, 0);
	expect_attr("amd", "emulation-faults", PERF_TYPE_SOFTWARE, 8, 0);
}

/* cache | operation << 8 | result << 16 */
static void test_caches(void)
{
	expect_attr("amd", "L1-dcache-loads", PERF_TYPE_HW_CACHE, 0, 0);
	expect_attr("amd", "L1-dcache-load-misses", PERF_TYPE_HW_CACHE, 0x10000, 0);
	EXPECT_STR(name, "L1-dcache-load-misses");
	expect_attr("amd", "L1-icache-load-misses", PERF_TYPE_HW_CACHE, 0x10001, 0);
	expect_attr("amd", "LLC-loads", PERF_TYPE_HW_CACHE, 2, 0);
	expect_attr("amd", "LLC-store-misses", PERF_TYPE_HW_CACHE, 0x10102, 0);
	expect_attr("amd", "dTLB-stores", PERF_TYPE_HW_CACHE, 0x103, 0);
	expect_attr("amd", "iTLB-load-misses", PERF_TYPE_HW_CACHE, 0x10004, 0);
	expect_attr("amd", "branch-loads", PERF_TYPE_HW_CACHE, 5, 0);
	expect_attr("amd", "node-prefetch-misses", PERF_TYPE_HW_CACHE, 0x10206, 0);
	EXPECT_EQ(fill("amd", "iTLB-stores"), 0);
}

static void test_pmus(void)
{
	expect_attr("intel", "cpu_core/event=0x3c,umask=1/", 4, 0x13c, 0);
	EXPECT_STR(name, "cpu_core/event=0x3c,umask=1/");
	expect_attr("intel", "cpu_core/cpu-cycles/", 4, 0x3c, 0);
	expect_attr("intel", "cpu_core/event=0xc2,cmask=2,inv,edge/", 4, 0x28400c2, 0);
	expect_attr("intel", "cpu_core/mem-loads/", 4, 0x1cd, 3);
	expect_attr("intel", "cpu_core/topdown-be-bound/", 4, 0x8300, 0);
	expect_attr("intel", "cpu_core/event=0xb7,umask=1,offcore_rsp=0xffffffffffffffff/", 4,
		    0x1b7, UINT64_MAX);
	expect_attr("intel", "cpu_atom/mem-loads/", 10, 0x5d0, 0);
	expect_attr("intel", "power/energy-pkg/", 21, 2, 0);
	expect_attr("amd", "cpu/event=0x1d4,umask=0xff/", 4, 0x10000ffd4, 0);
	expect_attr("amd", "cpu/config=0x76,config1=7/", 4, 0x76, 7);
	expect_attr("arm", "armv8_pmuv3_0/l1d_cache_refill,long/", 8, 3, 1);
	EXPECT_EQ(fill("bad", "z/good/"), 1);
	EXPECT_EQ(attr.config2, 1ULL << 63);
	expect_attr("bad", "z/pair=3/", 12, 1ULL << 60 | 1, 0);
}

static void test_raw(void)
{
	expect_attr("amd", "r01c2", 4, 0x1c2, 0);
	EXPECT_STR(name, "r01c2");
	expect_attr("arm", "r11", PERF_TYPE_RAW, 0x11, 0);
	expect_attr("amd", "rFFFFFFFFFFFFFFFF:k", 4, UINT64_MAX, 0);
	EXPECT_EQ(fill("amd", "r10000000000000000"), 0);
	EXPECT_EQ(fill("amd", "r"), 0);
	EXPECT_EQ(fill("amd", "r0x12"), 0);
}

/* The modes are those that "perf stat -vv" of perf 6.1 leaves out. */
static void expect_modes(const char *item, bool user, bool kernel, bool hypervisor, bool guest,
			 const char *told)
{
	EXPECT_EQ(fill("amd", item), 1);
	EXPECT_EQ(attr.exclude_user, user);
	EXPECT_EQ(attr.exclude_kernel, kernel);
	EXPECT_EQ(attr.exclude_hv, hypervisor);
	EXPECT_EQ(attr.exclude_guest, guest);
	EXPECT_STR(name, told);
}

static void test_modes(void)
{
	expect_modes("faults", false, false, false, true, "page-faults");
	expect_modes("faults:u", false, true, true, true, "page-faults:u");
	expect_modes("faults:k", true, false, true, false, "page-faults:k");
	expect_modes("cpu/event=0x76,period=9/u", false, true, true, true, "cpu/event=0x76/u");
	expect_modes("cycles/freq=9/k", true, false, true, false, "cycles:k");
}

static void expect_rate(const char *item, bool is_frequency, uint64_t number)
{
	EXPECT_EQ(fill("amd", item), 1);
	EXPECT_EQ(attr.freq, is_frequency);
	EXPECT_EQ(attr.sample_period, number); /* the same field */
}

static void test_rates(void)
{
	expect_rate("page-faults", false, 1);
	expect_rate("page-faults/period=100/", false, 100);
	expect_rate("cycles/freq=100/", true, 100);
	expect_rate("cycles", true, 0);
	expect_rate("cycles/period=1000003/", false, 1000003);
	expect_rate("cpu/event=1/", true, 0);
	expect_rate("cpu/event=1,period=5/", false, 5);
	expect_rate("r1", true, 0);
}

static void test_none(void)
{
	EXPECT_EQ(fill("amd", "sched:sched_switch"), 0);
	EXPECT_EQ(fill("amd", "sched:sched_switch/prev_prio=5/"), 0);
	EXPECT_EQ(fill("amd", "uprobe:/bin/x:main"), 0);
	EXPECT_EQ(fill("amd", "dummy"), 0);
	EXPECT_EQ(fill("amd", "cpu"), 0);
}

static void test_refused(void)
{
	expect_refused("amd", "cpu/evnt=1/", "the PMU cpu has no term \"evnt\"; near: event");
	expect_refused("amd", "cpu/cpu-cycle/",
		       "the PMU cpu has no event \"cpu-cycle\"; near: cpu-cycles");
	expect_refused("amd", "cpu_core/event=1/",
		       "this machine has no PMU \"cpu_core\"; near: cpu");
	expect_refused("amd", "page-faults/event=1/", "\"page-faults\" takes no term \"event\"");
	expect_refused("amd", "cpu/umask=0x100/",
		       "umask of cpu is a number of 8 bits, which \"0x100\" is not");
	expect_refused("amd", "cpu/umask=-1/", "umask of cpu is a number, not \"-1\"");
	expect_refused("amd", "cpu/umask==1/",
		       "only fields of tracepoints are compared, not \"umask\" of the PMU cpu");
	expect_refused("amd", "software/config=2/",
		       "events of \"software\" are not said as those of a PMU: docs/events.md");
	expect_refused("amd", "uprobe/config=2/",
		       "events of \"uprobe\" are not said as those of a PMU: docs/events.md");
	expect_refused("amd", "page-faults/freq=100/",
		       "\"page-faults\" takes no freq=, with which the kernel tells wrong how many "
		       "passed; period=N samples one in N");
	expect_refused(
		"amd", "context-switches:u",
		"\"context-switches\" happens in the kernel alone: of user mode there are no "
		"samples");
	expect_refused(
		"amd", "migrations/period=5/u",
		"\"migrations\" happens in the kernel alone: of user mode there are no samples");
	expect_attr("amd", "context-switches:k", PERF_TYPE_SOFTWARE, 3, 0);
	expect_attr("amd", "context-switches:uk", PERF_TYPE_SOFTWARE, 3, 0);
	expect_refused("amd", "page-faults:z",
		       "\"page-faults\" takes no modifier \"z\", but u and k");
	expect_refused("amd", "cpu:q", "\"cpu\" takes no modifier \"q\"; use -U and -K");
	expect_refused("amd", "task-clock",
		       "\"task-clock\" of all that runs on a CPU is CPU time: -e cpu");
	expect_refused(
		"amd", "page-faults/weight=x/",
		"\"page-faults\" weighs how often it happened: weight and unit are for tracepoints "
		"and probes");
	expect_refused("intel", "power/energy-pkg.unit/",
		       "the PMU power has no event \"energy-pkg.unit\"; "
		       "near: energy-pkg");
}

static void test_hostile(void)
{
	const char *const senseless[] = {"a=1", "b=1", "c=1",	 "d=1",
					 "e=1", "f=1", "long=1", "slashes"};
	char item[64], sentence[128];
	size_t i;

	for (i = 0; i < sizeof(senseless) / sizeof(senseless[0]); i++) {
		snprintf(item, sizeof(item), "z/%s/", senseless[i]);
		snprintf(sentence, sizeof(sentence),
			 "what the kernel says of \"%.*s\" of the PMU z makes no sense here",
			 (int)strcspn(senseless[i], "="), senseless[i]);
		expect_refused("bad", item, sentence);
	}
	expect_refused("bad", "z/empty/",
		       "what the kernel says of \"empty\" of the PMU z makes no sense here");
	expect_refused("bad", "z/open/", "good of z is a number, not \"?\"");
	expect_refused("bad", "z/itself/",
		       "what the kernel says of \"itself\" of the PMU z makes no sense here");
	expect_refused("bad", "z/folder=1/", "the PMU z has no term \"folder\"; near: d, e, f");
	expect_refused("bad", "z/..=1/", "the PMU z has no term \"..\"");
	expect_refused("bad", "x/a/", "what the kernel says of the PMU \"x\" makes no sense here");
	expect_refused("bad", "y/a/", "what the kernel says of the PMU \"y\" makes no sense here");
	expect_refused("bad", "../a/", "this machine has no PMU \"..\"");
	expect_refused("nowhere", "cpu/a/", "this machine has no PMU \"cpu\"");
}

/* Each name that is told is one that is found. */
static void test_all_names(void)
{
	char text[PERF_NAME_SIZE];
	struct perf_name found;
	size_t n, nr_cached = 0;

	for (n = 0; perf_names__get(n, text); n++) {
		EXPECT(perf_names__find(text, &found));
		nr_cached += found.type == PERF_TYPE_HW_CACHE;
	}
	EXPECT_EQ(nr_cached, 2 * (4 * 3 + 2 + 1 + 1));
	EXPECT(!perf_names__find("", &found));
	EXPECT(!perf_names__find("cpu-clock", &found));
}

int main(void)
{
	static const struct test tests[] = {
		{"generic names", test_generic},
		{"names of caches", test_caches},
		{"PMUs", test_pmus},
		{"raw events", test_raw},
		{"user and kernel mode", test_modes},
		{"how often", test_rates},
		{"no perf events", test_none},
		{"words that are refused", test_refused},
		{"files that make no sense", test_hostile},
		{"all names", test_all_names},
		{0},
	};

	write_files();
	return run_tests("perf_attr", tests);
}
