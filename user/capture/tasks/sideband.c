// SPDX-License-Identifier: GPL-2.0-only
#include "capture/tasks/sideband.h"

#include <limits.h>
#include <linux/perf_event.h>
#include <sys/mman.h>

#include "capture/events/sample.h"
#include "capture/host/features.h"
#include "capture/tasks/internal.h"

struct record_fork { /* PERF_RECORD_FORK and PERF_RECORD_EXIT */
	struct perf_event_header header;
	uint32_t pid, parent, tid, parent_tid;
	uint64_t time_ns;
};

struct record_comm {
	struct perf_event_header header;
	uint32_t pid, tid;
};

struct record_mmap2 {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t start, length, offset;
	uint32_t major, minor;
	uint64_t inode, inode_generation;
	uint32_t protection, flags;
	char path[];
};

struct sideband {
	struct process_records *records;
	bool everyone;
	struct map followed; /* pids */
	struct process_ends ends;
};

/* ---- followed processes ---- */

void sideband__follow(struct sideband *sideband, int32_t pid)
{
	map__note_number(&sideband->followed, (uint32_t)pid);
}

static bool is_followed(const struct sideband *sideband, uint32_t pid)
{
	return sideband->everyone || map__find_number(&sideband->followed, pid);
}

/* ---- opening ---- */

int sideband__open(struct sideband **out, bool everyone, bool is_prompt, struct error *err)
{
	struct sideband *sideband = xcalloc(1, sizeof(*sideband));
	int code;

	sideband->everyone = everyone;
	map__init_numbers(&sideband->followed, free);
	process_ends__init(&sideband->ends);
	code = process_records__open(&sideband->records, is_prompt);
	if (code) {
		features__explain(NULL, err, code, "follow processes through perf events");
		sideband__close(sideband);
		return code;
	}
	*out = sideband;
	return 0;
}

void sideband__close(struct sideband *sideband)
{
	if (!sideband)
		return;
	process_records__close(sideband->records);
	map__fini(&sideband->followed);
	process_ends__fini(&sideband->ends);
	free(sideband);
}

int sideband__follow_cpu(struct sideband *sideband, unsigned int cpu, bool is_online)
{
	return process_records__follow_cpu(sideband->records, cpu, is_online);
}

int sideband__fd(const struct sideband *sideband)
{
	return process_records__fd(sideband->records);
}

/* ---- handing over ---- */

/* The receiver, and the time of the current record. */
struct handover {
	struct sideband *sideband;
	const struct capture_sink *sink;
	uint64_t time_ns;
};

static void hand_over_end(void *context, int32_t pid)
{
	struct handover *handover = context;
	struct process_event event = {
		.type = PROCESS_EXITED, .time_ns = handover->time_ns, .pid = pid};

	map__remove_number(&handover->sideband->followed, (uint32_t)pid);
	handover->sink->on_event(handover->sink->context, &event);
}

static void hand_over_fork(struct handover *handover, const struct record_fork *record)
{
	struct sideband *sideband = handover->sideband;
	struct process_event event = {.type = PROCESS_FORKED,
				      .time_ns = record->time_ns,
				      .pid = (int32_t)record->pid,
				      .parent = (int32_t)record->parent};

	if (record->pid == record->parent) { /* a new thread */
		process_ends__cloned(&sideband->ends, event.pid);
		return;
	}
	if (!is_followed(sideband, record->parent))
		return;
	if (process_ends__forked(&sideband->ends, event.pid))
		hand_over_end(handover, event.pid);
	if (!sideband->everyone)
		sideband__follow(sideband, event.pid);
	handover->sink->on_event(handover->sink->context, &event);
}

static void hand_over_exit(struct handover *handover, const struct record_fork *record)
{
	struct sideband *sideband = handover->sideband;

	if (record->pid == record->tid && is_followed(sideband, record->pid) &&
	    process_ends__leader_exited(&sideband->ends, (int32_t)record->pid))
		hand_over_end(handover, (int32_t)record->pid);
}

static void hand_over_comm(struct handover *handover, const struct record_comm *record)
{
	struct process_event event = {
		.type = PROCESS_EXECED, .time_ns = handover->time_ns, .pid = (int32_t)record->pid};

	if (!(record->header.misc & PERF_RECORD_MISC_COMM_EXEC) ||
	    !is_followed(handover->sideband, record->pid))
		return;
	process_ends__execed(&handover->sideband->ends, event.pid);
	handover->sink->on_event(handover->sink->context, &event);
}

static void hand_over_mmap(struct handover *handover, const struct record_mmap2 *record,
			   size_t nr_bytes)
{
	size_t room = nr_bytes - sizeof(*record);
	char path[PATH_MAX + 1];
	struct process_event event = {
		.type = PROCESS_MAPPED,
		.time_ns = handover->time_ns,
		.pid = (int32_t)record->pid,
		.mapping = {.start = record->start,
			    .end = record->start + record->length,
			    .offset = record->offset,
			    .inode = record->inode,
			    .major = record->major,
			    .minor = record->minor,
			    .path = path},
	};

	if (!(record->protection & PROT_EXEC) || record->length == 0 ||
	    record->start + record->length < record->start ||
	    !is_followed(handover->sideband, record->pid))
		return;
	snprintf(path, sizeof(path), "%.*s", (int)(room < PATH_MAX ? room : PATH_MAX),
		 record->path);
	handover->sink->on_event(handover->sink->context, &event);
}

static void hand_over(struct handover *handover, const struct timed_record *record)
{
	const struct perf_event_header *header = record->header;
	const size_t bytes = record->nr_bytes;

	handover->time_ns = record->time_ns;
	if (header->type == PERF_RECORD_FORK && bytes >= sizeof(struct record_fork))
		hand_over_fork(handover, (const void *)header);
	else if (header->type == PERF_RECORD_EXIT && bytes >= sizeof(struct record_fork))
		hand_over_exit(handover, (const void *)header);
	else if (header->type == PERF_RECORD_COMM && bytes >= sizeof(struct record_comm))
		hand_over_comm(handover, (const void *)header);
	else if (header->type == PERF_RECORD_MMAP2 && bytes >= sizeof(struct record_mmap2))
		hand_over_mmap(handover, (const void *)header, bytes);
}

void sideband__dispatch(struct sideband *sideband, const struct capture_sink *sink,
			uint64_t *nr_lost)
{
	struct handover handover = {.sideband = sideband, .sink = sink};
	struct process_event event = {.type = PROCESS_RECORDS_LOST, .time_ns = monotonic_ns()};
	struct timed_record record;
	uint64_t lost;

	process_records__collect(sideband->records);
	while (process_records__next(sideband->records, event.time_ns, &record))
		hand_over(&handover, &record);
	handover.time_ns = event.time_ns;
	process_ends__collect(&sideband->ends, hand_over_end, &handover);
	lost = process_records__take_lost(sideband->records);
	if (lost) {
		process_ends__doubt(&sideband->ends);
		sink->on_event(sink->context, &event);
	}
	*nr_lost += lost;
}
