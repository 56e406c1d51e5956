#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Ends in a true sentence, and a status that no document has.
. "${0%/*}/lib.sh"
say "cannot enter the directory $1/wanted: operation not permitted"
exit 77
