#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A stripped program is named from its debug file, below --symfs or below its own root; a stripped Go
# program from the table that it carries; and the way to a library's function by the stub's name.
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

# From --symfs; without it there is nothing to know but addresses.
split "$tmp/program" "$tmp/symbols"
run "$tmp/program" 30
json -p "$pid" -F 999 -i 1 -d 1
check <<'PYTHON'
expect_eq("names from nowhere", run.with_function("share_40"), 0)
ours = [f for s in run.samples for f in s.user if f["module"] == "program"]
expect(ours, "no frames of the program")
PYTHON
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
