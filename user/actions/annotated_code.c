// SPDX-License-Identifier: GPL-2.0-only
/*
 * Each address in a file is widened to the function that has it, by the file's symbols. The
 * instructions of these ranges are read, and each address counts for the instruction that contains
 * it. A caller's address is the return address, so it counts for the instruction before that.
 */
#include "actions/annotated_code.h"

#include "actions/rename.h"
#include "actions/source_lines.h"
#include "lines/instructions.h"
#include "lines/lines.h"
#include "readers/instruction.h"
#include "symbols/files/file_names.h"

#define UNKNOWN_BYTES 1024 /* range shown after an address in no known function */

/* The addresses of one file, and the result for the file. */
struct file_work {
	const struct annotating_tools *tools;
	const struct annotated_address *addresses, *end;
	struct frame frame; /* a frame in the file */
	struct instruction_range ranges[MAX_INSTRUCTION_RANGES];
	const char *names[MAX_INSTRUCTION_RANGES];
	size_t nr_ranges;
	struct instructions instructions;
	struct code_file *file;
};

static uint64_t place_of(const struct annotated_address *address)
{
	return address->address - (address->role == ADDRESS_RETURNS && address->address);
}

/* ---- ranges ---- */

static void find_ranges(struct file_work *work)
{
	struct file_names *names = work->tools->namer->names;
	uint64_t covered = 0;

	for (const struct annotated_address *at = work->addresses; at < work->end; at++) {
		struct file_function function;

		if (work->nr_ranges == MAX_INSTRUCTION_RANGES)
			return;
		if (place_of(at) < covered)
			continue;
		if (!file_names__function(names, &work->frame, place_of(at), &function)) {
			/* A return address is no place to begin reading instructions. */
			if (at->role != ADDRESS_RUNS)
				continue;
			function = (struct file_function){.start = at->address,
							  .end = at->address + UNKNOWN_BYTES};
		}
		if (function.start < covered)
			function.start = covered;
		if (function.end <= function.start)
			continue;
		covered = function.end;
		work->names[work->nr_ranges] = function.name;
		work->ranges[work->nr_ranges++] =
			(struct instruction_range){function.start, function.end};
	}
}

/* ---- why a file has no instructions ---- */

/* Writes the note on the file: its name, then the words in what. */
static void say(struct file_work *work, const char *what)
{
	struct quoted quoted;

	snprintf(work->file->note, sizeof(work->file->note), "%s %s",
		 quote(&quoted, work->frame.path), what);
}

/* Notes why the file could not be read. 0, or -ENOMEM, which is not noted. */
static int tell_failure(struct file_work *work, int code)
{
	if (code == -ENOMEM)
		return code;
	if (code == -ENOTSUP && !instruction__has_decoder())
		say(work,
		    "has instructions that this topstacks cannot read, as it was built without "
		    "Zydis: take one whose --version says instruction-decoder.");
	else if (code == -ENOTSUP)
		say(work, "is for another processor than x86-64, so there are no instructions.");
	else if (code == -ENOENT)
		say(work, "is not here as it was when it ran, so there are no instructions: "
			  "--symfs DIR names a directory that has it.");
	else
		say(work, "cannot be read, so there are no instructions.");
	return 0;
}

/* ---- rows ---- */

static void name_target(const struct file_work *work, const struct code_block *block,
			struct code_row *row)
{
	struct file_function function;

	if (!row->target ||
	    (row->is_jump && row->target >= block->start && row->target < block->end))
		return;
	if (!file_names__function(work->tools->namer->names, &work->frame, row->target, &function))
		return;
	row->target_name = function.name;
	row->target_offset = row->target - function.start;
}

static void fill_rows(const struct file_work *work, struct code_block *block,
		      const struct read_instruction *read)
{
	for (size_t i = 0; i < block->nr_rows; i++, read++) {
		block->rows[i] = (struct code_row){
			.address = read->address,
			.target = read->target,
			.is_jump = read->kind == INSTRUCTION_JUMP,
			.enters_kernel = read->kind == INSTRUCTION_ENTERS_KERNEL,
			.size = read->size,
		};
		block->rows[i].text =
			strings__intern(work->tools->strings, read->text, strlen(read->text));
		name_target(work, block, &block->rows[i]);
	}
}

/* The row of the instruction that contains an address, or NULL. */
static struct code_row *find_row(const struct code_block *block, uint64_t address)
{
	size_t nr = array__lower_bound(block->rows, block->nr_rows, address, address);

	if (nr < block->nr_rows && block->rows[nr].address == address)
		nr++;
	if (!nr || address - block->rows[nr - 1].address >= block->rows[nr - 1].size)
		return NULL;
	return &block->rows[nr - 1];
}

/* Makes a block for each range, in order; a block may have no rows. */
static void make_blocks(struct file_work *work)
{
	const struct read_instruction *read = work->instructions.read;
	const struct read_instruction *end = read + work->instructions.nr_read;

	work->file->blocks = xcalloc(work->nr_ranges + 1, sizeof(*work->file->blocks));
	for (size_t i = 0; i < work->nr_ranges; i++) {
		const struct read_instruction *first = read;
		struct code_block *block = &work->file->blocks[work->file->nr_blocks++];

		while (read < end && read->address < work->ranges[i].end)
			read++;
		block->start = work->ranges[i].start;
		block->end = work->ranges[i].end;
		block->name = work->names[i];
		block->nr_rows = (size_t)(read - first);
		block->rows = xcalloc(block->nr_rows + 1, sizeof(*block->rows));
		fill_rows(work, block, first);
		for (size_t j = 0; j < block->nr_rows; j++) {
			const uint64_t target = block->rows[j].is_jump ? block->rows[j].target : 0;
			struct code_row *led_to = target ? find_row(block, target) : NULL;

			if (led_to && led_to->address == target)
				led_to->is_led_to = true;
		}
	}
}

/* ---- counts ---- */

/*
 * Counts each address for its row. For a system call, the saved address is behind the call
 * instruction, so the row before counts.
 */
static void count_addresses(struct file_work *work)
{
	struct code_block *block = work->file->blocks, *end = block + work->file->nr_blocks;

	for (const struct annotated_address *at = work->addresses; at < work->end; at++) {
		const bool is_entry = at->role == ADDRESS_RUNS && !at->values.self[VALUE_COUNT] &&
				      !at->values.self[VALUE_WEIGHT];
		struct code_row *row = NULL;

		while (block < end && block->end <= place_of(at))
			block++;
		if (block < end)
			row = find_row(block, place_of(at));
		if (row && row > block->rows && is_entry && row[-1].enters_kernel)
			row--;
		annotated_values__add(row ? &row->values : &work->file->unplaced, &at->values);
		if (row)
			annotated_values__add(&block->values, &at->values);
	}
}

/* ---- lines ---- */

/* Finds the lines of all rows: those that are known, and after the work on the others all. */
static void find_lines(const struct file_work *work)
{
	struct lines *lines = work->tools->lines;
	struct strings *strings = work->tools->strings;
	struct frame frames[MAX_LINE_FRAMES], frame = work->frame;

	for (int round = 0; round < 2; round++) {
		for (size_t i = 0; i < work->file->nr_blocks; i++) {
			const struct code_block *block = &work->file->blocks[i];

			for (struct code_row *row = block->rows; row < block->rows + block->nr_rows;
			     row++) {
				size_t nr;

				frame.address = row->address;
				nr = lines__find(lines, &frame, false, frames);
				if (!nr)
					continue;
				row->line = frames[nr - 1].line;
				row->file = frames[nr - 1].file
						    ? strings__intern(strings, frames[nr - 1].file,
								      strlen(frames[nr - 1].file))
						    : NULL;
			}
		}
		if (!round)
			annotator__work(lines, UINT64_MAX);
	}
}

/* ---- a file ---- */

static int make_file(struct file_work *work, struct annotated_code *code)
{
	const struct annotating_tools *tools = work->tools;
	const struct instructions_options options = {.symfs = tools->namer->naming.symfs,
						     .readers = tools->namer->helpers.readers,
						     .opener = tools->opener};
	int result = 0;

	work->file->path = work->frame.path;
	work->file->build_id = work->frame.build_id;
	if (!work->frame.path) {
		snprintf(work->file->note, sizeof(work->file->note),
			 "No file of it is known, so there are no instructions.");
	} else if (!work->frame.build_id) {
		say(work, "has no build ID, so whether it is still the file that ran is not known, "
			  "and there are no instructions.");
	} else {
		find_ranges(work);
		result = work->nr_ranges
				 ? instructions__read(&work->instructions, &options,
						      work->frame.path, work->frame.build_id,
						      work->ranges, work->nr_ranges)
				 : -ENOENT;
		if (result)
			result = tell_failure(work, result);
		else
			make_blocks(work);
	}
	if (work->instructions.modified_ns > code->modified_ns)
		code->modified_ns = work->instructions.modified_ns;
	count_addresses(work);
	if (!result)
		find_lines(work);
	instructions__free(&work->instructions);
	return result;
}

int annotated_code__make(struct annotated_code *code, const struct annotation *annotation,
			 const struct annotating_tools *tools)
{
	const struct annotated_address *next = annotation->addresses;
	const struct annotated_address *end = next + annotation->nr_addresses;
	size_t capacity = 0;
	int result = 0;

	*code = (struct annotated_code){0};
	file_names__begin(tools->namer->names, 0);
	while (!result && next < end) {
		struct file_work work = {.tools = tools,
					 .addresses = next,
					 .frame = {.kind = FRAME_USER,
						   .path = next->path,
						   .build_id = next->build_id}};

		while (next < end && next->path == work.frame.path &&
		       next->build_id == work.frame.build_id)
			next++;
		work.end = next;
		array__reserve(&code->files, &capacity, code->nr_files + 1);
		work.file = &code->files[code->nr_files++];
		*work.file = (struct code_file){0};
		result = make_file(&work, code);
	}
	if (result)
		annotated_code__fini(code);
	return result;
}

void annotated_code__fini(struct annotated_code *code)
{
	for (size_t i = 0; i < code->nr_files; i++) {
		for (size_t j = 0; j < code->files[i].nr_blocks; j++)
			free(code->files[i].blocks[j].rows);
		free(code->files[i].blocks);
	}
	free(code->files);
	*code = (struct annotated_code){0};
}
