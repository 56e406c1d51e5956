// SPDX-License-Identifier: GPL-2.0-only
/* Folded stacks: exact lines, and every name comes back as it was. */
#include <ctype.h>

#include "expect.h"
#include "formats/formats.h"
#include "model.h"

static char text[16384];

static const char *fold(const struct model *model, enum merge merge)
{
	const struct recording recording = {.profile = model->profile};
	FILE *out = fmemopen(text, sizeof(text), "w");

	EXPECT_EQ(folded__write(out, &recording, &(struct write_options){.merge = merge}), 0);
	fputc('\0', out);
	fclose(out);
	return text;
}

static void test_lines(void)
{
	struct model model = model__new();

	EXPECT_STR(fold(&model, MERGE_BY_COMM), "");
	add_thread(&model, "redis", 42, 43, 3, "send@[kernel] write@libc main@redis");
	add_thread(&model, "redis", 42, 44, 2, "send@[kernel] write@libc main@redis");
	add_thread(&model, "java", 7, 7, 9, "run@perf.map @libc+1234 @ main@java");
	add_thread(&model, "idle", 1, 1, 1, "");
	EXPECT_STR(fold(&model, MERGE_BY_COMM), "java;main;[unknown];libc+0x1234;run_[j] 9\n"
						"redis;main;write;send_[k] 5\n"
						"idle 1\n");
	EXPECT_STR(fold(&model, MERGE_BY_PROCESS), "java-7;main;[unknown];libc+0x1234;run_[j] 9\n"
						   "redis-42;main;write;send_[k] 5\n"
						   "idle-1 1\n");
	EXPECT_STR(fold(&model, MERGE_BY_THREAD), "java-7/7;main;[unknown];libc+0x1234;run_[j] 9\n"
						  "redis-42/43;main;write;send_[k] 3\n"
						  "redis-42/44;main;write;send_[k] 2\n"
						  "idle-1/1 1\n");
	model__free(&model);
}

/* Takes \xNN and \\ back, as docs/formats.md tells readers to. */
static void unescape(char *name)
{
	char *out = name;

	while (*name) {
		unsigned int byte;

		if (*name != '\\') {
			*out++ = *name++;
		} else if (name[1] == '\\') {
			*out++ = '\\';
			name += 2;
		} else {
			sscanf(name, "\\x%2x", &byte);
			*out++ = (char)byte;
			name += 4;
		}
	}
	*out = '\0';
}

static const struct {
	const char *function;
	enum frame_kind kind;
} hostile[] = {
	{"<[u8; 4] as core::fmt::Debug>::fmt", FRAME_USER},
	{"operator new(unsigned long)", FRAME_USER},
	{"two\nlines 99", FRAME_USER},
	{"App\\Http\\x3bKernel", FRAME_JIT},
	{"\\", FRAME_USER},
	{";;", FRAME_USER},
	{"", FRAME_USER},
	{" ", FRAME_USER},
	{"pretends_[k]", FRAME_USER},
	{"pretends_[j]", FRAME_KERNEL},
	{"_[k]", FRAME_KERNEL},
	{"\x1b[2J\x9b\xe2\x80\xae\xc2\x85\x7f", FRAME_USER},
	{"\xe6\xbc\xa2\xf0\x9f\xa6\x80", FRAME_USER},
};

#define HOSTILE (sizeof(hostile) / sizeof(hostile[0]))

static void add_hostile(struct model *model)
{
	uint32_t frames[HOSTILE];
	struct sample sample = {.process = model__process(model, "c;o m\nm\\", 1), .values = {3}};

	for (size_t i = 0; i < HOSTILE; i++) {
		struct frame frame = {.function = hostile[i].function, .kind = hostile[i].kind};

		frames[HOSTILE - 1 - i] = dictionary__add_frame(model->dictionary, &frame);
	}
	sample.stack = dictionary__add_stack(model->dictionary, frames, HOSTILE);
	profile__add(model->profile, &sample);
}

static enum frame_kind take_kind(char *name)
{
	size_t length = strlen(name);
	enum frame_kind kind = FRAME_USER;

	if (length >= 4 && !strcmp(name + length - 4, "_[k]"))
		kind = FRAME_KERNEL;
	else if (length >= 4 && !strcmp(name + length - 4, "_[j]"))
		kind = FRAME_JIT;
	if (kind != FRAME_USER)
		name[length - 4] = '\0';
	return kind;
}

static void test_round_trip(void)
{
	struct model model = model__new();
	char *rest = text, *count, *name;
	size_t nr_frames = 0;

	add_hostile(&model);
	fold(&model, MERGE_BY_COMM);
	EXPECT(strchr(text, '\n') == text + strlen(text) - 1); /* one line */
	for (const char *byte = text; *byte && *byte != '\n'; byte++)
		EXPECT(!iscntrl((unsigned char)*byte));
	count = strrchr(text, ' ');
	EXPECT_STR(count, " 3\n");
	*count = '\0';
	name = strsep(&rest, ";");
	unescape(name);
	EXPECT_STR(name, "c;o m\nm\\");
	while ((name = strsep(&rest, ";")) && nr_frames < HOSTILE) {
		enum frame_kind kind = take_kind(name);

		unescape(name);
		EXPECT_STR(name, hostile[nr_frames].function);
		EXPECT_EQ(kind, hostile[nr_frames].kind);
		nr_frames++;
	}
	EXPECT_EQ(nr_frames, HOSTILE);
	model__free(&model);
}

static void test_write_error(void)
{
	struct model model = model__new();
	const struct write_options options = {.merge = MERGE_BY_COMM};
	FILE *out = fopen("/dev/full", "w");

	setvbuf(out, NULL, _IONBF, 0);
	add(&model, "a", 1, 1, "f@m");
	EXPECT_EQ(folded__write(out, &(struct recording){.profile = model.profile}, &options),
		  -28 /* ENOSPC */);
	fclose(out);
	model__free(&model);
}

int main(void)
{
	static const struct test tests[] = {
		{"lines as documented", test_lines},
		{"names come back as they were", test_round_trip},
		{"a full disk is an error", test_write_error},
		{0},
	};

	return run_tests("folded", tests);
}
