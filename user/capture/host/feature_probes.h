/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes of the table in feature_rows.c: each finds out one thing, changes nothing, and answers
 * in probe->answer.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_FEATURE_PROBES_H
#define TOPSTACKS_CAPTURE_HOST_FEATURE_PROBES_H

#include <stdio.h>
#include <sys/types.h>

#include "capture/host/features.h"

/* State and detail; the format is snprintf's. */
#define ANSWER(probe, found, ...)          \
	((probe)->answer->state = (found), \
	 snprintf((probe)->answer->detail, sizeof((probe)->answer->detail), __VA_ARGS__))

/* What helps where the JIT compiler is off. */
#define JIT_ON "sudo sysctl net.core.bpf_jit_enable=1"

/* BPF programs that are tried. One row each in feature_programs.c. */
enum tried {
	TRIED_PERF_EVENT,
	TRIED_JIT,
	TRIED_READ_KERNEL,
	TRIED_GET_STACK,
	TRIED_LOOP,
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

/* row->parameter: major * 1000 + minor of the kernel that has it, where nothing else tells. */
void probe__since(const struct probe *probe);

/* row->parameter: bits of which one suffices. */
void probe__capability(const struct probe *probe);

/* row->parameter: the id of the row that asks. */
void probe__rights(const struct probe *probe);

/* row->parameter: the capability's enum feature_id that counts whatever the value is; 0: the value counts. */
void probe__sysctl(const struct probe *probe);

/* ---- of one probe for others ---- */

/* An event of the CPU clock that never fires, switched off. A descriptor or negative errno. */
int probe__open_cpu_clock(pid_t pid, int cpu);

/*
 * What an ability was answered: 0, or negative errno. Where not even a perf_event program can be had, that is why,
 * and nothing is known of the ability.
 */
void probe__answer_ability(const struct probe *probe, int code);

/* ---- feature_programs.c ---- */

/* row->parameter: enum tried. Loads it, attaches it and runs it once, as far as its kind is attached at a start. */
void probe__program(const struct probe *probe);

void probe__jit(const struct probe *probe);
void probe__hash_map(const struct probe *probe);
void probe__mapped_array(const struct probe *probe);
/* parameter: the enum bpf_map_type of a map that is made. */
void probe__map(const struct probe *probe);
void probe__task_storage(const struct probe *probe);
void probe__kernel_names(const struct probe *probe);
void probe__kallsyms(const struct probe *probe);
void probe__statistics(const struct probe *probe);

#endif
