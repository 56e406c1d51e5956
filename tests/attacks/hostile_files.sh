#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Files that processes run code of, which cost whoever looks for their names more than they should.
. "$(dirname "$0")/lib.sh"

start_beside
suffer sections 1
suffer names 4
suffer debug_link 8
pass
