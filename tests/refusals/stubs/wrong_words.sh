#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Says that there was no memory, which is not so.
. "${0%/*}/lib.sh"
say "cannot enter the directory $1/wanted: out of memory"
exit 4
