/* SPDX-License-Identifier: GPL-2.0-only */
/* Bytes of a protobuf message, by hand. */
#ifndef TOPSTACKS_TESTS_MESSAGE_H
#define TOPSTACKS_TESTS_MESSAGE_H

#include <stdint.h>
#include <string.h>

struct message {
	char at[4096];
	size_t nr;
};

static inline void put_varint(struct message *bytes, uint64_t value)
{
	for (; value >= 0x80; value >>= 7)
		bytes->at[bytes->nr++] = (char)(value | 0x80);
	bytes->at[bytes->nr++] = (char)value;
}

static inline void put_number(struct message *bytes, unsigned int field, uint64_t value)
{
	put_varint(bytes, field << 3);
	put_varint(bytes, value);
}

static inline void put_bytes(struct message *bytes, unsigned int field, const void *content,
			     size_t nr)
{
	put_varint(bytes, field << 3 | 2);
	put_varint(bytes, nr);
	memcpy(bytes->at + bytes->nr, content, nr);
	bytes->nr += nr;
}

static inline void put(struct message *bytes, unsigned int field, const struct message *content)
{
	put_bytes(bytes, field, content->at, content->nr);
}

static inline void put_strings(struct message *file, const char *const *strings)
{
	for (; *strings; strings++)
		put_bytes(file, 6, *strings, strlen(*strings));
}

/* A message of up to three numbers; 0 is left out, as everybody does. */
static inline struct message numbers(uint64_t first, uint64_t second, uint64_t third)
{
	const uint64_t values[] = {first, second, third};
	struct message message = {.nr = 0};

	for (unsigned int i = 0; i < 3; i++)
		if (values[i])
			put_number(&message, i + 1, values[i]);
	return message;
}

#endif
