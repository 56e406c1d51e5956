/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Shared by the parts of the pprof reader: read.c walks over the file, tables.c keeps the strings
 * that are used, mappings, functions and locations, samples.c adds samples to the recording. All
 * functions return 0, or negative errno with err filled.
 */
#ifndef TOPSTACKS_FORMATS_PPROF_READER_H
#define TOPSTACKS_FORMATS_PPROF_READER_H

#include "base/common.h"
#include "formats/formats.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/wire.h"

/*
 * ---- types.c: chooses the sample types that become the two values, and the one that is shown. A
 * name may be "NAME/UNIT", to distinguish types of equal names ----
 */

#define NO_TYPE	  SIZE_MAX
#define MAX_TYPES 64

struct type_choice {
	size_t index[VALUES]; /* index of the file's type, or NO_TYPE */
	enum value shown;
	bool is_chosen; /* by the user */
};

/*
 * Chooses types. wanted: the user's choice, or NULL. preferred: the file's default_sample_type, ""
 * if none. Without both it is samples/count, or the last type. -EINVAL with err filled: no type is
 * called so; the error lists the types.
 */
int types__choose(const struct metric *types, size_t nr_types, const char *wanted,
		  const char *preferred, struct type_choice *choice, struct error *err);

/* True if the name is the type's: "samples" or "samples/count". */
bool types__is_called(const struct metric *type, const char *name);

/* ---- types.c: a file of several events has a count and a weight for each ---- */

/* An event of a topstacks file, as its comments describe it. */
struct type_pair {
	const char *event;
	enum value shown; /* as in the comments */
	bool is_chosen;	  /* the user named this value, not only its event */
};

/*
 * True if the types are pairs of these events: a count and a weight for each. With one event, only
 * if both types have the same name; else types are chosen as in files of others.
 */
bool types__are_pairs(const struct metric *types, size_t nr_types, const struct type_pair *pairs,
		      size_t nr_pairs);

/*
 * Chooses the event and the value to show. wanted, preferred: as above, or the name of an event.
 * *pair is the event's index, and its `shown` is set. -EINVAL with err filled: nothing is called
 * so.
 */
int types__choose_pair(const struct metric *types, struct type_pair *pairs, size_t nr_pairs,
		       const char *wanted, const char *preferred, size_t *pair, struct error *err);

/* ---- the reader ---- */

#define PPROF_MAX_FRAMES 4096 /* of a stack, including inlined ones */

struct objalloc;

/* The frames of a location, leaf first; nr is 0 if there is no such location. */
struct pprof_frames {
	uint32_t nr, leaf;
	const uint32_t *ids; /* all nr of them */
};

/* An event of the file, and the indices of its values among those of a sample. */
struct pprof_event {
	struct recording *recording;
	size_t index[VALUES]; /* NO_TYPE: it lacks this value */
};

/* Fields of the profile itself. Strings are by number, as the string table may come later. */
struct pprof_head {
	uint64_t types[MAX_TYPES][TYPE_LAST];
	size_t nr_types;
	uint64_t period_type[TYPE_LAST];
	uint64_t *comments;
	size_t nr_comments, comments_capacity;
	uint64_t numbers[PROFILE_LAST]; /* by field: times, period, default type and others */
};

struct pprof_reader {
	struct recording *recording;
	const struct read_options *options;
	struct error *err;
	const char *bytes;
	size_t nr_bytes;

	struct wire *strings;
	const char **kept; /* interned strings that were used; NULL: not yet */
	size_t nr_strings, string_capacity;

	struct pprof_head head;
	struct pprof_event events[MAX_TYPES / VALUES + 1];
	size_t nr_events;
	struct recording *shown; /* the event of the list that becomes the first */

	struct map mappings, functions; /* by id */
	struct objalloc *frames;	/* memory for frames of locations */

	/*
	 * Locations by id. Most writers count from 1: location i is at i - 1, without a search.
	 * Other ids are in the map.
	 */
	struct pprof_frames *in_order;
	size_t nr_in_order, in_order_capacity;
	struct map locations;
	struct process process; /* of the last sample, with its id; ID_NONE: none */
	uint32_t process_id;
	uint32_t stack[PPROF_MAX_FRAMES];
	size_t tables_bytes; /* memory of items and frames in the tables */
	size_t nr_unchecked; /* things added since the last check of memory */
};

/* Reports that the file is damaged. what: the damage. Returns -EINVAL. */
int pprof_reader__refuse(struct pprof_reader *reader, const char *what);

/*
 * Counts added strings, frames and the like; from time to time checks the memory limit: -EFBIG if
 * it is exceeded.
 */
int pprof_reader__count(struct pprof_reader *reader, size_t nr);

/* Adds a string to the table, without copying it. */
int pprof_reader__add_string(struct pprof_reader *reader, const struct wire_field *field);

/*
 * *string is the interned copy of a string, at most its first 16 KB; NULL for an empty one.
 */
int pprof_reader__string(struct pprof_reader *reader, uint64_t index, const char **string);

/* Read a field of the file, if it is of their kind: mapping or function, location, sample. */
int pprof_reader__take_table(struct pprof_reader *reader, const struct wire_field *field);
int pprof_reader__take_location(struct pprof_reader *reader, const struct wire_field *field);
int pprof_reader__take_sample(struct pprof_reader *reader, const struct wire_field *field);

/* Makes empty tables. */
void pprof_reader__init_tables(struct pprof_reader *reader);
void pprof_reader__clear_tables(struct pprof_reader *reader);

/* Finds a location by its id in the map. */
struct pprof_frames pprof_reader__search_location(const struct pprof_reader *reader, uint64_t id);

static inline struct pprof_frames pprof_reader__location(const struct pprof_reader *reader,
							 uint64_t id)
{
	return id - 1 < reader->nr_in_order ? reader->in_order[id - 1]
					    : pprof_reader__search_location(reader, id);
}

#endif
