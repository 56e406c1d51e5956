#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-only
# Says itself that its ledger is not balanced.
. "${0%/*}/lib.sh"
results 5 5 false
