// SPDX-License-Identifier: GPL-2.0-only
/*
 * There are two passes. The first one finds all types and numbers the chosen ones. The second one
 * copies types in the order of their numbers, and numbers the types they consist of, which are thus
 * copied later.
 *
 * With known places the first pass looks at these alone. The rest is the same, so the places of an
 * extract lead to the same extract. As types cannot be numbered without going through all of them,
 * that a type has the number that is said with its place is believed; all else is read and checked.
 */
#include "capture/host/kernel_types.h"

#include <linux/btf.h>

#define NO_TYPE UINT32_MAX

struct bytes {
	char *start;
	size_t nr, capacity;
};

struct extraction {
	const char *types, *strings;
	uint32_t types_bytes, strings_bytes;
	uint32_t most;	    /* more than there are types, with void, which is 0 */
	uint32_t seen;	    /* bytes of all types that were looked at */
	uint32_t *places;   /* offset of each type in types, plus 1; 0: unknown */
	uint32_t *numbers;  /* number of each type in the extract; 0: none */
	uint32_t *numbered; /* the numbered types, in order */
	size_t nr_numbered, numbered_capacity;
	struct bytes new_types, new_strings;
};

/* ---- reading ---- */

static int open_source(struct extraction *from, const char *btf, size_t nr_bytes)
{
	struct btf_header header;
	size_t rest;

	if (nr_bytes < sizeof(header))
		return -EINVAL;
	memcpy(&header, btf, sizeof(header));
	if (header.magic != BTF_MAGIC || header.hdr_len < sizeof(header) ||
	    header.hdr_len > nr_bytes)
		return -EINVAL;
	rest = nr_bytes - header.hdr_len;
	if (header.type_off > rest || header.type_len > rest - header.type_off ||
	    header.str_off > rest || header.str_len > rest - header.str_off || !header.str_len ||
	    header.type_off % 4 || header.hdr_len % 4)
		return -EINVAL;
	from->types = btf + header.hdr_len + header.type_off;
	from->types_bytes = header.type_len;
	from->strings = btf + header.hdr_len + header.str_off;
	from->strings_bytes = header.str_len;
	return from->strings[header.str_len - 1] ? -EINVAL : 0;
}

/* Returns the bytes that follow a type's header, or negative errno. */
static int64_t trailing_bytes(const struct btf_type *type)
{
	const uint32_t nr = BTF_INFO_VLEN(type->info);

	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_INT:
	case BTF_KIND_VAR:
	case BTF_KIND_DECL_TAG:
		return sizeof(uint32_t);
	case BTF_KIND_ARRAY:
		return sizeof(struct btf_array);
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return (int64_t)(nr * sizeof(struct btf_member));
	case BTF_KIND_ENUM:
		return (int64_t)(nr * sizeof(struct btf_enum));
	case BTF_KIND_ENUM64:
		return (int64_t)(nr * sizeof(struct btf_enum64));
	case BTF_KIND_FUNC_PROTO:
		return (int64_t)(nr * sizeof(struct btf_param));
	case BTF_KIND_DATASEC:
		return (int64_t)(nr * sizeof(struct btf_var_secinfo));
	case BTF_KIND_PTR:
	case BTF_KIND_FWD:
	case BTF_KIND_TYPEDEF:
	case BTF_KIND_VOLATILE:
	case BTF_KIND_CONST:
	case BTF_KIND_RESTRICT:
	case BTF_KIND_FUNC:
	case BTF_KIND_FLOAT:
	case BTF_KIND_TYPE_TAG:
		return 0;
	default:
		return -EINVAL;
	}
}

static const struct btf_type *type_at(const struct extraction *from, uint32_t id)
{
	return (const struct btf_type *)(from->types + from->places[id] - 1);
}

/* Returns the type's number in the extract, and assigns one if needed; NO_TYPE: bad id. */
static uint32_t number_of(struct extraction *from, uint32_t id)
{
	if (!id)
		return 0;
	if (id >= from->most || !from->places[id])
		return NO_TYPE;
	if (!from->numbers[id]) {
		array__reserve(&from->numbered, &from->numbered_capacity, from->nr_numbered + 1);
		from->numbered[from->nr_numbered++] = id;
		from->numbers[id] = (uint32_t)from->nr_numbered;
	}
	return from->numbers[id];
}

/* Checks the type at a place and shows it to the filter. Its bytes, or negative errno. */
static int64_t look_at(struct extraction *from, const struct type_filter *filter,
		       struct type_place place, enum type_use *use)
{
	const struct btf_type *type;
	int64_t nr_bytes;

	*use = TYPE_IGNORED;
	if (!place.id || place.id >= from->most || place.offset % 4 ||
	    place.offset > from->types_bytes || from->types_bytes - place.offset < sizeof(*type))
		return -EINVAL;
	from->places[place.id] = place.offset + 1;
	type = type_at(from, place.id);
	nr_bytes = trailing_bytes(type);
	if (nr_bytes < 0 || type->name_off >= from->strings_bytes)
		return -EINVAL;
	nr_bytes += (int64_t)sizeof(*type);
	/* types do not overlap: so there is no more to copy than there is */
	if (nr_bytes > from->types_bytes - place.offset ||
	    nr_bytes > from->types_bytes - from->seen)
		return -EINVAL;
	from->seen += (uint32_t)nr_bytes;
	if (type->name_off)
		*use = filter->wants(filter->context, BTF_INFO_KIND(type->info),
				     from->strings + type->name_off, place.id);
	if (*use == TYPE_COPIED)
		number_of(from, place.id);
	return nr_bytes;
}

static void note_place(struct type_places *places, struct type_place place)
{
	array__reserve(&places->list, &places->capacity, places->nr + 1);
	places->list[places->nr++] = place;
}

static int choose_types(struct extraction *from, const struct type_filter *filter,
			struct type_places *places)
{
	struct type_place place = {.id = 1};
	int64_t nr_bytes = 0;
	enum type_use use;

	if (places->nr) {
		for (size_t i = 0; i < places->nr && nr_bytes >= 0; i++)
			nr_bytes = look_at(from, filter, places->list[i], &use);
		return nr_bytes < 0 ? (int)nr_bytes : 0;
	}
	for (; place.offset < from->types_bytes; place.id++) {
		nr_bytes = look_at(from, filter, place, &use);
		if (nr_bytes < 0)
			return (int)nr_bytes;
		if (use == TYPE_NOTED)
			note_place(places, place);
		place.offset += (uint32_t)nr_bytes;
	}
	return 0;
}

/* ---- writing ---- */

static void append(struct bytes *to, const void *bytes, size_t nr)
{
	array__reserve(&to->start, &to->capacity, to->nr + nr);
	memcpy(to->start + to->nr, bytes, nr);
	to->nr += nr;
}

static int copy_name(struct extraction *from, uint32_t *name)
{
	const uint32_t place = (uint32_t)from->new_strings.nr;
	const char *text = from->strings + *name;

	if (*name >= from->strings_bytes)
		return -EINVAL;
	*name = *text ? place : 0;
	if (*text)
		append(&from->new_strings, text, strlen(text) + 1);
	return 0;
}

static int renumber(struct extraction *from, uint32_t *id)
{
	*id = number_of(from, *id);
	return *id == NO_TYPE ? -EINVAL : 0;
}

static int copy_members(struct extraction *from, const struct btf_member *members, uint32_t nr)
{
	struct btf_member member;
	uint32_t i;
	int code = 0;

	for (i = 0; i < nr && !code; i++) {
		member = members[i];
		code = copy_name(from, &member.name_off);
		if (!code)
			code = renumber(from, &member.type);
		if (!code)
			append(&from->new_types, &member, sizeof(member));
	}
	return code;
}

/* Copies a type, without the names of enumerators and the targets of pointers. */
static int copy_type(struct extraction *from, const struct btf_type *old)
{
	const uint32_t kind = BTF_INFO_KIND(old->info);
	const void *trailing = old + 1;
	struct btf_type type = *old;
	struct btf_array array;
	int code = copy_name(from, &type.name_off);

	if (kind == BTF_KIND_PTR)
		type.type = 0;
	else if (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64)
		type.info &= ~0xffffU;
	else if (kind == BTF_KIND_TYPEDEF || kind == BTF_KIND_VOLATILE || kind == BTF_KIND_CONST ||
		 kind == BTF_KIND_RESTRICT || kind == BTF_KIND_TYPE_TAG)
		code = code ? code : renumber(from, &type.type);
	if (code)
		return code;
	append(&from->new_types, &type, sizeof(type));
	switch (kind) {
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return copy_members(from, trailing, BTF_INFO_VLEN(old->info));
	case BTF_KIND_ARRAY:
		array = *(const struct btf_array *)trailing;
		code = renumber(from, &array.type);
		if (!code)
			code = renumber(from, &array.index_type);
		if (!code)
			append(&from->new_types, &array, sizeof(array));
		return code;
	case BTF_KIND_INT:
		append(&from->new_types, trailing, sizeof(uint32_t));
		return 0;
	case BTF_KIND_FUNC:
	case BTF_KIND_FUNC_PROTO:
	case BTF_KIND_VAR:
	case BTF_KIND_DATASEC:
	case BTF_KIND_DECL_TAG:
		return -EINVAL; /* members cannot have these types */
	default:
		return 0;
	}
}

int type_extract__make(const void *btf, size_t nr_bytes, const struct type_filter *filter,
		       struct type_places *places, void **extract, size_t *extract_bytes)
{
	struct btf_header header = {
		.magic = BTF_MAGIC, .version = BTF_VERSION, .hdr_len = sizeof(header)};
	const bool searches = !places->nr;
	struct extraction from = {0};
	struct bytes whole = {0};
	uint32_t id;
	int code = open_source(&from, btf, nr_bytes);

	if (code)
		return code;
	from.most = from.types_bytes / (uint32_t)sizeof(struct btf_type) + 1;
	from.places = calloc(from.most, sizeof(*from.places)); /* few of these pages are touched */
	from.numbers = calloc(from.most, sizeof(*from.numbers));
	code = from.places && from.numbers ? choose_types(&from, filter, places) : -ENOMEM;
	append(&from.new_strings, "", 1);
	for (size_t i = 0; i < from.nr_numbered && !code; i++) { /* nr_numbered grows meanwhile */
		id = from.numbered[i];
		if (searches)
			note_place(places, (struct type_place){id, from.places[id] - 1});
		code = copy_type(&from, type_at(&from, id));
	}

	if (!code) {
		header.type_len = header.str_off = (uint32_t)from.new_types.nr;
		header.str_len = (uint32_t)from.new_strings.nr;
		append(&whole, &header, sizeof(header));
		if (from.new_types.nr)
			append(&whole, from.new_types.start, from.new_types.nr);
		append(&whole, from.new_strings.start, from.new_strings.nr);
		*extract = whole.start;
		*extract_bytes = whole.nr;
	}
	free(from.places);
	free(from.numbers);
	free(from.numbered);
	free(from.new_types.start);
	free(from.new_strings.start);
	return code;
}
