/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Makes a small BTF of chosen types of a large one. Types keep their members and the types of
 * these, so offsets are unchanged; pointers become pointers to void.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_TYPE_EXTRACT_H
#define TOPSTACKS_CAPTURE_HOST_TYPE_EXTRACT_H

#include "base/common.h"

/* Chooses types: wants returns true if a named type is wanted. kind: BTF_KIND_*. */
struct type_filter {
	bool (*wants)(void *context, unsigned int kind, const char *name, uint32_t id);
	void *context;
};

/*
 * Shows each named type to the filter and makes a BTF of the wanted ones: *extract, of
 * *extract_bytes, to be freed. Only structs, unions and typedefs of them may be wanted. Returns 0
 * or negative errno; -EINVAL: btf is damaged, or has an unknown kind.
 */
int type_extract__make(const void *btf, size_t nr_bytes, const struct type_filter *filter,
		       void **extract, size_t *extract_bytes);

#endif
