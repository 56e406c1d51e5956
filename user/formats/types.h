/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Which of a file's sample types become the two values of a recording, and which one is shown.
 */
#ifndef TOPSTACKS_FORMATS_TYPES_H
#define TOPSTACKS_FORMATS_TYPES_H

#include <stddef.h>

#include "base/error.h"
#include "profile/recording.h"

#define NO_TYPE SIZE_MAX

struct type_choice {
	size_t index[VALUES]; /* of the file's type, or NO_TYPE */
	enum value shown;
};

/*
 * wanted: by the user, or NULL. preferred: the file's default_sample_type, "" if none. Without
 * either it is samples/count, or the last one. -EINVAL with err filled if there is no type of the
 * wanted name, which lists those there are.
 */
int types__choose(const struct metric *types, size_t nr_types, const char *wanted,
		  const char *preferred, struct type_choice *choice, struct error *err);

#endif
