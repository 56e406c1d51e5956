/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_CAPTURE_KERNEL_ADDRESS_MASK_H
#define TOPSTACKS_CAPTURE_KERNEL_ADDRESS_MASK_H

#include "base/common.h"

/*
 * Returns the bits of a return address that belong to the address. On machines that sign pointers
 * (aarch64, ARMv8.3) the other bits may be a signature. Their position depends on the size of
 * address spaces, and the kernel only tells it to debuggers (NT_ARM_PAC_MASK,
 * Documentation/arch/arm64/pointer-authentication.rst), so this debugs a child of its own, once a
 * run. Where debugging is forbidden, addresses are taken to have 48 bits.
 */
uint64_t address_mask__read(void);

#endif
