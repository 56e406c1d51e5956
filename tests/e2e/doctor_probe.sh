#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# doctor -e of probes: the instruction is the one that the file has there, by od and objdump; a single-stepped one
# costs several times what an emulated one does; a nop of five bytes is not probed.
. "$(dirname "$0")/lib.sh"

[ "$(uname -m)" = x86_64 ] || skip 'probes were tested on x86-64 only'
program=$workloads/probed

objdump -d --no-show-raw-insn "$program" >"$tmp/listing"
top doctor -e "uprobe:$program:main,uprobe:$program:below_stack,uretprobe:$program:main" --json
expect_status 0
python3 - "$out" "$tmp/listing" "$program" <<'EOF_' || fail 'the JSON, above'
import json, re, sys
report, listing, program = json.loads(open(sys.argv[1]).read()), open(sys.argv[2]).read(), sys.argv[3]
entering, below, returning = ({one["name"]: one["text"] for one in event["facts"]} for event in report["events"])
code = open(program, "rb").read()

def look(facts, symbol, wanted=None):
    assert facts["file"] == program, facts
    offset, place = re.fullmatch(rf"{symbol}\+(0|0x[0-9a-f]+), at (0x[0-9a-f]+) in the file", facts["place"]).groups()
    raw, text = facts["instruction"].split("  ", 1)
    raw = bytes.fromhex(raw)
    assert code[int(place, 16):][:len(raw)] == raw, facts
    offset = int(offset, 16)
    assert wanted is None or offset == wanted, facts
    lines = listing.split(f" <{symbol}>:\n")[1].splitlines()
    start = int(lines[0].split(":")[0], 16)
    said = {int(at, 16) - start: words for at, words in re.findall(r"^ *([0-9a-f]+):\s+(\w+)", "\n".join(lines[:9]), re.M)}
    assert said[offset][:3] == text[:3], (said, text)  # "movq" is called "mov", too

look(entering, "main")
look(below, "below_stack", 5)  # behind the nop
look(returning, "main")
assert entering["the kernel"] == "emulates this instruction", entering
assert "single steps" in below["the kernel"], below
emulated, stepped, returned = (float(facts["a hit costs"].split()[0]) for facts in (entering, below, returning))
assert 0.1 < emulated < returned, (emulated, returned)
assert stepped > 3 * emulated, (stepped, emulated)
EOF_

top doctor -e "uprobe:$program:below_stack+1"
expect_status 3
grep -q 'here .*no instruction of "below_stack" begins at +1' "$out" || fail 'within an instruction'
top doctor -e "uprobe:$program:below_stack+0"
grep -q 'moved .*nop of 5 bytes' "$out" || fail 'on the nop'
top doctor -e kprobe:do_exit
expect_status 2
grep -q 'kprobe is not offered' "$err" || fail 'a kprobe'
pass
