// SPDX-License-Identifier: GPL-2.0-only
/*
 * A row holds from its address up to that of the next row. So a row is reported when the next one
 * comes; of several rows at one address the last one holds.
 */
#include "readers/line_rows.h"

#include "base/cursor.h"
#include "readers/code_map.h"

#define DWARF64		 0xffffffffU /* as length: a 64-bit length follows */
#define MAX_ADDRESS_SIZE 8

/* Opcodes with their numbers in DWARF. */
enum line_opcode {
	STANDARD_COPY = 1,
	STANDARD_ADVANCE_PC,
	STANDARD_ADVANCE_LINE,
	STANDARD_SET_FILE,
	STANDARD_CONST_ADD_PC = 8,
	STANDARD_FIXED_ADVANCE_PC,

	EXTENDED_END_SEQUENCE = 1,
	EXTENDED_SET_ADDRESS,
};

struct line_header {
	unsigned int version;
	uint8_t least_size, max_operations, line_range,
		nr_opcodes; /* nr_opcodes: the first special opcode */
	int8_t line_base;
	const unsigned char *nr_operands; /* of the standard opcodes, from 1 on */
};

/* The used registers of the state machine. */
struct line_state {
	uint64_t address;
	uint32_t operation, file, line;
};

struct line_reader {
	const struct line_search *search;
	struct line_header header;
	struct cursor cursor;
	struct line_state state;
	bool is_in_sequence, is_code;
	uint64_t row_address;
	struct line_row row; /* the last row */
};

/* ---- the header ---- */

/* Parses the header up to the first instruction. False: its format is not supported. */
static bool take_header(struct cursor *cursor, struct line_header *header)
{
	size_t offset_size = 4;
	uint64_t length = cursor__unsigned(cursor, 4);
	struct cursor program;

	if (length == DWARF64) {
		offset_size = 8;
		length = cursor__unsigned(cursor, 8);
	}
	if (length > cursor__left(cursor))
		return false;
	cursor->end = cursor->at + length;
	header->version = (unsigned int)cursor__unsigned(cursor, 2);
	if (header->version < 2 || header->version > 5)
		return false;
	if (header->version == 5)
		cursor__skip(cursor, 2); /* size of addresses and of segment selectors */
	length = cursor__unsigned(cursor, offset_size);
	if (length > cursor__left(cursor))
		return false;
	program = (struct cursor){.at = cursor->at + length, .end = cursor->end};
	header->least_size = cursor__u8(cursor);
	header->max_operations = header->version >= 4 ? cursor__u8(cursor) : 1;
	cursor__skip(cursor, 1); /* default of is_stmt */
	header->line_base = (int8_t)cursor__u8(cursor);
	header->line_range = cursor__u8(cursor);
	header->nr_opcodes = cursor__u8(cursor);
	header->nr_operands = cursor->at;
	cursor__skip(cursor, header->nr_opcodes ? header->nr_opcodes - 1U : 0);
	if (cursor->bad || !header->line_range || !header->max_operations || !header->nr_opcodes)
		return false;
	*cursor = program;
	return true;
}

/* ---- rows ---- */

static void begin_sequence(struct line_reader *reader)
{
	reader->state = (struct line_state){.file = 1, .line = 1};
	reader->is_in_sequence = false;
}

static void add_row(struct line_reader *reader)
{
	const struct line_search *search = reader->search;
	const struct address_list *addresses = search->addresses;
	const struct line_state *state = &reader->state;

	if (!reader->is_in_sequence) {
		reader->is_in_sequence = true;
		reader->is_code = code_map__has(search->code, state->address);
		reader->row.first_file = state->file;
		reader->row.first_line = state->line;
	} else if (reader->is_code && state->address > reader->row_address) {
		for (size_t i = address_list__from(addresses, reader->row_address);
		     i < addresses->nr && addresses->items[i] < state->address &&
		     *search->left_steps;
		     i++) {
			--*search->left_steps;
			search->take(search->context, i, &reader->row);
		}
	}
	reader->row_address = state->address;
	reader->row.file = state->file;
	reader->row.line = state->line;
}

static void advance(struct line_reader *reader, uint64_t nr_operations)
{
	const struct line_header *header = &reader->header;
	struct line_state *state = &reader->state;

	nr_operations += state->operation;
	state->address += header->least_size * (nr_operations / header->max_operations);
	state->operation = (uint32_t)(nr_operations % header->max_operations);
}

/* ---- instructions ---- */

static void run_extended(struct line_reader *reader)
{
	const uint64_t length = cursor__uleb128(&reader->cursor);
	struct cursor inside = cursor__cut(&reader->cursor, length);

	if (inside.bad)
		return;
	switch (cursor__u8(&inside)) {
	case EXTENDED_END_SEQUENCE:
		add_row(reader);
		begin_sequence(reader);
		break;
	case EXTENDED_SET_ADDRESS:
		if (length <= 1 + MAX_ADDRESS_SIZE)
			reader->state.address = cursor__unsigned(&inside, length - 1);
		reader->state.operation = 0;
		break;
	}
}

static void run_standard(struct line_reader *reader, uint8_t opcode)
{
	struct cursor *cursor = &reader->cursor;
	struct line_state *state = &reader->state;

	switch (opcode) {
	case STANDARD_COPY:
		add_row(reader);
		break;
	case STANDARD_ADVANCE_PC:
		advance(reader, cursor__uleb128(cursor));
		break;
	case STANDARD_ADVANCE_LINE:
		state->line += (uint32_t)cursor__sleb128(cursor);
		break;
	case STANDARD_SET_FILE:
		state->file = (uint32_t)cursor__uleb128(cursor);
		break;
	case STANDARD_CONST_ADD_PC:
		advance(reader, (255U - reader->header.nr_opcodes) / reader->header.line_range);
		break;
	case STANDARD_FIXED_ADVANCE_PC:
		state->address += cursor__unsigned(cursor, 2);
		state->operation = 0;
		break;
	default:
		for (uint8_t i = reader->header.nr_operands[opcode - 1]; i > 0; i--)
			cursor__uleb128(cursor);
	}
}

void line_rows__find(const struct line_programs *programs, uint64_t offset,
		     const struct line_search *search)
{
	struct line_reader reader = {.search = search};
	const struct line_header *header = &reader.header;
	struct cursor *cursor = &reader.cursor;
	unsigned int adjusted;

	if (offset >= programs->nr_bytes)
		return;
	*cursor = (struct cursor){.at = programs->bytes + offset,
				  .end = programs->bytes + programs->nr_bytes};
	if (!take_header(cursor, &reader.header))
		return;
	begin_sequence(&reader);
	while (cursor__left(cursor) && !cursor->bad && *search->left_steps) {
		const uint8_t opcode = cursor__u8(cursor);

		--*search->left_steps;
		if (opcode < header->nr_opcodes) {
			if (opcode)
				run_standard(&reader, opcode);
			else
				run_extended(&reader);
			continue;
		}
		/* A special opcode advances address and line. */
		adjusted = (unsigned int)opcode - header->nr_opcodes;
		advance(&reader, adjusted / header->line_range);
		reader.state.line +=
			(uint32_t)(header->line_base + (int)(adjusted % header->line_range));
		add_row(&reader);
	}
}
