/* SPDX-License-Identifier: GPL-2.0-only */
/* The library that loads the BPF programs. */
#ifndef TOPSTACKS_CAPTURE_KERNEL_LOADER_H
#define TOPSTACKS_CAPTURE_KERNEL_LOADER_H

/* The version of the one that runs, which may be newer than the one that we were built with: "1.1". */
const char *loader__version(void);

#endif
