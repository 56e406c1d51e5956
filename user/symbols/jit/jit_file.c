// SPDX-License-Identifier: GPL-2.0-only
#include "symbols/jit/jit_file.h"

#include <unistd.h>

#include "base/shortage.h"
#include "base/time_budget.h"

#define MAX_FILES 256
#define MAX_TOLD  16

/* A file's time is that of the last tick: a write within the same tick does not change it. */
#define TICK_NS 20000000LL

void jit_file__init(struct jit_file *file, struct jit_round *round, enum reader_job job)
{
	*file = (struct jit_file){
		.round = round, .job = job, .fd = -1, .code.bounds = &round->bounds};
	file->code.source = job == READ_JITDUMP ? LATE_DUMP : LATE_MAP;
}

void jit_file__fini(struct jit_file *file)
{
	reading__close(&file->reading);
	jit_code__clear(&file->code);
	free(file->path);
	file->path = NULL;
	if (file->fd < 0)
		return;
	close(file->fd);
	file->fd = -1;
	file->round->nr_files--;
}

void jit_file__refuse(struct jit_file *file, const char *path, int code)
{
	struct jit_round *round = file->round;

	file->why_unread = code;
	if (file->is_told || !path || !round->on_unreadable || round->nr_told == MAX_TOLD)
		return;
	file->is_told = true;
	round->nr_told++;
	round->on_unreadable(round->waiter, path, file->job, code);
}

bool jit_file__open(struct jit_file *file, const char *path, int fd)
{
	struct jit_round *round = file->round;
	const bool is_too_many = round->nr_files >= MAX_FILES + (file->fd >= 0);
	const bool is_told = file->is_told;
	struct late_table *const late = file->code.late;

	if (is_too_many)
		jit_file__refuse(file, path, -E2BIG);
	if (file->is_given_up || is_too_many) {
		close(fd);
		return false;
	}
	jit_file__fini(file);
	jit_file__init(file, round, file->job);
	file->fd = fd;
	file->path = xstrdup(path);
	file->is_told = is_told;
	file->code.late = late;
	round->nr_files++;
	return true;
}

/* ---- answers of readers ---- */

/*
 * Takes the result of a reading. After a failure known functions stay; without a reader, the file
 * is tried again.
 */
static bool finish(struct jit_file *file)
{
	struct jit_round *round = file->round;
	struct reader_answer answer;
	int code = reading__finish(&file->reading, &answer);
	const struct jit_answer *head = answer.bytes;
	bool has_changed = false;
	size_t used;

	if (!code && answer.nr_bytes < sizeof(*head)) {
		code = -EIO;
	} else if (!code) {
		used = head->left < file->allowance ? file->allowance - (size_t)head->left : 0;
		round->allowance -= used < round->allowance ? used : round->allowance;
		file->progress = head->progress;
		file->has_more = head->has_more;
		has_changed = head->has_changed;
		if (jit_code__apply(&file->code, (const char *)(head + 1),
				    answer.nr_bytes - sizeof(*head)))
			code = -EIO;
	}
	file->is_given_up = code && code != -EAGAIN && !shortage__is(code);
	file->has_more |= code && !file->is_given_up;
	file->why_unread = 0;
	if (code && code != -EAGAIN)
		jit_file__refuse(file, file->path, code);
	reader_answer__free(&answer);
	return has_changed;
}

/* ---- reading ---- */

/* Whether the file has changed; notes its state now. */
static bool has_grown(struct jit_file *file)
{
	const int64_t now_ns = (int64_t)clock_ns(CLOCK_REALTIME);
	struct file_identity now;
	bool has_grown;

	if (file__identify(file->fd, &now))
		return false;
	has_grown =
		file->has_more || !file->is_settled || !file_identity__equals(&file->read, &now);
	file->read = now;
	file->is_settled = llabs(now_ns - now.modified_ns) > TICK_NS;
	return has_grown;
}

/* Waits for the reading, and answers its questions. Returns whether it has ended. */
static bool wait_until(struct jit_file *file, uint64_t until_ns)
{
	struct reader_question question;
	enum reading_state state;

	while ((state = reading__wait(&file->reading, until_ns, &question)) == READING_ASKS)
		reading__reply(&file->reading, -1);
	return state == READING_ENDED;
}

/*
 * Only collects a reading that is late already, without waiting again. A file for which this round
 * has too little time or bytes left waits for the next round.
 */
bool jit_file__refresh(struct jit_file *file)
{
	struct jit_round *round = file->round;
	struct jit_request request;
	bool has_ended = false;
	uint64_t wait_ns;
	int code;

	if (file->reading.readers)
		return wait_until(file, 0) && finish(file);
	if (file->fd < 0 || file->is_given_up || !round->readers || !round->left_ns ||
	    !time_budget__wait_ns(round->budget) || round->allowance < JIT_MIN_ALLOWANCE ||
	    !has_grown(file))
		return false;

	memset(&request, 0, sizeof(request));
	file->allowance = round->allowance / 2; /* the other half is for other files */
	if (file->allowance < JIT_MIN_ALLOWANCE)
		file->allowance = JIT_MIN_ALLOWANCE;
	request.allowance = file->allowance;
	request.progress = file->progress;
	code = reading__start(&file->reading, round->readers, file->job, &file->fd, 1, &request,
			      sizeof(request));
	file->has_more |= code != 0;
	if (shortage__is(code))
		jit_file__refuse(file, file->path, code);

	while (file->reading.readers && !has_ended && round->left_ns &&
	       (wait_ns = time_budget__wait_ns(round->budget))) {
		const uint64_t begin_ns = monotonic_ns();
		uint64_t waited_ns;

		has_ended = wait_until(file, begin_ns + earlier(wait_ns, round->left_ns));
		waited_ns = monotonic_ns() - begin_ns;
		round->left_ns -= earlier(waited_ns, round->left_ns);
		time_budget__spend(round->budget, waited_ns);
	}
	return has_ended && finish(file);
}
