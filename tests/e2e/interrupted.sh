#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Ctrl-C ends a run with a summary of all of it and success; with --json, with what was gathered.
. "$(dirname "$0")/lib.sh"

start shares 20
top_start -p "$pid" -i 0.3
wait_for grep -q share_40 "$out"
top_end
grep -q share_40 "$out" || fail 'no function in the report'

top_start --json -p "$pid" -F 999 -i 0.3
wait_for test -s "$out"
top_end
check <<'PYTHON'
expect_at_least("intervals", len(run.intervals), 2)
PYTHON

# In the first interval too: nothing is thrown away because it was short.
top_start --json -p "$pid" -F 999 -i 30
wait_sampling
top_end
check <<'PYTHON'
expect_eq("intervals", len(run.intervals), 1)
PYTHON

# nohup(1) ignores SIGHUP: the run outlives its terminal, and still ends by SIGTERM.
start shares 60
trap '' HUP
top_start --json -p "$pid" -i 0.3
trap - HUP
wait_intervals 1
kill -HUP "$top_pid"
wait_intervals 3
kill -TERM "$top_pid"
top_wait
expect_status 0
pass
