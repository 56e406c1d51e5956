// SPDX-License-Identifier: GPL-2.0-only
#include "capture/unwinding/chunks.h"

#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/system/rights.h"

#define MAX_AT_ONCE 32

void unwind_chunks__await_first(struct unwind_chunks *chunks)
{
	if (chunks->makes_first)
		pthread_join(chunks->maker, NULL);
	chunks->makes_first = false;
}

void unwind_chunks__fini(struct unwind_chunks *chunks)
{
	unwind_chunks__await_first(chunks);
	while (chunks->nr)
		munmap(chunks->rows[--chunks->nr], UNWIND_CHUNK_BYTES);
}

static int make_map(void)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_MMAPABLE);
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	const int map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ts_unwind_rows", sizeof(uint32_t),
				       sizeof(struct unwind_row), UNWIND_CHUNK_ENTRIES, &options);

	rights__restore(before);
	return map;
}

/* Makes a chunk. *map is its map, which is not in the map of maps yet. */
static struct unwind_row *make_rows(int *map)
{
	void *rows;

	*map = make_map();
	if (*map < 0)
		return NULL;
	rows = mmap(NULL, UNWIND_CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *map, 0);
	if (rows != MAP_FAILED)
		return rows;
	close(*map);
	return NULL;
}

static void add(struct unwind_chunks *chunks, uint32_t nr_more)
{
	uint32_t keys[MAX_AT_ONCE] = {0}, nr;
	int maps[MAX_AT_ONCE] = {0}, code;

	for (nr = 0; nr < nr_more; nr++) {
		keys[nr] = chunks->nr + nr;
		chunks->rows[keys[nr]] = make_rows(&maps[nr]);
		if (!chunks->rows[keys[nr]])
			break;
	}
	code = map_calls__update_all(chunks->map_calls, chunks->map, keys, maps, nr);
	for (uint32_t i = 0; i < nr; i++) {
		close(maps[i]);
		if (code)
			munmap(chunks->rows[keys[i]], UNWIND_CHUNK_BYTES);
	}
	chunks->nr += code ? 0 : nr;
}

static void *make_first(void *context)
{
	add(context, 1);
	return NULL;
}

void unwind_chunks__make_first(struct unwind_chunks *chunks)
{
	if (chunks->max)
		chunks->makes_first = !pthread_create(&chunks->maker, NULL, make_first, chunks);
}

struct unwind_row *unwind_chunks__get(struct unwind_chunks *chunks, uint32_t chunk,
				      uint32_t nr_needed)
{
	uint32_t nr_more = nr_needed < MAX_AT_ONCE ? nr_needed : MAX_AT_ONCE, room;

	unwind_chunks__await_first(chunks);
	room = chunks->max - chunks->nr;
	if (chunk == chunks->nr)
		add(chunks, nr_more < room ? nr_more : room);
	return chunk < chunks->nr ? chunks->rows[chunk] : NULL;
}
