/* SPDX-License-Identifier: GPL-2.0-only */
/* What writing and reading pprof files have in common: names that both must spell alike. */
#ifndef TOPSTACKS_FORMATS_PPROF_PPROF_H
#define TOPSTACKS_FORMATS_PPROF_PPROF_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "profile/frame.h"
#include "profile/recording.h"

/* Labels of a sample. */
#define LABEL_COMM	   "comm"
#define LABEL_PID	   "pid"
#define LABEL_THREAD	   "thread"
#define LABEL_THREAD_NAME  "thread_name"
#define LABEL_OWN_PID	   "own_pid"
#define LABEL_COMMAND_LINE "command_line"
#define LABEL_CGROUP	   "cgroup"
#define LABEL_CGROUP_PATH  "cgroup_path"
#define LABEL_CONTAINER	   "container"
#define LABEL_SLICE	   "slice"
#define LABEL_STATE	   "state" /* words of profile/wait.h */
#define LABEL_WAIT	   "wait"

/* Fields of messages by number, as in profile.proto, for those who take them apart themselves. */
enum profile_field {
	PROFILE_SAMPLE_TYPE = 1,
	PROFILE_SAMPLE = 2,
	PROFILE_MAPPING = 3,
	PROFILE_LOCATION = 4,
	PROFILE_FUNCTION = 5,
	PROFILE_STRING = 6,
	PROFILE_DROP_FRAMES = 7,
	PROFILE_KEEP_FRAMES = 8,
	PROFILE_TIME = 9,
	PROFILE_DURATION = 10,
	PROFILE_PERIOD_TYPE = 11,
	PROFILE_PERIOD = 12,
	PROFILE_COMMENT = 13,
	PROFILE_DEFAULT_TYPE = 14,
	PROFILE_DOC_URL = 15,
	PROFILE_LAST = 16, /* larger than any that is known */
};

enum value_type_field { TYPE_NAME = 1, TYPE_UNIT = 2, TYPE_LAST };
enum sample_field {
	SAMPLE_LOCATION = 1,
	SAMPLE_VALUE = 2,
	SAMPLE_LABEL = 3,
	SAMPLE_SLICES = 1000,
	SAMPLE_SQUARES = 1001,
};
enum label_field { LABEL_KEY = 1, LABEL_TEXT = 2, LABEL_NUMBER = 3, LABEL_LAST };

enum mapping_field {
	MAPPING_ID = 1,
	MAPPING_START = 2,
	MAPPING_LIMIT = 3,
	MAPPING_OFFSET = 4,
	MAPPING_FILE = 5,
	MAPPING_BUILD_ID = 6,
	MAPPING_LAST,
};

enum location_field {
	LOCATION_ID = 1,
	LOCATION_MAPPING = 2,
	LOCATION_ADDRESS = 3,
	LOCATION_LINE = 4,
};

enum line_field { LINE_FUNCTION = 1, LINE_NUMBER = 2, LINE_LAST };

enum function_field {
	FUNCTION_ID = 1,
	FUNCTION_NAME = 2,
	FUNCTION_SYSTEM_NAME = 3,
	FUNCTION_FILE = 4,
	FUNCTION_START_LINE = 5,
	FUNCTION_LAST,
};

/* ---- modules.c: kind and module of a frame <-> file name of a mapping ---- */

/*
 * The file name that stands for a frame's module: its path; "[kernel]", "[nf_tables]" of the
 * kernel;
 * "[jit]", "[jit:memfd]". As snprintf; "" if there is neither module nor anything to say.
 */
int pprof__file_name(const struct frame *frame, char *text, size_t size);

/* The other way: fills kind, module and path, which point into name (module: or to a constant). */
struct pprof_module {
	enum frame_kind kind;
	const char *module, *path; /* NULL: none */
	size_t module_bytes;	   /* the module's name is not always terminated */
};
struct pprof_module pprof__module(const char *name);

/* ---- program.c ---- */

/*
 * A frame of the program that most samples are of: go tool pprof takes the first mapping for it. NULL:
 * there is none.
 */
const struct frame *pprof__find_program(const struct profile *profile);

/* ---- events.c: samples of several events are one, with a pair of values for each ---- */

/*
 * The events in the order in which a file has them: what is live comes after what was allocated, as other tools
 * expect, whichever is shown. An array of copies, of which each has the next; free() it. NULL: out of memory.
 */
struct recording *pprof__order(const struct recording *recording);

/* How many slices the events of a recording have, at most. */
size_t pprof__nr_slices(const struct recording *recording);

/* Samples of an event in a slice (-1: in all) or NULL. */
const struct profile *pprof__slice(const struct recording *event, int64_t slice);

/* No event before this one in the list has the sample, too, in that slice. */
bool pprof__is_first(const struct recording *recording, const struct recording *event,
		     const struct sample *sample, int64_t slice);

/* Values of the sample in all events, 0 where it was not seen: VALUES for each at most. How many. */
size_t pprof__fill_values(const struct recording *recording, const struct sample *sample,
			  int64_t slice, int64_t *values);

/* Of the weights of each event: how many there are, or 0 if values tell as much, as all weigh the same. */
size_t pprof__fill_squares(const struct recording *recording, const struct sample *sample,
			   int64_t slice, double *squares);

/* No more than pprof can say. */
static inline int64_t pprof__clamp(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* ---- comments.c: what a recording knows <-> comments ---- */

/*
 * Writes the index-th comment: "topstacks.run=event=cpu-clock\t…", or nothing where there is nothing
 * to say. Those on the first event and the run come first. False beyond the last one.
 */
bool pprof__write_comment(FILE *out, const struct recording *recording, size_t index);

/*
 * Takes a comment in, if it is one of ours. Events of which there is one spring up in the list, and
 * which value of an event is shown is in the metrics of its profile. 0, or -ENOMEM. What makes no
 * sense is left out.
 */
int pprof__take_comment(struct recording *recording, const char *comment);

/* What was told of the run is told of all of its events. */
void pprof__share_comments(struct recording *recording);

#endif
