/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Hits of tracepoints and probes that the kernel keeps from their program, as another one of its kind runs on
 * that CPU. It counts them by program, since 6.7 (dd8657894c11).
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_MISSED_HITS_H
#define TOPSTACKS_CAPTURE_SOURCES_MISSED_HITS_H

#include <stdbool.h>
#include <stdint.h>

struct bpf_program;
struct ledger;
struct source_options;

struct missed_hits {
	bool is_shared;	 /* several events have the program: nobody tells whose they are */
	bool is_counted; /* by the kernel */
	uint64_t nr;	 /* that the ledger has */
};

void missed_hits__init(struct missed_hits *missed, const struct source_options *options);

/* What the kernel says of the program: how many since it was loaded. */
uint64_t missed_hits__read(const struct bpf_program *program);

/* Adds to the ledger what is new of the program's nr; of a shared one to no event in particular. */
void missed_hits__take(struct missed_hits *missed, uint64_t nr, struct ledger *ledger);

#endif
