// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads compressed profiles that mean harm. The first byte says whether the rest is the compressed
 * bytes, or is to be compressed first, so that the bytes within are looked at. A profile that can
 * be read can be written in every format.
 */
#include <zlib.h>

#include "formats/formats.h"
#include "require.h"

static const struct read_options bounds = {.max_bytes = 1 << 24, .max_memory_bytes = 64 << 20};

static const char *const written[] = {"json",	"csv",	"speedscope", "firefox",
				      "folded", "html", "svg",	      "pprof"};

static void write_all(const struct recording *recording)
{
	static const struct write_options options;
	struct error err = {0};

	for (size_t i = 0; i < sizeof(written) / sizeof(written[0]); i++) {
		const struct format *format = formats__find(written[i], &err);
		char *text = NULL;
		size_t nr_bytes;
		FILE *out = open_memstream(&text, &nr_bytes);

		require(format && out);
		require(!format->write(out, recording, &options) && !fclose(out));
		free(text);
	}
}

static void read_it(const void *bytes, size_t nr_bytes)
{
	struct recording recording;
	struct error err = {0};

	if (formats__read(&recording, bytes, nr_bytes, &bounds, &err)) {
		require(err.text[0] && err.exit_code);
		return;
	}
	write_all(&recording);
	recording__fini(&recording);
}

static void compress_and_read(const uint8_t *data, size_t size)
{
	z_stream stream = {.next_in = (uint8_t *)(uintptr_t)data, .avail_in = (uInt)size};
	size_t room;
	void *bytes;

	require(deflateInit2(&stream, 1, Z_DEFLATED, 15 + 16, 1, Z_DEFAULT_STRATEGY) == Z_OK);
	room = deflateBound(&stream, size);
	bytes = malloc(room);
	require(bytes != NULL);
	stream.next_out = bytes;
	stream.avail_out = (uInt)room;
	require(deflate(&stream, Z_FINISH) == Z_STREAM_END);
	deflateEnd(&stream);
	read_it(bytes, stream.total_out);
	free(bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size == 0)
		return 0;
	if (data[0] & 1)
		compress_and_read(data + 1, size - 1);
	else
		read_it(data + 1, size - 1);
	return 0;
}
