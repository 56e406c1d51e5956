// SPDX-License-Identifier: GPL-2.0-only
// cflags: -O2 -fomit-frame-pointer -fno-stack-protector
/*
 * unwind: makes one call of everything that makes a stack hard to walk without frame pointers.
 *
 * A debugger steps it, instruction by instruction, from its first breakpoint to its last (stop.h).
 * Without a debugger it dies of the first.
 */
#include "stop.h"
#include "workload.h"

#include <alloca.h>
#include <ctype.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <ucontext.h>
#include <unistd.h>

static struct stop stop;
static volatile int sink;
static volatile int zero;

#define RETURN_ADDRESS() __builtin_extract_return_addr(__builtin_return_address(0))

static FRAME int recurse(int depth)
{
	int result = depth ? recurse(depth - 1) + 1 : sink;

	KEEP_FRAME();
	return result;
}

/* The caller leaves by a jump to this function, so that the caller's caller is the next frame. */
static FRAME int tail_target(int value)
{
	return value + sink;
}

static FRAME int tail_call(int value)
{
	if (value > 100)
		return recurse(2);
	return tail_target(value * 3);
}

static FRAME int sum_of(int nr, ...)
{
	va_list values;
	int sum = 0;

	va_start(values, nr);
	while (nr--)
		sum += va_arg(values, int);
	va_end(values);
	KEEP_FRAME();
	return sum;
}

static FRAME int on_stack(size_t nr_bytes)
{
	char *bytes = alloca(nr_bytes);

	memset(bytes, sink, nr_bytes);
	sink = bytes[nr_bytes / 2];
	return recurse(3) + bytes[0];
}

/* The compiler realigns the stack; with alloca beside it, through another register. */
static FRAME int aligned(size_t nr_bytes)
{
	_Alignas(64) volatile char block[192];
	char *bytes = alloca(nr_bytes);

	block[0] = (char)sink;
	bytes[0] = block[0];
	sink = bytes[zero];
	return recurse(2) + block[zero];
}

static FRAME int aligned_only(int value)
{
	_Alignas(64) volatile char block[64];

	block[0] = (char)value;
	return recurse(2) + block[zero];
}

static FRAME int large_frame(int value)
{
	volatile char block[100000];

	block[0] = (char)value;
	block[sizeof(block) - 1] = block[0];
	return recurse(2) + block[zero];
}

static FRAME int huge_frame(int value)
{
	volatile char block[600000];

	block[0] = (char)value;
	block[sizeof(block) - 1] = block[0];
	return recurse(2) + block[zero];
}

static FRAME int compare(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	sink = recurse(1);
	KEEP_FRAME();
	return (a > b) - (a < b);
}

static FRAME int through_the_library(void)
{
	int numbers[] = {5, 3, 9, 1, 7, 2, 8};
	int key = 7;
	char text[128];

	qsort(numbers, 7, sizeof(*numbers), compare);
	sink = bsearch(&key, numbers, 7, sizeof(*numbers), compare) != NULL;
	snprintf(text, sizeof(text), "%s %d %.3f %#x", "text", key, 3.5 * key, 255u);
	return (int)strlen(text);
}

static FRAME void once(void)
{
	sink = recurse(2);
	KEEP_FRAME();
}

/* Each call goes through a stub, and the first of each function through the dynamic linker. */
static FRAME int through_stubs(void)
{
	char text[32] = "text";
	int sum = 0, i;

	for (i = 0; i < 12; i++) {
		sum += (int)strlen(text) + atoi("12") + abs((int)getppid());
		sum += (int)getpid() + isatty(-1) + strcmp(text, "test") + toupper('a' + i);
	}
	return sum;
}

/*
 * Forks by vfork(). For a while the return address is in a register, as the child shares the stack.
 */
static FRAME int forked(void)
{
	pid_t child = vfork();

	if (!child)
		_exit(0);
	KEEP_FRAME();
	return child > 0;
}

/*
 * Calls the vdso. On aarch64 clock_gettime() waits there until no tick comes between its steps,
 * which a slow machine does not live to see.
 */
static FRAME void call_vdso(void)
{
	struct timespec now;

#ifdef __aarch64__
	sink = clock_getres(CLOCK_MONOTONIC, &now);
#else
	sink = clock_gettime(CLOCK_MONOTONIC, &now);
#endif
	KEEP_FRAME();
}

static jmp_buf back;

static FRAME __attribute__((noreturn)) void leave(int value)
{
	longjmp(back, value + 1);
}

/* Ends with a call, so that the return address lies behind its end. */
static FRAME __attribute__((noreturn)) void call_last(int value)
{
	sink = value;
	leave(value);
}

static FRAME int jump(void)
{
	if (!setjmp(back))
		call_last(3);
	KEEP_FRAME();
	return recurse(1);
}

static FRAME void on_signal(int number)
{
	sink = number + recurse(2);
	KEEP_FRAME();
}

static FRAME void interrupted(void)
{
	raise(SIGUSR2);
	KEEP_FRAME();
}

/*
 * This function is written by hand, as in cryptographic code: pushes, a frame in rbp, and all of it
 * declared.
 */
int by_hand(int value);
#ifdef __aarch64__
__asm__(".text\n"
	".type by_hand, %function\n"
	"by_hand:\n"
	"	.cfi_startproc\n"
	"	stp x29, x30, [sp, #-48]!\n"
	"	.cfi_adjust_cfa_offset 48\n"
	"	.cfi_offset x29, -48\n"
	"	.cfi_offset x30, -40\n"
	"	str x19, [sp, #16]\n"
	"	.cfi_offset x19, -32\n"
	"	mov x29, sp\n"
	"	.cfi_def_cfa_register x29\n"
	"	sub x9, sp, #104\n"
	"	and sp, x9, #-64\n"
	"	mov w19, #0\n"
	"1:	add w19, w19, #1\n"
	"	cmp w19, #3\n"
	"	b.ne 1b\n"
	"	add w0, w0, w19\n"
	"	mov sp, x29\n"
	"	.cfi_def_cfa_register sp\n"
	"	ldr x19, [sp, #16]\n"
	"	.cfi_restore x19\n"
	"	ldp x29, x30, [sp], #48\n"
	"	.cfi_adjust_cfa_offset -48\n"
	"	.cfi_restore x29\n"
	"	.cfi_restore x30\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size by_hand, .-by_hand\n"
	/*
	 * These have no call frame information: a leaf, and a function that keeps a frame record,
	 * as OpenSSL's routines do.
	 */
	".type bare_leaf, %function\n"
	"bare_leaf:\n"
	"	mov w0, #1\n"
	"	add w0, w0, #2\n"
	"	ret\n"
	".size bare_leaf, .-bare_leaf\n"
	".type odd_frame, %function\n"
	"odd_frame:\n"
	"	stp x29, x30, [sp, #-32]!\n"
	"	mov x29, sp\n"
	"	bl bare_leaf\n"
	"	sub w0, w0, #3\n"
	"	mov x30, #5\n" /* a number, as it is saved */
	"	add x0, x0, x30\n"
	"	ldp x29, x30, [sp], #32\n"
	"	ret\n"
	".size odd_frame, .-odd_frame\n");
#else
__asm__(".text\n"
	".type by_hand, @function\n"
	"by_hand:\n"
	"	.cfi_startproc\n"
	"	push %rbx\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_offset %rbx, -16\n"
	"	push %rbp\n"
	"	.cfi_adjust_cfa_offset 8\n"
	"	.cfi_offset %rbp, -24\n"
	"	mov %rsp, %rbp\n"
	"	.cfi_def_cfa_register %rbp\n"
	"	sub $104, %rsp\n"
	"	and $-64, %rsp\n"
	"	mov $0, %ebx\n"
	"1:	lea 1(%rbx), %ebx\n"
	"	cmp $3, %ebx\n"
	"	jne 1b\n"
	"	lea (%rbx,%rdi), %eax\n"
	"	mov %rbp, %rsp\n"
	"	.cfi_def_cfa_register %rsp\n"
	"	pop %rbp\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	.cfi_restore %rbp\n"
	"	pop %rbx\n"
	"	.cfi_adjust_cfa_offset -8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size by_hand, .-by_hand\n"
	/* The old stack pointer lies in the frame itself, as OpenSSL's routines have it. */
	".type odd_frame, @function\n"
	"odd_frame:\n"
	"	.cfi_startproc\n"
	"	mov %rsp, %rax\n"
	"	.cfi_def_cfa_register %rax\n"
	"	sub $128, %rsp\n"
	"	and $-64, %rsp\n"
	"	mov %rax, 40(%rsp)\n"
	"	.cfi_escape 0x0f, 5, 0x77, 40, 0x06, 0x23, 8\n"
	"	xor %eax, %eax\n"
	"	nop\n"
	"	mov 40(%rsp), %rcx\n"
	"	mov %rcx, %rsp\n"
	"	.cfi_def_cfa %rsp, 8\n"
	"	ret\n"
	"	.cfi_endproc\n"
	".size odd_frame, .-odd_frame\n");
#endif
int odd_frame(void);

/*
 * Has a frame record, as nearly all code of aarch64. By that the walk finds this function from code
 * without rows.
 */
static FRAME __attribute__((optimize("no-omit-frame-pointer"))) int call_odd_frame(void)
{
	int result = odd_frame();

	KEEP_FRAME();
	return result;
}

static ucontext_t outside, inside;

static FRAME void coroutine_leaf(void *caller)
{
	stop.frames[0] = RETURN_ADDRESS();
	stop.frames[1] = caller;
	stop.nr_frames = 2;
	STOP();
	KEEP_FRAME();
}

static FRAME void coroutine(void)
{
	coroutine_leaf(RETURN_ADDRESS());
	swapcontext(&inside, &outside);
}

static FRAME void run_coroutine(void)
{
	static char stack[65536];

	getcontext(&inside);
	inside.uc_stack.ss_sp = stack;
	inside.uc_stack.ss_size = sizeof(stack);
	makecontext(&inside, coroutine, 0);
	swapcontext(&outside, &inside);
	KEEP_FRAME();
}

static FRAME void on_other_stack(int number)
{
	(void)number;
	stop.frames[0] = RETURN_ADDRESS();
	stop.nr_frames = 1;
	STOP();
	KEEP_FRAME();
}

static FRAME void interrupted_elsewhere(void)
{
	static char stack[65536];
	const stack_t other = {.ss_sp = stack, .ss_size = sizeof(stack)};
	struct sigaction action = {.sa_handler = on_other_stack, .sa_flags = SA_ONSTACK};

	sigaltstack(&other, NULL);
	sigaction(SIGUSR1, &action, NULL);
	raise(SIGUSR1);
	KEEP_FRAME();
}

static FRAME void *in_thread(void *unused)
{
	(void)unused;
	stop.frames[0] = RETURN_ADDRESS();
	stop.nr_frames = 1;
	STOP();
	KEEP_FRAME();
	return NULL;
}

int main(void)
{
	struct sigaction action = {.sa_handler = on_signal};
	pthread_once_t once_control = PTHREAD_ONCE_INIT;
	pthread_t thread;
	sigset_t children;

	die_with_parent();
	alarm(600);
	sigaction(SIGUSR2, &action, NULL);
	sigemptyset(&children);
	sigaddset(&children, SIGCHLD);
	sigprocmask(SIG_BLOCK, &children, NULL); /* which the debugger would have to pass on */

	stop.frames[0] = RETURN_ADDRESS();
	stop.nr_frames = 1;
	STOP(); /* from here on step by step */
	sink = recurse(12) + tail_call(2) + tail_call(200);
	sink = sum_of(7, 1, 2, 3, 4, 5, 6, 7) + on_stack(sink + 300);
	sink = aligned((size_t)sink + 40) + aligned_only(3) + large_frame(3) + huge_frame(3);
	sink = through_the_library();
	pthread_once(&once_control, once);
	sink = jump() + by_hand(3) + call_odd_frame() + through_stubs() + forked();
	interrupted();
	call_vdso();
	stop.nr_frames = 0;
	STOP(); /* to here */

	run_coroutine();
	interrupted_elsewhere();
	pthread_create(&thread, NULL, in_thread, NULL);
	pthread_join(thread, NULL);
	stop = (struct stop){.is_last = 1};
	STOP();
	return 0;
}
