/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the parts of the pprof reader share: read.c walks over the file, decode.c
 * decodes one part at a time and keeps its strings, tables.c keeps mappings, functions and
 * locations, samples.c adds samples to the recording. All return a negative errno, with the
 * error said.
 */
#ifndef TOPSTACKS_FORMATS_PPROF_READER_H
#define TOPSTACKS_FORMATS_PPROF_READER_H

#include <stddef.h>
#include <stdint.h>

#include "formats/formats.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/profile.pb-c.h"
#include "formats/pprof/wire.h"
#include "formats/types.h"
#include "profile/pool.h"

#define PPROF_MAX_FRAMES 4096 /* of one stack; inlined ones count */

struct objalloc;

struct pprof_location {
	struct pool_item item;
	uint64_t id;
	uint32_t nr_frames;
	uint32_t *frames; /* ids, leaf first */
};

/* A part decoded, until the next one is. */
struct pprof_arena {
	struct objalloc *blocks;
	size_t used;
};

struct pprof_reader {
	struct recording *recording;
	const struct read_options *options;
	struct error *err;
	const char *bytes;
	size_t nr_bytes;

	struct wire_field *strings; /* content only */
	const char **kept;	    /* those that were asked for, in the dictionary */
	size_t nr_strings, string_capacity;

	uint8_t *head;
	size_t head_bytes;
	struct type_choice choice;
	size_t nr_types;

	struct pool mappings, functions, locations;
	struct objalloc *frames; /* of locations */
	struct pprof_arena arena;
	uint32_t stack[PPROF_MAX_FRAMES];
	size_t nr_samples;
};

/* The file is damaged: says so, with what is wrong. -EINVAL. */
int pprof_reader__refuse(struct pprof_reader *reader, const char *what);

/* One part, valid until the next is decoded; NULL: not such a part, or too large. */
const ProtobufCMessage *pprof_reader__decode(struct pprof_reader *reader,
					     const ProtobufCMessageDescriptor *descriptor,
					     const struct wire_field *field);

/* Notes where a string of the table is. */
int pprof_reader__add_string(struct pprof_reader *reader, const struct wire_field *field);

/* *string is the recording's copy, NULL for an empty one. What follows a NUL is cut off. */
int pprof_reader__string(struct pprof_reader *reader, int64_t index, const char **string);

/* Take a part of the file if it is theirs: mappings and functions, locations, samples. */
int pprof_reader__take_table(struct pprof_reader *reader, const struct wire_field *field);
int pprof_reader__take_location(struct pprof_reader *reader, const struct wire_field *field);
int pprof_reader__take_sample(struct pprof_reader *reader, const struct wire_field *field);

/* The tables, empty; -ENOMEM. */
int pprof_reader__init_tables(struct pprof_reader *reader);
void pprof_reader__clear_tables(struct pprof_reader *reader);

/* NULL: there is none of that id. */
const struct pprof_location *pprof_reader__location(const struct pprof_reader *reader, uint64_t id);

#endif
