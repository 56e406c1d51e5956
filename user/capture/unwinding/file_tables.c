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

#include <sys/mman.h>
#include <unistd.h>

#include <bpf/bpf.h>

#include "base/shortage.h"
#include "base/system/rights.h"
#include "capture/host/map_calls.h"
#include "processes/file.h"
#include "processes/process.h"
#include "readers/reasons.h"
#include "topstacks/interpreter_abi.h"
#include "unwind/unwind.h"

/* ---- chunks ---- */

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

/* ---- interpreters ---- */

#define MAP_BYTES (INTERPRETERS_MAX * sizeof(struct interpreter))

struct known_interpreters {
	struct interpreter *list; /* mapped */
	bool is_used[INTERPRETERS_MAX];
};

struct known_interpreters *known_interpreters__new(int map)
{
	struct known_interpreters *interpreters = calloc(1, sizeof(*interpreters));
	void *list;

	if (!interpreters)
		return NULL;
	list = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, map, 0);
	if (list == MAP_FAILED) {
		free(interpreters);
		return NULL;
	}
	interpreters->list = list;
	return interpreters;
}

void known_interpreters__free(struct known_interpreters *interpreters)
{
	if (!interpreters)
		return;
	munmap(interpreters->list, MAP_BYTES);
	free(interpreters);
}

uint16_t known_interpreters__add(struct known_interpreters *interpreters,
				 const struct interpreter *interpreter)
{
	for (uint16_t i = 0; interpreters && i < INTERPRETERS_MAX; i++) {
		if (interpreters->is_used[i])
			continue;
		interpreters->is_used[i] = true;
		interpreters->list[i] = *interpreter;
		return i + 1;
	}
	return 0;
}

void known_interpreters__remove(struct known_interpreters *interpreters, uint16_t number)
{
	if (interpreters && number)
		interpreters->is_used[number - 1] = false;
}

/* ---- file_tables ---- */

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

struct unwind_files {
	struct map map; /* by identity */
	int mappings_map;
	struct map_calls *map_calls;		 /* borrowed */
	struct known_interpreters *interpreters; /* borrowed */
	struct unwind_chunks chunks;
	uint32_t nr_needed; /* chunks needed for the table being placed */
	struct unwind_space space;
	uint64_t graces;
	uint32_t *epoch; /* the programs' counter; NULL: none */
};

static int equals_file(const void *item, const void *key)
{
	return !memcmp(&((const struct unwind_file *)item)->identity,
		       &((const struct unwind_file *)key)->identity, sizeof(struct file_identity));
}

/* ---- life ---- */

static struct unwind_row *new_chunk(void *context, uint32_t chunk)
{
	struct unwind_files *files = context;

	return unwind_chunks__get(&files->chunks, chunk, files->nr_needed);
}

struct unwind_files *unwind_files__new(int chunks_map, int mappings_map, size_t max_bytes,
				       struct map_calls *map_calls,
				       struct known_interpreters *interpreters, uint32_t *epoch)
{
	struct unwind_files *files = calloc(1, sizeof(*files));

	if (!files)
		return NULL;
	files->chunks =
		(struct unwind_chunks){.map = chunks_map,
				       .map_calls = map_calls,
				       .max = max_bytes / UNWIND_CHUNK_BYTES < UNWIND_MAX_CHUNKS
						      ? (uint32_t)(max_bytes / UNWIND_CHUNK_BYTES)
						      : UNWIND_MAX_CHUNKS};
	files->mappings_map = mappings_map;
	files->map_calls = map_calls;
	files->interpreters = interpreters;
	files->epoch = epoch;
	files->graces = 1;
	files->space = (struct unwind_space){
		.max_bytes = files->chunks.max * UNWIND_CHUNK_BYTES,
		.new_chunk = new_chunk,
		.context = files,
	};
	if (map__init(&files->map, equals_file, NULL)) {
		unwind_files__free(files);
		return NULL;
	}
	unwind_chunks__make_first(&files->chunks);
	return files;
}

void unwind_files__await(struct unwind_files *files)
{
	unwind_chunks__await_first(&files->chunks);
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
	known_interpreters__remove(files->interpreters, file->interpreter);
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
	unwind_chunks__fini(&files->chunks);
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

static bool is_shown(const struct unwind_file *file, const struct unwind_mapping_key *key)
{
	size_t i;

	for (i = 0; i < file->nr_shown; i++)
		if (!memcmp(&file->shown[i], key, sizeof(*key)))
			return true;
	return false;
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
	    is_shown(file, &key) || file->nr_shown == MAX_SHOWN)
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

static void hide(struct unwind_files *files, struct unwind_file *file)
{
	if (!file->nr_shown)
		return;
	while (file->nr_shown)
		map_calls__delete(files->map_calls, files->mappings_map,
				  &file->shown[--file->nr_shown]);
	end_epoch(files);
	file->hidden_since = files->graces;
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

static bool hide_idle(void *item, void *files)
{
	struct unwind_file *file = item;

	if (!file->nr_references)
		hide(files, file);
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

/* ---- finding ---- */

static struct unwind_file *add_file(struct unwind_files *files, const struct unwind_file *key)
{
	struct unwind_file *file = malloc(sizeof(*file));

	if (!file)
		return NULL;
	*file = *key;
	if (!map__add(&files->map, &file->item))
		return file;
	free(file);
	return NULL;
}

static struct unwind_file *find_or_add(struct unwind_files *files,
				       const struct file_identity *identity, bool *is_new)
{
	struct unwind_file key = {.identity = *identity}, *file;

	if (map__nr_items(&files->map) >= MAX_FILES)
		drop_oldest(files, false);
	key.item.hash = map__hash(&files->map, identity, sizeof(*identity));
	file = map__find(&files->map, &key.item);
	*is_new = !file;
	return file ? file : add_file(files, &key);
}

struct unwind_file *unwind_files__get(struct unwind_files *files,
				      const struct file_identity *identity, bool *is_first)
{
	struct unwind_file *file;
	bool is_new;

	file = find_or_add(files, identity, &is_new);
	if (!file)
		return NULL;
	file->nr_references++;
	*is_first = is_new || (file->no_room_since && file->no_room_since < files->graces &&
			       !file->is_pending);
	file->is_pending |= *is_first;
	return file;
}

void unwind_files__settle_file(struct unwind_files *files, struct unwind_file *file,
			       struct unwind_table *table, const struct interpreter *interpreter)
{
	file->is_pending = false;
	file->table = table;
	if (table)
		place(files, file);
	if (file->placement && interpreter)
		file->interpreter = known_interpreters__add(files->interpreters, interpreter);
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

size_t unwind_files__kernel_bytes(const struct unwind_files *files)
{
	return files->chunks.nr * UNWIND_CHUNK_BYTES;
}
