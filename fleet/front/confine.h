/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_FRONT_CONFINE_H
#define TOPSTACKS_FRONT_CONFINE_H

/*
 * What the front end gives up before it hears a stranger: capabilities, files, core dumps, memory
 * without bound, and all system calls but those that serving takes. 0 or negative errno.
 */
int front__confine(void);

#endif
