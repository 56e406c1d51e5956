#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Heap profiles that were made by hand: as Go's tool reads them, in words, and compared.
. "$(dirname "$0")/lib.sh"

command -v go >/dev/null || skip "go is not installed"
export GOCACHE=$tmp/cache GOFLAGS=-mod=mod GO111MODULE=off HOME=$tmp PPROF_TMPDIR=$tmp

heap() {
	python3 "$root/tests/pprof/heap.py" "$tmp/$1.pb.gz" "${@:2}"
}

has() {
	grep -qE -- "$1" "$out" || fail "not there: $1"
}

# The same sums by us and by Go, of each type: of Go's kind of file, of ours, and of that written again.
heap go 1
heap ours 1 --ours
top report --format pprof -o "$tmp/again.pb.gz" "$tmp/ours.pb.gz"
expect_status 0
for file in go ours again; do
	for type in alloc_objects alloc_space inuse_objects inuse_space; do
		top report --format folded --sample-type $type -o "$tmp/folded" "$tmp/$file.pb.gz"
		expect_status 0
		# shellcheck disable=SC2016 # not the shell's
		awk '{ sum[$1] += $2 } END { for (stack in sum) if (sum[stack]) print sum[stack] }' "$tmp/folded" |
			sort -n >"$tmp/sums"
		go tool pprof -symbolize=none -sample_index=$type -unit=count -traces "$tmp/$file.pb.gz" >"$tmp/raw" 2>"$err"
		# shellcheck disable=SC2016
		awk '$1 ~ /^[0-9]+$/ && $1 > 0 { print $1 } $1 ~ /^[0-9]+B$/ { sub("B", "", $1); print $1 }' "$tmp/raw" | sort -n >"$tmp/theirs"
		[ -s "$tmp/sums" ] && cmp -s "$tmp/sums" "$tmp/theirs" || fail "$type of $file differs"
	done
	go tool pprof -symbolize=none -sample_index=inuse_space -top "$tmp/$file.pb.gz" >"$out" 2>"$err"
	has '^Type: inuse_space$'
done
zcat "$tmp/again.pb.gz" | grep -aq space || fail "no period type"

# What is shown is what the file says, with bars; blocks are no samples.
top report "$tmp/go.pb.gz"
has '^values +inuse_space in bytes '
has '^errors +± holds the true share in 95 of 100 recordings: [0-9]+ samples, one in 524 kB; their sum may be [0-9]+ % off$'
has '^ +% ± +LIVE +BLOCKS +AVERAGE +COMMAND'
top report --sample-type alloc "$tmp/ours.pb.gz"
has '^blocks +[0-9,]+, [0-9]+ MB, worth [0-9,]+ samples, of alloc$'
has '^also +live +[0-9,]+ blocks, [0-9.]+ MB, worth [0-9]+ samples: '
top report --format markdown --sample-type alloc "$tmp/ours.pb.gz"
has '^### Quality: good: [0-9,]+ samples, none lost, 100\.0 % of stacks whole$'
top report --format json "$tmp/go.pb.gz"
has '"bytes_low":[0-9.]+,"bytes_high":[0-9.]+'
heap exact
top report "$tmp/exact.pb.gz"
has '^errors +none: all of it was measured, none of it sampled$'

# A site that allocates twice as much is found; by itself nothing is.
for run in 1 2 3; do
	heap "base-$run" "$run"
	heap "same-$run" "1$run"
	heap "more-$run" "2$run" make_node=2
done
top diff --sample-type alloc_space "$tmp"/base-?.pb.gz --against "$tmp"/same-?.pb.gz
expect_status 0
has '^passed: .* not enough samples of memory\)$'
has '^Allocated bytes a run: [0-9]+ MB → [0-9]+ MB, '
top diff --sample-type alloc_space "$tmp"/base-?.pb.gz --against "$tmp"/more-?.pb.gz
expect_status 1
has '^regressed .* self   make_node$'
top diff --sample-type alloc_objects "$tmp/base-1.pb.gz" --against "$tmp/more-1.pb.gz"
expect_status 2
grep -q 'are guessed from samples of bytes; compare bytes: --sample-type "alloc_space"$' "$err" || fail "objects are compared"
pass
