// SPDX-License-Identifier: GPL-2.0-only
#include "capture/sideband.h"

#include <errno.h>
#include <limits.h>
#include <linux/perf_event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <bpf/libbpf.h>
#include <libiberty/hashtab.h>

#include "base/array.h"
#include "base/clock.h"
#include "capture/capture.h"
#include "capture/features.h"
#include "capture/ring.h"

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

#define RING_BYTES (256 * 1024)

/* Every record ends in its time: sample_id_all with PERF_SAMPLE_TIME alone. */
#define TRAILER_BYTES sizeof(uint64_t)

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

/* A record that was taken from a ring and waits for its turn. */
struct waiting {
	uint64_t time_ns;
	size_t position; /* in the batch's bytes: also the order within a ring */
};

struct batch {
	char *bytes;
	size_t nr_bytes, capacity;
	struct waiting *waiting;
	size_t nr_waiting, waiting_capacity;
};

struct sideband {
	struct ring *rings; /* by CPU; one without pages is not there */
	uint64_t *nr_lost;  /* per ring, as the kernel counts them */
	size_t nr_rings;
	uint64_t nr_gaps; /* CPUs that may have made records before their ring was there */
	bool counts_lost; /* PERF_FORMAT_LOST, 6.0 (119a784c8127) */
	bool everyone, is_prompt;
	htab_t followed; /* pids as pointers, see pid_entry() */
	int epoll;
	struct batch batch;
};

/* ---- which processes ---- */

/* The table reserves the pointers 0 and 1. */
static void *pid_entry(int32_t pid)
{
	return (void *)(((uintptr_t)(uint32_t)pid << 1) + 2);
}

int sideband__follow(struct sideband *sideband, int32_t pid)
{
	void **slot = htab_find_slot(sideband->followed, pid_entry(pid), INSERT);

	if (!slot)
		return -ENOMEM;
	*slot = pid_entry(pid);
	return 0;
}

static bool is_followed(const struct sideband *sideband, uint32_t pid)
{
	return sideband->everyone || htab_find(sideband->followed, pid_entry((int32_t)pid));
}

/* ---- opening ---- */

static int open_dummy(int cpu, bool is_prompt, bool *counts_lost)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr),
		.type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY,
		.sample_type = PERF_SAMPLE_TIME,
		.read_format = *counts_lost ? PERF_FORMAT_LOST : 0,
		.mmap = 1,
		.mmap2 = 1,
		.comm = 1,
		.comm_exec = 1,
		.task = 1,
		.sample_id_all = 1,
		.use_clockid = 1,
		.clockid = CLOCK_MONOTONIC,
		.watermark = 1,
		.wakeup_watermark = is_prompt ? 1 : RING_BYTES / 4,
	};
	int fd = (int)syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	if (fd < 0 && errno == EINVAL && *counts_lost) {
		*counts_lost = false;
		return open_dummy(cpu, is_prompt, counts_lost);
	}
	return fd < 0 ? -errno : fd;
}

static int open_ring(struct sideband *sideband, int cpu)
{
	struct epoll_event interest = {.events = EPOLLIN};
	struct ring *ring = &sideband->rings[cpu];
	int fd, code;

	fd = open_dummy(cpu, sideband->is_prompt, &sideband->counts_lost);
	if (fd == -ENODEV) /* offline */
		return 0;
	if (fd < 0)
		return fd;
	code = ring__map(ring, fd, RING_BYTES);
	if (!code && epoll_ctl(sideband->epoll, EPOLL_CTL_ADD, fd, &interest))
		code = -errno;
	if (code) {
		ring__unmap(ring);
		close(fd);
		return code;
	}
	sideband->nr_lost[cpu] = 0;
	return 0;
}

static void close_ring(struct ring *ring)
{
	if (!ring->pages)
		return;
	ring__unmap(ring);
	close(ring->fd);
}

static int open_rings(struct sideband *sideband)
{
	int nr_cpus = libbpf_num_possible_cpus();
	int cpu, code = 0;

	if (nr_cpus < 0)
		return nr_cpus;
	sideband->rings = calloc((size_t)nr_cpus, sizeof(*sideband->rings));
	sideband->nr_lost = calloc((size_t)nr_cpus, sizeof(*sideband->nr_lost));
	sideband->followed = htab_try_create(64, htab_hash_pointer, htab_eq_pointer, NULL);
	sideband->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!sideband->rings || !sideband->nr_lost || !sideband->followed)
		return -ENOMEM;
	if (sideband->epoll < 0)
		return -errno;
	sideband->nr_rings = (size_t)nr_cpus;
	for (cpu = 0; cpu < nr_cpus && !code; cpu++)
		code = open_ring(sideband, cpu);
	return code;
}

int sideband__open(struct sideband **out, bool everyone, bool is_prompt, struct error *err)
{
	struct sideband *sideband = calloc(1, sizeof(*sideband));
	int code;

	if (!sideband)
		return error__no_memory(err);
	sideband->everyone = everyone;
	sideband->is_prompt = is_prompt;
	sideband->counts_lost = true;
	sideband->epoll = -1;
	code = open_rings(sideband);
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
	size_t i;

	if (!sideband)
		return;
	for (i = 0; i < sideband->nr_rings; i++)
		close_ring(&sideband->rings[i]);
	if (sideband->epoll >= 0)
		close(sideband->epoll);
	if (sideband->followed)
		htab_delete(sideband->followed);
	free(sideband->rings);
	free(sideband->nr_lost);
	free(sideband->batch.bytes);
	free(sideband->batch.waiting);
	free(sideband);
}

int sideband__follow_cpu(struct sideband *sideband, unsigned int cpu, bool is_online)
{
	struct ring *ring;

	if (cpu >= sideband->nr_rings)
		return 0;
	ring = &sideband->rings[cpu];
	if (is_online == (ring->pages != NULL))
		return 0;
	if (!is_online) {
		close_ring(ring);
		return 0;
	}
	sideband->nr_gaps++;
	return open_ring(sideband, (int)cpu);
}

int sideband__fd(const struct sideband *sideband)
{
	return sideband->epoll;
}

/* ---- collecting ---- */

static int collect(void *context, const struct perf_event_header *header)
{
	struct batch *batch = context;
	size_t bytes = (header->size + 7UL) & ~7UL;
	uint64_t time_ns;

	if (header->size < sizeof(*header) + TRAILER_BYTES)
		return 0;
	if (array__reserve(&batch->bytes, &batch->capacity, batch->nr_bytes + bytes) ||
	    array__reserve(&batch->waiting, &batch->waiting_capacity, batch->nr_waiting + 1))
		return -ENOMEM;
	memcpy(&time_ns, (const char *)header + header->size - TRAILER_BYTES, TRAILER_BYTES);
	batch->waiting[batch->nr_waiting++] = (struct waiting){time_ns, batch->nr_bytes};
	memcpy(batch->bytes + batch->nr_bytes, header, header->size);
	batch->nr_bytes += bytes;
	return 0;
}

static int by_time(const void *left, const void *right)
{
	const struct waiting *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
	return (a->position > b->position) - (a->position < b->position);
}

/* What came after the horizon waits for the records that other CPUs wrote before it. */
static void keep_rest(struct batch *batch, size_t nr_handed_over)
{
	size_t i, kept = batch->nr_waiting - nr_handed_over, to = 0;

	batch->nr_waiting = kept;
	if (!kept) {
		batch->nr_bytes = 0;
		return;
	}
	memmove(batch->waiting, batch->waiting + nr_handed_over, kept * sizeof(*batch->waiting));
	/* Few and short-lived: their bytes move down only when that frees all before the first. */
	for (i = 0, to = batch->nr_bytes; i < kept; i++)
		if (batch->waiting[i].position < to)
			to = batch->waiting[i].position;
	memmove(batch->bytes, batch->bytes + to, batch->nr_bytes - to);
	batch->nr_bytes -= to;
	for (i = 0; i < kept; i++)
		batch->waiting[i].position -= to;
}

/* ---- handing over ---- */

static void hand_over_fork(struct sideband *sideband, const struct record_fork *record,
			   const struct capture_sink *sink)
{
	struct process_event event = {.type = PROCESS_FORKED,
				      .time_ns = record->time_ns,
				      .pid = (int32_t)record->pid,
				      .parent = (int32_t)record->parent};

	if (record->pid == record->parent || !is_followed(sideband, record->parent))
		return; /* a new thread */
	if (!sideband->everyone && sideband__follow(sideband, (int32_t)record->pid))
		return;
	sink->on_event(sink->context, &event);
}

static void hand_over_exit(struct sideband *sideband, const struct record_fork *record,
			   const struct capture_sink *sink)
{
	struct process_event event = {
		.type = PROCESS_EXITED, .time_ns = record->time_ns, .pid = (int32_t)record->pid};

	if (record->pid != record->tid || !is_followed(sideband, record->pid))
		return;
	if (!sideband->everyone)
		htab_remove_elt(sideband->followed, pid_entry((int32_t)record->pid));
	sink->on_event(sink->context, &event);
}

static void hand_over_comm(struct sideband *sideband, const struct record_comm *record,
			   uint64_t time_ns, const struct capture_sink *sink)
{
	struct process_event event = {
		.type = PROCESS_EXECED, .time_ns = time_ns, .pid = (int32_t)record->pid};

	if (record->header.misc & PERF_RECORD_MISC_COMM_EXEC && is_followed(sideband, record->pid))
		sink->on_event(sink->context, &event);
}

static void hand_over_mmap(struct sideband *sideband, const struct record_mmap2 *record,
			   uint64_t time_ns, const struct capture_sink *sink)
{
	size_t room = record->header.size - sizeof(*record) - TRAILER_BYTES;
	char path[PATH_MAX + 1];
	struct process_event event = {
		.type = PROCESS_MAPPED,
		.time_ns = time_ns,
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
	    record->start + record->length < record->start || !is_followed(sideband, record->pid))
		return;
	snprintf(path, sizeof(path), "%.*s", (int)(room < PATH_MAX ? room : PATH_MAX),
		 record->path);
	sink->on_event(sink->context, &event);
}

static void hand_over(struct sideband *sideband, const struct waiting *waiting,
		      const struct capture_sink *sink)
{
	const struct perf_event_header *header =
		(const void *)(sideband->batch.bytes + waiting->position);
	size_t bytes = header->size - TRAILER_BYTES;

	if (header->type == PERF_RECORD_FORK && bytes >= sizeof(struct record_fork))
		hand_over_fork(sideband, (const void *)header, sink);
	else if (header->type == PERF_RECORD_EXIT && bytes >= sizeof(struct record_fork))
		hand_over_exit(sideband, (const void *)header, sink);
	else if (header->type == PERF_RECORD_COMM && bytes >= sizeof(struct record_comm))
		hand_over_comm(sideband, (const void *)header, waiting->time_ns, sink);
	else if (header->type == PERF_RECORD_MMAP2 && bytes >= sizeof(struct record_mmap2))
		hand_over_mmap(sideband, (const void *)header, waiting->time_ns, sink);
}

static uint64_t count_lost(struct sideband *sideband, bool was_full)
{
	struct {
		uint64_t value, lost;
	} now;
	uint64_t lost = 0;
	size_t i;

	if (!sideband->counts_lost)
		return was_full; /* an overflow may leave no record of itself */
	for (i = 0; i < sideband->nr_rings; i++) {
		if (!sideband->rings[i].pages)
			continue;
		if (read(sideband->rings[i].fd, &now, sizeof(now)) != sizeof(now))
			continue;
		lost += now.lost - sideband->nr_lost[i];
		sideband->nr_lost[i] = now.lost;
	}
	return lost;
}

int sideband__dispatch(struct sideband *sideband, const struct capture_sink *sink,
		       uint64_t *nr_lost)
{
	struct batch *batch = &sideband->batch;
	uint64_t horizon_ns = monotonic_ns();
	int code = 0, was_full = 0;
	uint64_t lost;
	size_t i;

	for (i = 0; i < sideband->nr_rings && !code; i++) {
		if (!sideband->rings[i].pages)
			continue;
		code = ring__read(&sideband->rings[i], collect, batch, &was_full);
		if (code == -EPROTO) {
			was_full = 1;
			code = 0;
		}
	}
	if (batch->nr_waiting)
		qsort(batch->waiting, batch->nr_waiting, sizeof(*batch->waiting), by_time);
	for (i = 0; i < batch->nr_waiting && batch->waiting[i].time_ns <= horizon_ns; i++)
		hand_over(sideband, &batch->waiting[i], sink);
	keep_rest(batch, i);

	lost = count_lost(sideband, was_full) + sideband->nr_gaps;
	sideband->nr_gaps = 0;
	if (lost) {
		struct process_event event = {.type = PROCESS_RECORDS_LOST, .time_ns = horizon_ns};

		sink->on_event(sink->context, &event);
		*nr_lost += lost;
	}
	return code;
}
