#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Ends in a true sentence, within its results.
. "${0%/*}/lib.sh"
echo '{"schema": 1, "ledger": {"events": 5'
say "cannot enter the directory $1/wanted: operation not permitted"
exit 4
