// SPDX-License-Identifier: GPL-2.0-only
#include "formats/pprof/wire.h"

#define MAX_FIELD 536870911 /* the largest field number of the specification */

int wire__next(struct wire *wire, struct wire_field *field)
{
	uint64_t tag, nr_bytes;

	if (wire->at == wire->end)
		return 0;
	if (wire__varint(wire, &tag) || tag >> 3 == 0 || tag >> 3 > MAX_FIELD)
		return -EINVAL;
	field->number = (uint32_t)(tag >> 3);
	field->type = tag & 7;
	field->content = wire->at;
	switch (field->type) {
	case WIRE_VARINT:
		if (wire__varint(wire, &nr_bytes))
			return -EINVAL;
		field->nr_bytes = (size_t)(wire->at - field->content);
		return 1;
	case WIRE_BYTES:
		if (wire__varint(wire, &nr_bytes))
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

int wire__number(const struct wire_field *field, uint64_t *number)
{
	struct wire wire = wire__inside(field);

	return field->type == WIRE_VARINT ? wire__varint(&wire, number) : -EINVAL;
}

int wire__numbers(const struct wire_field *message, uint64_t *numbers, size_t nr)
{
	struct wire wire = wire__inside(message);
	struct wire_field field;
	int more;

	memset(numbers, 0, nr * sizeof(*numbers));
	if (message->type != WIRE_BYTES)
		return -EINVAL;
	while ((more = wire__next(&wire, &field)) > 0)
		if (field.number < nr && wire__number(&field, &numbers[field.number]))
			return -EINVAL;
	return more;
}
