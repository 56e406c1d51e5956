/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A program under our own debugger, and its unwind tables: for each executable mapping the table of
 * its file, and the vDSO's from memory.
 */
#ifndef TOPSTACKS_TESTS_TRACEE_H
#define TOPSTACKS_TESTS_TRACEE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "topstacks/unwind_abi.h"
#include "unwind/unwind.h"

#define MAX_MAPPINGS 64

struct tracee_mapping {
	uint64_t start, end, bias;  /* pc of the table = address - bias */
	struct unwind_table *table; /* NULL: it has none */
	char name[64];
};

struct tracee {
	pid_t pid; /* of the thread that stopped last */
	pid_t process;
	struct tracee_mapping mappings[MAX_MAPPINGS];
	size_t nr_mappings;
	struct unwind_registers registers;
	uint64_t result; /* rax, x0: where a breakpoint's message is */
};

/* Starts program, which stops at its exec. False: it could not be started or traced. */
bool tracee__start(struct tracee *tracee, const char *program);
void tracee__end(struct tracee *tracee);

/* Reads the mappings anew and builds their tables. */
void tracee__read_mappings(struct tracee *tracee);

/*
 * One instruction, or up to the next breakpoint, giving signal (0: none) to the program before.
 * Returns the signal it stopped for (SIGTRAP: as asked), 0 if it ended. Registers are read.
 */
int tracee__step(struct tracee *tracee, int signal);
int tracee__continue(struct tracee *tracee, int signal);

/* 0, or -1 if not all of it could be read. */
int tracee__read(const struct tracee *tracee, uint64_t address, void *to, size_t nr_bytes);

/* NULL: no mapping there. */
const struct tracee_mapping *tracee__find(const struct tracee *tracee, uint64_t address);

#endif
