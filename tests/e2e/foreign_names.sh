#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Profiles of other tools that have no names: functions are called what nm says lies there, found by build ID, here or below
# --symfs; by path alone where there is none; and never in a file of another build. What is advised is of use.
. "$(dirname "$0")/lib.sh"

cd "$tmp" || exit 1
cp "$workloads/shares" whole
cp whole program
id=$(readelf -n whole 2>/dev/null | sed -n 's/.*Build ID: //p')
nm -S --defined-only whole | awk '$3 ~ /^[tT]$/ && $4 !~ /^_|\./ && NF == 4' >known
mapfile -t addresses < <(cut -d ' ' -f 1 known)
[ ${#addresses[@]} -gt 1 ] || fail "no functions to look for"
foreign() { # FILE BUILD_ID
	python3 "$root/tests/pprof/foreign.py" "$1" "$tmp/program" "$2" - "${addresses[@]}" || fail "no profile"
}
foreign with_id.pb "$id"
foreign other_id.pb 0123456789abcdef
foreign without_id.pb -

# expect_names FILE OPTION...: all that nm has. expect_none: none of them.
expect_names() {
	top report --format csv "${@:2}" "$1"
	expect_status 0
	cut -d ' ' -f 4 known | sort -u >wanted
	python3 -c 'import csv, sys; [print(row["function"]) for row in csv.DictReader(sys.stdin)]' <"$out" | sort -u >named
	cmp -s wanted named || fail "other names than nm has: report $*"
}
expect_none() {
	top report --format csv "${@:2}" "$1"
	expect_status 0
	! grep -qwFf <(cut -d ' ' -f 4 known) "$out" || fail "names from another build: report $*"
}
expect_names with_id.pb
expect_names without_id.pb
grep -q 'found by path alone' "$err" || fail "a guess that is not told"
expect_none other_id.pb

# Without the program: the advice helps, and is not repeated where it was followed in vain.
rm program
mkdir -p empty "symfs/.build-id/${id:0:2}"
objcopy --only-keep-debug whole "symfs/.build-id/${id:0:2}/${id:2}.debug"
top report with_id.pb
grep -qF "report --symfs names it by its debug file (build ID $id)" "$out" || fail "no advice"
expect_names with_id.pb --symfs symfs
expect_none with_id.pb --symfs empty
top report --symfs empty with_id.pb
grep -qF "nothing below --symfs names it: put the debug file of build ID $id there" "$out" || fail "advice in vain"
for place in "$id/program" "$tmp/program/$id" "$tmp/program/$id/elf"; do # of pprof and perf
	rm -rf theirs
	mkdir -p "theirs/$(dirname "$place")"
	cp whole "theirs/$place"
	expect_names with_id.pb --symfs theirs
done
cp whole symfs/program
expect_names without_id.pb --symfs symfs
expect_none other_id.pb --symfs symfs

python3 "$root/tests/pprof/foreign.py" mangled.pb /nowhere - _ZN2ns5AllocEi || fail "no profile"
top report --format csv mangled.pb
grep -q '^"ns::Alloc(int)"' "$out" || fail "not demangled"
pass
