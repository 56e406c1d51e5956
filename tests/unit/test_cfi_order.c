// SPDX-License-Identifier: GPL-2.0-only
/* FDEs in order of address, wherever in 32 bits their addresses differ. */
#include <stdint.h>
#include <stdlib.h>

#include "expect.h"
#include "unwind/cfi.h"

#define NR     50021 /* a prime, so that steps of any width come by each place once */
#define STRIDE 12347

/* The FDE whose place is known, with a number to know it by. */
static struct cfi_fde make_fde(uint32_t place, uint32_t step)
{
	/* Two of them begin together. */
	const uint32_t start = place / 2 * step;

	return (struct cfi_fde){
		.start = start, .end = start + 1 + place % 2 * step, .program_bytes = place};
}

static size_t nr_misplaced(uint32_t step)
{
	struct cfi_records records = {.fdes = calloc(NR, sizeof(*records.fdes)), .nr_fdes = NR};
	size_t nr = 0;

	for (uint32_t i = 0; i < NR; i++)
		records.fdes[i] = make_fde((uint32_t)((uint64_t)i * STRIDE % NR), step);
	EXPECT_EQ(cfi_records__sort(&records), 0);
	for (uint32_t i = 0; i < NR; i++)
		nr += records.fdes[i].program_bytes != i ||
		      records.fdes[i].end != make_fde(i, step).end;
	cfi_records__fini(&records);
	return nr;
}

static void test_places(void)
{
	EXPECT_EQ(nr_misplaced(1), 0);
	EXPECT_EQ(nr_misplaced(16), 0);
	EXPECT_EQ(nr_misplaced(171717), 0); /* up to the highest bits */
}

static void test_few(void)
{
	struct cfi_records records = {0};

	EXPECT_EQ(cfi_records__sort(&records), 0);
	EXPECT_EQ(cfi_records__add_cie(&records, &(struct cfi_cie){0}), 0);
	EXPECT_EQ(cfi_records__sort(&records), 0);
	cfi_records__fini(&records);
}

int main(void)
{
	static const struct test tests[] = {
		{"each FDE at its place", test_places},
		{"none", test_few},
		{0},
	};

	return run_tests("cfi_order", tests);
}
