// SPDX-License-Identifier: GPL-2.0-only
/*
 * A file's drop_frames and keep_frames remove frames of its stacks as pprof's documentation and
 * prune.go have it.
 */
#include "profile/select/prune.h"

#include <errno.h>
#include <string.h>

#include "expect.h"
#include "formats/formats.h"
#include "message.h"

enum { SAMPLES = 1, COUNT, DROP, KEEP, NAMES };

static const char *const names[] = {"main",   "user",
				    "malloc", "ns::Alloc(int)",
				    "helper", "(anonymous namespace)::operator()(x)",
				    ".entry", NULL};

/* A location for each name, from 1 on; then 8: helper, inlined into malloc, inlined into user. */
static struct message file_of(const char *drop, const char *keep)
{
	const char *const strings[] = {"", "samples", "count", drop, keep, NULL};
	struct message file = {.nr = 0}, part = numbers(SAMPLES, COUNT, 0);
	struct message nested = numbers(8, 0, 0);

	put(&file, 1, &part);
	put_strings(&file, strings);
	put_strings(&file, names);
	for (uint64_t i = 1; i < sizeof(names) / sizeof(names[0]); i++) {
		const struct message line = numbers(i, 0, 0);

		part = numbers(i, NAMES + i - 1, 0);
		put(&file, 5, &part);
		part = numbers(i, 0, 0);
		put(&part, 4, &line);
		put(&file, 4, &part);
	}
	for (const char *inlined = "\5\3\2"; *inlined; inlined++) {
		part = numbers((uint64_t)*inlined, 0, 0);
		put(&nested, 4, &part);
	}
	put(&file, 4, &nested);
	put_number(&file, 7, DROP);
	put_number(&file, 8, KEEP);
	return file;
}

static const char *names_of(const struct recording *recording)
{
	static char text[512];
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	size_t nr, at = 0;
	const uint32_t *frames = dictionary__stack(
		dictionary, profile__samples(recording->profile, &nr)[0].stack, &nr);

	text[0] = '\0';
	for (size_t i = 0; i < nr; i++)
		at += (size_t)snprintf(text + at, sizeof(text) - at, "%s%s%s", i ? " " : "",
				       dictionary__frame(dictionary, frames[i])->function,
				       dictionary__frame(dictionary, frames[i])->inlined ? "~"
											 : "");
	return text;
}

/* Expects that of locations, leaf first, these names are left: inlined ones with ~. */
static void expect_left(const char *drop, const char *keep, const char *locations, const char *left)
{
	struct message file = file_of(drop, keep), sample = {.nr = 0};
	const struct read_options options = {0};
	struct recording recording;
	uint64_t pruned = 0;

	for (; *locations; locations++)
		put_number(&sample, 1, (uint64_t)(*locations - '0'));
	put_number(&sample, 2, 7);
	put(&file, 2, &sample);
	EXPECT_EQ(formats__read(&recording, file.at, file.nr, &options, NULL), 0);
	EXPECT_EQ(recording__prune(&recording, &pruned), 0);
	EXPECT_STR(names_of(&recording), left);
	EXPECT_EQ(profile__total(recording.profile, VALUE_COUNT), 7);
	EXPECT(pruned == 0 || pruned == 7);
	recording__fini(&recording);
}

static void test_drops(void)
{
	expect_left("", "", "5321", "helper malloc user main");
	expect_left("malloc", "", "5321", "user main");
	expect_left("alloc", "", "5321", "helper malloc user main"); /* whole names */
	expect_left("m.*|helper", "", "5321", "user main");	     /* the root stays */
	expect_left("m.*", "main|malloc", "5321", "helper malloc user main");
	expect_left(".*", "user", "5321", "user main");
	expect_left(".*", "", "5321", "helper malloc user main"); /* else nothing would be left */
	expect_left("user", "", "53232", "malloc user");	  /* but not the root */
	expect_left("malloc", "", "53232", "user");		  /* the outermost one */
}

static void test_simplifies(void)
{
	expect_left("ns::Alloc", "", "421", "user main");
	expect_left("\\(anonymous namespace\\)::operator\\(\\)", "", "621", "user main");
	expect_left("entry", "", "721", "user main");
}

static void test_inlined(void)
{
	expect_left("helper", "", "81", "malloc~ user main");
	expect_left("malloc", "", "81", "user main");
	expect_left("user", "", "81", "main");
	expect_left("malloc", "", "58", "helper user");
	expect_left("user", "", "58", "helper helper~ malloc~ user");
}

static void test_refuses(void)
{
	const struct message file = file_of("(", "");
	const struct read_options options = {0};
	struct recording recording;
	uint64_t pruned = 0;

	EXPECT_EQ(formats__read(&recording, file.at, file.nr, &options, NULL), 0);
	EXPECT_EQ(recording__prune(&recording, &pruned), -EINVAL);
	EXPECT_EQ(recording__prune(&recording, &pruned), 0); /* told once */
	recording__fini(&recording);
}

int main(void)
{
	static const struct test tests[] = {
		{"what is left of stacks", test_drops},
		{"names without arguments", test_simplifies},
		{"what is inlined", test_inlined},
		{"no expressions", test_refuses},
		{0},
	};

	return run_tests("prune", tests);
}
