/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TOPSTACKS_CAPTURE_KERNEL_ADDRESS_MASK_H
#define TOPSTACKS_CAPTURE_KERNEL_ADDRESS_MASK_H

#include <stdint.h>

/*
 * The bits of a return address that are the address. The others may be a signature, where the machine signs pointers
 * (aarch64, ARMv8.3); which ones depends on the size of address spaces, and the kernel tells debuggers
 * (NT_ARM_PAC_MASK, Documentation/arch/arm64/pointer-authentication.rst). So this looks at a child of its own, once a
 * run, where there is such a machine. Where no process may debug another, addresses are taken to have 48 bits.
 */
uint64_t address_mask__read(void);

#endif
