/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What a fetcher may do, beside having no rights. These are second walls: kernels and containers without them have
 * the first.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_FETCHER_WALLS_H
#define TOPSTACKS_SYMBOLS_DEBUG_FETCHER_WALLS_H

/* It reads what the system has for who connects to servers, and reads and writes the cache. */
void fetcher_walls__raise_for_files(const char *cache);

/* It makes the system calls that this takes; every other one fails with EPERM. */
void fetcher_walls__raise_for_calls(void);

#endif
