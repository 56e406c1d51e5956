#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Files between us and Go: `go tool pprof` reads ours, we read those of Go's runtime, sample by sample;
# and what either wrote again says the same.
. "$(dirname "$0")/lib.sh"

command -v go >/dev/null || skip "go is not installed"
export GOCACHE=$tmp/cache GOFLAGS=-mod=mod GO111MODULE=off HOME=$tmp PPROF_TMPDIR=$tmp

cp "$root/tests/pprof/profiles.go" "$tmp/" # its path is in what it profiles, and may have spaces
go build -o "$tmp/profiles" "$tmp/profiles.go" || fail "go build"
mkdir "$tmp/go"
"$tmp/profiles" "$tmp/go" || fail "Go's profiles"

start stacks 7 30
top record -q -p "$pid" -F 999 -d 1.5 -o "$tmp/stacks.pb.gz"
expect_status 0
start threads 3
top record -q -p "$pid" -F 999 --threads --intervals 0.3 -d 1.5 -o "$tmp/threads.pb.gz"
expect_status 0
top record -q -a -F 499 -d 1 -o "$tmp/all.pb.gz"
expect_status 0

agree() {
	python3 "$root/tests/pprof/agree.py" "$topstacks" "$@" >"$out" 2>"$err" || fail "they differ"
	[ -s "$out" ] || fail "nothing was compared"
}
agree "$tmp"/go/*.pb.gz "$tmp/stacks.pb.gz" "$tmp/threads.pb.gz" "$tmp/all.pb.gz"

# What Go says of a file first is which program it is of, and little of how it was recorded.
go tool pprof -symbolize=none -top "$tmp/stacks.pb.gz" >"$out" 2>"$err"
[ "$(head -n 1 "$out")" = 'File: stacks' ] || fail "not of the program"
[ "$(grep -c '^topstacks' "$out")" -le 4 ] || fail "many comments"

# Again, by us and by Go.
for file in go/cpu go/heap stacks threads all; do
	top report --format=pprof -o "$tmp/ours.pb.gz" "$tmp/$file.pb.gz"
	expect_status 0
	go tool pprof -symbolize=none -proto -output="$tmp/theirs.pb.gz" "$tmp/$file.pb.gz" 2>"$err"
	agree "$tmp/ours.pb.gz" "$tmp/theirs.pb.gz"
done

# Two files are one: every count twice.
top report --format=csv "$tmp/all.pb.gz"
mv "$out" "$tmp/once"
top report --format=csv "$tmp/all.pb.gz" "$tmp/all.pb.gz"
python3 - "$tmp/once" "$out" <<'PYTHON' || fail "the sum of a file and itself"
import csv, sys
once, twice = (sum(int(row["self"]) for row in csv.DictReader(open(path))) for path in sys.argv[1:])
sys.exit(not once or twice != 2 * once)
PYTHON
pass
