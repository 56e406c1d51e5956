#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Ends in a true sentence, and leaves a file.
. "${0%/*}/lib.sh"
echo >"$1/tmp/left"
say "cannot enter the directory $1/wanted: operation not permitted"
exit 4
