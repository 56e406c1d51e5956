// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/unprivileged.h"
#include "base/common.h"

#include <linux/capability.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NOBODY	 65534	    /* the kernel's overflow id, which owns nothing */
#define FIRST_ID 0x70000000 /* ids from here on are not assigned to users */
#define NR_IDS	 0x0fffffff

/*
 * Uses raw system calls: there is one thread, and libc would try to change a sanitizer's threads,
 * which are not permitted to.
 */
static bool become(uint32_t id)
{
	return !syscall(SYS_setresgid, id, id, id) && !syscall(SYS_setresuid, id, id, id);
}

/* In a container or without root the first steps may fail, but each of them helps alone. */
int unprivileged__become(void)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct none[2] = {0};
	uint32_t number, id = NOBODY;

	/*
	 * The new root is empty after the process's end: its own list of descriptors, to which no
	 * process can add a file.
	 */
	if (!chroot("/proc/self/fdinfo") && chdir("/"))
		_exit(1);

	/* With an id of its own, it gets no signals from other such processes. */
	if (getrandom(&number, sizeof(number), GRND_NONBLOCK) == sizeof(number))
		id = FIRST_ID + number % NR_IDS;
	if (geteuid() == 0 && !syscall(SYS_setgroups, 0, NULL) && !become(id))
		become(NOBODY); /* a user namespace may have few ids */

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || syscall(SYS_capset, &header, none))
		return -errno;
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* other processes of this user must not trace it */
	return 0;
}
