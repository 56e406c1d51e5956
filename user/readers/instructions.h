/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The request and answer for code: the instructions of some ranges, one struct after the other, in
 * the order of ranges and of addresses within them.
 *
 * -ESTALE: the file has another build ID; -ENOENT: it has no code there, like a debug file;
 * -ENOTSUP: it is for another machine, or instructions cannot be decoded
 * (instruction__has_decoder()).
 */
#ifndef TOPSTACKS_READERS_INSTRUCTIONS_H
#define TOPSTACKS_READERS_INSTRUCTIONS_H

#include "base/common.h"
#include "elf/file.h"
#include "readers/instruction.h"

#define MAX_INSTRUCTION_RANGES 64
#define MAX_INSTRUCTIONS       200000 /* of all ranges; further ones are left out */
#define INSTRUCTION_MAX_SIZE   16     /* bytes */
#define INSTRUCTION_TEXT       104

struct instruction_range {
	uint64_t start, end; /* addresses in the file */
};

/* The arguments. */
struct instructions_request {
	char build_id[BUILD_ID_TEXT_SIZE]; /* required */
	uint32_t nr_ranges;
	struct instruction_range ranges[MAX_INSTRUCTION_RANGES];
};

struct read_instruction {
	uint64_t address;
	uint64_t target;	     /* of a jump or a call; 0: known only at run time */
	uint32_t size;		     /* bytes */
	uint32_t kind;		     /* enum instruction_kind */
	char text[INSTRUCTION_TEXT]; /* as gdb writes it: "call 0x1040"; terminated */
};

#endif
