#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Stacks are walked in another way, for a reason that is none.
. "${0%/*}/lib.sh"
results 5 5 true "frame pointers" "the kernel refused a program: cannot allocate memory"
