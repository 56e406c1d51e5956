/* SPDX-License-Identifier: GPL-2.0-only */
/* The kinds of waits in system calls. */
#ifndef TOPSTACKS_CAPTURE_SOURCES_SYSCALL_WAITS_H
#define TOPSTACKS_CAPTURE_SOURCES_SYSCALL_WAITS_H

#include "base/common.h"
#include "topstacks/waits_abi.h"

/* Fills in enum wait_kind, or WAIT_BY_FILE, for each system call number of this machine. */
void syscall_waits__fill(uint8_t waits[SYSCALL_WAITS]);

#endif
