/* SPDX-License-Identifier: GPL-2.0-only */
/* The past at a glance, for the page: how much there was in each slice, of all or of one user. */
#ifndef TOPSTACKS_SERVE_TIME_LINE_H
#define TOPSTACKS_SERVE_TIME_LINE_H

#include "flame/flame.h"
#include "serve/store.h"

/*
 * uid: whose processes; SERVE_NO_UID: all. shown: what the page shows; its metric is borrowed. The slices are the
 * caller's to free. 0 or -ENOMEM.
 */
int time_line__make(struct store *store, uint32_t uid, const struct recording *shown,
		    struct flame_time_line *line, struct flame_slice **slices);

#endif
