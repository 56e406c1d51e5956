/* SPDX-License-Identifier: GPL-2.0-only */
/* The report of doctor -e: what would be attached for some events, and whether it can be. */
#ifndef TOPSTACKS_RUN_DOCTOR_EVENTS_H
#define TOPSTACKS_RUN_DOCTOR_EVENTS_H

#include <stdio.h>

#include "base/error.h"

struct doctor_options;

/* EXIT_DONE: all can be had; EXIT_SYSTEM; or negative errno with err filled: they are said wrong. */
int doctor_events__report(FILE *out, const struct doctor_options *options, struct error *err);

#endif
