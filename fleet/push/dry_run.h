/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_PUSH_DRY_RUN_H
#define TOPSTACKS_PUSH_DRY_RUN_H

#include "base/error.h"
#include "push/options.h"

/*
 * Prints what would leave now: requests, their labels and samples, bytes, and each name in them.
 * Sends and changes nothing. 0, or negative errno with err.
 */
int dry_run__print(const struct push_options *options, struct error *err);

#endif
