#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A stripped program is named from its debug file, below --symfs or below its own root; without one its
# functions are known by their starts, live and in files. A stripped Go program is named from the table
# that it carries, and the way to a library's function by the stub's name.
. "$(dirname "$0")/lib.sh"

command -v go >/dev/null || skip 'no go: apt-get install golang-go'

# The stripped program at $1; its debug file below $2/.build-id.
split() {
	local id
	cp "$workloads/shares" "$tmp/whole"
	id=$(readelf -n "$tmp/whole" 2>/dev/null | sed -n 's/.*Build ID: //p')
	mkdir -p "$2/.build-id/${id:0:2}"
	objcopy --only-keep-debug "$tmp/whole" "$2/.build-id/${id:0:2}/${id:2}.debug"
	strip -o "$1" "$tmp/whole"
}

# run PROGRAM...: in the background, until it says "ready"; sets pid.
run() {
	: >"$tmp/printed"
	"$@" >"$tmp/printed" 2>&1 &
	pid=$!
	started+=("$pid")
	wait_for grep -q ready "$tmp/printed"
}

expect_named() {
	check <<'PYTHON'
counts = [run.with_function(f"share_{percent}") for percent in (10, 20, 30, 40)]
expect(all(counts), f"samples of the four functions: {counts}")
expect(counts[3] > counts[0], f"40 % is more than 10 %: {counts}")
ours = [f for s in run.samples for f in s.user if f["module"] == "program"]
expect_eq("frames without a name", [f for f in ours if not f["function"]], [])
PYTHON
	kill "$pid"
}

# From --symfs; without it there is nothing to know but where functions begin.
split "$tmp/program" "$tmp/symbols"
nm --defined-only "$tmp/whole" >"$tmp/known"
run "$tmp/program" 30
json -p "$pid" -F 999 -i 1 -d 1
check "$tmp/known" <<'PYTHON'
expect_eq("names from nowhere", run.with_function("share_40"), 0)
ours = [f for s in run.samples for f in s.user if f["module"] == "program"]
expect(ours, "no frames of the program")
known = {int(start, 16): name for start, kind, name in map(str.split, open(args[0])) if kind in "tTwW"}
identified = [f for f in ours if f["function"] is None and f["identified"]]
for frame in identified:
    expect(frame["offset"] in known, f"no function begins at {frame}")
def of(name):
    return run.count(lambda s: any(f["function"] is None and f["module"] == "program"
                                   and known.get(f["offset"]) == name for f in s.user))
counts = [of(f"share_{percent}") for percent in (10, 20, 30, 40)]
expect(all(counts), f"samples of the four functions: {counts}")
expect(counts[3] > counts[0], f"40 % is more than 10 %: {counts}")
for s in run.samples:
    leaf = s.frames[0] if s.frames else None
    if leaf and leaf["module"] == "program" and leaf["function"] is None:
        expect(leaf["identified"], f"a leaf that nobody knows: {leaf}")
PYTHON
top record -p "$pid" -F 999 -d 1 -o "$tmp/starts.pb.gz"
expect_status 0
top report --format folded "$tmp/starts.pb.gz"
start=$(sed -n 's/^0*\([0-9a-f]*\) [tT] share_40$/\1/p' "$tmp/known")
[ "$(grep -c "program@0x${start}[; ]" "$out")" -gt 0 ] || fail "no program@0x$start"
! grep -q 'program+0x[0-9a-f]* [0-9]*$' "$out" || fail "leaves by address"
cp "$out" "$tmp/starts.folded"
top report --format folded "$tmp/starts.folded"
diff "$out" "$tmp/starts.folded" || fail "folded text is not read as it was written"
top diff --format csv "$tmp/starts.pb.gz" --against "$tmp/starts.pb.gz"
grep -q "program@0x$start" "$out" || fail "diff does not know program@0x$start"
json -p "$pid" -F 999 -i 1 -d 1 --symfs "$tmp/symbols"
expect_named

# Below the root that the program has.
place=$tmp/root
mkdir -p "$place/usr/lib/debug"
split "$place/program" "$place/usr/lib/debug"
ldd "$place/program" | grep -oE '/[^ ]+' | xargs -I{} cp -L --parents {} "$place"
run chroot "$place" /program 30
json -p "$pid" -F 999 -i 1 -d 1
expect_named

# Go, stripped twice.
cat >"$tmp/main.go" <<'GO'
package main

import (
	"fmt"
	"time"
)

//go:noinline
func spin(n int) (sum int) {
	for i := 0; i < n; i++ {
		sum += i * i % 7
	}
	return
}

func main() {
	fmt.Println("ready")
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); {
		spin(100000)
	}
}
GO
(cd "$tmp" && HOME=${HOME:-$tmp} GOFLAGS=-mod=mod go build -ldflags='-s -w' -o busy main.go && strip busy)
run "$tmp/busy"
json -p "$pid" -F 999 -i 1 -d 1
check <<'PYTHON'
spinning = [s for s in run.samples if s.has("main.spin")]
expect_at_least("samples of main.spin", sum(s.count for s in spinning), run.enough(20))
for sample in spinning:
    expect(sample.has("runtime.main"), f"no runtime.main in {sample.functions}")
ours = [f for s in run.samples for f in s.user if f["module"] == "busy"]
expect_eq("frames without a name", [f for f in ours if not f["function"]], [])
PYTHON
kill "$pid"

start stubs 20
json -p "$pid" -F 4999 -i 1 -d 1
check <<'PYTHON'
expect_at_least("samples of the stub", run.with_function("memset@plt"), 1)
stubs = [s for s in run.samples if s.has("memset@plt")]
for sample in stubs:
    expect_eq("its caller", sample.functions[sample.functions.index("memset@plt") + 1], "call_library")
ours = [f for s in run.samples for f in s.user if f["module"] == "stubs"]
expect_eq("frames without a name", [f for f in ours if not f["function"]], [])
PYTHON
pass
