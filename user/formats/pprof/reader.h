/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the pprof reader share: read.c walks over the file, strings.c keeps those that
 * are asked for, tables.c keeps mappings, functions and locations, samples.c adds samples to the
 * recording. All return a negative errno, with the error said.
 */
#ifndef TOPSTACKS_FORMATS_PPROF_READER_H
#define TOPSTACKS_FORMATS_PPROF_READER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/map.h"
#include "formats/formats.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/wire.h"

/*
 * ---- types.c: which sample types become the two values, and which one is shown. Where a name is
 * wanted, "NAME/UNIT" tells types of one name apart ----
 */

#define NO_TYPE	  SIZE_MAX
#define MAX_TYPES 64

struct type_choice {
	size_t index[VALUES]; /* of the file's type, or NO_TYPE */
	enum value shown;
	bool is_chosen; /* by the user */
};

/*
 * wanted: by the user, or NULL. preferred: the file's default_sample_type, "" if none. Without
 * either it is samples/count, or the last one. -EINVAL with err filled if there is no type of the
 * wanted name, which lists those there are.
 */
int types__choose(const struct metric *types, size_t nr_types, const char *wanted,
		  const char *preferred, struct type_choice *choice, struct error *err);

/* "samples", "samples/count" */
bool types__is_called(const struct metric *type, const char *name);

/* ---- types.c: a file of several events has a count and a weight of each ---- */

/* Events of a file of topstacks, of which the comments told already. */
struct type_pair {
	const char *event;
	enum value shown; /* as the comments say */
	bool is_chosen;	  /* the user named it, not its event alone */
};

/*
 * Whether the types are pairs of so many events: a count and something else of each. Types of one event
 * are, if both have one name; otherwise they are chosen as in files of others.
 */
bool types__are_pairs(const struct metric *types, size_t nr_types, const struct type_pair *pairs,
		      size_t nr_pairs);

/*
 * wanted, preferred: as above, or an event's name. Sets *pair to the number of the one to be shown,
 * and in it the value. -EINVAL with err filled if there is nothing of the wanted name.
 */
int types__choose_pair(const struct metric *types, struct type_pair *pairs, size_t nr_pairs,
		       const char *wanted, const char *preferred, size_t *pair, struct error *err);

/* ---- the reader ---- */

#define PPROF_MAX_FRAMES 4096 /* of one stack; inlined ones count */

struct objalloc;

/* The frames of a location, leaf first; none: there is no such location. */
struct pprof_frames {
	uint32_t nr, leaf;
	const uint32_t *ids; /* of all */
};

/* An event that the file has samples of, and where their values are among all of a sample. */
struct pprof_event {
	struct recording *recording;
	size_t index[VALUES]; /* or NO_TYPE */
};

/* What is said once, or a few times; strings by their numbers, as those may come later. */
struct pprof_head {
	uint64_t types[MAX_TYPES][TYPE_LAST];
	size_t nr_types;
	uint64_t period_type[TYPE_LAST];
	uint64_t *comments;
	size_t nr_comments, comments_capacity;
	uint64_t numbers[PROFILE_LAST]; /* by field: times, the period, the type to be shown */
};

struct pprof_reader {
	struct recording *recording;
	const struct read_options *options;
	struct error *err;
	const char *bytes;
	size_t nr_bytes;

	struct wire *strings;
	const char **kept; /* those that were asked for, in the dictionary */
	size_t nr_strings, string_capacity;

	struct pprof_head head;
	struct pprof_event events[MAX_TYPES / VALUES + 1];
	size_t nr_events;
	struct recording *shown; /* that of the list that is to be the first */

	struct map mappings, functions; /* by id */
	struct objalloc *frames;	/* of locations */

	/*
	 * Most writers count from 1: the location of id i is found at i - 1, without a search. Those that
	 * do not go on from the one before are in the map.
	 */
	struct pprof_frames *in_order;
	size_t nr_in_order, in_order_capacity;
	struct map locations;
	struct process process; /* of the sample before, and its id; ID_NONE: there was none */
	uint32_t process_id;
	uint32_t stack[PPROF_MAX_FRAMES];
	size_t tables_bytes; /* of items and frames in the tables */
	size_t nr_unchecked; /* things that were added since memory was looked at */
};

/* The file is damaged: says so, with what is wrong. -EINVAL. */
int pprof_reader__refuse(struct pprof_reader *reader, const char *what);

/* As so many strings, frames or the like are added: -EFBIG if the bound on memory is reached. */
int pprof_reader__count(struct pprof_reader *reader, size_t nr);

/* *kept is the recording's copy of these bytes; a NUL among them is a TEXT_NUL there. */
int pprof_reader__keep(struct pprof_reader *reader, const char *bytes, size_t nr_bytes,
		       const char **kept);

/* Notes where a string of the table is. */
int pprof_reader__add_string(struct pprof_reader *reader, const struct wire_field *field);

/*
 * *string is the recording's copy, NULL for an empty one. What follows the first 16 KB is cut off.
 */
int pprof_reader__string(struct pprof_reader *reader, uint64_t index, const char **string);

/* Take a part of the file if it is theirs: mappings and functions, locations, samples. */
int pprof_reader__take_table(struct pprof_reader *reader, const struct wire_field *field);
int pprof_reader__take_location(struct pprof_reader *reader, const struct wire_field *field);
int pprof_reader__take_sample(struct pprof_reader *reader, const struct wire_field *field);

/* The tables, empty; -ENOMEM. */
int pprof_reader__init_tables(struct pprof_reader *reader);
void pprof_reader__clear_tables(struct pprof_reader *reader);

/* Of a location that is not in order. */
struct pprof_frames pprof_reader__search_location(const struct pprof_reader *reader, uint64_t id);

static inline struct pprof_frames pprof_reader__location(const struct pprof_reader *reader,
							 uint64_t id)
{
	return id - 1 < reader->nr_in_order ? reader->in_order[id - 1]
					    : pprof_reader__search_location(reader, id);
}

#endif
