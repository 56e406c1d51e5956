/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What this kernel offers, what we may do with it, and what would help: a table for people, or
 * JSON. Needs no rights, changes nothing.
 */
#ifndef TOPSTACKS_RUN_DOCTOR_H
#define TOPSTACKS_RUN_DOCTOR_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"

/* EXIT_DONE: we can run here; EXIT_SYSTEM: we cannot; or negative errno with err filled. */
int doctor__report(FILE *out, bool as_json, struct error *err);

#endif
