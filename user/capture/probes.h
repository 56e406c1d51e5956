/* SPDX-License-Identifier: GPL-2.0-only */
/* The probes behind the rows of features.c, for it and explain.c alone. */
#ifndef TOPSTACKS_CAPTURE_PROBES_H
#define TOPSTACKS_CAPTURE_PROBES_H

#include <stdbool.h>

#include "capture/features.h"

/* In capability probes, the parameter is the bits of which one suffices. */
void probe__version(struct features *, const struct feature *, struct feature_answer *);
void probe__btf(struct features *, const struct feature *, struct feature_answer *);
void probe__bpf(struct features *, const struct feature *, struct feature_answer *);
void probe__cpu_clock(struct features *, const struct feature *, struct feature_answer *);
void probe__lockdown(struct features *, const struct feature *, struct feature_answer *);
void probe__perf_link(struct features *, const struct feature *, struct feature_answer *);
void probe__bpf_helper(struct features *, const struct feature *, struct feature_answer *);
void probe__format_lost(struct features *, const struct feature *, struct feature_answer *);
void probe__pmu(struct features *, const struct feature *, struct feature_answer *);
void probe__capability(struct features *, const struct feature *, struct feature_answer *);
void probe__paranoid(struct features *, const struct feature *, struct feature_answer *);
void probe__max_sample_rate(struct features *, const struct feature *, struct feature_answer *);
void probe__cpu_time_percent(struct features *, const struct feature *, struct feature_answer *);
void probe__max_stack(struct features *, const struct feature *, struct feature_answer *);
void probe__kptr_restrict(struct features *, const struct feature *, struct feature_answer *);
void probe__unprivileged_bpf(struct features *, const struct feature *, struct feature_answer *);
void probe__open_files(struct features *, const struct feature *, struct feature_answer *);
void probe__locked_memory(struct features *, const struct feature *, struct feature_answer *);

/* A file of /proc or /sys, below root; text is cut to size. 0 or negative errno. */
int features__read(const struct features *features, const char *path, char *text, size_t size);

/* major * 1000 + minor: 5010 for Linux 5.10; 0 if unknown. */
unsigned int features__kernel_version(const struct features *features);

/* Capabilities count for bpf() and perf only outside of user namespaces. */
bool features__in_user_namespace(const struct features *features);

/* Descriptors that two events a CPU and everything else need. */
unsigned long features__files_needed(void);

#endif
