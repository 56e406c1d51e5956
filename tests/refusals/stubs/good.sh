#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Ends in one true sentence, and a documented status.
. "${0%/*}/lib.sh"
if [ "$refused" = yes ]; then
	say "cannot enter the directory $1/wanted: operation not permitted"
	exit 4
fi
