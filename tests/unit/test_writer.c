// SPDX-License-Identifier: GPL-2.0-only
/* The writer against pipes without a reader, with a late one, and closed ones. */
#include "expect.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output/writer.h"

#define PIPE_BYTES (1024 * 1024) /* more than a pipe holds */

static char *make_text(size_t nr_bytes, char letter)
{
	char *text = malloc(nr_bytes);

	memset(text, letter, nr_bytes);
	return text;
}

static size_t read_all(int fd, size_t nr_bytes)
{
	char buffer[4096];
	size_t nr_read = 0;
	ssize_t got = 1;

	while (nr_read < nr_bytes && got > 0) {
		got = read(fd, buffer, sizeof(buffer));
		nr_read += got > 0 ? (size_t)got : 0;
	}
	return nr_read;
}

static void test_slow_reader(void)
{
	struct writer *writer;
	int ends[2];

	EXPECT_EQ(pipe(ends), 0);
	EXPECT_EQ(writer__new(&writer, ends[1]), 0);
	EXPECT_EQ(writer__write(writer, make_text(PIPE_BYTES, 'a'), PIPE_BYTES), 0);
	EXPECT(writer__is_busy(writer)); /* and we are here all the same */
	EXPECT_EQ(read_all(ends[0], PIPE_BYTES), PIPE_BYTES);
	EXPECT_EQ(writer__wait(writer), 0);
	EXPECT(!writer__is_busy(writer));
	writer__free(writer);
	close(ends[0]);
	close(ends[1]);
}

static void test_order(void)
{
	struct writer *writer;
	char buffer[3] = "";
	int ends[2];

	EXPECT_EQ(pipe(ends), 0);
	EXPECT_EQ(writer__new(&writer, ends[1]), 0);
	EXPECT_EQ(writer__write(writer, make_text(1, 'a'), 1), 0);
	EXPECT_EQ(writer__write(writer, make_text(1, 'b'), 1), 0);
	writer__free(writer); /* writes its buffer */
	EXPECT_EQ(read_all(ends[0], 0), 0);
	EXPECT_EQ(read(ends[0], buffer, 2), 2);
	EXPECT_STR(buffer, "ab");
	close(ends[0]);
	close(ends[1]);
}

static void test_closed_pipe(void)
{
	struct writer *writer;
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	EXPECT_EQ(pipe(ends), 0);
	close(ends[0]);
	EXPECT_EQ(writer__new(&writer, ends[1]), 0);
	writer__write(writer, make_text(1, 'a'), 1);
	EXPECT_EQ(writer__wait(writer), -EPIPE);
	EXPECT_EQ(writer__write(writer, make_text(1, 'b'), 1), -EPIPE);
	writer__free(writer);
	writer__free(NULL);
	close(ends[1]);
}

int main(void)
{
	static const struct test tests[] = {
		{"a reader that does not read holds up nobody", test_slow_reader},
		{"buffers keep their order", test_order},
		{"a closed pipe is an error, once and for all", test_closed_pipe},
		{0},
	};

	return run_tests("writer", tests);
}
