#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A file of two events, and all that is made of it: each event by itself, the same in every format; files are
# added up event by event; what is of different events is not compared.
. "$(dirname "$0")/lib.sh"

record() {
	top record -q "$@"
	expect_status 0
}
record -F 499 -e cpu,page-faults -o "$tmp/both.pb.gz" -- "$workloads/counters" 20000 0 now
record -e page-faults -o "$tmp/faults.pb.gz" -- "$workloads/counters" 20000 0 now

# folded FILE ARGUMENTS...: the sum of its counts.
folded() {
	top report --format=folded "${@:2}" "$1"
	expect_status 0
	awk '{ sum += $NF } END { print sum + 0 }' "$out"
}

top report --format=json "$tmp/both.pb.gz"
expect_status 0
python3 - "$out" >"$tmp/truth" <<-'PYTHON' || fail "the events of the file"
	import json, sys
	run = json.load(open(sys.argv[1]))
	names = [one["event"] for one in run["events"]]
	assert names == ["cpu-clock", "page-faults"], names
	assert [one["shown"] for one in run["events"]] == [True, False]
	assert "samples" not in run["events"][0], "the one that is shown is there twice"
	for one in (dict(run, **event) for event in run["events"]):
	    total = sum(sample["count"] for sample in one["samples"])
	    assert total == one["values"]["count"]["total"] == one["ledger"]["counted"], one["event"]
	    assert one["ledger"]["balanced"], one["event"]
	    print(total)
PYTHON
{ read -r samples && read -r faults; } <"$tmp/truth"
[ "$faults" -ge 20000 ] || fail "$faults page faults"

[ "$(folded "$tmp/both.pb.gz")" = "$samples" ] || fail "the first event is another"
grep -q 'written is cpu; --sample-type picks another: page-faults' "$err" || fail "nothing is said"
[ "$(folded "$tmp/both.pb.gz" --sample-type page-faults)" = "$faults" ] || fail "page faults differ"
[ "$(folded "$tmp/both.pb.gz" --sample-type page-faults "$tmp/both.pb.gz")" = $((2 * faults)) ] ||
	fail "they do not add up"

# What record says of a directory of files is what all of them hold together.
top record -F 499 -e cpu,page-faults --rotate 1 -o "$tmp/files" -- sh -c '"$@"; sleep 1.3; "$@"' sh "$workloads/counters" 5000 0 now
expect_status 0
mv "$err" "$tmp/said"
[ "$(find "$tmp/files" -name 'topstacks-*' | wc -l)" -ge 2 ] || fail "no file for each second"
top report --format=json "$tmp/files"
expect_status 0
python3 - "$out" "$tmp/said" <<-'PYTHON' || fail "not what was said"
	import json, re, sys
	run = json.load(open(sys.argv[1]))
	of = {event["event"]: dict(run, **event)["ledger"] for event in run["events"]}
	said = re.search(r"([0-9,]+) samples?, ([0-9,]+) page-faults?, ([0-9,]+) lost, in ", open(sys.argv[2]).read())
	said = [int(number.replace(",", "")) for number in said.groups()]
	assert said == [of["cpu-clock"]["counted"], of["page-faults"]["counted"], sum(one["lost"] for one in of.values())], said
PYTHON

if command -v go >/dev/null; then
	HOME=$tmp go tool pprof -symbolize=none -sample_index=page-faults -top "$tmp/both.pb.gz" >"$out" 2>"$err"
	grep -q "Total samples = $faults" "$out" || fail "go tool pprof counts others"
fi

top report --by function --sample-type page-faults "$tmp/both.pb.gz"
expect_status 0
grep -qE '^values +page-faults in count .also there: .*, cpu-clock; see --sample-type' "$out" ||
	fail "the values are not named"
grep -qE '^page-faults  [0-9,]+ on [0-9]+ CPU' "$out" || fail "no header"
grep -qE '^also +cpu-clock  [0-9,]+, .*: [0-9,]+ events = ' "$out" || fail "the other event is not named"
grep -qE '^events +[0-9.]+ % of [0-9,]+ accounted for' "$out" || fail "what takes the place of coverage"

top report --sample-type page-fault "$tmp/both.pb.gz"
expect_status 2
grep -q 'do you mean "page-faults"?' "$err" || fail "the nearest name is not told"
top report "$tmp/both.pb.gz" "$tmp/faults.pb.gz"
expect_status 2
grep -q 'different events cannot be added up: "cpu-clock, page-faults", and "page-faults"' "$err" ||
	fail "not both are named"

top diff "$tmp/both.pb.gz" --against "$tmp/faults.pb.gz"
expect_status 2
grep -q 'the event differs: "cpu-clock" in .*, "page-faults" in ' "$err" || fail "not both are named"
top baseline --dir "$tmp/store" --sample-type page-faults save "$tmp/both.pb.gz"
expect_status 0
top diff --sample-type page-faults "$(cat "$out")" --against "$tmp/faults.pb.gz"
expect_status 0
pass
