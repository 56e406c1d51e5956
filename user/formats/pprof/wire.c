// SPDX-License-Identifier: GPL-2.0-only
#include <errno.h>

#include "formats/pprof/reader.h"

#define MAX_FIELD 536870911 /* the largest number there is, by the specification */

static int read_varint(struct wire *wire, uint64_t *value)
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

int wire__next(struct wire *wire, struct wire_field *field)
{
	uint64_t tag, nr_bytes;

	if (wire->at == wire->end)
		return 0;
	field->start = wire->at;
	if (read_varint(wire, &tag) || tag >> 3 == 0 || tag >> 3 > MAX_FIELD)
		return -EINVAL;
	field->number = (uint32_t)(tag >> 3);
	field->type = tag & 7;
	field->content = wire->at;
	switch (field->type) {
	case WIRE_VARINT:
		if (read_varint(wire, &nr_bytes))
			return -EINVAL;
		field->nr_bytes = (size_t)(wire->at - field->content);
		return 1;
	case WIRE_BYTES:
		if (read_varint(wire, &nr_bytes))
			return -EINVAL;
		field->content = wire->at;
		break;
	case WIRE_FIXED64:
		nr_bytes = 8;
		break;
	case WIRE_FIXED32:
		nr_bytes = 4;
		break;
	default:
		return -EINVAL;
	}
	if (nr_bytes > (uint64_t)(wire->end - wire->at))
		return -EINVAL;
	field->nr_bytes = (size_t)nr_bytes;
	wire->at += nr_bytes;
	return 1;
}
