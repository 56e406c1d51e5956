/* SPDX-License-Identifier: GPL-2.0-only */
/* Finds the program file that a command runs in the end. */
#ifndef TOPSTACKS_RUN_PRELOAD_PROGRAM_FILE_H
#define TOPSTACKS_RUN_PRELOAD_PROGRAM_FILE_H

/*
 * Opens the program that execvp(3) would start for a command; for a script, the interpreter that it
 * names. Returns a descriptor for reading, which the caller closes, or negative errno.
 */
int program_file__open(const char *command);

/*
 * Opens a regular file for reading; never waits for a FIFO. Returns a descriptor or negative errno.
 */
int program_file__open_path(const char *path);

#endif
