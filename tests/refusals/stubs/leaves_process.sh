#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Ends in a true sentence, and leaves a process.
. "${0%/*}/lib.sh"
sleep 100 >/dev/null 2>&1 &
say "cannot enter the directory $1/wanted: operation not permitted"
exit 4
