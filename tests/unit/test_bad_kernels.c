// SPDX-License-Identifier: GPL-2.0-only
/*
 * Kernels that are known to be bad: the table is whole, and made-up releases have the fixes that
 * the commits name. The numbers here are those of the commits in the stable trees.
 */
#include "capture/bad_kernels.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "capture/events/event.h"
#include "capture/events/source.h"
#include "capture/host/features.h"
#include "expect.h"

#define DYNAMIC "#1 SMP PREEMPT_DYNAMIC @0"
#define FULL	"#1 SMP PREEMPT @0"
#define RT	"#1 SMP PREEMPT_RT @0"
#define NONE	"#1 SMP @0"
#define UBUNTU	"#45-Ubuntu SMP PREEMPT_DYNAMIC Fri Aug 30 12:02:04 UTC 2024"

static const struct bad_kernel *find(const char *name)
{
	const struct bad_kernel *row;

	for (row = bad_kernels__rows; row->name && strcmp(row->name, name); row++)
		;
	EXPECT(row->name != NULL);
	return row;
}

static char root[] = "/tmp/test_bad_kernels.XXXXXX";

static void put(const char *path, const char *text)
{
	char full[256];
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", root, path);
	file = fopen(full, "w");
	EXPECT(file != NULL);
	if (!file)
		return;
	fprintf(file, "%s\n", text);
	fclose(file);
}

static struct kernel_identity make(const char *release, const char *version, const char *signature,
				   const char *machine)
{
	struct features *features = features__new(root);
	struct kernel_identity kernel;

	put("/proc/sys/kernel/osrelease", release);
	put("/proc/sys/kernel/version", version);
	put("/proc/version_signature", signature);
	kernel = kernel_identity__read(features);
	EXPECT(*kernel.machine);
	strcpy(kernel.machine, machine);
	features__free(features);
	return kernel;
}

static bool has(const char *name, const char *release, const char *version, const char *machine)
{
	const struct kernel_identity kernel = make(release, version, "", machine);

	return bad_kernels__has(&kernel, find(name));
}

static void test_table(void)
{
	const struct bad_kernel *row, *before;
	size_t i;

	for (row = bad_kernels__rows; row->name; row++) {
		EXPECT(row->ranges[0].since != 0 && row->concerns != 0);
		EXPECT(row->happens && row->we && row->mended && row->source);
		for (i = 0; i < BAD_MAX_RANGES && row->ranges[i].since; i++) {
			EXPECT(row->ranges[i].since < row->ranges[i].mended);
			EXPECT(!i || row->ranges[i].since > row->ranges[i - 1].mended);
		}
		for (before = bad_kernels__rows; before < row; before++)
			EXPECT(strcmp(before->name, row->name));
	}
}

static void test_private_stacks(void)
{
	static const char name[] = "private stacks of programs at probes";
	static const char aarch64[] = "private stacks of programs at probes on aarch64";

	EXPECT(!has(name, "6.12.57-cloud-amd64", DYNAMIC, "x86_64"));
	EXPECT(has(name, "6.13.0", FULL, "x86_64"));
	EXPECT(has(name, "6.18.44-x", DYNAMIC, "x86_64"));
	EXPECT(has(name, "7.2.13+deb14-cloud-amd64", RT, "x86_64"));
	EXPECT(!has(name, "6.18.44", NONE, "x86_64"));
	EXPECT(!has(name, "6.18.44", DYNAMIC, "aarch64"));
	EXPECT(!has(aarch64, "6.16.12", FULL, "aarch64"));
	EXPECT(has(aarch64, "6.17.0", FULL, "aarch64"));
	EXPECT(!has(aarch64, "6.17.0", FULL, "x86_64"));
}

static void test_stable_series(void)
{
	static const struct {
		const char *release;
		bool has;
	} releases[] = {{"5.10.262", false},	{"6.1.112", false}, {"6.1.113", true},
			{"6.1.130", true},	{"6.1.131", false}, {"6.1.0-18-amd64", false},
			{"6.6.58-talos", true}, {"6.6.83", false},  {"6.8.0-45-generic", false},
			{"6.10.14", true},	{"6.11.2", false},  {"6.11.11", true},
			{"6.12.18", true},	{"6.12.19", false}, {"6.13.0", false},
			{"linux", false},	{"", false}};
	size_t i;

	for (i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		EXPECT_EQ(has("user stacks beside probes", releases[i].release, NONE, "x86_64"),
			  releases[i].has);
	EXPECT(!has("user stacks beside probes", "6.6.58", NONE, "aarch64"));
}

static void test_reading_users(void)
{
	static const char name[] = "reading users' memory in an interrupt";

	EXPECT(!has(name, "5.15.200", NONE, "x86_64"));
	EXPECT(has(name, "5.19.0", NONE, "aarch64"));
	EXPECT(has(name, "6.1.35", NONE, "x86_64"));
	EXPECT(!has(name, "6.1.36", NONE, "x86_64"));
	EXPECT(has(name, "6.2.16", NONE, "x86_64"));
	EXPECT(!has(name, "6.3.10", NONE, "x86_64"));
	EXPECT(!has(name, "6.4.0", NONE, "x86_64"));
}

static void test_marks(void)
{
	static const char name[] = "fields of system calls";

	EXPECT(has(name, "5.14.0-362.8.1.el9_3.x86_64", DYNAMIC, "x86_64"));
	EXPECT(!has(name, "5.14.0-427.13.1.el9_4.x86_64", DYNAMIC, "x86_64"));
	EXPECT(!has(name, "5.14.0", DYNAMIC, "x86_64"));
}

static bool can_deadlock(const char *release, const char *version, const char *signature)
{
	const struct kernel_identity kernel = make(release, version, signature, "x86_64");

	return bad_kernels__has(&kernel, find("reading users' memory in an interrupt"));
}

/*
 * "6.1.0-18" may be any of 6.1: without a patch level no kernel is said to be bad that may be well.
 */
static void test_patch_levels(void)
{
	EXPECT(can_deadlock("6.1.0-9-amd64", "#1 SMP PREEMPT_DYNAMIC Debian 6.1.27-1 (2023-05-08)",
			    ""));
	EXPECT(!can_deadlock("6.1.0-18-amd64",
			     "#1 SMP PREEMPT_DYNAMIC Debian 6.1.76-1 (2024-02-01)", ""));
	EXPECT(can_deadlock("6.2.0-20-generic", UBUNTU, "Ubuntu 6.2.0-20.20-generic 6.2.6"));
	EXPECT(!can_deadlock("6.3.0-7-generic", UBUNTU, "Ubuntu 6.3.0-7.7-generic 6.3.12"));
	EXPECT(!can_deadlock("6.1.0-18-generic", UBUNTU, ""));
	EXPECT(can_deadlock("6.2.0-20-generic", UBUNTU, ""));
	EXPECT(can_deadlock("6.1.0", NONE, ""));
}

static void test_words(void)
{
	char text[256];

	EXPECT_STR(bad_kernels__describe(find("private stacks of programs at probes"), text,
					 sizeof(text)),
		   "6.13 and later, x86_64, preemptible");
	EXPECT_STR(bad_kernels__describe(find("reading users' memory in an interrupt"), text,
					 sizeof(text)),
		   "5.19 until 6.1.36, 6.2 until 6.3.10");
	EXPECT_STR(bad_kernels__describe(find("fields of system calls"), text, sizeof(text)),
		   "5.14 until 5.15, .el9_3");
}

static unsigned int concern(const struct source *source, const char *name, bool user_stacks)
{
	char said[64];
	struct events events = {.nr = 1};

	strcpy(said, name);
	events.list[0] = (struct event){.source = source, .words.name = said};
	return bad_kernels__concern(&events, user_stacks);
}

static void test_concerns(void)
{
	EXPECT_EQ(concern(&cpu_source, "cpu", true), BAD_FOR_TIMERS | BAD_FOR_USER_STACKS);
	EXPECT_EQ(concern(&cpu_source, "cpu", false), BAD_FOR_TIMERS);
	EXPECT_EQ(concern(&counter_source, "cycles", true), BAD_FOR_USER_STACKS);
	EXPECT_EQ(concern(&probe_source, "uprobe:a:b", true), BAD_FOR_PROBES);
	EXPECT_EQ(concern(&alloc_running_source, "alloc", true), BAD_FOR_PROBES);
	EXPECT_EQ(concern(&tracepoint_source, "syscalls:sys_enter_read", true),
		  BAD_FOR_SYSCALLS | BAD_FOR_USER_STACKS);
	EXPECT_EQ(concern(&tracepoint_source, "sched:sched_switch", true), BAD_FOR_USER_STACKS);
	EXPECT_EQ(concern(&tracepoint_source, "sched:sched_switch", false), 0);
	EXPECT_EQ(concern(&off_cpu_source, "off-cpu", true), 0);
}

static int delete_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

static void make_directories(void)
{
	static const char *const paths[] = {"/proc", "/proc/sys", "/proc/sys/kernel"};
	char full[256];

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++) {
		snprintf(full, sizeof(full), "%s%s", root, paths[i]);
		mkdir(full, 0755);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"the table is whole", test_table},
		{"private stacks", test_private_stacks},
		{"series that were mended", test_stable_series},
		{"reading users' memory", test_reading_users},
		{"marks of distributions", test_marks},
		{"patch levels", test_patch_levels},
		{"words", test_words},
		{"which runs are concerned", test_concerns},
		{0},
	};

	int code;

	if (!mkdtemp(root))
		return 1;
	make_directories();
	code = run_tests("bad_kernels", tests);
	nftw(root, delete_one, 8, FTW_DEPTH | FTW_PHYS);
	return code;
}
