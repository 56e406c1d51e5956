/* SPDX-License-Identifier: GPL-2.0-only */
/* The file that a command comes down to. */
#ifndef TOPSTACKS_RUN_PRELOAD_PROGRAM_FILE_H
#define TOPSTACKS_RUN_PRELOAD_PROGRAM_FILE_H

/*
 * The program that execvp(3) would start for a command, in the end: of a script the interpreter that it
 * names. A descriptor for reading, the caller's to close; or negative errno, if there is none that can be read.
 */
int program_file__open(const char *command);

/* A regular file by path, for reading; never waits for a FIFO. A descriptor or negative errno. */
int program_file__open_path(const char *path);

#endif
