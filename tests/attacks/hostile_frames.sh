#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Files that processes run code of, which cost whoever makes unwind tables of them more than they should.
. "$(dirname "$0")/lib.sh"

start_beside
suffer cies 8
pass
