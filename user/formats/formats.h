/* SPDX-License-Identifier: GPL-2.0-only */
/* File formats for programs: one file each in user/formats/, one row each in formats.c. */
#ifndef TOPSTACKS_FORMATS_FORMATS_H
#define TOPSTACKS_FORMATS_FORMATS_H

#include "base/common.h"
#include "profile/file_placing.h"
#include "profile/recording.h"

struct flame_time_line;

/* ---- recordings in files ---- */

struct read_options {
	/* The values to show; NULL: those that the file prefers, else counts. */
	const char *sample_type;
	bool takes_base;	     /* of a difference read the counts before, else those after */
	size_t max_bytes;	     /* limit of the file, and of it inflated; 0: 512 MB */
	size_t max_memory_bytes;     /* limit of the file and its recording; 0: 4 GB */
	struct file_placing placing; /* for files of other tools */
};

/*
 * The labels of samples. For strangers all information on persons and machines is left out, and
 * comments too.
 */
enum write_labels {
	WRITE_ALL_LABELS,
	WRITE_NAMES,	 /* for strangers: command and container */
	WRITE_NO_LABELS, /* for strangers: none */
};

struct write_options {
	enum merge merge; /* level of owners in text formats */
	const char *title;
	bool command_lines;	  /* write command lines, if known: they may contain passwords */
	enum write_labels labels; /* pprof only */
	bool packs_slices;	  /* pprof only: slices are packed, not samples of their own */
	const struct flame_time_line *time_line; /* HTML only (flame/flame.h); NULL: none */
};

struct format {
	const char *name; /* "pprof": the argument of --format= */
	bool is_binary;	  /* binary output: not for a terminal */
	bool is_of_one;	  /* writes only the first event */

	/*
	 * True if the content is of this format. NULL: the format cannot be read. Input of sniff
	 * and read is decompressed.
	 */
	bool (*sniff)(const char *bytes, size_t nr_bytes);
	/*
	 * Reads into an empty recording. 0, or negative errno with err filled, without the file's
	 * name.
	 */
	int (*read)(struct recording *recording, const char *bytes, size_t nr_bytes,
		    const struct read_options *options, struct error *err);

	/* Writes a recording. 0 or negative errno. */
	int (*write)(FILE *out, const struct recording *recording,
		     const struct write_options *options);
};

/*
 * For readers, between their steps: -EFBIG if the recording and held_bytes, which are the file's
 * and the reader's own memory, exceed the limit of options.
 */
int formats__check_memory(const struct recording *recording, size_t held_bytes,
			  const struct read_options *options, struct error *err);

/* The name of a format by index: "folded", "pprof"; NULL beyond the last. */
const char *formats__name(size_t index);

/* Finds a format by name. NULL with err filled: no such format. */
const struct format *formats__find(const char *name, struct error *err);

/*
 * Reads a file, or standard input for "-", into a recording, which it initializes. The format is
 * found by content, compressed or not. After an error there is nothing to free; err includes the
 * file's name, and is EXIT_USAGE if the file is at fault.
 */
int formats__read_file(struct recording *recording, const char *path,
		       const struct read_options *options, struct error *err);

/* The same for a file in memory. */
int formats__read(struct recording *recording, const char *bytes, size_t nr_bytes,
		  const struct read_options *options, struct error *err);

/* Functions of the table's rows; docs/formats.md describes the formats. */
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

/* Writes one object on one line: schema topstacks.interval/1, docs/json.md. 0 or negative errno. */
int json__write_interval(FILE *out, const struct recording *interval);

#endif
