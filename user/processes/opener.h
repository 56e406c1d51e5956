/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Files of others are opened by a process that can be left behind: a FUSE or network file system
 * may never answer, and who waits for it cannot be killed. Nor does a process whose memory is locked
 * by such a wait let anybody read its mappings; and one that executes a program meanwhile does not even
 * tell its birth. A process that is there for all this is an opener. It answers one question after the
 * other, and if an answer takes more than OPENER_LIMIT_NS it is given up for a new one; what held it up
 * is not asked again.
 *
 * An opener belongs to one thread. All of them are forked by one spawner.
 */
#ifndef TOPSTACKS_PROCESSES_OPENER_H
#define TOPSTACKS_PROCESSES_OPENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "processes/file.h"
#include "processes/procfs.h"

#define OPENER_LIMIT_NS \
	2000000000ULL /* for one file; what a process keeps back is given up sooner */

struct opener;
struct hurry;
struct spawner;

enum opening_kind {
	OPENING_MAPPED,	  /* the file of a mapping */
	OPENING_BELOW,	  /* of a path below a root, which symbolic links do not leave */
	OPENING_NOFOLLOW, /* the same, through no symbolic link at all */
	OPENING_PROCESS,  /* what a living process has in /proc/PID */
};

/* What is to be opened: a regular file that is not the kernel's own, or something of a process. */
struct opening {
	enum opening_kind kind;
	const struct mapping *mapping; /* OPENING_MAPPED */
	const struct mapped_by *by;    /* the same, and OPENING_PROCESS: pid and birth */
	int root; /* OPENING_BELOW, OPENING_NOFOLLOW: a directory, with O_PATH */
	/*
	 * Below that; or of a process what maps.h names or "cmdline", whose text is copied, "root", with O_PATH,
	 * or a file that waits for nobody.
	 */
	const char *path;
	struct living *living; /* of the process; opener__open() fills it. NULL: nobody asks */
};

/*
 * Starts what openers are forked from: before there are threads, and before anything foreign is
 * read. 0 or negative errno; by_confine: as of spawner__start(). spawner__stop() ends it, and waits for no opener; spawner__cpu_ns() is
 * what openers took, as far as they told.
 */
int openers__start(struct spawner **spawner, bool *by_confine);

/* The spawner is borrowed. NULL: out of memory. Its process is forked when it is first asked. */
struct opener *opener__new(struct spawner *spawner);
void opener__free(struct opener *opener); /* NULL is fine */

/*
 * Whoever waits for an opener has it tell of files that are there, perhaps, and are not opened: once
 * each, and of OPENER_MAX_TOLD at most. code: -ETIMEDOUT, -EMEDIUMTYPE or a shortage, as opened.fd.
 */
#define OPENER_MAX_TOLD 8
void opener__tell(struct opener *opener,
		  void (*on_unopened)(void *context, const char *path, int code), void *context);

/*
 * Asks, and waits for nobody; everything is borrowed for the call. *ticket is the question's. 0;
 * -EAGAIN: too many were not answered yet; other negative errno.
 */
int opener__ask(struct opener *opener, const struct opening *opening, uint64_t *ticket);

struct opened {
	uint64_t ticket;
	/*
	 * For reading, of the caller's; or negative errno. -ENOENT: there is none within reach;
	 * -EINVAL: what is there is not a regular file; -EMEDIUMTYPE: it is one of the kernel's
	 * own, or was mounted there by itself; -ETIMEDOUT: it took too long, or would; -ECANCELED:
	 * one that was asked for before it took too long; a shortage (base/shortage.h): no
	 * opener could be had for it, or it no file; -EPIPE: it crashed.
	 */
	int fd;
	struct living living; /* of the process, if it was asked for; else zero */
};

/*
 * The answer to the oldest question, which arrives until until_ns (CLOCK_MONOTONIC; 0: does not
 * wait). False: there is none yet, or nothing was asked.
 */
bool opener__take(struct opener *opener, uint64_t until_ns, struct opened *opened);

/*
 * Nobody waits for the answers any more. If the opener is at work on one, it would keep the next question
 * waiting, and is given up for a new one; if it waits for others, they are still to be blamed.
 */
void opener__drop(struct opener *opener);

/* Something was asked, and the opener does not just wait for others. */
bool opener__is_at_work(struct opener *opener);

/* Readable when something was asked and there is an answer; until the next call. -1: none. */
int opener__fd(const struct opener *opener);

/*
 * Asks, and waits for the answer: as long as a file may take, or as a hurry (NULL: there is none)
 * lets it. As opened.fd; also -EAGAIN: there is none yet. Not beside questions of opener__ask().
 * Without an opener, which is NULL then, it opens the file itself, however long that takes.
 */
int opener__open(struct opener *opener, const struct opening *opening, struct hurry *hurry);

/* The directory that the process has, or had, as its "/", with O_PATH. Negative errno: it is not known. */
int opener__open_root(struct opener *opener, const struct mapped_by *by, struct hurry *hurry);

#endif
