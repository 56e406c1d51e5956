#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Has other samples than it counted.
. "${0%/*}/lib.sh"
results 5 4 true
