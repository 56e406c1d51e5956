#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Stacks are walked in another way, without a word.
. "${0%/*}/lib.sh"
results 5 5 true "frame pointers"
