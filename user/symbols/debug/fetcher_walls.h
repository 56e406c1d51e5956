/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Confines a fetcher, in addition to taking its rights. Kernels and containers without these means
 * still have that.
 */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_FETCHER_WALLS_H
#define TOPSTACKS_SYMBOLS_DEBUG_FETCHER_WALLS_H

/* Allows it to read the system files that network clients need, and to read and write the cache. */
void fetcher_walls__raise_for_files(const char *cache);

/* Allows only the system calls that it needs; all others fail with EPERM. */
void fetcher_walls__raise_for_calls(void);

#endif
