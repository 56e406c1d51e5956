// SPDX-License-Identifier: GPL-2.0-only
/*
 * Takes answers of readers of perf maps and jitdumps that an attacker has taken over. The first
 * byte says whether records are mended: they tell of few addresses then, and their names are short.
 * Two processes share the room that there is.
 *
 * An address is one function's at most, and functions never take more than that room. Addresses
 * that were asked for before have a name only if it is that of a function that was told.
 */
#include "elf/symbol_table.h"
#include "readers/jit_files.h"
#include "require.h"
#include "symbols/jit/jit_code.h"

#define PROBED	  2048 /* addresses, from 0 */
#define MAX_BYTES 65536
#define MAX_LATE  16384

static void mend(char *bytes, size_t size)
{
	struct jit_record record;

	for (size_t at = 0; size - at >= sizeof(record);) {
		memcpy(&record, bytes + at, sizeof(record));
		record.start %= PROBED;
		record.size %= PROBED / 8;
		record.to %= PROBED;
		record.index %= 16;
		record.time_ns %= 512;
		record.operation %= record.operation % 64 ? JIT_CLEAR : NR_JIT_OPERATIONS;
		record.name_bytes %= 32;
		if (JIT_RECORD_BYTES(record.name_bytes) > size - at)
			record.name_bytes = 0;
		memcpy(bytes + at, &record, sizeof(record));
		at += JIT_RECORD_BYTES(record.name_bytes);
	}
}

static void check(const struct jit_code *code)
{
	uint64_t start = 0;
	struct found_symbol found;

	for (uint64_t address = 0; address < PROBED; address++) {
		if (!jit_code__find(code, address, &found))
			continue;
		require(found.start <= address && found.start >= start);
		require(found.name[0] && strlen(found.name) <= JIT_MAX_NAME_BYTES);
		start = found.start;
	}
	jit_code__find(code, UINT64_MAX, &found);
}

static void apply(struct jit_code *code, const char *bytes, size_t size)
{
	char *part = copy_of((const uint8_t *)bytes, size);

	jit_code__apply(code, part, size);
	free(part);
}

static void want(struct late_table *late, uint64_t from_ns)
{
	const struct late_window window = {from_ns, from_ns + 100};

	for (uint64_t address = 0; address < PROBED; address += 64)
		late_table__want(late, address * 37 % PROBED, &window);
}

static void check_late(struct late_table *late)
{
	const char *name;
	uint64_t start;

	for (uint64_t address = 0; address < PROBED; address++)
		if (late_table__find(late, address, &name, &start) == LATE_NAMED)
			require(start <= address && strlen(name) > 0);
	require(late->bounds->bytes <= MAX_LATE + 4096);
	require(late_table__nr_reused(late) <= PROBED / 64);
	late_table__fini(late);
	require(late->bounds->bytes == 0);
}

static void apply_both(char *bytes, size_t size, bool is_mended)
{
	struct jit_bounds bounds = {.max_code_bytes = MAX_BYTES};
	struct late_bounds late_bounds = {.max_bytes = MAX_LATE, .work = 4096};
	struct late_table late = {.bounds = &late_bounds};
	struct jit_code first = {.bounds = &bounds, .late = &late, .source = LATE_DUMP};
	struct jit_code second = {.bounds = &bounds, .late = &late, .source = LATE_MAP};
	const size_t half = size / 2;

	if (is_mended) {
		mend(bytes, half);
		mend(bytes + half, size - half);
	}
	want(&late, 100);
	apply(&first, bytes, half);
	want(&late, 300);
	apply(&second, bytes + half, size - half);
	apply(&first, bytes, half);
	require(bounds.code_bytes == first.bytes + second.bytes);
	require(bounds.code_bytes <= bounds.max_code_bytes);
	check(&first);
	check(&second);
	first.late = second.late = NULL;
	check_late(&late);
	jit_code__clear(&first);
	jit_code__clear(&second);
	require(bounds.code_bytes == 0 && !bounds.codes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *bytes;

	if (size == 0)
		return 0;
	bytes = copy_of(data + 1, size - 1);
	apply_both(bytes, size - 1, data[0] & 1);
	free(bytes);
	return 0;
}
