#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Java methods have their names and shares from the map that a JVM writes when it is told, while it
# is being sampled; or at its end, and then all that was sampled before has names, too.
. "$(dirname "$0")/lib.sh"
trap 'rm -f "/tmp/perf-${pid:-}.map"; finish' EXIT

command -v jcmd >/dev/null || skip 'no JDK: apt-get install openjdk-17-jdk-headless'
javac -d "$tmp" "$root/tests/workloads/runtimes/Shares.java"
java -XX:+PreserveFramePointer -XX:CompileCommand=quiet '-XX:CompileCommand=dontinline,Shares.share*' \
	-cp "$tmp" Shares 60 >"$tmp/java" 2>&1 &
pid=$!
started+=("$pid")
wait_for grep -q ready "$tmp/java"

top_start --json -p "$pid" -F 4999 -i 1
wait_intervals 1
jcmd "$pid" Compiler.perfmap >"$tmp/jcmd" 2>&1 || fail "jcmd: $(cat "$tmp/jcmd")"
wait_intervals 1 # the one in which it happened
known=$(grep -c ^ "$out")
wait_samples 2000
top_end
stop "$pid"
rm -f "/tmp/perf-$pid.map"
check "$tmp/java" "$known" <<'PYTHON'
def jit(run):
    return run.count(lambda s: any(f["kind"] == "jit" for f in s.frames))

truth = truths(args[0])["functions_ns"]
first, last = Run(run.intervals[:1]), Run(run.intervals[int(args[1]):])
names = {name: f"int Shares.{name}(int)" for name in truth}
expect(jit(first) and jit(last), "no frames of kind jit")
expect_eq("names before the map", sum(map(first.with_function, names.values())), 0)
expect_shares({name: last.with_function(full) for name, full in names.items()}, truth)
PYTHON

json -F 999 -i 60 -- sh -c 'echo $$ >"$1/pid" && exec java -XX:+PreserveFramePointer -XX:+UnlockDiagnosticVMOptions \
	-XX:+DumpPerfMapAtExit "-XX:CompileCommand=dontinline,Shares.share*" -cp "$1" Shares 1 >"$1/java"' sh "$tmp"
pid=$(cat "$tmp/pid") # whose map is to be removed
check <<'PYTHON'
unnamed = run.count(lambda s: any(f["kind"] == "jit" and not f.get("function") for f in s.frames))
expect_at_least("samples of a method", run.with_function("int Shares.share75(int)"), 500)
expect_at_most("samples without names", unnamed, run.counted / 20)
PYTHON
grep -q ' samples were named late' "$err" || fail 'nothing was said of late names'
pass
