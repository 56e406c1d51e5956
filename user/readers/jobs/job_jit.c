// SPDX-License-Identifier: GPL-2.0-only
#include "readers/jit_files.h"
#include "readers/jobs.h"

#define MUCH_BYTES (24U << 20) /* leaves room in the answer for one more round */

/* ---- records ---- */

void jit_told__add(struct jit_told *told, const struct jit_record *record, const char *name)
{
	struct jit_record kept = *record;
	size_t nr_bytes;

	if (kept.name_bytes > JIT_MAX_NAME_BYTES)
		kept.name_bytes = JIT_MAX_NAME_BYTES;
	kept.name_bytes = kept.name_bytes ? (uint32_t)strnlen(name, kept.name_bytes) : 0;
	nr_bytes = JIT_RECORD_BYTES(kept.name_bytes);
	if (array__try_reserve(&told->bytes, &told->capacity, told->nr_bytes + nr_bytes)) {
		told->is_full = true;
		return;
	}
	memset(told->bytes + told->nr_bytes, 0, nr_bytes);
	memcpy(told->bytes + told->nr_bytes, &kept, sizeof(kept));
	if (kept.name_bytes)
		memcpy(told->bytes + told->nr_bytes + sizeof(kept), name, kept.name_bytes);
	told->nr_bytes += nr_bytes;
}

bool jit_told__is_much(const struct jit_told *told)
{
	return told->is_full || told->nr_bytes >= MUCH_BYTES;
}

/* ---- jobs ---- */

static int run(const struct reader_task *task,
	       bool (*read_file)(union jit_progress *progress, int fd, struct jit_told *told,
				 size_t *allowance))
{
	struct jit_answer head = {0};
	struct jit_told told = {0};
	struct jit_request request;
	size_t left;
	int code;

	if (task->nr_files != 1 || task->nr_bytes != sizeof(request))
		return -EINVAL;
	memcpy(&request, task->arguments, sizeof(request));
	left = request.allowance;
	head.has_changed = read_file(&request.progress, task->files[0], &told, &left);
	head.has_more = left < JIT_MIN_ALLOWANCE || jit_told__is_much(&told);
	head.left = left;
	head.progress = request.progress;
	code = told.is_full ? -ENOMEM : reader__answer(task, &head, sizeof(head));
	if (!code)
		code = reader__answer(task, told.bytes, told.nr_bytes);
	free(told.bytes);
	return code;
}

static bool read_perf_map(union jit_progress *progress, int fd, struct jit_told *told,
			  size_t *allowance)
{
	return perf_map__read(&progress->map, fd, told, allowance);
}

static bool read_jitdump(union jit_progress *progress, int fd, struct jit_told *told,
			 size_t *allowance)
{
	return jitdump__read(&progress->dump, fd, told, allowance);
}

int job__perf_map(const struct reader_task *task)
{
	return run(task, read_perf_map);
}

int job__jitdump(const struct reader_task *task)
{
	return run(task, read_jitdump);
}
