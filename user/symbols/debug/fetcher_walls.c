// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/debug/fetcher_walls.h"

#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/system/landlock.h"
#include "base/system/syscall_filter.h"

/* ---- files ---- */

/* Libraries, resolver files and certificates at the distributions' paths. */
static const char *const read_only[] = {
	"/usr",
	"/lib",
	"/lib64",
	"/etc/ld.so.cache",
	"/etc/ssl",
	"/etc/pki",
	"/etc/ca-certificates",
	"/etc/gnutls",
	"/etc/crypto-policies",
	"/etc/resolv.conf",
	"/etc/hosts",
	"/etc/host.conf",
	"/etc/gai.conf",
	"/etc/nsswitch.conf",
	"/etc/services",
	"/etc/localtime",
	"/dev/urandom",
	"/dev/null",
};

#define NR_READ_ONLY (sizeof(read_only) / sizeof(read_only[0]))

void fetcher_walls__raise_for_files(const char *cache)
{
	const char *headers = getenv("DEBUGINFOD_HEADERS_FILE");
	struct open_place places[NR_READ_ONLY + 2] = {{.path = cache, .is_written = true}};
	size_t nr = 1;

	if (headers) /* the caller's file of headers for servers */
		places[nr++] = (struct open_place){.path = headers};
	for (size_t i = 0; i < NR_READ_ONLY; i++)
		places[nr++] = (struct open_place){.path = read_only[i]};
	landlock__install(places, nr);
}

/* ---- system calls ---- */

/* clang-format off */
static const int needed[] = {
	/* File operations on the cache. */
	SYS_openat, SYS_newfstatat, SYS_fstat, SYS_statx, SYS_faccessat, SYS_getdents64, SYS_lseek, SYS_read,
	SYS_readv, SYS_write, SYS_writev, SYS_pread64, SYS_close, SYS_mkdirat, SYS_renameat, SYS_renameat2,
	SYS_unlinkat, SYS_utimensat, SYS_fchmod, SYS_fcntl, SYS_readlinkat, SYS_fstatfs, SYS_getcwd,
	/* Connections to servers. */
	SYS_connect, SYS_socketpair, SYS_sendto, SYS_sendmsg, SYS_sendmmsg, SYS_recvfrom, SYS_recvmsg,
	SYS_getsockopt, SYS_setsockopt, SYS_getsockname, SYS_getpeername, SYS_shutdown, SYS_ppoll, SYS_pipe2,
	SYS_eventfd2,
	/* Memory, threads for resolving host names, and time. */
	SYS_brk, SYS_mmap, SYS_munmap, SYS_mremap, SYS_mprotect, SYS_madvise, SYS_futex, SYS_clone, SYS_clone3,
	SYS_set_robust_list, SYS_rseq, SYS_sched_yield, SYS_sched_getaffinity, SYS_getpid, SYS_gettid,
	SYS_getuid, SYS_geteuid, SYS_getgid, SYS_getegid, SYS_uname, SYS_getrandom, SYS_clock_gettime, SYS_clock_nanosleep,
	SYS_rt_sigaction, SYS_rt_sigpending, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_restart_syscall,
	SYS_exit, SYS_exit_group,
#ifdef __x86_64__
	SYS_open, SYS_stat, SYS_lstat, SYS_access, SYS_mkdir, SYS_rmdir, SYS_rename, SYS_unlink, SYS_poll,
#endif
};
/* clang-format on */

void fetcher_walls__raise_for_calls(void)
{
	static const int families[] = {AF_INET, AF_INET6};
	static const int of_sockets[] = {FIONREAD, FIONBIO};
	static const int of_names[] = {PR_SET_NAME, PR_GET_NAME};
	struct syscall_filter filter;

	syscall_filter__init(&filter);
	syscall_filter__allow_values(&filter, SYS_socket, 0, families, 2);
	syscall_filter__allow_values(&filter, SYS_ioctl, 1, of_sockets, 2);
	syscall_filter__allow_values(&filter, SYS_prctl, 0, of_names, 2);
	syscall_filter__add(&filter, needed, sizeof(needed) / sizeof(needed[0]), SYSCALL_ALLOWED);
	syscall_filter__end(&filter, SYSCALL_REFUSED);
	syscall_filter__install(&filter, SECCOMP_FILTER_FLAG_SPEC_ALLOW);
}
