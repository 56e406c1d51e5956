// SPDX-License-Identifier: GPL-2.0-only
/*
 * Sets are emptied, or make room for others, where the kernel has few maps to give; and generations
 * begin. The kernel is the test: maps are descriptors of memory, and the programs' maps an array.
 */
#include "capture/kernel/generations.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <bpf/bpf.h>
#include <bpf/libbpf.h>

#include "base/clock.h"
#include "capture/host/map_calls.h"
#include "capture/host/skeleton.h"
#include "capture/kernel/raw_stacks.h"
#include "expect.h"
#include "profile/ledger.h"

#define CAPACITY 1024
#define NR_HOMES 2
#define MANY	 5000 /* keys: too many to be deleted one by one */

static char outer[SET_MAPS]; /* their addresses stand for the programs' maps */

static struct {
	int placed[SET_MAPS]; /* of generation 0 */
	uint32_t max_entries; /* more are no map */
	int nr_refused;	      /* updates, those next */
	bool keeps_elements;  /* none is deleted */
} kernel;

int bpf_map_create(enum bpf_map_type type, const char *name, __u32 key_size, __u32 value_size,
		   __u32 max_entries, const struct bpf_map_create_opts *options)
{
	int fd = -1;

	(void)type, (void)key_size, (void)options;
	if (max_entries <= kernel.max_entries)
		fd = memfd_create(name, MFD_CLOEXEC);
	else
		errno = ENOMEM;
	if (fd >= 0 && ftruncate(fd, (off_t)value_size * max_entries))
		abort();
	return fd;
}

int bpf_map__fd(const struct bpf_map *map)
{
	return (int)((const char *)map - outer);
}

int bpf_map_update_elem(int fd, const void *key, const void *value, __u64 flags)
{
	(void)key, (void)flags;
	if (__atomic_fetch_sub(&kernel.nr_refused, 1, __ATOMIC_RELAXED) > 0) {
		errno = ENOMEM;
		return -1;
	}
	memcpy(&kernel.placed[fd], value, sizeof(int));
	return 0;
}

int bpf_map_delete_elem(int fd, const void *key)
{
	(void)key;
	kernel.placed[fd] = -1;
	return 0;
}

int bpf_map_delete_batch(int fd, const void *keys, __u32 *count,
			 const struct bpf_map_batch_opts *options)
{
	(void)fd, (void)keys, (void)count, (void)options;
	errno = EPERM;
	return kernel.keeps_elements ? -1 : 0;
}

struct fixture {
	struct topstacks_bpf skeleton;
	struct topstacks_bpf__bss globals;
	struct map_calls map_calls;
	struct generations generations;
	struct set *set;
};

/*
 * The two sets are of CAPACITY, the first with a key and half full by the programs' count, and
 * memory is for nr_sets of them.
 */
static void open_fixture(struct fixture *fixture, double nr_sets, bool is_timed)
{
	const struct set_shape shape = {
		.capacity = CAPACITY, .max_depth = 127, .nr_homes = NR_HOMES};
	struct bpf_map **maps[SET_MAPS] = {
		&fixture->skeleton.maps.counts, &fixture->skeleton.maps.known,
		&fixture->skeleton.maps.stacks, &fixture->skeleton.maps.slots,
		&fixture->skeleton.maps.logs};

	memset(fixture, 0, sizeof(*fixture));
	fixture->skeleton.bss = &fixture->globals;
	for (int map = 0; map < SET_MAPS; map++)
		*maps[map] = (struct bpf_map *)&outer[map];
	kernel.max_entries = UINT32_MAX;
	kernel.nr_refused = 0;
	kernel.keeps_elements = false;
	generations__init(&fixture->generations, shape.max_depth,
			  (size_t)(nr_sets * (double)set_shape__bytes(&shape)),
			  &fixture->map_calls);
	fixture->generations.first_shape.nr_homes = NR_HOMES;
	fixture->generations.is_timed = fixture->generations.carries_stacks = is_timed;
	EXPECT_EQ(generations__open(&fixture->generations, 99, NULL), 0);
	generations__install(&fixture->generations, &fixture->skeleton);
	EXPECT_EQ(generations__await(&fixture->generations, NULL), 0);
	fixture->set = &fixture->generations.sets[0];
	EXPECT_EQ(fixture->set->shape.capacity, CAPACITY);
	fixture->set->nr_used[SET_COUNTS] = CAPACITY;
	fixture->set->blocks[0].slots[3] = (struct count_slot){.key.process = 7, .is_taken = 1};
	for (int map = 0; map < SET_MAPS; map++)
		kernel.placed[map] = fixture->set->maps[map];
}

/* The maps in the programs' hands are those that will be drained. */
static void expect_in_place(const struct fixture *fixture)
{
	for (int map = 0; map < SET_MAPS; map++)
		EXPECT_EQ(kernel.placed[map], fixture->set->maps[map]);
}

/*
 * Renews the set with maps of so many entries at most (0: any), and so many updates refused;
 * capacity is that of the set then, 0: none.
 */
static void renew(struct fixture *fixture, uint32_t max_entries, int nr_refused, uint32_t capacity)
{
	if (max_entries)
		kernel.max_entries = max_entries;
	kernel.nr_refused = nr_refused;
	generations__renew(&fixture->generations, 0);
	EXPECT_EQ(set__is_open(fixture->set), capacity != 0);
	EXPECT_EQ(fixture->set->shape.capacity, capacity ?: CAPACITY);
}

static void test_resized(void)
{
	static const struct {
		uint32_t max_entries; /* 0: any */
		int nr_refused;
		uint32_t capacity; /* then; 0: there is none */
		bool is_old;	   /* the set is still in use */
	} rows[] = {
		{0, 0, 2 * CAPACITY, false},
		{1, 0, CAPACITY, true},
		{0, 1, CAPACITY, true},
		{0, SET_MAPS, CAPACITY, true},
		{0, SET_MAPS + 1, CAPACITY, false}, /* nor the old one again */
		{0, 3 * SET_MAPS, 0, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture fixture;

		open_fixture(&fixture, 6, false); /* for a third set of twice the size */
		renew(&fixture, rows[i].max_entries, rows[i].nr_refused, rows[i].capacity);
		EXPECT_EQ(fixture.set->nr_used[SET_COUNTS], rows[i].is_old ? CAPACITY : 0);
		expect_in_place(&fixture);
		generations__close(&fixture.generations);
	}
}

/* A set that is as large as can be: few keys are deleted, and for many there are fresh maps. */
static void test_emptied(void)
{
	static const struct {
		uint64_t nr_keys;
		bool keeps_elements;
		uint32_t max_entries; /* 0: any */
		int nr_refused;
		uint32_t capacity; /* then; 0: there is none */
		int nr_fresh;	   /* maps of the set that are others then */
		bool is_short;	   /* of memory for other maps of keys */
	} rows[] = {
		{MANY, false, 1, SET_MAPS, CAPACITY, 0, true},
		{CAPACITY, false, 0, 0, CAPACITY, 0, false},
		{CAPACITY, false, 1, SET_MAPS, CAPACITY, 0, false}, /* it needs no map */
		{MANY, true, 0, 0, CAPACITY, SET_KEY_MAPS, false},
		/* otherwise the set goes first, and one that can be had comes */
		{CAPACITY, true, 0, 0, CAPACITY, SET_MAPS, false},
		{CAPACITY, true, CAPACITY, 0, CAPACITY / 2, SET_MAPS, false},
		{CAPACITY, true, 1, 0, 0, SET_MAPS, false},
		{CAPACITY, true, 0, 1, 0, SET_MAPS, false},
		{MANY, false, CAPACITY, 0, CAPACITY / 2, SET_MAPS, false},
		{MANY, false, 0, 1, CAPACITY, SET_MAPS, false},
		{MANY, false, 0, SET_KEY_MAPS, CAPACITY, SET_MAPS, false},
		{MANY, false, 0, SET_KEY_MAPS + 1, 0, SET_MAPS, false},
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct fixture fixture;
		ino_t before[SET_MAPS];
		struct stat now;
		int nr_fresh = 0;

		open_fixture(&fixture, rows[i].is_short ? 2 : 2.5, false);
		for (int map = 0; map < SET_MAPS; map++)
			before[map] = fstat(fixture.set->maps[map], &now) ? 0 : now.st_ino;
		fixture.set->nr_used[SET_KNOWN] = rows[i].nr_keys;
		kernel.keeps_elements = rows[i].keeps_elements;
		renew(&fixture, rows[i].max_entries, rows[i].nr_refused, rows[i].capacity);
		EXPECT_EQ(fixture.set->nr_used[SET_COUNTS], 0);
		EXPECT_EQ(fixture.globals.session.stores[0].nr_blocks, NR_HOMES);
		if (set__is_open(fixture.set))
			EXPECT_EQ(fixture.set->blocks[0].slots[3].is_taken, 0);
		for (int map = 0; map < SET_MAPS; map++)
			nr_fresh +=
				fstat(fixture.set->maps[map], &now) || now.st_ino != before[map];
		EXPECT_EQ(nr_fresh, rows[i].nr_fresh);
		expect_in_place(&fixture);
		generations__close(&fixture.generations);
	}
}

/*
 * The drain of a missing set finds nothing, and puts a set in its place as soon as one can be had.
 */
static void test_missing(void)
{
	struct ledger ledger = {0};
	struct fixture fixture;

	open_fixture(&fixture, 2, false);
	kernel.keeps_elements = true;
	kernel.max_entries = 0;
	for (int i = 0; i < 2; i++) {
		generations__renew(&fixture.generations, 0);
		EXPECT(!set__is_open(fixture.set));
		EXPECT_EQ(set__drain(fixture.set, &(struct capture_sink){0}, &ledger, 1), 0);
	}
	kernel.max_entries = UINT32_MAX;
	generations__renew(&fixture.generations, 0);
	EXPECT(set__is_open(fixture.set));
	EXPECT_EQ(fixture.set->shape.capacity, CAPACITY);
	expect_in_place(&fixture);
	generations__close(&fixture.generations);
}

/*
 * Programs that go by the clock are told of a change before its time, and of the generation that is
 * not settled yet.
 */
static void test_timed(void)
{
	struct program_session *session;
	struct fixture fixture;
	uint64_t before_ns, begin_ns, last_ns, flip_ns;

	open_fixture(&fixture, 3, true);
	EXPECT(fixture.generations.tables.carried != NULL);
	session = &fixture.globals.session;
	session->open_generation = NO_GENERATION;
	before_ns = monotonic_ns();
	begin_ns = generations__begin(&fixture.generations);
	EXPECT(begin_ns > before_ns);
	EXPECT(begin_ns <= monotonic_ns());
	EXPECT_EQ(session->begin_ns, begin_ns);
	EXPECT_EQ(session->flip_ns[0], begin_ns);
	EXPECT_EQ(session->flip_ns[1], 0);
	EXPECT_EQ(session->open_generation, 1); /* the one before */
	last_ns = begin_ns;
	for (uint32_t i = 0; i < 4; i++) {
		before_ns = monotonic_ns();
		EXPECT_EQ(generations__flip(&fixture.generations, &flip_ns), i & 1);
		EXPECT(flip_ns > before_ns);
		EXPECT(flip_ns <= monotonic_ns());
		EXPECT_EQ(session->flip_ns[~i & 1], flip_ns);
		EXPECT_EQ(session->flip_ns[i & 1], last_ns);
		EXPECT_EQ(session->open_generation, i & 1);
		EXPECT_EQ(session->begin_ns, begin_ns);
		EXPECT_EQ(generations__current(&fixture.generations), ~i & 1);
		EXPECT_EQ(fixture.generations.sets[~i & 1].since_ns, flip_ns);
		last_ns = flip_ns;
	}
	generations__close(&fixture.generations);
}

/* Other programs change generations at once, and there is no wait. */
static void test_not_timed(void)
{
	struct program_session *session;
	struct fixture fixture;
	uint64_t before_ns, flip_ns;

	open_fixture(&fixture, 3, false);
	EXPECT(fixture.generations.tables.carried == NULL);
	session = &fixture.globals.session;
	EXPECT(generations__begin(&fixture.generations) <= monotonic_ns());
	before_ns = monotonic_ns();
	EXPECT_EQ(generations__flip(&fixture.generations, &flip_ns), 0);
	EXPECT(before_ns <= flip_ns && flip_ns <= monotonic_ns());
	EXPECT_EQ(generations__current(&fixture.generations), 1);
	EXPECT_EQ(session->begin_ns, 0);
	EXPECT_EQ(session->flip_ns[0], 0);
	EXPECT_EQ(session->flip_ns[1], 0);
	generations__close(&fixture.generations);
}

int main(void)
{
	static const struct test tests[] = {
		{"a set that cannot be replaced stays in use, or goes first", test_resized},
		{"a set is emptied, or goes first", test_emptied},
		{"where there is none, one is made with the next drain", test_missing},
		{"programs that go by the clock are told before", test_timed},
		{"others change at once", test_not_timed},
		{0},
	};

	return run_tests("generations", tests);
}
