// SPDX-License-Identifier: GPL-2.0-only
/*
 *	header    "JiTD" of our byte order, version, size, ..., pid, time, flags
 *	record    kind, size, time    LOAD: pid, thread, address, ..., name\0, the code itself
 *	record    ...                 MOVE: from, to; CLOSE: the runtime ends
 *
 * A record counts when all of its bytes are there: it may still be written. One look at a record
 * reads its fixed part and the longest name we keep.
 */
#include <sys/stat.h>
#include <unistd.h>

#include "readers/jit_files.h"

#define MAGIC		 0x4a695444 /* another byte order shows it the other way round */
#define VERSION		 1
#define MAX_HEADER_BYTES 4096 /* today 40 */
#define HAS_CPU_TICKS	 1    /* a flag: times are not of CLOCK_MONOTONIC */

struct jitdump_header {
	uint32_t magic, version, bytes, machine, padding, pid;
	uint64_t time, flags;
};

enum record_kind {
	CODE_LOAD,
	CODE_MOVE,
	CODE_DEBUG_INFO,
	CODE_CLOSE,
	CODE_UNWINDING_INFO,
};

struct jitdump_record {
	uint32_t kind, bytes;
	uint64_t time;
};

struct jitdump_load {
	uint32_t pid, tid;
	uint64_t mapped_at, address, bytes, index;
};

struct jitdump_move {
	uint32_t pid, tid;
	uint64_t mapped_at, from, to, bytes, index;
};

/* The part of a record that is read. */
struct jitdump_window {
	struct jitdump_record record;
	union {
		struct jitdump_load load;
		struct jitdump_move move;
	};
	char rest[JIT_MAX_NAME_BYTES];
};

/*
 * Takes a record, of which `bytes` are in the window. True: it changes what is known of functions.
 */
static bool take_record(struct jitdump *dump, struct jit_told *told,
			const struct jitdump_window *window, size_t bytes)
{
	const size_t load_bytes = offsetof(struct jitdump_window, load) + sizeof(window->load);
	const size_t move_bytes = offsetof(struct jitdump_window, move) + sizeof(window->move);
	struct jit_record record = {
		.time_ns = dump->has_other_clock ? 0 : window->record.time,
	};

	switch (window->record.kind) {
	case CODE_LOAD:
		if (bytes <= load_bytes)
			return true;
		record.operation = JIT_ADD;
		record.start = window->load.address;
		record.size = window->load.bytes;
		record.index = window->load.index;
		record.name_bytes = (uint32_t)(bytes - load_bytes);
		jit_told__add(told, &record, (const char *)window + load_bytes);
		return true;
	case CODE_MOVE:
		if (bytes < move_bytes)
			return true;
		record.operation = JIT_MOVE;
		record.start = window->move.from;
		record.to = window->move.to;
		record.index = window->move.index;
		jit_told__add(told, &record, NULL);
		return true;
	case CODE_CLOSE:
		dump->is_ended = true;
		return false;
	default:
		return false;
	}
}

/* 1: it is whole, and *bytes of it are in the window; 0: it is not there yet. */
static int read_record(struct jitdump *dump, int fd, uint64_t size, struct jitdump_window *window,
		       size_t *bytes)
{
	const ssize_t got = pread(fd, window, sizeof(*window), (off_t)dump->taken);

	if (got < (ssize_t)sizeof(window->record))
		return 0;
	if (window->record.bytes < sizeof(window->record)) {
		dump->is_ended = true; /* what follows cannot be found */
		return 0;
	}
	*bytes = (size_t)got < window->record.bytes ? (size_t)got : window->record.bytes;
	return window->record.bytes <= size - dump->taken;
}

bool jitdump__read(struct jitdump *dump, int fd, struct jit_told *told, size_t *allowance)
{
	bool has_changed = false;
	struct jitdump_header header;
	struct jitdump_window window;
	struct stat status;
	size_t bytes;

	if (fstat(fd, &status) || !S_ISREG(status.st_mode))
		return false;
	if ((uint64_t)status.st_size < dump->taken) {
		*dump = (struct jitdump){0};
		jit_told__add(told, &(struct jit_record){.operation = JIT_CLEAR}, NULL);
		has_changed = true;
	}
	if (!dump->taken && !dump->is_ended &&
	    pread(fd, &header, sizeof(header), 0) == sizeof(header)) {
		if (header.magic != MAGIC || header.version != VERSION ||
		    header.bytes < sizeof(header) || header.bytes > MAX_HEADER_BYTES)
			dump->is_ended = true;
		else
			dump->taken = header.bytes;
		dump->has_other_clock = header.flags & HAS_CPU_TICKS;
	}
	while (dump->taken && !dump->is_ended && dump->taken < (uint64_t)status.st_size &&
	       *allowance >= sizeof(window) && !jit_told__is_much(told) &&
	       read_record(dump, fd, (uint64_t)status.st_size, &window, &bytes)) {
		has_changed |= take_record(dump, told, &window, bytes);
		dump->taken += window.record.bytes;
		*allowance -= sizeof(window);
	}
	return has_changed;
}

int32_t jitdump__pid(const char *path)
{
	const char *slash = strrchr(path, '/');
	int32_t pid;
	int length = 0;

	if (!slash || sscanf(slash, "/jit-%9d.dump%n", &pid, &length) != 1 || !length || pid <= 0)
		return 0;
	return slash[length] == '\0' || !strcmp(slash + length, " (deleted)") ? pid : 0;
}
