// SPDX-License-Identifier: GPL-2.0-only
/*
 * All addresses of a file at once: each compilation unit that contains some of them is walked, from
 * its root to the innermost inlined function, once.
 *
 *	unit ─ subprogram main ─ inlined step ─ inlined hash	an address in hash has three places
 *
 * Ranges of the units themselves say which contain what: .debug_aranges, made for that, are left
 * out by some compilers. Loops in the tree, and lists of ranges that many entries share, end with a
 * budget of steps.
 */
#include "readers/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "elf/file.h"
#include "readers/dwarf_file.h"
#include "readers/split_files.h"

#define MAX_STEPS    200000000 /* beyond which no file is walked */
#define STEPS_A_BYTE 4 /* an entry has at least one, a range two, and is looked at up to thrice */
#define MAX_DEPTH    512

/* A function or an inlined copy of one, with addresses that were asked for. */
struct dwarf_scope {
	Dwarf_Die die;
	int32_t outer; /* the scope it is inlined into; -1: none */
};

struct dwarf_search {
	const struct dwarf_query *query;
	bool *is_done;	/* of each address */
	int32_t *inner; /* the innermost scope of each address, in the unit at hand; -1: none */
	struct dwarf_scope *scopes;
	size_t nr_scopes, capacity;
	uint64_t left_steps; /* entries and ranges that may still be looked at */
};

/* ---- addresses within ranges ---- */

/* The first address that is not below. */
static size_t first_from(const struct dwarf_query *query, uint64_t low)
{
	size_t begin = 0, end = query->nr_addresses;

	while (begin < end) {
		size_t middle = begin + (end - begin) / 2;

		if (query->addresses[middle] < low)
			begin = middle + 1;
		else
			end = middle;
	}
	return begin;
}

struct address_span {
	size_t first, end; /* indexes of addresses */
};

/* Goes through the ranges of an entry that contain addresses; offset: 0 at first. 0: no more. */
static ptrdiff_t next_span(struct dwarf_search *search, Dwarf_Die *die, ptrdiff_t offset,
			   Dwarf_Addr *base, struct address_span *span)
{
	const struct dwarf_query *query = search->query;
	Dwarf_Addr low, high;

	while (search->left_steps && (offset = dwarf_ranges(die, offset, base, &low, &high)) > 0) {
		search->left_steps--;
		span->first = span->end = first_from(query, low);
		while (span->end < query->nr_addresses && query->addresses[span->end] < high)
			span->end++;
		if (span->end > span->first)
			return offset;
	}
	return 0;
}

/* ---- the tree of a unit ---- */

static int add_scope(struct dwarf_search *search, const Dwarf_Die *die, int32_t outer)
{
	if (search->nr_scopes == INT32_MAX ||
	    array__reserve(&search->scopes, &search->capacity, search->nr_scopes + 1))
		return -ENOMEM;
	search->scopes[search->nr_scopes++] = (struct dwarf_scope){*die, outer};
	return 0;
}

/* *scope becomes the entry's own if it contains addresses, else -1. 0 or -ENOMEM. */
static int enter(struct dwarf_search *search, Dwarf_Die *die, int32_t *scope)
{
	const int32_t outer = dwarf_tag(die) == DW_TAG_subprogram ? -1 : *scope;
	ptrdiff_t offset = 0;
	Dwarf_Addr base;
	struct address_span span;

	*scope = -1;
	while ((offset = next_span(search, die, offset, &base, &span)) > 0) {
		if (*scope < 0) {
			if (add_scope(search, die, outer))
				return -ENOMEM;
			*scope = (int32_t)search->nr_scopes - 1;
		}
		for (size_t i = span.first; i < span.end; i++)
			search->inner[i] = *scope;
	}
	return 0;
}

/* Functions are found below these; what else has children describes data. */
static bool may_hold_functions(int tag)
{
	switch (tag) {
	case DW_TAG_subprogram:
	case DW_TAG_lexical_block:
	case DW_TAG_try_block:
	case DW_TAG_catch_block:
	case DW_TAG_with_stmt:
	case DW_TAG_common_block:
	case DW_TAG_namespace:
	case DW_TAG_module:
	case DW_TAG_structure_type:
	case DW_TAG_class_type:
	case DW_TAG_union_type:
	case DW_TAG_interface_type:
	case DW_TAG_enumeration_type:
		return true;
	}
	return false;
}

static int walk(struct dwarf_search *search, Dwarf_Die *parent, int32_t outer, unsigned int depth)
{
	Dwarf_Die die;
	int code, found;

	for (found = dwarf_child(parent, &die); found == 0; found = dwarf_siblingof(&die, &die)) {
		const int tag = dwarf_tag(&die);
		int32_t scope = outer;

		if (!search->left_steps)
			return -E2BIG;
		search->left_steps--;
		if (tag == DW_TAG_subprogram || tag == DW_TAG_inlined_subroutine) {
			code = enter(search, &die, &scope);
			if (code)
				return code;
		}
		if (depth == MAX_DEPTH || dwarf_haschildren(&die) <= 0)
			continue;
		if (tag == DW_TAG_inlined_subroutine ? scope < 0 : !may_hold_functions(tag))
			continue;
		code = walk(search, &die, scope, depth + 1);
		if (code)
			return code;
	}
	return 0;
}

/* ---- what is said of an address ---- */

static const char *text_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;

	return dwarf_formstring(dwarf_attr_integrate(die, name, &attribute));
}

static const char *function_of(Dwarf_Die *die)
{
	const char *name = text_of(die, DW_AT_linkage_name);

	if (!name)
		name = text_of(die, DW_AT_MIPS_linkage_name);
	return name ? name : text_of(die, DW_AT_name);
}

static uint32_t number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) || value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

/* The unit that is walked. A skeleton has the lines, what was split from it the functions. */
struct dwarf_unit {
	Dwarf_Die skeleton, root;
	const char *directory; /* where the compiler ran; NULL: not known */
	Dwarf_Files *files;
	size_t nr_files;
};

static void set_file(const struct dwarf_unit *unit, const char *file, struct source_place *place)
{
	place->file = file;
	place->directory = file && *file != '/' ? unit->directory : NULL;
}

static void fill_line(struct dwarf_unit *unit, uint64_t address, struct source_place *place)
{
	Dwarf_Line *line = dwarf_getsrc_die(&unit->skeleton, address);
	int number;

	if (!line || dwarf_lineno(line, &number) || number < 0)
		return;
	set_file(unit, dwarf_linesrc(line, NULL, NULL), place);
	place->line = (uint32_t)number;
}

/* Where an inlined function was called is where its caller is. */
static void fill_call(const struct dwarf_unit *unit, Dwarf_Die *inlined,
		      struct source_place *caller)
{
	const uint32_t file = number_of(inlined, DW_AT_call_file);

	if (unit->files && file < unit->nr_files)
		set_file(unit, dwarf_filesrc(unit->files, file, NULL, NULL), caller);
	caller->line = number_of(inlined, DW_AT_call_line);
}

static size_t fill_places(struct dwarf_search *search, struct dwarf_unit *unit, size_t index,
			  struct source_place *places)
{
	int32_t scope = search->inner[index];
	size_t nr = 0;

	memset(places, 0, MAX_PLACES * sizeof(*places));
	fill_line(unit, search->query->addresses[index], &places[0]);
	while (scope >= 0 && nr < MAX_PLACES) {
		struct dwarf_scope *at = &search->scopes[scope];

		places[nr++].function = function_of(&at->die);
		if (at->outer >= 0 && nr < MAX_PLACES)
			fill_call(unit, &at->die, &places[nr]);
		scope = at->outer;
	}
	return nr || !places[0].file ? nr : 1;
}

static int report(struct dwarf_search *search, struct dwarf_unit *unit,
		  const struct address_span *span)
{
	const struct place_taker *taker = &search->query->taker;
	struct source_place places[MAX_PLACES];
	int code = 0;

	for (size_t i = span->first; i < span->end && !code; i++) {
		size_t nr_places;

		if (search->is_done[i])
			continue;
		nr_places = fill_places(search, unit, i, places);
		search->is_done[i] = nr_places > 0;
		if (nr_places)
			code = taker->take(taker->context, i, places, nr_places);
	}
	return code;
}

/* ---- units ---- */

/* What was split from it libdw opens by itself. */
static void expect_split(Dwarf_Die *skeleton)
{
	const char *name = text_of(skeleton, DW_AT_dwo_name);

	split_files__expect(name ? name : text_of(skeleton, DW_AT_GNU_dwo_name));
}

static void open_unit(Dwarf_Die *skeleton, struct dwarf_unit *unit)
{
	Dwarf_Die split = {0};

	*unit = (struct dwarf_unit){.skeleton = *skeleton, .root = *skeleton};
	unit->directory = text_of(skeleton, DW_AT_comp_dir);
	expect_split(skeleton);
	if (!dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) &&
	    dwarf_tag(&split) == DW_TAG_compile_unit)
		unit->root = split;
	if (dwarf_getsrcfiles(&unit->root, &unit->files, &unit->nr_files))
		unit->files = NULL;
}

static int search_unit(struct dwarf_search *search, Dwarf_Die *skeleton)
{
	ptrdiff_t offset = 0;
	Dwarf_Addr base;
	struct dwarf_unit unit;
	struct address_span span;
	int code = 0;

	if (next_span(search, skeleton, 0, &base, &span) <= 0)
		return 0;
	open_unit(skeleton, &unit);
	if (unit.root.cu != skeleton->cu)
		search->left_steps = MAX_STEPS; /* how large that is was not looked at */
	search->nr_scopes = 0;
	memset(search->inner, 0xff, search->query->nr_addresses * sizeof(*search->inner));
	code = walk(search, &unit.root, -1, 0);
	while (!code && (offset = next_span(search, skeleton, offset, &base, &span)) > 0)
		code = report(search, &unit, &span);
	return code;
}

static int search_units(struct dwarf_search *search, Dwarf *dwarf)
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die root;
	uint8_t type;
	int code = 0;

	while (!code && !dwarf_get_units(dwarf, unit, &unit, NULL, &type, &root, NULL))
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			code = search_unit(search, &root);
	return code;
}

/* ---- files ---- */

static uint64_t debug_bytes(int fd)
{
	struct elf_section section;
	struct elf_file file;
	uint64_t bytes = 0;

	if (elf_file__open(&file, fd))
		return 0;
	for (size_t i = 1; i < file.nr_sections; i++)
		if (elf_file__section(&file, i, &section) && section.header.sh_type != SHT_NOBITS &&
		    (elf_file__has_prefix(&file, &section, ".debug_") ||
		     elf_file__has_prefix(&file, &section, ".zdebug_")))
			bytes += elf_file__section_bytes(&file, &section);
	elf_file__close(&file);
	return bytes;
}

static int search_file(struct dwarf_search *search, Dwarf *dwarf)
{
	const size_t nr = search->query->nr_addresses;
	struct dwarf_file alternate = {0};
	int code = -ENOMEM;

	if (search->query->alternate >= 0)
		alternate = dwarf_file__open(search->query->alternate);
	if (alternate.dwarf)
		dwarf_setalt(dwarf, alternate.dwarf);
	search->is_done = calloc(nr, sizeof(*search->is_done));
	search->inner = calloc(nr, sizeof(*search->inner));
	if (search->is_done && search->inner)
		code = search_units(search, dwarf);
	free(search->is_done);
	free(search->inner);
	free(search->scopes);
	dwarf_file__close(&alternate);
	return code;
}

int dwarf__find(const struct dwarf_query *query)
{
	const uint64_t bytes = debug_bytes(query->fd);
	struct dwarf_search search = {.query = query, .left_steps = MAX_STEPS};
	struct dwarf_file file;
	int code = -ENOENT;

	if (query->max_bytes && bytes > query->max_bytes)
		return -EFBIG;
	if (!bytes || !query->nr_addresses)
		return -ENOENT;
	if (bytes < MAX_STEPS / STEPS_A_BYTE)
		search.left_steps = STEPS_A_BYTE * bytes;
	elf_version(EV_CURRENT);
	file = dwarf_file__open(query->fd);
	if (file.dwarf)
		code = search_file(&search, file.dwarf);
	dwarf_file__close(&file);
	return code;
}
