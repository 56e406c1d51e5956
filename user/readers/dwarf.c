// SPDX-License-Identifier: GPL-2.0-only
/*
 * All addresses of a file at once: each compilation unit that contains some of them is walked, from
 * its root to the innermost inlined function, once.
 *
 *	unit ─ subprogram main ─ inlined step ─ inlined hash
 *	                                        an address in hash has three places
 *
 * The ranges of the units tell which unit contains an address. .debug_aranges, which is made for
 * that, is left out by some compilers, and outdated after others. A range that begins where the
 * file has no code is skipped: the linker dropped its function. An address may still be in several
 * units or functions, where the linker merged equal functions, or dropped one without a trace. Then
 * the function counts that has the name of the symbol there: claims of all units are kept until the
 * last one is read, then the best is reported.
 *
 * A budget of steps ends loops in the tree, and limits lists of ranges that many entries share.
 */
#include "readers/dwarf.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "readers/code_map.h"
#include "readers/dwarf_file.h"
#include "readers/line_rows.h"
#include "readers/split_files.h"

#define MAX_STEPS 200000000 /* beyond which no file is walked */
#define STEPS_A_BYTE \
	6 /* an entry takes at least one byte, a range two; each is visited up to five times */
#define MAX_DEPTH 512

/* A function or an inlined copy of one, with addresses that were asked for. */
struct dwarf_scope {
	Dwarf_Die die;
	int32_t outer; /* the scope it is inlined into; -1: none */
	int32_t root;  /* the function around both */
	uint64_t low;  /* begin of its first range with wanted addresses */
};

/* The result for an address in the current unit. */
struct dwarf_found {
	int32_t inner; /* its innermost scope; -1: none */
	bool has_row;
	struct line_row row;
};

enum claim_rank {
	CLAIM_OF_UNIT = 1, /* the unit has no function there */
	CLAIM_OF_FUNCTION,
	CLAIM_OF_SYMBOL, /* its function has the name of the symbol there */
};

/* The best claim to an address that several units have. */
struct held_claim {
	uint8_t nr_units; /* 2: two or more */
	uint8_t rank;	  /* enum claim_rank; 0: none is held */
	uint8_t nr_places;
	struct source_place *places;
};

struct dwarf_search {
	const struct dwarf_query *query;
	struct code_map code;
	struct line_programs programs;
	struct held_claim *claims; /* one for each address */
	struct dwarf_found *found; /* one for each address */
	struct dwarf_scope *scopes;
	size_t nr_scopes, capacity;
	uint64_t left_steps; /* entries, ranges and rows left to visit */
};

/* ---- addresses within ranges ---- */

struct address_span {
	size_t first, end; /* indexes of addresses */
	uint64_t low;	   /* begin of the range that contains them */
};

/*
 * Finds the next range of an entry with wanted addresses; offset: 0 at first. Returns 0 after the
 * last one.
 */
static ptrdiff_t next_span(struct dwarf_search *search, Dwarf_Die *die, ptrdiff_t offset,
			   Dwarf_Addr *base, struct address_span *span)
{
	const struct address_list *addresses = &search->query->addresses;
	Dwarf_Addr low, high;

	while (search->left_steps && (offset = dwarf_ranges(die, offset, base, &low, &high)) > 0) {
		search->left_steps--;
		if (!code_map__has(&search->code, low))
			continue;
		span->low = low;
		span->first = span->end = address_list__from(addresses, low);
		while (span->end < addresses->nr && addresses->items[span->end] < high)
			span->end++;
		if (span->end > span->first)
			return offset;
	}
	return 0;
}

/* ---- names ---- */

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

/*
 * Whether the symbols agree with the function at an address. Symbols within a function may be
 * labels with other names, so the symbol at its begin counts, too.
 */
static bool agrees(struct dwarf_search *search, const struct dwarf_scope *function, size_t index)
{
	Dwarf_Die die = function->die;
	const char *name = function_of(&die);

	return name &&
	       (code_map__agrees(&search->code, search->query->addresses.items[index], name) ||
		code_map__agrees(&search->code, function->low, name));
}

/* ---- the tree of a unit ---- */

/* Whether a scope wins an address that another scope may have, too. */
static bool wins(struct dwarf_search *search, const struct dwarf_scope *scope, size_t index)
{
	const int32_t before = search->found[index].inner;
	const struct dwarf_scope *other;

	if (before < 0)
		return scope->outer < 0;
	other = &search->scopes[search->scopes[before].root];
	if (other == &search->scopes[scope->root])
		return true;
	return scope->outer < 0 && (agrees(search, scope, index) || !agrees(search, other, index));
}

/* Adds the entry's scope if it contains addresses: *scope is its index, else -1. 0 or -ENOMEM. */
static int enter(struct dwarf_search *search, Dwarf_Die *die, int32_t *scope)
{
	const int32_t outer = dwarf_tag(die) == DW_TAG_subprogram ? -1 : *scope;
	ptrdiff_t offset = 0;
	Dwarf_Addr base;
	struct address_span span;

	*scope = -1;
	while ((offset = next_span(search, die, offset, &base, &span)) > 0) {
		if (*scope < 0) {
			if (search->nr_scopes == INT32_MAX ||
			    array__try_reserve(&search->scopes, &search->capacity,
					       search->nr_scopes + 1))
				return -ENOMEM;
			*scope = (int32_t)search->nr_scopes;
			search->scopes[search->nr_scopes++] = (struct dwarf_scope){
				.die = *die,
				.outer = outer,
				.root = outer < 0 ? *scope : search->scopes[outer].root,
				.low = span.low,
			};
		}
		for (size_t i = span.first; i < span.end; i++)
			if (wins(search, &search->scopes[*scope], i))
				search->found[i].inner = *scope;
	}
	return 0;
}

/* Whether entries of this tag may contain functions; other entries with children describe data. */
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
		if (tag == DW_TAG_inlined_subroutine && outer < 0)
			continue; /* inlined into a function without wanted addresses: its ranges
				   * do not matter */
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

/* ---- places of an address ---- */

static uint32_t number_of(Dwarf_Die *die, unsigned int name)
{
	Dwarf_Attribute attribute;
	Dwarf_Word value;

	if (dwarf_formudata(dwarf_attr(die, name, &attribute), &value) || value > UINT32_MAX)
		return 0;
	return (uint32_t)value;
}

/* The current unit. A skeleton unit has the lines, its split unit the functions. */
struct dwarf_unit {
	Dwarf_Die skeleton, root;
	const char *directory;		 /* the compiler's directory; NULL: not known */
	Dwarf_Files *files, *line_files; /* file tables of functions and of lines; NULL: none */
	size_t nr_files, nr_line_files;
};

static void set_file(const struct dwarf_unit *unit, const char *file, struct source_place *place)
{
	place->file = file;
	place->directory = file && *file != '/' ? unit->directory : NULL;
}

static size_t fill_places(struct dwarf_search *search, struct dwarf_unit *unit, size_t index,
			  struct source_place *places)
{
	const struct dwarf_found *found = &search->found[index];
	int32_t scope = found->inner;
	size_t nr = 0;

	memset(places, 0, MAX_PLACES * sizeof(*places));
	if (found->has_row && found->row.file < unit->nr_line_files) {
		set_file(unit, dwarf_filesrc(unit->line_files, found->row.file, NULL, NULL),
			 &places[0]);
		places[0].line = found->row.line <= INT32_MAX ? found->row.line : 0;
	}
	while (scope >= 0) {
		struct dwarf_scope *at = &search->scopes[scope];
		uint32_t file;

		places[nr++].function = function_of(&at->die);
		scope = at->outer;
		if (scope < 0 || nr == MAX_PLACES)
			break;
		/* The caller's place is the call site of the inlined function. */
		file = number_of(&at->die, DW_AT_call_file);
		if (unit->files && file < unit->nr_files)
			set_file(unit, dwarf_filesrc(unit->files, file, NULL, NULL), &places[nr]);
		places[nr].line = number_of(&at->die, DW_AT_call_line);
	}
	return nr || !places[0].file ? nr : 1;
}

/* Holds a claim to an address; of claims with the same rank the first wins. 0 or -ENOMEM. */
static int hold(struct dwarf_search *search, size_t index, const struct source_place *places,
		size_t nr_places)
{
	struct held_claim *claim = &search->claims[index];
	const int32_t inner = search->found[index].inner;
	enum claim_rank rank = CLAIM_OF_UNIT;
	struct source_place *held;

	if (inner >= 0)
		rank = agrees(search, &search->scopes[search->scopes[inner].root], index)
			       ? CLAIM_OF_SYMBOL
			       : CLAIM_OF_FUNCTION;
	if (claim->rank >= rank)
		return 0;
	held = malloc(nr_places * sizeof(*held));
	if (!held)
		return -ENOMEM;
	memcpy(held, places, nr_places * sizeof(*held));
	free(claim->places);
	claim->places = held;
	claim->nr_places = (uint8_t)nr_places;
	claim->rank = (uint8_t)rank;
	return 0;
}

static int report(struct dwarf_search *search, struct dwarf_unit *unit,
		  const struct address_span *span)
{
	const struct place_taker *taker = &search->query->taker;
	struct source_place places[MAX_PLACES];
	int code = 0;

	for (size_t i = span->first; i < span->end && !code; i++) {
		const size_t nr_places = fill_places(search, unit, i, places);

		if (!nr_places)
			continue;
		if (search->claims[i].nr_units > 1)
			code = hold(search, i, places, nr_places);
		else
			code = taker->take(taker->context, i, places, nr_places);
	}
	return code;
}

/* ---- lines ---- */

/* Lines between the begin of its function and the begin of the sequence. */
static uint32_t distance(const struct dwarf_unit *unit, Dwarf_Die *function,
			 const struct line_row *row)
{
	const char *file = row->first_file < unit->nr_line_files
				   ? dwarf_filesrc(unit->line_files, row->first_file, NULL, NULL)
				   : NULL;
	const char *declared = dwarf_decl_file(function);
	int line;

	/* libdw 0.188 returns no name for the first file of DWARF 5. */
	if (!file || dwarf_decl_line(function, &line) || line < 0 ||
	    (declared && strcmp(basename(file), basename(declared)) != 0) ||
	    row->first_line < (uint32_t)line)
		return UINT32_MAX;
	return row->first_line - (uint32_t)line;
}

struct line_taker {
	struct dwarf_search *search;
	struct dwarf_unit *unit;
};

/* Takes a row. Functions that the linker merged have several sequences at one address. */
static void take_row(void *context, size_t index, const struct line_row *row)
{
	const struct line_taker *taker = context;
	struct dwarf_found *found = &taker->search->found[index];
	Dwarf_Die function;

	if (found->has_row && found->inner >= 0) {
		function = taker->search->scopes[taker->search->scopes[found->inner].root].die;
		if (distance(taker->unit, &function, row) >
		    distance(taker->unit, &function, &found->row))
			return;
	}
	found->row = *row;
	found->has_row = true;
}

/* ---- units ---- */

static void open_unit(Dwarf_Die *skeleton, struct dwarf_unit *unit)
{
	const char *name = text_of(skeleton, DW_AT_dwo_name);
	Dwarf_Die split = {0};
	uint64_t id = 0;

	*unit = (struct dwarf_unit){.skeleton = *skeleton, .root = *skeleton};
	unit->directory = text_of(skeleton, DW_AT_comp_dir);
	/* libdw opens the split unit itself. */
	dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, NULL, &id, NULL, NULL);
	split_files__expect(name ? name : text_of(skeleton, DW_AT_GNU_dwo_name), id);
	if (!dwarf_cu_info(skeleton->cu, NULL, NULL, NULL, &split, NULL, NULL, NULL) &&
	    dwarf_tag(&split) == DW_TAG_compile_unit)
		unit->root = split;
	if (dwarf_getsrcfiles(&unit->root, &unit->files, &unit->nr_files))
		unit->files = NULL;
	if (dwarf_getsrcfiles(&unit->skeleton, &unit->line_files, &unit->nr_line_files))
		unit->line_files = NULL;
	if (!unit->line_files)
		unit->nr_line_files = 0;
}

static int search_unit(struct dwarf_search *search, Dwarf_Die *skeleton)
{
	ptrdiff_t offset = 0;
	Dwarf_Addr base;
	struct dwarf_unit unit;
	struct line_taker line_taker = {search, &unit};
	const struct line_search lines = {.addresses = &search->query->addresses,
					  .code = &search->code,
					  .left_steps = &search->left_steps,
					  .take = take_row,
					  .context = &line_taker};
	Dwarf_Attribute attribute;
	Dwarf_Word rows;
	struct address_span span;
	int code = 0;

	if (next_span(search, skeleton, 0, &base, &span) <= 0)
		return 0;
	open_unit(skeleton, &unit);
	if (unit.root.cu != skeleton->cu)
		search->left_steps = MAX_STEPS; /* the size of a split unit is not known */
	search->nr_scopes = 0;
	for (size_t i = 0; i < search->query->addresses.nr; i++) {
		search->found[i].inner = -1;
		search->found[i].has_row = false;
	}
	code = walk(search, &unit.root, -1, 0);
	if (!code && unit.line_files &&
	    !dwarf_formudata(dwarf_attr(&unit.skeleton, DW_AT_stmt_list, &attribute), &rows))
		line_rows__find(&search->programs, rows, &lines);
	while (!code && (offset = next_span(search, skeleton, offset, &base, &span)) > 0)
		code = report(search, &unit, &span);
	return code;
}

/* Counts the units of each address. */
static int count_claims(struct dwarf_search *search, Dwarf_Die *skeleton)
{
	ptrdiff_t offset = 0;
	Dwarf_Addr base;
	struct address_span span;

	while ((offset = next_span(search, skeleton, offset, &base, &span)) > 0)
		for (size_t i = span.first; i < span.end; i++)
			search->claims[i].nr_units += search->claims[i].nr_units < 2;
	return 0;
}

static int each_unit(struct dwarf_search *search, Dwarf *dwarf,
		     int (*use)(struct dwarf_search *search, Dwarf_Die *skeleton))
{
	Dwarf_CU *unit = NULL;
	Dwarf_Die root;
	uint8_t type;
	int code = 0;

	while (!code && !dwarf_get_units(dwarf, unit, &unit, NULL, &type, &root, NULL))
		if (type == DW_UT_compile || type == DW_UT_skeleton)
			code = use(search, &root);
	return code;
}

/* ---- files ---- */

static int search_file(struct dwarf_search *search, const struct dwarf_file *file)
{
	const struct place_taker *taker = &search->query->taker;
	const size_t nr = search->query->addresses.nr;
	struct dwarf_file alternate = {0};
	int code = -ENOMEM;

	if (search->query->alternate >= 0)
		alternate = dwarf_file__open(search->query->alternate);
	if (alternate.dwarf)
		dwarf_setalt(file->dwarf, alternate.dwarf);
	search->programs = dwarf_file__line_programs(file);
	search->found = calloc(nr, sizeof(*search->found));
	search->claims = calloc(nr, sizeof(*search->claims));
	if (search->found && search->claims)
		code = each_unit(search, file->dwarf, count_claims);
	if (!code)
		code = each_unit(search, file->dwarf, search_unit);
	for (size_t i = 0; search->claims && i < nr; i++) {
		const struct held_claim *claim = &search->claims[i];

		if (!code && claim->rank)
			code = taker->take(taker->context, i, claim->places, claim->nr_places);
		free(claim->places);
	}
	free(search->claims);
	free(search->found);
	free(search->scopes);
	dwarf_file__close(&alternate);
	return code;
}

int dwarf__find(const struct dwarf_query *query)
{
	struct dwarf_search search = {.query = query, .left_steps = MAX_STEPS};
	struct dwarf_file file;
	uint64_t bytes;
	int code = code_map__open(&search.code, query->fd);

	if (code)
		return code == -ENOMEM ? code : -ENOENT;
	bytes = code_map__debug_bytes(&search.code);
	if (bytes < MAX_STEPS / STEPS_A_BYTE)
		search.left_steps = STEPS_A_BYTE * bytes;
	if (query->max_bytes && bytes > query->max_bytes) {
		code = -EFBIG;
	} else if (!bytes || !query->addresses.nr) {
		code = -ENOENT;
	} else {
		file = dwarf_file__open(query->fd);
		code = file.dwarf ? search_file(&search, &file) : -ENOENT;
		dwarf_file__close(&file);
	}
	code_map__close(&search.code);
	return code;
}
