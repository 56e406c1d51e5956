/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The output of --version: a key and its value on each line, so that scripts can read it. Nothing
 * in it depends on when or where the program was built: two builds of one commit are the same file.
 *
 *	topstacks 0.1.0
 *	commit 7a635c3d5f…
 *	libbpf 1.1
 *	features shared instruction-decoder demangler …
 */
#ifndef TOPSTACKS_COMMANDS_VERSION_H
#define TOPSTACKS_COMMANDS_VERSION_H

void version__print(void);

#endif
