#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report --join-names: copies by compilers and what JITs number are one function in stacks too, and no sample is lost.
. "$(dirname "$0")/lib.sh"

cat >"$tmp/copies.txt" <<-'EOF_'
	p;main;f.avx2.0 5
	p;main;f.default.1 3
	p;main;f.__part.1;f 1
	p;main;A$$Lambda$12.run 4
	p;main;A$$Lambda$733.run 2
	p;main;core::w::h0123456789abcdef 2
EOF_
top report --format folded --join-names "$tmp/copies.txt"
expect_status 0
diff <(sort "$out") - <<-'EOF_' || fail "not joined"
	p;main;A$$Lambda.run 6
	p;main;core::w 2
	p;main;f 8
	p;main;f;f 1
EOF_
top report --format folded "$tmp/copies.txt"
diff <(sort "$out") <(sort "$tmp/copies.txt") || fail "joined, though nobody asked"

# The same of a recording with slices, whose addresses stay what they are.
top record -q -F 999 --intervals 0.1 -o "$tmp/run.pb.gz" -- "$workloads/slowed" 0 30
expect_status 0
top report --join-names --by function --format csv "$tmp/run.pb.gz"
cp "$out" "$tmp/joined.csv"
top report --by function --format csv "$tmp/run.pb.gz"
diff <(sort "$out") <(sort "$tmp/joined.csv") || fail "what has no copies is changed"
pass
