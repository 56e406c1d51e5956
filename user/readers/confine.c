// SPDX-License-Identifier: GPL-2.0-only
/*
 * Filters name system calls, so that they are right on any machine. Whatever is not named fails with
 * EPERM: a library that asks for something that it can do without goes on.
 */
#include "readers/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/files.h"
#include "base/rights.h"
#include "base/thread.h"

#define NOBODY		 65534	    /* the kernel's overflow id, which owns nothing */
#define FIRST_ID	 0x70000000 /* from here on nobody hands out ids */
#define NR_IDS		 0x0fffffff
#define MAX_STATUS_BYTES (1U << 20)
#define MAX_FILTER_BYTES (4096 * sizeof(struct sock_filter))

/* Of a reader; of the arguments of some see add_checked(). */
static const int reading[] = {
	SCMP_SYS(read),		SCMP_SYS(pread64),	   SCMP_SYS(readv),
	SCMP_SYS(preadv),	SCMP_SYS(write),	   SCMP_SYS(pwrite64),
	SCMP_SYS(writev),	SCMP_SYS(lseek),	   SCMP_SYS(fstat),
	SCMP_SYS(newfstatat),	SCMP_SYS(ftruncate),	   SCMP_SYS(close),
	SCMP_SYS(brk),		SCMP_SYS(munmap),	   SCMP_SYS(mremap),
	SCMP_SYS(madvise),	SCMP_SYS(sendmsg),	   SCMP_SYS(recvmsg),
	SCMP_SYS(futex),	SCMP_SYS(getrandom),	   SCMP_SYS(clock_gettime),
	SCMP_SYS(rt_sigaction), SCMP_SYS(rt_sigprocmask),  SCMP_SYS(rt_sigreturn),
	SCMP_SYS(sigaltstack),	SCMP_SYS(getpid),	   SCMP_SYS(gettid),
	SCMP_SYS(sched_yield),	SCMP_SYS(restart_syscall), SCMP_SYS(exit),
	SCMP_SYS(exit_group),
};

/*
 * Beyond that, of the process that forks them, in a directory without files; and what a reader needs
 * before it gives it up.
 */
static const int spawning[] = {
	SCMP_SYS(clone),       SCMP_SYS(clone3),      SCMP_SYS(set_robust_list),
	SCMP_SYS(rseq),	       SCMP_SYS(wait4),	      SCMP_SYS(kill),
	SCMP_SYS(ppoll),       SCMP_SYS(getppid),     SCMP_SYS(dup),
	SCMP_SYS(dup2),	       SCMP_SYS(dup3),	      SCMP_SYS(prctl),
	SCMP_SYS(seccomp),     SCMP_SYS(prlimit64),   SCMP_SYS(setrlimit),
	SCMP_SYS(getpriority), SCMP_SYS(setpriority), SCMP_SYS(close_range),
	SCMP_SYS(openat),
};

#define NR_READING  (sizeof(reading) / sizeof(reading[0]))
#define NR_SPAWNING (sizeof(spawning) / sizeof(spawning[0]))

/* "VmData:\t     356 kB". 0: it cannot be told. */
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
	uint64_t own_bytes; /* data that it has from us, of which sanitizers have terabytes */
	struct sock_fprog spawner, reader, opening_reader;
};

/* ---- filters ---- */

static int allow_all(scmp_filter_ctx filter, const int *calls, size_t nr_calls)
{
	int code = 0;

	for (size_t i = 0; i < nr_calls && !code; i++)
		code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, calls[i], 0);
	return code;
}

/*
 * Memory that holds no code, and that counts: what is shared, or grows like a stack, has no bound. Of fcntl
 * what changes no file and reaches no other process.
 */
static int add_checked(scmp_filter_ctx filter)
{
	static const int harmless[] = {F_GETFD, F_SETFD, F_GETFL, F_DUPFD, F_DUPFD_CLOEXEC};
	int code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mmap), 2,
				    SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0),
				    SCMP_A3(SCMP_CMP_MASKED_EQ, MAP_SHARED | MAP_GROWSDOWN, 0));

	if (!code)
		code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(mprotect), 1,
					SCMP_A2(SCMP_CMP_MASKED_EQ, PROT_EXEC, 0));
	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]) && !code; i++)
		code = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1,
					SCMP_A1(SCMP_CMP_EQ, (scmp_datum_t)harmless[i], 0));
	return code;
}

/* The program that a filter is, for the kernel, which is made before anything is given up. */
static int export(scmp_filter_ctx filter, struct sock_fprog *program)
{
	const int file = memfd_create("filter", MFD_CLOEXEC);
	size_t nr_bytes = 0;
	char *bytes;
	int code;

	if (file < 0)
		return -errno;
	code = seccomp_export_bpf(filter, file);
	if (!code && lseek(file, 0, SEEK_SET))
		code = -errno;
	if (!code)
		code = files__read_fd(file, MAX_FILTER_BYTES, &bytes, &nr_bytes);
	close(file);
	if (code)
		return code;
	program->filter = (struct sock_filter *)bytes;
	program->len = (unsigned short)(nr_bytes / sizeof(struct sock_filter));
	return 0;
}

/* Whatever is not named fails. */
static int make_spawners(struct sock_fprog *program)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
	int code;

	if (!filter)
		return -ENOMEM;
	code = allow_all(filter, reading, NR_READING);
	if (!code)
		code = add_checked(filter);
	if (!code)
		code = allow_all(filter, spawning, NR_SPAWNING);
	if (!code)
		code = export(filter, program);
	seccomp_release(filter);
	return code;
}

/*
 * What the spawner has beyond fails: a filter on top of its own, which has seen to it that numbers are
 * this machine's. It is written by hand, and short, as each reader pays.
 */
static int make_readers(struct sock_fprog *program, uint32_t at_open)
{
	struct sock_filter *next = calloc(2 * NR_SPAWNING + 2, sizeof(*next));

	if (!next)
		return -ENOMEM;
	program->filter = next;
	*next++ = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
					       offsetof(struct seccomp_data, nr));
	for (size_t i = 0; i < NR_SPAWNING; i++) {
		const int call = spawning[i]; /* below 0: there is none here */

		if (call < 0)
			continue;
		*next++ = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0,
						       1);
		*next++ = (struct sock_filter)BPF_STMT(
			BPF_RET | BPF_K,
			call == SCMP_SYS(openat) ? at_open : SECCOMP_RET_ERRNO | EPERM);
	}
	*next++ = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW);
	program->len = (unsigned short)(next - program->filter);
	return 0;
}

static int apply(const struct sock_fprog *program)
{
	return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program) ? -errno : 0;
}

struct confinement *confinement__new(void)
{
	struct confinement *confinement = calloc(1, sizeof(*confinement));

	if (!confinement)
		return NULL;
	confinement->own_bytes = data_bytes();
	if (make_spawners(&confinement->spawner) ||
	    make_readers(&confinement->reader, SECCOMP_RET_ERRNO | EPERM) ||
	    make_readers(&confinement->opening_reader, SECCOMP_RET_TRAP)) {
		confinement__free(confinement);
		return NULL;
	}
	return confinement;
}

void confinement__free(struct confinement *confinement)
{
	if (!confinement)
		return;
	free(confinement->spawner.filter);
	free(confinement->reader.filter);
	free(confinement->opening_reader.filter);
	free(confinement);
}

/* ---- rights ---- */

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

/* Of all that is confined, a reader may go first. */
static void offer_memory(void)
{
	const int file = open("/proc/self/oom_score_adj", O_WRONLY | O_CLOEXEC);

	if (file < 0)
		return;
	if (write(file, "1000", 4) != 4)
		errno = 0; /* it is well-meant only */
	close(file);
}

int confine__spawner(const struct confinement *confinement)
{
	int code;

	thread__raise_stack();
	thread__hurry(); /* what readers start with; their bounds say whether it is theirs */
	rights__raise(RIGHTS_TO_CONFINE);
	offer_memory();
	leave_files();
	become_nobody();
	code = drop_capabilities();
	return code ? code : apply(&confinement->spawner);
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
	signal(SIGXFSZ, SIG_IGN); /* writing fails then, which is told */
	return apply(bounds->traps_open ? &confinement->opening_reader : &confinement->reader);
}
