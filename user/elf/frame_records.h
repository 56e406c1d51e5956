/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The records of .eh_frame and .debug_frame: CIEs, which have what many functions share, and FDEs,
 * one for each function. They are not trusted; reading one takes constant time.
 */
#ifndef TOPSTACKS_ELF_FRAME_RECORDS_H
#define TOPSTACKS_ELF_FRAME_RECORDS_H

#include "base/common.h"
#include "base/cursor.h"

struct frame_section {
	const uint8_t *data;
	size_t size;
	uint64_t vaddr;		 /* of data[0], for pc-relative pointers */
	uint8_t word_bytes;	 /* of an address: 4 or 8 */
	bool is_debug;		 /* .debug_frame: its ids and pointers differ a little */
	bool ends_at_terminator; /* size is a bound only */
};

struct frame_record {
	uint32_t offset; /* of the record in the section, which has less than 4 GiB */
	bool is_cie;
	uint64_t cie_offset; /* for an FDE */
	struct cursor body;  /* after the id */
};

/* A cursor at the first record. */
struct cursor frame_section__begin(const struct frame_section *section);

/* Reads the next record. False at the end of the section, or at a length that is not valid. */
bool frame_section__next(const struct frame_section *section, struct cursor *cursor,
			 struct frame_record *record);

struct frame_cie {
	uint32_t offset; /* of the record in the section */
	uint8_t pointer_encoding;
	bool has_data; /* augmentation data in each FDE */
	bool is_signal;
	bool bad; /* it is damaged, and so are its FDEs */
	uint64_t code_align;
	int64_t data_align;
	uint64_t ra_register;
	struct cursor program;
};

void frame_cie__read(struct frame_cie *cie, const struct frame_section *section,
		     const struct frame_record *record);

struct frame_fde {
	uint64_t start, nr_bytes; /* the function's code */
	struct cursor program;
};

/* False: the record is damaged. */
bool frame_fde__read(struct frame_fde *fde, const struct frame_section *section,
		     const struct frame_cie *cie, const struct frame_record *record);

/* Reads a pointer of a DW_EH_PE encoding; an unknown encoding marks the cursor as bad. */
uint64_t frame_section__pointer(const struct frame_section *section, struct cursor *cursor,
				uint8_t encoding);

#endif
