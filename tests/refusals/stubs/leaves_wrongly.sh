#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# A file stays, and another one is told of.
. "${0%/*}/lib.sh"
: >"$1/remains"
say "cannot remove others: operation not permitted; they are left behind"
results 5 5 true
