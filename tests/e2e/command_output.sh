#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A command keeps standard output for itself where -o names a file for what we have to say. A file
# that cannot be written is one sentence; if that is known before, the command does not run.
. "$(dirname "$0")/lib.sh"

top --json -o "$tmp/intervals" -F 999 -- sh -c 'echo from the command; exec "$0" 1 >/dev/null' "$workloads/shares"
expect_status 0
expect_silent
[ "$(cat "$out")" = 'from the command' ] || fail 'standard output is not that of the command alone'
mv "$tmp/intervals" "$out"
check <<'PYTHON'
expect_at_least("samples in main", run.with_function("main"), 100)
PYTHON

# Text, too; what was there before is gone.
echo before >"$tmp/text"
top -o "$tmp/text" -- true
expect_status 0
[ ! -s "$out" ] || fail 'text on standard output'
grep -q '^topstacks  ' "$tmp/text" || fail 'no text in the file'
! grep -q before "$tmp/text" || fail 'the file was not emptied'

mkfifo "$tmp/pipe"
for path in /dev/full "$tmp/pipe" "$tmp/none/file"; do
	top --json -o "$path" -d 0.1 -a
	expect_status 4
	expect_err "^topstacks: cannot write \"$path\": no "
done
top --json -o "$tmp/none/file" -- touch "$tmp/ran"
expect_status 125
[ ! -e "$tmp/ran" ] || fail 'the command ran all the same'
pass
