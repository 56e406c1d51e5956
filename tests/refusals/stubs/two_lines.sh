#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Says the same in two lines.
. "${0%/*}/lib.sh"
say "cannot begin"
say "cannot enter the directory $1/wanted: operation not permitted"
exit 4
