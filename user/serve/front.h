/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Starts the front end, a program of its own, and its keeper, a small process that restarts it when
 * it has ended: hostile input may cost a connection, but no samples.
 */
#ifndef TOPSTACKS_SERVE_FRONT_H
#define TOPSTACKS_SERVE_FRONT_H

#include <sys/types.h>

#include "base/common.h"
#include "serve/listeners.h"

/*
 * Starts both. channel: the front end's end; it and the listeners' files stay the caller's. Call it
 * before any thread is started. Returns the keeper's pid, or negative errno with err filled, if the
 * program is missing, say.
 */
pid_t front__start(int channel, const struct listeners *listeners, struct error *err);

/* Kills both; keeper 0 is fine. Returns the exit code if the keeper had ended before, else 0. */
int front__stop(pid_t keeper);

#endif
