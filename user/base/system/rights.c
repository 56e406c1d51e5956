// SPDX-License-Identifier: GPL-2.0-only
#include "base/system/rights.h"

#include <linux/capability.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/files.h"
#include "base/system/syscall_filter.h"

#define MAX_SYSCTL_BYTES 64

/* Root's rights on files and on its own processes. */
#define RIGHTS_OF_ROOT                                                                            \
	(RIGHT_CHOWN | RIGHT_DAC_OVERRIDE | RIGHT_DAC_READ_SEARCH | RIGHT_FOWNER | RIGHT_FSETID | \
	 RIGHT_KILL)

/* Rights for CPUs that come online, maps that are made anew, new processes and files. */
#define RIGHTS_LATER                                                                           \
	(RIGHT_BPF | RIGHT_PERFMON | RIGHT_IPC_LOCK | RIGHTS_TO_LOOK | RIGHTS_TO_NAME_KERNEL | \
	 RIGHTS_TO_HURRY)

/* Rights that CAP_SYS_ADMIN includes. */
#define RIGHTS_OF_ADMIN (RIGHT_BPF | RIGHT_PERFMON | RIGHT_CHECKPOINT_RESTORE)

/* ---- sets ---- */

struct sets {
	uint64_t effective, permitted, inheritable;
};

/* Reads the sets of this thread. 0 or negative errno, with empty sets. */
static int take_sets(struct sets *sets)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {0};

	*sets = (struct sets){0};
	if (syscall(SYS_capget, &header, data))
		return -errno;
	*sets = (struct sets){
		.effective = data[0].effective | (uint64_t)data[1].effective << 32,
		.permitted = data[0].permitted | (uint64_t)data[1].permitted << 32,
		.inheritable = data[0].inheritable | (uint64_t)data[1].inheritable << 32,
	};
	return 0;
}

static struct sets read_sets(void)
{
	struct sets sets;

	take_sets(&sets);
	return sets;
}

static int write_sets(const struct sets *sets)
{
	struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3] = {
		{(uint32_t)sets->effective, (uint32_t)sets->permitted, (uint32_t)sets->inheritable},
		{(uint32_t)(sets->effective >> 32), (uint32_t)(sets->permitted >> 32),
		 (uint32_t)(sets->inheritable >> 32)},
	};

	return syscall(SYS_capset, &header, data) ? -errno : 0;
}

/* Adds CAP_SYS_ADMIN if it includes a wanted right that is not permitted itself. */
static uint64_t stand_in(uint64_t wanted, uint64_t permitted)
{
	return wanted & RIGHTS_OF_ADMIN & ~permitted ? wanted | RIGHT_SYS_ADMIN : wanted;
}

uint64_t rights__permitted(void)
{
	return read_sets().permitted;
}

uint64_t rights__at_rest(uint64_t permitted)
{
	return getuid() == 0 ? permitted & RIGHTS_OF_ROOT : 0;
}

uint64_t rights__kept(uint64_t permitted)
{
	uint64_t later = RIGHTS_LATER;
	char *text;

	/* CPUs may come online, and opening events there needs it (see RIGHTS_TO_OPEN_EVENTS). */
	if (!files__read("/proc/sys/kernel/perf_event_paranoid", MAX_SYSCTL_BYTES, &text, NULL)) {
		if (strtol(text, NULL, 10) > 2)
			later |= RIGHT_SYS_ADMIN;
		free(text);
	}
	return (permitted & stand_in(later, permitted)) | rights__at_rest(permitted);
}

/* ---- in effect ---- */

static int put_in_effect(struct sets *sets, uint64_t wanted)
{
	const uint64_t effective = sets->permitted & wanted;

	if (effective == sets->effective)
		return 0;
	sets->effective = effective;
	return write_sets(sets);
}

uint64_t rights__raise(uint64_t wanted)
{
	struct sets sets = read_sets();
	const uint64_t before = sets.effective;

	/* On failure the call that needs the rights fails, and reports it. */
	put_in_effect(&sets, before | stand_in(wanted, sets.permitted));
	return before;
}

void rights__restore(uint64_t before)
{
	const int saved = errno;
	struct sets sets = read_sets();

	put_in_effect(&sets, before);
	errno = saved;
}

/* ---- for good ---- */

int rights__init(void)
{
	const uid_t user = getuid();
	const gid_t group = getgid();
	struct sets sets;
	int code;

	/* Capabilities survive the switch to the caller's user, like those of a program file. */
	if (getauxval(AT_SECURE) && (geteuid() != user || getegid() != group)) {
		prctl(PR_SET_KEEPCAPS, 1, 0, 0, 0);
		if (setresgid(group, group, group) || setresuid(user, user, user))
			return -errno;
		prctl(PR_SET_KEEPCAPS, 0, 0, 0, 0);
	}
	code = take_sets(&sets);
	return code ? code : put_in_effect(&sets, rights__at_rest(sets.permitted));
}

/*
 * Reduces all sets. The kernel also removes rights that are not permitted any more from the ambient
 * set.
 */
static void keep(uint64_t kept)
{
	struct sets sets = read_sets();

	sets.effective &= kept;
	sets.permitted &= kept;
	sets.inheritable &= kept;
	write_sets(&sets);
	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
}

void rights__give_up(void)
{
	const uint64_t permitted = rights__permitted();

	keep(rights__at_rest(permitted) | (getuid() == 0 ? permitted & RIGHTS_TO_CONFINE : 0));
}

void rights__settle(uint64_t needed)
{
	const uint64_t permitted = rights__permitted();

	keep(rights__kept(permitted) | (permitted & needed));
	rights_filter__install(); /* a second wall, in addition to the reduced rights */
}

int rights__reduce(uint64_t kept)
{
	struct sets sets = read_sets();

	sets.permitted &= stand_in(kept, sets.permitted);
	sets.effective = sets.permitted;
	sets.inheritable = 0;
	if (write_sets(&sets))
		return -errno;
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ? -errno : 0;
}

void rights__hide_memory(void)
{
	prctl(PR_SET_DUMPABLE, 0, 0, 0, 0); /* exec makes the process dumpable again */
}

bool rights__exceed_caller(void)
{
	return getauxval(AT_SECURE) || (getuid() != 0 && rights__permitted());
}

/*
 * Refuses the system calls that a sampler never makes. Channels to our own children (socketpair)
 * remain, as they lead nowhere else.
 */
int rights_filter__install(void)
{
	static const int sockets[] = {SYS_socket, SYS_connect, SYS_bind};
	struct syscall_filter filter;

	syscall_filter__init(&filter);
	syscall_filter__refuse_needless(&filter);
	syscall_filter__add(&filter, sockets, sizeof(sockets) / sizeof(sockets[0]),
			    SYSCALL_REFUSED);
	syscall_filter__end(&filter, SYSCALL_ALLOWED);
	/*
	 * Before 5.16 the kernel would slow down a process with a filter by default; this one has
	 * no secrets to protect.
	 */
	return syscall_filter__install(&filter, SECCOMP_FILTER_FLAG_SPEC_ALLOW);
}

/* ---- in words ---- */

void rights__describe(uint64_t rights, char *text, size_t size)
{
	static const struct {
		uint64_t right;
		const char *name;
	} names[] = {
		{RIGHT_BPF, "BPF"},
		{RIGHT_PERFMON, "PERFMON"},
		{RIGHT_SYSLOG, "SYSLOG"},
		{RIGHT_SYS_PTRACE, "SYS_PTRACE"},
		{RIGHT_DAC_READ_SEARCH, "DAC_READ_SEARCH"},
		{RIGHT_CHECKPOINT_RESTORE, "CHECKPOINT_RESTORE"},
		{RIGHT_SYS_ADMIN, "SYS_ADMIN"},
		{RIGHT_DAC_OVERRIDE, "DAC_OVERRIDE"},
		{RIGHT_CHOWN, "CHOWN"},
		{RIGHT_FOWNER, "FOWNER"},
		{RIGHT_FSETID, "FSETID"},
		{RIGHT_KILL, "KILL"},
		{RIGHT_SYS_CHROOT, "SYS_CHROOT"},
		{RIGHT_SETUID, "SETUID"},
		{RIGHT_SETGID, "SETGID"},
		{RIGHT_IPC_LOCK, "IPC_LOCK"},
		{RIGHT_SYS_NICE, "SYS_NICE"},
		{RIGHT_SYS_RESOURCE, "SYS_RESOURCE"},
	};
	size_t length = 0;

	snprintf(text, size, "none");
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]) && length < size; i++) {
		if (!(rights & names[i].right))
			continue;
		length += (size_t)snprintf(text + length, size - length, "%s%s", length ? ", " : "",
					   names[i].name);
		rights &= ~names[i].right;
	}
	if (rights && length < size)
		snprintf(text + length, size - length, "%s%d other%s", length ? ", " : "",
			 __builtin_popcountll(rights),
			 text__plural((uint64_t)__builtin_popcountll(rights)));
}
