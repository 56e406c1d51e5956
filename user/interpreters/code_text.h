/* SPDX-License-Identifier: GPL-2.0-only */
/* Converts strings copied from an interpreter to text. */
#ifndef TOPSTACKS_INTERPRETERS_CODE_TEXT_H
#define TOPSTACKS_INTERPRETERS_CODE_TEXT_H

#include "base/common.h"
#include "topstacks/interpreter_abi.h"

/* Size for the text of nr_bytes copied bytes: one byte may become a character of three. */
#define CODE_TEXT_SIZE(nr_bytes) (3 * (nr_bytes) + sizeof("…"))

/*
 * Writes text->nr_bytes of bytes (not NULL) as UTF-8 to `to`, terminated unless size is 0. These
 * become U+FFFD: each byte that is not UTF-8, surrogates and values beyond Unicode, zeros, a
 * character cut in half, and the whole text if its width is not valid. A text that is cut or does
 * not fit ends in "…" if there is room. Returns the length.
 *
 * Control characters are kept: code that shows the text escapes them.
 */
size_t code_text__write(const struct code_text *text, const char *bytes, char *to, size_t size);

#endif
