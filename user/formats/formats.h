/* SPDX-License-Identifier: GPL-2.0-only */
/* Formats that machines read; one file each in user/formats/, one row each in formats.c. */
#ifndef TOPSTACKS_FORMATS_FORMATS_H
#define TOPSTACKS_FORMATS_FORMATS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"
#include "profile/file_placing.h"
#include "profile/recording.h"

struct flame_time_line;

/* ---- recordings in files ---- */

struct read_options {
	const char
		*sample_type; /* which values to show; NULL: what the file prefers, else counts */
	bool takes_base;      /* of a difference the counts of before; else those of after */
	size_t max_bytes;     /* of the file, and of it inflated; 0: 512 MB */
	size_t max_memory_bytes;     /* of it and of what is made of it; 0: 4 GB */
	struct file_placing placing; /* of files that other tools sampled */
};

/* Which labels samples get. For strangers: whatever tells of people and machines is left out, comments too. */
enum write_labels {
	WRITE_ALL_LABELS,
	WRITE_NAMES,	 /* for strangers: command and container */
	WRITE_NO_LABELS, /* for strangers: none */
};

struct write_options {
	enum merge merge; /* what text formats tell apart */
	const char *title;
	bool command_lines;	  /* of processes, where they are known: they may hold passwords */
	enum write_labels labels; /* of pprof */
	bool packs_slices;	  /* of pprof: they are no samples of their own */
	const struct flame_time_line *time_line; /* of a page (flame/flame.h); NULL: none */
};

struct format {
	const char *name; /* "pprof": what --format= takes */
	bool is_binary;	  /* written so; not for a terminal */
	bool is_of_one;	  /* of several events only the first is written */

	/* By content. NULL: this format is not read. Neither is given more than once inflated. */
	bool (*sniff)(const char *bytes, size_t nr_bytes);
	/* Into an empty recording. 0, or a negative errno with err filled (no file name in it). */
	int (*read)(struct recording *recording, const char *bytes, size_t nr_bytes,
		    const struct read_options *options, struct error *err);

	/* 0 or negative errno. */
	int (*write)(FILE *out, const struct recording *recording,
		     const struct write_options *options);
};

/*
 * For readers, as they go: -EFBIG if the recording, and so many bytes that the reader itself holds
 * with the file's, are more than options allow.
 */
int formats__check_memory(const struct recording *recording, size_t held_bytes,
			  const struct read_options *options, struct error *err);

/* "folded", "pprof"; NULL beyond the last. */
const char *formats__name(size_t index);

/* NULL, with err filled, if there is none of that name. */
const struct format *formats__find(const char *name, struct error *err);

/*
 * Reads a file, or standard input for "-", into a recording that it initializes; the format is found
 * by content, compressed or not. On failure, which err tells with the file's name (EXIT_USAGE if it
 * is the file's fault), there is nothing to free.
 */
int formats__read_file(struct recording *recording, const char *path,
		       const struct read_options *options, struct error *err);

/* The same from memory. */
int formats__read(struct recording *recording, const char *bytes, size_t nr_bytes,
		  const struct read_options *options, struct error *err);

/* Rows of the table; docs/formats.md has what they write. */
bool pprof__sniff(const char *bytes, size_t nr_bytes);
int pprof__read(struct recording *recording, const char *bytes, size_t nr_bytes,
		const struct read_options *options, struct error *err);
int pprof__write(FILE *out, const struct recording *recording, const struct write_options *options);
int otlp__write(FILE *out, const struct recording *recording, const struct write_options *options);
bool folded__sniff(const char *bytes, size_t nr_bytes);
bool folded__is_meant(const char *bytes, size_t nr_bytes);
int folded__read(struct recording *recording, const char *bytes, size_t nr_bytes,
		 const struct read_options *options, struct error *err);
int folded__write(FILE *out, const struct recording *recording,
		  const struct write_options *options);
int json__write_recording(FILE *out, const struct recording *recording,
			  const struct write_options *options);
int csv__write(FILE *out, const struct recording *recording, const struct write_options *options);
int speedscope__write(FILE *out, const struct recording *recording,
		      const struct write_options *options);
int firefox__write(FILE *out, const struct recording *recording,
		   const struct write_options *options);
int html__write(FILE *out, const struct recording *recording, const struct write_options *options);
int svg__write(FILE *out, const struct recording *recording, const struct write_options *options);

/* One object, one line: schema topstacks.interval/1, docs/json.md. 0 or negative errno. */
int json__write_interval(FILE *out, const struct recording *interval);

#endif
