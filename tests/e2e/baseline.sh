#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# baseline: what is saved is found again by its names, whatever they are made of, and the oldest go.
[ "${in_namespace-}" ] || in_namespace=1 exec unshare --mount "$0" # for a small disk
. "$(dirname "$0")/lib.sh"

printf 'main;a 1000\nmain;b 3000\n' >"$tmp/one"
printf 'main;a 1010\nmain;b 3010\n' >"$tmp/two"
"$topstacks" report --format=pprof -o "$tmp/three.pb.gz" "$tmp/two"
cd "$tmp" || exit

top baseline show
expect_status 2
expect_err 'no baseline of benchmark "default", machine ".*", branch "main"'
top baseline list
expect_status 0
expect_silent
[ ! -s "$out" ] || fail "a list of nothing"

top baseline --benchmark sort --machine m --branch feature/x save one two three.pb.gz
expect_status 0
first=$(cat "$out")
[ "$(ls "$first")" = "$(printf 'run-001\nrun-002\nrun-003.pb.gz')" ] || fail "not the three runs"
cmp one "$first/run-001" && cmp three.pb.gz "$first/run-003.pb.gz" || fail "copies differ"
top baseline --benchmark sort --machine m --branch '../*' save one
expect_status 0
[[ $(cat "$out") == baselines/sort/m/%2E.%2F%2A/* ]] || fail "a name leads elsewhere: $(cat "$out")"
top baseline --benchmark sort --machine m --branch feature/x show
[ "$(cat "$out")" = "$first" ] || fail "not what was saved"
top diff "$first" --against one two --fail-on none
expect_status 0
grep -q '^base: 3 runs' "$out" || fail "diff does not take what show prints"

# The newest is shown; only the oldest of its kin go.
sleep 0.01 # times are in milliseconds
top baseline --benchmark sort --machine m --branch feature/x save two
second=$(cat "$out")
top baseline --benchmark sort --machine m --branch feature/x show
[ "$(cat "$out")" = "$second" ] || fail "not the newest"
top baseline list
expect_status 0
[ "$(grep -c '^sort  *m  *feature/x .* [31]$' "$out")" -eq 2 ] || fail "not listed"
[ "$(wc -l <"$out")" -eq 4 ] || fail "not all three"
touch "$first/other"
top baseline --keep 1 prune
expect_status 4
expect_err 'cannot remove'
rm "$first/other"
top baseline --keep 1 prune
expect_status 0
[ "$(cat "$out")" = "$first" ] && [ ! -e "$first" ] && [ -e "$second" ] || fail "pruned: $(cat "$out")"
[ "$(find baselines -name '*.saving' | wc -l)" -eq 0 ] || fail "something is left behind"

# Many at once: each saves its own, whole, also where who sweeps finds that it has been saved meanwhile; and what
# one prunes is no error of another.
for i in $(seq 20); do
	LD_PRELOAD=$workloads/libslowlock.so "$topstacks" baseline --branch many save one two three.pb.gz >"saved-$i" &
	pids[i]=$!
done
for i in $(seq 20); do wait "${pids[i]}" || fail "one of many could not save"; done
[ "$(cat saved-* | sort -u | wc -l)" -eq 20 ] || fail "two share a baseline"
top baseline --branch many list
[ "$(grep -c ' 3$' "$out")" -eq 20 ] || fail "not 20 of 3 runs each"
for i in $(seq 8); do
	"$topstacks" baseline --branch many --keep 2 prune >"pruned-$i" &
	pids[i]=$!
done
for i in $(seq 8); do wait "${pids[i]}" || fail "one of many could not prune"; done
top baseline --branch many list
[ "$(grep -c ' 3$' "$out")" -eq 2 ] || fail "not the newest two are left"

# What was planted in a store leads nowhere: neither links nor names that save does not give.
mkdir -p outside/20200101T000000.000Z store/b/m/r
touch outside/20200101T000000.000Z/run-001 outside/run-001
ln -s ../../../outside store/b/m/link
ln -s ../../../../outside store/b/m/r/20200101T000000.000Z
ln -s ../../../../outside store/b/m/r/20200101T000000.000Z.saving
mkdir -p "store/b/m/r/20200102T000000.000Z" store/b/m/$'x\ny'/20200101T000000.000Z
ln -s ../../../../../outside/run-001 store/b/m/r/20200102T000000.000Z/run-001
for i in 1 2; do
	"$topstacks" baseline --dir store --benchmark b --machine m --branch r save one >"kept-$i" || fail "not saved"
	sleep 0.01
done
top baseline --dir store list
expect_status 0
[ "$(wc -l <"$out")" -eq 4 ] || fail "what was planted is listed: $(cat "$out")"
top baseline --dir store --keep 1 prune
expect_status 0
[ "$(cat "$out")" = "$(printf 'store/b/m/r/20200102T000000.000Z\n%s' "$(cat kept-1)")" ] || fail "pruned: $(cat "$out")"
[ -e outside/run-001 ] && [ -e outside/20200101T000000.000Z/run-001 ] || fail "removed what is outside"
[ -e "$(cat kept-2)/run-001" ] || fail "removed the newest"
ln -s ../../outside store/b/moved
top baseline --dir store --benchmark b --machine moved --branch x save one
expect_status 2
[ ! -e outside/x ] || fail "saved outside of the store"

# What was left behind unfinished goes with the next save; what somebody is saving does not.
mkdir -p store/b/m/r/2020010{3,4}T000000.000Z.saving
touch store/b/m/r/2020010{3,4}T000000.000Z.saving/run-001
exec 9<store/b/m/r/20200104T000000.000Z.saving
flock 9
top baseline --dir store --benchmark b --machine m --branch r save one
expect_status 0
[ ! -e store/b/m/r/20200103T000000.000Z.saving ] || fail "what a killed one left is still there"
[ -e store/b/m/r/20200104T000000.000Z.saving/run-001 ] || fail "removed what another saves"
exec 9<&-
top baseline --dir store prune
[ ! -e store/b/m/r/20200104T000000.000Z.saving ] || fail "prune leaves what a killed one left"

# On a full disk nothing is saved, and what is there stays.
mkdir full
mount -t tmpfs -o size=64k tmpfs full
top baseline --dir full/store save one
expect_status 0
head -c 200000 /dev/zero | tr '\0' '#' >large && printf '\nmain;a 1000\n' >>large
top baseline --dir full/store save large
expect_status 4
expect_err 'cannot save "large": No space left on device'
[ "$(find full -name '*.saving' | wc -l)" -eq 0 ] || fail "an unfinished one is left behind"
top baseline --dir full/store list
[ "$(wc -l <"$out")" -eq 2 ] || fail "not the one that is whole"
umount full

# What is no run is not saved, and a directory stands for its runs.
echo 'no profile' >bad
ln -s one same
for words in "save bad" "save" "save none" "" "keep" "list one" "save one one" "save one same"; do
	# shellcheck disable=SC2086 # words
	top baseline --branch bad $words
	expect_status 2
	[ "$(wc -l <"$err")" -eq 1 ] || fail "not one sentence: $words"
done
top baseline --branch bad list
[ ! -s "$out" ] || fail "what could not be read is saved"
top baseline --branch bad --sample-type page-faults save three.pb.gz
expect_status 2
expect_err 'no sample type "page-faults", there are samples'
top baseline --branch again --sample-type samples save three.pb.gz
expect_status 0
top baseline --branch again save "$second"
expect_status 0
pass
