/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From (process, address) to a named frame.
 *
 * Knows addresses, mappings and files; knows nothing of BPF or perf. What it is told about
 * processes (symbols__observe) it keeps as a timeline of images per pid, so that a sample taken
 * before an exec or an exit is named by the mappings of its own time.
 *
 * Every byte it reads belongs to somebody else: sizes are bounded, reads never block.
 */
#ifndef TOPSTACKS_SYMBOLS_SYMBOLS_H
#define TOPSTACKS_SYMBOLS_SYMBOLS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "processes/process.h"
#include "profile/frame.h"
#include "readers/jobs.h"

struct hurry;
struct late_names;
struct late_window;
struct readers;
struct spawner;
struct refusal;
struct symbols;
struct image; /* the mappings of one program image; borrowed, valid until symbols__forget() */

struct symbols_options {
	bool demangle;
	size_t max_bytes;  /* that all of it may hold; 0: 128 MiB */
	const char *symfs; /* where debug files are looked for first; NULL: nowhere; stays valid */
	struct readers *readers; /* of files; NULL: nothing is read, and files have no symbols */

	bool command_lines; /* symbols__command_line() has answers */

	/* Whose openers open the files of processes; NULL: they are opened here. */
	struct spawner *openers;

	/*
	 * Told of files with frames, once each, while somebody has them mapped: fd is such a file,
	 * root the "/" of its process or -1; build_id NULL: it has none. NULL: nobody asks.
	 */
	void (*on_file)(void *listener, const char *path, const char *build_id, int fd, int root);
	void *listener;

	/*
	 * Asks the running kernel what it calls an address: "nft_do_chain+0x1f/0x5a0 [nf_tables]",
	 * valid until the next question; NULL: no answer. Without it, or where the first question
	 * has no answer, all of /proc/kallsyms is read.
	 */
	const char *(*ask_kernel)(void *context, uint64_t address);
	void *context;

	/*
	 * Told of a file that could not be opened, read or believed, once: why, as
	 * readers/reasons.h has words for it. Or NULL.
	 */
	void (*on_unreadable)(void *waiter, const char *path, enum reader_job job, int code);
	void *waiter;
};

/* Opens nothing yet: kernel and file symbols are read when first needed. NULL: out of memory. */
struct symbols *symbols__new(const struct symbols_options *options);
void symbols__free(struct symbols *symbols);

/*
 * How long names may be waited for, from here on; borrowed. NULL: there is no hurry. Returns what it
 * was before.
 */
struct hurry *symbols__set_hurry(struct symbols *symbols, struct hurry *hurry);

/*
 * Reads /proc/PID/maps of a process that already runs, for targets known before any event.
 * Returns 0, or a negative errno (-ESRCH: no such process; kernel threads have none and give 0).
 */
int symbols__read_process(struct symbols *symbols, int32_t pid);

/*
 * From here on only what takes little time is read of processes, and of others it is put off; or all of
 * it is read again.
 */
void symbols__put_off(struct symbols *symbols, bool puts_off);

/* Reads what was put off, of all processes. */
void symbols__read_put_off(struct symbols *symbols);

/* The process can make names take long: they are asked for when all others have theirs. */
bool symbols__comes_last(struct symbols *symbols, const struct process *process);

/* Of the cgroup that the process is in, as cgroups__path() (processes/cgroups.h). */
const char *symbols__cgroup_path(struct symbols *symbols, const struct process *process);

/* As command_lines__find() (processes/command_line.h). NULL, too: they were not asked for. */
const char *symbols__command_line(struct symbols *symbols, const struct process *process);

/* Takes one event. Events of pids that nobody asked about cost a hash lookup. */
void symbols__observe(struct symbols *symbols, const struct process_event *event);

/*
 * The image of this process at process->seen_ns; reads /proc/PID/maps if the process was never
 * heard of and still is the one meant. NULL if nothing is known (frames become [unknown]).
 */
struct image *symbols__image(struct symbols *symbols, const struct process *process);

/*
 * Changes whenever the image's mappings do: the same address may have another name then. 0 for
 * NULL.
 */
uint64_t symbols__image_version(const struct image *image);

/*
 * Names a user address. is_caller: the address is a return address, one past the call, so the
 * symbol is looked up at address - 1. Always fills *frame (function and module NULL at worst);
 * its strings live until the next image is asked for. image may be NULL, as symbols__image() has just said.
 *
 * 0: all that there is is in *frame. -EINPROGRESS: its file is still being read, and may name it later;
 * then the image changes. Else names are missing: a shortage (base/shortage.h); -EACCES: the process,
 * or what it tells of its code, is not to be read.
 */
int symbols__resolve(struct symbols *symbols, struct image *image, uint64_t address, bool is_caller,
		     struct frame *frame);

/*
 * A frame of this image, as it was resolved, is code made at run time and has no name: what is told of
 * it later is wanted for samples of that time.
 */
void symbols__want_name(struct image *image, const struct frame *frame, bool is_caller,
			const struct late_window *window);

/* A process that lives, and in whose code made at run time there were samples. */
struct code_maker {
	struct image *image;
	uint64_t start_ticks; /* of its birth */
	uint64_t nr_unnamed;  /* another number than before: some of its code has no name */
	int32_t pid;
};

void symbols__visit_makers(struct symbols *symbols,
			   void (*visit)(void *context, const struct code_maker *maker),
			   void *context);

/*
 * Whether such a process is a JVM of the kind that writes a map of its code when it is told (HotSpot): by
 * what its library says, which is read if it was not, and looked at as a whole. 1: it is; 0: it is not;
 * -EINPROGRESS: it is still being read.
 */
int symbols__is_jvm(struct symbols *symbols, const struct code_maker *maker);

/* Reads all that processes have told of such code by now, for as long as names may be waited for. */
void symbols__look_again(struct symbols *symbols);

/* The names that were told by now; they live as long as symbols. */
struct late_names *symbols__late(struct symbols *symbols);

/* As symbols__resolve, for kernel addresses. */
void symbols__resolve_kernel(struct symbols *symbols, uint64_t address, bool is_caller,
			     struct frame *frame);

/*
 * All samples taken before before_ns have been resolved: drops images of processes that ended or
 * were replaced before. Pointers from symbols__image of those are dead from here on, and so are the
 * strings of frames: what exceeds max_bytes is dropped, and read again when it is needed. What comes
 * in fast is bounded before that, by symbols__observe and symbols__image.
 */
void symbols__forget(struct symbols *symbols, uint64_t before_ns);

/* The next process whose mappings are not kept (images.h). False: there is no other. */
bool symbols__take_refusal(struct symbols *symbols, struct refusal *refusal);

/* CPU time of readers at work. */
uint64_t symbols__reading_ns(const struct symbols *symbols);

/* Bytes held, about: tables, images, caches. */
size_t symbols__memory_bytes(struct symbols *symbols);

#endif
