#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Symbols that are found after a stripped program was recorded: report, diff and every format name what
# nm says lies at each address, wherever below --symfs they are, and never from another program's file.
. "$(dirname "$0")/lib.sh"

cd "$tmp" || exit 1
cp "$workloads/shares" whole
strip -o program whole
id=$(readelf -n program 2>/dev/null | sed -n 's/.*Build ID: //p')
nm -S --defined-only whole >known
objcopy --only-keep-debug whole whole.debug
record_program base.pb.gz
record_program new.pb.gz

# Whether each frame of the program is called what nm says, or has no name: expect_names COUNT|0.
cat >names.py <<'PYTHON'
import json, sys
known = []
for words in map(str.split, open("known")):
    if len(words) == 4 and words[2] in "tTwW":
        known.append((int(words[0], 16), int(words[1], 16), words[3]))
profile, named = json.load(open(sys.argv[1])), 0
for sample in profile["samples"]:
    frames = [profile["frames"][i] for i in sample["frames"]]
    for i, frame in enumerate(frames):
        if frame["module"] != "program" or frame["inlined"]:
            continue
        address = frame["address"] - (i > 0 and frames[i - 1]["kind"] != "kernel")
        truth = {name for start, size, name in known if start <= address < start + size}
        if frame["function"]:
            assert frame["function"] in truth, (frame, truth)
            named += sample["values"][0] if "values" in sample else 1
        elif sys.argv[2] == "all":
            assert not truth, (frame, truth)
assert (named > 0) == (sys.argv[2] == "all"), named
PYTHON
expect_names() {
	local which=$1
	shift
	top report --format=json "$@" base.pb.gz
	expect_status 0
	python3 names.py "$out" "$which" 2>>"$err" || fail "names after: report $*"
}
expect_names none
expect_names none --symfs "$(mktemp -d -p .)"
grep -q "no more names for program (build ID $id), neither below" "$err" || fail "says nothing of what it looked for"

# The advice is followed below; where it was, there is none.
advice="report --symfs find its debug file (build ID $id)"
top report base.pb.gz
[ ! -d /var/lib/dpkg/info ] || grep -qF "$advice" "$out" || fail "no advice"

# Each place alone.
place() { # FILE TO: copies the file there below a directory of its own
	rm -rf symfs
	mkdir -p "symfs/$(dirname "$2")"
	cp "$1" "symfs/$2"
}
for to in "$tmp/program" program; do
	place whole "$to"
	expect_names all --symfs symfs
	grep -qE "[0-9]+ functions of program named from .*/symfs/" "$err" || fail "does not say where from"
done
for to in program.debug "$id.debug" ".build-id/${id:0:2}/${id:2}.debug" \
	"usr/lib/debug/.build-id/${id:0:2}/${id:2}.debug"; do
	place whole.debug "$to"
	expect_names all --symfs symfs
done

top report --symfs symfs base.pb.gz
if grep -q "program: .* have no name" "$out"; then fail "the advice was followed in vain"; fi

# All that is shown, with the program gone; and lines.
mv program away
page() { # FILE: the names in a page
	python3 -c 'import base64, re, sys, zlib
data = re.search("octet-stream\">([^<]*)<", open(sys.argv[1]).read()).group(1)
sys.stdout.buffer.write(zlib.decompress(base64.b64decode(data)))' "$1"
}
for form in "--by function" "--tree callees" --format={folded,csv,html,svg,speedscope,firefox}; do
	# shellcheck disable=SC2086
	top report $form --symfs symfs base.pb.gz
	expect_status 0
	if [ "$form" = --format=html ]; then page "$out" >names; else cp "$out" names; fi
	grep -aq share_40 names || fail "no names: report $form"
	if grep -aq 'program@0x' names; then fail "starts beside names: report $form"; fi
done
top report --symfs symfs --format=pprof -o named.pb.gz base.pb.gz
top report --by function named.pb.gz
grep -q share_40 "$out" || fail "names are not written"
top report --symfs symfs --lines --by line base.pb.gz
grep -q 'shares.c:[0-9]' "$out" || fail "no lines from --symfs"
diffs() {
	top diff --unchanged --allow duration "$@" base.pb.gz --against new.pb.gz
	[ "$status" -le 1 ] || fail "diff: $status"
}
diffs --symfs symfs --flamegraph picture.html
grep -q 'share_40' "$out" || fail "no names: diff"
page picture.html | grep -aq share_40 || fail "no names: the picture of diff"
diffs
grep -q 'program@0x' "$out" || fail "names from nowhere: diff"
mv away program

# A link stays below DIR, wherever it points; what leads out is not there.
rm -rf symfs && mkdir symfs
cp whole.debug symfs/inside
ln -s /inside symfs/program.debug
expect_names all --symfs symfs
rm symfs/inside
ln -sf "$tmp/whole.debug" symfs/program.debug
expect_names none --symfs symfs
ln -sf ../../../../../../..$tmp/whole.debug symfs/program.debug
expect_names none --symfs symfs

# Other files with the right names: another program, a FIFO, text, a directory.
gcc -g -x c -o other -Wl,--build-id - <<<'int share_40(void) { return 1; } int main(void) { return share_40(); }'
place other program
for to in program.debug "$id.debug" ".build-id/${id:0:2}/${id:2}.debug"; do
	mkdir -p "symfs/$(dirname "$to")"
	cp other "symfs/$to"
done
expect_names none --symfs symfs
rm symfs/program symfs/program.debug "symfs/$id.debug"
mkfifo symfs/program
echo text >symfs/program.debug
mkdir "symfs/$id.debug"
SECONDS=0
expect_names none --symfs symfs
[ "$SECONDS" -lt 60 ] || fail "a FIFO held it up"
top report --symfs "$tmp/known" base.pb.gz
expect_status 2

# What has a name keeps it, even if a file of this build ID says otherwise.
objcopy --redefine-sym share_40=renamed whole.debug renamed.debug
place renamed.debug program.debug
top report --symfs symfs --by function base.pb.gz
grep -q renamed "$out" || fail "no name from the debug file"
top report --symfs symfs --by function named.pb.gz
grep -q share_40 "$out" || fail "a name was lost"

# On the machine itself nobody has to ask: a debug file that comes beside the program, or the program as
# it was built in its place.
sleep 0.01
mkdir .debug && cp whole.debug .debug/program.debug
expect_names all
rm -r .debug
expect_names none
cp whole program
expect_names all
pass
