#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Goes on, and says what it goes without.
. "${0%/*}/lib.sh"
say "what lies in wanted is left out: operation not permitted"
results 5 5 true
