/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The inside of this folder: call frame information as the compiler of tables sees it, which is
 * CIEs, FDEs and the state that their programs compute; and the struct of a table.
 *
 *	source.c	ELF file -> sections, segments, stubs
 *	records.c	section -> CIEs and FDEs (elf/frame_records.h), in order of address
 *	programs.c	CIE, FDE -> states, pc by pc
 *	go_frames.c	the same of Go's own table
 *	rows.c		state -> row; rows in order, merged, with gaps
 *
 * Only three registers are followed: CFA, frame pointer, return address.
 */
#ifndef TOPSTACKS_UNWIND_CFI_H
#define TOPSTACKS_UNWIND_CFI_H

#include "base/common.h"
#include "base/cursor.h"
#include "elf/frame_records.h"
#include "elf/pclntab.h"
#include "topstacks/unwind_abi.h"

#define CFI_MAX_SECTION_BYTES (128U << 20) /* so that offsets fit 32 bits */
#define CFI_MAX_SEGMENTS      32
#define CFI_NO_HEAD	      UINT64_MAX
#define CFI_MAX_STUBS	      8
#define CFI_STUB_BYTES	      32

/* DWARF register numbers and habits of one machine. */
struct cfi_machine {
	uint8_t fp, sp, ip;
	uint8_t link;	 /* where a call leaves the return address; 0: on the stack */
	bool has_signal; /* UNWIND_SIGNAL describes its signal frames */
	/* Where some functions keep the return address that was on the stack; 0: nowhere. */
	uint8_t call_links[2];
};

/* An executable part of a file. */
struct cfi_segment {
	uint64_t vaddr, offset, size;
};

struct cfi_text {
	struct cfi_segment segments[CFI_MAX_SEGMENTS];
	size_t nr_segments;
	uint64_t base;	/* where a table's pc 0 is: at or below all segments, aligned as any page */
	uint64_t head;	/* where the file's first byte is loaded; CFI_NO_HEAD: nowhere */
	uint64_t entry; /* where the kernel starts the program; 0: nowhere */
};

/* A section of PLT stubs, and how its code begins. */
struct cfi_stubs {
	uint64_t vaddr, size;
	uint8_t code[CFI_STUB_BYTES];
};

/* All that a table is compiled from. */
struct cfi_source {
	struct frame_section sections[2]; /* .eh_frame, .debug_frame */
	size_t nr_sections;
	struct pclntab go; /* without functions: it has none, or none is needed */
	struct cfi_text text;
	struct cfi_stubs stubs[CFI_MAX_STUBS];
	size_t nr_stubs;
	struct cfi_machine machine;
};

struct elf_file;

/*
 * Fills source from a file, whose bytes it borrows as long as that is open. Returns 0 or what
 * unwind_table__build() documents.
 */
int cfi_source__read(struct cfi_source *source, struct elf_file *file);

/* ---- What a program computes ---- */

enum cfi_place {
	PLACE_SAME,	/* in the register itself */
	PLACE_CFA,	/* at CFA + offset */
	PLACE_FP,	/* at fp + offset */
	PLACE_SP,	/* at sp + offset */
	PLACE_REGISTER, /* in the register offset */
	PLACE_UNDEFINED,
	PLACE_OTHER,
};

struct cfi_saved {
	enum cfi_place place;
	int64_t offset; /* bytes, or a register's number */
};

enum cfi_cfa {
	CFA_REGISTER, /* reg + offset */
	CFA_DEREF,    /* *(reg + offset) + addend */
	CFA_PLT,      /* sp + 8, + 8 more once ip & 15 >= offset */
	CFA_OTHER,
};

struct cfi_state {
	enum cfi_cfa cfa;
	uint64_t reg;
	int64_t offset, addend;
	struct cfi_saved fp, ra;
	/*
	 * Perhaps no call made this frame, but an exception unwinder (programs.c) or Go's runtime
	 * (go_frames.c): a step to the frame's caller may skip frames.
	 */
	bool is_unsure;
};

/* ---- Records ---- */

struct cfi_cie {
	const struct frame_section *section;
	struct frame_cie record;  /* bad: the rows of its FDEs are "other" */
	bool is_go;		  /* programs of its FDEs are depths of Go's table */
	struct cfi_state initial; /* after the record's program */
};

/* Addresses are relative to the text's base. */
struct cfi_fde {
	uint32_t start, end;
	const uint8_t *program;
	uint32_t program_bytes;
	uint32_t cie; /* index */
};

struct cfi_records {
	struct cfi_cie *cies; /* by section, then by offset */
	size_t nr_cies, cies_capacity;
	size_t first_cie;     /* of the section that is being read */
	struct cfi_fde *fdes; /* once sorted: by start, then by end */
	size_t nr_fdes, fdes_capacity;
	size_t nr_bad; /* records left out because they are damaged */
};

/*
 * Reads every record of the sections, in no order of address; FDEs of code outside the text are
 * left out. Damaged records are too; after a damaged length the rest of the section is. Returns 0,
 * -ENOMEM or -E2BIG. The caller zeroes records before, and calls fini whatever happens.
 */
int cfi_records__read(struct cfi_records *records, const struct cfi_source *source);
void cfi_records__fini(struct cfi_records *records);

/* Adds an FDE, clipped to its segment; one of other code is left out. 0, -ENOMEM or -E2BIG. */
int cfi_records__add_fde(struct cfi_records *records, const struct cfi_text *text, uint64_t start,
			 uint64_t nr_bytes, const struct cfi_fde *fde);
int cfi_records__add_cie(struct cfi_records *records, const struct cfi_cie *cie);

/* By start, then by end. 0 or -ENOMEM. */
int cfi_records__sort(struct cfi_records *records);

/* Adds FDEs for known kinds of PLT stubs that the file has none for. 0 or a negative errno. */
int cfi_records__add_stubs(struct cfi_records *records, const struct cfi_source *source);

/* Adds an FDE for each function of Go's table. 0 or a negative errno. */
int cfi_records__add_go(struct cfi_records *records, const struct cfi_source *source);

/* ---- Rows ---- */

struct cfi_rows {
	struct unwind_row *rows;
	size_t nr, capacity;
	int error; /* -ENOMEM or -E2BIG: all further appends do nothing */
};

/* Encodes a state as a row at pc. */
struct unwind_row cfi_rows__encode(uint32_t pc, const struct cfi_state *state, bool is_signal,
				   const struct cfi_machine *machine);

/*
 * From row.pc on, row applies. pcs never fall; a row at the pc of the last one replaces it. So each
 * piece may be closed with UNWIND_NONE, which stays only where nothing follows at once.
 */
void cfi_rows__append(struct cfi_rows *rows, struct unwind_row row);
void cfi_rows__append_kind(struct cfi_rows *rows, uint32_t pc, enum unwind_cfa kind);

/* ---- Programs ---- */

/* Runs a CIE's program into cie->initial, or marks the CIE as bad. */
void cfi_cie__run(struct cfi_cie *cie, const struct cfi_source *source);

/* Appends the rows of [fde->start, end); from where it is damaged on, "other". */
void cfi_fde__run(const struct cfi_fde *fde, uint32_t end, const struct cfi_cie *cie,
		  const struct cfi_source *source, struct cfi_rows *rows);

/* As it does for those of Go's table. */
void cfi_fde__run_go(const struct cfi_fde *fde, uint32_t end, const struct cfi_cie *cie,
		     const struct cfi_source *source, struct cfi_rows *rows);

/* ---- Tables ---- */

struct unwind_table {
	const struct unwind_row *rows;
	struct unwind_row *own_rows; /* owned; NULL: rows are borrowed */
	uint32_t nr_rows;
	struct cfi_segment segments[CFI_MAX_SEGMENTS]; /* executable ones */
	uint32_t nr_segments;
	uint64_t base; /* address of pc 0 */
	uint64_t head; /* address of the file's first byte; CFI_NO_HEAD: not loaded */
};

#endif
