// SPDX-License-Identifier: GPL-2.0-only
/*
 * The front end may accept connections on existing sockets, read and write open descriptors, and
 * ask for memory and time. All other system calls fail with EPERM.
 */
#include "front/confine.h"

#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

#include "base/system/memory_limit.h"
#include "base/system/rights.h"
#include "base/system/syscall_filter.h"
#include "base/system/unprivileged.h"

#define MAX_DESCRIPTORS 512

#ifdef __SANITIZE_ADDRESS__
#define MAX_MEMORY_BYTES (1 << 30) /* sanitizers keep freed memory */

/* Its search for leaks takes what is given up here. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
	return "detect_leaks=0";
}
#else
#define MAX_MEMORY_BYTES (32 << 20) /* twice the need of 96 connections with TLS */
#endif

/* clang-format off */
static const int serving[] = {
	SYS_accept4, SYS_getpeername, SYS_getsockname, SYS_shutdown,
	SYS_recvfrom, SYS_recvmsg, SYS_sendto, SYS_sendmsg, SYS_sendfile,
	SYS_read, SYS_pread64, SYS_readv, SYS_write, SYS_writev, SYS_lseek, SYS_fstat, SYS_newfstatat, SYS_close,
	SYS_ppoll, SYS_epoll_ctl, SYS_epoll_pwait,
#ifdef __x86_64__
	SYS_poll, SYS_epoll_wait,
#endif
	SYS_brk, SYS_mmap, SYS_mprotect, SYS_munmap, SYS_mremap, SYS_madvise,
	SYS_clock_gettime, SYS_gettimeofday, SYS_getrandom, SYS_getpid, SYS_gettid, SYS_getrusage, SYS_futex,
	SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn, SYS_sigaltstack, SYS_tgkill, SYS_sched_yield,
	SYS_restart_syscall, SYS_exit, SYS_exit_group,
};
/* clang-format on */

static int install_filter(void)
{
	struct syscall_filter filter;
	static const int of_descriptors[] = {F_GETFD, F_SETFD, F_GETFL, F_SETFL};
	static const int of_tcp[] = {IPPROTO_TCP};
	static const int of_sockets[] = {SOL_SOCKET};

	syscall_filter__init(&filter);
	syscall_filter__refuse_bits(&filter, SYS_mmap, 2, PROT_EXEC);
	syscall_filter__refuse_bits(&filter, SYS_mmap, 3, MAP_SHARED | MAP_GROWSDOWN);
	syscall_filter__refuse_bits(&filter, SYS_mprotect, 2, PROT_EXEC);
	syscall_filter__allow_values(&filter, SYS_fcntl, 1, of_descriptors,
				     sizeof(of_descriptors) / sizeof(of_descriptors[0]));
	syscall_filter__allow_values(&filter, SYS_setsockopt, 1, of_tcp, 1);
	syscall_filter__allow_values(&filter, SYS_getsockopt, 1, of_sockets, 1);
	syscall_filter__add(&filter, serving, sizeof(serving) / sizeof(serving[0]),
			    SYSCALL_ALLOWED);
	syscall_filter__end(&filter, SYSCALL_REFUSED);
	return syscall_filter__install(&filter, 0);
}

static void set_limit(int resource, uint64_t most)
{
	setrlimit(resource, &(struct rlimit){most, most});
}

int front__confine(void)
{
	int code;

	tzset(); /* its file is out of reach from here on */
	set_limit(RLIMIT_CORE, 0);
	set_limit(RLIMIT_NOFILE, MAX_DESCRIPTORS);
	memory_limit__set(MAX_MEMORY_BYTES);
	rights__raise(RIGHTS_TO_CONFINE);
	code = unprivileged__become();
	/* A change of user clears this. */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	return code ? code : install_filter();
}
