// SPDX-License-Identifier: GPL-2.0-only
/*
 * The records of .eh_frame and .debug_frame, whole and damaged, and the files that they are in.
 */
#include <dwarf.h>
#include <errno.h>
#include <stdlib.h>

#include "cfi_table.h"
#include "expect.h"
#include "image_file.h"

/* An FDE with pointers of any encoding; bytes is the size of its range. */
static void put_fde_encoded(size_t cie, uint64_t pointer, size_t bytes)
{
	size_t at = record_begin(&image);

	put_cie_reference(&image, cie);
	put(&image, pointer, bytes);
	put(&image, 0x10, bytes);
	put(&image, 0, 1);
	record_end(&image, at);
}

static size_t put_cie_encoded(uint8_t encoding)
{
	static const uint8_t program[] = {0x0c, 7, 8, 0x80 | 16, 1};

	return put_cie(&image, &(struct cie_parts){"zR", &encoding, 1, program, sizeof(program)});
}

static uint64_t distance_to(uint64_t pc)
{
	/* From where the pointer will be: after length and CIE reference. */
	return IMAGE_BIAS + TEXT + pc - (here(&image) + 8);
}

static void test_encodings(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_cie_encoded(DW_EH_PE_absptr);
	put_fde_encoded(cie, IMAGE_BIAS + TEXT, 8);
	cie = put_cie_encoded(DW_EH_PE_udata4);
	put_fde_encoded(cie, IMAGE_BIAS + TEXT + 0x20, 4);
	cie = put_cie_encoded(DW_EH_PE_pcrel | DW_EH_PE_sdata8);
	put_fde_encoded(cie, distance_to(0x40), 8);
	cie = put_cie_encoded(DW_EH_PE_pcrel | DW_EH_PE_sdata2);
	put_fde_encoded(cie, distance_to(0x60), 2);
	cie = put_cie_encoded(DW_EH_PE_pcrel | DW_EH_PE_udata8);
	put_fde_encoded(cie, distance_to(0x80), 8);
	/* A pointer to a pointer, or relative to data, is left out: no machine of ours has one. */
	cie = put_cie_encoded(DW_EH_PE_indirect | DW_EH_PE_pcrel | DW_EH_PE_sdata4);
	put_fde_encoded(cie, distance_to(0xa0), 4);
	cie = put_cie_encoded(DW_EH_PE_datarel | DW_EH_PE_sdata4);
	put_fde_encoded(cie, distance_to(0xc0), 4);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x2f), SP(1));
	EXPECT_EQ(row_at(0x40), SP(1));
	EXPECT_EQ(row_at(0x6f), SP(1));
	EXPECT_EQ(row_at(0x80), SP(1));
	EXPECT_EQ(nr_rows(), 11);
}

static void test_augmentations(void)
{
	static const uint8_t program[] = {0x0c, 7, 8, 0x80 | 16, 1};
	/* personality: indirect pcrel sdata4; LSDA encoding; pointer encoding */
	static const uint8_t zplr[] = {0x9b, 1, 2, 3, 4, 0x1b, 0x1b};
	static const uint8_t unknown[] = {1, 2, 3, 4};
	size_t cie;

	image_begin(&image);
	cie = put_cie(&image, &(struct cie_parts){"zPLR", zplr, sizeof(zplr), program, 5});
	PUT_FDE(&image, cie, 0, 0x10);
	/* The first letter is unknown: the encoding of the FDEs' pointers may come after it. */
	cie = put_cie(&image, &(struct cie_parts){"zQR", unknown, 4, program, 5});
	PUT_FDE(&image, cie, 0x20, 0x10);
	/* Without 'z' the data after the letters are unknown. */
	cie = put_cie(&image, &(struct cie_parts){"Q", NULL, 0, program, 5});
	PUT_FDE(&image, cie, 0x40, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x40), KIND(UNWIND_NONE));
}

static void test_order_and_overlap(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x100, 0x10, DW_CFA_def_cfa_offset, 24);
	PUT_FDE(&image, cie, 0x20, 0x40, DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc | 0x30,
		DW_CFA_def_cfa_offset, 48);
	PUT_FDE(&image, cie, 0x40, 0x8, DW_CFA_def_cfa_offset, 32);
	PUT_FDE(&image, cie, 0x0, 0x10);
	PUT_FDE(&image, cie, 0x100, 0x4, DW_CFA_def_cfa_offset, 64);
	PUT_FDE(&image, cie, 0x180, 0); /* no code at all */
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x3f), SP(2));
	/* The FDE that starts last has the address; where it ends, no other has it. */
	EXPECT_EQ(row_at(0x40), SP(4));
	EXPECT_EQ(row_at(0x48), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x50), KIND(UNWIND_NONE));
	EXPECT_EQ(nr_rows(), 8);
	/* The longer one of two FDEs that start together has the address. */
	EXPECT_EQ(row_at(0x100), SP(3));
	EXPECT_EQ(row_at(0x10f), SP(3));
	EXPECT_EQ(row_at(0x180), KIND(UNWIND_NONE));
}

static void test_code_outside_the_text(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, (uint32_t)-0x10, 0x20);
	PUT_FDE(&image, cie, TEXT_BYTES - 8, 0x1000);
	PUT_FDE(&image, cie, TEXT_BYTES, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(TEXT_BYTES - 8), SP(1));
	EXPECT_EQ(row_at(TEXT_BYTES), KIND(UNWIND_NONE));
}

static void test_terminators_inside(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10);
	put(&image, 0, 4);
	put(&image, 0, 4);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0x20, 0x10);
	put(&image, 0, 4);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0x20), SP(1));
	/* Without section headers the records after the first terminator are unknown. */
	image.without_sections = true;
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_NONE));
}

static void test_long_lengths(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	put(&image, UINT32_MAX, 4);
	put(&image, 4 + 4 + 4 + 1 + 2, 8);
	put_cie_reference(&image, cie);
	put(&image, IMAGE_BIAS + TEXT - here(&image), 4);
	put(&image, 0x10, 4);
	put(&image, 0, 1);
	put(&image, DW_CFA_def_cfa_offset, 1);
	put(&image, 16, 1);
	PUT_FDE(&image, cie, 0x20, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(2));
	EXPECT_EQ(row_at(0x20), SP(1));
}

/* Version 4; the FDE is before its CIE; pointers are absolute; a second pair in 64 bits. */
static void test_debug_frame(void)
{
	static const uint8_t cie_body[] = {4, 0, 8, 0, 1, 0x78, 16, 0x0c, 7, 8, 0x80 | 16, 1};
	size_t at;

	image_begin(&image);
	image.is_debug = true;
	at = record_begin(&image);
	put(&image, 4 + 4 + 16, 4); /* the CIE's offset: after this record */
	put(&image, IMAGE_BIAS + TEXT, 8);
	put(&image, 0x10, 8);
	record_end(&image, at);
	at = record_begin(&image);
	put(&image, UINT32_MAX, 4);
	put_bytes(&image, cie_body, sizeof(cie_body));
	record_end(&image, at);

	at = image.at;
	put(&image, UINT32_MAX, 4);
	put(&image, 8 + sizeof(cie_body), 8);
	put(&image, UINT64_MAX, 8);
	put_bytes(&image, cie_body, sizeof(cie_body));
	put(&image, UINT32_MAX, 4);
	put(&image, 8 + 16 + 2, 8);
	put(&image, at - FRAMES, 8);
	put(&image, IMAGE_BIAS + TEXT + 0x20, 8);
	put(&image, 0x10, 8);
	put(&image, DW_CFA_def_cfa_offset, 1);
	put(&image, 48, 1);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x20), SP(6));
	EXPECT_EQ(row_at(0x30), KIND(UNWIND_NONE));
}

/*
 * Both sections: .eh_frame speaks of one function, .debug_frame of two. The CIE of the second has
 * the same offset as that of the first, and another CFA.
 */
static void test_both_sections(void)
{
	static const uint8_t debug_cie[] = {1, 0, 1, 0x78, 16, 0x0c, 7, 16, 0x80 | 16, 1};
	Elf64_Shdr *sections = (Elf64_Shdr *)(image.bytes + SECTIONS);
	size_t start, frames_end;

	image_begin(&image);
	PUT_FDE(&image, put_usual_cie(&image), 0, 0x10);
	frames_end = image.at;
	start = record_begin(&image);
	put(&image, UINT32_MAX, 4);
	put_bytes(&image, debug_cie, sizeof(debug_cie));
	record_end(&image, start);
	start = record_begin(&image);
	put(&image, 0, 4);
	put(&image, IMAGE_BIAS + TEXT + 0x20, 8);
	put(&image, 0x10, 8);
	record_end(&image, start);
	image_end(&image);
	sections[1].sh_size = frames_end - FRAMES;
	sections[3] = sections[1];
	sections[3].sh_name = 11;
	sections[3].sh_offset = frames_end;
	sections[3].sh_size = image.at - frames_end;
	unwind_table__free(table);
	table = NULL;
	EXPECT_EQ(build_table_of(image.bytes, sizeof(image.bytes), &table), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x20), SP(2));
}

/* ---- Damage ---- */

static void test_damaged_programs(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_advance_loc | 8, 0x3f); /* no such instruction */
	PUT_FDE(&image, cie, 0x10, 0x10, DW_CFA_restore_state);
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_offset, 0x80); /* a number without end */
	PUT_FDE(&image, cie, 0x30, 0x10, DW_CFA_def_cfa_offset, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80,
		0x80, 0x80, 0x80, 0x80, 1); /* a number of more than 64 bits */
	PUT_FDE(&image, cie, 0x40, 0x10, DW_CFA_def_cfa_expression, 100, DW_OP_breg7, 8);
	PUT_FDE(&image, cie, 0x50, 0x10, DW_CFA_offset_extended, 6, 0xff, 0xff, 0xff, 0xff, 0xff,
		0xff, 0xff, 0xff, 0xff, 0);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(8), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x30), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x40), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x50), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x60), KIND(UNWIND_NONE));
}

/* Instructions that no CIE can have: all that its FDEs could say is in doubt. */
static void test_damaged_cie(void)
{
	static const uint8_t encoding[] = {0x1b};
	static const uint8_t restores[] = {0x0c, 7, 8, 0x80 | 16, 1, DW_CFA_restore | 6};
	static const uint8_t advances[] = {0x0c, 7, 8, 0x80 | 16, 1, DW_CFA_advance_loc | 6};
	size_t cie;

	image_begin(&image);
	cie = put_cie(&image, &(struct cie_parts){"zR", encoding, 1, restores, sizeof(restores)});
	PUT_FDE(&image, cie, 0, 0x10);
	cie = put_cie(&image, &(struct cie_parts){"zR", encoding, 1, advances, sizeof(advances)});
	PUT_FDE(&image, cie, 0x20, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), KIND(UNWIND_OTHER));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_OTHER));
}

static void test_deep_remembering(void)
{
	uint8_t program[40];
	size_t cie;

	memset(program, DW_CFA_remember_state, sizeof(program));
	image_begin(&image);
	cie = put_usual_cie(&image);
	put_fde(&image, cie, 0, 0x10, program, 16);
	put_fde(&image, cie, 0x10, 0x10, program, 17);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_OTHER));
}

/* However far it says to go, an FDE stays inside itself. */
static void test_advance_beyond_the_end(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10, DW_CFA_advance_loc4, 0xff, 0xff, 0xff, 0xff,
		DW_CFA_def_cfa_offset, 16, DW_CFA_advance_loc4, 0xff, 0xff, 0xff, 0xff);
	PUT_FDE(&image, cie, 0x20, 0x10, DW_CFA_def_cfa_offset, 32);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0xf), SP(1));
	EXPECT_EQ(row_at(0x10), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x20), SP(4));
}

static void test_damaged_records(void)
{
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10);
	PUT_FDE(&image, cie + 4, 0x20, 0x10); /* refers to no CIE */
	PUT_FDE(&image, cie, 0x40, 0x10);
	put(&image, 0x7fffffff, 4); /* longer than the section */
	PUT_FDE(&image, cie, 0x60, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(row_at(0), SP(1));
	EXPECT_EQ(row_at(0x20), KIND(UNWIND_NONE));
	EXPECT_EQ(row_at(0x40), SP(1));
	EXPECT_EQ(row_at(0x60), KIND(UNWIND_NONE));
}

/* A file of CIEs alone would cost ten times its bytes. */
static void test_too_many_cies(void)
{
	const size_t nr_cies = (1U << 17) + 1;
	size_t nr_bytes, cie_bytes;
	uint8_t *large;

	image_begin(&image);
	put_usual_cie(&image);
	cie_bytes = image.at - FRAMES;
	large = make_large_image((uint32_t)(nr_cies * cie_bytes / 3), &nr_bytes);
	EXPECT(large && nr_bytes - IMAGE_BYTES >= nr_cies * cie_bytes);
	for (size_t i = 0; large && i < nr_cies; i++)
		memcpy(large + IMAGE_BYTES + i * cie_bytes, image.bytes + FRAMES, cie_bytes);
	unwind_table__free(table);
	table = NULL;
	EXPECT_EQ(build_table_of(large, nr_bytes, &table), -E2BIG);
	free(large);
}

/* Every image that is cut short or has one byte wrong gives a table or an error, and rows in order.
 */
static void test_every_byte_wrong(void)
{
	const struct unwind_row *rows;
	uint32_t nr, i;
	size_t cie, end, at;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x100, DW_CFA_advance_loc | 1, DW_CFA_def_cfa_offset, 32,
		DW_CFA_offset | 6, 4, DW_CFA_remember_state, DW_CFA_advance_loc1, 0x80,
		DW_CFA_restore_state, DW_CFA_def_cfa_expression, 3, DW_OP_breg7, 8, DW_OP_deref);
	PUT_FDE(&image, cie, 0x200, 0x100, DW_CFA_advance_loc4, 1, 0, 0, 0, DW_CFA_undefined, 16);
	EXPECT_EQ(build(), 0);
	end = image.at;
	for (at = 0; at < end; at = at == 0x200 ? FRAMES : at + 1) {
		image.bytes[at] ^= 0x5a;
		unwind_table__free(table);
		table = NULL;
		build_table_of(image.bytes, sizeof(image.bytes), &table);
		image.bytes[at] ^= 0x5a;
		if (!table)
			continue;
		rows = unwind_table__rows(table, &nr);
		EXPECT(nr > 0 && rows[0].pc == 0);
		for (i = 1; i < nr; i++)
			EXPECT(rows[i - 1].pc < rows[i].pc);
	}
	for (at = 0; at < sizeof(image.bytes); at += 61) {
		unwind_table__free(table);
		table = NULL;
		build_table_of(image.bytes, at, &table);
	}
}

/* ---- Files ---- */

static void test_refused_files(void)
{
	struct unwind_table *none = NULL;
	size_t cie;

	image_begin(&image);
	EXPECT_EQ(build(), -ENOENT); /* an empty section */
	cie = put_usual_cie(&image);
	EXPECT_EQ(build(), -ENOENT); /* a CIE alone */
	PUT_FDE(&image, cie, 0, 0x10);
	image.machine = EM_386;
	EXPECT_EQ(build(), -ENOTSUP);
	image.machine = EM_X86_64;
	image_end(&image);
	image.bytes[EI_DATA] = ELFDATA2MSB;
	EXPECT(build_table_of(image.bytes, sizeof(image.bytes), &none) < 0);
	image.bytes[0] = 'x';
	EXPECT_EQ(build_table_of(image.bytes, sizeof(image.bytes), &none), -EBADMSG);
	EXPECT_EQ(build_table_of("", 0, &none), -EBADMSG);
	EXPECT(unwind_table__build(-1, &none) < 0);
	EXPECT(!none);
}

static void test_locate(void)
{
	Elf64_Phdr *segments;
	int64_t pc = -1;
	size_t cie;

	image_begin(&image);
	cie = put_usual_cie(&image);
	PUT_FDE(&image, cie, 0, 0x10);
	EXPECT_EQ(build(), 0);
	EXPECT_EQ(unwind_table__locate(table, TEXT, &pc), 0);
	EXPECT_EQ(pc, TEXT);
	EXPECT_EQ(unwind_table__locate(table, TEXT + 0x800, &pc), 0);
	EXPECT_EQ(pc, TEXT + 0x800);
	EXPECT_EQ(unwind_table__locate(table, TEXT + TEXT_BYTES, &pc), -ENOENT);
	EXPECT_EQ(unwind_table__locate(table, 0, &pc), -ENOENT);
	/* The whole page in which a segment begins is mapped, but another segment's bytes are its
	 * own. */
	EXPECT_EQ(unwind_table__locate(table, TEXT - 1, &pc), 0);
	EXPECT_EQ(pc, TEXT - 1);
	segments = (Elf64_Phdr *)(image.bytes + sizeof(Elf64_Ehdr));
	segments[0].p_filesz = 0xf00;
	segments[1] = (Elf64_Phdr){.p_type = PT_LOAD,
				   .p_flags = PF_R | PF_X,
				   .p_offset = FRAMES - 0x80,
				   .p_vaddr = FRAMES - 0x80 + 2 * IMAGE_BIAS,
				   .p_filesz = 0x1000,
				   .p_memsz = 0x1000};
	unwind_table__free(table);
	table = NULL;
	EXPECT_EQ(build_table_of(image.bytes, sizeof(image.bytes), &table), 0);
	EXPECT_EQ(unwind_table__locate(table, TEXT, &pc), 0);
	EXPECT_EQ(pc, TEXT);
	EXPECT_EQ(unwind_table__locate(table, FRAMES, &pc), 0);
	EXPECT_EQ(pc, FRAMES + IMAGE_BIAS);
	EXPECT_EQ(unwind_table__locate(table, TEXT + 0xf10, &pc), 0);
	EXPECT_EQ(pc, TEXT + 0xf10 + IMAGE_BIAS);
	EXPECT_EQ(find_row(table, TEXT + 1)->pc, TEXT);
	EXPECT_EQ(find_row(table, UINT64_MAX)->rules, UNWIND_NONE);
}

static void test_too_many_rows(void)
{
	size_t nr_bytes;
	uint8_t *large = make_large_image(UNWIND_MAX_ROWS + 100, &nr_bytes);

	unwind_table__free(table);
	table = NULL;
	EXPECT(large != NULL);
	EXPECT_EQ(build_table_of(large, nr_bytes, &table), -E2BIG);
	free(large);
	large = make_large_image(UNWIND_MAX_ROWS - 100, &nr_bytes);
	EXPECT_EQ(build_table_of(large, nr_bytes, &table), 0);
	EXPECT(nr_rows() > UNWIND_MAX_ROWS - 110 && nr_rows() <= UNWIND_MAX_ROWS);
	free(large);
}

static void test_forget(void)
{
	unwind_table__free(table);
	table = NULL;
	unwind_table__free(NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{"pointer encodings", test_encodings},
		{"augmentations", test_augmentations},
		{"unsorted and overlapping FDEs", test_order_and_overlap},
		{"code outside the text", test_code_outside_the_text},
		{"terminators inside", test_terminators_inside},
		{"64-bit lengths", test_long_lengths},
		{".debug_frame", test_debug_frame},
		{".eh_frame and .debug_frame", test_both_sections},
		{"damaged programs", test_damaged_programs},
		{"damaged CIEs", test_damaged_cie},
		{"remembering too deep", test_deep_remembering},
		{"an advance beyond the end", test_advance_beyond_the_end},
		{"damaged records", test_damaged_records},
		{"every byte wrong once", test_every_byte_wrong},
		{"too many CIEs", test_too_many_cies},
		{"refused files", test_refused_files},
		{"from file offsets to pcs", test_locate},
		{"too many rows", test_too_many_rows},
		{"nothing is left", test_forget},
		{0},
	};

	return run_tests("eh_frame_records", tests);
}
