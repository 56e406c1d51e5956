// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/unprivileged.h"

#include <errno.h>
#include <linux/capability.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY	 65534	    /* the kernel's overflow id, which owns nothing */
#define FIRST_ID 0x70000000 /* from here on nobody hands out ids */
#define NR_IDS	 0x0fffffff

/* What is here when this is gone is nothing: a process's list of descriptors, which nobody can add to. */
static void leave_files(void)
{
	if (!chroot("/proc/self/fdinfo") && chdir("/"))
		_exit(1);
}

/* Each of these helps alone, and may not be ours to do: in a container, without root. */
static uint32_t draw_id(void)
{
	uint32_t number = 0;

	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) != sizeof(number))
		return NOBODY;
	return FIRST_ID + number % NR_IDS;
}

/*
 * By system calls, as there is one thread here: libc would have threads of sanitizers follow, which
 * may not.
 */
static bool become(uint32_t id)
{
	return !syscall(SYS_setresgid, id, id, id) && !syscall(SYS_setresuid, id, id, id);
}

/* An id of its own, so that no other process of it may send signals. */
static void become_nobody(void)
{
	if (geteuid() == 0 && !syscall(SYS_setgroups, 0, NULL) && !become(draw_id()))
		become(NOBODY); /* in a namespace that has but a few ids */
}

static int drop_capabilities(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {0};

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_capset, &header, none))
		return -errno;
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* others of this user shall not trace it */
	return 0;
}

int nobody__become(void)
{
	leave_files();
	become_nobody();
	return drop_capabilities();
}
