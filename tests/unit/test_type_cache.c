// SPDX-License-Identifier: GPL-2.0-only
/*
 * The cache of places: an extract that is made by it equals one that was searched for, and a file
 * with any other contents, or at the wrong place, is noticed.
 */
#include "expect.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

#include <bpf/btf.h>
#include <linux/btf.h>

#include "capture/host/kernel_types.h"

#define WANTED 0x1234

struct made {
	struct type_places places;
	void *extract;
	size_t bytes;
	uint32_t hook; /* the last number that the filter saw of the hook */
};

static enum type_use choose(void *context, unsigned int kind, const char *name, uint32_t id)
{
	struct made *made = context;

	if (kind == BTF_KIND_FUNC && !strcmp(name, "hook")) {
		made->hook = id;
		return TYPE_NOTED;
	}
	return kind == BTF_KIND_STRUCT && !strcmp(name, "twice") ? TYPE_COPIED : TYPE_IGNORED;
}

/* Types with two structs of a name, which differ, and two hooks of a name. */
static struct btf *make_types(bool with_more)
{
	struct btf *types = btf__new_empty();
	const int number = btf__add_int(types, "int", 4, BTF_INT_SIGNED);
	int inner, array, prototype;

	if (with_more)
		btf__add_int(types, "long", 8, BTF_INT_SIGNED);
	inner = btf__add_struct(types, "inner", 16);
	btf__add_field(types, "a", number, 64, 0);
	array = btf__add_array(types, number, inner, 3);
	prototype = btf__add_func_proto(types, 0);
	btf__add_func(types, "hook", BTF_FUNC_STATIC, prototype);
	btf__add_struct(types, "twice", 48);
	btf__add_field(types, "inners", array, 0, 0);
	btf__add_func(types, "other", BTF_FUNC_STATIC, prototype);
	btf__add_struct(types, "twice", 8);
	btf__add_field(types, "later", number, 32, 0);
	btf__add_func(types, "hook", BTF_FUNC_STATIC, prototype);
	return types;
}

static int make(const struct btf *types, struct made *made)
{
	const struct type_filter filter = {choose, made};
	uint32_t size;
	const void *bytes = btf__raw_data(types, &size);

	return type_extract__make(bytes, size, &filter, &made->places, &made->extract,
				  &made->bytes);
}

static void forget(struct made *made)
{
	free(made->places.list);
	free(made->extract);
}

static uint64_t sum_over(const struct made *made)
{
	return type_cache__sum(&made->places, made->extract, made->bytes);
}

/* Makes an extract by a search, and writes its places. */
static void keep(const struct btf *types, struct made *made)
{
	struct type_cache cache;

	*made = (struct made){0};
	EXPECT_EQ(make(types, made), 0);
	type_cache__open(&cache, WANTED);
	EXPECT(cache.directory >= 0);
	type_cache__write(&cache, &made->places, sum_over(made));
	type_cache__close(&cache);
}

/* Makes an extract by the cache. False: the cache has none, or it shows that its places are wrong. */
static bool make_again(const struct btf *types, struct made *made)
{
	struct type_cache cache;
	uint64_t sum;
	bool is_read;

	*made = (struct made){0};
	type_cache__open(&cache, WANTED);
	is_read = type_cache__read(&cache, &made->places, &sum);
	type_cache__close(&cache);
	return is_read && !make(types, made) && sum_over(made) == sum;
}

static bool is_used(const struct btf *types)
{
	struct made made;
	const bool is = make_again(types, &made);

	forget(&made);
	return is;
}

/* The only file of the cache. */
static const char *file_path(void)
{
	static char path[512];
	struct type_cache cache;

	type_cache__open(&cache, WANTED);
	snprintf(path, sizeof(path), "%s/%s", scratch_path("cache/topstacks"), cache.name);
	type_cache__close(&cache);
	return path;
}

static void test_again(void)
{
	struct btf *types = make_types(false);
	struct made searched, again;
	struct stat status;

	EXPECT(!is_used(types));
	keep(types, &searched);
	EXPECT_EQ(searched.hook, btf__type_cnt(types) - 1);
	EXPECT(make_again(types, &again));
	EXPECT_EQ(again.hook, searched.hook);
	EXPECT_EQ(again.bytes, searched.bytes);
	EXPECT(again.bytes == searched.bytes &&
	       !memcmp(again.extract, searched.extract, again.bytes));
	EXPECT(!stat(file_path(), &status));
	EXPECT_EQ(status.st_mode & 07777, 0600);
	forget(&searched);
	forget(&again);
	btf__free(types);
}

/* The file of one kernel under the name of another: types are at other places. */
static void test_other_kernel(void)
{
	struct btf *types = make_types(false), *others = make_types(true);
	struct made made;

	keep(types, &made);
	forget(&made);
	EXPECT(is_used(types));
	EXPECT(!is_used(others));
	btf__free(others);
	btf__free(types);
}

/* Each byte changed, and each length: noticed, as is a file that is too large. */
static void test_damage(void)
{
	struct btf *types = make_types(false);
	struct made made;
	struct stat status;
	unsigned char byte;
	off_t at;
	int fd;

	keep(types, &made);
	forget(&made);
	fd = open(file_path(), O_RDWR);
	EXPECT(fd >= 0 && !fstat(fd, &status) && status.st_size > 64);
	for (at = 0; at < status.st_size; at++)
		for (int bit = 0; bit < 8; bit++) {
			EXPECT_EQ(pread(fd, &byte, 1, at), 1);
			byte ^= (unsigned char)(1 << bit);
			EXPECT_EQ(pwrite(fd, &byte, 1, at), 1);
			EXPECT(!is_used(types));
			byte ^= (unsigned char)(1 << bit);
			EXPECT_EQ(pwrite(fd, &byte, 1, at), 1);
		}
	EXPECT(is_used(types));
	for (at = status.st_size - 1; at >= 0; at--) {
		EXPECT_EQ(ftruncate(fd, at), 0);
		EXPECT(!is_used(types));
	}
	EXPECT_EQ(ftruncate(fd, 1LL << 40), 0);
	EXPECT(!is_used(types));
	close(fd);
	btf__free(types);
}

/* A file that others may have written is not used, nor is one that is no file. */
static void test_places(void)
{
	static const char *const places[] = {
		"mv $F real && ln -s $PWD/real $F",
		"rm $F && mkfifo $F",
		"rm $F && mkdir $F",
		"chmod 620 $F",
		"chmod 602 $F",
		"chmod 777 cache/topstacks",
	};
	struct btf *types = make_types(false);
	struct made made;

	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		scratch_run("rm -rf cache");
		keep(types, &made);
		forget(&made);
		EXPECT(is_used(types));
		scratch_run("F=%s; %s", file_path(), places[i]);
		EXPECT(!is_used(types));
	}
	setenv("XDG_CACHE_HOME", "relative", 1);
	setenv("HOME", "", 1);
	EXPECT(!is_used(types));
	setenv("XDG_CACHE_HOME", scratch_path("cache"), 1);
	if (geteuid()) {
		btf__free(types);
		return;
	}
	for (int theirs = 0; theirs < 2; theirs++) {
		scratch_run("rm -rf cache");
		keep(types, &made);
		forget(&made);
		scratch_run("chown 65534 %s", theirs ? file_path() : "cache/topstacks");
		EXPECT(!is_used(types));
	}
	btf__free(types);
}

/* A large type that is said to be at the place of many is not copied so many times. */
static void test_overlap(void)
{
	struct btf *types = btf__new_empty();
	struct made made = {0};
	uint32_t offset;

	btf__add_int(types, "int", 4, BTF_INT_SIGNED);
	btf__add_struct(types, "twice", 4);
	for (int i = 0; i < 60000; i++)
		btf__add_field(types, "member", 1, 0, 0);
	EXPECT_EQ(make(types, &made), 0);
	offset = made.places.list[0].offset;
	free(made.extract);
	made.extract = NULL;
	array__reserve(&made.places.list, &made.places.capacity, 1000);
	for (made.places.nr = 0; made.places.nr < 1000; made.places.nr++)
		made.places.list[made.places.nr] =
			(struct type_place){(uint32_t)made.places.nr + 1, offset};
	EXPECT_EQ(make(types, &made), -EINVAL);
	forget(&made);
	btf__free(types);
}

int main(void)
{
	static const struct test tests[] = {
		{"an extract is made again", test_again},
		{"another kernel", test_other_kernel},
		{"damage is noticed", test_damage},
		{"files that others may have written", test_places},
		{"types do not overlap", test_overlap},
		{0},
	};

	scratch_create();
	setenv("XDG_CACHE_HOME", scratch_path("cache"), 1);
	return run_tests("type_cache", tests);
}
