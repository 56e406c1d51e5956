// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file is read once, however many processes map it, and stays when the last of them has ended:
 * the next process will map it again. When room is needed, the file that was unused for longest is
 * dropped.
 *
 * The program is told of each mapping of a file that was seen, so it can walk processes that are
 * not listed yet. A file is hidden from the program before it is dropped.
 *
 * Invariant: rows are freed only if no process refers to them, the program is not told of them, and
 * a grace period has passed since. The program's caches belong to an epoch, which each walk reads
 * once, at its begin. An epoch ends when the program is told of a file or no longer told of it, and
 * when rows are freed.
 */
#include "capture/unwinding/internal.h"

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/system/rights.h"
#include "capture/host/map_calls.h"
#include "topstacks/interpreter_abi.h"
#include "unwind/unwind.h"

/* ---- chunks ---- */

#define MAX_CHUNKS	   256 /* entries of the map of chunks */
#define CHUNK_BYTES	   (UNWIND_CHUNK_ENTRIES * sizeof(struct unwind_row))
#define MAX_AT_ONCE	   32 /* new chunks */
#define INTERPRETERS_BYTES (INTERPRETERS_MAX * sizeof(struct interpreter))

#define MAX_FILES 4096 /* beyond so many, files without a mapping are dropped */
#define MAX_SHOWN 4    /* executable segments of a file */
#define NS_PER_S  1000000000LL

struct unwind_file {
	struct map_item item;
	struct file_identity identity;	    /* zeros: the vDSO */
	struct unwind_table *table;	    /* NULL: the file has none, or there was no room */
	struct unwind_placement *placement; /* NULL if table is NULL */
	uint16_t interpreter;		    /* as in struct unwind_region */
	size_t nr_references;
	bool is_pending;	/* it is being read */
	uint64_t idle_since;	/* value of files->graces */
	uint64_t no_room_since; /* value of files->graces; 0: there was room */
	/* value of files->graces; valid while nr_shown is 0 */
	uint64_t hidden_since;
	struct unwind_mapping_key shown[MAX_SHOWN]; /* keys in the map of mappings */
	size_t nr_shown;
};

/*
 * Rows are in chunks, which are maps. When a new map is added to the map of maps, the kernel waits
 * until all running programs have ended, which takes some 10 ms. So the chunks of a large table are
 * added together.
 */
struct unwind_files {
	struct map map; /* by identity */
	int mappings_map;
	int chunks_map;		     /* the map of maps */
	struct map_calls *map_calls; /* borrowed */
	struct unwind_row *chunks[MAX_CHUNKS];
	uint32_t nr_chunks, max_chunks;
	uint32_t nr_needed; /* chunks needed for the table being placed */
	pthread_t maker;    /* the thread that makes the first chunk */
	bool makes_first;
	struct interpreter *interpreters; /* mapped, INTERPRETERS_MAX; NULL: not followed */
	bool is_used[INTERPRETERS_MAX];
	struct unwind_space space;
	uint64_t graces;
	uint32_t *epoch; /* the programs' counter; NULL: none */
};

static int equals_file(const void *item, const void *key)
{
	return !memcmp(&((const struct unwind_file *)item)->identity,
		       &((const struct unwind_file *)key)->identity, sizeof(struct file_identity));
}

/* ---- chunks ---- */

/* Makes a chunk. *map is its map, which is not in the map of maps yet. */
static struct unwind_row *make_rows(int *map)
{
	LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_MMAPABLE);
	const uint64_t before = rights__raise(RIGHTS_TO_SAMPLE);
	void *rows;

	*map = bpf_map_create(BPF_MAP_TYPE_ARRAY, "ts_unwind_rows", sizeof(uint32_t),
			      sizeof(struct unwind_row), UNWIND_CHUNK_ENTRIES, &options);
	rights__restore(before);
	if (*map < 0)
		return NULL;
	rows = mmap(NULL, CHUNK_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *map, 0);
	if (rows != MAP_FAILED)
		return rows;
	close(*map);
	return NULL;
}

static void add_chunks(struct unwind_files *files, uint32_t nr_more)
{
	uint32_t keys[MAX_AT_ONCE] = {0}, nr;
	int maps[MAX_AT_ONCE] = {0}, code;

	for (nr = 0; nr < nr_more; nr++) {
		keys[nr] = files->nr_chunks + nr;
		files->chunks[keys[nr]] = make_rows(&maps[nr]);
		if (!files->chunks[keys[nr]])
			break;
	}
	code = map_calls__update_all(files->map_calls, files->chunks_map, keys, maps, nr);
	for (uint32_t i = 0; i < nr; i++) {
		close(maps[i]);
		if (code)
			munmap(files->chunks[keys[i]], CHUNK_BYTES);
	}
	files->nr_chunks += code ? 0 : nr;
}

static void *make_first(void *context)
{
	add_chunks(context, 1);
	return NULL;
}

void unwind_files__await(struct unwind_files *files)
{
	if (files->makes_first)
		pthread_join(files->maker, NULL);
	files->makes_first = false;
}

/*
 * Returns the rows of a chunk that exists, or of the next one. In that case it makes the next
 * nr_needed chunks, as far as there is room. NULL: the chunk cannot be made.
 */
static struct unwind_row *new_chunk(void *context, uint32_t chunk)
{
	struct unwind_files *files = context;
	uint32_t nr_more = files->nr_needed < MAX_AT_ONCE ? files->nr_needed : MAX_AT_ONCE, room;

	unwind_files__await(files);
	room = files->max_chunks - files->nr_chunks;
	if (chunk == files->nr_chunks)
		add_chunks(files, nr_more < room ? nr_more : room);
	return chunk < files->nr_chunks ? files->chunks[chunk] : NULL;
}

/* ---- life ---- */

struct unwind_files *unwind_files__new(int chunks_map, int mappings_map, size_t max_bytes,
				       struct map_calls *map_calls, int interpreters_map,
				       uint32_t *epoch)
{
	struct unwind_files *files = xcalloc(1, sizeof(*files));
	const size_t max_chunks = max_bytes / CHUNK_BYTES;
	void *interpreters = MAP_FAILED;

	files->chunks_map = chunks_map;
	files->mappings_map = mappings_map;
	files->map_calls = map_calls;
	files->max_chunks = max_chunks < MAX_CHUNKS ? (uint32_t)max_chunks : MAX_CHUNKS;
	files->epoch = epoch;
	files->graces = 1;
	files->space = (struct unwind_space){
		.max_bytes = files->max_chunks * CHUNK_BYTES,
		.new_chunk = new_chunk,
		.context = files,
	};
	map__init(&files->map, equals_file, NULL);
	if (interpreters_map >= 0)
		interpreters = mmap(NULL, INTERPRETERS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED,
				    interpreters_map, 0);
	if (interpreters != MAP_FAILED)
		files->interpreters = interpreters;
	if (files->max_chunks)
		files->makes_first = !pthread_create(&files->maker, NULL, make_first, files);
	return files;
}

static void end_epoch(struct unwind_files *files)
{
	if (files->epoch)
		__atomic_fetch_add(files->epoch, 1, __ATOMIC_SEQ_CST);
}

static void drop_table(struct unwind_files *files, struct unwind_file *file)
{
	if (file->placement)
		end_epoch(files);
	unwind_space__remove(&files->space, file->placement);
	unwind_table__free(file->table);
	if (file->interpreter)
		files->is_used[file->interpreter - 1] = false;
	file->interpreter = 0;
	file->placement = NULL;
	file->table = NULL;
}

static bool free_file(void *item, void *context)
{
	drop_table(context, item);
	free(item);
	return false;
}

void unwind_files__free(struct unwind_files *files)
{
	if (!files)
		return;
	map__visit(&files->map, free_file, files);
	map__fini(&files->map);
	unwind_space__fini(&files->space);
	unwind_files__await(files);
	while (files->nr_chunks)
		munmap(files->chunks[--files->nr_chunks], CHUNK_BYTES);
	if (files->interpreters)
		munmap(files->interpreters, INTERPRETERS_BYTES);
	free(files);
}

/* ---- telling the program ---- */

/* Returns the key of a mapping. The vDSO has no file, so its key is all zeros. */
static struct unwind_mapping_key key_of(const struct unwind_file *file,
					const struct mapping *mapping)
{
	const struct file_identity *identity = &file->identity;
	struct unwind_mapping_key key = {0};

	if (!identity->inode)
		return key;
	key.inode = mapping->inode;
	key.major = mapping->major;
	key.minor = mapping->minor;
	key.offset = mapping->offset;
	key.nr_bytes = identity->nr_bytes;
	key.modified_s = identity->modified_ns / NS_PER_S;
	key.modified_ns = (uint32_t)(identity->modified_ns % NS_PER_S);
	return key;
}

/* Shows a mapping without rows, too: "has no table" is not the same as "unknown". */
void unwind_files__show(struct unwind_files *files, struct unwind_file *file,
			const struct mapping *mapping)
{
	struct unwind_mapping_key key = key_of(file, mapping);
	const struct unwind_placement *placement = file->placement;
	struct unwind_mapping shown = {0};
	int64_t pc;

	if (files->mappings_map < 0 || file->is_pending || file->no_room_since ||
	    file->nr_shown == MAX_SHOWN)
		return;
	for (size_t i = 0; i < file->nr_shown; i++)
		if (!memcmp(&file->shown[i], &key, sizeof(key)))
			return;
	if (placement && !unwind_table__locate(file->table, mapping->offset, &pc)) {
		if (placement->nr_shards > UNWIND_MAX_SHARDS)
			return;
		shown.pc = pc;
		shown.nr_shards = (uint32_t)placement->nr_shards;
		shown.interpreter = file->interpreter;
		memcpy(shown.shards, placement->shards,
		       placement->nr_shards * sizeof(*placement->shards));
	}
	if (map_calls__update(files->map_calls, files->mappings_map, &key, &shown))
		return;
	file->shown[file->nr_shown++] = key;
	end_epoch(files); /* it may replace a file that was changed in place */
}

/* ---- making room ---- */

struct idle_search {
	struct unwind_files *files;
	struct unwind_file *oldest;
	bool with_rows;
	size_t nr_late; /* files that can be dropped a grace period after they are hidden */
};

static bool find_oldest(void *item, void *context)
{
	struct unwind_file *file = item;
	struct idle_search *search = context;

	if (file->nr_references || file->idle_since >= search->files->graces ||
	    (search->with_rows && !file->placement))
		return false;
	if (file->nr_shown || file->hidden_since >= search->files->graces) {
		search->nr_late++;
		return false;
	}
	if (!search->oldest || file->idle_since < search->oldest->idle_since)
		search->oldest = file;
	return false;
}

static bool hide_idle(void *item, void *context)
{
	struct unwind_files *files = context;
	struct unwind_file *file = item;

	if (file->nr_references || !file->nr_shown)
		return false;
	while (file->nr_shown)
		map_calls__delete(files->map_calls, files->mappings_map,
				  &file->shown[--file->nr_shown]);
	end_epoch(files);
	file->hidden_since = files->graces;
	return false;
}

/*
 * Drops the file that was unused for longest. Returns false if all files are in use, or may still
 * be.
 */
static bool drop_oldest(struct unwind_files *files, bool with_rows)
{
	struct idle_search search = {.files = files, .with_rows = with_rows};

	map__visit(&files->map, find_oldest, &search);
	if (!search.oldest && search.nr_late)
		map__visit(&files->map, hide_idle, files);
	if (!search.oldest)
		return false;
	map__remove(&files->map, &search.oldest->item);
	drop_table(files, search.oldest);
	free(search.oldest);
	return true;
}

/* ---- from a file to its table ---- */

struct unwind_file *unwind_files__get(struct unwind_files *files,
				      const struct file_identity *identity, bool *is_first)
{
	struct unwind_file key = {.identity = *identity}, *file;

	if (map__nr_items(&files->map) >= MAX_FILES)
		drop_oldest(files, false);
	key.item.hash = map__hash(&files->map, identity, sizeof(*identity));
	file = map__find(&files->map, &key.item);
	*is_first = !file || (file->no_room_since && file->no_room_since < files->graces &&
			      !file->is_pending);
	if (!file) {
		file = xmalloc(sizeof(*file));
		*file = key;
		map__add(&files->map, &file->item);
	}
	file->nr_references++;
	file->is_pending |= *is_first;
	return file;
}

static void place(struct unwind_files *files, struct unwind_file *file)
{
	uint32_t nr_rows;
	int code;

	unwind_table__rows(file->table, &nr_rows);
	files->nr_needed = (nr_rows + UNWIND_CHUNK_ROWS - 1) / UNWIND_CHUNK_ROWS;
	do
		code = unwind_space__add(&files->space, file->table, &file->placement);
	while (code == -ENOSPC && drop_oldest(files, true));
	file->no_room_since = code ? files->graces : 0;
	if (code) {
		file->placement = NULL;
		drop_table(files, file);
	} else {
		unwind_table__forget_rows(file->table);
	}
}

void unwind_files__settle_file(struct unwind_files *files, struct unwind_file *file,
			       struct unwind_table *table, const struct interpreter *interpreter)
{
	file->is_pending = false;
	file->table = table;
	if (table)
		place(files, file);
	if (!file->placement || !interpreter || !files->interpreters)
		return;
	for (uint16_t i = 0; i < INTERPRETERS_MAX; i++) {
		if (files->is_used[i])
			continue;
		files->is_used[i] = true;
		files->interpreters[i] = *interpreter;
		file->interpreter = i + 1;
		return;
	}
}

bool unwind_file__is_pending(const struct unwind_file *file)
{
	return file->is_pending;
}

bool unwind_file__is_settled(const struct unwind_file *file)
{
	return file && !file->is_pending && !file->no_room_since;
}

void unwind_files__put(struct unwind_files *files, struct unwind_file *file)
{
	file->idle_since = files->graces;
	file->nr_references--;
}

void unwind_files__settle(struct unwind_files *files)
{
	files->graces++;
}

size_t unwind_file__regions(const struct unwind_file *file, const struct unwind_memory *memory,
			    struct unwind_region *regions, size_t max_regions)
{
	size_t nr =
		unwind_placement__regions(file ? file->placement : NULL, file ? file->table : NULL,
					  memory, regions, max_regions);

	if (nr && file && file->no_room_since)
		regions[0].no_room = 1;
	for (size_t i = 0; file && i < nr; i++)
		regions[i].interpreter = file->interpreter;
	return nr;
}

bool unwind_files__have_interpreters(const struct unwind_files *files)
{
	return memchr(files->is_used, true, sizeof(files->is_used)) != NULL;
}

size_t unwind_files__kernel_bytes(const struct unwind_files *files)
{
	return files->nr_chunks * CHUNK_BYTES;
}
