// SPDX-License-Identifier: GPL-2.0-only
#include "push/confine.h"

#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/system/rights.h"
#include "base/system/syscall_filter.h"

/* clang-format off */
static const int refused[] = {
	SYS_execve, SYS_execveat,
#ifndef __SANITIZE_ADDRESS__ /* its search for leaks is a ptrace */
	SYS_ptrace,
#endif
	SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_pidfd_getfd, SYS_kcmp,
	SYS_listen, SYS_accept, SYS_accept4,
	SYS_bpf, SYS_perf_event_open,
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount,
	SYS_mount_setattr, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_setns, SYS_unshare,
	SYS_mknodat,
	/* io_uring makes calls that filters do not see. */
	SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
	SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_quotactl_fd, SYS_syslog,
	SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
	SYS_adjtimex, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_userfaultfd, SYS_fanotify_init,
	SYS_personality, SYS_vhangup, SYS_kill, SYS_tkill, SYS_setpriority,
#ifdef __x86_64__
	SYS_mknod, SYS_iopl, SYS_ioperm,
#endif
};
/* clang-format on */

int confine__pusher(struct error *err)
{
	struct syscall_filter filter;
	int code = rights__reduce(0);

	if (!code && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		code = -errno;
	syscall_filter__init(&filter);
	syscall_filter__add(&filter, refused, sizeof(refused) / sizeof(refused[0]),
			    SYSCALL_REFUSED);
	syscall_filter__end(&filter, SYSCALL_ALLOWED);
	if (!code)
		code = syscall_filter__install(&filter, SECCOMP_FILTER_FLAG_SPEC_ALLOW);
	return code ? error__set(err, EXIT_SYSTEM, code, "cannot give up rights") : 0;
}
