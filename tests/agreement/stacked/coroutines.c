// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs coroutines on stacks of their own: those of the C library, and those of an assembly that
 * says nothing of frames.
 */
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#define FRAME	    __attribute__((noinline))
#define STACK_BYTES 65536

static volatile unsigned int sink;
static ucontext_t outside, inside;
static void *outer, *inner;

/*
 * Changes from one stack to another, as libraries of fibers do it. Each stack keeps the registers
 * of its code.
 */
void switch_stack(void **from, void *to);
__asm__("	.text\n"
	"	.type switch_stack, @function\n"
	"switch_stack:\n"
	"	push %rbp\n	push %rbx\n	push %r12\n	push %r13\n	push %r14\n	"
	"push %r15\n"
	"	mov %rsp, (%rdi)\n"
	"	mov %rsi, %rsp\n"
	"	pop %r15\n	pop %r14\n	pop %r13\n	pop %r12\n	pop %rbx\n	"
	"pop %rbp\n"
	"	ret\n"
	"	.size switch_stack, . - switch_stack\n");

FRAME static unsigned int leaf(unsigned int n)
{
	for (unsigned int i = 0; i < 50; i++)
		n = n * 1103515245 + 12345;
	return n;
}

FRAME static unsigned int descend(unsigned int depth, unsigned int n)
{
	return depth ? descend(depth - 1, n) + 1 : leaf(n);
}

static void on_context(void)
{
	for (;;) {
		sink += descend(3, sink);
		swapcontext(&inside, &outside);
	}
}

static void on_own_stack(void)
{
	for (;;) {
		sink += descend(4, sink);
		switch_stack(&inner, outer);
	}
}

/* Makes a stack on which begin() runs first. Its return address is 0, as it has no caller. */
static void *new_stack(void (*begin)(void))
{
	uintptr_t *top = (uintptr_t *)((char *)aligned_alloc(64, STACK_BYTES) + STACK_BYTES);

	top[-1] = 0;
	top[-2] = 0; /* the return address */
	top[-3] = (uintptr_t)begin;
	for (int i = 4; i < 10; i++)
		top[-i] = 0;
	return top - 9;
}

int main(void)
{
	getcontext(&inside);
	inside.uc_stack.ss_sp = aligned_alloc(64, STACK_BYTES);
	inside.uc_stack.ss_size = STACK_BYTES;
	inside.uc_link = &outside;
	makecontext(&inside, on_context, 0);
	inner = new_stack(on_own_stack);
	for (;;) {
		swapcontext(&outside, &inside);
		sink += descend(2, sink);
		switch_stack(&outer, inner);
	}
}
