/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hits of tracepoints and probes that the kernel does not pass to their program, because another
 * program of its kind runs on that CPU. The kernel counts them by program, since 6.7
 * (dd8657894c11).
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_MISSED_HITS_H
#define TOPSTACKS_CAPTURE_SOURCES_MISSED_HITS_H

#include "base/common.h"

struct bpf_program;
struct ledger;
struct source_options;

struct missed_hits {
	/* several events use the program: the kernel does not say which of them missed a hit */
	bool is_shared;
	bool is_counted; /* the kernel counts them */
	uint64_t nr;	 /* already in the ledger */
};

void missed_hits__init(struct missed_hits *missed, const struct source_options *options);

/* Returns the kernel's count for the program since it was loaded. */
uint64_t missed_hits__read(const struct bpf_program *program);

/*
 * Adds the growth of nr, the program's count, to the ledger. If several events share the program,
 * it goes to kept_out of each.
 */
void missed_hits__take(struct missed_hits *missed, uint64_t nr, struct ledger *ledger);

#endif
