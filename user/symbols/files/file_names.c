// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sources are read one after the other while an address has no name; after a source with a full
 * symbol table no other is read. Invariant: every source has the build ID of its file.
 */
#include "symbols/files/file_names.h"

#include <limits.h>
#include <unistd.h>

#include "base/strings.h"
#include "base/time_budget.h"
#include "elf/object.h"
#include "elf/symbol_table.h"
#include "processes/file.h"
#include "processes/opener.h"
#include "readers/readers.h"
#include "symbols/debug/debug_places.h"
#include "symbols/files/names.h"

#define MAX_FILES   8192	   /* further files get no names */
#define MAX_SOURCES 4		   /* of a file: itself, a debug file, and their copies */
#define MAX_TRIED   16		   /* candidates tried, regardless of their build ID */
#define MAX_BYTES   (512ULL << 20) /* of all data read */

/* A file with the wanted build ID, and its debug file if there is one. */
struct name_source {
	struct reader_answer answer;
	struct object *object;
	char *path; /* the file with the symbols */
	uint64_t nr_functions;
};

struct named_file {
	struct map_item item;
	const char *path, *build_id; /* path "": not known */
	struct name_source sources[MAX_SOURCES];
	size_t nr_sources, nr_tried;
	int64_t since_ns; /* older files were skipped; 0: none was */
	bool is_over;	  /* no more sources are looked for */
	bool is_unread;	  /* a source may exist, but there was no time */
};

struct file_names {
	struct file_names_options options;
	struct map files;
	struct strings *strings;
	struct opener *opener;
	struct time_budget budget; /* holds the time left */
	uint64_t nr_bytes;
	int64_t since_ns;
	bool trusts_paths;
	int64_t until_ns; /* for files known by path alone; 0: not known */
};

/* ---- life ---- */

static int equals_file(const void *item, const void *key)
{
	const struct named_file *a = item, *b = key;

	return !strcmp(a->path, b->path) && !strcmp(a->build_id, b->build_id);
}

static void free_source(struct name_source *source)
{
	object__free(source->object);
	reader_answer__free(&source->answer);
	free(source->path);
}

static void free_file(void *item)
{
	struct named_file *file = item;

	for (size_t i = 0; i < file->nr_sources; i++)
		free_source(&file->sources[i]);
	free(file);
}

struct file_names *file_names__new(const struct file_names_options *options)
{
	struct file_names *names = xcalloc(1, sizeof(*names));

	names->options = *options;
	names->budget.left_ns = options->max_ns;
	names->strings = strings__new();
	names->opener = options->openers ? opener__new(options->openers) : NULL;
	map__init(&names->files, equals_file, free_file);
	return names;
}

void file_names__free(struct file_names *names)
{
	if (!names)
		return;
	map__fini(&names->files);
	strings__free(names->strings);
	opener__free(names->opener);
	free(names);
}

/* ---- files ---- */

/* Finds or adds the file of a frame. NULL: there are too many. */
static struct named_file *find_file(struct file_names *names, const struct frame *frame)
{
	struct named_file key = {.path = frame->path ? frame->path : "",
				 .build_id = frame->build_id ? frame->build_id : ""};
	struct named_file *file;

	key.item.hash = map__hash(&names->files, key.path, strlen(key.path));
	key.item.hash = map__hash_more(key.item.hash, key.build_id, strlen(key.build_id));
	file = map__find(&names->files, &key.item);
	if (file || map__nr_items(&names->files) >= MAX_FILES)
		return file;
	file = xcalloc(1, sizeof(*file));
	file->item = key.item;
	file->path = strings__intern(names->strings, key.path, strlen(key.path));
	file->build_id = strings__intern(names->strings, key.build_id, strlen(key.build_id));
	map__add(&names->files, &file->item);
	return file;
}

/* ---- reading a source ---- */

static struct debug_places places_of(struct file_names *names, const struct named_file *file,
				     int fd, char *used)
{
	return (struct debug_places){.fd = fd,
				     .path = file->path,
				     .root = -1,
				     .symfs = names->options.symfs,
				     .since_ns = names->since_ns,
				     .opener = names->opener,
				     .budget = &names->budget,
				     .used = used};
}

static int read_once(struct file_names *names, const struct named_file *file, int fd,
		     enum reader_job job, struct name_source *source)
{
	char used[PATH_MAX] = "";
	const struct debug_places places = places_of(names, file, fd, used);
	struct object_request request = {.max_bytes = MAX_BYTES - names->nr_bytes};
	struct reading reading = {0};
	const uint64_t start_ns = monotonic_ns();
	int code;

	if (strlen(file->build_id) >= sizeof(request.build_id))
		return -ESTALE;
	strcpy(request.build_id, file->build_id);
	code = reading__start(&reading, names->options.readers, job, &fd, 1, &request,
			      sizeof(request));
	if (code)
		return code;
	if (!debug_places__await(&places, &reading, start_ns + names->budget.left_ns)) {
		reading__close(&reading);
		code = -ETIMEDOUT;
	} else {
		code = reading__finish(&reading, &source->answer);
	}
	time_budget__spend(&names->budget, monotonic_ns() - start_ns);
	if (!code && !*used)
		file__path(fd, used, sizeof(used));
	source->path = code ? NULL : xstrdup(used);
	return code;
}

static void try_candidate(struct file_names *names, struct named_file *file)
{
	const struct debug_places places = places_of(names, file, -1, NULL);
	const int fd = debug_places__open_file(&places, file->build_id, (uint32_t)file->nr_tried);
	struct name_source source = {0};
	int64_t changed_ns;
	int code;

	file->since_ns = names->since_ns;
	if (fd < 0) {
		file->is_over = true;
		file->is_unread |= fd != -ENOENT;
		return;
	}
	file->nr_tried++;

	/*
	 * A file without build ID that changed after the recording may have other code. The user
	 * chose the files below symfs on purpose.
	 */
	if (!*file->build_id && names->until_ns && !names->options.symfs &&
	    (file__changed_ns(fd, &changed_ns) || changed_ns > names->until_ns))
		code = -ESTALE;
	else
		code = read_once(names, file, fd, READ_SYMBOLS, &source);
	if (code == -ENOMEM || code == -ETIME || code == -EFBIG) { /* it may be a large file */
		reader_answer__free(&source.answer);
		code = read_once(names, file, fd, READ_LARGE_SYMBOLS, &source);
	}
	close(fd);
	if (!code)
		code = object__open(source.answer.bytes, source.answer.nr_bytes, &source.object);
	if (!code && *file->build_id &&
	    strcmp(source.object->header->build_id, file->build_id) != 0)
		code = -ESTALE;
	if (code) {
		/* Other errors tell nothing about the file, only that reading it failed. */
		file->is_unread |= code != -ESTALE && code != -ENOEXEC;
		free_source(&source);
		return;
	}
	names->nr_bytes += object__memory_bytes(source.object);
	file->sources[file->nr_sources++] = source;
	file->is_over = source.object->header->is_complete;
}

/*
 * Starts over if a recording is older than those before: files skipped for them must be read now.
 */
static void begin_again(struct file_names *names, struct named_file *file)
{
	if (file->nr_sources || names->since_ns >= file->since_ns)
		return;
	file->since_ns = 0;
	file->nr_tried = 0;
	file->is_over = false;
}

/* Looks for another source of the file. Returns whether there is one. */
static bool add_next_source(struct file_names *names, struct named_file *file)
{
	const size_t nr_before = file->nr_sources;

	while (!file->is_over && file->nr_sources == nr_before) {
		if (!names->budget.left_ns || names->nr_bytes >= MAX_BYTES)
			file->is_over = file->is_unread = true;
		else
			try_candidate(names, file);
		if (file->nr_tried >= MAX_TRIED || file->nr_sources == MAX_SOURCES)
			file->is_over = true;
	}
	return file->nr_sources > nr_before;
}

/* Whether further sources may have names that the sources so far lack. */
static bool is_incomplete(const struct named_file *file)
{
	for (size_t i = 0; i < file->nr_sources; i++)
		if (file->sources[i].object->header->is_complete)
			return false;
	return file->nr_sources < MAX_SOURCES && file->nr_tried < MAX_TRIED;
}

bool file_names__lack(struct file_names *names, const struct frame *frame)
{
	const struct named_file *file =
		file_names__may_name(frame) ? find_file(names, frame) : NULL;

	return file && is_incomplete(file);
}

static bool look_again(void *item, void *build_id)
{
	struct named_file *file = item;

	if (!strcmp(file->build_id, build_id) && is_incomplete(file))
		file->is_over = false;
	return false;
}

void file_names__look_again(struct file_names *names, const char *build_id)
{
	map__visit(&names->files, look_again, (void *)build_id);
}

/* ---- asking ---- */

/*
 * Looks in a source. Returns whether it has the name; if it has only the start of the function,
 * fills in that.
 */
static bool look_in(struct file_names *names, struct name_source *source, bool is_caller,
		    struct frame *frame)
{
	const uint64_t address = frame->address - (is_caller && frame->address);
	const struct symbol_name *name;
	struct found_symbol found;

	if (!symbol_table__find_caller(source->object->table, address, frame->address, &found))
		return false;
	if (!*found.name) {
		if (!frame->has_start)
			frame->offset = frame->address - found.start;
		frame->has_start = true;
		return false;
	}
	if (!*found.slot) {
		*found.slot = names__user(names->strings, found.name, names->options.demangle);
		source->nr_functions++;
	}
	name = *found.slot;
	frame->function = name->function;
	frame->root = name->root;
	frame->offset = frame->address - found.start;
	frame->has_start = false;
	return true;
}

void file_names__begin(struct file_names *names, int64_t since_ns)
{
	names->since_ns = since_ns;
	names->trusts_paths = false;
}

void file_names__trust_paths(struct file_names *names, int64_t until_ns)
{
	names->trusts_paths = true;
	names->until_ns = until_ns;
}

bool file_names__find(struct file_names *names, const struct frame *frame, bool is_caller,
		      struct frame *named)
{
	struct frame known = *frame;
	struct named_file *file;

	if (names->trusts_paths && frame->path && !frame->build_id)
		known.build_id = "";
	if (!file_names__may_name(&known))
		return false;
	file = find_file(names, frame);
	if (file)
		begin_again(names, file);
	*named = *frame;
	for (size_t i = 0; file && (i < file->nr_sources || add_next_source(names, file)); i++)
		if (look_in(names, &file->sources[i], is_caller, named))
			return true;
	return named->has_start != frame->has_start;
}

/* Looks in a source for the function. A source with its name beats one with only its start. */
static bool look_for_function(struct file_names *names, struct name_source *source,
			      uint64_t address, struct file_function *function)
{
	const struct symbol_name *name;
	struct found_symbol found;

	if (!symbol_table__find(source->object->table, address, &found) ||
	    (!*found.name && function->end))
		return false;
	name = *found.name ? names__user(names->strings, found.name, names->options.demangle)
			   : NULL;
	function->name = name ? name->function : NULL;
	function->start = found.start;
	function->end = symbol_table__end(source->object->table, &found);
	return function->name != NULL;
}

bool file_names__function(struct file_names *names, const struct frame *frame, uint64_t address,
			  struct file_function *function)
{
	struct named_file *file = frame->build_id ? find_file(names, frame) : NULL;

	*function = (struct file_function){0};
	if (file)
		begin_again(names, file);
	for (size_t i = 0; file && (i < file->nr_sources || add_next_source(names, file)); i++)
		if (look_for_function(names, &file->sources[i], address, function))
			return true;
	return function->end != 0;
}

/* ---- results ---- */

bool file_names__has_any(const struct file_names *names)
{
	return map__nr_items(&names->files) > 0;
}

struct result_taker {
	void (*take)(void *context, const struct file_names_result *result);
	void *context;
};

static bool take_results(void *item, void *context)
{
	const struct named_file *file = item;
	const struct result_taker *taker = context;
	struct file_names_result result = {
		.path = file->path, .build_id = file->build_id, .is_unread = file->is_unread};
	bool is_named = false;

	for (size_t i = 0; i < file->nr_sources; i++) {
		result.from = file->sources[i].path;
		result.nr_functions = file->sources[i].nr_functions;
		is_named |= result.nr_functions > 0;
		if (result.nr_functions)
			taker->take(taker->context, &result);
	}
	result.from = NULL;
	if (!is_named)
		taker->take(taker->context, &result);
	return false;
}

void file_names__each(struct file_names *names,
		      void (*take)(void *context, const struct file_names_result *result),
		      void *context)
{
	struct result_taker taker = {take, context};

	map__visit(&names->files, take_results, &taker);
}
