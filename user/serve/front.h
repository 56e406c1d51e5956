/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The front end, a program of its own, and the small process that starts it again when it has ended: bad
 * input may cost a connection, never what was sampled.
 */
#ifndef TOPSTACKS_SERVE_FRONT_H
#define TOPSTACKS_SERVE_FRONT_H

#include <sys/types.h>

#include "base/error.h"
#include "serve/listeners.h"

/*
 * channel: the front end's end, which stays the caller's, as do the listeners' files. Before any thread is started.
 * Returns the keeper's id, or negative errno with err filled: there is no such program, say.
 */
pid_t front__start(int channel, const struct listeners *listeners, struct error *err);

/* Ends both. 0 is fine. The exit code with which the keeper had ended already, or 0. */
int front__stop(pid_t keeper);

#endif
