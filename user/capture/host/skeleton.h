/* SPDX-License-Identifier: GPL-2.0-only */
/* The generated skeleton names the types of the programs' globals but does not define them. */
#ifndef TOPSTACKS_CAPTURE_HOST_SKELETON_H
#define TOPSTACKS_CAPTURE_HOST_SKELETON_H

#include "base/common.h"
#include "topstacks/abi.h"

#include "topstacks.skel.h"

#endif
