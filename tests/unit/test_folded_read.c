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
	expect_again("a;b 5", "a;b 5\n");
	expect_again("a;b 2\na;b 3\n", "a;b 5\n");
	expect_again("a;b\t5\na 2 \n", "a;b 5\na 2\n");
	expect_again("# mode: wall\n#\n#no count\n#new;b 5\n", "\\x23new;b 5\n");
	expect_again("C:\\xyz;b\\q 1\n", "C:\\\\xyz;b\\\\q 1\n"); /* no escapes */
	expect_again("a 0\n", "a 0\n");
}

static void test_refused(void)
{
	expect_refused("a;b 5\nno count\n", "line 2: no count");
	expect_refused("a;b 5\na -3\n", "line 2: its count is below 0");
	expect_refused("a;b -3\na 5\n", "line 1: its count is below 0");
	expect_refused("a 1\na 18446744073709551616\n", "line 2: its count is above 2^64 - 1");
	expect_refused("a 1\na 1e30\n", "line 2: its count is above 2^64 - 1");
	expect_refused("a 1\nb 18446744073709551615\n", "line 2: counts up to here");
	expect_refused("a 1e-20\n", "line 1: its count is below 10^-18");
	expect_refused("a 1\nb 1e\n", "line 2: no count");
	expect_refused("no count at all\n", "neither a pprof profile nor folded");
	expect_refused("\n\n", "neither");
	expect_refused("{\"a\": 1}\n", "JSON");
}

/* Numbers as flamegraph.pl takes them, and as scripts write them, add up exactly. */
static void test_fractions(void)
{
	struct recording recording;
	const struct metric *shown;

	expect_again("a;b 0.25\na;c 0.75\n", "a;c 0.75\na;b 0.25\n");
	expect_again("a 0.1\na 0.2\n", "a 0.3\n");
	expect_again("a 5.00\nb 5.\nc 4\n", "a 5\nb 5\nc 4\n");
	expect_again("a 2.5e-3\nb 1E+2\nc 1e2\n", "b 100\nc 100\na 0.0025\n");
	expect_again("a 0.333333333333333333333333\nb 1000\n", "b 1000\na 0.333333333333333\n");
	expect_again("a 0\nb 0.0\n", "a 0\nb 0\n");
	EXPECT_EQ(read_text(&recording, "a;b 0.25\na;c 0.75\n", NULL), 0);
	shown = metrics__shown(profile__metrics(recording.profile));
	EXPECT_EQ(profile__shown_total(recording.profile), 100);
	EXPECT_STR(shown->unit, "/100 count");
	EXPECT(!shown->is_events);
	recording__fini(&recording);
	EXPECT_EQ(read_text(&recording, "a;b 1.0\n", NULL), 0);
	EXPECT(metrics__shown(profile__metrics(recording.profile))->is_events);
	recording__fini(&recording);
}

static void expect_sum(const char *a, const char *b, uint64_t sum, const char *unit)
{
	struct recording first, second;

	EXPECT_EQ(read_text(&first, a, NULL) | read_text(&second, b, NULL), 0);
	recording__align_decimals(&first, &second);
	EXPECT_EQ(recording__merge(&first, &second, NULL), 0);
	EXPECT_EQ(profile__shown_total(first.profile), sum);
	EXPECT_STR(metrics__shown(profile__metrics(first.profile))->unit, unit);
	recording__fini(&first);
	recording__fini(&second);
}

/* Files of different decimals. */
static void test_sums(void)
{
	expect_sum("a 3\n", "a 0.25\n", 325, "/100 count");
	expect_sum("a 0.25\n", "a 3\n", 325, "/100 count");
	expect_sum("a 0.25\n", "a 1.5\n", 175, "/100 count");
	expect_sum("a 3\n", "a 4\n", 7, "count");
}

/* A zero byte tells names apart, and is written so that it is read as one again. */
static void test_nul(void)
{
	static const char text[] = "main;a\0x 3\nmain;a\0y 5\n";
	struct read_options options = {0};
	struct recording recording;
	char *written = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&written, &nr_bytes);

	EXPECT_EQ(formats__read(&recording, text, sizeof(text) - 1, &options, NULL), 0);
	EXPECT_EQ(folded__write(out, &recording, &(struct write_options){0}), 0);
	fclose(out);
	EXPECT_STR(written, "main;a\\x00y 5\nmain;a\\x00x 3\n");
	expect_again(written, written);
	recording__fini(&recording);
	free(written);
}

static void expect_total(const char *text, bool takes_base, bool is_difference, uint64_t total)
{
	const struct read_options options = {.takes_base = takes_base};
	struct recording recording;

	EXPECT_EQ(formats__read(&recording, text, strlen(text), &options, NULL), 0);
	EXPECT_EQ(recording.is_difference, is_difference);
	EXPECT_EQ(profile__shown_total(recording.profile), total);
	recording__fini(&recording);
}

/* difffolded.pl writes two counts; names that end in a number are no counts. */
static void test_differences(void)
{
	expect_again("main;hot 10 30\nmain;cold 10 10\n", "main;hot 30\nmain;cold 10\n");
	expect_total("main;hot 10 30\nmain;cold 10 10\n", false, true, 40);
	expect_total("main;hot 10 30\nmain;cold 10 10\n", true, true, 20);
	expect_total("main;hot 0.5 30\nmain;cold 10 10\n", true, true, 105);
	expect_total("main;thread 7 30\nmain;cold 10\n", true, false, 40);
	expect_again("main;thread 7 30\nmain;cold 10\n", "main;thread\\x207 30\nmain;cold 10\n");
	expect_again("main;thread\\x207 30\n", "main;thread\\x207 30\n");
	expect_again("thread 7;main 30\n", "thread 7;main 30\n");
}

/* Letters of ASCII, each with a zero before or behind it. */
static void to_utf16(const char *text, bool is_big, bool has_mark, char *bytes, size_t *nr)
{
	*nr = 0;
	if (has_mark)
		memcpy(bytes, is_big ? "\xfe\xff" : "\xff\xfe", *nr = 2);
	for (; *text; text++) {
		bytes[*nr + is_big] = *text;
		bytes[*nr + !is_big] = 0;
		*nr += 2;
	}
}

static void test_encodings(void)
{
	const struct read_options options = {0};
	struct recording recording;
	struct error err;
	char bytes[256];
	size_t nr;

	expect_again("\xef\xbb\xbf"
		     "a;b 5\r\n",
		     "a;b 5\n");
	for (int i = 0; i < 4; i++) {
		to_utf16("main;work 5\r\nmain 2\r\n", i & 1, i & 2, bytes, &nr);
		EXPECT_EQ(formats__read(&recording, bytes, nr, &options, NULL), 0);
		EXPECT_EQ(profile__shown_total(recording.profile), 7);
		recording__fini(&recording);
	}
	/* U+1F600, and half of one */
	EXPECT_EQ(formats__read(&recording,
				"\xff\xfe\x3d\xd8\0\xde\0\xd8 \0"
				"5\0",
				12, &options, NULL),
		  0);
	EXPECT_STR(dictionary__frame_name(profile__dictionary(recording.profile), 0),
		   "\xf0\x9f\x98\x80\xef\xbf\xbd");
	recording__fini(&recording);
	EXPECT_EQ(formats__read(&recording, "\xff\xfe\0\0a\0\0\0", 8, &options, &err), -EINVAL);
	EXPECT(strstr(err.text, "UTF-32"));
}

/* Names of programs are told by the roots behind them, as no function calls those. */
static void test_commands(void)
{
	static const char text[] =
		"nginx;_start;main 5\nkworker/0:1;ret_from_fork_[k] 2\nnginx;[unknown] 1\n";
	struct recording recording;
	const struct sample *samples;
	size_t nr;

	expect_again(text, text);
	EXPECT_EQ(read_text(&recording, text, NULL), 0);
	samples = profile__samples(recording.profile, &nr);
	EXPECT_STR(dictionary__process(profile__dictionary(recording.profile), samples[0].process)
			   ->comm,
		   "nginx");
	dictionary__stack(profile__dictionary(recording.profile), samples[0].stack, &nr);
	EXPECT_EQ(nr, 2);
	recording__fini(&recording);
	expect_again("_start;main 5\nf;_start 2\n", "_start;main 5\nf;_start 2\n");
	EXPECT_EQ(read_text(&recording, "_start;main 5\nf;_start 2\n", NULL), 0);
	samples = profile__samples(recording.profile, &nr);
	EXPECT_STR(dictionary__process(profile__dictionary(recording.profile), samples[0].process)
			   ->comm,
		   "");
	recording__fini(&recording);
}

/* A frame that is inlined into no other is not inlined. */
static void test_outermost(void)
{
	expect_again("a_[i] 5\na_[i];b_[i] 2\n", "a 5\na;b_[i] 2\n");
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
		{"counts with fractions", test_fractions},
		{"sums of counts with different decimals", test_sums},
		{"a NUL in a name", test_nul},
		{"differences of two runs", test_differences},
		{"text in other encodings", test_encodings},
		{"names of programs", test_commands},
		{"what is outermost is not inlined", test_outermost},
		{"a stack without end", test_deep},
		{"memory has a bound", test_memory},
		{0},
	};

	return run_tests("folded_read", tests);
}
