// SPDX-License-Identifier: GPL-2.0-only
/*
 * gzip by zlib. The buffer grows with the inflated bytes, so that a file that claims a large size
 * costs nothing, and inflation stops at the limit.
 */
#include "formats/gzip.h"

#include <limits.h>
#include <zlib.h>

#define WITH_HEADER 16 /* added to the window bits: gzip instead of zlib */
#define LEVEL	    4  /* 6 takes twice the time, for 5 to 15 % fewer bytes */
#define CHUNK	    65536

struct gzip {
	FILE *out;
	z_stream stream;
	unsigned char chunk[CHUNK];
};

struct gzip *gzip__new(FILE *out)
{
	struct gzip *gzip = xcalloc(1, sizeof(*gzip));

	gzip->out = out;
	if (deflateInit2(&gzip->stream, LEVEL, Z_DEFLATED, MAX_WBITS + WITH_HEADER, 8,
			 Z_DEFAULT_STRATEGY) == Z_OK)
		return gzip;
	free(gzip);
	return NULL;
}

void gzip__free(struct gzip *gzip)
{
	if (!gzip)
		return;
	deflateEnd(&gzip->stream);
	free(gzip);
}

/* Deflates until all input is consumed, or with Z_FINISH until all output is written. */
static int run(struct gzip *gzip, int flush)
{
	do {
		size_t nr_bytes;

		gzip->stream.next_out = gzip->chunk;
		gzip->stream.avail_out = CHUNK;
		deflate(&gzip->stream, flush);
		nr_bytes = CHUNK - gzip->stream.avail_out;
		errno = 0;
		if (fwrite(gzip->chunk, 1, nr_bytes, gzip->out) != nr_bytes)
			return text__stream_error(gzip->out);
	} while (!gzip->stream.avail_out);
	return 0;
}

int gzip__write(struct gzip *gzip, const void *bytes, size_t nr_bytes)
{
	gzip->stream.next_in = (unsigned char *)(uintptr_t)bytes; /* zlib is not const-clean */
	gzip->stream.avail_in = (uInt)nr_bytes;
	return run(gzip, Z_NO_FLUSH);
}

int gzip__finish(struct gzip *gzip)
{
	gzip->stream.avail_in = 0;
	return run(gzip, Z_FINISH);
}

/* ---- reading ---- */

bool gzip__is(const void *bytes, size_t nr_bytes)
{
	return nr_bytes >= 2 && !memcmp(bytes, "\x1f\x8b", 2);
}

struct inflation {
	z_stream stream;
	char *bytes;
	size_t nr_bytes, capacity, max_bytes;
};

/* Inflates one chunk. 0; 1: the end; or negative errno. */
static int step(struct inflation *inflation)
{
	z_stream *stream = &inflation->stream;
	int code;

	if (array__try_reserve(&inflation->bytes, &inflation->capacity,
			       inflation->nr_bytes + CHUNK))
		return -ENOMEM;
	stream->next_out = (unsigned char *)inflation->bytes + inflation->nr_bytes;
	stream->avail_out = CHUNK;
	code = inflate(stream, Z_NO_FLUSH);
	inflation->nr_bytes += CHUNK - stream->avail_out;
	if (inflation->nr_bytes > inflation->max_bytes)
		return -EFBIG;
	if (code == Z_MEM_ERROR)
		return -ENOMEM;
	if (code == Z_STREAM_END) { /* another member may follow */
		if (!stream->avail_in)
			return 1;
		return inflateReset(stream) == Z_OK ? 0 : -EINVAL;
	}
	return code == Z_OK && (stream->avail_in || !stream->avail_out) ? 0 : -EINVAL;
}

static int explain(int code, size_t max_bytes, struct error *err)
{
	char most[32];

	if (code == -ENOMEM)
		return memory__error(err);
	text__format_bytes(most, sizeof(most), max_bytes);
	if (code == -EFBIG)
		return error__say(err, EXIT_USAGE, code, "it inflates to more than %s", most);
	return error__say(err, EXIT_USAGE, code, "its compressed data are damaged or cut off");
}

int gzip__inflate(const void *bytes, size_t nr_bytes, size_t max_bytes, char **inflated,
		  size_t *nr_inflated, struct error *err)
{
	struct inflation inflation = {.max_bytes = max_bytes};
	int code;

	if (nr_bytes > UINT_MAX)
		return explain(-EFBIG, max_bytes, err);
	inflation.stream.next_in = (unsigned char *)(uintptr_t)bytes;
	inflation.stream.avail_in = (uInt)nr_bytes;
	if (inflateInit2(&inflation.stream, MAX_WBITS + WITH_HEADER) != Z_OK)
		return memory__error(err);
	do
		code = step(&inflation);
	while (!code);
	inflateEnd(&inflation.stream);
	if (code < 0) {
		free(inflation.bytes);
		return explain(code, max_bytes, err);
	}
	*inflated = inflation.bytes;
	*nr_inflated = inflation.nr_bytes;
	return 0;
}
