// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs the job of reading lines, on debug information that means harm, with debug files, a file
 * that these share, and files that were split from them. In any case an address has some places,
 * and each of them is text.
 *
 * libdw is not ours, and reads beyond its input. Where it crashes, only a reader crashes. So a
 * crash in it is an end as good as any, and the sanitizers do not judge it.
 */
#include <dlfcn.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include "own_reader.h"
#include "readers/readers.h"
#include "readers/source_lines.h"

#define NR_ADDRESSES 256
#define SPACING	     16

/* ---- files that libdw opens by itself ---- */

/*
 * Calls the handler of a reader's open(). There open() is a signal, whose handler asks for the
 * file; here the handler is called without one.
 */
static int open_split(const char *path)
{
	struct sigaction action;
	ucontext_t context = {0};
	greg_t result;

	require(!sigaction(SIGSYS, NULL, &action) && (action.sa_flags & SA_SIGINFO));
	context.uc_mcontext.gregs[REG_RSI] = (greg_t)(uintptr_t)path;
	action.sa_sigaction(SIGSYS, NULL, &context);
	result = context.uc_mcontext.gregs[REG_RAX];
	if (result >= 0)
		return (int)result;
	errno = (int)-result;
	return -1;
}

static int open_any(const char *path, int flags, va_list arguments)
{
	const unsigned int mode = flags & O_CREAT ? va_arg(arguments, unsigned int) : 0;

	if (own_reader.is_reading)
		return open_split(path);
	return (int)syscall(SYS_openat, AT_FDCWD, path, flags, mode);
}

int open(const char *path, int flags, ...)
{
	va_list arguments;
	int fd;

	va_start(arguments, flags);
	fd = open_any(path, flags, arguments);
	va_end(arguments);
	return fd;
}

int open64(const char *path, int flags, ...)
{
	va_list arguments;
	int fd;

	va_start(arguments, flags);
	fd = open_any(path, flags, arguments);
	va_end(arguments);
	return fd;
}

/* ---- crashes of libdw ---- */

const char *__asan_default_options(void);

/* Keeps sanitizers out of functions of libc, which libdw also calls. */
const char *__asan_default_options(void)
{
	return "replace_str=0:replace_intrin=0:intercept_strlen=0:detect_leaks=0:"
	       "allow_user_segv_handler=1";
}

/* These are global, as a handler of signals has no context of ours. */
static sigjmp_buf after_crash;
static struct sigaction on_other_crash;

static bool is_of_library(const ucontext_t *context)
{
	const void *at = (const void *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP];
	Dl_info info;

	return own_reader.is_reading && dladdr(at, &info) && info.dli_fname &&
	       (strstr(info.dli_fname, "libdw") || strstr(info.dli_fname, "libelf") ||
		strstr(info.dli_fname, "libc."));
}

static void on_crash(int number, siginfo_t *info, void *context)
{
	if (is_of_library(context))
		siglongjmp(after_crash, 1);
	if (on_other_crash.sa_flags & SA_SIGINFO)
		on_other_crash.sa_sigaction(number, info, context);
	abort();
}

static void bear_crashes(void)
{
	const struct sigaction action = {.sa_sigaction = on_crash,
					 .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};

	if (on_other_crash.sa_flags)
		return;
	require(!sigaction(SIGSEGV, &action, &on_other_crash));
	on_other_crash.sa_flags |= SA_RESTART; /* marks it as known */
}

/*
 * Returns true if the job came to an end by itself; if not, its files are closed, and its memory is
 * lost.
 */
static bool survives(int addresses, const struct lines_request *request, struct own_answer *answer)
{
	const int lowest = dup(addresses);

	bear_crashes();
	if (sigsetjmp(after_crash, 1)) {
		own_reader.is_reading = false;
		close_range((unsigned int)lowest, ~0U, 0);
		return false;
	}
	*answer = run_job(job__lines, addresses, request, sizeof(*request));
	close(lowest);
	return true;
}

/* ---- the target ---- */

static int check(void *context, size_t address, const struct source_place *places, size_t nr_places)
{
	uint8_t *is_told = context;

	require(address < NR_ADDRESSES && !is_told[address]++);
	require(nr_places > 0 && nr_places <= MAX_PLACES);
	for (size_t i = 0; i < nr_places; i++) {
		require(!places[i].function || strlen(places[i].function) < MAX_PLACE_BYTES);
		require(!places[i].file || strlen(places[i].file) < MAX_PLACE_BYTES);
	}
	return 0;
}

/* Returns the first address that is asked for: where the entry is, or 0. Any other is as good. */
static uint64_t first_address(const struct input_part *part)
{
	uint64_t address = 0;

	if (part->nr_bytes >= sizeof(Elf64_Ehdr))
		memcpy(&address, part->bytes + offsetof(Elf64_Ehdr, e_entry), sizeof(address));
	address &= ~(uint64_t)(SPACING - 1);
	return address < UINT64_MAX - NR_ADDRESSES * SPACING ? address : 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct lines_request request = {.nr_addresses = NR_ADDRESSES};
	uint64_t addresses[NR_ADDRESSES];
	uint8_t is_told[NR_ADDRESSES] = {0};
	const struct place_taker taker = {check, is_told};
	struct own_answer answer;
	int file;

	own_reader.nr_parts = parts_of(data, size, own_reader.parts);
	if (!own_reader.nr_parts)
		return 0;
	for (size_t i = 0; i < NR_ADDRESSES; i++)
		addresses[i] = first_address(&own_reader.parts[0]) + i * SPACING;
	file = file_of(addresses, sizeof(addresses));
	if (survives(file, &request, &answer)) {
		source_lines__each(&(struct reader_answer){answer.bytes, answer.nr_bytes},
				   NR_ADDRESSES, &taker);
		free(answer.bytes);
	}
	close(file);
	return 0;
}
