#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Files that processes run code of, which cost whoever looks for their names more than they should.
. "$(dirname "$0")/lib.sh"

start_beside
suffer sections 1
suffer names 4
suffer debug_link 8

# So many that they take eight seconds of CPU time to read, which nobody waits for, whatever ends the run.
bear checksum 16
record_all 2
limited 512 60,2500 record -q -a -F 199 -o "$tmp/profile"
expect_status 0
expect_ending
pass
