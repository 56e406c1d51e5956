// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/syscall_filter.h"

#include <linux/audit.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define MACHINE AUDIT_ARCH_AARCH64
#else
#error "whose numbers are they?"
#endif

#define X32 0x40000000U /* bit of x32 calls, which have the same machine */

#define LOW_HALF(argument) \
	(offsetof(struct seccomp_data, args) + (argument) * sizeof(uint64_t)) /* little-endian */

/* clang-format off */
static const int needless[] = {
	SYS_execve, SYS_execveat,
#ifndef __SANITIZE_ADDRESS__ /* its leak detector uses ptrace */
	SYS_ptrace,
#endif
	SYS_process_vm_readv, SYS_process_vm_writev, SYS_process_madvise, SYS_pidfd_getfd, SYS_kcmp,
	SYS_listen, SYS_accept, SYS_accept4,
	SYS_mount, SYS_umount2, SYS_pivot_root, SYS_chroot, SYS_open_tree, SYS_move_mount,
	SYS_mount_setattr, SYS_fsopen, SYS_fsconfig, SYS_fsmount, SYS_fspick, SYS_setns, SYS_unshare,
	SYS_mknodat,
	/* io_uring makes calls that filters do not see. */
	SYS_io_uring_setup, SYS_io_uring_enter, SYS_io_uring_register,
	SYS_init_module, SYS_finit_module, SYS_delete_module, SYS_kexec_load, SYS_kexec_file_load,
	SYS_reboot, SYS_swapon, SYS_swapoff, SYS_acct, SYS_quotactl, SYS_quotactl_fd, SYS_syslog,
	SYS_sethostname, SYS_setdomainname, SYS_settimeofday, SYS_clock_settime, SYS_clock_adjtime,
	SYS_adjtimex, SYS_add_key, SYS_request_key, SYS_keyctl, SYS_userfaultfd, SYS_fanotify_init,
	SYS_personality, SYS_vhangup,
#ifdef __x86_64__
	SYS_mknod, SYS_iopl, SYS_ioperm,
#endif
};
/* clang-format on */

static void step(struct syscall_filter *filter, struct sock_filter next)
{
	if (filter->nr < SYSCALL_FILTER_MAX_STEPS)
		filter->steps[filter->nr] = next;
	filter->nr++;
}

static void load(struct syscall_filter *filter, size_t offset)
{
	step(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned int)offset));
}

/* if_true and if_false: number of steps to skip. */
static void jump(struct syscall_filter *filter, uint16_t comparison, uint32_t value,
		 uint8_t if_true, uint8_t if_false)
{
	step(filter,
	     (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, if_true, if_false));
}

static void give(struct syscall_filter *filter, uint32_t verdict)
{
	step(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, verdict));
}

void syscall_filter__init_above(struct syscall_filter *filter)
{
	filter->nr = 0;
	load(filter, offsetof(struct seccomp_data, nr));
}

void syscall_filter__init(struct syscall_filter *filter)
{
	filter->nr = 0;
	load(filter, offsetof(struct seccomp_data, arch));
	jump(filter, BPF_JEQ, MACHINE, 1, 0);
	give(filter, SYSCALL_REFUSED);
	load(filter, offsetof(struct seccomp_data, nr));
	jump(filter, BPF_JGE, X32, 0, 1);
	give(filter, SYSCALL_REFUSED);
}

void syscall_filter__add(struct syscall_filter *filter, const int *calls, size_t nr_calls,
			 uint32_t verdict)
{
	for (size_t i = 0; i < nr_calls; i++) {
		jump(filter, BPF_JEQ, (uint32_t)calls[i], 0, 1);
		give(filter, verdict);
	}
}

void syscall_filter__refuse_needless(struct syscall_filter *filter)
{
	syscall_filter__add(filter, needless, sizeof(needless) / sizeof(needless[0]),
			    SYSCALL_REFUSED);
}

void syscall_filter__refuse_bits(struct syscall_filter *filter, int call, unsigned int argument,
				 uint32_t bits)
{
	jump(filter, BPF_JEQ, (uint32_t)call, 0, 4);
	load(filter, LOW_HALF(argument));
	jump(filter, BPF_JSET, bits, 0, 1);
	give(filter, SYSCALL_REFUSED);
	load(filter, offsetof(struct seccomp_data, nr));
}

void syscall_filter__allow_values(struct syscall_filter *filter, int call, unsigned int argument,
				  const int *values, size_t nr_values)
{
	jump(filter, BPF_JEQ, (uint32_t)call, 0, (uint8_t)(2 * nr_values + 2));
	load(filter, LOW_HALF(argument));
	syscall_filter__add(filter, values, nr_values, SYSCALL_ALLOWED);
	give(filter, SYSCALL_REFUSED);
}

void syscall_filter__end(struct syscall_filter *filter, uint32_t verdict)
{
	give(filter, verdict);
}

int syscall_filter__install(const struct syscall_filter *filter, unsigned int flags)
{
	const struct sock_fprog program = {.len = (unsigned short)filter->nr,
					   .filter = (struct sock_filter *)filter->steps};

	if (filter->nr > SYSCALL_FILTER_MAX_STEPS)
		return -E2BIG;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return -errno;
	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &program) ? -errno : 0;
}
