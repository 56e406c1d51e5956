/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A small BTF of chosen types of a large one. Types keep their members and whatever these consist of,
 * so that every offset is what it was; what is pointed at is void.
 */
#ifndef TOPSTACKS_CAPTURE_HOST_TYPE_EXTRACT_H
#define TOPSTACKS_CAPTURE_HOST_TYPE_EXTRACT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Whether a type is wanted, which has a name; kind: one of BTF_KIND_*. */
struct type_filter {
	bool (*wants)(void *context, unsigned int kind, const char *name, uint32_t id);
	void *context;
};

/*
 * Shows each type with a name to the filter, and makes a BTF of those that it wants: *extract, of
 * *extract_bytes; free() it. Only structs, unions and typedefs of them may be wanted. -EINVAL: it is
 * damaged, or has a kind that is not known here. 0 or negative errno.
 */
int type_extract__make(const void *btf, size_t nr_bytes, const struct type_filter *filter,
		       void **extract, size_t *extract_bytes);

#endif
