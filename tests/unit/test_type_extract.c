// SPDX-License-Identifier: GPL-2.0-only
/*
 * Extracts of types: offsets are those of the whole, targets of pointers are void, damage is
 * refused.
 */
#include "expect.h"

#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <bpf/btf.h>
#include <linux/btf.h>

#include "capture/host/kernel_types.h"

/*
 * struct inner { long value; };
 * struct outer { int first; const inner_t pair[2]; enum color color; struct other *other; }
 * of 40 bytes
 */
static struct btf *make_types(void)
{
	struct btf *types = btf__new_empty();
	const int number = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
	const int wide = btf__add_int(types, "long", 8, BTF_INT_SIGNED);
	int inner, alias, fixed, pair, color, other, pointer;

	other = btf__add_struct(types, "other", 4);
	btf__add_field(types, "unused", number, 0, 0);
	pointer = btf__add_ptr(types, other);
	inner = btf__add_struct(types, "inner", 8);
	btf__add_field(types, "value", wide, 0, 0);
	alias = btf__add_typedef(types, "inner_t", inner);
	fixed = btf__add_const(types, alias);
	pair = btf__add_array(types, number, fixed, 2);
	color = btf__add_enum(types, "color", 4);
	btf__add_enum_value(types, "RED", 0);
	btf__add_func(types, "paint", BTF_FUNC_STATIC,
		      btf__add_func_proto(types, number)); /* between others, and never wanted */
	btf__add_struct(types, "outer", 40);
	btf__add_field(types, "first", number, 0, 0);
	btf__add_field(types, "pair", pair, 64, 0);
	btf__add_field(types, "color", color, 192, 0);
	btf__add_field(types, "other", pointer, 256, 0);
	return types;
}

static enum type_use is_outer(void *context, unsigned int kind, const char *name, uint32_t id)
{
	*(uint32_t *)context += id;
	return kind == BTF_KIND_STRUCT && !strcmp(name, "outer") ? TYPE_COPIED : TYPE_IGNORED;
}

static enum type_use is_function(void *context, unsigned int kind, const char *name, uint32_t id)
{
	(void)context, (void)name, (void)id;
	return kind == BTF_KIND_FUNC ? TYPE_COPIED : TYPE_IGNORED;
}

static int extract_outer(const void *bytes, size_t nr_bytes, void **extract, size_t *extract_bytes)
{
	uint32_t sum = 0;
	const struct type_filter filter = {is_outer, &sum};
	struct type_places places = {0};
	const int code =
		type_extract__make(bytes, nr_bytes, &filter, &places, extract, extract_bytes);

	free(places.list);
	return code;
}

static void test_members(void)
{
	struct btf *whole = make_types(), *small;
	const struct btf_member *members;
	const struct btf_type *outer, *fixed;
	const struct btf_array *pair;
	size_t extract_bytes = 0;
	void *extract = NULL;
	const void *bytes;
	uint32_t size;

	bytes = btf__raw_data(whole, &size);
	EXPECT_EQ(extract_outer(bytes, size, &extract, &extract_bytes), 0);
	small = btf__new(extract, (uint32_t)extract_bytes);
	EXPECT(small);
	if (small) {
		EXPECT(btf__find_by_name(small, "paint") < 0);
		EXPECT(btf__find_by_name(small, "other") < 0);
		EXPECT_EQ(btf__find_by_name_kind(small, "outer", BTF_KIND_STRUCT), 1);
		outer = btf__type_by_id(small, 1);
		members = btf_members(outer);
		EXPECT_EQ(outer->size, 40);
		EXPECT_EQ(btf_vlen(outer), 4);
		EXPECT_STR(btf__name_by_offset(small, members[1].name_off), "pair");
		EXPECT_EQ(members[1].offset, 64);
		EXPECT_EQ(btf__resolve_size(small, members[1].type), 16);
		pair = btf_array(btf__type_by_id(small, members[1].type));
		EXPECT_EQ(pair->nelems, 2);
		fixed = btf__type_by_id(small, pair->type);
		EXPECT_EQ(btf_kind(fixed), BTF_KIND_CONST);
		EXPECT_EQ(btf_kind(btf__type_by_id(small, fixed->type)), BTF_KIND_TYPEDEF);
		EXPECT(btf__find_by_name_kind(small, "inner", BTF_KIND_STRUCT) > 0);
		EXPECT_EQ(btf__type_by_id(small, members[2].type)->size, 4);
		EXPECT_EQ(btf_kind(btf__type_by_id(small, members[3].type)), BTF_KIND_PTR);
		EXPECT_EQ(btf__type_by_id(small, members[3].type)->type, 0);
	}
	btf__free(small);
	btf__free(whole);
	free(extract);
}

/* Each type that has a name is shown once. */
static void test_shown(void)
{
	struct btf *whole = make_types();
	uint32_t sum = 0, expected = 0, id, size;
	const struct type_filter filter = {is_outer, &sum};
	struct type_places places = {0};
	size_t extract_bytes;
	void *extract = NULL;
	const void *bytes = btf__raw_data(whole, &size);

	for (id = 1; id < btf__type_cnt(whole); id++)
		expected += btf__type_by_id(whole, id)->name_off ? id : 0;
	EXPECT_EQ(type_extract__make(bytes, size, &filter, &places, &extract, &extract_bytes), 0);
	EXPECT_EQ(sum, expected);
	free(extract);
	free(places.list);
	btf__free(whole);
}

/* Cut anywhere, or with any of its words changed, it is refused or makes some extract. */
static void test_damage(void)
{
	const struct type_filter functions = {is_function, NULL};
	struct btf *whole = make_types();
	struct type_places places = {0};
	size_t extract_bytes, i;
	void *extract = NULL;
	uint32_t size, word = 0xfffffff0;
	const void *bytes = btf__raw_data(whole, &size);
	char *copy;

	EXPECT_EQ(type_extract__make(bytes, size, &functions, &places, &extract, &extract_bytes),
		  -EINVAL);
	free(places.list);
	for (i = 0; i < size; i++) {
		copy = malloc(i ? i : 1); /* its end is watched by sanitizers */
		memcpy(copy, bytes, i);
		EXPECT_EQ(extract_outer(copy, i, &extract, &extract_bytes), -EINVAL);
		free(copy);
	}
	for (i = 0; i + sizeof(word) <= size; i += sizeof(word)) {
		copy = malloc(size);
		memcpy(copy, bytes, size);
		memcpy(copy + i, &word, sizeof(word));
		if (!extract_outer(copy, size, &extract, &extract_bytes))
			free(extract);
		free(copy);
	}
	btf__free(whole);
}

int main(void)
{
	static const struct test tests[] = {
		{"members are where they were", test_members},
		{"each named type is shown", test_shown},
		{"damage is refused", test_damage},
		{0},
	};

	return run_tests("type_extract", tests);
}
