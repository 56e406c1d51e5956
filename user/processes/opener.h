/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * An opener is a process that opens files of other processes and can be abandoned: a FUSE or
 * network file system may never answer, and a process that waits for it cannot be killed. Also, the
 * mappings of a process that holds its memory lock in such a wait cannot be read, and while it
 * executes a program even its start time cannot. An opener answers one question after the other. If
 * an answer takes more than OPENER_LIMIT_NS, a new opener replaces it, and the cause of the delay
 * is not tried again.
 *
 * An opener belongs to one thread. One spawner forks all openers.
 */
#ifndef TOPSTACKS_PROCESSES_OPENER_H
#define TOPSTACKS_PROCESSES_OPENER_H

#include "base/common.h"
#include "processes/file.h"
#include "processes/procfs.h"

#define OPENER_LIMIT_NS \
	2000000000ULL /* for one file; delays that a process causes itself are given up sooner */

struct opener;
struct time_budget;
struct spawner;

enum opening_kind {
	OPENING_MAPPED,	  /* the file of a mapping */
	OPENING_BELOW,	  /* a path below a root that symbolic links cannot leave */
	OPENING_NOFOLLOW, /* the same, refusing all symbolic links */
	OPENING_PROCESS,  /* an entry of a living process's /proc/PID */
};

/* A request: a regular file that is not the kernel's own, or an entry of a process. */
struct opening {
	enum opening_kind kind;
	const struct mapping *mapping; /* OPENING_MAPPED */
	const struct mapped_by *by; /* OPENING_MAPPED; OPENING_PROCESS: only pid and start time */
	int root;		    /* OPENING_BELOW, OPENING_NOFOLLOW: a directory, with O_PATH */
	/*
	 * A path below root; or for a process a name of maps.h or "cmdline", whose text is copied,
	 * "root", opened with O_PATH, or a file that never blocks.
	 */
	const char *path;
	struct living *living; /* filled by opener__open(); may be NULL */
};

/*
 * Starts the spawner of openers: before there are threads, and before untrusted data is read. 0 or
 * negative errno, as spawner__start(). spawner__stop() ends it without waiting for openers;
 * spawner__cpu_ns() is the CPU time that openers reported.
 */
int openers__start(struct spawner **spawner);

/* The spawner is borrowed. The process is forked for the first question. */
struct opener *opener__new(struct spawner *spawner);
void opener__free(struct opener *opener); /* NULL is fine */

/*
 * Sets a callback for files that may exist but could not be opened; it is called once for each of
 * the first OPENER_MAX_TOLD files. code: -ETIMEDOUT (opening takes too long), -EMEDIUMTYPE (the
 * file is the kernel's own, or a mount itself) or a shortage, as in opened.fd.
 */
#define OPENER_MAX_TOLD 8
void opener__tell(struct opener *opener,
		  void (*on_unopened)(void *context, const char *path, int code), void *context);

/*
 * Asks without waiting; everything is borrowed for the call. *ticket identifies the question. 0;
 * -EAGAIN: too many questions are open; other negative errno.
 */
int opener__ask(struct opener *opener, const struct opening *opening, uint64_t *ticket);

struct opened {
	uint64_t ticket;
	/*
	 * A descriptor for reading, which the caller closes; or negative errno. -ENOENT: no such
	 * file is reachable; -EINVAL: not a regular file; -EMEDIUMTYPE: the kernel's own, or a
	 * mount itself; -ETIMEDOUT: it took too long, or probably would; -ECANCELED: an earlier
	 * question took too long; a shortage (base/shortage.h): of an opener, or of resources for
	 * the file; -EPIPE: the opener crashed.
	 */
	int fd;
	struct living living; /* of the process, if requested; else zero */
};

/*
 * Takes the answer to the oldest question, waiting until until_ns (CLOCK_MONOTONIC; 0: without
 * waiting). False: there is no answer yet, or no question.
 */
bool opener__take(struct opener *opener, uint64_t until_ns, struct opened *opened);

/* Whether a question is open and the opener is running, not blocked. */
bool opener__is_at_work(struct opener *opener);

/*
 * A descriptor that is readable when an answer is there; valid until the next call. -1: no question
 * is open.
 */
int opener__fd(const struct opener *opener);

/*
 * Asks and waits for the answer: for as long as a file may take, or as the budget allows (NULL: no
 * limit). Returns as opened.fd; also -EAGAIN: no answer yet. Do not mix with opener__ask(). opener
 * NULL: opens the file in this process, without a time limit.
 */
int opener__open(struct opener *opener, const struct opening *opening, struct time_budget *budget);

/* Opens the current or last "/" of a process, with O_PATH. Negative errno: it is not known. */
int opener__open_root(struct opener *opener, const struct mapped_by *by,
		      struct time_budget *budget);

#endif
