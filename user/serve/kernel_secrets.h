/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_SERVE_KERNEL_SECRETS_H
#define TOPSTACKS_SERVE_KERNEL_SECRETS_H

#include <stdbool.h>

/*
 * Whether users without rights may not know what the kernel does: they may sample it themselves with
 * kernel.perf_event_paranoid up to 1, and read its symbols' addresses with kernel.kptr_restrict 0. What
 * cannot be read is kept.
 */
bool kernel_secrets__are_kept(void);

#endif
