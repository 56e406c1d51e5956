// SPDX-License-Identifier: GPL-2.0-only
/* Defines the maps and settings of all programs. */
#include <linux/bpf.h>

#define DEFINE_MAPS
#include "maps/maps.bpf.h"
#include "maps/unwind_maps.bpf.h"
#include "probes/alloc_maps.bpf.h"
#include "waits/waits_maps.bpf.h"

char LICENSE[] SEC("license") = "GPL";
