// SPDX-License-Identifier: GPL-2.0-only
#include "actions/doctor_attempt.h"

#include <unistd.h>

#include "base/system/thread.h"
#include "capture/capture.h"
#include "run/helpers.h"

/* What options of top and record have by default. */
#define RATE_HZ		 99
#define MAX_DEPTH	 127
#define MAX_MEMORY_BYTES ((size_t)64 << 20)
#define MAX_UNWIND_BYTES ((size_t)128 << 20)

static int begin(const struct capture_options *asked, const struct helpers *helpers, bool starts,
		 struct error *err)
{
	struct capture_options options = *asked;
	struct capture *capture;
	int code;

	options.user_stacks = options.kernel_stacks = true;
	options.follow_children = true;
	options.max_depth = MAX_DEPTH;
	options.max_memory_bytes = MAX_MEMORY_BYTES;
	options.max_unwind_bytes = MAX_UNWIND_BYTES;
	options.readers = helpers->readers;
	options.openers = helpers->openers;
	thread__raise_stack();
	code = capture__open(&capture, &options, err);
	if (code)
		return code;
	if (starts) {
		code = capture__start(capture, err);
		capture__stop(capture);
	}
	capture__close(capture);
	return code;
}

int doctor_attempt__load(const struct capture_options *asked, const struct helpers *helpers,
			 struct error *err)
{
	return begin(asked, helpers, false, err);
}

void doctor_attempt__run(struct doctor_attempt *attempt)
{
	const pid_t self = getpid();
	const struct capture_options all = {.scope = SCOPE_SYSTEM, .rate_hz = RATE_HZ};
	const struct capture_options one = {
		.scope = SCOPE_PROCESSES, .ids = &self, .nr_ids = 1, .rate_hz = RATE_HZ};
	struct helpers helpers = {0};

	*attempt = (struct doctor_attempt){0};
	if (!helpers__start(&helpers, false, &attempt->system) &&
	    !begin(&all, &helpers, true, &attempt->system))
		begin(&one, &helpers, true, &attempt->target);
	helpers__stop(&helpers);
}
