#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report --format otlp, taken apart by a decoder of its own: the same samples, stacks, names and sums as in JSON,
# whose they are, valid as the protocol wants it, whatever was read, and the same each time.
. "$(dirname "$0")/lib.sh"

id=3f2a1b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6f708
make_cgroups otlp "docker-$id.scope" web.service

# decode FILE: into $out what is in it.
decode() {
	python3 "$root/tests/formats/otlp.py" "$topstacks" "$1" >"$out" 2>"$err" || fail "it says something else: $1"
}

start shares 100
inside=$pid
echo "$inside" >"$slice/docker-$id.scope/cgroup.procs"
start shares 100
web=$pid
echo "$web" >"$slice/web.service/cgroup.procs"
cat >"$tmp/spin.py" <<-'PYTHON'
	print("ready", flush=True)
	while True:
	    open("/proc/stat").read()
PYTHON
/usr/bin/python3 "$tmp/spin.py" --name=swordfish >"$tmp/python" &
python=$!
started+=("$python")
wait_ready "$python" "$tmp/python"

top record -q -p "$inside,$web,$python" -e cpu-clock,page-faults -F 499 --threads --lines --command-lines -d 2 \
	-o "$tmp/all.pb.gz"
expect_status 0
decode "$tmp/all.pb.gz"
for kind in samples/count cpu/nanoseconds; do
	grep -q "^$kind: " "$out" || fail "no $kind"
done
resource="host.name=$(uname -n) os.type=linux service.name"
grep -qx "resource container.id=$id $resource=docker:${id:0:12}" "$out" || fail "the container is not there"
grep -qx "resource $resource=web" "$out" || fail "the unit is not there"
grep -qx "resource $resource=python3" "$out" || fail "the command is not there"
grep -q '^frame types: .*cpython.* kernel native' "$out" || fail "Python, kernel and others are not told apart"

# Command lines and paths of cgroups are in the recording and never in this format.
top report --format json "$tmp/all.pb.gz"
grep -q swordfish "$out" || fail "the recording lacks the command line"
grep -q "${slice##*/}" "$out" || fail "the recording lacks the path"
top report --format otlp -o "$tmp/all.otlp" "$tmp/all.pb.gz"
expect_status 0
if grep -qaE "swordfish|${slice##*/}" "$tmp/all.otlp"; then
	fail "it tells too much"
fi

# All of the machine, and other events; waits have states; intervals are added up.
top record -q -a -e cpu-clock,page-faults,off-cpu -d 0.5 -o "$tmp/machine.pb.gz"
expect_status 0
decode "$tmp/machine.pb.gz"
grep -q '^off_cpu/nanoseconds: ' "$out" || fail "no waits"
top record -q -p "$web" --intervals 0.5 -F 499 -d 2 -o "$tmp/intervals.pb.gz"
expect_status 0
decode "$tmp/intervals.pb.gz"

# A recording of nothing, and names that are no UTF-8, are valid, too.
printf 'a\xff;b\xc3;\xf0\x9f\x90\xb1 3\nb;\xed\xa0\x80 1\n' >"$tmp/bytes.folded"
decode "$tmp/bytes.folded"
grep -q '^samples/count: 2 samples, 4$' "$out" || fail "not all of it"
start sleeper 100
top record -q -p "$pid" -d 0.3 -o "$tmp/nothing.pb.gz"
decode "$tmp/nothing.pb.gz"
pass
