/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The probes of the table in feature_rows.c: each finds out one thing, changes nothing, and answers
 * in probe->answer.
 */
#ifndef TOPSTACKS_CAPTURE_FEATURE_PROBES_H
#define TOPSTACKS_CAPTURE_FEATURE_PROBES_H

struct probe;

void probe__version(const struct probe *probe);
void probe__btf(const struct probe *probe);
void probe__bpf(const struct probe *probe);
void probe__cpu_clock(const struct probe *probe);
void probe__lockdown(const struct probe *probe);
void probe__perf_link(const struct probe *probe);
void probe__format_lost(const struct probe *probe);
void probe__pmu(const struct probe *probe);
void probe__open_files(const struct probe *probe);
void probe__locked_memory(const struct probe *probe);

/* row->parameter: major * 1000 + minor of the kernel that has it, where nothing else tells. */
void probe__since(const struct probe *probe);

/* row->parameter: enum bpf_func_id. */
void probe__bpf_helper(const struct probe *probe);

/* row->parameter: bits of which one suffices. */
void probe__capability(const struct probe *probe);

/* row->parameter: the id of the row that asks. */
void probe__rights(const struct probe *probe);

/* row->parameter: the capability's enum feature_id that counts whatever the value is; 0: the value counts. */
void probe__sysctl(const struct probe *probe);

#endif
