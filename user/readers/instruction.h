/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One instruction of a program: its text, how long it is, where it leads, and as far as it matters to a
 * probe, what it does to the stack and to arguments, and whether the kernel emulates it. Pure: bytes in,
 * facts out.
 */
#ifndef TOPSTACKS_READERS_INSTRUCTION_H
#define TOPSTACKS_READERS_INSTRUCTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum instruction_kind {
	INSTRUCTION_PLAIN,
	INSTRUCTION_JUMP,
	INSTRUCTION_CALL,
	INSTRUCTION_ENTERS_KERNEL,
	INSTRUCTION_NONE, /* bytes that are no instruction */
	INSTRUCTION_KINDS,
};

struct instruction {
	unsigned int length; /* in bytes */
	enum instruction_kind kind;
	/*
	 * The kernel does it itself, so that a probe costs one trap. Others run as a copy in single
	 * steps, which takes another trap and many times as long.
	 */
	bool is_emulated;
	bool is_nop5;		  /* must have no probe: see placement.h */
	bool is_straight;	  /* the next instruction runs after it, and rsp stays what it is */
	bool has_target;	  /* a jump or a call to a fixed place */
	int64_t target;		  /* from the instruction's first byte */
	unsigned int overwritten; /* bit N-1: the register of argument N */
};

/* Whether instructions are told apart at all. A build for x86-64 may be without the library for it. */
bool instruction__has_decoder(void);

/* Reads the instruction at code, of which there are size bytes. 0; -EILSEQ: there is none. */
int instruction__read(struct instruction *instruction, const uint8_t *code, size_t size);

#define INSTRUCTION_ANYWHERE UINT64_MAX

/*
 * Its text as gdb writes it, cut off at size: "push %rbp"; "" where there is none. address: where it is, so that
 * places which it refers to are absolute; INSTRUCTION_ANYWHERE: they are relative.
 */
void instruction__text(const uint8_t *code, size_t code_size, uint64_t address, char *text,
		       size_t size);

#endif
