#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# diff: the program under test has another name in each version, and a function that is slower is found as if it had not; of
# folded text functions of a namespace with another name are the same functions.
. "$(dirname "$0")/lib.sh"

cp "$workloads/slowed" "$tmp/bench-old"
cp "$workloads/slowed" "$tmp/bench-new"
for i in 1 2 3; do
	top record -q -F 4999 -o "$tmp/old$i.pb.gz" -- "$tmp/bench-old" 0 60
	expect_status 0
	top record -q -F 4999 -o "$tmp/new$i.pb.gz" -- "$tmp/bench-new" 100 60
	expect_status 0
done
compare() {
	top diff --per share "$tmp"/old[123].pb.gz --against "$tmp"/new[123].pb.gz "$@"
}
compare
expect_status 1
grep -q '^renamed: "bench-old" of base is "bench-new" of new$' "$out" || fail "the program has two names, and no word of it"
compare --format json
python3 - "$out" <<'PYTHON' || fail "see above"
import json, sys
diff = json.load(open(sys.argv[1]))
assert diff["renamed_modules"] == [{"base": "bench-old", "new": "bench-new"}], diff["renamed_modules"]
failing = [(unit["name"], unit["module"]) for unit in diff["units"] if unit["fails"]]
assert failing == [("hot", "bench-new")], failing
sides = [unit for unit in diff["units"] if unit["module"] == "bench-old"]
assert not sides, sides
PYTHON
compare --by subtree --format json --fail-on none
expect_status 0
! grep -q bench-old <(python3 -c 'import json, sys; print([u["module"] for u in json.load(open(sys.argv[1]))["units"]])' "$out") ||
	fail "paths keep the old name"

# Six of thirty functions are in a namespace with another name. Nothing else changed, and these did not either.
for side in before after; do
	for run in 1 2 3; do
		for i in $(seq 30); do
			name=$([ "$i" -le 6 ] && echo "$side::f$i" || echo "same$i")
			echo "prog;main;$name $((10000 + (i * 37 + run * 61) % 90))"
		done >"$tmp/$side$run"
	done
done
top diff "$tmp"/before[123] --against "$tmp"/after[123]
expect_status 0
grep -q '^passed: 30 units tested (0 regressed, 0 improved, 30 unchanged, 0 not enough samples)' "$out" ||
	fail "other functions changed"
grep -q '^6 functions have another name in new$' "$out" || fail "not told"
grep -q '  after::f3; was before::f3$' "$out" || fail "a row does not tell what it was"
top diff "$tmp"/before[123] --against "$tmp"/after[123] --format csv
grep -q '^"after::f3","",user,self,unchanged,0,.*,"before::f3",$' <(tr -d '\r' <"$out") || fail "no column of it"
pass
