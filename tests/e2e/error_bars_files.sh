#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Several files are intervals, in all outputs alike; and a time can be chosen of them, whatever is written.
. "$(dirname "$0")/lib.sh"

# Half of 2,000 samples are in f; the step is 0.8, where chance makes 0.022: φ is 1280, and t of one step 12.706.
printf 'f 900\ng 100\n' >"$tmp/one.folded"
printf 'f 100\ng 900\n' >"$tmp/other.folded"
for errors in auto never; do
	top report --errors $errors --format markdown "$tmp/one.folded" "$tmp/other.folded"
	grep -qE '^\| 50\.0 % ± 49\.8 \|.* `f`' "$out" || fail "Markdown has other bars"
	top report --errors $errors --format json "$tmp/one.folded" "$tmp/other.folded"
	grep -q '"samples":2000,"dispersion":1280,' "$out" || fail "JSON has other bars"
done
top report --errors always --by function "$tmp/one.folded" "$tmp/other.folded"
grep -qE '^ +50\.0 ±49\.8 *' "$out" || fail "text has other bars"
top report --errors always --by function --focus '^f$' "$tmp/one.folded" "$tmp/other.folded"
grep -qE '^ +50\.0 ±49\.8 ' "$out" || fail "bars change with what is chosen"

# The second of two files begins long after the first has ended.
for file in one other; do
	top record -q --slices 100ms -F 199 -d 0.5 -o "$tmp/$file.pb.gz" -- "$workloads/slowed" 0 40
	expect_status 0
done
for time in '--from 200ms' '--to 300ms' '--time 0-0.3'; do
	for format in text markdown csv json html pprof folded; do
		for errors in auto never; do
			# shellcheck disable=SC2086 # an option and its value
			top report $time --errors $errors --format $format -o "$tmp/report" \
				"$tmp/one.pb.gz" "$tmp/other.pb.gz"
			expect_status 0
		done
	done
done
pass
