// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/pending_reads.h"

#include <poll.h>

#include "capture/unwinding/file_tables.h"
#include "interpreters/interpreters.h"
#include "unwind/unwind.h"

#define MAX_SLOW    2  /* slow reads at a time */
#define MAX_PUT_OFF 32 /* slow reads that may wait */
#define SLOW_NS	    250000000ULL

void unwind_readings__init(struct unwind_readings *readings, struct readers *readers,
			   struct unwind_failures *failures)
{
	*readings = (struct unwind_readings){.readers = readers, .failures = failures};
	part_queue__init(&readings->to_read);
	part_queue__init(&readings->to_come);
	part_queue__init(&readings->slow);
}

void unwind_readings__fini(struct unwind_readings *readings)
{
	part_queue__fini(&readings->to_read);
	part_queue__fini(&readings->to_come);
	part_queue__fini(&readings->slow);
	for (size_t i = 0; i < MAX_UNWIND_READINGS; i++) {
		reading__close(&readings->at_work[i].reading);
		if (readings->at_work[i].part)
			unwind_part__put(readings->at_work[i].part);
	}
}

void unwind_readings__add(struct unwind_readings *readings, struct unwind_part *part, bool is_first)
{
	part_queue__push(is_first ? &readings->to_read : &readings->to_come, part);
}

/* ---- ending ---- */

static void finish(struct unwind_readings *readings, struct unwind_part *part)
{
	unwind_part__finish(part);
	unwind_part__put(part);
	readings->nr_done++;
}

/* Settles a file: all parts of it are done. */
static void settle(struct unwind_readings *readings, struct unwind_part *part, int code,
		   struct unwind_table *table, const struct interpreter *interpreter)
{
	const struct unwind_file *file = part->file;

	unwind_failures__note(readings->failures, part->mapping.path, code);
	unwind_files__settle_file(part->files, part->file, table, interpreter);
	finish(readings, part);
	for (size_t nr = readings->to_come.nr; nr; nr--) {
		struct unwind_part *other = part_queue__pop(&readings->to_come);

		if (other->file == file)
			finish(readings, other);
		else
			part_queue__push(&readings->to_come, other);
	}
}

/*
 * Returns how the reading ended; -EINPROGRESS: it goes on. A reader of unwind rows has no reason to
 * ask questions.
 */
static int look_at(struct reading *reading, struct reader_answer *answer)
{
	struct reader_question question;

	switch (reading__wait(reading, 0, &question)) {
	case READING_RUNS:
		return -EINPROGRESS;
	case READING_ASKS:
		reading__close(reading);
		return -EIO;
	default:
		return reading__finish(reading, answer);
	}
}

/*
 * Validates a reader's answer, which is untrusted: a struct interpreter, then a table. False: it is
 * malformed.
 */
static bool view_answer(const struct reader_answer *answer, struct unwind_table **table)
{
	const struct interpreter *interpreter = answer->bytes;

	return answer->nr_bytes >= sizeof(*interpreter) && interpreter__is_sane(interpreter) &&
	       !unwind_table__view(interpreter + 1, answer->nr_bytes - sizeof(*interpreter), table);
}

static void take_answer(struct unwind_readings *readings, struct unwind_part *part, int code,
			const struct reader_answer *answer)
{
	const struct interpreter *interpreter = answer->bytes;
	struct unwind_table *table = NULL;

	if (!code && !view_answer(answer, &table))
		code = -EIO;
	settle(readings, part, code, table, table && interpreter->language ? interpreter : NULL);
}

/* Returns true if the reading has used up its time and others wait. */
static bool gives_way(const struct unwind_readings *readings,
		      const struct unwind_reading_slot *slot)
{
	return readings->to_read.nr && !slot->part->is_slow &&
	       monotonic_ns() > slot->begun_ns + SLOW_NS;
}

static void free_slot(struct unwind_readings *readings, struct unwind_reading_slot *slot)
{
	reading__close(&slot->reading);
	readings->nr_at_work--;
	readings->nr_slow_at_work -= slot->part->is_slow;
	slot->part = NULL;
}

static void end_reading(struct unwind_readings *readings, struct unwind_reading_slot *slot)
{
	struct unwind_part *part = slot->part;
	struct reader_answer answer = {0};
	int code = look_at(&slot->reading, &answer);

	if (code == -EINPROGRESS && !gives_way(readings, slot))
		return;
	free_slot(readings, slot);
	if (code == -EINPROGRESS) {
		part->is_slow = true;
		code = -EAGAIN;
	}
	if (part->is_slow && code == -EAGAIN && readings->slow.nr < MAX_PUT_OFF)
		part_queue__push(&readings->slow, part);
	else if (!part->is_slow && code == -EAGAIN && !unwind_part__is_overdue(part))
		part_queue__push(&readings->to_read, part);
	else
		take_answer(readings, part, code, &answer);
	reader_answer__free(&answer);
}

/* ---- starting ---- */

static struct unwind_part *next_to_read(struct unwind_readings *readings)
{
	if (readings->to_read.nr)
		return part_queue__pop(&readings->to_read);
	return readings->slow.nr && readings->nr_slow_at_work < MAX_SLOW
		       ? part_queue__pop(&readings->slow)
		       : NULL;
}

static int start(struct unwind_readings *readings, struct unwind_reading_slot *slot,
		 struct unwind_part *part)
{
	const int code = readings->readers ? reading__start(&slot->reading, readings->readers,
							    READ_UNWIND, &part->fd, 1, NULL, 0)
					   : -ENOSYS;

	if (code)
		return code;
	slot->part = part;
	slot->begun_ns = monotonic_ns();
	readings->nr_at_work++;
	readings->nr_slow_at_work += part->is_slow;
	return 0;
}

/* Starts a reading in a free slot. Returns false if no reader is free now. */
static bool fill(struct unwind_readings *readings, struct unwind_reading_slot *slot)
{
	struct unwind_part *part = next_to_read(readings);
	const int code = part ? start(readings, slot, part) : 0;

	if (!code)
		return true;
	if (code == -EAGAIN && !unwind_part__is_overdue(part)) {
		part_queue__push(part->is_slow ? &readings->slow : &readings->to_read, part);
		return false;
	}
	settle(readings, part, code, NULL, NULL);
	return true;
}

/* ---- work ---- */

void unwind_readings__work(struct unwind_readings *readings)
{
	const uint64_t nr_before = readings->nr_done;
	struct unwind_reading_slot *slot;
	size_t i;

	for (i = 0; i < MAX_UNWIND_READINGS && readings->nr_done == nr_before; i++) {
		slot = &readings->at_work[readings->next++ % MAX_UNWIND_READINGS];
		if (slot->part)
			end_reading(readings, slot);
	}
	for (i = 0; i < MAX_UNWIND_READINGS; i++)
		if (!readings->at_work[i].part && !fill(readings, &readings->at_work[i]))
			break;
}

bool unwind_readings__is_busy(const struct unwind_readings *readings)
{
	return readings->to_read.nr || readings->nr_at_work || readings->slow.nr;
}

bool unwind_readings__are_at_work(const struct unwind_readings *readings, uint64_t *progress)
{
	bool works = false;

	*progress += readings->nr_done;
	for (size_t i = 0; i < MAX_UNWIND_READINGS; i++) {
		if (!readings->at_work[i].part)
			continue;
		*progress += reading__cpu_ns(&readings->at_work[i].reading);
		works |= !reading__is_idle(&readings->at_work[i].reading);
	}
	return works;
}

size_t unwind_readings__watch(const struct unwind_readings *readings, struct pollfd *watched)
{
	size_t nr = 0;

	for (size_t i = 0; i < MAX_UNWIND_READINGS; i++)
		if (readings->at_work[i].part)
			watched[nr++] = (struct pollfd){readings->at_work[i].reading.reader.status,
							POLLIN, 0};
	return nr;
}
