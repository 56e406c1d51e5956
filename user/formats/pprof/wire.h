/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Messages of protobuf, taken apart where they are: nothing is copied and nothing allocated, however
 * many fields a message says it has, and nothing outside of it is read.
 */
#ifndef TOPSTACKS_FORMATS_PPROF_WIRE_H
#define TOPSTACKS_FORMATS_PPROF_WIRE_H

#include <errno.h>
#include <stddef.h>
#include <stdint.h>

/* What is left of a message, or of numbers one after the other. */
struct wire {
	const uint8_t *at, *end;
};

enum wire_type {
	WIRE_VARINT = 0,
	WIRE_FIXED64 = 1,
	WIRE_BYTES = 2,
	WIRE_FIXED32 = 5,
};

struct wire_field {
	uint32_t number; /* never 0 */
	uint32_t type;
	const uint8_t *content; /* of a WIRE_VARINT: the number as it is written */
	size_t nr_bytes;
};

/* The next field: 1, or 0 at the end, or -EINVAL if what follows is none. */
int wire__next(struct wire *wire, struct wire_field *field);

/* The next number: 0, or -EINVAL if what follows is none, as at the end. */
static inline int wire__varint(struct wire *wire, uint64_t *value)
{
	*value = 0;
	for (unsigned int shift = 0; shift < 64 && wire->at < wire->end; shift += 7) {
		uint8_t byte = *wire->at++;

		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return 0;
	}
	return -EINVAL;
}

/* The fields of a message that is a field, or the numbers of one: several, packed, or a single one. */
static inline struct wire wire__inside(const struct wire_field *field)
{
	return (struct wire){field->content, field->content + field->nr_bytes};
}

/* A field that may be a number or many of them. */
static inline int wire__has_numbers(const struct wire_field *field)
{
	return field->type == WIRE_VARINT || field->type == WIRE_BYTES;
}

/* A field that is a number: 0, or -EINVAL if it is something else. */
int wire__number(const struct wire_field *field, uint64_t *number);

/*
 * Sets numbers[i] to the field i of the message, for each i below nr that it has; they are zeroed before.
 * -EINVAL: one of these is no number, or the field is no message.
 */
int wire__numbers(const struct wire_field *message, uint64_t *numbers, size_t nr);

#endif
