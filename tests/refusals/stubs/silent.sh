#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Fails without a word.
. "${0%/*}/lib.sh"
exit 4
