/* SPDX-License-Identifier: GPL-2.0-only */
/* A secret in a file. It is nowhere else: not in arguments, environment, URL, messages and metrics. */
#ifndef TOPSTACKS_PUSH_TOKEN_H
#define TOPSTACKS_PUSH_TOKEN_H

#include "base/error.h"

#define TOKEN_SIZE 4096

/*
 * Reads a file's only line, with the rights that the process has, if group and others have none on the
 * file. 0, or negative errno with err.
 */
int token__read(const char *path, char token[TOKEN_SIZE], struct error *err);

#endif
