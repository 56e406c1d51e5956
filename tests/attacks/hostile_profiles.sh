#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Profiles of strangers: what reading them costs grows as they do, whatever is in them, and is bounded.
. "$(dirname "$0")/lib.sh"

# Four times as much may take four times as long, and somewhat more for sorting and caches: each
# doubling 2.4 times. Below half a second nothing is told.
for kind in ids words comms; do
	python3 "$attacks/pprof.py" $kind "$tmp/small" 25000
	python3 "$attacks/pprof.py" $kind "$tmp/large" 100000
	limited 1024 60 report --format json -o /dev/null "$tmp/small"
	expect_status 0
	small_ms=$cpu_ms
	limited 1024 60 report --format json -o /dev/null "$tmp/large"
	expect_status 0
	echo "$kind: $small_ms ms, four times as many $cpu_ms ms"
	expect_cpu $((small_ms * 576 / 100 + 500))
done

# What has no contents takes memory nevertheless: no more than all of a profile may, and a tenth.
for kind in strings functions samples; do
	python3 "$attacks/pprof.py" $kind "$tmp/nothing" 200000000
	limited 282 60 report --max-memory 256M --format json -o /dev/null "$tmp/nothing"
	expect_status 4
	expect_err 'cannot read|out of memory'
done

# Nor does what has contents, in any command.
python3 "$attacks/pprof.py" words "$tmp/small" 1
for kind in ids words comms; do
	python3 "$attacks/pprof.py" $kind "$tmp/large" 300000
	for command in report "diff $tmp/small --against"; do
		# shellcheck disable=SC2086
		limited 1024 60 $command --max-memory 64M "$tmp/small"
		base_kb=$peak_kb
		# shellcheck disable=SC2086
		limited 1024 60 $command --max-memory 64M "$tmp/large"
		[ "$peak_kb" -le $((base_kb + 64 * 1024 * 110 / 100)) ] || fail "$peak_kb KB, and $base_kb KB for nothing"
		expect_status 4
	done
done
pass
