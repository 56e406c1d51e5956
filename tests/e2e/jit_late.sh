#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Code that a program tells of only when it ends has its names and its shares in what was sampled
# before. Where memory was used again, nobody knows what was there: it has no name, and that is said.
. "$(dirname "$0")/lib.sh"

# check_names MOST: by the truth, and by what was said of how many samples. Addresses that were sampled in the
# first function alone have its name if times are told; most are sampled in both.
check_names() {
	check "$tmp/truth" "$err" "$1" <<'PYTHON'
truth = truths(args[0])["functions_ns"]
expect(truth["jit_50"] and truth["jit_second_50"], "memory was not used again")
said = re.search(r"([\d,]+) samples were named late.*; ([\d,]+) addresse?s? (was|were) reused", open(args[1]).read())
expect(said, "nothing was said of late names")
unnamed = lambda s: any(f["kind"] == "jit" and not f.get("function") for f in s.frames)
counts = {name: run.with_function(name) for name in ("jit_20", "jit_30")}
said = int(said[1].replace(",", ""))
expect(0 < said <= sum(counts.values()), f"{said} samples are said to be named late, of {counts}")
expect_at_most("samples of the first function in reused memory", run.with_function("jit_50"), int(args[2]))
second = truth["jit_second_50"] / sum(truth.values())
expect_at_most("share of the second one", run.with_function("jit_second_50") / run.counted, 1.2 * second)
counts["reused"] = run.count(unnamed) + run.with_function("jit_second_50") # in the last moments it was told
expect_shares(counts, {"jit_20": truth["jit_20"], "jit_30": truth["jit_30"],
                       "reused": truth["jit_50"] + truth["jit_second_50"]})
PYTHON
}

# One interval, in which it was told.
json -F 1999 -i 60 -- sh -c 'exec "$1" late_map 2 >"$2"' sh "$workloads/jit" "$tmp/truth"
note_map "$tmp/truth"
check_names 0
json -F 1999 -i 60 -- sh -c 'exec "$1" late_dump 2 "$3" >"$2"' sh "$workloads/jit" "$tmp/truth" "$tmp"
check_names 20

# The process is forgotten long before the end.
json -F 1999 -i 60 -- sh -c '"$1" late_map 2 >"$2"; exec "$1" silent 1 >"$3"' \
	sh "$workloads/jit" "$tmp/truth" "$tmp/silent"
note_map "$tmp/truth"
check "$tmp/truth" <<'PYTHON'
truth = truths(args[0])["functions_ns"]
expect_at_least("samples in jit_20", run.with_function("jit_20"), truth["jit_20"] * 1999e-9 / 2)
PYTHON

# Intervals that were kept, and not yet written.
top record --intervals 0.5 -F 1999 -o "$tmp/x.pb.gz" -- \
	sh -c 'exec "$1" late_map 2 >"$2"' sh "$workloads/jit" "$tmp/truth"
expect_status 0
note_map "$tmp/truth"
said=$(sed -n 's/^topstacks: \([0-9,]*\) samples were named late.*/\1/p' "$err" | tr -d ,)
top report --by symbol --format=csv "$tmp/x.pb.gz"
named=$(awk -F , '$1 ~ /^"jit_(20|30)"$/ { sum += $4 } END { print sum + 0 }' "$out")
[ "$named" -gt 100 ] || fail "$named samples with names"
[ "$said" -gt 0 ] && [ "$said" -le "$named" ] || fail "$said samples are said to be named late, of $named"
pass
