#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Goes on, and gives a wrong reason.
. "${0%/*}/lib.sh"
say "what lies in wanted is left out: it belongs to another user"
results 5 5 true
