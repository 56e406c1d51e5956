// SPDX-License-Identifier: GPL-2.0-only
/*
 * Gives answers of a reader that an attacker has taken over to the code that asked: for symbols of
 * modules, for made code in the files that tell of it, or for lines. Byte 0 says which of them
 * asks, byte 1 how the reader ends; the rest is its answer.
 *
 * Names are strings, sums come to zero again, and no descriptor stays open.
 */
#include <errno.h>

#include "../unit/image_file.h"
#include "base/strings.h"
#include "elf/symbol_table.h"
#include "fake_workers.h"
#include "lines/lines.h"
#include "processes/mapped_files.h"
#include "symbols/files/modules.h"
#include "symbols/jit/jit_file.h"

#define NR_ADDRESSES 256

static void check_text(const char *text)
{
	require(!text || strlen(text) < SIZE_MAX);
}

/* ---- modules ---- */

static void look_up(const struct object *object)
{
	struct found_symbol found;
	uint64_t address;

	for (unsigned int shift = 0; shift < 64; shift++) {
		if (!object__address(object, 1ULL << shift, &address))
			address = 1ULL << shift;
		if (symbol_table__find(object->table, address, &found))
			check_text(found.name);
		object__is_entry(object, address);
	}
}

static void note_late(void *context, const struct mapped_file *file)
{
	(void)context;
	(void)file;
}

/* Makes a file of one mapping, and opens it. */
static struct mapped_file *make_file(struct mapped_files *files)
{
	const struct mapping mapping = {.inode = 1, .path = "/no/directory/file"};
	struct mapped_file *file = mapped_files__get(files, &mapping);

	require(file != NULL);
	file->fd = file_of("", 0);
	require(file->fd >= 0 && !file__identify(file->fd, &file->identity));
	file->checked_by = 1;
	files->nr_open++;
	return file;
}

static void ask_modules(struct readers *readers)
{
	const struct mapped_file_user user = {.serial = 1};
	struct mapped_files files;
	struct modules modules = {.files = &files,
				  .strings = strings__new(),
				  .readers = readers,
				  .max_bytes = 1 << 24,
				  .on_late = note_late};
	const struct object *object;
	struct mapped_file *file;

	mapped_files__init(&files, module__free);
	file = make_file(&files);
	for (int i = 0; i < 2; i++) { /* a file that was refused is not read again */
		struct module *module = modules__find(&modules, file, &user, &object);

		require(module != NULL);
		check_text(module->build_id);
		if (object)
			look_up(object);
		modules__go_on(&modules);
	}
	require(modules.loaded_bytes <= modules.max_bytes && !modules.nr_readings);
	mapped_file__unref(file);
	mapped_files__fini(&files);
	require(modules.loaded_bytes == 0);
	strings__free(modules.strings);
}

/* ---- made code ---- */

static void ask_made_code(struct readers *readers)
{
	struct jit_round round = {.readers = readers, .bounds.max_code_bytes = 65536, .number = 1};
	struct jit_file file;

	jit_file__init(&file, &round, READ_PERF_MAP);
	require(jit_file__open(&file, "/tmp/perf-1.map", file_of("", 0)));
	for (int i = 0; i < 2; i++) {
		struct found_symbol found;

		round.allowance = 1 << 20;
		round.left_ns = UINT64_MAX;
		jit_file__refresh(&file);
		require(round.allowance <= 1 << 20);
		for (uint64_t address = 0; address < NR_ADDRESSES; address++)
			if (jit_code__find(&file.code, address, &found))
				check_text(found.name);
	}
	require(round.bounds.code_bytes <= round.bounds.max_code_bytes);
	jit_file__fini(&file);
	require(!round.bounds.code_bytes && !round.nr_files);
}

/* ---- lines ---- */

static void find_lines(struct lines *lines)
{
	struct frame frame = {.kind = FRAME_USER, .path = "/no/directory/file", .build_id = "0102"};
	struct frame frames[MAX_LINE_FRAMES];

	for (frame.address = 0; frame.address < NR_ADDRESSES; frame.address++) {
		const size_t nr_frames = lines__find(lines, &frame, false, frames);

		require(nr_frames <= MAX_LINE_FRAMES);
		for (size_t i = 0; i < nr_frames; i++) {
			check_text(frames[i].function);
			check_text(frames[i].file);
		}
	}
}

static void ask_lines(struct readers *readers)
{
	const struct lines_options options = {.demangle = true, .readers = readers};
	struct lines *lines = lines__new(&options);
	struct lines_account account;
	const int fd = file_of("", 0);

	require(lines && fd >= 0);
	lines__keep(lines, "/no/directory/file", "0102", fd, -1);
	close(fd);
	find_lines(lines);
	require(lines__work(lines, UINT64_MAX));
	find_lines(lines);
	lines__account(lines, &account);
	require(account.unread == 0);
	lines__free(lines);
}

/* ---- the target ---- */

static void ask(struct readers *readers, uint8_t who)
{
	static void (*const asks[])(struct readers *) = {ask_modules, ask_made_code, ask_lines};

	asks[who % 3](readers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const int codes[] = {0, 0, 0, -EIO, -ENOMEM, -ENOEXEC, -EAGAIN, -ETIME};
	static struct readers *readers;
	int lowest;

	if (!readers)
		require(!readers__start(&readers, jobs__find));
	if (size < 2)
		return 0;
	lowest = lowest_descriptor();
	script = (struct script){.answer = data + 2,
				 .answer_bytes = size - 2,
				 .code = codes[data[1] % 8],
				 .has_ended = true,
				 .is_lost = (data[1] & 96) == 96};
	ask(readers, data[0]);
	require(lowest_descriptor() == lowest);
	return 0;
}
