// SPDX-License-Identifier: GPL-2.0-only
/*
 * All system calls that are not listed fail with EPERM, so that a library goes on if it can do
 * without them.
 */
#include "readers/confine.h"

#include <fcntl.h>
#include <linux/capability.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/rights.h"
#include "base/system/syscall_filter.h"
#include "base/system/thread.h"
#include "base/system/unprivileged.h"

#define MAX_STATUS_BYTES (1U << 20)

/* clang-format off */
/* Calls of a reader; make_spawners() restricts arguments of some. */
static const int reading[] = {
	SYS_read, SYS_pread64, SYS_readv, SYS_preadv, SYS_write, SYS_pwrite64, SYS_writev,
	SYS_lseek, SYS_fstat, SYS_newfstatat, SYS_ftruncate, SYS_close, SYS_brk, SYS_mmap,
	SYS_mprotect, SYS_munmap, SYS_mremap, SYS_madvise, SYS_sendmsg, SYS_recvmsg, SYS_futex,
	SYS_getrandom, SYS_clock_gettime, SYS_rt_sigaction, SYS_rt_sigprocmask, SYS_rt_sigreturn,
	SYS_sigaltstack, SYS_getpid, SYS_gettid, SYS_sched_yield, SYS_restart_syscall, SYS_exit,
	SYS_exit_group,
};

/*
 * Further calls of the process that forks readers, in a directory without files, and of a reader
 * until it gives them up. make_readers() restricts opening.
 */
static const int spawning[] = {
	SYS_clone, SYS_clone3, SYS_set_robust_list, SYS_rseq, SYS_wait4, SYS_kill, SYS_ppoll,
	SYS_getppid, SYS_dup, SYS_dup3, SYS_prctl, SYS_seccomp, SYS_prlimit64, SYS_setrlimit,
	SYS_getpriority, SYS_setpriority, SYS_close_range,
#ifdef __x86_64__
	SYS_dup2,
#endif
};
/* clang-format on */

static const int opening[] = {SYS_openat};

#define NR_READING  (sizeof(reading) / sizeof(reading[0]))
#define NR_SPAWNING (sizeof(spawning) / sizeof(spawning[0]))

/* The value of "VmData:\t 356 kB" in bytes. 0: not known. */
static uint64_t data_bytes(void)
{
	uint64_t kilobytes = 0;
	char *text, *line;

	if (files__read("/proc/self/status", MAX_STATUS_BYTES, &text, NULL))
		return 0;
	line = strstr(text, "\nVmData:");
	if (line)
		kilobytes = strtoull(line + strlen("\nVmData:"), NULL, 10);
	free(text);
	return kilobytes * 1024;
}

struct confinement {
	uint64_t own_bytes; /* data inherited from us; sanitizers map terabytes */
	struct syscall_filter spawner, reader, opening_reader;
};

/* ---- filters ---- */

/*
 * Makes the filter on top of the spawner's: refuses the spawner's additional calls. It is short, as
 * each reader installs it.
 */
static void make_readers(struct syscall_filter *filter, uint32_t at_open)
{
	syscall_filter__init_above(filter);
	syscall_filter__add(filter, spawning, NR_SPAWNING, SYSCALL_REFUSED);
	syscall_filter__add(filter, opening, 1, at_open);
	syscall_filter__end(filter, SYSCALL_ALLOWED);
}

struct confinement *confinement__new(void)
{
	static const int harmless[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC};
	struct confinement *confinement = xmalloc(sizeof(*confinement));
	struct syscall_filter *filter = &confinement->spawner;

	confinement->own_bytes = data_bytes();
	if (confinement->own_bytes > memory__reserve_bytes()) /* which readers give back */
		confinement->own_bytes -= memory__reserve_bytes();
	/*
	 * Spawners: only memory that is not executable and that counts, as shared and stack-like
	 * mappings have no limit; only operations of fcntl that change no file and reach no other
	 * process.
	 */
	syscall_filter__init(filter);
	syscall_filter__refuse_bits(filter, SYS_mmap, 2, PROT_EXEC);
	syscall_filter__refuse_bits(filter, SYS_mmap, 3, MAP_SHARED | MAP_GROWSDOWN);
	syscall_filter__refuse_bits(filter, SYS_mprotect, 2, PROT_EXEC);
	syscall_filter__allow_values(filter, SYS_fcntl, 1, harmless,
				     sizeof(harmless) / sizeof(harmless[0]));
	syscall_filter__add(filter, reading, NR_READING, SYSCALL_ALLOWED);
	syscall_filter__add(filter, spawning, NR_SPAWNING, SYSCALL_ALLOWED);
	syscall_filter__add(filter, opening, 1, SYSCALL_ALLOWED);
	syscall_filter__end(filter, SYSCALL_REFUSED);
	make_readers(&confinement->reader, SYSCALL_REFUSED);
	make_readers(&confinement->opening_reader, SECCOMP_RET_TRAP);
	return confinement;
}

void confinement__free(struct confinement *confinement)
{
	free(confinement);
}

/* ---- rights ---- */

int confine__spawner(const struct confinement *confinement)
{
	int file, code;

	thread__raise_stack();
	thread__hurry(); /* readers inherit it; their bounds may lower it */
	rights__raise(RIGHTS_TO_CONFINE);

	/* The process is the OOM killer's first victim. A failure does not matter. */
	file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);
	if (file >= 0) {
		(void)!write(file, "1000", 4);
		close(file);
	}

	code = unprivileged__become();
	return code ? code : syscall_filter__install(&confinement->spawner, 0);
}

/* ---- bounds ---- */

static void set_limit(int resource, uint64_t most)
{
	setrlimit(resource, &(struct rlimit){most, most});
}

int confine__reader(const struct confinement *confinement, const struct reader_bounds *bounds)
{
	set_limit(RLIMIT_CORE, 0);
	setrlimit(RLIMIT_CPU, &(struct rlimit){bounds->max_seconds, bounds->max_seconds + 1});
	set_limit(RLIMIT_FSIZE, bounds->max_answer_bytes);
	set_limit(RLIMIT_DATA, confinement->own_bytes + bounds->max_memory_bytes);
	if (getpriority(PRIO_PROCESS, 0) < bounds->niceness)
		setpriority(PRIO_PROCESS, 0, bounds->niceness);
	signal(SIGXFSZ, SIG_IGN); /* the write fails instead, which is reported */
	return syscall_filter__install(
		bounds->traps_open ? &confinement->opening_reader : &confinement->reader, 0);
}
