// SPDX-License-Identifier: GPL-2.0-only
#include "readers/jobs.h"

#include "topstacks/interpreter_abi.h"
#include "unwind/unwind.h"

#define MIB (1ULL << 20)

/* Highest priority: until a program's unwind rows are there, it is walked by frame pointers. */
#define FIRST (-20)

#define JIT_BOUNDS                                                                           \
	{                                                                                    \
		.max_memory_bytes = 64 * MIB, .max_answer_bytes = 32 * MIB, .max_seconds = 3 \
	}

static const struct job_row jobs[NR_READER_JOBS] = {
	[READ_PERF_MAP] = {"perf map", 3, JIT_BOUNDS, job__perf_map},
	[READ_JITDUMP] = {"jitdump", 2, JIT_BOUNDS, job__jitdump},
	/* The symbols of a compiler or a browser need 55 MiB and 0.1 s. */
	[READ_SYMBOLS] = {"symbols",
			  16,
			  {.max_memory_bytes = 76 * MIB,
			   .max_answer_bytes = 20 * MIB,
			   .max_seconds = 2},
			  job__symbols},
	/* The symbols of a program of 700 MB need 280 MiB and 1 s; there are larger ones. */
	[READ_LARGE_SYMBOLS] = {"large symbols",
				1,
				{.max_memory_bytes = 1024 * MIB,
				 .max_answer_bytes = 384 * MIB,
				 .max_seconds = 10},
				job__symbols},
	/* A table with the maximal number of rows needs 50 MiB. */
	[READ_UNWIND] = {"unwind",
			 4,
			 {.max_memory_bytes = 79 * MIB,
			  .max_answer_bytes = sizeof(struct interpreter) + UNWIND_MAX_IMAGE_BYTES,
			  .max_seconds = 5,
			  .niceness = FIRST},
			 job__unwind},
	[READ_LINES] = {"source lines",
			1,
			{.max_memory_bytes = 512 * MIB,
			 .max_answer_bytes = 64 * MIB,
			 .max_scratch_bytes = 256 * MIB,
			 .max_seconds = 20,
			 .niceness = 10, /* it must not disturb the sampled programs */
			 .traps_open = true},
			job__lines},
	[READ_FUNCTION] = {"function",
			   1,
			   {.max_memory_bytes = 256 * MIB,
			    .max_answer_bytes = 2 * MIB,
			    .max_seconds = 5},
			   job__function},
	[READ_BUILD_ID] = {"build ID",
			   1,
			   {.max_memory_bytes = 16 * MIB,
			    .max_answer_bytes = MIB,
			    .max_seconds = 1},
			   job__build_id},
	/* The maximal number of instructions needs 24 MiB. */
	[READ_INSTRUCTIONS] = {"instructions",
			       1,
			       {.max_memory_bytes = 64 * MIB,
				.max_answer_bytes = 32 * MIB,
				.max_seconds = 10},
			       job__instructions},
	/* Symbols and strings of a static program of 150 MB need 64 MiB. */
	[READ_ALLOCATOR] = {"allocator",
			    1,
			    {.max_memory_bytes = 192 * MIB,
			     .max_answer_bytes = MIB,
			     .max_seconds = 2},
			    job__allocator},
	[READ_SEGMENTS] = {"segments",
			   1,
			   {.max_memory_bytes = 16 * MIB,
			    .max_answer_bytes = MIB,
			    .max_seconds = 1},
			   job__segments},
	[READ_TEXT] = {"text",
		       1,
		       {.max_memory_bytes = 16 * MIB,
			.max_answer_bytes = 32 * MIB,
			.max_seconds = 2},
		       job__text},
};

const struct job_row *jobs__find(uint32_t job)
{
	return job < NR_READER_JOBS ? &jobs[job] : NULL;
}

static int next_debug_file(void *context, enum debug_question question, const char *name,
			   unsigned int index)
{
	struct reader_question asked = {.kind = question, .index = index};

	if (strlen(name) >= sizeof(asked.name))
		return -ENOENT;
	strcpy(asked.name, name);
	return reader__ask(context, &asked);
}

struct debug_candidates reader__debug_candidates(const struct reader_task *task)
{
	return (struct debug_candidates){.next = next_debug_file,
					 .context = (void *)(uintptr_t)task};
}
