#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Is ended by a signal.
. "${0%/*}/lib.sh"
[ "$refused" = no ] || kill -SEGV $$
