// SPDX-License-Identifier: GPL-2.0-only
/*
 * Changes inputs that are ELF files, for all targets that take them: bytes at random would hardly
 * ever get past the headers. A change is within a section, of a row of the tables of sections and
 * segments, or of the list of sections; sections also come from other inputs. Afterwards the proofs
 * that files belong together are mended: build IDs and checksums.
 *
 * An input that is not ELF is changed as libFuzzer likes.
 */
#include <lzma.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "elf_image.h"
#include "parts.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t max_size,
				 unsigned int seed);

#define GROWTH_BYTES 64	    /* of a section at a time */
#define ROOM_BYTES   131072 /* that is taken beyond the input */
#define NR_OF(array) (sizeof(array) / sizeof((array)[0]))

/* Sections that readers look for. */
static const char *const names[] = {
	".symtab",
	".strtab",
	".dynsym",
	".dynstr",
	".plt",
	".plt.sec",
	".plt.got",
	".rela.plt",
	".text",
	".rodata",
	".gopclntab",
	".data.rel.ro.gopclntab",
	".note.gnu.build-id",
	".gnu_debugdata",
	".gnu_debuglink",
	".gnu_debugaltlink",
	".eh_frame",
	".eh_frame_hdr",
	".debug_frame",
	".debug_info",
	".debug_abbrev",
	".debug_line",
	".debug_str",
	".debug_line_str",
	".debug_ranges",
	".debug_rnglists",
	".debug_addr",
	".debug_str_offsets",
	".debug_info.dwo",
	".debug_abbrev.dwo",
	".zdebug_info",
};

/* An input in the making. */
struct draft {
	struct elf_image parts[MAX_PARTS];
	size_t nr_parts;
	size_t max_bytes;
	uint64_t random;
};

/* xorshift64; never 0. */
static size_t below(struct draft *draft, size_t bound)
{
	draft->random ^= draft->random << 13;
	draft->random ^= draft->random >> 7;
	draft->random ^= draft->random << 17;
	return bound ? (size_t)((draft->random >> 16) % bound) : 0;
}

/* ---- parts ---- */

static void add_part(struct draft *draft, const struct input_part *part)
{
	const size_t capacity = part->nr_bytes + ROOM_BYTES;
	struct elf_image *image = &draft->parts[draft->nr_parts];

	*image = (struct elf_image){malloc(capacity), part->nr_bytes, capacity};
	if (!image->bytes)
		abort();
	memcpy(image->bytes, part->bytes, part->nr_bytes);
	draft->nr_parts++;
}

/* Takes the input apart. Returns true if there is an ELF file in it. */
static bool begin(struct draft *draft, const uint8_t *data, size_t size, unsigned int seed)
{
	struct input_part parts[MAX_PARTS];
	const size_t nr_parts = parts_of(data, size, parts);
	bool is_elf = false;

	draft->random = seed * 0x9e3779b97f4a7c15ULL | 1;
	for (size_t i = 0; i < nr_parts; i++) {
		add_part(draft, &parts[i]);
		is_elf |= elf_image__is_whole(&draft->parts[i]);
	}
	return is_elf;
}

static void discard(struct draft *draft)
{
	for (size_t i = 0; i < draft->nr_parts; i++)
		free(draft->parts[i].bytes);
}

/* Writes the input, and returns its size; 0: it is too large. */
static size_t write_to(const struct draft *draft, uint8_t *data, size_t max_size)
{
	const size_t prefix = draft->nr_parts > 1 ? sizeof(uint32_t) : 0;
	size_t size = 0;

	for (size_t i = 0; i < draft->nr_parts; i++) {
		const struct elf_image *image = &draft->parts[i];
		const uint32_t length = (uint32_t)image->nr_bytes;

		if (image->nr_bytes + prefix > max_size - size)
			return 0;
		memcpy(data + size, &length, prefix);
		memcpy(data + size + prefix, image->bytes, image->nr_bytes);
		size += prefix + image->nr_bytes;
	}
	return size;
}

/* ---- changes ---- */

static size_t any_section(struct draft *draft, const struct elf_image *image)
{
	return 1 + below(draft, elf_image__nr_sections(image) - 1);
}

static void change_contents(struct draft *draft, struct elf_image *image)
{
	const size_t index = any_section(draft, image);
	size_t nr_bytes = 0, capacity;
	const uint8_t *contents = elf_image__contents(image, index, &nr_bytes);
	uint8_t *changed;

	capacity = nr_bytes + (below(draft, 4) ? 0 : GROWTH_BYTES);
	if (!contents)
		return;
	changed = malloc(capacity);
	if (!changed)
		abort();
	memcpy(changed, contents, nr_bytes);
	nr_bytes = LLVMFuzzerMutate(changed, nr_bytes, capacity);
	elf_image__set_contents(image, index, changed, nr_bytes);
	free(changed);
}

static uint64_t telling_value(struct draft *draft, const struct elf_image *image, uint64_t old)
{
	const uint64_t size = image->nr_bytes;
	const uint64_t values[] = {0,
				   1,
				   old + 1,
				   old - 1,
				   old ^ 1,
				   2 * old,
				   size,
				   size - 1,
				   UINT64_MAX,
				   size / 2,
				   old << 8,
				   old >> 1,
				   8,
				   24,
				   old ^ SHF_ALLOC,
				   1ULL << below(draft, 64)};

	return values[below(draft, NR_OF(values))];
}

static void change_section(struct draft *draft, struct elf_image *image)
{
	const size_t index = any_section(draft, image);
	Elf64_Shdr row = elf_image__section(image, index);
	const Elf64_Shdr other = elf_image__section(image, any_section(draft, image));

	switch (below(draft, 8)) {
	case 0:
		row.sh_type = below(draft, 20);
		break;
	case 1:
		row.sh_link = (uint32_t)below(draft, elf_image__nr_sections(image) + 1);
		break;
	case 2:
		row.sh_info = (uint32_t)telling_value(draft, image, row.sh_info);
		break;
	case 3:
		row.sh_flags = telling_value(draft, image, row.sh_flags);
		break;
	case 4:
		row.sh_addr =
			telling_value(draft, image, below(draft, 2) ? other.sh_addr : row.sh_addr);
		break;
	case 5:
		row.sh_offset = telling_value(draft, image, other.sh_offset);
		break;
	case 6:
		row.sh_size = telling_value(draft, image, row.sh_size);
		break;
	default:
		row.sh_entsize = telling_value(draft, image, row.sh_entsize);
	}
	elf_image__put_section(image, index, &row);
}

static void change_segment(struct draft *draft, struct elf_image *image)
{
	Elf64_Ehdr header;
	uint64_t field, at;

	memcpy(&header, image->bytes, sizeof(header));
	at = header.e_phoff +
	     below(draft, header.e_phnum * sizeof(Elf64_Phdr) / sizeof(field)) * sizeof(field);
	if (!header.e_phnum || at > image->nr_bytes - sizeof(field))
		return;
	memcpy(&field, image->bytes + at, sizeof(field));
	field = telling_value(draft, image, field);
	memcpy(image->bytes + at, &field, sizeof(field));
}

static void change_header(struct draft *draft, struct elf_image *image)
{
	Elf64_Ehdr header;

	memcpy(&header, image->bytes, sizeof(header));
	switch (below(draft, 4)) {
	case 0:
		header.e_type = (uint16_t)below(draft, 5);
		break;
	case 1:
		header.e_machine = below(draft, 2) ? EM_AARCH64 : EM_X86_64;
		break;
	case 2:
		header.e_shstrndx = (uint16_t)any_section(draft, image);
		break;
	default:
		header.e_entry = telling_value(draft, image, header.e_entry);
	}
	memcpy(image->bytes, &header, sizeof(header));
}

static void rename_section(struct draft *draft, struct elf_image *image)
{
	elf_image__rename(image, any_section(draft, image), names[below(draft, NR_OF(names))]);
}

/* Compresses a section, as the debug information of many programs is compressed. */
static void compress_section(struct draft *draft, struct elf_image *image)
{
	const size_t index = any_section(draft, image);
	size_t nr_bytes;
	const uint8_t *contents = elf_image__contents(image, index, &nr_bytes);
	Elf64_Shdr row = elf_image__section(image, index);
	Elf64_Chdr head = {.ch_type = ELFCOMPRESS_ZLIB, .ch_addralign = 1};
	uLongf length;
	uint8_t *compressed;

	if (!contents || row.sh_flags & SHF_COMPRESSED)
		return;
	head.ch_size = below(draft, 8) ? nr_bytes : telling_value(draft, image, nr_bytes);
	length = compressBound(nr_bytes);
	compressed = malloc(sizeof(head) + length);
	if (!compressed)
		abort();
	memcpy(compressed, &head, sizeof(head));
	if (compress2(compressed + sizeof(head), &length, contents, nr_bytes, 1) == Z_OK &&
	    elf_image__set_contents(image, index, compressed, sizeof(head) + length)) {
		row = elf_image__section(image, index);
		row.sh_flags |= SHF_COMPRESSED;
		elf_image__put_section(image, index, &row);
	}
	free(compressed);
}

static void change_elf(struct draft *draft, struct elf_image *image);

/* Decompresses a section into `inner`, as far as there is room. */
static bool decompress(const struct elf_image *image, size_t index, struct elf_image *inner)
{
	uint64_t memory_limit = UINT64_MAX;
	size_t nr_bytes, read = 0;
	const uint8_t *contents = index ? elf_image__contents(image, index, &nr_bytes) : NULL;

	return contents &&
	       !lzma_stream_buffer_decode(&memory_limit, 0, NULL, contents, &read, nr_bytes,
					  inner->bytes, &inner->nr_bytes, inner->capacity) &&
	       elf_image__is_whole(inner);
}

/* Compresses with a small dictionary, which costs a decoder little. */
static bool compress_inner(const struct elf_image *inner, uint8_t *bytes, size_t *nr_bytes)
{
	lzma_options_lzma options;
	lzma_filter filters[] = {{LZMA_FILTER_LZMA2, &options}, {LZMA_VLI_UNKNOWN, NULL}};

	if (lzma_lzma_preset(&options, 0))
		return false;
	options.dict_size = LZMA_DICT_SIZE_MIN;
	return !lzma_stream_buffer_encode(filters, LZMA_CHECK_NONE, NULL, inner->bytes,
					  inner->nr_bytes, bytes, nr_bytes, ROOM_BYTES);
}

/* Changes the ELF file in the mini-debuginfo. */
static void change_inner(struct draft *draft, struct elf_image *image)
{
	const size_t index = elf_image__find(image, ".gnu_debugdata");
	struct elf_image inner = {malloc(ROOM_BYTES), 0, ROOM_BYTES};
	uint8_t *compressed = malloc(ROOM_BYTES);
	size_t written = 0;

	if (!inner.bytes || !compressed)
		abort();
	if (decompress(image, index, &inner)) {
		change_elf(draft, &inner);
		if (compress_inner(&inner, compressed, &written))
			elf_image__set_contents(image, index, compressed, written);
	}
	free(inner.bytes);
	free(compressed);
}

/* Finds the section of that name, or adds one. 0: there is no room. */
static size_t place_for(struct elf_image *image, const char *name)
{
	size_t index = elf_image__find(image, name);

	if (!index) {
		index = elf_image__add_section(image, &(Elf64_Shdr){.sh_type = SHT_PROGBITS});
		if (index)
			elf_image__rename(image, index, name);
	}
	return index;
}

/* Adds a section of another file, or puts it in the place of the one of its name. */
static void graft(struct draft *draft, struct elf_image *image, const struct elf_image *from)
{
	const size_t source = any_section(draft, from);
	const Elf64_Shdr row = elf_image__section(from, source);
	size_t nr_bytes, index;
	const uint8_t *contents = elf_image__contents(from, source, &nr_bytes);
	Elf64_Shdr grafted;

	index = contents ? place_for(image, elf_image__name(from, source)) : 0;
	if (!index || !elf_image__set_contents(image, index, contents, nr_bytes))
		return;
	grafted = elf_image__section(image, index);
	grafted.sh_type = row.sh_type;
	grafted.sh_flags = row.sh_flags;
	grafted.sh_entsize = row.sh_entsize;
	if (below(draft, 2))
		grafted.sh_addr = row.sh_addr;
	elf_image__put_section(image, index, &grafted);
}

static void change_elf(struct draft *draft, struct elf_image *image)
{
	static void (*const changes[])(struct draft *, struct elf_image *) = {
		change_contents,  change_contents, change_contents, change_contents,
		change_contents,  change_contents, change_contents, change_contents,
		change_section,	  change_section,  change_segment,  change_header,
		compress_section, rename_section,  change_inner,    change_inner,
	};

	changes[below(draft, NR_OF(changes))](draft, image);
}

/* ---- files that belong together ---- */

/* Mends the checksum of the second part, which is the debug file of the first one. */
static void mend_link(struct elf_image *image, const struct elf_image *debug)
{
	const size_t index = elf_image__find(image, ".gnu_debuglink");
	size_t nr_bytes = 0;
	uint8_t *contents = index ? elf_image__contents(image, index, &nr_bytes) : NULL;
	const uint8_t *zero = contents ? memchr(contents, '\0', nr_bytes) : NULL;
	const uint32_t sum = (uint32_t)crc32(0, debug->bytes, (uInt)debug->nr_bytes);
	size_t at;

	if (!zero)
		return;
	at = ((size_t)(zero - contents) + 4) & ~(size_t)3;
	if (at + sizeof(sum) <= nr_bytes)
		memcpy(contents + at, &sum, sizeof(sum));
}

/* Returns the ID in the note, which follows its head of 16 bytes. */
static const uint8_t *id_of(const struct elf_image *image, size_t *nr_bytes)
{
	const size_t index = elf_image__find(image, ".note.gnu.build-id");
	const uint8_t *note = index ? elf_image__contents(image, index, nr_bytes) : NULL;

	if (!note || *nr_bytes <= 16)
		return NULL;
	*nr_bytes -= 16;
	return note + 16;
}

static void mend_id(struct elf_image *image, const struct elf_image *debug)
{
	size_t nr_bytes, nr_debug_bytes;
	const uint8_t *id = id_of(image, &nr_bytes);
	uint8_t *debug_id = (uint8_t *)(uintptr_t)id_of(debug, &nr_debug_bytes);

	if (id && debug_id && nr_bytes == nr_debug_bytes)
		memcpy(debug_id, id, nr_bytes);
}

/* Mends the ID of the third part, which the other ones share. It follows a name. */
static void mend_alternate(struct elf_image *image, const struct elf_image *shared)
{
	const size_t index = elf_image__find(image, ".gnu_debugaltlink");
	size_t nr_bytes = 0, nr_id_bytes;
	uint8_t *contents = index ? elf_image__contents(image, index, &nr_bytes) : NULL;
	const uint8_t *zero = contents ? memchr(contents, '\0', nr_bytes) : NULL;
	const uint8_t *id = id_of(shared, &nr_id_bytes);

	if (zero && id && (size_t)(contents + nr_bytes - zero) - 1 == nr_id_bytes)
		memcpy(contents + (zero - contents) + 1, id, nr_id_bytes);
}

static void mend(struct draft *draft)
{
	struct elf_image *parts = draft->parts;
	bool is_whole[MAX_PARTS] = {0};

	for (size_t i = 0; i < draft->nr_parts; i++)
		is_whole[i] = elf_image__is_whole(&parts[i]);
	if (is_whole[0] && is_whole[1])
		mend_id(&parts[0], &parts[1]);
	for (size_t i = 0; i < 2 && is_whole[2]; i++)
		if (is_whole[i])
			mend_alternate(&parts[i], &parts[2]);
	if (is_whole[0] && draft->nr_parts > 1) /* the checksum is of all bytes, so it comes last */
		mend_link(&parts[0], &parts[1]);
}

/* ---- functions that libFuzzer calls ---- */

static struct elf_image *any_elf(struct draft *draft)
{
	size_t index = below(draft, draft->nr_parts);

	while (!elf_image__is_whole(&draft->parts[index]))
		index = (index + 1) % draft->nr_parts;
	return &draft->parts[index];
}

/* Adds a part, or removes one if there are as many as there can be. */
static void change_parts(struct draft *draft)
{
	if (draft->nr_parts < MAX_PARTS) {
		const struct elf_image *image = any_elf(draft);

		add_part(draft, &(struct input_part){image->bytes, image->nr_bytes});
	} else {
		free(draft->parts[--draft->nr_parts].bytes);
	}
}

static void change_draft(struct draft *draft)
{
	if (below(draft, 64))
		change_elf(draft, any_elf(draft));
	else
		change_parts(draft);
	if (below(draft, 8))
		mend(draft);
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
	struct draft draft = {0};
	size_t changed = 0;

	if (begin(&draft, data, size, seed) && below(&draft, 32)) {
		change_draft(&draft);
		changed = write_to(&draft, data, max_size);
	}
	discard(&draft);
	return changed ? changed : LLVMFuzzerMutate(data, size, max_size);
}

/*
 * Puts a section of the other input into this one, or adds a file of it, to which this one may
 * refer.
 */
static size_t cross(struct draft *draft, struct draft *other, uint8_t *out, size_t max_size)
{
	const struct elf_image *source = any_elf(other);

	if (draft->nr_parts < MAX_PARTS && !below(draft, 8))
		add_part(draft, &(struct input_part){source->bytes, source->nr_bytes});
	else
		graft(draft, any_elf(draft), source);
	mend(draft);
	return write_to(draft, out, max_size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *data, size_t size, const uint8_t *other,
				 size_t other_size, uint8_t *out, size_t max_size,
				 unsigned int seed)
{
	struct draft draft = {0}, from = {0};
	const bool is_elf = begin(&draft, data, size, seed);
	size_t crossed = 0;

	if (begin(&from, other, other_size, seed + 1) && is_elf)
		crossed = cross(&draft, &from, out, max_size);
	discard(&draft);
	discard(&from);
	return crossed;
}
