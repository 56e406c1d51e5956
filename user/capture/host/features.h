/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The features of this kernel and our rights to use them: one row for each feature, ability,
 * capability, sysctl or limit, with the probe that examines it. Each is probed once, on demand.
 *
 * If the kernel refuses a mechanism, one ability is lost. The row names the mechanism, the ability,
 * its replacement, and the loss.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_FEATURES_H
#define TOPSTACKS_CAPTURE_HOST_FEATURES_H

#include "base/common.h"

enum feature_id {
	FEATURE_VERSION,
	FEATURE_BTF,
	FEATURE_LOCKDOWN,
	FEATURE_JIT,
	FEATURE_FORMAT_LOST,
	FEATURE_MISSED_HITS,
	FEATURE_PMU,
	FEATURE_BPF,
	FEATURE_GET_STACK,
	FEATURE_HASH_MAPS,
	FEATURE_MAPPED_ARRAYS,
	FEATURE_STACK_MAPS,
	FEATURE_CPU_ARRAYS,
	FEATURE_MAPS_OF_MAPS,
	FEATURE_CPU_CLOCK,
	FEATURE_BPF_LOOP,
	FEATURE_TAIL_CALL,
	FEATURE_READ_KERNEL,
	FEATURE_TP_BTF,
	FEATURE_TASK_ITER,
	FEATURE_PERF_LINK,
	FEATURE_TRACEPOINTS,
	FEATURE_UPROBES,
	FEATURE_WAITS,
	FEATURE_TASK_STORAGE,
	FEATURE_SLEEPABLE_ITER,
	FEATURE_KERNEL_NAMES,
	FEATURE_KALLSYMS,
	FEATURE_STATISTICS,
	FEATURE_CAP_BPF,
	FEATURE_CAP_PERFMON,
	FEATURE_CAP_SYSLOG,
	FEATURE_CAP_SYS_PTRACE,
	FEATURE_CAP_DAC_READ_SEARCH,
	FEATURE_CAP_CHECKPOINT_RESTORE,
	FEATURE_RIGHTS_AT_REST,
	FEATURE_RIGHTS_BY_NEED,
	FEATURE_RIGHTS_GIVEN_UP,
	FEATURE_PARANOID,
	FEATURE_MAX_SAMPLE_RATE,
	FEATURE_CPU_TIME_PERCENT,
	FEATURE_MAX_STACK,
	FEATURE_KPTR_RESTRICT,
	FEATURE_UNPRIVILEGED_BPF,
	FEATURE_OPEN_FILES,
	FEATURE_LOCKED_MEMORY,
	FEATURES,
};

enum feature_group {
	GROUP_KERNEL,
	GROUP_ABILITIES, /* mechanisms that a kernel may refuse; probed by using them */
	GROUP_CAPABILITIES,
	GROUP_SETTINGS,
	GROUPS,
};

enum feature_need {
	NEED_REQUIRED, /* topstacks does not run without it */
	NEED_USEFUL,   /* something is worse without it */
	NEED_NONE,     /* good to know */
};

enum feature_state {
	FEATURE_OK,
	FEATURE_LIMITED,
	FEATURE_MISSING,
	FEATURE_UNKNOWN, /* the probe was forbidden, or a feature it relies on is missing */
};

#define FEATURE_DETAIL_BYTES 160

struct feature_answer {
	enum feature_state state;
	/*
	 * The kernel's refusal of an ability, negative errno; 0: it was not refused, or the kernel
	 * is too old.
	 */
	int code;
	/* The finding: "6.1.0-18-amd64", "2"; "" if state says it all. */
	char detail[FEATURE_DETAIL_BYTES];
	const char *remedy; /* the row's, or a more specific one; NULL: none */
};

struct btf;
struct features;
struct feature;
struct load_report;

/* The context of a probe, and the answer that it fills in. */
struct probe {
	struct features *features;
	const struct feature *row;
	struct feature_answer *answer;
};

struct feature {
	const char *name; /* "CAP_BPF", "kernel.kptr_restrict"; unique */
	enum feature_group group;
	enum feature_need need;
	void (*probe)(const struct probe *probe);
	uint64_t parameter; /* for the probe */
	long least, most;   /* values of a sysctl that suffice; most 0: no upper limit */
	const char *unit;   /* of a sysctl; NULL: none */
	const char *
		asked; /* the mechanism, which the kernel may refuse: "a program with bpf_loop()" */
	const char *ability; /* "unwind tables"; NULL: without it all is lost */
	const char *instead; /* replacement of the ability: "frame pointers"; NULL: nothing */
	const char *words;   /* what it is good for; NULL: the name says it */
	const char *without; /* what is lost without it; NULL: nothing */
	const char *remedy;  /* what to type or do; NULL: only another kernel helps */
	const char *since;   /* "Linux 5.17, commit ..."; NULL: all supported kernels have it */
};

/* The remedy where capabilities are missing; answers append the program's path. */
extern const char features__setcap[];

/*
 * True if hardware counters interrupt code that has interrupts off. On aarch64 some kernels do so,
 * but do not say it.
 */
#ifdef __x86_64__
#define COUNTERS_ARE_NMIS true
#else
#define COUNTERS_ARE_NMIS false
#endif

extern const struct feature features__rows[FEATURES];

/* Returns the number of descriptors that a run needs on this machine. */
unsigned long features__files_needed(void);

/* Returns "ok", "limited", "missing" or "unknown". */
const char *feature_state__name(enum feature_state state);

/*
 * Probes nothing yet. Files of /proc and /sys are read below root, which is borrowed ("": the real
 * ones); system calls are always real.
 */
struct features *features__new(const char *root);
void features__free(struct features *features);

/* Returns the answer, and probes at the first call. Borrowed, valid until features__free. */
const struct feature_answer *features__answer(struct features *features, enum feature_id id);

/*
 * Returns the kernel's types. The first call reads them, which takes some 50 ms. Borrowed. NULL:
 * there are none, or they cannot be read.
 */
struct btf *features__types(struct features *features);

/* Reads a file of /proc or /sys below root; text is cut to size. Returns 0 or negative errno. */
int features__read(const struct features *features, const char *path, char *text, size_t size);

/*
 * Explains a bpf() or perf_event_open() that failed with code (negative errno): "cannot ACT: why"
 * (act: "open perf events"). The sentence names the capability, sysctl or kernel option that was
 * found to be the cause; guesses say "may". features may be NULL. Fills err, returns code.
 */
int features__explain(struct features *features, struct error *err, int code, const char *act);

/*
 * Explains a failed load of BPF programs and their maps: "cannot make the BPF map targets: why". If
 * no cause is found for a refusal by the verifier, the verifier's words are quoted.
 */
int features__explain_load(struct features *features, struct error *err, int code,
			   const struct load_report *report);

/* Returns true if the feature is there; false also if it is unknown. */
bool features__has(enum feature_id id);

/* Returns true if this kernel interprets BPF programs, judged by a test program. */
bool features__interprets(void);

/*
 * Returns 0 if the kernel has the feature, else negative errno with a sentence: lack, if the kernel
 * does not know it (EINVAL), or what was refused and why.
 */
int features__require(enum feature_id id, const char *lack, struct error *err);

#endif
