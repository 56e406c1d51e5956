/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes one instruction: its text, length and target, and as far as it matters to a probe, its
 * effect on the stack and on arguments, and whether the kernel emulates it. Works on the given
 * bytes only.
 */
#ifndef TOPSTACKS_READERS_INSTRUCTION_H
#define TOPSTACKS_READERS_INSTRUCTION_H

#include "base/common.h"

enum instruction_kind {
	INSTRUCTION_PLAIN,
	INSTRUCTION_JUMP,
	INSTRUCTION_CALL,
	INSTRUCTION_ENTERS_KERNEL,
	INSTRUCTION_NONE, /* bytes that are no valid instruction */
	INSTRUCTION_KINDS,
};

struct instruction {
	unsigned int length; /* in bytes */
	enum instruction_kind kind;
	/*
	 * The kernel emulates it, so a probe costs one trap. Other instructions are executed as a
	 * copy in single steps, which takes another trap and many times as long.
	 */
	bool is_emulated;
	bool is_nop5;		  /* must not get a probe: see placement.h */
	bool is_straight;	  /* falls through to the next instruction, and does not change
				   * rsp */
	bool has_target;	  /* jumps to or calls a fixed address */
	int64_t target;		  /* relative to the instruction's first byte */
	unsigned int overwritten; /* bit N-1: changes the register of argument N */
};

/* Whether instructions can be decoded. A build for x86-64 may lack the library for it. */
bool instruction__has_decoder(void);

/* Decodes the instruction at code, with size bytes left. 0; -EILSEQ: it is not valid. */
int instruction__read(struct instruction *instruction, const uint8_t *code, size_t size);

#define INSTRUCTION_ANYWHERE UINT64_MAX

/*
 * Writes its text as gdb does, cut off at size: "push %rbp"; "" if it is not valid. address: of the
 * instruction, for absolute targets; INSTRUCTION_ANYWHERE: targets are relative.
 */
void instruction__text(const uint8_t *code, size_t code_size, uint64_t address, char *text,
		       size_t size);

#endif
