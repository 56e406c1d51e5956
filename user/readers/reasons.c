// SPDX-License-Identifier: GPL-2.0-only
#include "readers/reasons.h"

#include "base/shortage.h"

enum bound {
	BOUND_NONE,
	BOUND_SECONDS, /* of the job */
	BOUND_MIB,
};

static const struct reason {
	int code;
	enum bound bound; /* printed after the words */
	const char *words;
	const char *remedy;
} reasons[] = {
	/* Errors of the file. */
	{-ETIME, BOUND_SECONDS, "took more than", NULL},
	{-ENOMEM, BOUND_MIB, "there was no memory for it, or it took more than", NULL},
	{-ETIMEDOUT, BOUND_NONE, "opening or reading it took too long", NULL},
	{-EMEDIUMTYPE, BOUND_NONE, "is a file of the kernel's own, or was mounted by itself", NULL},
	{-EPERM, BOUND_NONE, "belongs to another user", NULL},
	{-EACCES, BOUND_NONE, "its process is not to be looked at", "CAP_SYS_PTRACE lets us"},
	{-EMLINK, BOUND_NONE, "has several names (hard links)", NULL},
	{-EFBIG, BOUND_NONE, "is too large", "raise --symbol-memory"},
	{-EOVERFLOW, BOUND_NONE, "has more symbols than 8 Mi, or names than 256 MiB", NULL},
	{-EIO, BOUND_NONE, "is damaged", NULL},
	{-EBADMSG, BOUND_NONE, "is damaged", NULL},
	{-ENOEXEC, BOUND_NONE, "is damaged", NULL},
	{-EILSEQ, BOUND_NONE, "is damaged", NULL},
	/* Shortages (base/shortage.h). */
	{-EMFILE, BOUND_NONE, "no descriptor is left", "raise the limit (ulimit -n)"},
	{-ENFILE, BOUND_NONE, "no descriptor is left on this machine", "raise fs.file-max"},
	{-EUSERS, BOUND_NONE, "no process could be had", "raise the limit (ulimit -u, pids.max)"},
	{-ENOBUFS, BOUND_NONE, "the kernel has no memory for it", NULL},
	{-ECONNREFUSED, BOUND_NONE, "a system call that it takes is not permitted",
	 "a seccomp filter or a security module may forbid it"},
	{-ECHILD, BOUND_NONE, "a process that starts openers or readers was ended", "start again"},
	/* Errors of other causes. */
	{-EAGAIN, BOUND_NONE, "too many files are read already", NULL},
	{-E2BIG, BOUND_NONE, "too many files like it are read already", NULL},
	{-EPIPE, BOUND_NONE, "the process that was to read it was ended", NULL},
};

bool reason__text(int code, enum reader_job job, char *text, size_t size)
{
	const struct reader_bounds *bounds = &jobs__find(job)->bounds;
	const struct reason *reason = reasons,
			    *end = reasons + sizeof(reasons) / sizeof(reasons[0]);
	char bound[32] = "";
	struct error err;

	if (!code)
		return false;
	while (reason < end && reason->code != code)
		reason++;
	if (reason == end) {
		error__set(&err, EXIT_INTERNAL, code, "reading it failed");
		snprintf(text, size, "%s", err.text);
		return true;
	}
	if (reason->bound == BOUND_SECONDS)
		snprintf(bound, sizeof(bound), " %u s", bounds->max_seconds);
	else if (reason->bound == BOUND_MIB)
		snprintf(bound, sizeof(bound), " %" PRIu64 " MiB", bounds->max_memory_bytes >> 20);
	snprintf(text, size, "%s%s%s%s", reason->words, bound, reason->remedy ? "; " : "",
		 reason->remedy ? reason->remedy : "");
	return true;
}

int reason__error(struct error *err, int code, const char *what)
{
	char reason[128];

	if (shortage__is(code) && reason__text(code, READ_SYMBOLS, reason, sizeof(reason)))
		return error__say(err, EXIT_INTERNAL, code, "%s: %s", what, reason);
	return error__set(err, EXIT_INTERNAL, code, "%s", what);
}
