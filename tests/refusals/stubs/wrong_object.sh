#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Says what is true of another call.
. "${0%/*}/lib.sh"
say "cannot load the BPF programs: operation not permitted"
exit 3
