// SPDX-License-Identifier: GPL-2.0-only
/*
 * Other tools sample addresses of processes. The mapping and the segments of the file turn them
 * into addresses of the file: an offset in a file is not the address of the code there.
 */
#include <fcntl.h>
#include <inttypes.h>

#include "expect.h"
#include "formats/formats.h"
#include "formats/pprof/pprof.h"
#include "profile/dictionary.h"
#include "profile/profile.h"
#include "readers/readers.h"
#include "scratch.h"
#include "symbols/files/file_layouts.h"

#define BASE	 0x555555554000ULL
#define BUILD_ID "abcdef0123456789"
#define PAGE	 4096ULL

/* ---- files as linkers make them ---- */

/* The one segment with code, as readelf tells it. */
struct mapped_segment {
	uint64_t offset, address, size;
};

static struct mapped_segment segment_of(const char *file)
{
	struct mapped_segment segment = {0};
	char command[512];
	FILE *out;

	snprintf(command, sizeof(command),
		 "readelf -lW '%s' | awk '/LOAD.*R E/ { print $2, $3, $6 }'", scratch_path(file));
	out = popen(command, "r");
	if (!out || fscanf(out, "%" SCNx64 " %" SCNx64 " %" SCNx64, &segment.offset,
			   &segment.address, &segment.size) != 3)
		fprintf(stderr, "no code in %s\n", file);
	if (out)
		pclose(out);
	return segment;
}

/* As the kernel maps it. */
static struct placed_file mapped(const char *file, const struct mapped_segment *segment)
{
	const uint64_t end = segment->address + segment->size + PAGE - 1;

	return (struct placed_file){.path = scratch_path(file),
				    .build_id = BUILD_ID,
				    .start = BASE + (segment->address & ~(PAGE - 1)),
				    .limit = BASE + (end & ~(PAGE - 1)),
				    .offset = segment->offset & ~(PAGE - 1)};
}

static struct readers *readers;

static bool find_with(const struct placed_file *placed, uint64_t address, uint64_t *in_file)
{
	const struct file_layouts_options options = {.max_ns = 10000000000ULL, .readers = readers};
	struct file_layouts *layouts = file_layouts__new(&options);
	const bool is_found = file_layouts__find(layouts, placed, address, in_file);

	file_layouts__free(layouts);
	return is_found;
}

static void build(const char *flags)
{
	scratch_write("program.c", "int main(void) { return 0; }\n");
	scratch_run("gcc -O2 -Wl,--build-id=0x" BUILD_ID " %s -o program program.c", flags);
}

static void check_build(const char *flags)
{
	struct mapped_segment segment;
	struct placed_file placed;
	uint64_t in_file = 0;

	build(flags);
	segment = segment_of("program");
	placed = mapped("program", &segment);
	EXPECT(find_with(&placed, BASE + segment.address + 7, &in_file));
	EXPECT_EQ(in_file, segment.address + 7);
}

static void test_linkers(void)
{
	check_build("-fuse-ld=bfd");
	check_build("-fuse-ld=bfd -Wl,-z,noseparate-code");
	check_build("-fuse-ld=gold");
	check_build("-fuse-ld=lld");
	check_build("-fuse-ld=lld -no-pie");
	check_build("-fuse-ld=mold");
}

/* Its offsets are not those of the program. How many pages its segments take is the same. */
static void test_debug_file(void)
{
	struct mapped_segment segment;
	struct placed_file placed;
	uint64_t in_file = 0;

	build("-g -fuse-ld=lld");
	segment = segment_of("program");
	placed = mapped("program", &segment);
	scratch_run("objcopy --only-keep-debug program debug && mv debug program");
	EXPECT(find_with(&placed, BASE + segment.address + 7, &in_file));
	EXPECT_EQ(in_file, segment.address + 7);
	placed.limit += PAGE;
	EXPECT(!find_with(&placed, BASE + segment.address + 7, &in_file));
}

static void test_other_files(void)
{
	struct mapped_segment segment;
	struct placed_file placed;
	uint64_t in_file;

	build("-fuse-ld=lld");
	segment = segment_of("program");
	placed = mapped("program", &segment);
	placed.build_id = "0123456789";
	EXPECT(!find_with(&placed, BASE + segment.address, &in_file));
	placed = mapped("nowhere", &segment);
	EXPECT(!find_with(&placed, BASE + segment.address, &in_file));
	placed = mapped("program", &segment);
	placed.offset += 1 << 30;
	EXPECT(!find_with(&placed, BASE + segment.address, &in_file));
}

/* ---- recordings as readers make them ---- */

struct placed_message {
	char at[512];
	size_t nr;
};

static void put_varint(struct placed_message *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		bytes->at[bytes->nr++] = (char)(value | 0x80);
	bytes->at[bytes->nr++] = (char)value;
}

static void put_number(struct placed_message *bytes, unsigned int field, uint64_t value)
{
	put_varint(bytes, field << 3);
	put_varint(bytes, value);
}

static void put(struct placed_message *bytes, unsigned int field, const void *content, size_t nr)
{
	put_varint(bytes, field << 3 | 2);
	put_varint(bytes, nr);
	memcpy(bytes->at + bytes->nr, content, nr);
	bytes->nr += nr;
}

/* One sample at an address in a mapping. */
static struct placed_message sampled(uint64_t start, uint64_t limit, uint64_t offset,
				     uint64_t address)
{
	static const char *const strings[] = {"", "samples", "count", "/bin/file", BUILD_ID};
	struct placed_message file = {0}, type = {0}, sample = {0}, mapping = {0}, location = {0};

	put_number(&type, TYPE_NAME, 1);
	put_number(&type, TYPE_UNIT, 2);
	put(&file, PROFILE_SAMPLE_TYPE, type.at, type.nr);
	put_number(&sample, SAMPLE_LOCATION, 1);
	put_number(&sample, SAMPLE_VALUE, 1);
	put(&file, PROFILE_SAMPLE, sample.at, sample.nr);
	put_number(&mapping, MAPPING_ID, 1);
	put_number(&mapping, MAPPING_START, start);
	put_number(&mapping, MAPPING_LIMIT, limit);
	put_number(&mapping, MAPPING_OFFSET, offset);
	put_number(&mapping, MAPPING_FILE, 3);
	put_number(&mapping, MAPPING_BUILD_ID, 4);
	put(&file, PROFILE_MAPPING, mapping.at, mapping.nr);
	put_number(&location, LOCATION_ID, 1);
	put_number(&location, LOCATION_MAPPING, 1);
	put_number(&location, LOCATION_ADDRESS, address);
	put(&file, PROFILE_LOCATION, location.at, location.nr);
	for (size_t i = 0; i < sizeof(strings) / sizeof(strings[0]); i++)
		put(&file, PROFILE_STRING, strings[i], strlen(strings[i]));
	return file;
}

/* As if the file had its code 0x1000 behind its offset, and nothing from 0x9000 on. */
static bool find_made_up(void *context, const struct placed_file *file, uint64_t address,
			 uint64_t *in_file)
{
	const uint64_t offset = address - file->start + file->offset;

	*(int *)context += 1;
	EXPECT_STR(file->path, "/bin/file");
	EXPECT_STR(file->build_id, BUILD_ID);
	*in_file = offset + 0x1000;
	return offset < 0x9000;
}

static uint64_t read_address(const struct placed_message *file, int *nr_asked)
{
	struct read_options options = {0};
	struct recording recording;
	struct error err = {0};
	uint64_t address;

	if (nr_asked)
		options.placing = (struct file_placing){find_made_up, nr_asked};
	EXPECT_EQ(pprof__sniff(file->at, file->nr), true);
	EXPECT_EQ(formats__read(&recording, file->at, file->nr, &options, &err), 0);
	if (err.code)
		return 0;
	address = dictionary__frame(profile__dictionary(recording.profile), 0)->address;
	recording__fini(&recording);
	return address;
}

static void test_reader(void)
{
	const struct placed_message high =
		sampled(BASE + 0x3000, BASE + 0x8000, 0x2000, BASE + 0x4010);
	const struct placed_message low = sampled(0x401000, 0x408000, 0x1000, 0x401010);
	const struct placed_message behind = sampled(BASE, BASE + 0x10000, 0, BASE + 0x9010);
	const struct placed_message outside = sampled(BASE + 0x3000, BASE + 0x8000, 0x2000, 0x4010);
	const struct placed_message everywhere = sampled(0, UINT64_MAX, 0, 0x4010);
	int nr_asked = 0;

	EXPECT_EQ(read_address(&high, &nr_asked), 0x4010);
	EXPECT_EQ(read_address(&low, &nr_asked), 0x2010);
	EXPECT_EQ(read_address(&behind, &nr_asked), 0x9010);
	EXPECT_EQ(nr_asked, 3);
	EXPECT_EQ(read_address(&outside, &nr_asked), 0x4010);
	EXPECT_EQ(read_address(&everywhere, &nr_asked), 0x4010);
	EXPECT_EQ(nr_asked, 3);
	EXPECT_EQ(read_address(&high, NULL), 0x3010);
	EXPECT_EQ(read_address(&low, NULL), 0x401010);
}

int main(void)
{
	static const struct test tests[] = {
		{"as linkers make them", test_linkers},
		{"by a debug file", test_debug_file},
		{"that are not there", test_other_files},
		{"in profiles of other tools", test_reader},
		{0},
	};
	int code;

	scratch_create();
	if (readers__start(&readers, jobs__find))
		return 1;
	code = run_tests("placed_files", tests);
	readers__stop(readers);
	return code;
}
