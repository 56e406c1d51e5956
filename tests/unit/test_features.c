// SPDX-License-Identifier: GPL-2.0-only
/*
 * Features: the table is whole, probes of files read a made-up /proc and /sys below a directory of
 * the test's own, and errors are explained by the features found there. Probes that are system
 * calls ask the real kernel, whose answer depends on the test's user: they only must not fail.
 */
#include "capture/host/features.h"
#include "capture/host/load_report.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "expect.h"

#define SETCAP                                                                        \
	"run as root, or: sudo setcap cap_bpf,cap_perfmon,cap_syslog,cap_sys_ptrace," \
	"cap_dac_read_search,cap_checkpoint_restore+ep "

#define MISSING "cannot act: CAP_BPF and CAP_PERFMON are missing; "

static char root[] = "/tmp/test_features.XXXXXX";

/* Makes the file and the directories above it. */
static void put(const char *path, const char *text)
{
	char full[512], *slash;
	FILE *file;

	snprintf(full, sizeof(full), "%s%s", root, path);
	for (slash = strchr(full + strlen(root) + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		mkdir(full, 0755);
		*slash = '/';
	}
	file = fopen(full, "w");
	EXPECT(file != NULL);
	if (!file)
		return;
	fputs(text, file);
	fclose(file);
}

static void take_away(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s%s", root, path);
	EXPECT_EQ(unlink(full), 0);
}

static void put_status(const char *capabilities, int seccomp)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "Name:\ttopstacks\nCapInh:\tffffffffffffffff\nCapPrm:\t%s\n"
		 "CapEff:\t0000000000000000\nCapBnd:\tffffffffffffffff\nSeccomp:\t%d\n",
		 capabilities, seccomp);
	put("/proc/self/status", text);
}

static void link_program(const char *path)
{
	char full[512];

	snprintf(full, sizeof(full), "%s/proc/self/exe", root);
	unlink(full);
	EXPECT_EQ(symlink(path, full), 0);
}

/* A machine where nothing is amiss: Debian 12, root. */
static void put_all(void)
{
	put("/proc/sys/kernel/osrelease", "6.1.0-18-amd64\n");
	put("/proc/sys/kernel/perf_event_paranoid", "3\n");
	put("/proc/sys/kernel/perf_event_max_sample_rate", "100000\n");
	put("/proc/sys/kernel/perf_cpu_time_max_percent", "25\n");
	put("/proc/sys/kernel/perf_event_max_stack", "127\n");
	put("/proc/sys/kernel/kptr_restrict", "1\n");
	put("/proc/sys/kernel/unprivileged_bpf_disabled", "2\n");
	put("/proc/self/uid_map", "         0          0 4294967295\n");
	put("/sys/kernel/btf/vmlinux", "\x9f\xeb\x01");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	put_status("000001ffffffffff", 0);
	link_program("/usr/bin/topstacks");
}

static struct feature_answer ask(enum feature_id id)
{
	struct features *features = features__new(root);
	struct feature_answer answer = *features__answer(features, id);

	features__free(features);
	return answer;
}

static enum feature_state ask_with(enum feature_id id, const char *path, const char *text)
{
	put(path, text);
	return ask(id).state;
}

static void expect_explained(int code, enum exit_code exit_code, const char *sentence)
{
	struct features *features = features__new(root);
	struct error err = {0};

	EXPECT_EQ(features__explain(features, &err, code, "act"), code);
	EXPECT_EQ(err.code, code);
	EXPECT_EQ(err.exit_code, exit_code);
	EXPECT_STR(err.text, sentence);
	features__free(features);
}

static void test_table(void)
{
	const struct feature *rows = features__rows;
	size_t i, j;

	for (i = 0; i < FEATURES; i++) {
		EXPECT(rows[i].name && *rows[i].name && rows[i].probe);
		EXPECT(!i || rows[i].group >= rows[i - 1].group);
		EXPECT(rows[i].group < GROUPS && rows[i].need <= NEED_NONE);
		EXPECT(rows[i].need == NEED_NONE || (rows[i].without && *rows[i].without));
		EXPECT(rows[i].need != NEED_REQUIRED || rows[i].remedy);
		EXPECT(!rows[i].remedy || *rows[i].remedy);
		EXPECT(rows[i].group != GROUP_ABILITIES || rows[i].need == NEED_REQUIRED ||
		       rows[i].ability);
		EXPECT(!rows[i].instead || rows[i].ability);
		for (j = 0; j < i; j++)
			EXPECT(strcmp(rows[i].name, rows[j].name));
	}
}

/* Each probe has an answer for every user, and no remedy where nothing is wrong. */
static void test_real_system(void)
{
	struct features *features = features__new("");
	size_t i;

	for (i = 0; i < FEATURES; i++) {
		const struct feature_answer *answer =
			features__answer(features, (enum feature_id)i);

		EXPECT(answer->state <= FEATURE_UNKNOWN);
		EXPECT(*feature_state__name(answer->state));
		EXPECT(answer->state != FEATURE_OK || !answer->remedy);
	}
	EXPECT_EQ(features__answer(features, FEATURE_VERSION)->state, FEATURE_OK);
	features__free(features);
	features__free(NULL);
}

static void expect_missed_hits(const char *release, enum feature_state state)
{
	struct features *features;

	put_all();
	put("/proc/sys/kernel/osrelease", release);
	features = features__new(root);
	EXPECT_EQ(features__answer(features, FEATURE_MISSED_HITS)->state, state);
	features__free(features);
}

static void test_since(void)
{
	expect_missed_hits("6.6.99-1-amd64\n", FEATURE_MISSING);
	expect_missed_hits("6.7.0\n", FEATURE_OK);
	expect_missed_hits("7.0.1\n", FEATURE_OK);
}

static void test_asked_once(void)
{
	struct features *features;

	put_all();
	features = features__new(root);
	EXPECT_EQ(features__answer(features, FEATURE_KPTR_RESTRICT)->state, FEATURE_OK);
	put("/proc/sys/kernel/kptr_restrict", "2\n");
	EXPECT_EQ(features__answer(features, FEATURE_KPTR_RESTRICT)->state, FEATURE_OK);
	features__free(features);
	EXPECT_EQ(ask(FEATURE_KPTR_RESTRICT).state, FEATURE_LIMITED);
	EXPECT_STR(ask(FEATURE_KPTR_RESTRICT).detail, "2");
	EXPECT_STR(ask(FEATURE_KPTR_RESTRICT).remedy, "sudo sysctl kernel.kptr_restrict=1");
}

static void test_versions(void)
{
	static const struct {
		const char *release;
		enum feature_state state;
	} releases[] = {{"5.10.0-30-cloud-amd64\n", FEATURE_OK},
			{"5.9.16\n", FEATURE_MISSING},
			{"4.19.0-26-amd64\n", FEATURE_MISSING},
			{"6.1\n", FEATURE_OK},
			{"10.0.0\n", FEATURE_OK},
			{"5.100.1\n", FEATURE_OK},
			{"linux\n", FEATURE_MISSING},
			{"", FEATURE_MISSING}};
	size_t i;

	put_all();
	for (i = 0; i < sizeof(releases) / sizeof(*releases); i++)
		EXPECT_EQ(ask_with(FEATURE_VERSION, "/proc/sys/kernel/osrelease",
				   releases[i].release),
			  releases[i].state);
	put("/proc/sys/kernel/osrelease", "5.4.0-26-generic\n");
	EXPECT_STR(ask(FEATURE_VERSION).detail, "5.4.0-26-generic");
}

static void test_btf(void)
{
	put_all();
	EXPECT_EQ(ask(FEATURE_BTF).state, FEATURE_OK);
	take_away("/sys/kernel/btf/vmlinux");
	EXPECT_EQ(ask(FEATURE_BTF).state, FEATURE_MISSING);
	EXPECT_STR(ask(FEATURE_BTF).detail, "there is no /sys/kernel/btf/vmlinux");
}

static void test_lockdown(void)
{
	const char *path = "/sys/kernel/security/lockdown";

	put_all();
	EXPECT_EQ(ask(FEATURE_LOCKDOWN).state, FEATURE_OK);
	EXPECT_EQ(ask_with(FEATURE_LOCKDOWN, path, "none [integrity] confidentiality\n"),
		  FEATURE_OK);
	EXPECT_EQ(ask_with(FEATURE_LOCKDOWN, path, "none integrity [confidentiality]\n"),
		  FEATURE_MISSING);
	/* Without the file programs tell, if they may. */
	take_away(path);
	EXPECT(ask(FEATURE_LOCKDOWN).state != FEATURE_MISSING);
	EXPECT(!strncmp(ask(FEATURE_LOCKDOWN).detail, "securityfs is not mounted", 25));
	put("/sys/kernel/security/lsm", "capability\n");
	EXPECT_EQ(ask(FEATURE_LOCKDOWN).state, FEATURE_OK);
	EXPECT_STR(ask(FEATURE_LOCKDOWN).detail, "not in this kernel");
	take_away("/sys/kernel/security/lsm");
}

/* Bit numbers of capabilities(7). */
static void test_capabilities(void)
{
	static const enum feature_id ids[] = {
		FEATURE_CAP_BPF,	FEATURE_CAP_PERFMON,	     FEATURE_CAP_SYSLOG,
		FEATURE_CAP_SYS_PTRACE, FEATURE_CAP_DAC_READ_SEARCH, FEATURE_CAP_CHECKPOINT_RESTORE,
	};
	static const struct {
		const char *effective;
		const char *held; /* one letter an id */
	} cases[] = {
		{"000001ffffffffff", "yyyyyy"}, {"0000000000000000", "nnnnnn"},
		{"0000008000000000", "ynnnnn"}, {"0000004000000000", "nynnnn"},
		{"0000000400000000", "nnynnn"}, {"0000000000080000", "nnnynn"},
		{"0000000000000004", "nnnnyn"}, {"0000010000000000", "nnnnny"},
		{"0000000000200000", "yynnny"}, /* CAP_SYS_ADMIN stands in for some */
		{"fffffe3bffd7fffb", "nnnnnn"}, /* all but those */
	};
	size_t i, j;

	put_all();
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		put_status(cases[i].effective, 0);
		for (j = 0; j < sizeof(ids) / sizeof(*ids); j++)
			EXPECT_EQ(ask(ids[j]).state,
				  cases[i].held[j] == 'y' ? FEATURE_OK : FEATURE_MISSING);
	}
	put("/proc/self/status", "Name:\tx\n");
	EXPECT_EQ(ask(FEATURE_CAP_BPF).state, FEATURE_UNKNOWN);
	put_all();
	EXPECT_EQ(ask_with(FEATURE_CAP_BPF, "/proc/self/uid_map", "0 1000 1\n"), FEATURE_MISSING);
	EXPECT_STR(ask(FEATURE_CAP_BPF).remedy,
		   "run as root outside of this container or user namespace");
}

static void test_sysctls(void)
{
	put_all();
	EXPECT_EQ(ask(FEATURE_PARANOID).state, FEATURE_OK);
	EXPECT_STR(ask(FEATURE_PARANOID).detail, "3");
	EXPECT_EQ(ask(FEATURE_UNPRIVILEGED_BPF).state, FEATURE_OK);
	EXPECT_EQ(ask(FEATURE_CPU_TIME_PERCENT).state, FEATURE_OK);
	EXPECT_EQ(ask_with(FEATURE_MAX_STACK, "/proc/sys/kernel/perf_event_max_stack", "126\n"),
		  FEATURE_LIMITED);
	EXPECT_EQ(ask_with(FEATURE_MAX_STACK, "/proc/sys/kernel/perf_event_max_stack", "1024\n"),
		  FEATURE_OK);
	EXPECT_EQ(ask_with(FEATURE_MAX_SAMPLE_RATE, "/proc/sys/kernel/perf_event_max_sample_rate",
			   "250\n"),
		  FEATURE_LIMITED);
	EXPECT_EQ(ask_with(FEATURE_KPTR_RESTRICT, "/proc/sys/kernel/kptr_restrict", "0\n"),
		  FEATURE_OK);
	take_away("/proc/sys/kernel/kptr_restrict");
	EXPECT_EQ(ask(FEATURE_KPTR_RESTRICT).state, FEATURE_UNKNOWN);
	put_status("0000000000000000", 0);
	EXPECT_EQ(ask(FEATURE_PARANOID).state, FEATURE_LIMITED);
	EXPECT_EQ(ask(FEATURE_UNPRIVILEGED_BPF).state, FEATURE_LIMITED);
}

/* The program is named if a shell takes its path as it is, and a reader too. */
static void test_program(void)
{
	static const char *const paths[] = {"/opt/top stacks", "/opt/$(reboot)", "/opt/\x1b[2J",
					    "/usr/bin/topstacks (deleted)"};
	char longer[256] = "/";

	put_all();
	put_status("0000000000000000", 0);
	for (size_t i = 0; i < sizeof(paths) / sizeof(*paths); i++) {
		link_program(paths[i]);
		expect_explained(-EPERM, EXIT_SYSTEM, MISSING SETCAP "./topstacks");
	}
	memset(longer + 1, 'x', sizeof(longer) - 2);
	link_program(longer);
	expect_explained(-EPERM, EXIT_SYSTEM, MISSING SETCAP "./topstacks");
}

static void test_explain_capabilities(void)
{
	put_all();
	put_status("0000000000000000", 0);
	expect_explained(-EPERM, EXIT_SYSTEM, MISSING SETCAP "/usr/bin/topstacks");
	expect_explained(-EACCES, EXIT_SYSTEM, MISSING SETCAP "/usr/bin/topstacks");
	put_status("0000008000000000", 0);
	expect_explained(-EACCES, EXIT_SYSTEM,
			 "cannot act: CAP_PERFMON is missing; " SETCAP "/usr/bin/topstacks");
	put_status("0000004000000000", 0);
	expect_explained(-EPERM, EXIT_SYSTEM,
			 "cannot act: CAP_BPF is missing; " SETCAP "/usr/bin/topstacks");
	put_all();
	put("/proc/self/uid_map", "0 1000 1\n");
	expect_explained(
		-EPERM, EXIT_SYSTEM,
		"cannot act: CAP_BPF and CAP_PERFMON are held in this user namespace only; "
		"run as root outside of this container or user namespace");
}

/* With every capability somebody else says no, and only guesses are left. */
static void test_explain_denied(void)
{
	put_all();
	expect_explained(
		-EPERM, EXIT_SYSTEM,
		"cannot act: operation not permitted; a security module may forbid it: the "
		"kernel's log may tell");
	put_status("000001ffffffffff", 2);
	expect_explained(
		-EPERM, EXIT_SYSTEM,
		"cannot act: operation not permitted; a seccomp filter, as containers have, "
		"may forbid it");
	put_status("000001c400080004", 2); /* all that it takes, unless the kernel is Debian's */
	expect_explained(-EACCES, EXIT_SYSTEM,
			 "cannot act: permission denied; kernel.perf_event_paranoid is above 2, "
			 "which may take CAP_SYS_ADMIN: sudo sysctl kernel.perf_event_paranoid=2");
	put("/proc/sys/kernel/perf_event_paranoid", "2\n");
	expect_explained(-EACCES, EXIT_SYSTEM,
			 "cannot act: permission denied; a seccomp filter, as containers have, "
			 "may forbid it");
	put("/proc/sys/kernel/perf_event_paranoid", "3\n");
	put_status("000001ffffffffff", 2);
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	expect_explained(-EACCES, EXIT_SYSTEM,
			 "cannot act: permission denied; the kernel's lockdown (confidentiality) "
			 "may forbid it");
}

/* Before 5.11 maps count as locked memory, and too much of it is EPERM. */
static void test_explain_locked_memory(void)
{
	struct rlimit limit = {65536, 65536};

	put_all();
	put("/proc/sys/kernel/osrelease", "5.10.0-30-amd64\n");
	EXPECT_EQ(setrlimit(RLIMIT_MEMLOCK, &limit), 0);
	expect_explained(-EPERM, EXIT_SYSTEM,
			 "cannot act: operation not permitted; the limit of locked memory (64 kB) "
			 "may be too low: ulimit -l unlimited as root, or LimitMEMLOCK=infinity in "
			 "a systemd unit");
}

static void test_explain_kernel(void)
{
	put_all();
	expect_explained(-EINVAL, EXIT_SYSTEM,
			 "cannot act: invalid argument; topstacks doctor may show what this kernel "
			 "lacks");
	put("/proc/sys/kernel/osrelease", "4.19.0-26-amd64\n");
	expect_explained(
		-EINVAL, EXIT_SYSTEM,
		"cannot act: topstacks needs Linux 5.10 or later, this is 4.19.0-26-amd64");
	put_all();
	take_away("/sys/kernel/btf/vmlinux");
	expect_explained(-ENOENT, EXIT_SYSTEM,
			 "cannot act: this kernel has no BTF (/sys/kernel/btf/vmlinux); topstacks "
			 "needs CONFIG_DEBUG_INFO_BTF");
	expect_explained(-ESRCH, EXIT_SYSTEM,
			 "cannot act: this kernel has no BTF (/sys/kernel/btf/vmlinux); topstacks "
			 "needs CONFIG_DEBUG_INFO_BTF");
}

static void expect_load_explained(int code, const struct load_report *report, const char *sentence)
{
	struct features *features = features__new(root);
	struct error err = {0};

	EXPECT_EQ(features__explain_load(features, &err, code, report), code);
	EXPECT_EQ(err.exit_code, EXIT_SYSTEM);
	EXPECT_STR(err.text, sentence);
	features__free(features);
}

/* The verifier says EINVAL for lockdown and for the lack of a JIT, too. */
static void test_explain_load(void)
{
	const struct load_report program = {.program = "on_cpu", .verifier = "R1 is no pointer"};
	const struct load_report reader = {.program = "on_cpu",
					   .verifier = "unknown func bpf_probe_read_kernel#113"};
	const struct load_report map = {.map = "targets", .program = "on_cpu"};

	put_all();
	put("/proc/sys/net/core/bpf_jit_enable", "1\n");
	expect_load_explained(-EINVAL, &program,
			      "cannot load the BPF program on_cpu: invalid argument; the kernel's "
			      "verifier says: R1 is no pointer");
	expect_load_explained(-EACCES, &program,
			      "cannot load the BPF program on_cpu: permission denied; the kernel's "
			      "verifier says: R1 is no pointer");
	expect_load_explained(
		-EPERM, &map,
		"cannot make the BPF map targets: operation not permitted; a security "
		"module may forbid it: the kernel's log may tell");
	expect_load_explained(-EPERM, &(struct load_report){0},
			      "cannot load the BPF programs: operation not permitted; a security "
			      "module may forbid it: the kernel's log may tell");
	put("/proc/sys/net/core/bpf_jit_enable", "0\n");
	expect_load_explained(
		-EINVAL, &program,
		"cannot load the BPF program on_cpu: invalid argument; the BPF JIT is off, "
		"which may be why: sudo sysctl net.core.bpf_jit_enable=1");
	expect_load_explained(-EINVAL, &map,
			      "cannot make the BPF map targets: invalid argument; topstacks doctor "
			      "may show what this kernel lacks");
	put("/sys/kernel/security/lockdown", "none integrity [confidentiality]\n");
	expect_load_explained(-EINVAL, &reader,
			      "cannot load the BPF program on_cpu: invalid argument; the kernel's "
			      "lockdown (confidentiality) may forbid it");
	put("/proc/sys/net/core/bpf_jit_enable", "1\n");
	expect_load_explained(-EINVAL, &program,
			      "cannot load the BPF program on_cpu: invalid argument; the kernel's "
			      "verifier says: R1 is no pointer");
	put("/sys/kernel/security/lockdown", "[none] integrity confidentiality\n");
	take_away("/proc/sys/net/core/bpf_jit_enable");
	put_status("0000000000000000", 0);
	expect_load_explained(-EPERM, &program,
			      "cannot load the BPF program on_cpu: CAP_BPF and CAP_PERFMON are "
			      "missing; " SETCAP "/usr/bin/topstacks");
}

static void test_explain_absent(void)
{
	put_all();
	expect_explained(-ENOSYS, EXIT_SYSTEM,
			 "cannot act: function not implemented; a seccomp filter, as containers "
			 "have, may forbid it");
	take_away("/proc/sys/kernel/unprivileged_bpf_disabled");
	expect_explained(-ENOSYS, EXIT_SYSTEM,
			 "cannot act: this kernel was built without BPF; topstacks needs "
			 "CONFIG_BPF_SYSCALL");
	take_away("/proc/sys/kernel/perf_event_paranoid");
	expect_explained(-ENOSYS, EXIT_SYSTEM,
			 "cannot act: this kernel was built without perf events; topstacks needs "
			 "CONFIG_PERF_EVENTS");
}

static void test_explain_limits(void)
{
	struct error err = {0};

	put_all();
	features__explain(NULL, &err, -EMFILE, "act");
	EXPECT_EQ(err.exit_code, EXIT_SYSTEM);
	EXPECT(!strncmp(err.text, "cannot act: too many open files; ", 33));
	expect_explained(
		-ENOMEM, EXIT_INTERNAL,
		"cannot act: cannot allocate memory; --max-memory may be too high for this "
		"machine");
	expect_explained(-EIO, EXIT_INTERNAL, "cannot act: input/output error");
	EXPECT_EQ(features__explain(NULL, NULL, -EPERM, "act"), -EPERM);
}

static int delete_one(const char *path, const struct stat *status, int type, struct FTW *walk)
{
	(void)status;
	(void)type;
	(void)walk;
	return remove(path);
}

int main(void)
{
	static const struct test tests[] = {
		{"the table is whole", test_table},
		{"the real system", test_real_system},
		{"what only a version tells", test_since},
		{"every question is asked once", test_asked_once},
		{"kernel versions", test_versions},
		{"BTF", test_btf},
		{"lockdown", test_lockdown},
		{"capabilities", test_capabilities},
		{"sysctls", test_sysctls},
		{"the path of the program", test_program},
		{"errors: capabilities", test_explain_capabilities},
		{"errors: denied in spite of them", test_explain_denied},
		{"errors: locked memory", test_explain_locked_memory},
		{"errors: the kernel is too old", test_explain_kernel},
		{"errors: a load was refused", test_explain_load},
		{"errors: the kernel lacks it", test_explain_absent},
		{"errors: limits", test_explain_limits},
		{0},
	};
	int code;

	if (!mkdtemp(root))
		return 1;
	code = run_tests("features", tests);
	nftw(root, delete_one, 8, FTW_DEPTH | FTW_PHYS);
	return code;
}
