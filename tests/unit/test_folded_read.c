// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>
#include <string.h>

#include "expect.h"
#include "formats/formats.h"
#include "model.h"

static int read_text(struct recording *recording, const char *text, struct error *err)
{
	const struct read_options options = {0};

	return formats__read(recording, text, strlen(text), &options, err);
}

/* The text after reading and writing it; free() it. */
static char *again(const char *text)
{
	static const struct write_options options;
	struct recording recording;
	char *written = NULL;
	size_t nr_bytes;
	FILE *out;

	if (read_text(&recording, text, NULL))
		return strdup("refused");
	out = open_memstream(&written, &nr_bytes);
	EXPECT_EQ(folded__write(out, &recording, &options), 0);
	fclose(out);
	recording__fini(&recording);
	return written;
}

static void expect_again(const char *text, const char *expected)
{
	char *written = again(text);

	EXPECT_STR(written, expected);
	free(written);
}

static void expect_refused(const char *text, const char *words)
{
	struct recording recording;
	struct error err = {0};
	int code = read_text(&recording, text, &err);

	EXPECT_EQ(code, -EINVAL);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	EXPECT(strstr(err.text, words));
	if (!code)
		recording__fini(&recording);
}

static void test_round_trip(void)
{
	expect_again("a;b;c 5\na;b 3\n", "a;b;c 5\na;b 3\n");
	expect_again("one frame with spaces 5\n", "one frame with spaces 5\n");
	expect_again("a;copy_[k] 2\n", "a;copy_[k] 2\n");
	expect_again("a;run_[j] 2\n", "a;run_[j] 2\n");
	expect_again("a;x\\x3by\\x0a 2\n", "a;x\\x3by\\x0a 2\n");
	expect_again("a;back\\\\slash 2\n", "a;back\\\\slash 2\n");
	expect_again(" 4\n", " 4\n");
	expect_again("\\x23a;b#c 1\n", "\\x23a;b#c 1\n"); /* no comment */
	expect_again(";a;;b; 1\n", ";a;;b; 1\n");
	expect_again("a;[unknown];b 1\n", "a;[unknown];b 1\n");
}

/* A function that is known by its start is written as one, and read as one. */
static void test_starts(void)
{
	struct recording recording;
	const struct frame *frame;

	expect_again("a;libz.so.1@0x4970;b 1\n", "a;libz.so.1@0x4970;b 1\n");
	expect_again("a;@0x4970 1\n", "a;@0x4970 1\n");
	expect_again("a;libz.so.1@0x4970_[k] 1\n", "a;libz.so.1@0x4970_[k] 1\n");
	EXPECT_EQ(read_text(&recording, "libz.so.1@0x4970 1\n", NULL), 0);
	frame = dictionary__frame(profile__dictionary(recording.profile), 0);
	EXPECT(!frame->function && frame->has_start);
	EXPECT_STR(frame->module, "libz.so.1");
	EXPECT_EQ(frame__start(frame), 0x4970);
	recording__fini(&recording);
}

/* A name of every byte there is, by way of the model. */
static void test_every_byte(void)
{
	static const struct write_options options;
	struct recording first, second;
	char name[256], *text = NULL;
	struct model model;
	size_t nr_bytes, nr;
	const uint32_t *frames;
	struct frame frame = {.function = name};
	struct sample sample = {.values = {9, 9}};
	uint32_t id;
	FILE *out;

	for (int i = 1; i < 256; i++)
		name[i - 1] = (char)i;
	name[255] = '\0';
	recording__init(&first);
	model = (struct model){profile__dictionary(first.profile), first.profile};
	id = dictionary__add_frame(model.dictionary, &frame);
	sample.stack = dictionary__add_stack(model.dictionary, &id, 1);
	sample.process = model__process(&model, "", 0);
	profile__add(model.profile, &sample);
	out = open_memstream(&text, &nr_bytes);
	folded__write(out, &first, &options);
	fclose(out);
	EXPECT_EQ(read_text(&second, text, NULL), 0);
	frames = dictionary__stack(profile__dictionary(second.profile),
				   profile__samples(second.profile, &nr)->stack, &nr);
	EXPECT_EQ(nr, 1);
	EXPECT_STR(dictionary__frame(profile__dictionary(second.profile), frames[0])->function,
		   name);
	free(text);
	recording__fini(&first);
	recording__fini(&second);
}

static void test_lenient(void)
{
	expect_again("# a comment\n\na;b 5\r\n", "a;b 5\n");
	expect_again("a;b 5.75\n", "a;b 5\n");
	expect_again("a;b 5", "a;b 5\n");
	expect_again("a;b 2\na;b 3\n", "a;b 5\n");
	expect_again("C:\\xyz;b\\q 1\n", "C:\\\\xyz;b\\\\q 1\n"); /* no escapes */
	expect_again("a 0\n", "a 0\n");
}

static void test_refused(void)
{
	expect_refused("a;b 5\nno count\n", "line 2: no count");
	expect_refused("a;b 5\na -3\n", "line 2: no count");
	expect_refused("a 1\na 18446744073709551616\n", "line 2: no count");
	expect_refused("no count at all\n", "neither a pprof profile nor folded");
	expect_refused("\n\n", "neither");
	expect_refused("{\"a\": 1}\n", "JSON");
}

static void test_deep(void)
{
	char *text = malloc(3 * 5000 + 16);
	size_t nr = (size_t)sprintf(text, "ok 1\n");

	for (int i = 0; i < 5000; i++)
		nr += (size_t)sprintf(text + nr, "a;");
	sprintf(text + nr, "a 1\n");
	expect_refused(text, "line 2: a stack has more than 4,096 frames");
	free(text);
}

/* Words count, and the stacks that they make. */
static void test_memory(void)
{
	struct read_options options = {.max_memory_bytes = 32 << 20};
	struct recording recording;
	struct error err = {0};
	char *text = NULL;
	size_t nr;
	FILE *out = open_memstream(&text, &nr);

	for (int i = 0; i < 20000; i++)
		fprintf(out, "word%d 1\n", i);
	fclose(out);
	EXPECT_EQ(formats__read(&recording, text, nr, &options, &err), 0);
	recording__fini(&recording);
	options.max_memory_bytes = nr + (1 << 20);
	EXPECT_EQ(formats__read(&recording, text, nr, &options, &err), -EFBIG);
	EXPECT_EQ(err.exit_code, EXIT_USAGE);
	free(text);
}

int main(void)
{
	static const struct test tests[] = {
		{"read and written", test_round_trip},
		{"functions known by their start", test_starts},
		{"every byte of a name", test_every_byte},
		{"text of others", test_lenient},
		{"what is refused", test_refused},
		{"a stack without end", test_deep},
		{"memory has a bound", test_memory},
		{0},
	};

	return run_tests("folded_read", tests);
}
