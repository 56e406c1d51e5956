/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A protobuf message taken apart into its fields, which are left undecoded. Decoding a whole
 * profile at once would take up to fifty times its size in memory; field by field it takes nothing.
 */
#ifndef TOPSTACKS_FORMATS_PPROF_WIRE_H
#define TOPSTACKS_FORMATS_PPROF_WIRE_H

#include <stddef.h>
#include <stdint.h>

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
	const uint8_t *start; /* of the field with its tag; it ends with its content */
	const uint8_t *content;
	size_t nr_bytes; /* of content */
};

/* The next field: 1, or 0 at the end, or -EINVAL if what follows is none. */
int wire__next(struct wire *wire, struct wire_field *field);

#endif
