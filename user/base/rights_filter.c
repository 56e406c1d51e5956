// SPDX-License-Identifier: GPL-2.0-only
/*
 * What a sampler never does is refused to it, by name. What it does is left to it: the libraries
 * below make their own choice of system calls, which changes with their versions. Readers of foreign
 * bytes, which need little, have filters that name what they may do.
 */
#include <errno.h>
#include <seccomp.h>
#include <stddef.h>

#include "base/rights.h"

/* clang-format off */
static const char *const refused[] = {
	"execve", "execveat",
#ifndef __SANITIZE_ADDRESS__ /* its search for leaks is a ptrace */
	"ptrace",
#endif
	"process_vm_readv", "process_vm_writev", "process_madvise", "pidfd_getfd", "kcmp",
	/* Channels to our own children (socketpair) are no way out. */
	"socket", "connect", "bind", "listen", "accept", "accept4",
	"mount", "umount2", "pivot_root", "chroot", "open_tree", "move_mount", "mount_setattr",
	"fsopen", "fsconfig", "fsmount", "fspick", "setns", "unshare", "mknod", "mknodat",
	/* It does what no filter sees. */
	"io_uring_setup", "io_uring_enter", "io_uring_register",
	"init_module", "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot",
	"swapon", "swapoff", "acct", "quotactl", "quotactl_fd", "syslog", "iopl", "ioperm",
	"sethostname", "setdomainname", "settimeofday", "clock_settime", "clock_adjtime", "adjtimex",
	"add_key", "request_key", "keyctl", "userfaultfd", "fanotify_init", "personality", "vhangup",
};
/* clang-format on */

/* What this machine, or this version of libseccomp, does not know needs no rule. */
static int refuse(scmp_filter_ctx filter, const char *name)
{
	const int call = seccomp_syscall_resolve_name(name);

	return call < 0 ? 0 : seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), call, 0);
}

int rights_filter__install(void)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
	int code = 0;

	if (!filter)
		return -ENOMEM;
	/* Before 5.16 the kernel would slow down a process with a filter, which has no secrets here. */
	seccomp_attr_set(filter, SCMP_FLTATR_CTL_SSB, 1);
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]) && !code; i++)
		code = refuse(filter, refused[i]);
	if (!code)
		code = seccomp_load(filter);
	seccomp_release(filter);
	return code;
}
