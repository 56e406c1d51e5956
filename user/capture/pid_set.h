/* SPDX-License-Identifier: GPL-2.0-only */
/* A set of process ids. */
#ifndef TOPSTACKS_CAPTURE_PID_SET_H
#define TOPSTACKS_CAPTURE_PID_SET_H

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"

struct pid_set {
	struct map map;
};

/* 0 or -ENOMEM. */
int pid_set__init(struct pid_set *set);
/* Zeroed is fine. */
void pid_set__fini(struct pid_set *set);

/* 0 or -ENOMEM. */
int pid_set__add(struct pid_set *set, int32_t pid);
/* Whether it was there. */
bool pid_set__remove(struct pid_set *set, int32_t pid);
bool pid_set__has(const struct pid_set *set, int32_t pid);
void pid_set__clear(struct pid_set *set);

/* Shows each of them, in no order; one for which visit returns true is removed. */
void pid_set__visit(struct pid_set *set, bool (*visit)(int32_t pid, void *context), void *context);

#endif
