#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A file stays, which it tells of.
. "${0%/*}/lib.sh"
: >"$1/remains"
say "cannot remove remains: operation not permitted; it is left behind"
results 5 5 true
