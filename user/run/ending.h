/* SPDX-License-Identifier: GPL-2.0-only */
/* What the name of a file that is written says of it. */
#ifndef TOPSTACKS_RUN_ENDING_H
#define TOPSTACKS_RUN_ENDING_H

/* The format that the name of an output ends with, as "html" of "x.html"; NULL for none. output may be NULL. */
const char *ending__format(const char *output);

#endif
