/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Interfaces between the files of this folder, in the order of what a sample needs: tables of
 * files, parts of memory with their files, the lists of processes, and the order of loading.
 */
#ifndef TOPSTACKS_CAPTURE_UNWINDING_INTERNAL_H
#define TOPSTACKS_CAPTURE_UNWINDING_INTERNAL_H

#include "base/common.h"
#include "processes/file.h"
#include "processes/process.h"
#include "topstacks/unwind_abi.h"

struct interpreter;
struct map_calls;
struct opener;
struct pollfd;
struct readers;
struct spawner;
struct unwind_memory;
struct unwind_table;

/* ---- file_tables.c: unwind tables of files, placed in the maps that BPF programs read ---- */

struct unwind_file;
struct unwind_files;

/*
 * Returns an empty store of files. chunks_map: a map of maps for the chunks of rows, of max_bytes
 * at most. mappings_map: for struct unwind_mapping, by mapping; negative: none. map_calls,
 * borrowed, counts the calls on both. interpreters_map: an array of INTERPRETERS_MAX struct
 * interpreter; negative: interpreters are not followed. *epoch is the programs' counter: it grows
 * when a file is shown or hidden, and before rows are overwritten; NULL: no program walks.
 *
 * A thread makes the first chunk, while files are read: do not use map_calls until
 * unwind_files__await has returned.
 */
struct unwind_files *unwind_files__new(int chunks_map, int mappings_map, size_t max_bytes,
				       struct map_calls *map_calls, int interpreters_map,
				       uint32_t *epoch);
void unwind_files__await(struct unwind_files *files);
/* Frees all. The programs must have ended. NULL is fine. */
void unwind_files__free(struct unwind_files *files);

/*
 * Returns a file by identity, with a reference; zeros: the vDSO. *is_first: the caller must read
 * the file and call settle_file; until then it is pending for all.
 */
struct unwind_file *unwind_files__get(struct unwind_files *files,
				      const struct file_identity *identity, bool *is_first);

/*
 * Stores what a reader found. table: its rows are copied to the maps; the file owns it; NULL: the
 * file has none. interpreter: NULL: the file is no interpreter.
 */
void unwind_files__settle_file(struct unwind_files *files, struct unwind_file *file,
			       struct unwind_table *table, const struct interpreter *interpreter);

bool unwind_file__is_pending(const struct unwind_file *file);

/*
 * Returns true if the file's table is in place, or the file has none; false if it is pending or
 * found no room, or file is NULL.
 */
bool unwind_file__is_settled(const struct unwind_file *file);

/* Makes a mapping of the file known to the programs, unless the file is pending. */
void unwind_files__show(struct unwind_files *files, struct unwind_file *file,
			const struct mapping *mapping);

/* Drops a reference. Running programs may still use the file's rows. */
void unwind_files__put(struct unwind_files *files, struct unwind_file *file);

/* Tells that a grace period has passed: no program runs any more that ran at the last call. */
void unwind_files__settle(struct unwind_files *files);

/* As unwind_placement__regions; file may be NULL. */
size_t unwind_file__regions(const struct unwind_file *file, const struct unwind_memory *memory,
			    struct unwind_region *regions, size_t max_regions);

/* Returns true if a file with a table is an interpreter. */
bool unwind_files__have_interpreters(const struct unwind_files *files);

/* Returns the bytes of all chunks. */
size_t unwind_files__kernel_bytes(const struct unwind_files *files);

/* ---- part.c ---- */

/*
 * A part: an executable mapping of a process and its file, as soon as that has arrived. Or memory
 * that may hold a copy of a file's text, and that file.
 */
struct unwind_part {
	struct unwind_part *next;   /* in a queue */
	struct unwind_files *files; /* borrowed */
	uint64_t start, end;	    /* the memory */
	/* the file's mapping; path is owned, NULL once the part is done */
	struct mapping mapping;
	struct unwind_file *file; /* NULL: not accessible, or not known yet */
	uint64_t asked_ns;	  /* CLOCK_MONOTONIC */
	size_t nr_references;
	int32_t pid;
	int fd;	      /* the file to be read; -1: none */
	bool is_done; /* the final state of the file is known */
	bool is_slow;
};

/* Returns a part with one reference. */
struct unwind_part *unwind_part__new(struct unwind_files *files, const struct mapping *mapping,
				     int32_t pid);
struct unwind_part *unwind_part__hold(struct unwind_part *part);
/* Drops a reference. Running programs may still use the file's rows. */
void unwind_part__put(struct unwind_part *part);

/* Marks the part as done: its file has its final state. */
void unwind_part__finish(struct unwind_part *part);

/*
 * Returns true if the part is not done, but was requested recently enough to be worth waiting for.
 */
bool unwind_part__is_awaited(const struct unwind_part *part, uint64_t now_ns);

/* Returns true if the request is so old that a failed attempt is not repeated. */
bool unwind_part__is_overdue(const struct unwind_part *part);

/* Returns true if the part is of this mapping, and a new request would give no better result. */
bool unwind_part__is_of(const struct unwind_part *part, const struct mapping *mapping);

/* As unwind_placement__regions; has no rows unless the part is done. */
size_t unwind_part__regions(const struct unwind_part *part, struct unwind_region *regions,
			    size_t max_regions);

/* A queue of parts, first in, first out. It holds a reference to each. */
struct part_queue {
	struct unwind_part *first, **last;
	size_t nr;
};

void part_queue__init(struct part_queue *queue);
/* Puts all parts. */
void part_queue__fini(struct part_queue *queue);

/* Pushing moves the caller's reference to the queue; popping moves it back. */
void part_queue__push(struct part_queue *queue, struct unwind_part *part);
struct unwind_part *part_queue__pop(struct part_queue *queue);

/*
 * ---- loader.c: finds the file of an executable mapping, and its unwind table ----
 *
 * The file is opened by an opener and read by a reader, asynchronously. Results arrive in
 * unwind_loader__work(), even if the process that they were requested for is gone.
 */

struct unwind_loader;

#define UNWIND_MAX_WATCHED 5

/*
 * Returns a loader, which borrows all arguments. readers: NULL: no file gets a table. openers: of
 * processes/opener.h; NULL: files are opened here, however long that takes.
 */
struct unwind_loader *unwind_loader__new(struct unwind_files *files, struct readers *readers,
					 struct spawner *openers);
/* Frees the loader. All parts must have been put. NULL is fine. */
void unwind_loader__free(struct unwind_loader *loader);

/*
 * Requests the file of an executable mapping of a process. Returns a part of the process's memory,
 * which the caller puts.
 */
struct unwind_part *unwind_loader__ask(struct unwind_loader *loader, const struct mapping *mapping,
				       int32_t pid);

/*
 * Requests the file without a part, for the next process that maps it. Does nothing if many files
 * wait.
 */
void unwind_loader__learn(struct unwind_loader *loader, const struct mapping *mapping, int32_t pid);

/* Returns the number of parts that wait. */
size_t unwind_loader__nr_queued(const struct unwind_loader *loader);

/* Takes results and starts further requests. Returns true if a part was completed. */
bool unwind_loader__work(struct unwind_loader *loader);

/* Returns true if any request is under way. */
bool unwind_loader__is_busy(const struct unwind_loader *loader);

/*
 * Returns true if there was progress since the last call, or an opener or reader is busy; false:
 * all wait for file systems.
 */
bool unwind_loader__moves(struct unwind_loader *loader);

/* Fills in descriptors to poll for work, at most UNWIND_MAX_WATCHED. Returns their number. */
size_t unwind_loader__watch(const struct unwind_loader *loader, struct pollfd *watched);

/*
 * Writes why a file that should have a table has none, once for each file: "libx.so: took more than
 * 5 s", with the name in quotes. Returns false if there is no further failure.
 */
bool unwind_loader__take_failure(struct unwind_loader *loader, char *text, size_t size);

/*
 * ---- regions.c: the lists of regions that programs read, side by side in one mapped array ----
 *
 * A list never changes: a new list is written elsewhere, and the place of the old one is reused
 * after a grace period.
 */

struct unwind_lists;

/*
 * Returns an empty set of lists. map: descriptor of an array of nr_entries regions, which is
 * mapped. NULL and errno on failure.
 */
struct unwind_lists *unwind_lists__new(int map, uint32_t nr_entries);
/* NULL is fine. */
void unwind_lists__free(struct unwind_lists *lists);

/* Copies a list of nr regions, at least one, into the array. Returns 0 or -ENOSPC. */
int unwind_lists__add(struct unwind_lists *lists, const struct unwind_region *regions, uint32_t nr,
		      struct unwind_regions *list);

/* Removes a list. Running programs may still read it. */
void unwind_lists__remove(struct unwind_lists *lists, const struct unwind_regions *list);

/* Tells that a grace period has passed: no program runs any more that ran at the last call. */
void unwind_lists__settle(struct unwind_lists *lists);

/* ---- process_mappings.c: a process's mappings as parts, and its list of regions ---- */

#define UNWIND_MAX_REGIONS (1U << UNWIND_REGIONS_SHIFT) /* of one process */

struct unwind_parts {
	struct unwind_part **parts; /* in order of address */
	size_t nr_parts, capacity;
	size_t nr_ready; /* the first so many parts need not be waited for any more */
	bool is_partial; /* the process has more mappings */
};

/* A time limit for an operation that yields to urgent work. */
struct unwind_timeout {
	uint64_t until_ns;		  /* CLOCK_MONOTONIC */
	bool (*is_urgent)(void *context); /* called after until_ns; NULL: never interrupted */
	void *context;
};

bool unwind_timeout__is_over(const struct unwind_timeout *patience);

/* The source of a process's mappings. */
struct unwind_reading {
	int text; /* processes/maps.h */
	int32_t pid;
	const struct unwind_parts *before; /* the process's earlier parts; NULL: none */
	const struct unwind_timeout *patience;
};

/*
 * Requests the files of all mappings of a process, and reuses earlier parts whose file is the same.
 * The caller zeroes parts before, and puts them in any case. Returns 0; -EAGAIN: interrupted;
 * -ENOENT: there are no mappings; -ENOMEM.
 */
int unwind_parts__read(struct unwind_parts *parts, struct unwind_loader *loader,
		       const struct unwind_reading *reading);

/* Zeroed is fine. */
void unwind_parts__put(struct unwind_parts *parts);

/* Returns true if the files of all parts have arrived, except slow ones. */
bool unwind_parts__are_ready(struct unwind_parts *parts, uint64_t now_ns);

/* Returns the number of parts whose files have not arrived. */
size_t unwind_parts__nr_late(const struct unwind_parts *parts);

/*
 * The programs' view of one process: the list of its regions, by its instance. An exec changes the
 * instance, so a list never applies to samples of another image. Zeroed: the programs have no list.
 */
struct unwind_listing {
	uint64_t instance; /* 0: none */
	struct unwind_regions list;
	struct unwind_parts parts; /* the parts that the list was made of */
	size_t nr_late;		   /* parts whose files had not arrived when the list was made */
};

struct unwind_listings {
	int processes;		     /* map: instance -> struct unwind_regions */
	struct map_calls *map_calls; /* borrowed */
	struct unwind_lists *lists;  /* borrowed */
	size_t nr_lacking;	     /* listings with late parts */
	struct unwind_region regions[UNWIND_MAX_REGIONS]; /* scratch for the current process */
};

/*
 * Gives the programs a new list, which takes over the parts. The old list is removed, also if it
 * has another instance. Returns 0; -ENOSPC or -E2BIG: no room for the list; or another negative
 * errno.
 */
int unwind_listings__publish(struct unwind_listings *listings, struct unwind_listing *listing,
			     uint64_t instance, struct unwind_parts *parts);

/* Removes the process's list from the programs. */
void unwind_listings__withdraw(struct unwind_listings *listings, struct unwind_listing *listing);

/* ---- members.c ---- */

/* Members: the processes that have or want unwind tables, and the order in which they get them. */
struct unwind_member {
	struct map_number pid;
	bool is_wanted;			/* its mappings are to be read */
	uint64_t heat;			/* samples of a newer instance since the last load */
	uint64_t loaded_ns;		/* CLOCK_MONOTONIC; events seen before say nothing new */
	struct unwind_loading *loading; /* NULL: no loading is under way */
	struct unwind_listing listing;
};

struct unwind_members {
	struct map by_pid;
	size_t nr_wanted;
};

/* Puts the parts of all members; their lists stay with the programs. Zeroed is fine. */
void unwind_members__fini(struct unwind_members *members);

/* Returns the member with this pid, added if needed. */
struct unwind_member *unwind_members__add(struct unwind_members *members, int32_t pid);

int32_t unwind_member__pid(const struct unwind_member *member);

void unwind_members__set_wanted(struct unwind_members *members, struct unwind_member *member,
				bool wanted);
void unwind_members__want_all(struct unwind_members *members);
/* Marks members as wanted that have late files, some of which have arrived. */
void unwind_members__want_lacking(struct unwind_members *members);

/* Returns the members that are wanted and not being loaded, most samples first, to be freed. */
struct unwind_member **unwind_members__queue(struct unwind_members *members, size_t *nr_queued);

/* Loadings: members whose mappings are being read, or whose files are awaited. */
struct unwind_loading {
	struct unwind_loading *next;
	struct unwind_member *member;
	uint64_t instance;
	uint64_t heat;	 /* the member's heat before the loading */
	uint64_t ticket; /* of the request to the opener */
	bool has_maps;
	struct unwind_parts parts;
};

/* The loadings under way; all pointers but the last are borrowed. */
struct unwind_loadings {
	struct unwind_members *members;
	struct unwind_loader *loader;
	struct opener *opener; /* reads mappings; NULL: they are read here */
	struct unwind_loading *first;
};

/*
 * Starts to read the mappings of a member, which has this instance now, and clears its wanted flag.
 * Does not wait. Returns 0; 1: no further request is possible now, and the member stays wanted;
 * -ENOMEM. Processes that are gone or find no room are walked by frame pointers.
 */
int unwind_loadings__begin(struct unwind_loadings *loadings, struct unwind_member *member,
			   uint64_t instance, const struct unwind_timeout *patience);

/* Ends the loading of a member, if there is one. Requested files still arrive. */
void unwind_loadings__end(struct unwind_loadings *loadings, struct unwind_member *member);

/* Takes mappings that were read, without waiting, and requests their files. 0 or -ENOMEM. */
int unwind_loadings__take_maps(struct unwind_loadings *loadings,
			       const struct unwind_timeout *patience);

/* Fills in a descriptor to poll for mappings. Returns 1, or 0 if none are awaited. */
size_t unwind_loadings__watch(const struct unwind_loadings *loadings, struct pollfd *watched);

/*
 * ---- recent_files.c: files that processes have mapped recently, according to events ----
 *
 * Such files tell what a process ran that was sampled and has ended since, so that the next process
 * of its kind has tables from its first sample.
 */

#define NR_ARRIVALS 1024

struct unwind_arrival {
	int32_t pid;		/* 0: none */
	struct mapping mapping; /* path is owned */
};

struct recent_files {
	struct unwind_arrival ring[NR_ARRIVALS];
	size_t next;
	struct map known; /* parts of files that were handed out */
};

void recent_files__init(struct recent_files *arrivals);
void recent_files__fini(struct recent_files *arrivals); /* zeroed is fine */

/* Notes a new executable mapping for a while, unless its file was handed out before. */
void recent_files__note(struct recent_files *arrivals, int32_t pid, const struct mapping *mapping);

/* Hands out the files that a process had mapped, each file once in a session. */
void recent_files__each(struct recent_files *arrivals, int32_t pid,
			void (*on_mapping)(void *context, const struct mapping *mapping),
			void *context);

#endif
