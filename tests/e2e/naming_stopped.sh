#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The thread that names samples is held for so long that they do not find room to wait in: serve takes no more memory
# than it may, what had no room is counted without names, and each answer balances to the sample.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/serving.sh"

limit=$((64 << 20))
start stacks 18 1000 1
start stacks 18 1000 1
serve -a -F 4999 --slice 1 --max-memory $limit --max-overhead 100
counted() {
	asked /metrics "$tmp/metrics"
	sed -n 's/^topstacks_samples_total{event="cpu-clock",fate="counted"} //p' "$tmp/metrics"
}
has_counted() {
	[ "$(counted)" -gt "$1" ] || ! kill -0 "$serve_pid"
}
wait_for has_counted 20000
# Prints how many samples were counted without names: by the ledger, and by the row.
unnamed() {
	asked "/debug/pprof/delta_profile?client=one" "$tmp/delta"
	"$topstacks" report --format json "$tmp/delta" >"$tmp/delta.json"
	python3 - "$tmp/delta.json" <<-'PYTHON'
		import json, sys
		run = json.load(open(sys.argv[1]))
		ledger, row = run["ledger"], {i for i, frame in enumerate(run["frames"]) if frame["function"] == "[not named]"}
		assert ledger["balanced"] and ledger["counted"] == sum(sample["count"] for sample in run["samples"]), ledger
		print(ledger["stacks"]["missing_by"]["unnamed"],
		      sum(sample["count"] for sample in run["samples"] if row.intersection(sample["frames"])))
	PYTHON
}

# Sets taken to the most memory of its own that the program had in the next seconds: maps of the kernel are no part of it.
note_taken() {
	local kbytes end=$((SECONDS + 2))
	taken=0
	while [ "$SECONDS" -lt "$end" ]; do
		kbytes=$(awk '/^RssAnon:/ { print $2 }' "/proc/$serve_pid/status") || fail "serve has ended"
		[ "$taken" -ge $((kbytes * 1024)) ] || taken=$((kbytes * 1024))
		sleep 0.02
	done
}

nr_unnamed=0
for seconds in 5 10 20 40; do # until the queue is full, however few samples a busy machine lets come
	hold_thread "$serve_pid" "$seconds" >/dev/null
	note_taken
	wait_for has_counted 0
	read -r nr_unnamed nr_in_row <<<"$(unnamed)"
	echo "held for $seconds s: $nr_unnamed samples without names, $taken bytes taken"
	[ "$nr_unnamed" = "$nr_in_row" ] || fail "the row has another count than the ledger: $nr_in_row"
	[ "$nr_unnamed" -eq 0 ] || break
done
[ "$nr_unnamed" -gt 0 ] || fail "all samples found room"
[ "$taken" -le "$limit" ] || fail "more than --max-memory: $taken bytes"
end_serve
pass
