#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What docs/leaks.md shows: a program's published leak is found, with the bytes and the function that valgrind has.
. "$(dirname "$0")/lib.sh"
for command in jq valgrind; do
	command -v "$command" >/dev/null || skip "no $command"
done

seq 5000 | awk '{ printf "{\"path\":%s,\"status\":%d}\n", $1 % 4 ? "null" : "\"/srv/app/" $1 "\"", $1 % 300 }' >"$tmp/log.json"
valgrind --leak-check=full --log-file="$tmp/valgrind" jq -c 'map_values(ltrimstr("/srv"))' "$tmp/log.json" >"$tmp/truth"
lost=$(sed -n 's/^==.*(\([0-9,]*\) direct, \([0-9,]*\) indirect).*/\1 \2/p' "$tmp/valgrind" | tr -d ,)
read -r direct indirect <<<"$lost" || true
[ "${direct:-0}" -gt 0 ] || skip 'this jq has no such leak'

# One in so few bytes that chance is small, and all of it.
mean=256
top record -q -e alloc --live --alloc-every "$mean" -o "$tmp/leak.pb.gz" -- \
	jq -c 'map_values(ltrimstr("/srv"))' "$tmp/log.json"
expect_status 0
cmp -s "$tmp/truth" "$out" || fail 'jq says something else when it is sampled'
top report --format json "$tmp/leak.pb.gz"
expect_status 0
check "$direct" "$indirect" "$mean" <<'PYTHON'
direct, indirect, mean = map(int, args)
live = run.intervals[0]
expect_eq("what is shown", live["values"]["weight"]["name"], "inuse_space")


def expect_bytes(what, counted, truth):
    expect_near(what, counted, truth, 5 * math.sqrt(truth * mean))


held = [sample for sample in run.samples if sample.has("jq_next")]
expect_bytes("bytes held", sum(sample.raw["weight"] for sample in held), direct + indirect)
errors = sum(sample.raw["weight"] for sample in held if sample.has("jv_invalid_with_msg"))
expect_bytes("bytes of errors", errors, direct)
PYTHON

# What frees all that it allocates holds nothing.
top record -q -e alloc --live --alloc-every "$mean" -o "$tmp/mended.pb.gz" -- \
	jq -c 'map_values(strings |= ltrimstr("/srv"))' "$tmp/log.json"
expect_status 0
top report --format json "$tmp/mended.pb.gz"
expect_status 0
check <<'PYTHON'
held = [sample for sample in run.samples if sample.has("jq_next")]
expect_eq("bytes held", sum(sample.raw["weight"] for sample in held), 0)
PYTHON
pass
