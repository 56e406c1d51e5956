/* SPDX-License-Identifier: GPL-2.0-only */
/* From the spool to the server, file by file, until a signal comes or all is done. */
#ifndef TOPSTACKS_PUSH_PUSHER_H
#define TOPSTACKS_PUSH_PUSHER_H

#include "base/error.h"
#include "push/options.h"

/* 0, or negative errno with err; the ledger is printed in any case once there is one. */
int pusher__run(const struct push_options *options, struct error *err);

/* Prints the ledger as it was kept. 0, or negative errno with err. */
int pusher__print_status(const struct push_options *options, struct error *err);

#endif
