/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_BASE_DIGITS_H
#define TOPSTACKS_BASE_DIGITS_H

/* 0 to 15; -1: not a digit as the kernel writes them. */
static inline int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

#endif
