/* SPDX-License-Identifier: GPL-2.0-only */
/* Copied strings of an interpreter, as text. */
#ifndef TOPSTACKS_INTERPRETERS_CODE_TEXT_H
#define TOPSTACKS_INTERPRETERS_CODE_TEXT_H

#include <stddef.h>

#include "topstacks/interpreter_abi.h"

/* Room for any text of so many copied bytes: a byte alone may become a character of three. */
#define CODE_TEXT_SIZE(nr_bytes) (3 * (nr_bytes) + sizeof("…"))

/*
 * Writes text->nr_bytes of bytes (not NULL) as UTF-8 into `to`, terminated unless size is 0. What is no
 * character becomes U+FFFD: bytes that are not UTF-8, each for itself; surrogates, and what is beyond
 * Unicode; zeroes, which would end the text; what the copy has only half of; and all that there is, if
 * there is no such width. A text that is cut, or does not fit, ends in "…" if that fits. Returns the
 * length.
 *
 * Control characters stay as they are: whoever shows the text escapes them.
 */
size_t code_text__write(const struct code_text *text, const char *bytes, char *to, size_t size);

#endif
