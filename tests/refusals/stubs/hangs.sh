#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Does not end.
. "${0%/*}/lib.sh"
exec sleep 100
