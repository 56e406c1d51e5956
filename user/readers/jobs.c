// SPDX-License-Identifier: GPL-2.0-only
#include "readers/jobs.h"

#include "unwind/unwind.h"

#define MIB (1ULL << 20)

/* Until its rows are there, a program is walked by frame pointers: on a busy machine they come first. */
#define FIRST (-20)

#define JIT_BOUNDS                                                                            \
	{                                                                                     \
		.max_memory_bytes = 128 * MIB, .max_answer_bytes = 64 * MIB, .max_seconds = 3 \
	}

static const struct job_row jobs[NR_READER_JOBS] = {
	[READ_PERF_MAP] = {"perf map", JIT_BOUNDS, job__perf_map},
	[READ_JITDUMP] = {"jitdump", JIT_BOUNDS, job__jitdump},
	[READ_SYMBOLS] = {"symbols",
			  {.max_memory_bytes = 1536 * MIB,
			   .max_answer_bytes = 768 * MIB,
			   .max_seconds = 10},
			  job__symbols},
	[READ_UNWIND] = {"unwind",
			 {.max_memory_bytes = 512 * MIB,
			  .max_answer_bytes = UNWIND_MAX_IMAGE_BYTES,
			  .max_seconds = 5,
			  .niceness = FIRST},
			 job__unwind},
	[READ_LINES] = {"source lines",
			{.max_memory_bytes = 512 * MIB,
			 .max_answer_bytes = 64 * MIB,
			 .max_seconds = 20,
			 .niceness = 10, /* it works beside what is sampled */
			 .traps_open = true},
			job__lines},
};

const struct job_row *jobs__find(uint32_t job)
{
	return job < NR_READER_JOBS ? &jobs[job] : NULL;
}
