/* SPDX-License-Identifier: GPL-2.0-only */
/* Characters of UTF-8: where they end, and how wide a terminal shows them. */
#ifndef TOPSTACKS_BASE_CHARACTERS_H
#define TOPSTACKS_BASE_CHARACTERS_H

#include <stddef.h>
#include <stdint.h>

#define NOT_UTF8 UINT32_MAX

/*
 * Takes one character off a terminated string that is not empty. Returns its length in bytes; *code
 * is NOT_UTF8 for a byte that begins none (overlong forms and surrogates do not).
 */
size_t character__decode(const char *string, uint32_t *code);

/* 0: never to be shown as it is. */
unsigned int character__columns(uint32_t code);

#endif
