// SPDX-License-Identifier: GPL-2.0-only
#include "push/confine.h"

#include <sys/prctl.h>
#include <sys/syscall.h>

#include "base/system/rights.h"
#include "base/system/syscall_filter.h"

int confine__pusher(struct error *err)
{
	static const int others[] = {SYS_bpf, SYS_perf_event_open, SYS_kill, SYS_tkill,
				     SYS_setpriority};
	struct syscall_filter filter;
	int code = rights__reduce(0);

	if (!code && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		code = -errno;
	syscall_filter__init(&filter);
	syscall_filter__refuse_needless(&filter);
	syscall_filter__add(&filter, others, sizeof(others) / sizeof(others[0]), SYSCALL_REFUSED);
	syscall_filter__end(&filter, SYSCALL_ALLOWED);
	if (!code)
		code = syscall_filter__install(&filter, SECCOMP_FILTER_FLAG_SPEC_ALLOW);
	return code ? error__set(err, EXIT_SYSTEM, code, "cannot give up rights") : 0;
}
