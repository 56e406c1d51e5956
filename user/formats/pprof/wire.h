/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Decodes protobuf messages in place: nothing is copied or allocated, however many fields a message
 * claims to have, and no byte outside of it is read.
 */
#ifndef TOPSTACKS_FORMATS_PPROF_WIRE_H
#define TOPSTACKS_FORMATS_PPROF_WIRE_H

#include "base/common.h"

/* The rest of a message, or of packed numbers. */
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
	const uint8_t *content; /* of a WIRE_VARINT: the encoded number */
	size_t nr_bytes;
};

/* Reads the next field. 1; 0: the end; -EINVAL: invalid. */
int wire__next(struct wire *wire, struct wire_field *field);

/* Reads the next number. 0; -EINVAL: invalid, or the end. */
static inline int wire__varint(struct wire *wire, uint64_t *value)
{
	/* Nearly all have one byte or two. */
	if (wire->end - wire->at >= 2) {
		*value = wire->at[0];
		if (!(*value & 0x80)) {
			wire->at++;
			return 0;
		}
		if (!(wire->at[1] & 0x80)) {
			*value = (*value & 0x7f) | (uint64_t)wire->at[1] << 7;
			wire->at += 2;
			return 0;
		}
	}
	*value = 0;
	for (unsigned int shift = 0; shift < 64 && wire->at < wire->end; shift += 7) {
		uint8_t byte = *wire->at++;

		*value |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80))
			return 0;
	}
	return -EINVAL;
}

/* The content of a field: the fields of a message, or packed numbers, or a single number. */
static inline struct wire wire__inside(const struct wire_field *field)
{
	return (struct wire){field->content, field->content + field->nr_bytes};
}

/* True if the field may be a number, or packed numbers. */
static inline int wire__has_numbers(const struct wire_field *field)
{
	return field->type == WIRE_VARINT || field->type == WIRE_BYTES;
}

/* Reads a field that is a number. 0; -EINVAL: it is no number. */
int wire__number(const struct wire_field *field, uint64_t *number);

/*
 * Sets numbers[i] to field i of the message, for each i below nr; 0 if it is missing. -EINVAL: one
 * of them is no number, or the field is no message.
 */
int wire__numbers(const struct wire_field *message, uint64_t *numbers, size_t nr);

#endif
