// SPDX-License-Identifier: GPL-2.0-only
/*
 * Finding source lines may take too long: only a user who asked for lines is told that they are
 * missing.
 */
#include "actions/source_lines.h"
#include "lines_program.h"
#include "model.h"
#include "profile/recording.h"

/* Stores in said the message of annotator__complete() if it has no time at all. */
static void complete(enum lines_telling telling, char *said, size_t size)
{
	const struct lines_options options = {0};
	struct lines *lines = new_lines(&options);
	const struct frame frame = {.function = "main",
				    .module = "program",
				    .path = scratch_path("program"),
				    .build_id = "abcdef0123456789",
				    .address = address_of("here", "program")};
	struct recording recording;
	const int before = dup(STDERR_FILENO);
	FILE *file = tmpfile();
	struct model model;
	uint32_t id;

	recording__init(&recording);
	model = (struct model){profile__dictionary(recording.profile), recording.profile};
	id = dictionary__add_frame(model.dictionary, &frame);
	profile__add(model.profile,
		     &(struct sample){.process = model__process(&model, "program", 1),
				      .stack = dictionary__add_stack(model.dictionary, &id, 1),
				      .values = {1, 1}});
	fflush(stderr);
	dup2(fileno(file), STDERR_FILENO);
	annotator__complete(lines, &recording, 0, telling);
	fflush(stderr);
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(file);
	said[fread(said, 1, size - 1, file)] = '\0';
	fclose(file);
	recording__fini(&recording);
	lines__free(lines);
}

static void test_missing(void)
{
	char said[512];

	scratch_run("gcc -O2 -no-pie -g -Wl,--build-id=0xabcdef0123456789 -o program program.c");
	complete(TELL_ALL, said, sizeof(said));
	EXPECT(strstr(said, "no source lines of 1 address, as finding them took too long"));
	complete(TELL_OF_FILES, said, sizeof(said));
	EXPECT_STR(said, "");
	complete(TELL_NOTHING, said, sizeof(said));
	EXPECT_STR(said, "");
}

int main(void)
{
	static const struct test tests[] = {
		{"that there was no time for", test_missing},
		{0},
	};

	return run_lines_tests("missing_lines", tests);
}
