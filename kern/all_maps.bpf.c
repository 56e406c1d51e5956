// SPDX-License-Identifier: GPL-2.0-only
/* The maps and settings of all programs, once. */
#include <linux/bpf.h>

#define DEFINE_MAPS
#include "alloc_maps.bpf.h"
#include "maps.bpf.h"
#include "unwind_maps.bpf.h"
#include "waits_maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";
