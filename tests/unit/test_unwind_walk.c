// SPDX-License-Identifier: GPL-2.0-only
/*
 * Walking real stacks by tables, at every instruction of a program that makes it hard.
 *
 * The truth is not call frame information: it is a shadow stack, kept by watching the program's
 * calls one by one. Where the program switches stacks, it is the return addresses that the program
 * itself reports (see workloads/unwind.c).
 */
#include "unwind/unwind.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "expect.h"
#include "tracee.h"

static int unwind_read(void *context, __u64 address, void *to, __u32 nr_bytes);
static uint64_t unwind_address(uint64_t word);
static bool unwind_has_row(void *rows, uint64_t address);

#include "../../kern/unwind/unwind_code.h"
#include "capture/kernel/kernel.h"
#include "unwind_row.h"

#ifdef UNWIND_HAS_LINK
#define MACHINE_HAS_LINK true
#else
#define MACHINE_HAS_LINK false
#endif

#define MAX_FRAMES  256
#define MAX_STEPS   400000
#define STACK_BYTES 8192

/* The program's memory, with the top of its stack read once a step. */
struct memory {
	const struct tracee *tracee;
	uint64_t start;
	uint8_t bytes[STACK_BYTES];
	size_t nr_bytes;
};

struct walked_stack {
	uint64_t pcs[MAX_FRAMES];
	size_t nr;
	enum unwind_step end;
	bool is_unsure;
};

struct shadow_entry {
	uint64_t
		at; /* of the return address, or what the stack pointer was, where a register has it */
	uint64_t pc;
};

struct shadow {
	struct shadow_entry entries[MAX_FRAMES];
	size_t nr;
	uint64_t
		held_at; /* x86-64: where the last one was popped into a register; 0: it is on the stack */
	struct walked_stack outer; /* main's callers, which stay */
};

/* As struct stop of the workload. */
struct reported_stop {
	uint64_t is_last, nr_frames, frames[8];
};

static uint64_t address_mask;

static uint64_t unwind_address(uint64_t word)
{
	return word & address_mask;
}

static int unwind_read(void *context, __u64 address, void *to, __u32 nr_bytes)
{
	const struct memory *memory = context;
	uint64_t offset = address - memory->start;

	if (offset < memory->nr_bytes && nr_bytes <= memory->nr_bytes - offset) {
		memcpy(to, memory->bytes + offset, nr_bytes);
		return 0;
	}
	return tracee__read(memory->tracee, address, to, nr_bytes);
}

/* Less where the stack ends earlier. */
static void read_stack(struct memory *memory, const struct tracee *tracee)
{
	memory->tracee = tracee;
	memory->start = tracee->registers.sp;
	memory->nr_bytes = STACK_BYTES;
	while (memory->nr_bytes &&
	       tracee__read(tracee, memory->start, memory->bytes, memory->nr_bytes))
		memory->nr_bytes /= 2;
}

static struct unwind_row row_of(const struct tracee *tracee, uint64_t pc)
{
	const struct tracee_mapping *mapping = tracee__find(tracee, pc);

	if (!mapping || !mapping->table)
		return (struct unwind_row){.rules = UNWIND_NONE};
	return *find_row(mapping->table, pc - mapping->bias);
}

/* Finds the caller's row: that of the call before its pc, if there was one. */
static struct unwind_row find_caller_row(const struct tracee *tracee, uint64_t pc)
{
	struct unwind_row row = row_of(tracee, pc - 1);

	return row.rules == UNWIND_NONE ? unwind_row__of_made(row_of(tracee, pc)) : row;
}

static __attribute__((unused)) bool unwind_has_row(void *rows, uint64_t address)
{
	return row_of(rows, address).rules != UNWIND_NONE;
}

/* Where no row speaks, as the program does it. Guesses are not taken. */
static bool find_bare_row(struct memory *memory, const struct unwind_registers *registers,
			  bool is_innermost, struct unwind_row *row)
{
	uint64_t code;

	if (!unwind_read(memory, registers->pc, &code, sizeof(code)) &&
	    unwind_row__of_code(code, registers, memory, row))
		return true;
	return unwind_bare__find(registers, is_innermost, memory, (void *)memory->tracee, row) ==
	       UNWIND_BARE_SURE;
}

static void walk(const struct tracee *tracee, struct walked_stack *stack)
{
	struct unwind_registers registers = tracee->registers;
	static struct memory memory;
	struct unwind_row row = row_of(tracee, registers.pc);
	bool is_bare, sp_was_lost;

	read_stack(&memory, tracee);
	stack->nr = 0;
	stack->end = UNWIND_STEPS;
	stack->is_unsure = false;
	while (stack->nr < MAX_FRAMES) {
		stack->pcs[stack->nr++] = registers.pc;
		is_bare = row.rules == UNWIND_NONE;
		sp_was_lost = registers.sp_lost;
		if (is_bare && !find_bare_row(&memory, &registers, stack->nr == 1, &row))
			row.rules = UNWIND_NONE;
		stack->end = unwind_step(row, &registers, &memory);
		if (sp_was_lost && unwind_step__was_no_record(stack->end, &registers, &memory))
			stack->end = UNWIND_STEP_LOST;
		stack->is_unsure |= unwind_row__is_unsure(row, stack->end, stack->nr - 1);
		if (stack->end > UNWIND_STEP_INTERRUPTED)
			break;
		registers.sp_lost = MACHINE_HAS_LINK && is_bare && stack->end == UNWIND_STEP_CALLER;
		row = stack->end == UNWIND_STEP_CALLER ? find_caller_row(tracee, registers.pc)
						       : row_of(tracee, registers.pc);
	}
}

/* ---- The shadow ---- */

static void push(struct shadow *shadow, uint64_t at, uint64_t pc)
{
	if (shadow->nr < MAX_FRAMES)
		shadow->entries[shadow->nr++] = (struct shadow_entry){at, pc};
}

#ifdef UNWIND_HAS_LINK

#define CODE_BYTES 4

static const uint8_t breakpoint[] = {0, 0, 0x20, 0xd4}; /* brk #0 */

/* The call leaves the stack as it was. */
static void follow_call(struct shadow *shadow, const uint8_t *code,
			const struct unwind_registers *before, const struct tracee *tracee)
{
	uint32_t word;

	memcpy(&word, code, sizeof(word));
	if (unwind_code__is_call(word))
		push(shadow, before->sp, tracee->registers.link);
}

static void follow_signal(struct shadow *shadow, const struct unwind_registers *before,
			  const struct tracee *tracee)
{
	push(shadow, before->sp, before->pc);
	push(shadow, tracee->registers.sp, tracee->registers.link);
}

/* A return leaves a frame; a jump leaves the frames below its target, and that one's callee. */
static void leave(struct shadow *shadow, const uint8_t *code, const struct unwind_registers *now)
{
	const struct shadow_entry *top = shadow->entries + shadow->nr;
	bool jumped = false;

	(void)code;
	for (; shadow->nr && top[-1].at < now->sp; shadow->nr--, top--)
		jumped = true;
	if (shadow->nr && top[-1].at == now->sp && (jumped || top[-1].pc == now->pc))
		shadow->nr--;
}

#else

#define CODE_BYTES 8

static const uint8_t breakpoint[] = {0xcc};

static bool is_call(const uint8_t *code)
{
	while (*code == 0x3e || *code == 0xf2 || *code == 0x66 || (*code & 0xf0) == 0x40)
		code++; /* prefixes */
	return code[0] == 0xe8 || (code[0] == 0xff && (code[1] & 0x38) == 0x10);
}

static uint64_t top_of_stack(const struct tracee *tracee)
{
	uint64_t word = 0;

	tracee__read(tracee, tracee->registers.sp, &word, sizeof(word));
	return word;
}

static void follow_call(struct shadow *shadow, const uint8_t *code,
			const struct unwind_registers *before, const struct tracee *tracee)
{
	if (is_call(code) && tracee->registers.sp == before->sp - 8)
		push(shadow, tracee->registers.sp, top_of_stack(tracee));
}

static void follow_signal(struct shadow *shadow, const struct unwind_registers *before,
			  const struct tracee *tracee)
{
	push(shadow, tracee->registers.sp + 8, before->pc);
	push(shadow, tracee->registers.sp, top_of_stack(tracee));
}

static bool is_pop(const uint8_t *code)
{
	return (code[0] & 0xf8) == 0x58;
}

/*
 * A function that pops its return address, and goes on, keeps it in a register: vfork(), for some
 * instructions.
 */
static bool holds(struct shadow *shadow, const struct shadow_entry *last, const uint8_t *code,
		  const struct unwind_registers *now)
{
	if (last->at + 8 != now->sp || last->pc == now->pc)
		return false;
	if (is_pop(code))
		shadow->held_at = now->pc;
	return shadow->held_at && now->pc - shadow->held_at < 16;
}

static void leave(struct shadow *shadow, const uint8_t *code, const struct unwind_registers *now)
{
	if (shadow->nr && holds(shadow, &shadow->entries[shadow->nr - 1], code, now))
		return;
	shadow->held_at = 0;
	while (shadow->nr && shadow->entries[shadow->nr - 1].at < now->sp)
		shadow->nr--;
}

#endif

/* One instruction. False: the program did not go on. */
static bool step(struct tracee *tracee, struct shadow *shadow)
{
	struct unwind_registers before = tracee->registers;
	uint8_t code[CODE_BYTES] = {0};
	int signal;

	tracee__read(tracee, before.pc, code, sizeof(code));
	signal = tracee__step(tracee, 0);
	if (signal && signal != SIGTRAP) {
		/* The program goes on with its handler, which the kernel called. */
		before = tracee->registers;
		if (tracee__step(tracee, signal) != SIGTRAP)
			return false;
		follow_signal(shadow, &before, tracee);
		return true;
	}
	follow_call(shadow, code, &before, tracee);
	leave(shadow, code, &tracee->registers);
	return signal == SIGTRAP;
}

/* Returns the first frame that differs from the calls; the number of frames if none does. */
static size_t first_difference(const struct walked_stack *stack, const struct shadow *shadow)
{
	size_t i, j;

	for (i = 1; i < stack->nr; i++) {
		if (i <= shadow->nr) {
			if (stack->pcs[i] != shadow->entries[shadow->nr - i].pc)
				break;
			continue;
		}
		j = i - shadow->nr;
		if (j >= shadow->outer.nr || stack->pcs[i] != shadow->outer.pcs[j])
			break;
	}
	return i;
}

static void report(const struct tracee *tracee, const struct walked_stack *stack,
		   const struct shadow *shadow, size_t frame)
{
	uint64_t pc = tracee->registers.pc;
	const struct tracee_mapping *mapping = tracee__find(tracee, pc);

	fprintf(stderr, "at %s %#llx: frame %zu of %zu is %#llx, end %d; shadow has %zu + %zu\n",
		mapping ? mapping->name : "?",
		(unsigned long long)(pc - (mapping ? mapping->bias : 0)), frame, stack->nr,
		frame < stack->nr ? (unsigned long long)stack->pcs[frame] : 0, stack->end,
		shadow->nr, shadow->outer.nr);
}

struct walk_tally {
	unsigned long steps, whole, unsure, wrong, at_leaf, in_linker, in_binding, in_unwinder,
		deepest;
};

static bool is_in(const struct tracee *tracee, uint64_t pc, const char *name)
{
	const struct tracee_mapping *mapping = tracee__find(tracee, pc);

	return mapping && strstr(mapping->name, name);
}

/* Code without rows whose record may be the caller's. */
static bool is_guess(const struct tracee *tracee, const struct walked_stack *stack, size_t frame)
{
	return MACHINE_HAS_LINK && frame == stack->nr && stack->end == UNWIND_STEP_NONE &&
	       row_of(tracee, stack->pcs[frame - 1]).rules == UNWIND_NONE;
}

/* longjmp of aarch64 has loaded its target into the register of a caller, and not its stack yet. */
static bool is_leaving(const struct tracee *tracee, const struct walked_stack *stack, size_t frame)
{
	return MACHINE_HAS_LINK && frame == 1 && stack->end != UNWIND_STEP_END &&
	       is_in(tracee, stack->pcs[0], "libc.so");
}

/* The unwinder is at work, or a function that it copies registers with. */
static bool is_in_unwinder(const struct tracee *tracee, const struct walked_stack *stack)
{
	return is_in(tracee, stack->pcs[0], "libgcc_s") ||
	       (MACHINE_HAS_LINK && stack->nr > 1 && is_in(tracee, stack->pcs[1], "libgcc_s"));
}

/*
 * A walk is never wrong. A walk is whole, but for two places that no row can describe: the
 * instructions before a function has saved its stack pointer elsewhere, and the dynamic linker's
 * lazy binding. In a third place the unwinder of exceptions has overwritten its own return address
 * with the handler's and not yet left: there is no truth about its callers then, and the walk must
 * say so.
 *
 * glibc's lazy binding on aarch64 does not describe the words that the stub before it pushed: at
 * its first instruction the caller is right, and its caller may not be. Before its last one the
 * stack is as the caller had it.
 */
static void judge(const struct tracee *tracee, const struct shadow *shadow,
		  struct walk_tally *tally)
{
	static struct walked_stack stack;
	size_t frame;

	walk(tracee, &stack);
	tally->steps++;
	if (stack.nr > tally->deepest)
		tally->deepest = stack.nr;
	frame = first_difference(&stack, shadow);
	if (frame == stack.nr && stack.end == UNWIND_STEP_END &&
	    stack.nr == shadow->nr + shadow->outer.nr) {
		tally->whole++;
		tally->unsure += stack.is_unsure;
	} else if (frame == stack.nr && stack.end == UNWIND_STEP_OTHER &&
		   is_in(tracee, stack.pcs[stack.nr - 1], "ld-linux")) {
		tally->in_linker++;
	} else if ((frame == stack.nr && stack.end == UNWIND_STEP_OTHER && stack.nr == 1) ||
		   is_leaving(tracee, &stack, frame) || is_guess(tracee, &stack, frame)) {
		tally->at_leaf++;
	} else if (MACHINE_HAS_LINK && is_in(tracee, stack.pcs[0], "ld-linux") &&
		   (frame > 1 || stack.end != UNWIND_STEP_END)) {
		tally->in_binding++;
	} else if (is_in_unwinder(tracee, &stack) &&
		   (stack.is_unsure || stack.end != UNWIND_STEP_END)) {
		tally->in_unwinder++;
	} else if (tally->wrong++ < 10) {
		report(tracee, &stack, shadow, frame);
	}
}

static struct reported_stop read_stop(const struct tracee *tracee)
{
	struct reported_stop stop = {0};

	EXPECT_EQ(tracee__read(tracee, tracee->result, &stop, sizeof(stop)), 0);
	return stop;
}

static bool is_breakpoint(const struct tracee *tracee)
{
	uint8_t code[sizeof(breakpoint)];

	return !tracee__read(tracee, tracee->registers.pc, code, sizeof(code)) &&
	       !memcmp(code, breakpoint, sizeof(code));
}

/* Up to the next breakpoint of the program, instruction by instruction. */
static void step_through(struct tracee *tracee, struct walk_tally *tally)
{
	static struct shadow shadow;

	shadow.nr = 0;
	shadow.held_at = 0;
	walk(tracee, &shadow.outer);
	EXPECT_EQ(shadow.outer.end, UNWIND_STEP_END);
	EXPECT_EQ(shadow.outer.pcs[1], read_stop(tracee).frames[0]);
	while (tally->steps < MAX_STEPS && !is_breakpoint(tracee)) {
		if (!step(tracee, &shadow)) {
			EXPECT(!"the program ended");
			return;
		}
		judge(tracee, &shadow, tally);
	}
	EXPECT_EQ(shadow.nr, 0);
}

/* Checks stops on stacks of other kinds against the program's reports, then goes on to an end. */
static void check_stops(struct tracee *tracee, unsigned int nr_wanted)
{
	static struct walked_stack stack;
	unsigned int nr_stops = 0;
	struct reported_stop stop;
	size_t i;
	int signal = 0;

	for (;;) {
		signal = tracee__continue(tracee, signal == SIGTRAP ? 0 : signal);
		if (signal != SIGTRAP) {
			EXPECT_EQ(signal, SIGUSR1);
			if (signal == SIGUSR1)
				continue;
			return;
		}
		stop = read_stop(tracee);
		if (stop.is_last)
			break;
		walk(tracee, &stack);
		EXPECT_EQ(stack.end, UNWIND_STEP_END);
		EXPECT(stack.nr > stop.nr_frames);
		for (i = 0; i < stop.nr_frames; i++)
			EXPECT_EQ(stack.pcs[i + 1], stop.frames[i]);
		nr_stops++;
	}
	EXPECT_EQ(nr_stops, nr_wanted);
}

static const char *workload_path(const char *name)
{
	static char path[4096];
	ssize_t length = readlink("/proc/self/exe", path, sizeof(path) - 64);
	char *slash;

	path[length > 0 ? length : 0] = '\0';
	slash = strrchr(path, '/');
	if (slash)
		snprintf(slash, 64, "/../workloads/%s", name);
	return path;
}

static void walk_program(const char *name, unsigned int nr_stops, struct walk_tally *tally)
{
	static struct tracee tracee;

	*tally = (struct walk_tally){0};
	if (!tracee__start(&tracee, workload_path(name)) ||
	    tracee__continue(&tracee, 0) != SIGTRAP) {
		EXPECT(!"the program can be traced");
		tracee__end(&tracee);
		return;
	}
	tracee__read_mappings(&tracee);
	step_through(&tracee, tally);
	check_stops(&tracee, nr_stops);
	tracee__end(&tracee);
	fprintf(stderr,
		"%s: %lu instructions, %lu whole, %lu of them unsure, %lu wrong, %lu at a leaf, "
		"%lu in the linker, %lu at lazy binding, %lu in the unwinder; at most %lu frames\n",
		name, tally->steps, tally->whole, tally->unsure, tally->wrong, tally->at_leaf,
		tally->in_linker, tally->in_binding, tally->in_unwinder, tally->deepest);
	EXPECT(tally->steps > 5000);
	EXPECT_EQ(tally->wrong, 0);
	EXPECT(tally->at_leaf < (MACHINE_HAS_LINK ? 60 : 40));
	EXPECT(tally->in_binding < tally->steps / 200);
}

/* main, coroutine, alternate signal stack, thread */
#define ALL_STOPS 4

static void test_bound_at_start(void)
{
	struct walk_tally tally;

	setenv("LD_BIND_NOW", "1", 1);
	walk_program("unwind", ALL_STOPS, &tally);
	unsetenv("LD_BIND_NOW");
	EXPECT_EQ(tally.in_linker, 0);
	EXPECT_EQ(tally.whole + tally.at_leaf, tally.steps);
}

static void test_bound_lazily(void)
{
	struct walk_tally tally;

	walk_program("unwind_cet", ALL_STOPS, &tally);
	EXPECT((MACHINE_HAS_LINK ? tally.in_binding : tally.in_linker) > 0);
}

static void test_static(void)
{
	struct walk_tally tally;

	walk_program("unwind_static", ALL_STOPS, &tally);
	EXPECT_EQ(tally.whole + tally.at_leaf, tally.steps);
}

static void test_stripped(void)
{
	struct walk_tally tally;

	walk_program("unwind_stripped", ALL_STOPS, &tally);
}

static void test_exceptions(void)
{
	struct walk_tally tally;

	walk_program("unwind_exceptions", 1, &tally);
	EXPECT(tally.whole > 10000);
	EXPECT(tally.unsure <
	       tally.whole / (MACHINE_HAS_LINK ? 5 : 10)); /* a function may have called, or not */
	EXPECT(tally.in_unwinder < tally.steps / (MACHINE_HAS_LINK ? 20 : 50));
}

int main(void)
{
	static const struct test tests[] = {
		{"bound at start", test_bound_at_start},
		{"with -fcf-protection, bound lazily", test_bound_lazily},
		{"linked statically", test_static},
		{"stripped", test_stripped},
		{"exceptions in flight", test_exceptions},
		{0},
	};

	address_mask = address_mask__read();
	return run_tests("unwind_walk", tests);
}
