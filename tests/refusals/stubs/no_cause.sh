#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Says what was refused, and not why.
. "${0%/*}/lib.sh"
say "cannot enter the directory $1/wanted"
exit 4
