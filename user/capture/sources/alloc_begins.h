/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of the programs that a command executes have the library that samples allocations: those pass a probe when
 * they ask it for their first block. Others are static, of another machine, privileged, or ask for no block.
 */
#ifndef TOPSTACKS_CAPTURE_SOURCES_ALLOC_BEGINS_H
#define TOPSTACKS_CAPTURE_SOURCES_ALLOC_BEGINS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct process_event;

/* A program was executed, and nobody has seen it begin yet. */
struct alloc_program {
	int32_t pid;
	bool has_ended;
	uint64_t time_ns; /* CLOCK_MONOTONIC, of its exec */
};

/* Zeroed is empty. */
struct alloc_begins {
	struct alloc_program *list;
	size_t nr, capacity;
	uint64_t nr_lost; /* execs that there was no memory for */
	int32_t only;	  /* nobody asked for programs of other processes; 0: of all */
};

void alloc_begins__observe(struct alloc_begins *begins, const struct process_event *event);

/* How many have ended, since the last call, and never began. map: a descriptor of alloc_begun. */
uint64_t alloc_begins__take_without(struct alloc_begins *begins, int map);

void alloc_begins__fini(struct alloc_begins *begins);

#endif
