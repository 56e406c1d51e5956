/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An error is one sentence for the user, and the exit code it leads to.
 *
 * Library code fills the caller's struct once, where the object is known, and returns the negative
 * errno; only commands print. Filling it never changes errno, so `return error__set(err,
 * EXIT_SYSTEM, -errno, ...)` may stand before any cleanup.
 */
#ifndef TOPSTACKS_BASE_ERROR_H
#define TOPSTACKS_BASE_ERROR_H

#include <errno.h>

/*
 * Error codes of our own, which no system call returns: a link that is not followed
 * (base/output/path_walk.h), a file that is not written to (base/output/destination.h).
 */
#define ESTRANGER EBADSLT
#define ENOTOURS  EBADRQC

enum exit_code {
	EXIT_DONE = 0,
	EXIT_GATE = 1,	   /* a comparison or a quality gate failed */
	EXIT_USAGE = 2,	   /* wrong usage or bad input */
	EXIT_SYSTEM = 3,   /* no permission, or the kernel lacks a feature */
	EXIT_INTERNAL = 4, /* an internal or I/O failure */
	/* With -- COMMAND our own exit codes must not look like the command's. */
	EXIT_CANCELED = 125,
	EXIT_CANNOT_INVOKE = 126,
	EXIT_ENOENT = 127,
};

struct error {
	int code; /* negative errno, 0 if nothing went wrong */
	enum exit_code exit_code;
	char text[512]; /* no newline, no full stop, no "topstacks:" */
};

/*
 * Sets "WHAT: cause of CODE". Returns code, which must be negative. err may be NULL. EXIT_INTERNAL
 * becomes EXIT_SYSTEM for -EPERM, which the kernel does not permit.
 */
int error__set(struct error *err, enum exit_code exit_code, int code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Like error__set(), but without the cause, for codes that errno has no words for. */
int error__say(struct error *err, enum exit_code exit_code, int code, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/* Appends "; REMEDY" to an error. Returns err->code. */
int error__remedy(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
