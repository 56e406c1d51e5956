#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Source lines and inlined functions of a C++ program: of each instruction, against binutils and
# elfutils; and of what was sampled, in each output.
. "$(dirname "$0")/lib.sh"

places=$build/tests/agreement/places
cp "$root/tests/lines/shapes.cc" "$tmp"
cd "$tmp" || exit 1

g++ -O2 -gdwarf-5 -o plain shapes.cc || fail "cannot compile"
python3 "$root/tests/agreement/lines.py" --every 8 "$places" plain >"$out" 2>"$err" || fail "nobody agrees"

# The same code has the same lines, wherever they are kept. Other tools cannot tell for all of these.
objdump -d --no-show-raw-insn plain | grep -oE '^ +[0-9a-f]+:' | sed 's/ *\(.*\):/0x\1/' >addresses
"$places" plain <addresses >expected
[ "$(grep -c shapes.cc expected)" -gt 500 ] || fail "too few lines are known"
same() {
	"$places" "$1" <addresses >found
	diff expected found >"$out" || fail "$1 and plain differ"
}
objcopy --compress-debug-sections=zlib plain compressed && same compressed
objcopy --only-keep-debug plain debug.debug
objcopy --strip-debug --add-gnu-debuglink=debug.debug plain stripped && same stripped
cp plain one && cp plain two && dwz -m common.debug one two && same one
g++ -O2 -gdwarf-5 -gsplit-dwarf -o split shapes.cc && same split

./plain 100000000 >/dev/null &
started+=($!)
pid=$!
top record -q --no-demangle -p "$pid" -F 999 -d 2 -o lines.pb.gz
expect_status 0
top record -q --no-demangle --no-lines -p "$pid" -F 499 -d 1 -o none.pb.gz
expect_status 0

# Sampled addresses: leaves as they are, callers one byte before.
sampled() {
	top report --format=json "$@"
	python3 - "$out" >chains <<'PYTHON'
import json, sys
profile = json.load(open(sys.argv[1]))
frames, chains, nr_inlined = profile["frames"], set(), 0
for sample in profile["samples"]:
    chain, caller = [], 0
    for frame in (frames[i] for i in sample["frames"]):
        if frame["kind"] == "kernel":
            continue
        chain.append(frame)
        nr_inlined += frame["inlined"]
        if frame["inlined"]:
            continue
        if frame["module"] == "plain" and frame["file"]:
            text = "".join(f"  {f['function']} {f['file']}:{f['line']}\n" for f in chain)
            chains.add((frame["address"] - caller, text))
        chain, caller = [], 1
for address, text in sorted(chains):
    print(f"{address:#x}\n{text}", end="")
if nr_inlined:
    print("inlined functions")
PYTHON
}
sampled lines.pb.gz
grep '^0x' chains | sort -u >addresses
[ "$(wc -l <addresses)" -gt 20 ] || fail "too few addresses were sampled"
"$places" plain <addresses >expected
python3 - expected chains <<'PYTHON' >"$out" 2>&1 || fail "what was sampled has other lines"
import sys
def read(path):
    chains = {}
    for line in open(path, encoding="utf-8"):
        if line.startswith("0x"):
            here = chains.setdefault(line, [])
        elif line.startswith(" "):
            here.append(line.rsplit(" ", 1))
    return chains
expected, found = read(sys.argv[1]), read(sys.argv[2])
for address, chain in expected.items():
    chain[-1][0] = found[address][-1][0]  # the symbol's own name
    assert chain == found[address], (address, chain, found[address])
PYTHON

# Looked up afterwards, and left out.
sampled none.pb.gz
[ ! -s chains ] || fail "--no-lines has lines"
sampled --lines none.pb.gz
grep -q 'shapes.cc' chains || fail "report --lines finds nothing"
grep -q '^inlined' chains || fail "report --lines finds no inlined functions"
sampled --no-inline lines.pb.gz
grep -q 'shapes.cc' chains || fail "--no-inline has no lines"
! grep -q '^inlined' chains || fail "--no-inline has inlined functions"

# In words: marked in stacks, by line, folded.
top report --lines -n 50 --percent-limit 0 lines.pb.gz
grep -qE ' \[i\] \(\S+:[0-9]+\)$' "$out" || fail "inlined frames are not marked"
grep -qE '^ +main \(shapes\.cc:[0-9]+\)$' "$out" || fail "main has no line"
top report --by line lines.pb.gz
grep -qE '/shapes\.cc:[0-9]+ \(plain\)$' "$out" || fail "no row is a line"
top report --format=folded lines.pb.gz
grep -q '_\[i\]' "$out" || fail "inlined functions are not marked when folded"
cp "$out" mangled
top report --format=folded mangled # folded text may be anybody's, whose names are demangled
cp "$out" folded
! grep -q ';_Z' folded || fail "names of folded text are not demangled"
top report --format=folded folded
# Names are what folded text has: stacks that differ in a module are added up, equal counts reordered.
sums() {
	awk '{ count = $NF; sub(/ [0-9]+$/, ""); sum[$0] += count } END { for (s in sum) print s, sum[s] }' "$1" | sort
}
diff <(sums folded) <(sums "$out") >/dev/null || fail "folded, read and folded again differs"
top --lines --once -i 1 -p "$pid"
grep -qE '^ +main \(shapes\.cc:[0-9]+\)$' "$out" || fail "top shows no lines"

if command -v go >/dev/null; then
	HOME=$tmp PPROF_TMPDIR=$tmp python3 "$root/tests/pprof/agree.py" "$topstacks" lines.pb.gz >"$out" ||
		fail "go tool pprof reads something else"
fi
pass
