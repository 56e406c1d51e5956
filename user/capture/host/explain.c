// SPDX-License-Identifier: GPL-2.0-only
/*
 * Turns the errno of bpf() or perf_event_open() into a sentence that a person can act on. As an
 * errno says little, the features are probed, too: a certain cause is stated, a possible one is
 * said with "may".
 */
#include "capture/host/features.h"

#include "base/system/rights.h"
#include "capture/host/load_report.h"

static bool is_missing(struct features *features, enum feature_id id)
{
	return features__answer(features, id)->state == FEATURE_MISSING;
}

/* Writes "CAP_BPF and CAP_PERFMON are missing; run as root, or: sudo setcap ...". */
static int explain_capabilities(struct features *features, struct error *err, int code,
				const char *act)
{
	bool bpf = is_missing(features, FEATURE_CAP_BPF);
	bool perfmon = is_missing(features, FEATURE_CAP_PERFMON);
	enum feature_id id = bpf ? FEATURE_CAP_BPF : FEATURE_CAP_PERFMON;
	const struct feature_answer *answer = features__answer(features, id);

	error__say(err, EXIT_SYSTEM, code, "cannot %s: %s%s%s %s %s", act,
		   bpf ? features__rows[FEATURE_CAP_BPF].name : "", bpf && perfmon ? " and " : "",
		   perfmon ? features__rows[FEATURE_CAP_PERFMON].name : "",
		   bpf && perfmon ? "are" : "is", *answer->detail ? answer->detail : "missing");
	return error__remedy(err, "%s", answer->remedy);
}

/* Returns true for "Seccomp:\t2": a filter decides which system calls exist. */
static bool is_filtered(const struct features *features)
{
	char text[4096];

	return !features__read(features, "/proc/self/status", text, sizeof(text)) &&
	       strstr(text, "\nSeccomp:\t2");
}

/*
 * Returns true if Debian's kernels refuse events at this level to a process with CAP_PERFMON but
 * without CAP_SYS_ADMIN.
 */
static bool is_paranoid(const struct features *features)
{
	char level[16], status[4096];
	const char *permitted;

	if (features__read(features, "/proc/sys/kernel/perf_event_paranoid", level,
			   sizeof(level)) ||
	    strtol(level, NULL, 10) <= 2 ||
	    features__read(features, "/proc/self/status", status, sizeof(status)))
		return false;
	permitted = strstr(status, "\nCapPrm:");
	return permitted &&
	       !(strtoull(permitted + strlen("\nCapPrm:"), NULL, 16) & RIGHT_SYS_ADMIN);
}

static int explain_denied(struct features *features, struct error *err, int code, const char *act)
{
	const struct feature_answer *memory = features__answer(features, FEATURE_LOCKED_MEMORY);

	if (is_missing(features, FEATURE_CAP_BPF) || is_missing(features, FEATURE_CAP_PERFMON))
		return explain_capabilities(features, err, code, act);
	error__set(err, EXIT_SYSTEM, code, "cannot %s", act);
	if (is_missing(features, FEATURE_LOCKDOWN))
		return error__remedy(err, "the kernel's lockdown (confidentiality) may forbid it");
	if (code == -EACCES && is_paranoid(features))
		return error__remedy(
			err, "kernel.perf_event_paranoid is above 2, which may take CAP_SYS_ADMIN: "
			     "sudo sysctl kernel.perf_event_paranoid=2");
	if (is_filtered(features))
		return error__remedy(err, "a seccomp filter, as containers have, may forbid it");
	if (memory->state == FEATURE_LIMITED)
		return error__remedy(err, "the limit of locked memory (%s) may be too low: %s",
				     memory->detail, memory->remedy);
	return error__remedy(err, "a security module may forbid it: the kernel's log may tell");
}

/*
 * Explains a kernel that is too old or lacks a build option. False: the kernel has neither fault.
 */
static bool explain_kernel(struct features *features, struct error *err, int code, const char *act)
{
	if (is_missing(features, FEATURE_VERSION)) {
		error__say(err, EXIT_SYSTEM, code,
			   "cannot %s: topstacks needs Linux 5.10 or later, this is %s", act,
			   features__answer(features, FEATURE_VERSION)->detail);
		return true;
	}
	if (is_missing(features, FEATURE_BTF)) {
		error__say(err, EXIT_SYSTEM, code,
			   "cannot %s: this kernel has no BTF (/sys/kernel/btf/vmlinux); topstacks "
			   "needs CONFIG_DEBUG_INFO_BTF",
			   act);
		return true;
	}
	return false;
}

/* Explains ENOSYS: each subsystem has its sysctls only if it is built in. */
static int explain_absent(struct features *features, struct error *err, int code, const char *act)
{
	char text[16];
	const char *option = NULL;

	if (features__read(features, "/proc/sys/kernel/perf_event_paranoid", text, sizeof(text)) ==
	    -ENOENT)
		option = "perf events; topstacks needs CONFIG_PERF_EVENTS";
	else if (features__read(features, "/proc/sys/kernel/unprivileged_bpf_disabled", text,
				sizeof(text)) == -ENOENT)
		option = "BPF; topstacks needs CONFIG_BPF_SYSCALL";
	if (option)
		return error__say(err, EXIT_SYSTEM, code,
				  "cannot %s: this kernel was built without %s", act, option);
	error__set(err, EXIT_SYSTEM, code, "cannot %s", act);
	return error__remedy(err, "a seccomp filter, as containers have, may forbid it");
}

static int explain_open_files(struct error *err, int code, const char *act)
{
	error__set(err, EXIT_SYSTEM, code, "cannot %s", act);
	return error__remedy(err, "%lu are needed: raise the hard limit (ulimit -Hn) as root",
			     features__files_needed());
}

static int explain(struct features *features, struct error *err, int code, const char *act)
{
	/* After EMFILE libbpf goes on without the file and fails with EINVAL. */
	if (code == -EINVAL && is_missing(features, FEATURE_OPEN_FILES))
		return explain_open_files(err, -EMFILE, act);
	switch (-code) {
	case EPERM:
	case EACCES:
		return explain_denied(features, err, code, act);
	case ENOSYS:
		return explain_absent(features, err, code, act);
	case EMFILE:
		return explain_open_files(err, code, act);
	case ENFILE:
		error__set(err, EXIT_SYSTEM, code, "cannot %s", act);
		return error__remedy(err, "raise the sysctl fs.file-max");
	case ENOMEM:
		error__set(err, EXIT_INTERNAL, code, "cannot %s", act);
		return error__remedy(err, "--max-memory may be too high for this machine");
	case EINTR:
	case EIO:
	case EFAULT:
		return error__set(err, EXIT_INTERNAL, code, "cannot %s", act);
	}
	if (explain_kernel(features, err, code, act))
		return code;
	error__set(err, EXIT_SYSTEM, code, "cannot %s", act);
	return error__remedy(err, "topstacks doctor may show what this kernel lacks");
}

int features__explain(struct features *features, struct error *err, int code, const char *act)
{
	struct features *own = features ? NULL : features__new("");

	explain(features ? features : own, err, code, act);
	features__free(own);
	return code;
}

/*
 * Explains an EINVAL of the verifier. Two causes look alike: lockdown=confidentiality, which takes
 * helpers away ("unknown func bpf_probe_read_kernel#113"), and a kernel without JIT, whose
 * interpreted programs cannot have callbacks. The JIT's sysctl is readable for root in the first
 * network namespace only.
 */
static int explain_verifier(struct features *features, struct error *err, int code, const char *act,
			    const char *words)
{
	char jit[16];

	error__set(err, EXIT_SYSTEM, code, "cannot %s", act);
	if (is_missing(features, FEATURE_LOCKDOWN) && (!*words || strstr(words, "bpf_probe_read")))
		return error__remedy(err, "the kernel's lockdown (confidentiality) may forbid it");
	if (!features__read(features, "/proc/sys/net/core/bpf_jit_enable", jit, sizeof(jit)) &&
	    jit[0] == '0')
		return error__remedy(err, "the BPF JIT is off, which may be why: sudo sysctl "
					  "net.core.bpf_jit_enable=1");
	if (*words)
		return error__remedy(err, "the kernel's verifier says: %s", words);
	return error__remedy(err, "topstacks doctor may show what this kernel lacks");
}

static int explain_load(struct features *features, struct error *err, int code,
			const struct load_report *report)
{
	char act[128] = "load the BPF programs";
	bool is_verifiers = code == -EINVAL || code == -E2BIG || *report->verifier;

	if (*report->map)
		snprintf(act, sizeof(act), "make the BPF map %s", report->map);
	else if (*report->program)
		snprintf(act, sizeof(act), "load the BPF program %s", report->program);
	if (*report->map || !*report->program || is_missing(features, FEATURE_CAP_BPF) ||
	    is_missing(features, FEATURE_CAP_PERFMON))
		is_verifiers = false;
	if (!is_verifiers)
		return explain(features, err, code, act);
	if (explain_kernel(features, err, code, act))
		return code;
	return explain_verifier(features, err, code, act, report->verifier);
}

int features__explain_load(struct features *features, struct error *err, int code,
			   const struct load_report *report)
{
	struct features *own = features ? NULL : features__new("");

	explain_load(features ? features : own, err, code, report);
	features__free(own);
	return code;
}

bool features__has(enum feature_id id)
{
	struct features *features = features__new("");
	const bool has = features__answer(features, id)->state == FEATURE_OK;

	features__free(features);
	return has;
}

bool features__interprets(void)
{
	struct features *features = features__new("");
	const struct feature_answer *jit = features__answer(features, FEATURE_JIT);
	/* if the test program was refused, code is set, and the JIT's state is unknown */
	const bool interprets = jit->state == FEATURE_MISSING && !jit->code;

	features__free(features);
	return interprets;
}

int features__require(enum feature_id id, const char *lack, struct error *err)
{
	struct features *features = features__new("");
	const struct feature_answer *answer;
	char act[64];
	int code = 0;

	answer = features__answer(features, id);
	snprintf(act, sizeof(act), "use %s", features__rows[id].name);
	if (answer->state == FEATURE_UNKNOWN)
		code = features__explain(features, err, -EPERM, "load BPF programs");
	else if (answer->state != FEATURE_OK && answer->code && answer->code != -EINVAL)
		code = features__explain(features, err, answer->code, act);
	else if (answer->state != FEATURE_OK)
		code = error__say(err, EXIT_SYSTEM, -ENOTSUP, "%s", lack);
	features__free(features);
	return code;
}
