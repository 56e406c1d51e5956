/* SPDX-License-Identifier: GPL-2.0-only */
/* Chooses the debuginfod servers: only the caller or the system names them. */
#ifndef TOPSTACKS_SYMBOLS_DEBUG_DEBUG_SERVERS_H
#define TOPSTACKS_SYMBOLS_DEBUG_DEBUG_SERVERS_H

struct error;

/*
 * *urls: URLs separated by blanks; free() it. They are `given`, or if that is "", those of
 * DEBUGINFOD_URLS, or else those in the files that match the pattern `system`. 0, or negative errno
 * with err filled: there is no URL, or one is not valid.
 */
int debug_servers__find(const char *given, const char *system, char **urls, struct error *err);

#define SYSTEM_DEBUG_SERVERS "/etc/debuginfod/*.urls"

#endif
