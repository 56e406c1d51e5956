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

#include "base/array.h"
#include "base/clock.h"
#include "base/map.h"
#include "base/rights.h"
#include "capture/features.h"
#include "capture/process_ends.h"
#include "capture/sample.h"

#ifndef PERF_FORMAT_LOST
#define PERF_FORMAT_LOST (1U << 4)
#endif

#define RING_BYTES	 (256 * 1024) /* a power of two */
#define MAX_RECORD_BYTES 65536	      /* perf_event_header.size has 16 bits */

/* Every record ends in its time: sample_id_all with PERF_SAMPLE_TIME alone. */
#define TRAILER_BYTES sizeof(uint64_t)

struct ring {
	int fd;
	void *pages;	  /* NULL: it is not there */
	uint64_t nr_lost; /* as the kernel counts them */
};

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
struct pending_record {
	uint64_t time_ns;
	size_t position; /* in the bytes: also the order within a ring */
};

struct pending_records {
	char *bytes;
	size_t nr_bytes, capacity;
	struct pending_record *records;
	size_t nr_records, records_capacity;
};

struct sideband {
	struct ring *rings; /* by CPU */
	size_t nr_rings;
	uint64_t nr_gaps; /* CPUs that may have made records before their ring was there */
	bool counts_lost; /* PERF_FORMAT_LOST, 6.0 (119a784c8127) */
	bool everyone, is_prompt;
	struct map followed; /* pids */
	struct process_ends ends;
	int epoll;
	struct pending_records pending;
};

/* ---- which processes ---- */

int sideband__follow(struct sideband *sideband, int32_t pid)
{
	return map__note_number(&sideband->followed, (uint32_t)pid);
}

static bool is_followed(const struct sideband *sideband, uint32_t pid)
{
	return sideband->everyone || map__find_number(&sideband->followed, pid);
}

/* ---- the ring of a perf event ---- */

static size_t ring_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE) + RING_BYTES;
}

static void copy_out(const struct ring *ring, uint64_t position, void *to, size_t bytes)
{
	const char *data = (const char *)ring->pages + sysconf(_SC_PAGESIZE);
	size_t offset = position & (RING_BYTES - 1);
	size_t first = RING_BYTES - offset;

	if (first > bytes)
		first = bytes;
	memcpy(to, data + offset, first);
	memcpy((char *)to + first, data, bytes - first);
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

static void close_ring(struct ring *ring)
{
	if (!ring->pages)
		return;
	munmap(ring->pages, ring_bytes());
	close(ring->fd);
	ring->pages = NULL;
}

static int open_raised(struct sideband *sideband, int cpu)
{
	struct epoll_event interest = {.events = EPOLLIN};
	struct ring *ring = &sideband->rings[cpu];
	void *pages;
	int fd, code;

	fd = open_dummy(cpu, sideband->is_prompt, &sideband->counts_lost);
	if (fd == -ENODEV) /* offline */
		return 0;
	if (fd < 0)
		return fd;
	pages = mmap(NULL, ring_bytes(), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (pages == MAP_FAILED) {
		code = -errno;
		close(fd);
		return code;
	}
	*ring = (struct ring){.fd = fd, .pages = pages};
	if (!epoll_ctl(sideband->epoll, EPOLL_CTL_ADD, fd, &interest))
		return 0;
	code = -errno;
	close_ring(ring);
	return code;
}

static int open_ring(struct sideband *sideband, int cpu)
{
	const uint64_t before = rights__raise(RIGHTS_TO_OPEN_EVENTS);
	const int code = open_raised(sideband, cpu);

	rights__restore(before);
	return code;
}

static int open_rings(struct sideband *sideband)
{
	int nr_cpus = libbpf_num_possible_cpus();
	int cpu, code = 0;

	if (nr_cpus < 0)
		return nr_cpus;
	sideband->rings = calloc((size_t)nr_cpus, sizeof(*sideband->rings));
	sideband->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (!sideband->rings || map__init_numbers(&sideband->followed, free) ||
	    process_ends__init(&sideband->ends))
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
	map__fini(&sideband->followed);
	process_ends__fini(&sideband->ends);
	free(sideband->rings);
	free(sideband->pending.bytes);
	free(sideband->pending.records);
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

/* Takes the record with this header that waits at position. */
static int collect(struct pending_records *pending, const struct ring *ring, uint64_t position,
		   const struct perf_event_header *header)
{
	size_t bytes = (header->size + 7UL) & ~7UL;
	uint64_t time_ns;
	char *record;

	if (header->size < sizeof(*header) + TRAILER_BYTES)
		return 0;
	if (array__reserve(&pending->bytes, &pending->capacity, pending->nr_bytes + bytes) ||
	    array__reserve(&pending->records, &pending->records_capacity, pending->nr_records + 1))
		return -ENOMEM;
	record = pending->bytes + pending->nr_bytes;
	copy_out(ring, position, record, header->size);
	memcpy(&time_ns, record + header->size - TRAILER_BYTES, TRAILER_BYTES);
	pending->records[pending->nr_records++] =
		(struct pending_record){time_ns, pending->nr_bytes};
	pending->nr_bytes += bytes;
	return 0;
}

/*
 * Collects every waiting record, whole (size is checked) and aligned to 8 bytes, then frees
 * its room. Ends early with a negative errno. *was_full: records may have been dropped.
 */
static int read_ring(struct ring *ring, struct pending_records *pending, int *was_full)
{
	struct perf_event_mmap_page *page = ring->pages;
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE);
	uint64_t tail = page->data_tail;
	struct perf_event_header header;
	int code = 0;

	*was_full |= head - tail > RING_BYTES - MAX_RECORD_BYTES / 16;
	while (!code && tail < head) {
		copy_out(ring, tail, &header, sizeof(header));
		if (header.size < sizeof(header) || header.size > head - tail)
			code = -EPROTO;
		else {
			code = collect(pending, ring, tail, &header);
			tail += header.size;
		}
	}
	/* A record that makes no sense has no known end: all that waits is given up. */
	__atomic_store_n(&page->data_tail, code == -EPROTO ? head : tail, __ATOMIC_RELEASE);
	return code;
}

static int by_time(const void *left, const void *right)
{
	const struct pending_record *a = left, *b = right;

	if (a->time_ns != b->time_ns)
		return (a->time_ns > b->time_ns) - (a->time_ns < b->time_ns);
	return (a->position > b->position) - (a->position < b->position);
}

/* What came after the horizon waits for the records that other CPUs wrote before it. */
static void keep_rest(struct pending_records *pending, size_t nr_handed_over)
{
	size_t i, kept = pending->nr_records - nr_handed_over, to = 0;

	pending->nr_records = kept;
	if (!kept) {
		pending->nr_bytes = 0;
		return;
	}
	memmove(pending->records, pending->records + nr_handed_over,
		kept * sizeof(*pending->records));
	/* Few and short-lived: their bytes move down only when that frees all before the first. */
	for (i = 0, to = pending->nr_bytes; i < kept; i++)
		if (pending->records[i].position < to)
			to = pending->records[i].position;
	memmove(pending->bytes, pending->bytes + to, pending->nr_bytes - to);
	pending->nr_bytes -= to;
	for (i = 0; i < kept; i++)
		pending->records[i].position -= to;
}

/* ---- handing over ---- */

/* Who hears of what is handed over, and when that was. */
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
	if (!sideband->everyone && sideband__follow(sideband, event.pid))
		return;
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

static void hand_over_mmap(struct handover *handover, const struct record_mmap2 *record)
{
	size_t room = record->header.size - sizeof(*record) - TRAILER_BYTES;
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

static void hand_over(struct handover *handover, const struct pending_record *record)
{
	const struct perf_event_header *header =
		(const void *)(handover->sideband->pending.bytes + record->position);
	size_t bytes = header->size - TRAILER_BYTES;

	handover->time_ns = record->time_ns;
	if (header->type == PERF_RECORD_FORK && bytes >= sizeof(struct record_fork))
		hand_over_fork(handover, (const void *)header);
	else if (header->type == PERF_RECORD_EXIT && bytes >= sizeof(struct record_fork))
		hand_over_exit(handover, (const void *)header);
	else if (header->type == PERF_RECORD_COMM && bytes >= sizeof(struct record_comm))
		hand_over_comm(handover, (const void *)header);
	else if (header->type == PERF_RECORD_MMAP2 && bytes >= sizeof(struct record_mmap2))
		hand_over_mmap(handover, (const void *)header);
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
		struct ring *ring = &sideband->rings[i];

		if (!ring->pages || read(ring->fd, &now, sizeof(now)) != sizeof(now))
			continue;
		lost += now.lost - ring->nr_lost;
		ring->nr_lost = now.lost;
	}
	return lost;
}

int sideband__dispatch(struct sideband *sideband, const struct capture_sink *sink,
		       uint64_t *nr_lost)
{
	struct handover handover = {.sideband = sideband, .sink = sink};
	struct pending_records *pending = &sideband->pending;
	uint64_t horizon_ns = monotonic_ns();
	int code = 0, was_full = 0;
	uint64_t lost;
	size_t i;

	for (i = 0; i < sideband->nr_rings && !code; i++) {
		if (!sideband->rings[i].pages)
			continue;
		code = read_ring(&sideband->rings[i], pending, &was_full);
		if (code == -EPROTO) {
			was_full = 1;
			code = 0;
		}
	}
	if (pending->nr_records)
		qsort(pending->records, pending->nr_records, sizeof(*pending->records), by_time);
	for (i = 0; i < pending->nr_records && pending->records[i].time_ns <= horizon_ns; i++)
		hand_over(&handover, &pending->records[i]);
	keep_rest(pending, i);
	handover.time_ns = horizon_ns;
	process_ends__collect(&sideband->ends, hand_over_end, &handover);

	lost = count_lost(sideband, was_full) + sideband->nr_gaps;
	sideband->nr_gaps = 0;
	if (lost) {
		struct process_event event = {.type = PROCESS_RECORDS_LOST, .time_ns = horizon_ns};

		process_ends__doubt(&sideband->ends);
		sink->on_event(sink->context, &event);
		*nr_lost += lost;
	}
	return code;
}
