// SPDX-License-Identifier: GPL-2.0-only
/* Source lines of addresses (readers/source_lines.h). */
#include <unistd.h>

#include "elf/debug_files.h"
#include "readers/dwarf.h"
#include "readers/jobs.h"
#include "readers/readers.h"
#include "readers/split_files.h"

/* ---- the answer ---- */

static int put(FILE *answer, const void *bytes, size_t nr_bytes)
{
	return fwrite(bytes, 1, nr_bytes, answer) == nr_bytes ? 0 : -EIO;
}

static int put_number(FILE *answer, size_t number)
{
	const uint32_t value = (uint32_t)number;

	return put(answer, &value, sizeof(value));
}

static int put_text(FILE *answer, const char *text)
{
	const size_t length = text ? strnlen(text, MAX_PLACE_BYTES) + 1 : 0;

	if (length == 0 || length > MAX_PLACE_BYTES)
		return put_number(answer, 0);
	return put_number(answer, length) || put(answer, text, length) ? -EIO : 0;
}

static int put_file(FILE *answer, const struct source_place *place)
{
	char path[MAX_PLACE_BYTES];

	if (!place->file || !place->directory)
		return put_text(answer, place->file);
	if (snprintf(path, sizeof(path), "%s/%s", place->directory, place->file) >=
	    (int)sizeof(path))
		return put_text(answer, NULL);
	return put_text(answer, path);
}

static int put_places(void *context, size_t address, const struct source_place *places,
		      size_t nr_places)
{
	FILE *answer = context;

	if (put_number(answer, address) || put_number(answer, nr_places))
		return -EIO;
	for (size_t i = 0; i < nr_places; i++)
		if (put_number(answer, places[i].line) || put_text(answer, places[i].function) ||
		    put_file(answer, &places[i]))
			return -EIO;
	return 0;
}

/* ---- files ---- */

/* Whether the file has the build ID. *has_debug: whether it has its own debug information. */
static bool is_meant(int fd, const char *build_id, bool *has_debug)
{
	char found[BUILD_ID_TEXT_SIZE];
	struct elf_section section;
	struct elf_file file;
	struct build_id id;

	if (elf_file__open(&file, fd))
		return false;
	*has_debug = elf_file__find(&file, ".debug_info", &section) ||
		     elf_file__find(&file, ".zdebug_info", &section);
	elf_file__build_id(&file, &id);
	elf_file__close(&file);
	build_id__format(&id, found);
	return !*build_id || !strcmp(build_id, found);
}

static int find_in(const struct reader_task *task, int fd, const struct debug_candidates *offers,
		   struct dwarf_query *query)
{
	int code;

	query->fd = fd;
	query->alternate = debug_files__open_alternate(fd, offers);
	split_files__begin(task);
	code = dwarf__find(query);
	split_files__end();
	if (query->alternate >= 0)
		close(query->alternate);
	return code;
}

static int find(const struct reader_task *task, const char *build_id, struct dwarf_query *query)
{
	const struct debug_candidates offers = reader__debug_candidates(task);
	bool has_debug;
	int debug, code;

	if (!is_meant(task->files[0], build_id, &has_debug))
		return -ENOENT;
	if (has_debug)
		return find_in(task, task->files[0], &offers, query);
	debug = debug_files__open(task->files[0], ".debug_info", &offers);
	if (debug < 0)
		return -ENOENT;
	code = find_in(task, debug, &offers, query);
	close(debug);
	return code;
}

int job__lines(const struct reader_task *task)
{
	struct lines_request request;
	struct dwarf_query query = {.taker.take = put_places};
	uint64_t *addresses;
	size_t nr_bytes;
	FILE *answer;
	int code = -ENOMEM;

	if (task->nr_files != 2 || task->nr_bytes != sizeof(request))
		return -EINVAL;
	memcpy(&request, task->arguments, sizeof(request));
	answer = fdopen(task->answer, "w");
	nr_bytes = request.nr_addresses * sizeof(*addresses);
	addresses = malloc(nr_bytes);
	query.max_bytes = request.max_bytes;
	query.addresses = (struct address_list){addresses, request.nr_addresses};
	query.taker.context = answer;
	if (answer && addresses &&
	    pread(task->files[1], addresses, nr_bytes, 0) == (ssize_t)nr_bytes)
		code = find(task, request.build_id, &query);
	if (answer && fclose(answer) && !code)
		code = -EIO;
	free(addresses);
	return code;
}
