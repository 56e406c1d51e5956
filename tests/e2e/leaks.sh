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
hold() {
	json -e alloc --live --alloc-every "$mean" -i 600 -- jq -c "$1" "$tmp/log.json"
	grep -v '^{"schema"' "$out" >"$tmp/said"
	cmp -s "$tmp/truth" "$tmp/said" || fail 'jq says something else when it is sampled'
	grep '^{"schema"' "$out" >"$tmp/run" && mv "$tmp/run" "$out"
}

hold 'map_values(ltrimstr("/srv"))'
check "$direct" "$indirect" "$mean" <<'PYTHON'
direct, indirect, mean = map(int, args)


def expect_bytes(what, held, truth):
    expect_near(what, sum(sample.raw["weight"] for sample in held), truth, 5 * math.sqrt(truth * mean))


expect_eq("events", [event["event"] for event in run.intervals[0]["events"]], ["live", "alloc"])
held = [sample for sample in run.samples if sample.has("jq_next")]
expect_bytes("bytes held", held, direct + indirect)
expect_bytes("bytes of errors", [sample for sample in held if sample.has("jv_invalid_with_msg")], direct)
PYTHON

# What frees all that it allocates holds nothing.
hold 'map_values(strings |= ltrimstr("/srv"))'
check <<'PYTHON'
expect_eq("samples of what is held", sum(sample.has("jq_next") for sample in run.samples), 0)
PYTHON
pass
