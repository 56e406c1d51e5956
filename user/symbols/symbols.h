/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From (process, address) to a named frame.
 *
 * Knows addresses, mappings and files; knows nothing of BPF or perf. Process events
 * (symbols__observe) are kept as a timeline of images per pid, so that a sample taken before an
 * exec or an exit is named by the mappings of its own time.
 *
 * All data it reads is untrusted: sizes are bounded, reads never block.
 */
#ifndef TOPSTACKS_SYMBOLS_SYMBOLS_H
#define TOPSTACKS_SYMBOLS_SYMBOLS_H

#include "base/common.h"
#include "processes/process.h"
#include "profile/frame.h"
#include "readers/jobs.h"

struct time_budget;
struct late_names;
struct late_window;
struct readers;
struct spawner;
struct refusal;
struct symbols;
struct image; /* the mappings of one program image; borrowed, valid until symbols__forget() */

struct symbols_options {
	bool demangle;
	size_t max_bytes;  /* memory limit for everything; 0: 128 MiB */
	const char *symfs; /* searched first for debug files; NULL: not searched; stays valid */
	struct readers *readers; /* NULL: nothing is read, and files have no symbols */

	bool command_lines; /* enables symbols__command_line() */

	/* The openers of processes' files; NULL: this process opens them. */
	struct spawner *openers;

	/*
	 * Called once for each file with frames, while a process has it mapped: fd is the file,
	 * root the "/" of its process or -1; build_id NULL: it has none. May be NULL.
	 */
	void (*on_file)(void *listener, const char *path, const char *build_id, int fd, int root);
	void *listener;

	/*
	 * Asks the running kernel for the name of an address: "nft_do_chain+0x1f/0x5a0
	 * [nf_tables]", valid until the next call; NULL: no answer. If this is NULL, or the first
	 * call has no answer, all of /proc/kallsyms is read instead.
	 */
	const char *(*ask_kernel)(void *context, uint64_t address);
	void *context;

	/*
	 * Called once for a file that could not be opened or read, or is not trusted; code: a
	 * reason of readers/reasons.h. May be NULL.
	 */
	void (*on_unreadable)(void *waiter, const char *path, enum reader_job job, int code);
	void *waiter;
};

/* Opens nothing yet: kernel and file symbols are read when first needed. */
struct symbols *symbols__new(const struct symbols_options *options);
void symbols__free(struct symbols *symbols);

/*
 * Sets how long names may be waited for from now on; borrowed. NULL: no limit. Returns the limit
 * before.
 */
struct time_budget *symbols__set_time_budget(struct symbols *symbols, struct time_budget *budget);

/*
 * Reads /proc/PID/maps of a process that already runs, for targets known before any event.
 * Returns 0, or a negative errno (-ESRCH: no such process; kernel threads have none and give 0).
 */
int symbols__read_process(struct symbols *symbols, int32_t pid);

/*
 * puts_off: from now on, processes that would take long to read are postponed. False: all are read
 * again.
 */
void symbols__put_off(struct symbols *symbols, bool puts_off);

/* Reads the postponed parts of all processes. */
void symbols__read_put_off(struct symbols *symbols);

/* Whether the process can slow down naming: then its samples should be named after all others. */
bool symbols__comes_last(struct symbols *symbols, const struct process *process);

/* The path of the process's cgroup, as from cgroups__path() (processes/cgroups.h). */
const char *symbols__cgroup_path(struct symbols *symbols, const struct process *process);

/*
 * As command_lines__find() (processes/command_line.h). Also NULL if command lines were not asked
 * for.
 */
const char *symbols__command_line(struct symbols *symbols, const struct process *process);

/* Takes one process event. An event of a pid without samples costs a hash lookup. */
void symbols__observe(struct symbols *symbols, const struct process_event *event);

/*
 * The image of this process at process->seen_ns. Reads /proc/PID/maps if the process is new and
 * still the same one. NULL if nothing is known (frames become [unknown]).
 */
struct image *symbols__image(struct symbols *symbols, const struct process *process);

/*
 * Changes whenever the image's mappings do, as an address may have another name then. 0 for NULL.
 */
uint64_t symbols__image_version(const struct image *image);

/*
 * Names a user address. is_caller: the address is a return address, one past the call, so the
 * symbol is looked up at address - 1. Always fills *frame (function and module NULL at worst); its
 * strings live until the next image is asked for. image: from symbols__image() just before; may be
 * NULL.
 *
 * 0: *frame has all there is. -EINPROGRESS: the file is still being read, and may give a name
 * later; the image's version changes then. Other codes: names are missing: a shortage
 * (base/shortage.h); -EACCES: the process, or the file that tells of its code, is not readable.
 */
int symbols__resolve(struct symbols *symbols, struct image *image, uint64_t address, bool is_caller,
		     struct frame *frame);

/*
 * Asks for the late name of a frame: it is resolved from this image, and is code made at run time
 * without a name. window: when it was sampled.
 */
void symbols__want_name(struct image *image, const struct frame *frame, bool is_caller,
			const struct late_window *window);

/* A living process that makes code at run time, of which there were samples. */
struct code_maker {
	struct image *image;
	uint64_t start_ticks; /* its start time */
	uint64_t nr_unnamed;  /* grows when code without a name runs */
	int32_t pid;
};

void symbols__visit_makers(struct symbols *symbols,
			   void (*visit)(void *context, const struct code_maker *maker),
			   void *context);

/*
 * Whether the process is a HotSpot JVM, which writes a map of its code on request. Decides by its
 * library, which is read as a whole if necessary. 1: it is; 0: it is not; -EINPROGRESS: the library
 * is still being read.
 */
int symbols__is_jvm(struct symbols *symbols, const struct code_maker *maker);

/* Reads all that processes have told of their code so far, within the time limit of names. */
void symbols__look_again(struct symbols *symbols);

/* The late names told so far; they live as long as symbols. */
struct late_names *symbols__late(struct symbols *symbols);

/* As symbols__resolve, for kernel addresses. */
void symbols__resolve_kernel(struct symbols *symbols, uint64_t address, bool is_caller,
			     struct frame *frame);

/*
 * Drops images of processes that ended or were replaced before before_ns: all samples taken before
 * must be resolved. Their pointers from symbols__image() and all strings of frames become invalid.
 * Data beyond max_bytes is dropped, and read again on demand. Fast growth is limited earlier, by
 * symbols__observe() and symbols__image().
 */
void symbols__forget(struct symbols *symbols, uint64_t before_ns);

/* The next process whose mappings are not kept (images.h). False: there is no further one. */
bool symbols__take_refusal(struct symbols *symbols, struct refusal *refusal);

/* CPU time of the readers at work. */
uint64_t symbols__reading_ns(const struct symbols *symbols);

/* Approximate bytes of tables, images and caches. */
size_t symbols__memory_bytes(struct symbols *symbols);

#endif
