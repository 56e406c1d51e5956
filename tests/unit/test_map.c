// SPDX-License-Identifier: GPL-2.0-only
/* Growing arrays and the hash map. */
#include <stdlib.h>

#include "base/array.h"
#include "base/map.h"
#include "expect.h"

#define NR_ITEMS 1000

static void add_number(struct map *map, uint64_t number)
{
	struct map_number *item = malloc(sizeof(*item));

	*item = map__number(map, number);
	map__add(map, &item->item);
}

static void fill(struct map *map)
{
	map__init_numbers(map, free);
	for (uint64_t i = 0; i < NR_ITEMS; i++)
		add_number(map, i);
}

static void test_found_again(void)
{
	struct map map;

	fill(&map);
	EXPECT_EQ(map__nr_items(&map), NR_ITEMS);
	for (uint64_t i = 0; i < NR_ITEMS; i++) {
		const struct map_number *found = map__find_number(&map, i);

		EXPECT(found && found->number == i);
	}
	EXPECT(!map__find_number(&map, NR_ITEMS));
	EXPECT(map__memory_bytes(&map) >= NR_ITEMS * sizeof(void *));
	map__fini(&map);
	map__fini(&map);
}

static bool is_odd(void *item, void *nr_seen)
{
	++*(size_t *)nr_seen;
	return ((struct map_number *)item)->number % 2;
}

static void test_removed(void)
{
	struct map_number key;
	size_t nr_seen = 0;
	struct map map;

	fill(&map);
	map__visit(&map, is_odd, &nr_seen);
	EXPECT_EQ(nr_seen, NR_ITEMS);
	EXPECT_EQ(map__nr_items(&map), NR_ITEMS / 2);
	EXPECT(map__find_number(&map, 10) && !map__find_number(&map, 11));
	key = map__number(&map, 10);
	map__remove(&map, &key.item);
	map__remove(&map, &key.item);
	EXPECT(!map__find_number(&map, 10));
	map__clear(&map);
	EXPECT_EQ(map__nr_items(&map), 0);
	map__fini(&map);
}

static void test_array_grows(void)
{
	uint32_t *numbers = NULL;
	size_t capacity = 0, nr_moves = 0, before;

	for (uint32_t i = 0; i < NR_ITEMS; i++) {
		before = capacity;
		array__reserve(&numbers, &capacity, i + 1);
		numbers[i] = i;
		nr_moves += capacity != before;
	}
	EXPECT(nr_moves < 10);
	EXPECT_EQ(numbers[NR_ITEMS - 1], NR_ITEMS - 1);
	array__reserve(&numbers, &capacity, 10 * NR_ITEMS);
	EXPECT_EQ(capacity, 10 * NR_ITEMS);
	free(numbers);
}

int main(void)
{
	static const struct test tests[] = {
		{"what was added is found again", test_found_again},
		{"items are removed", test_removed},
		{"an array grows by doubling", test_array_grows},
		{0},
	};

	return run_tests("map", tests);
}
