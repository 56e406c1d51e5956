// SPDX-License-Identifier: GPL-2.0-only
/*
 * Interpreters are known by their files: made-up ones, in which each thing can be wrong alone; the
 * system's Python; and those that PYTHONS names, a list with spaces.
 */
#include "interpreters/interpreters.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "elf/file.h"
#include "elf/symbols.h"
#include "expect.h"
#include "scratch.h"
#include "topstacks/abi.h"
#include "unwind/unwind.h"

/* ---- files ---- */

/* The description of a file has its interpreter, and the places of its names, as pcs. */
struct described {
	struct interpreter interpreter;
	struct named_place places[5];
	int code;
};

enum { LOOP, COLD, RUNTIME, CODE_TYPE, GLOBALS };

static void describe_table(struct described *described, struct elf_file *file,
			   const struct unwind_table *table)
{
	static const char *const names[] = {"_PyEval_EvalFrameDefault", "loop_cold", "_PyRuntime",
					    "PyCode_Type", "executor_globals"};

	described->code =
		interpreters__describe(file, unwind_table__base(table), &described->interpreter);
	for (size_t i = 0; i < 5; i++) {
		struct named_place *place = &described->places[i];

		place->name = names[i];
		elf_symbols__locate(file, SHT_DYNSYM, UINT32_MAX, place, 1);
		elf_symbols__locate(file, SHT_SYMTAB, UINT32_MAX, place, 1);
		place->address -= unwind_table__base(table);
	}
}

static struct described describe(const char *path)
{
	const int fd = open(path, O_RDONLY | O_CLOEXEC);
	struct described described = {.code = -ENOENT};
	struct unwind_table *table = NULL;
	struct elf_file file;

	EXPECT(fd >= 0);
	if (fd < 0 || elf_file__open(&file, fd))
		return described;
	EXPECT_EQ(unwind_table__build_of(&file, &table), 0);
	if (table)
		describe_table(&described, &file, table);
	EXPECT_EQ(described.code, 0);
	EXPECT(interpreter__is_sane(&described.interpreter));
	unwind_table__free(table);
	elf_file__close(&file);
	close(fd);
	return described;
}

static void expect_none(const struct described *described)
{
	static const struct interpreter none;

	EXPECT(!memcmp(&described->interpreter, &none, sizeof(none)));
}

/* ---- made-up ones ---- */

/*
 * The loop jumps to a part of its own, to a function that calls it, and to one that is exported and
 * jumps back into it as only a part would.
 */
static const char source[] =
	"__asm__(\".text\\n.globl \" LOOP \"\\n.type \" LOOP \", @function\\n\" LOOP \":\\n\"\n"
	"\".cfi_startproc\\ntest %edi, %edi\\nje 1f\\njs caller\\njo exported\\n\"\n"
	"\"2: xor %eax, %eax\\nret\\n.cfi_endproc\\n.size \" LOOP \", .-\" LOOP \"\\n\"\n"
	"\".section .text.unlikely, \\\"ax\\\", @progbits\\n\"\n"
	"\".type loop_cold, @function\\nloop_cold: .cfi_startproc\\n1: inc %edi\\n\"\n"
	"\"jmp 2b\\n.cfi_endproc\\n.size loop_cold, .-loop_cold\\n\"\n"
	"\"caller: .cfi_startproc\\njmp \" LOOP \"\\n.cfi_endproc\\n\"\n"
	"\".globl exported\\n.type exported, @function\\nexported: .cfi_startproc\\n\"\n"
	"\"jz 2b\\njmp 2b\\n.cfi_endproc\\n.size exported, .-exported\\n.text\\n\");\n"
	"#ifdef TEXT\n"
	"const char text[] = TEXT;\n"
	"#endif\n"
	"#ifdef VERSION\n"
	"const unsigned long Py_Version = VERSION;\n"
	"#endif\n"
	"#ifndef FREE_THREADED\n"
	"#define FREE_THREADED 0\n"
	"#endif\n"
	"#ifndef TYPE_AT\n"
	"#define TYPE_AT 8\n"
	"#endif\n"
	"unsigned long long RUNTIME[64] = {\n"
	"#ifdef TOLD\n"
	"0x7970677562656478, VERSION, FREE_THREADED, [23] = 80, [29] = 16, [30] = 24,\n"
	"[31] = 64, [33] = 77, [35] = 100, [36] = 108, [37] = 116, [38] = 124, [39] = 132,\n"
	"[43] = TOLD, [45] = TYPE_AT,\n"
	"#endif\n"
	"};\n"
	"unsigned long PyCode_Type[2];\n";

static struct described make(const char *loop, const char *runtime, const char *flags)
{
	scratch_run("gcc -shared -fPIC -nostdlib -Wl,-Bsymbolic '-DLOOP=\"%s\"' '-DRUNTIME=%s' %s "
		    "-o file source.c",
		    loop, runtime, flags);
	return describe(scratch_path("file"));
}

static struct described make_python(const char *flags)
{
	return make("_PyEval_EvalFrameDefault", "_PyRuntime", flags);
}

static struct described make_php(const char *flags)
{
	return make("execute_ex", "executor_globals", flags);
}

static void test_python(void)
{
	const struct described found = make_python("-DVERSION=0x030b02f0");
	const struct interpreter *python = &found.interpreter;
	const struct named_place *loop = &found.places[LOOP], *cold = &found.places[COLD];

	EXPECT_EQ(python->language, LANGUAGE_PYTHON);
	EXPECT_EQ(python->major, 3);
	EXPECT_EQ(python->minor, 11);
	EXPECT_EQ(python->loops[0].start, loop->address);
	EXPECT_EQ(python->loops[0].end, loop->address + loop->size);
	EXPECT(cold->is_found && cold->size);
	EXPECT_EQ(python->loops[1].start, cold->address);
	EXPECT_EQ(python->loops[1].end, cold->address + cold->size);
	EXPECT_EQ(python->anchor, found.places[RUNTIME].address + 592 + 4);
	EXPECT_EQ(python->code_type, found.places[CODE_TYPE].address);
	EXPECT_EQ(python->hops[1], 8);
	EXPECT_EQ(python->frame_bytes, 80);
	EXPECT_EQ(python->code_bytes, 144);
}

/* Names that are not exported are found as long as the file has its symbols. */
static void test_for_debuggers(void)
{
	struct described found =
		make_python("-DVERSION=0x030b02f0 -Wl,--version-script=hidden.map");

	EXPECT_EQ(found.interpreter.language, LANGUAGE_PYTHON);
	scratch_run("strip file");
	found = describe(scratch_path("file"));
	expect_none(&found);
}

static void test_stripped(void)
{
	const struct described whole = make_python("-DVERSION=0x030c02f0 -s");

	EXPECT_EQ(whole.interpreter.minor, 12);
	EXPECT(whole.interpreter.loops[1].end > whole.interpreter.loops[1].start);
}

static void test_versions(void)
{
	static const struct {
		const char *flags;
		int minor; /* 0: none */
	} rows[] = {
		{"'-DTEXT=\"lib/python3.8\"'", 8},
		{"-Wl,-soname,libpython3.9.so.1.0", 9},
		{"-Wl,-soname,libpython3.10.so.1.0 '-DTEXT=\"python3.10\"'", 10},
		{"-Wl,-soname,libpython3.10.so.1.0 '-DTEXT=\"python3.9\"'", 0},
		{"-Wl,-soname,libpython3.so", 0},
		{"-Wl,-soname,libpython3.7m.so.1.0", 0},
		{"-Wl,-soname,libpython3.11.so.1.0", 0}, /* it would say so itself */
		{"-Wl,-soname,libpython3.99999999999999999999.so", 0},
		{"", 0},
		{"-DVERSION=0x030e02f0", 14},
		{"-DVERSION=0x030e00c1", 14},
		{"-DVERSION=0x030e00b1", 0},
		{"-DVERSION=0x030f00f0", 0},
		{"-DVERSION=0x040b00f0", 0},
		{"-DVERSION=0x030a00f0", 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct described found = make_python(rows[i].flags);

		EXPECT_EQ(found.interpreter.minor, rows[i].minor);
		if (!rows[i].minor)
			expect_none(&found);
	}
}

static void test_told(void)
{
	struct described found = make_python("-DVERSION=0x030d00f0 -DTOLD=140");
	const struct interpreter *python = &found.interpreter;

	EXPECT_EQ(python->minor, 13);
	EXPECT_EQ(python->hops[0], 80);
	EXPECT_EQ(python->back_at, 16);
	EXPECT_EQ(python->code_at, 24);
	EXPECT_EQ(python->position_at, 64);
	EXPECT_EQ(python->entry_at, 77);
	EXPECT_EQ(python->frame_bytes, 88);
	EXPECT_EQ(python->file_at, 100);
	EXPECT_EQ(python->hashed_name_at, 108);
	EXPECT_EQ(python->name_at, 116);
	EXPECT_EQ(python->lines_at, 124);
	EXPECT_EQ(python->first_line_at, 132);
	EXPECT_EQ(python->code_bytes, 144);
	EXPECT_EQ(python->instructions_at, 140);
	EXPECT_EQ(python->anchor, found.places[RUNTIME].address + 2160 + 4);
	found = make_python("-DVERSION=0x030d00f0 -DTOLD=140 -DFREE_THREADED=1");
	expect_none(&found);
	found = make_python("-DVERSION=0x030d00f0 -DTOLD=140 -DTYPE_AT=24");
	expect_none(&found);
	found = make_python("-DVERSION=0x030d00f0 -DTOLD=65535");
	expect_none(&found);
	found = make_python("-DVERSION=0x030d00f0 -DTOLD=250"); /* beyond all that is read */
	expect_none(&found);
}

static void test_php(void)
{
	static const struct {
		const char *flags;
		int major, file_at; /* 0: none */
	} rows[] = {
		{"'-DTEXT=\"X-Powered-By: PHP/7.4.33\"'", 7, 136},
		{"'-DTEXT=\"X-Powered-By: PHP/8.2.29\"'", 8, 152},
		{"'-DTEXT=\"X-Powered-By: PHP/8.4.1-dev\"'", 8, 168},
		{"'-DTEXT=\"X-Powered-By: PHP/7.3.33\"'", 0, 0},
		{"'-DTEXT=\"X-Powered-By: PHP/8\"'", 0, 0},
		{"'-DTEXT=\"X-Powered-By: PHP/8.\"'", 0, 0},
		{"", 0, 0},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct described found = make_php(rows[i].flags);
		const struct interpreter *php = &found.interpreter;

		EXPECT_EQ(php->major, rows[i].major);
		EXPECT_EQ(php->language, rows[i].major ? LANGUAGE_PHP : LANGUAGE_NONE);
		EXPECT_EQ(php->file_at, rows[i].file_at);
		EXPECT_EQ(php->anchor, rows[i].major ? found.places[GLOBALS].address : 0);
		EXPECT_EQ(php->loops[1].end > php->loops[1].start, rows[i].major != 0);
		if (!rows[i].major)
			expect_none(&found);
	}
}

static void test_none(void)
{
	struct described found = describe("/proc/self/exe");

	expect_none(&found);
	found = make("_PyEval_EvalFrameDefault", "_PyRunTime", "-DVERSION=0x030b02f0");
	expect_none(&found);
	found = make("execute", "executor_globals", "'-DTEXT=\"X-Powered-By: PHP/8.2.29\"'");
	expect_none(&found);
}

/* ---- real ones ---- */

/* The offsets are those of the debug information of each version. */
static const struct {
	int minor, key_at, hops[2], back_at, code_at, position_at;
	int first_line_at, file_at, name_at, lines_at, instructions_at;
} known[] = {
	{8, 1392, {24, 0}, 24, 32, 104, 40, 104, 112, 120, 0},
	{9, 584, {24, 0}, 24, 32, 104, 40, 104, 112, 120, 0},
	{10, 584, {24, 0}, 24, 32, 96, 40, 104, 112, 120, 0},
	{11, 592, {56, 8}, 48, 32, 56, 72, 112, 128, 136, 184},
	{12, 1544, {56, 0}, 8, 0, 56, 68, 112, 128, 136, 192},
	{13, 2160, {72, 0}, 8, 0, 56, 68, 112, 128, 136, 200},
	{14, 2336, {72, 0}, 8, 0, 56, 68, 112, 128, 136, 208},
};

static void expect_python(const char *path)
{
	const struct described found = describe(path);
	const struct interpreter *python = &found.interpreter;
	size_t i = 0;

	EXPECT_EQ(python->language, LANGUAGE_PYTHON);
	while (i < sizeof(known) / sizeof(known[0]) && known[i].minor != python->minor)
		i++;
	EXPECT(i < sizeof(known) / sizeof(known[0]));
	if (i == sizeof(known) / sizeof(known[0]))
		return;
	EXPECT_EQ(python->anchor, found.places[RUNTIME].address + known[i].key_at + 4);
	EXPECT_EQ(python->code_type, found.places[CODE_TYPE].address);
	EXPECT_EQ(python->loops[0].start, found.places[LOOP].address);
	EXPECT_EQ(python->hops[0], known[i].hops[0]);
	EXPECT_EQ(python->hops[1], known[i].hops[1]);
	EXPECT_EQ(python->back_at, known[i].back_at);
	EXPECT_EQ(python->code_at, known[i].code_at);
	EXPECT_EQ(python->position_at, known[i].position_at);
	EXPECT_EQ(python->first_line_at, known[i].first_line_at);
	EXPECT_EQ(python->file_at, known[i].file_at);
	EXPECT_EQ(python->name_at, known[i].name_at);
	EXPECT_EQ(python->lines_at, known[i].lines_at);
	EXPECT_EQ(python->instructions_at, known[i].instructions_at);
}

static void test_installed(void)
{
	char *paths = getenv("PYTHONS") ? strdup(getenv("PYTHONS")) : NULL, *rest = paths;
	const char *path;

	if (!access("/usr/bin/python3.11", R_OK))
		expect_python("/usr/bin/python3.11");
	while (rest && (path = strsep(&rest, " ")))
		if (*path)
			expect_python(path);
	free(paths);
}

/* ---- sane ones ---- */

#define INSANE(change)                               \
	do {                                         \
		struct interpreter bad = python;     \
                                                     \
		bad.change;                          \
		EXPECT(!interpreter__is_sane(&bad)); \
	} while (0)

static void test_sane(void)
{
	const struct interpreter python = make_python("-DVERSION=0x030c02f0").interpreter;
	const struct interpreter none = {.minor = 1};

	EXPECT(!interpreter__is_sane(&none));
	INSANE(language = LANGUAGE_NONE);
	INSANE(language = LANGUAGES);
	INSANE(anchor_kind = INTERPRETER_ANCHORS);
	INSANE(entry_kind = INTERPRETER_ENTRIES);
	INSANE(position_kind = INTERPRETER_POSITIONS);
	INSANE(lines_kind = CODE_LINES_KINDS);
	INSANE(nr_hops = 0);
	INSANE(nr_hops = INTERPRETER_MAX_HOPS + 1);
	INSANE(hops[0] = NO_FIELD);
	INSANE(loops[0].start = python.loops[0].end);
	INSANE(loops[1].start = python.loops[1].end + 1);
	INSANE(code_bits = 5);
	INSANE(string.state_shift = 32);
}

static void test_sane_fields(void)
{
	const struct interpreter python = make_python("-DVERSION=0x030c02f0").interpreter;

	INSANE(frame_bytes = 72);
	INSANE(frame_bytes = INTERPRETER_FRAME_BYTES + 8);
	INSANE(back_at = 73);
	INSANE(code_at = NO_FIELD);
	INSANE(position_at = 73);
	INSANE(entry_at = 73);
	INSANE(code_bytes = 136);
	INSANE(code_bytes = INTERPRETER_CODE_BYTES + 8);
	INSANE(type_at = 137);
	INSANE(cookie_at = 137);
	INSANE(hashed_name_at = 137);
	INSANE(name_at = NO_FIELD);
	INSANE(file_at = NO_FIELD);
	INSANE(first_line_at = 137);
	INSANE(lines_at = 137);
	INSANE(owner_at = 137);
	INSANE(name_hash_at = NO_FIELD);
	INSANE(instructions_at = INTERPRETER_CODE_BYTES);
	INSANE(lines_length_at = NO_FIELD);
	INSANE(lines_data_at = NO_FIELD);
	INSANE(string.length_at = NO_FIELD);
	INSANE(string.data_at = NO_FIELD);
	INSANE(string.wide_at = NO_FIELD);
}

static void expect_within(const struct interpreter *any)
{
	const uint16_t in_frame[] = {any->back_at, any->code_at, any->position_at, any->entry_at};
	const uint16_t in_code[] = {any->type_at, any->name_at,	      any->hashed_name_at,
				    any->file_at, any->first_line_at, any->lines_at};

	if (any->frame_bytes > INTERPRETER_FRAME_BYTES || any->code_bytes > INTERPRETER_CODE_BYTES)
		EXPECT(!"no more than is read");
	for (size_t i = 0; i < sizeof(in_frame) / sizeof(in_frame[0]); i++)
		if (in_frame[i] + 8 > any->frame_bytes)
			EXPECT(!"a field in the frame");
	for (size_t i = 0; i < sizeof(in_code) / sizeof(in_code[0]); i++)
		if (in_code[i] + 8 > any->code_bytes)
			EXPECT(!"a field in the code");
}

/* Any byte may be another one: the result can be followed, or is refused. */
static void test_any_byte(void)
{
	const struct interpreter good[] = {
		make_python("-DVERSION=0x030b02f0").interpreter,
		make_php("'-DTEXT=\"X-Powered-By: PHP/8.2.29\"'").interpreter,
	};

	for (size_t i = 0; i < sizeof(good); i++)
		for (unsigned int value = 0; value < 256; value++) {
			struct interpreter bad[] = {good[0], good[1]};

			((uint8_t *)bad)[i] = (uint8_t)value;
			for (size_t which = 0; which < 2; which++)
				if (interpreter__is_sane(&bad[which]))
					expect_within(&bad[which]);
		}
}

int main(void)
{
	static const struct test tests[] = {
		{"Python", test_python},	  {"names for debuggers", test_for_debuggers},
		{"stripped", test_stripped},	  {"versions of Python", test_versions},
		{"what Python tells", test_told}, {"PHP", test_php},
		{"no interpreters", test_none},	  {"installed ones", test_installed},
		{"sane ones", test_sane},	  {"fields of sane ones", test_sane_fields},
		{"any byte", test_any_byte},	  {0},
	};

	scratch_create();
	scratch_write("source.c", source);
	scratch_write("hidden.map", "{ local: *; };\n");
	return run_tests("interpreters", tests);
}
