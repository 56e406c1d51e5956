#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report --annotate: where the source is says a stranger's program, and what the program is may have been changed
# since. Nothing of it keeps the report waiting, ends it, reaches a terminal as it is, or shows root what not
# everybody may read.
. "$(dirname "$0")/lib.sh"

cd "$tmp" || exit 1
secret=unspeakable

# program_at PLACE: a program whose debug information says that its source is there.
program_at() {
	cat >truth.c <<-EOF_
		#include <stdio.h>
		#line 1 "$1"
		__attribute__((noinline)) unsigned work(unsigned seed) {
			for (int i = 0; i < 1000; i++)
				seed = seed * 69069u + 1u;
			return seed; }
		int main(void) {
			volatile unsigned sink = 1;
			puts("ready");
			fflush(stdout);
			for (;;)
				sink = work(sink); }
	EOF_
	gcc -O1 -g -o program truth.c
}

# annotated PATTERN ARGUMENTS...: it is shown, and says that.
annotated() {
	local said=$1
	shift
	top report --annotate work "$@" work.pb.gz
	expect_status 0
	grep -q -- "$said" "$out" || fail "it does not say: $said"
	! grep -q "$secret" "$out" || fail "what nobody may read is shown"
	! grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$out" || fail "control characters reach the terminal"
}

mkdir src
place=$tmp/src/work.c
program_at "$place"
record_program work.pb.gz
printf 'a\nb\n\033]0;title\007 \xc2\x9b5m \xe2\x80\xae %s \x01\n\r\nc\r\n%0300000d\n' visible 7 >"$place"
annotated 'visible'
chmod 600 "$place"
annotated 'not for everybody to read'
annotated 'visible' --source "$tmp/src"
rm "$place"

mkfifo "$place"
annotated 'not that of an ordinary file'
rm "$place"
ln -s /dev/zero "$place"
annotated 'not that of an ordinary file'
ln -sf /proc/self/environ "$place"
annotated 'not that of an ordinary file\|not here\|cannot be read'
echo "$secret" >secret
chmod 600 secret
ln -sf "$tmp/secret" "$place"
annotated 'not for everybody to read'
ln -sf "$place" "$place"
annotated 'Its text\|not that of an ordinary file'
rm "$place"
mkdir "$place"
annotated 'not that of an ordinary file'
rmdir "$place"
truncate -s 40G "$place"
annotated 'too large\|is no text'
rm "$place"
head -c 100000 "$topstacks" >"$place"
annotated 'is no text'
rm -r "${place%/*}"
annotated 'not here'
annotated 'not here' --source "$tmp"
program_at 'sub/../../secret' # below --source nothing leads out of it
record_program work.pb.gz
mkdir -p src/deep/sub
cp secret src
annotated 'not here' --source "$tmp/src/deep"

# The file of this build ID, but for some bytes: its code, then its frame, then all of it.
damage() {
	cp intact program
	python3 - program "$1" <<-'PYTHON'
		import random, sys
		data, kind, dice = bytearray(open(sys.argv[1], "rb").read()), sys.argv[2], random.Random(3)
		note = data.index(b"GNU\0")  # the notes, which have the build ID, stay
		spans = {"code": (0x1000, 0x1300), "frame": (24, 64), "sections": (len(data) - 1500, len(data)),
		         "segments": (64, 600), "all": (0, len(data))}
		first, last = spans[kind]
		for at in range(first, last):
		    if kind != "all" and dice.random() < 0.5 or dice.random() < 0.01:
		        if not note - 16 <= at < note + 64:
		            data[at] = dice.randrange(256)
		open(sys.argv[1], "wb").write(data)
	PYTHON
}
mv program intact
for kind in code frame sections segments all; do
	damage "$kind"
	annotated 'work'
done
head -c 4096 intact >program
annotated 'no instructions'
rm program
mkfifo program
annotated 'no instructions'
rm program

# A function of three million instructions.
cat >large.s <<-'EOF_'
	.globl main
	main:	jmp 1f
		.fill 3000000, 1, 0x90
	1:	mov $1, %edi
		lea text(%rip), %rsi
		mov $6, %edx
		mov $1, %eax
		syscall
	2:	jmp 2b
		.size main, . - main
		.type main, @function
		.section .rodata
	text:	.ascii "ready\n"
		.section .note.GNU-stack, "", @progbits
EOF_
gcc -o program large.s || fail "cannot assemble"
record_program work.pb.gz
top report --annotate main --whole --format json work.pb.gz
expect_status 0
python3 - "$out" <<'PYTHON' || fail "a giant function is not bounded"
import json, sys
main = json.load(open(sys.argv[1], encoding="utf-8"))
block, = main["code"][0]["blocks"]
assert 100000 < len(block["instructions"]) <= 200000, len(block["instructions"])
assert main["code"][0]["unplaced"]["self"]["count"] == main["self"]["count"] > 0
PYTHON
top report --annotate main work.pb.gz
grep -q 'where no instruction is known' "$out" || fail "what is left out is not told"
pass
