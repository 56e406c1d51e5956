/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_PUSH_CONFINE_H
#define TOPSTACKS_PUSH_CONFINE_H

#include "base/error.h"

/*
 * Gives up all capabilities, what an exec could bring, and system calls that a pusher has no use
 * for: it runs no program, traces no process, mounts nothing and opens no port. 0, or
 * negative errno with err filled.
 */
int confine__pusher(struct error *err);

#endif
