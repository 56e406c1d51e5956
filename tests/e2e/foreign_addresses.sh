#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What another tool sampled in a program whose code is at another offset in the file than its address: names, lines
# and instructions, with and without the program itself.
. "$(dirname "$0")/lib.sh"
cd "$tmp" || exit 1

# Functions are a page apart, so that whoever takes an offset for an address is in the one before.
cat >program.c <<'SOURCE'
volatile unsigned sink;
#define PAGE(n) __attribute__((noinline, aligned(4096), section(".text.z" #n)))
PAGE(1) void cold(unsigned n)
{
	sink = n * 3;
	sink = n * 5;
}
PAGE(2) void hot(unsigned n)
{
	sink = n * 7;
	sink = n * 9;
}
int main(int argc, char **argv)
{
	(void)argv;
	cold((unsigned)argc);
	hot((unsigned)argc);
	return 0;
}
SOURCE
gcc -g -O1 -fPIE -pie -fuse-ld=lld -Wl,--build-id -o program program.c || fail "cannot compile"

# A sample at each byte of hot, as the kernel maps the program. Fields: profile.proto.
cat >write.py <<'PYTHON'
import re, subprocess, sys

def number(n):
    return bytes([n]) if n < 128 else bytes([n & 127 | 128]) + number(n >> 7)

def value(field, n):
    return number(field << 3) + number(n)

def text(field, content):
    content = content.encode() if isinstance(content, str) else content
    return number(field << 3 | 2) + number(len(content)) + content

def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout

path, name, out = sys.argv[1:]
offset, address, size = (int(n, 16) for n in re.search(
    r"LOAD +(0x\w+) (0x\w+) 0x\w+ 0x\w+ (0x\w+) R E", run("readelf", "-lW", path)).groups())
hot, length = (int(n, 16) for n in re.search(r"(\w+) (\w+) T hot", run("nm", "-S", path)).groups())
build_id = re.search(r"Build ID: (\w+)", run("readelf", "-n", path))[1]
base = 0x555555554000
profile = text(1, value(1, 1) + value(2, 2))
profile += text(3, value(1, 1) + value(2, base + address // 4096 * 4096) +
                value(3, base + (address + size + 4095) // 4096 * 4096) +
                value(4, offset // 4096 * 4096) + value(5, 3) + value(6, 4))
profile += text(5, value(1, 1) + value(2, 5) + value(3, 5))
for i in range(length):
    line = text(4, value(1, 1)) if name == "named" else b""
    profile += text(4, value(1, i + 1) + value(2, 1) + value(3, base + hot + i) + line)
    profile += text(2, text(1, number(i + 1)) + text(2, number(1)))
for string in "", "samples", "count", path, build_id, "hot":
    profile += text(6, string)
open(out, "wb").write(profile)
PYTHON
for kind in named bare; do
	python3 write.py "$tmp/program" $kind $kind.pb || fail "no profile"
done

check() {
	local kind
	for kind in named bare; do
		top report --lines --by line $kind.pb
		expect_status 0
		grep -q 'program\.c:10' "$out" && grep -q 'program\.c:11' "$out" || fail "$1, $kind: lines are missing"
		! grep -qE 'program\.c:[34567] ' "$out" || fail "$1, $kind: lines of cold"
		top report --lines --by function $kind.pb
		expect_status 0
		grep -qE '100\.0 .* hot \(program\)' "$out" || fail "$1, $kind: not all is in hot"
		! grep -q cold "$out" || fail "$1, $kind: cold"
	done
}
check "the program"
for kind in named bare; do
	top report --annotate hot $kind.pb
	expect_status 0
	[ "$(grep -cE '^ +[0-9.]+ ±.*(imul|lea|mov|ret)' "$out")" -ge 4 ] || fail "$kind: no instructions"
done

# What is left of it here is its debug file.
objcopy --only-keep-debug program debug && mv debug program
check "its debug file"
pass
