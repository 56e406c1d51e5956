/* SPDX-License-Identifier: GPL-2.0-only */
/* Names and helpers that the writer and the reader of pprof files share. */
#ifndef TOPSTACKS_FORMATS_PPROF_PPROF_H
#define TOPSTACKS_FORMATS_PPROF_PPROF_H

#include "base/common.h"
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

/* Field numbers of messages, as in profile.proto, for code that decodes messages itself. */
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
	PROFILE_LAST = 16, /* larger than any known number */
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
 * The file name of the mapping that stands for a frame's module: its path; "[kernel]",
 * "[nf_tables]" in the kernel; "[jit]", "[jit:memfd]"; "" if the frame has no module. The caller
 * frees it.
 */
char *pprof__file_name(const struct frame *frame);

/* The reverse: finds kind, module and path. Both point into name, or module to a constant. */
struct pprof_module {
	enum frame_kind kind;
	const char *module, *path; /* NULL: none */
	size_t module_bytes;	   /* module is not always terminated */
};
struct pprof_module pprof__module(const char *name);

/* ---- program.c ---- */

/*
 * Returns a frame of the program that has most samples: go tool pprof takes the first mapping for
 * the program. NULL: none.
 */
const struct frame *pprof__find_program(const struct profile *profile);

/* ---- events.c: equal samples of several events are one, with two values for each event ---- */

/*
 * The events in a file's order: live memory comes after allocated memory, as other tools expect,
 * whichever is shown. Returns an array of copies, linked by `more`; the caller frees it.
 */
struct recording *pprof__order(const struct recording *recording);

/* The largest number of slices of an event. */
size_t pprof__nr_slices(const struct recording *recording);

/* The samples of an event in a slice (-1: all); NULL: none. */
const struct profile *pprof__slice(const struct recording *event, int64_t slice);

/* True if no event earlier in the list has this sample in this slice. */
bool pprof__is_first(const struct recording *recording, const struct recording *event,
		     const struct sample *sample, int64_t slice);

/*
 * Fills the values of the sample in all events, 0 where an event lacks it; at most VALUES for each.
 * Returns their number.
 */
size_t pprof__fill_values(const struct recording *recording, const struct sample *sample,
			  int64_t slice, int64_t *values);

/*
 * Fills the sums of squared weights, one for each event. Returns their number; or 0 if they follow
 * from the values, as all weights are equal.
 */
size_t pprof__fill_squares(const struct recording *recording, const struct sample *sample,
			   int64_t slice, double *squares);

/* Limits a value to the range of pprof. */
static inline int64_t pprof__clamp(uint64_t value)
{
	return value > INT64_MAX ? INT64_MAX : (int64_t)value;
}

/* ---- comments.c: facts of a recording <-> comments ---- */

/*
 * Writes the index-th comment, "topstacks.run=event=cpu-clock\t…", or nothing if it would be empty.
 * Comments on the run and its first event come first. False beyond the last one.
 */
bool pprof__write_comment(FILE *out, const struct recording *recording, size_t index);

/*
 * Takes a comment in, if it is one of ours, and ignores invalid parts. Adds events to the list as
 * comments mention them. The metrics of each profile say which value is shown.
 */
void pprof__take_comment(struct recording *recording, const char *comment);

/* Copies the facts of the run to all of its events. */
void pprof__share_comments(struct recording *recording);

#endif
