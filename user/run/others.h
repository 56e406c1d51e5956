/* SPDX-License-Identifier: GPL-2.0-only */
/* That a file has more events than the one that was taken is said once on standard error. */
#ifndef TOPSTACKS_RUN_OTHERS_H
#define TOPSTACKS_RUN_OTHERS_H

#include "profile/recording.h"

/* "topstacks: written is cpu-clock; --sample-type picks another: page-faults"; nothing of one event. */
void others__tell(const struct recording *recording, const char *done);

#endif
