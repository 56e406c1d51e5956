// SPDX-License-Identifier: GPL-2.0-only
/*
 * Compressed bytes may stand for any number of others, so what comes out is bounded, by a ratio
 * that symbol tables do not reach, and in all.
 */
#include "elf/mini_debug.h"

#include <errno.h>
#include <lzma.h>
#include <stdlib.h>

#include "elf/file.h"

#define MAX_DECODER_BYTES (80U << 20) /* xz -9 takes 65 MiB */
#define MAX_BYTES	  (64U << 20)
#define MAX_RATIO	  64
#define FIRST_BYTES	  65536

/* 0, or -ENOENT: these bytes are no xz stream, or come to more than bytes. */
static int decode(const Elf_Data *data, unsigned char *to, size_t *bytes)
{
	uint64_t memory_limit = MAX_DECODER_BYTES;
	size_t read = 0, written = 0;
	const lzma_ret result = lzma_stream_buffer_decode(
		&memory_limit, 0, NULL, data->d_buf, &read, data->d_size, to, &written, *bytes);

	if (result == LZMA_MEM_ERROR)
		return -ENOMEM;
	*bytes = written;
	return result == LZMA_OK ? 0 : -ENOENT;
}

int mini_debug__open(struct elf_file *file, struct elf_file *mini)
{
	struct elf_section section;
	const Elf_Data *data;
	unsigned char *image;
	size_t bytes;
	int code;

	if (!elf_file__find(file, ".gnu_debugdata", &section))
		return -ENOENT;
	data = elf_file__data(file, &section);
	if (!data)
		return -ENOENT;
	bytes = FIRST_BYTES + MAX_RATIO * data->d_size;
	if (bytes > MAX_BYTES)
		bytes = MAX_BYTES;
	image = malloc(bytes);
	if (!image)
		return -ENOMEM;
	code = decode(data, image, &bytes);
	if (code) {
		free(image);
		return code;
	}
	return elf_file__open_memory(mini, image, bytes) ? -ENOENT : 0;
}
