/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes of the table in feature_rows.c. Each finds out one thing, leaves the system unchanged,
 * and stores the result in probe->answer.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_FEATURE_PROBES_H
#define TOPSTACKS_CAPTURE_HOST_FEATURE_PROBES_H

#include <sys/types.h>

#include "base/common.h"
#include "capture/host/features.h"

/* Sets state and detail of the answer; the format is snprintf's. */
#define ANSWER(probe, found, ...)          \
	((probe)->answer->state = (found), \
	 snprintf((probe)->answer->detail, sizeof((probe)->answer->detail), __VA_ARGS__))

/* The remedy where the BPF JIT is off. */
#define JIT_ON "sudo sysctl net.core.bpf_jit_enable=1"

/* The test programs, each a row in feature_programs.c. */
enum tried {
	TRIED_PERF_EVENT,
	TRIED_JIT,
	TRIED_READ_KERNEL,
	TRIED_GET_STACK,
	TRIED_LOOP,
	TRIED_TAIL_CALL,
	TRIED_PERF_LINK,
	TRIED_CONTENTION,
	TRIED_TP_BTF,
	TRIED_TASK_ITER,
	TRIED_SLEEPABLE_ITER,
	TRIED_TRACEPOINT,
	TRIED_UPROBE,
};

void probe__version(const struct probe *probe);
void probe__btf(const struct probe *probe);
void probe__cpu_clock(const struct probe *probe);
void probe__lockdown(const struct probe *probe);
void probe__format_lost(const struct probe *probe);
void probe__pmu(const struct probe *probe);
void probe__open_files(const struct probe *probe);
void probe__locked_memory(const struct probe *probe);

/*
 * row->parameter: major * 1000 + minor of the first kernel with the feature; for features that
 * nothing else reveals.
 */
void probe__since(const struct probe *probe);

/* row->parameter: capability bits, any of which suffices. */
void probe__capability(const struct probe *probe);

/* row->parameter: the row's own id. */
void probe__rights(const struct probe *probe);

/*
 * row->parameter: the FEATURE_CAP_ id that makes any value of the sysctl sufficient; 0: the value
 * decides.
 */
void probe__sysctl(const struct probe *probe);

/* ---- shared by probes ---- */

/* Opens a disabled event of the CPU clock. Returns a descriptor or negative errno. */
int probe__open_cpu_clock(pid_t pid, int cpu);

/*
 * Stores the answer for an ability; code: 0 or the negative errno of trying it. Where not even
 * perf_event programs load, that is the cause, and the ability is unknown.
 */
void probe__answer_ability(const struct probe *probe, int code);

/* ---- feature_programs.c ---- */

/*
 * row->parameter: enum tried. Loads the program, attaches it, and runs it once if its kind can be
 * run at a start.
 */
void probe__program(const struct probe *probe);

void probe__jit(const struct probe *probe);
void probe__hash_map(const struct probe *probe);
void probe__mapped_array(const struct probe *probe);
/* row->parameter: the enum bpf_map_type to create. */
void probe__map(const struct probe *probe);
void probe__task_storage(const struct probe *probe);
void probe__kernel_names(const struct probe *probe);
void probe__kallsyms(const struct probe *probe);
void probe__statistics(const struct probe *probe);

#endif
