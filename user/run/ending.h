/* SPDX-License-Identifier: GPL-2.0-only */
/* The format that the ending of an output file's name stands for. */
#ifndef TOPSTACKS_RUN_ENDING_H
#define TOPSTACKS_RUN_ENDING_H

/* Returns "html" for "x.html"; NULL if the ending is no format, or output is NULL. */
const char *ending__format(const char *output);

#endif
