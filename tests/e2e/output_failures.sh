#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Standard output that is full or closed is one sentence and exit status 4, also for what is printed
# at once; a reader that leaves is nobody's failure.
# shellcheck disable=SC2034 # status is read by expect_status
. "$(dirname "$0")/lib.sh"

for words in 'doctor --json' --help --version; do
	status=0
	# shellcheck disable=SC2086 # words
	"$topstacks" $words >/dev/full 2>"$err" || status=$?
	expect_status 4
	expect_err '^topstacks: cannot write standard output: no space left on device$'

	status=0
	# shellcheck disable=SC2086
	"$topstacks" $words >&- 2>"$err" || status=$?
	expect_status 4
	expect_err '^topstacks: cannot write standard output: bad file descriptor$'
done

mkfifo "$tmp/pipe"
exec 3<>"$tmp/pipe" 4>"$tmp/pipe" 3>&- # a pipe that can be written to, and has no reader
status=0
"$topstacks" --help >&4 2>"$err" || status=$?
expect_status 0
expect_silent
pass
