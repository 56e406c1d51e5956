// SPDX-License-Identifier: GPL-2.0-only
#include "capture/kernel/kernel.h"

#ifdef __aarch64__

#include <elf.h>
#include <signal.h>
#include <sys/auxv.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define HAS_SIGNATURES (1UL << 30) /* HWCAP_PACA, arch/arm64/include/uapi/asm/hwcap.h */
#define USUAL_MASK     ((1ULL << 48) - 1)

/* struct user_pac_mask, arch/arm64/include/uapi/asm/ptrace.h. */
struct masks {
	uint64_t data, code;
};

static bool wait_for(pid_t child, int *status)
{
	pid_t ended;

	do
		ended = waitpid(child, status, 0);
	while (ended < 0 && errno == EINTR);
	return ended == child;
}

uint64_t address_mask__read(void)
{
	struct masks masks = {.code = ~USUAL_MASK};
	struct iovec place = {.iov_base = &masks, .iov_len = sizeof(masks)};
	pid_t child;
	int status;

	if (!(getauxval(AT_HWCAP) & HAS_SIGNATURES))
		return ~0ULL;
	child = fork();
	if (child < 0)
		return USUAL_MASK;
	if (!child) {
		if (!ptrace(PTRACE_TRACEME, 0, NULL, NULL))
			raise(SIGSTOP);
		_exit(0);
	}
	if (!wait_for(child, &status) ||
	    !WIFSTOPPED(status)) /* debugging is forbidden, and the child has ended */
		return USUAL_MASK;
	if (ptrace(PTRACE_GETREGSET, child, (void *)NT_ARM_PAC_MASK, &place) ||
	    place.iov_len != sizeof(masks))
		masks.code = ~USUAL_MASK;
	kill(child, SIGKILL);
	wait_for(child, &status);
	return ~masks.code;
}

#else

uint64_t address_mask__read(void)
{
	return ~0ULL;
}

#endif
