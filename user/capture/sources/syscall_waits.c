// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sources/syscall_waits.h"

#include <sys/syscall.h>

#include "topstacks/waits.h"

/* Headers may lack the newer calls, whose numbers are the same on all architectures. */
#ifndef SYS_epoll_pwait2
#define SYS_epoll_pwait2 441
#endif
#ifndef SYS_futex_waitv
#define SYS_futex_waitv 449
#endif
#define SYSCALL_FUTEX_WAIT 455 /* 6.7 (cb8c4312afca) */

/*
 * Calls that read or write wait for whatever their file is. Calls that name files by path wait for
 * the file system.
 */
static const struct {
	uint16_t number;
	uint8_t kind;
} known[] = {
	{SYS_futex, WAIT_FOR_LOCK},
	{SYS_futex_waitv, WAIT_FOR_LOCK},
	{SYSCALL_FUTEX_WAIT, WAIT_FOR_LOCK},
	{SYS_flock, WAIT_FOR_LOCK},
	{SYS_fcntl, WAIT_FOR_LOCK},
	{SYS_semop, WAIT_FOR_LOCK},
	{SYS_semtimedop, WAIT_FOR_LOCK},
	/* These wait for the lock of the process's mappings. */
	{SYS_mmap, WAIT_FOR_LOCK},
	{SYS_munmap, WAIT_FOR_LOCK},
	{SYS_mprotect, WAIT_FOR_LOCK},
	{SYS_mremap, WAIT_FOR_LOCK},
	{SYS_brk, WAIT_FOR_LOCK},
	{SYS_madvise, WAIT_FOR_LOCK},
	{SYS_mlock, WAIT_FOR_LOCK},
	{SYS_munlock, WAIT_FOR_LOCK},

	{SYS_ppoll, WAIT_FOR_POLL},
	{SYS_pselect6, WAIT_FOR_POLL},
	{SYS_epoll_pwait, WAIT_FOR_POLL},
	{SYS_epoll_pwait2, WAIT_FOR_POLL},
	{SYS_io_uring_enter, WAIT_FOR_POLL},
#ifdef SYS_poll
	{SYS_poll, WAIT_FOR_POLL},
	{SYS_select, WAIT_FOR_POLL},
	{SYS_epoll_wait, WAIT_FOR_POLL},
#endif

	{SYS_nanosleep, WAIT_FOR_SLEEP},
	{SYS_clock_nanosleep, WAIT_FOR_SLEEP},
	{SYS_restart_syscall, WAIT_FOR_SLEEP},
	{SYS_rt_sigsuspend, WAIT_FOR_SLEEP},
	{SYS_rt_sigtimedwait, WAIT_FOR_SLEEP},
#ifdef SYS_pause
	{SYS_pause, WAIT_FOR_SLEEP},
#endif

	{SYS_wait4, WAIT_FOR_CHILD},
	{SYS_waitid, WAIT_FOR_CHILD},
	{SYS_clone, WAIT_FOR_CHILD},
	{SYS_clone3, WAIT_FOR_CHILD},
#ifdef SYS_vfork
	{SYS_vfork, WAIT_FOR_CHILD},
#endif

	{SYS_accept, WAIT_FOR_NET},
	{SYS_accept4, WAIT_FOR_NET},
	{SYS_connect, WAIT_FOR_NET},
	{SYS_recvfrom, WAIT_FOR_NET},
	{SYS_recvmsg, WAIT_FOR_NET},
	{SYS_recvmmsg, WAIT_FOR_NET},
	{SYS_sendto, WAIT_FOR_NET},
	{SYS_sendmsg, WAIT_FOR_NET},
	{SYS_sendmmsg, WAIT_FOR_NET},
	{SYS_shutdown, WAIT_FOR_NET},

	{SYS_msgrcv, WAIT_FOR_PIPE},
	{SYS_msgsnd, WAIT_FOR_PIPE},
	{SYS_mq_timedreceive, WAIT_FOR_PIPE},
	{SYS_mq_timedsend, WAIT_FOR_PIPE},

	{SYS_read, WAIT_BY_FILE},
	{SYS_write, WAIT_BY_FILE},
	{SYS_readv, WAIT_BY_FILE},
	{SYS_writev, WAIT_BY_FILE},
	{SYS_pread64, WAIT_BY_FILE},
	{SYS_pwrite64, WAIT_BY_FILE},
	{SYS_preadv, WAIT_BY_FILE},
	{SYS_pwritev, WAIT_BY_FILE},
	{SYS_preadv2, WAIT_BY_FILE},
	{SYS_pwritev2, WAIT_BY_FILE},
	{SYS_sendfile, WAIT_BY_FILE},
	{SYS_splice, WAIT_BY_FILE},
	{SYS_tee, WAIT_BY_FILE},
	{SYS_vmsplice, WAIT_BY_FILE},
	{SYS_copy_file_range, WAIT_BY_FILE},
	{SYS_getdents64, WAIT_BY_FILE},
	{SYS_ioctl, WAIT_BY_FILE},

	{SYS_fsync, WAIT_FOR_DISK},
	{SYS_fdatasync, WAIT_FOR_DISK},
	{SYS_sync, WAIT_FOR_DISK},
	{SYS_syncfs, WAIT_FOR_DISK},
	{SYS_sync_file_range, WAIT_FOR_DISK},
	{SYS_msync, WAIT_FOR_DISK},
	{SYS_fallocate, WAIT_FOR_DISK},
	{SYS_ftruncate, WAIT_FOR_DISK},
	{SYS_truncate, WAIT_FOR_DISK},
	{SYS_readahead, WAIT_FOR_DISK},
	{SYS_io_getevents, WAIT_FOR_DISK},
	{SYS_io_pgetevents, WAIT_FOR_DISK},
	{SYS_io_submit, WAIT_FOR_DISK},
	{SYS_openat, WAIT_FOR_DISK},
	{SYS_close, WAIT_FOR_DISK},
	{SYS_newfstatat, WAIT_FOR_DISK},
	{SYS_statx, WAIT_FOR_DISK},
	{SYS_unlinkat, WAIT_FOR_DISK},
	{SYS_renameat2, WAIT_FOR_DISK},
	{SYS_mkdirat, WAIT_FOR_DISK},
	{SYS_linkat, WAIT_FOR_DISK},
	{SYS_symlinkat, WAIT_FOR_DISK},
	{SYS_fchmod, WAIT_FOR_DISK},
	{SYS_fchmodat, WAIT_FOR_DISK},
	{SYS_fchown, WAIT_FOR_DISK},
	{SYS_fchownat, WAIT_FOR_DISK},
	{SYS_chdir, WAIT_FOR_DISK},
	{SYS_readlinkat, WAIT_FOR_DISK},
	{SYS_mknodat, WAIT_FOR_DISK},
	{SYS_statfs, WAIT_FOR_DISK},
	{SYS_fstatfs, WAIT_FOR_DISK},
	{SYS_fadvise64, WAIT_FOR_DISK},
	{SYS_getxattr, WAIT_FOR_DISK},
	{SYS_lgetxattr, WAIT_FOR_DISK},
	{SYS_fgetxattr, WAIT_FOR_DISK},
	{SYS_setxattr, WAIT_FOR_DISK},
	{SYS_lsetxattr, WAIT_FOR_DISK},
	{SYS_fsetxattr, WAIT_FOR_DISK},
	{SYS_utimensat, WAIT_FOR_DISK},
	{SYS_faccessat, WAIT_FOR_DISK},
	{SYS_execve, WAIT_FOR_DISK},
	{SYS_execveat, WAIT_FOR_DISK},
	{SYS_mount, WAIT_FOR_DISK},
	{SYS_umount2, WAIT_FOR_DISK},
#ifdef SYS_open
	{SYS_open, WAIT_FOR_DISK},
	{SYS_stat, WAIT_FOR_DISK},
	{SYS_lstat, WAIT_FOR_DISK},
	{SYS_access, WAIT_FOR_DISK},
	{SYS_unlink, WAIT_FOR_DISK},
	{SYS_rename, WAIT_FOR_DISK},
	{SYS_renameat, WAIT_FOR_DISK},
	{SYS_mkdir, WAIT_FOR_DISK},
	{SYS_rmdir, WAIT_FOR_DISK},
	{SYS_link, WAIT_FOR_DISK},
	{SYS_symlink, WAIT_FOR_DISK},
	{SYS_creat, WAIT_FOR_DISK},
	{SYS_chmod, WAIT_FOR_DISK},
	{SYS_chown, WAIT_FOR_DISK},
	{SYS_lchown, WAIT_FOR_DISK},
	{SYS_readlink, WAIT_FOR_DISK},
	{SYS_mknod, WAIT_FOR_DISK},
	{SYS_getdents, WAIT_BY_FILE},
#endif
};

void syscall_waits__fill(uint8_t waits[SYSCALL_WAITS])
{
	memset(waits, WAIT_FOR_OTHER, SYSCALL_WAITS);
	for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (known[i].number < SYSCALL_WAITS)
			waits[known[i].number] = known[i].kind;
}
