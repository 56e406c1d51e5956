/* SPDX-License-Identifier: GPL-2.0-only */
/* Which debuginfod servers are asked: the caller's or the system's word, and nobody else's. */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUG_SERVERS_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUG_SERVERS_H

struct error;

/*
 * *urls, to free(), with blanks between them: those that are given; where that is "", of DEBUGINFOD_URLS, or else of
 * system, which is a pattern of files. 0, or negative errno with err filled: there is none, or one is no URL.
 */
int debug_servers__find(const char *given, const char *system, char **urls, struct error *err);

#define SYSTEM_DEBUG_SERVERS "/etc/debuginfod/*.urls"

#endif
