/* SPDX-License-Identifier: GPL-2.0-only */
/* What a thread waits for that is blocked in a system call. */
#ifndef TOPSTACKS_CAPTURE_SOURCES_SYSCALL_WAITS_H
#define TOPSTACKS_CAPTURE_SOURCES_SYSCALL_WAITS_H

#include <stdint.h>

#include "topstacks/abi.h"

/* enum wait_kind of each number of this machine, or WAIT_BY_FILE. */
void syscall_waits__fill(uint8_t waits[SYSCALL_WAITS]);

#endif
