#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# record --repeat: a file for each run, none for those that warm up or fail; an end when there is enough.
. "$(dirname "$0")/lib.sh"

# Every run leaves a line, so that runs can be told from files.
printf '#!/bin/sh\necho run >>"%s"\nexec "%s" "$@"\n' "$tmp/runs" "$workloads/slowed" >"$tmp/command"
chmod +x "$tmp/command"

top record -q -F 999 --repeat 3 --warm-up 2 -o "$tmp/three" -- "$tmp/command" 0 10
expect_status 0
[ "$(wc -l <"$tmp/runs")" -eq 5 ] || fail "not two to warm up and three"
[ "$(cd "$tmp/three" && echo ./*)" = "./run-001.pb.gz ./run-002.pb.gz ./run-003.pb.gz" ] || fail "not three files"
top diff "$tmp"/three/run-00[12].pb.gz --against "$tmp/three/run-003.pb.gz" --fail-on none --format=json
grep -q '"base":{"runs":2,' "$out" || fail "these are no runs"

# Ten would be too many: anything is found that is a thousand times slower.
top record -F 999 --repeat 10 --effect 100000 -o "$tmp/enough" -- "$tmp/command" 0 10
expect_status 0
[ "$(ls "$tmp/enough" | wc -l)" -eq 3 ] || fail "not three, which is the least that says something"
expect_err '3 runs; in diff against as many others, a function with 10 % of the samples must become'
said=$(sed -n 's/.* must become \([0-9.]*\) % slower to be found$/\1/p' "$err")
# Which is what diff says of the same runs.
top diff "$tmp/enough" --against "$tmp/enough" --fail-on none --format=json
found=$(python3 -c 'import json, sys; x = 100 * json.load(open(sys.argv[1]))["found_effect"]; print("%.0f" % x if x >= 99.5 else "%.2g" % x)' "$out")
[ "$said" = "$found" ] || fail "record says $said %, diff $found %"
# And a thousandth is not found in four.
top record -q -F 999 --repeat 4 --effect 0.1 -o "$tmp/few" -- "$tmp/command" 0 5
expect_status 0
[ "$(ls "$tmp/few" | wc -l)" -eq 4 ] || fail "not all four"
expect_err '4 runs; .*, more than the 0.1 % of --effect; raise --repeat or the rate'

# What the tool changes of itself for a run (priority, limits) is no run's heritage.
top record -q --repeat 3 -o "$tmp/alike" -- sh -c "echo \"\$(nice) \$(ulimit -Sn)\" >>'$tmp/surroundings'"
expect_status 0
[ "$(sort -u "$tmp/surroundings")" = "$(nice) $(ulimit -Sn)" ] || fail "runs are not alike: $(cat "$tmp/surroundings")"

# A command that fails ends the series with its status, and leaves no run.
top record -q --repeat 3 -o "$tmp/failed" -- sh -c 'exit 7'
expect_status 7
[ -z "$(ls "$tmp/failed")" ] || fail "a failed run is kept"

# Runs do not mix with those of before, nor with what is no series.
top record -q --repeat 3 -o "$tmp/three" -- true
expect_status 125
expect_err 'has runs already'
for words in "--repeat 2 -o $tmp/x" "--repeat 2 -o - -- true" "--warm-up 1 -o $tmp/x -- true" \
	"--effect 5 -o $tmp/x -- true" "--repeat 2 --rotate 5 -o $tmp/x -- true" "--repeat 2 -o $tmp/runs -- true"; do
	# shellcheck disable=SC2086 # words
	top record $words
	[ "$status" -eq 2 ] || [ "$status" -eq 125 ] || fail "$words: $status"
	[ "$(wc -l <"$err")" -eq 1 ] || fail "not one sentence: $words"
done
pass
