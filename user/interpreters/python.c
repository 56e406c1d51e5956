// SPDX-License-Identifier: GPL-2.0-only
/*
 * CPython with a GIL, on x86-64 and aarch64. Structs are those of a minor version, which does not
 * change them once it is out; from 3.13 on the file itself tells of many, in _Py_DebugOffsets at
 * the begin of _PyRuntime.
 *
 * A thread's state is the value of a pthread key, autoTSSkey in _PyRuntime: it is there whether or
 * not the thread holds the GIL. No file tells where the key is, nor, before 3.11, which version it
 * has.
 */

#include "elf/file.h"
#include "elf/symbols.h"
#include "interpreters/kinds.h"

#define MAJOR	       3
#define FIRST_TOLD     11 /* first minor version with Py_Version */
#define FIRST_DEBUGGED 13 /* first minor version with _Py_DebugOffsets */
#define RELEASE_LEVEL \
	0xc /* of a release candidate, which has the structs of the release; lower: alpha, beta */
#define OBJECT_TYPE_AT 8 /* in any object; debug builds may have more before it */
#define NAME_HASH_AT   24
#define KEY_AT	       4 /* in Py_tss_t, after a flag */
/*
 * Up to 3.11 the GIL is in _PyRuntime before the key, with two mutexes, and pthread_mutex_t of
 * aarch64 is longer than that of x86-64. All else has the same size on both.
 */
#define LAST_WITH_GIL	11
#define LONGER_MUTEXES	(2 * 8)
#define CODE_OBJECT_TAG 2 /* low bits of a frame's code reference, from 3.14 on */

/* ---- structs by version ---- */

#define STRINGS(data, wide)           \
	.string = {.length_at = 16,   \
		   .state_at = 32,    \
		   .state_shift = 2,  \
		   .data_at = (data), \
		   .wide_at = (wide)}

#define FRAME_OBJECT \
	.hops = {24}, .nr_hops = 1, .entry_kind = ENTRY_EACH, .back_at = 24, .code_at = 32

#define CODE_TO_3_10                                                                \
	.first_line_at = 40, .file_at = 104, .name_at = 112, .hashed_name_at = 112, \
	.lines_at = 120, .cookie_at = NO_FIELD, STRINGS(48, 72)

/* Frames of 3.12 and later end with one for the call from C. */
#define FRAME_FROM_3_12                                                                \
	.entry_kind = ENTRY_EXTRA, .entry_mask = 0xff, .entry_value = 3, .code_at = 0, \
	.back_at = 8, .position_at = 56, .position_kind = POSITION_POINTER

#define CODE_FROM_3_12                                                              \
	.first_line_at = 68, .file_at = 112, .name_at = 128, .hashed_name_at = 120, \
	.lines_at = 136, .lines_kind = CODE_LINES_LOCATIONS, .cookie_at = 92, STRINGS(40, 56)

static const struct python_version {
	uint16_t key_at; /* autoTSSkey in _PyRuntime, x86-64 */
	struct interpreter structs;
} versions[] = {
	{1392,
	 {.minor = 8,
	  FRAME_OBJECT,
	  .position_at = 104,
	  .position_kind = POSITION_OFFSET,
	  CODE_TO_3_10,
	  .lines_kind = CODE_LINES_PAIRS}},
	{584,
	 {.minor = 9,
	  FRAME_OBJECT,
	  .position_at = 104,
	  .position_kind = POSITION_OFFSET,
	  CODE_TO_3_10,
	  .lines_kind = CODE_LINES_PAIRS}},
	{584,
	 {.minor = 10,
	  FRAME_OBJECT,
	  .position_at = 96,
	  .position_kind = POSITION_INDEX,
	  CODE_TO_3_10,
	  .lines_kind = CODE_LINES_RANGES}},
	/* co_qualname has no hash until a program asks for it, and then the cookie would change. */
	{592,
	 {.minor = 11,
	  .hops = {56, 8},
	  .nr_hops = 2,
	  .entry_kind = ENTRY_LAST,
	  .entry_at = 68,
	  .entry_mask = 0xff,
	  .entry_value = 1,
	  .code_at = 32,
	  .back_at = 48,
	  .position_at = 56,
	  .position_kind = POSITION_POINTER,
	  .first_line_at = 72,
	  .file_at = 112,
	  .name_at = 128,
	  .hashed_name_at = 120,
	  .lines_at = 136,
	  .lines_kind = CODE_LINES_LOCATIONS,
	  .instructions_at = 184,
	  .cookie_at = NO_FIELD,
	  STRINGS(48, 72)}},
	{1544,
	 {.minor = 12,
	  .hops = {56, 0},
	  .nr_hops = 2,
	  FRAME_FROM_3_12,
	  .entry_at = 70,
	  CODE_FROM_3_12,
	  .instructions_at = 192}},
	{2160,
	 {.minor = 13,
	  .hops = {72},
	  .nr_hops = 1,
	  FRAME_FROM_3_12,
	  .entry_at = 70,
	  CODE_FROM_3_12,
	  .instructions_at = 200}},
	{2336,
	 {.minor = 14,
	  .hops = {72},
	  .nr_hops = 1,
	  FRAME_FROM_3_12,
	  .entry_at = 74,
	  .code_bits = CODE_OBJECT_TAG,
	  CODE_FROM_3_12,
	  .instructions_at = 208}},
};

/* ---- structs described by the file ---- */

#define NR_WORDS 52 /* number of 64-bit words up to the last one used */

enum {
	WORD_COOKIE,
	WORD_VERSION,
	WORD_FREE_THREADED,
};

static const struct told_field {
	uint8_t word_3_13, word_3_14;
	uint16_t field; /* of struct interpreter */
} told_fields[] = {
	{23, 26, offsetof(struct interpreter, hops)},
	{29, 32, offsetof(struct interpreter, back_at)},
	{30, 33, offsetof(struct interpreter, code_at)},
	{31, 34, offsetof(struct interpreter, position_at)},
	{33, 36, offsetof(struct interpreter, entry_at)},
	{35, 40, offsetof(struct interpreter, file_at)},
	{36, 41, offsetof(struct interpreter, hashed_name_at)},
	{37, 42, offsetof(struct interpreter, name_at)},
	{38, 43, offsetof(struct interpreter, lines_at)},
	{39, 44, offsetof(struct interpreter, first_line_at)},
	{43, 48, offsetof(struct interpreter, instructions_at)},
	{45, 51, offsetof(struct interpreter, type_at)},
};

/*
 * Reads the file's description. False: a build without a GIL, which has other frames, or offsets
 * that are not valid.
 */
static bool look_at_told(struct interpreter *interpreter, struct elf_file *file, uint64_t runtime)
{
	uint64_t words[NR_WORDS];
	const void *bytes;

	if (interpreter->minor < FIRST_DEBUGGED)
		return true;
	bytes = contents__at(file, runtime, sizeof(words));
	if (!bytes || memcmp(bytes, "xdebugpy", sizeof(words[0])) != 0)
		return true;
	memcpy(words, bytes, sizeof(words));
	if (words[WORD_VERSION] >> 24 != MAJOR ||
	    (words[WORD_VERSION] >> 16 & 0xff) != interpreter->minor || words[WORD_FREE_THREADED])
		return false;
	for (size_t i = 0; i < sizeof(told_fields) / sizeof(told_fields[0]); i++) {
		const struct told_field *told = &told_fields[i];
		const uint64_t value =
			words[interpreter->minor == 13 ? told->word_3_13 : told->word_3_14];
		const uint16_t offset = (uint16_t)value;

		if (value >= NO_FIELD)
			return false;
		memcpy((char *)interpreter + told->field, &offset, sizeof(offset));
	}
	/* With the type at another offset, all objects have a longer header, also undescribed ones. */
	return interpreter->type_at == OBJECT_TYPE_AT;
}

/* ---- a file ---- */

enum {
	PLACE_LOOP,
	PLACE_RUNTIME,
	PLACE_CODE_TYPE,
	NR_NEEDED,
	PLACE_VERSION = NR_NEEDED,
	NR_PLACES,
};

/*
 * The minor version from Py_Version, or from names of files: "libpython3.9.so.1.0",
 * "lib/python3.8". 0: not known.
 */
static unsigned int minor_of(struct elf_file *file, const struct named_place *version)
{
	const void *bytes;
	unsigned int minor;
	uint32_t number;

	if (!version->is_found)
		return contents__numbers(file, "python3.", &minor, 1) && minor < FIRST_TOLD ? minor
											    : 0;
	bytes = contents__at(file, version->address, sizeof(number));
	if (!bytes)
		return 0;
	memcpy(&number, bytes, sizeof(number));
	minor = number >> 16 & 0xff;
	return number >> 24 == MAJOR && (number >> 4 & 0xf) >= RELEASE_LEVEL && minor >= FIRST_TOLD
		       ? minor
		       : 0;
}

int python__describe(struct elf_file *file, uint64_t base, struct interpreter *interpreter)
{
	struct named_place places[NR_PLACES] = {
		[PLACE_LOOP] = {.name = PYTHON_LOOP},
		[PLACE_RUNTIME] = {.name = "_PyRuntime"},
		[PLACE_CODE_TYPE] = {.name = "PyCode_Type"},
		[PLACE_VERSION] = {.name = "Py_Version"},
	};
	const struct python_version *version = NULL;
	unsigned int minor;
	uint64_t key_at;

	if (!contents__locate(file, places, NR_PLACES, NR_NEEDED))
		return -ENOENT;
	minor = minor_of(file, &places[PLACE_VERSION]);
	for (size_t i = 0; i < sizeof(versions) / sizeof(versions[0]) && !version; i++)
		if (versions[i].structs.minor == minor)
			version = &versions[i];
	if (!version)
		return -ENOENT;
	key_at = version->key_at + KEY_AT;
	*interpreter = version->structs;
	/* These offsets are the same in all versions. */
	interpreter->major = MAJOR;
	interpreter->type_at = OBJECT_TYPE_AT;
	interpreter->name_hash_at = NAME_HASH_AT;
	interpreter->owner_at = NO_FIELD;
	interpreter->owner_name_at = NO_FIELD;
	interpreter->lines_length_at = 16; /* a bytes object */
	interpreter->lines_data_at = 32;

	if (file->header.e_machine == EM_AARCH64 && interpreter->minor <= LAST_WITH_GIL)
		key_at += LONGER_MUTEXES;
	interpreter->anchor_kind = ANCHOR_PTHREAD_KEY;
	interpreter->anchor = (int64_t)(places[PLACE_RUNTIME].address + key_at - base);
	interpreter->code_type = (int64_t)(places[PLACE_CODE_TYPE].address - base);
	if (!look_at_told(interpreter, file, places[PLACE_RUNTIME].address))
		return -ENOENT;
	return loops__find(file, base, &places[PLACE_LOOP], interpreter->loops);
}
