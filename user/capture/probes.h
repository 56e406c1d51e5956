/* SPDX-License-Identifier: GPL-2.0-only */
/* The probes behind the rows of feature_rows.c. */
#ifndef TOPSTACKS_CAPTURE_PROBES_H
#define TOPSTACKS_CAPTURE_PROBES_H

#include <stdbool.h>

#include "capture/features.h"

void probe__version(const struct probe *probe);
void probe__btf(const struct probe *probe);
void probe__bpf(const struct probe *probe);
void probe__cpu_clock(const struct probe *probe);
void probe__lockdown(const struct probe *probe);
void probe__perf_link(const struct probe *probe);
void probe__bpf_helper(const struct probe *probe); /* parameter: enum bpf_func_id */
void probe__format_lost(const struct probe *probe);
void probe__pmu(const struct probe *probe);
void probe__capability(const struct probe *probe); /* parameter: bits of which one suffices */
void probe__paranoid(const struct probe *probe);
void probe__max_sample_rate(const struct probe *probe);
void probe__cpu_time_percent(const struct probe *probe);
void probe__max_stack(const struct probe *probe);
void probe__kptr_restrict(const struct probe *probe);
void probe__unprivileged_bpf(const struct probe *probe);
void probe__open_files(const struct probe *probe);
void probe__locked_memory(const struct probe *probe);

/* Descriptors that a run needs on this machine. */
unsigned long features__files_needed(void);

#endif
