/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_FRONT_CONFINE_H
#define TOPSTACKS_FRONT_CONFINE_H

/*
 * Gives up what the front end does not need to answer strangers: capabilities, files, core dumps,
 * memory without bound, and all system calls but those of serving. 0 or negative errno.
 */
int front__confine(void);

#endif
