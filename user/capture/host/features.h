/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this kernel offers and what we may do with it: one row a feature, ability, capability, sysctl
 * or limit, with the probe that answers for it. Answers are asked for once and kept.
 *
 * A mechanism that the kernel refuses costs one ability. Its row names the mechanism and the ability,
 * what takes its place, and what is lost without it.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_FEATURES_H
#define TOPSTACKS_CAPTURE_HOST_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

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
	GROUP_ABILITIES, /* what a kernel may refuse; each is asked for by doing it */
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
	FEATURE_UNKNOWN, /* nobody may ask, or what it rests on is missing */
};

#define FEATURE_DETAIL_BYTES 160

struct feature_answer {
	enum feature_state state;
	/* Of an ability that was refused: negative errno. 0: it was not, or the kernel is older than it. */
	int code;
	/* What was found: "6.1.0-18-amd64", "2"; "" if state says it all. */
	char detail[FEATURE_DETAIL_BYTES];
	const char *remedy; /* the row's, unless what was found asks for another; NULL if none */
};

struct btf;
struct features;
struct feature;
struct load_report;

/* What a probe asks with, and where it puts the answer. */
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
	uint64_t parameter; /* of the probe */
	long least, most;   /* of a sysctl that suffice; most 0: any */
	const char *unit;   /* of a sysctl; NULL: none */
	const char *
		asked; /* of an ability: "a program with bpf_loop()", which the kernel may refuse */
	const char *ability; /* likewise: "unwind tables"; NULL: all of them, as it is required */
	const char *instead; /* what takes its place: "frame pointers"; NULL: nothing */
	const char *words;   /* what it does for us; NULL: the name says it */
	const char *without; /* what is worse without it; NULL: nothing */
	const char *remedy;  /* what to type or do; NULL: nothing but another kernel */
	const char *since;   /* "Linux 5.17, commit ..."; NULL: it is older than all that matter */
};

/* The remedy where capabilities are missing; answers add the program's path. */
extern const char features__setcap[];

/* Counters interrupt code that runs with interrupts off, too. On aarch64 some kernels have that, and nobody tells. */
#ifdef __x86_64__
#define COUNTERS_ARE_NMIS true
#else
#define COUNTERS_ARE_NMIS false
#endif

extern const struct feature features__rows[FEATURES];

/* Descriptors that a run needs on this machine. */
unsigned long features__files_needed(void);

/* "ok", "limited", "missing", "unknown". */
const char *feature_state__name(enum feature_state state);

/*
 * Asks nothing yet. Files of /proc and /sys are read below root, which is borrowed ("" for the
 * system's own); system calls are always real. NULL: out of memory.
 */
struct features *features__new(const char *root);
void features__free(struct features *features);

/* Probes at the first call. Borrowed, valid until features__free. */
const struct feature_answer *features__answer(struct features *features, enum feature_id id);

/*
 * The kernel's types, which are read at the first call and take some 50 ms. Borrowed. NULL: there are none, or they
 * cannot be read.
 */
struct btf *features__types(struct features *features);

/* A file of /proc or /sys, below root; text is cut to size. 0 or negative errno. */
int features__read(const struct features *features, const char *path, char *text, size_t size);

/*
 * One sentence for a bpf() or perf_event_open() that failed with code (negative errno): "cannot
 * ACT: why" (act: "open perf events"), with the capability, sysctl or kernel option behind it as
 * far as it can be found out; guesses say "may". features may be NULL. Fills err, returns code.
 */
int features__explain(struct features *features, struct error *err, int code, const char *act);

/*
 * The same for a load of BPF programs and their maps: "cannot make the BPF map targets: why". A program that the
 * verifier refused is explained by its own words where nothing else is known.
 */
int features__explain_load(struct features *features, struct error *err, int code,
			   const struct load_report *report);

/* Whether the machine has it; false also where nobody may ask. */
bool features__has(enum feature_id id);

/* Whether this kernel interprets BPF programs, as far as a program that it was given tells. */
bool features__interprets(void);

/*
 * 0 if the kernel has it. Else negative errno with a sentence: lack, where the kernel does not know it (EINVAL), or
 * what was refused and how.
 */
int features__require(enum feature_id id, const char *lack, struct error *err);

#endif
