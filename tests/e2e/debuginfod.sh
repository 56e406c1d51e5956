#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Debug files of servers: names are what nm says, and lines what eu-addr2line says, of a program that was not stripped. The
# cache is used without being asked for, a server only with --debuginfod. One that lies names nothing, and is told of in one
# sentence; so is a cache of somebody else's.
. "$(dirname "$0")/lib.sh"

[ "$(type -P debuginfod)" ] || skip "no debuginfod (apt-get install debuginfod)"
cd "$tmp" || exit 1
export HOME=$tmp/home
unset DEBUGINFOD_URLS DEBUGINFOD_CACHE_PATH XDG_CACHE_HOME
cache=$HOME/.cache/debuginfod_client
mkdir home served elsewhere
cp "$workloads/shares" whole
strip -o program whole
id=$(readelf -n whole 2>/dev/null | sed -n 's/.*Build ID: //p')
objcopy --only-keep-debug whole served/whole.debug
nm -S --defined-only whole >known
strip -g -o program whole
record_program bare.pb.gz
strip -o program whole
record_program base.pb.gz
mv program away

# Of each frame of the program: that it has no name (none), or nm's (names), and eu-addr2line's line as well (lines).
cat >truth.py <<'PYTHON'
import functools, json, subprocess, sys
known = []
for words in map(str.split, open("known")):
    if len(words) == 4 and words[2] in "tTwW":
        known.append((int(words[0], 16), int(words[1], 16), words[3]))
@functools.lru_cache(None)
def lines_at(address):
    out = subprocess.run(["eu-addr2line", "-i", "-e", "whole", hex(address)], capture_output=True, text=True).stdout
    return {":".join(line.rsplit("/", 1)[-1].split(":")[:2]) for line in out.split("\n")}
profile, which, found = json.load(open(sys.argv[1])), sys.argv[2], set()
for sample in profile["samples"]:
    frames, before = [profile["frames"][i] for i in sample["frames"]], None
    for frame in frames:
        if frame["module"] == "program":
            address = frame["address"] - (before is not None and before["kind"] != "kernel")
            names = {name for start, size, name in known if start <= address < start + size}
            if which == "none" or not names:
                assert not frame["function"], frame
            elif not frame["inlined"]:
                assert frame["function"] in names, (frame, names)
                found.add(frame["function"])
            if which == "lines" and names and frame["line"]:
                line = "%s:%d" % (frame["file"].rsplit("/", 1)[-1], frame["line"])
                assert line in lines_at(address), (frame, line, lines_at(address))
                found.add("line of " + frame["function"])
        if not frame["inlined"]:
            before = frame
want = {"none": set(), "names": {"main"}, "lines": {"main", "line of main"}}[which]
assert want <= found and bool(want) == bool(found), (want, found)
PYTHON
expect_truth() { # none|names|lines OPTION...
	local which=$1
	shift
	top report --format=json "$@" "${recording:-base.pb.gz}"
	expect_status 0
	python3 truth.py "$out" "$which" 2>>"$err" || fail "not the truth: report $*"
}
expect_sentence() { # PART: one sentence, and no more than that
	grep -q -- "$1" "$err" || fail "does not say: $1"
	[ "$(wc -l <"$err")" -eq 1 ] || fail "says more than: $1"
}

# Two servers, each on a port that was free: debuginfod wants to be told one.
gcc -g -x c -o whole.other -Wl,--build-id - <<<'int share_40(void) { return 1; } int main(void) { return share_40(); }'
python3 "$root/tests/e2e/lying_debuginfod.py" whole.other served/whole.debug away >liar 2>&1 &
started+=("$!")
wait_ready "$!" liar
liar=http://127.0.0.1:$(sed -n 's/^ready //p' liar)
serve() {
	local port
	port=$(python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
	debuginfod -d "$tmp/index" -p "$port" -F "$tmp/served" >server_log 2>&1 &
	server_pid=$!
	started+=("$server_pid")
	server=http://127.0.0.1:$port
}
has_or_gone() {
	curl_status "$server/buildid/$id/debuginfo" || ! kill -0 "$server_pid"
}
curl_status() {
	python3 -c 'import sys, urllib.request; urllib.request.urlopen(sys.argv[1]).read()' "$1"
}
until serve && wait_for has_or_gone && kill -0 "$server_pid" 2>/dev/null; do # somebody else may have taken the port
	[ "${#started[@]}" -lt 8 ] || fail "no port for debuginfod"
done

# Nobody is asked unless somebody says so, whatever the environment names.
DEBUGINFOD_URLS=$server expect_truth none
expect_silent
[ ! -e "$cache" ] || fail "a cache was made although nothing was fetched"

# By an option, and by the environment; then the cache has it.
expect_truth names --debuginfod="$server"
expect_err "[0-9]+ functions of program named from $cache/$id/debuginfo"
rm -r "$cache"
DEBUGINFOD_URLS="$server $liar/none" expect_truth lines --debuginfod --lines
expect_truth names
expect_truth lines --lines
top diff --unchanged --allow duration base.pb.gz --against base.pb.gz
grep -q 'share_[0-9]* (program)' "$out" || fail "diff has no names from the cache"

# What has names already gets lines.
rm -r "$cache"
recording=bare.pb.gz expect_truth names --lines
recording=bare.pb.gz expect_truth names --debuginfod="$server"
[ ! -e "$cache/$id" ] || fail "a debug file was fetched although nothing lacks a name"
recording=bare.pb.gz expect_truth lines --debuginfod="$server" --lines

# Who samples finds it there, too.
mv away program
record_program named.pb.gz
mv program away
HOME=$tmp/elsewhere top report --by function named.pb.gz
grep -q 'share_[0-9]* (program)' "$out" || fail "no names from the cache when it was recorded"

kill "$server_pid"

# A cache of somebody else's, or one that others may write to: a sentence, and nothing of it.
chown nobody "$cache"
expect_truth none
expect_sentence "the debuginfod cache $cache is not used, as it is somebody else's"
chown root "$cache"
chmod g+w "$cache"
expect_truth none
expect_sentence "the debuginfod cache $cache is not used, as others may write to it"
top report --debuginfod="$liar/none" base.pb.gz
expect_status 2
expect_sentence "as others may write to it; set DEBUGINFOD_CACHE_PATH"
chmod g-w "$cache"
chown nobody "$cache/$id/debuginfo"
expect_truth none
rm -r "$cache"

# One that cannot be used for other reasons, each of which is told.
expect_refused() { # PART, with DEBUGINFOD_CACHE_PATH set
	top report --debuginfod="$liar/none" base.pb.gz
	expect_status 2
	expect_sentence "$1"
}
touch file
ln -s nowhere dangling
DEBUGINFOD_CACHE_PATH=$tmp/file expect_refused "cannot make the debuginfod cache \"$tmp/file\": .*ot a directory; set"
DEBUGINFOD_CACHE_PATH=$tmp/file/below expect_refused "cannot make the debuginfod cache \"$tmp/file/below\": .*ot a directory; set"
DEBUGINFOD_CACHE_PATH=$tmp/dangling expect_refused "is not used, as it is a link that leads nowhere; set"
DEBUGINFOD_CACHE_PATH=elsewhere expect_refused "cache \"elsewhere\" is not used, as its path does not begin with /; set"
DEBUGINFOD_CACHE_PATH=elsewhere expect_truth none
expect_sentence "cache elsewhere is not used, as its path does not begin with /"
mkdir read_only
cat >mounted_read_only <<'SHELL'
mount --bind read_only read_only && mount -o remount,bind,ro read_only && exec "$@"
SHELL
expect_refused_on_read_only() { # CACHE PART
	DEBUGINFOD_CACHE_PATH=$1 unshare -m sh mounted_read_only "$topstacks" report --debuginfod="$liar/none" base.pb.gz \
		>"$out" 2>"$err" && fail "a read-only file system is no error"
	expect_sentence "$2 the debuginfod cache \"$1\": read-only file system; set"
}
expect_refused_on_read_only "$tmp/read_only" "cannot write to"
expect_refused_on_read_only "$tmp/read_only/made" "cannot make"
mkdir -p "$cache"
touch "$cache/$id"
expect_truth none --debuginfod="$liar/none"
expect_sentence "the cache has a file BUILD-ID where a directory belongs"
rm -r "$cache"

# Lies: nothing is named, one sentence says why, and the cache keeps nothing of it.
expect_nothing() { # HOW WHY
	SECONDS=0
	expect_truth none --debuginfod="$liar/$1"
	expect_sentence "no debug file fetched for program (build ID $id): $2"
	[ "$SECONDS" -lt 60 ] || fail "$1 took $SECONDS s"
	[ ! -s "$cache/$id/debuginfo" ] || fail "the cache keeps what $1 sent"
	rm -r "$cache"
}
expect_nothing other "what came has another build ID, and is not used"
expect_nothing half "what came is not whole, and is not used"
expect_nothing bare "what came has neither symbols nor DWARF, and is not used"
expect_nothing huge "it is larger than what is left of 2 GB for a run"
expect_nothing short "no server has sent it"
expect_nothing none "no server has sent it"
expect_nothing busy "no server has sent it"
expect_nothing empty "no server has sent it"
expect_nothing silent "no server has answered for 10 s"
grep -q "/other/buildid/$id/debuginfo" liar || fail "the server was not asked"

# Who is ended in the midst of it leaves nothing, nor does who is killed; what was left a day ago is removed.
has_part() {
	compgen -G "$cache/$id/debuginfo.??????" >/dev/null
}
has_no_part() {
	! has_part
}
for how in TERM INT KILL TERM INT KILL; do
	setsid env --default-signal=INT "$topstacks" report --debuginfod="$liar/slow" base.pb.gz >printed 2>&1 &
	started+=("$!")
	wait_for has_part || fail "no download to be ended"
	kill -"$how" -- -"$!"
	wait_for has_no_part || fail "SIG$how leaves a part of a file in the cache"
done
"$topstacks" report --debuginfod="$liar/slow" base.pb.gz >printed 2>"$err" &
report=$!
started+=("$report")
wait_for has_part || fail "no download to be ended"
kill -KILL "$(pgrep -P "$(pgrep -d, -P "$report")" -x ts-fetcher)"
wait "$report"
expect_sentence "the fetcher failed"
has_no_part || fail "a killed fetcher leaves a part of a file in the cache"
touch -d "2 days ago" "$cache/$id/debuginfo.before"
touch "$cache/$id/debuginfo.recent"
top report --debuginfod="$liar/none" base.pb.gz
[ "$(cd "$cache/$id" && echo debuginfo.*)" = debuginfo.recent ] || fail "$(ls "$cache/$id") is left"
rm -r "$cache"

# A profile may have anything for a build ID: nobody is asked for what is none.
python3 - "$id" <<'PYTHON'
import gzip, sys
profile, id = gzip.open("base.pb.gz").read(), sys.argv[1].encode()
assert id in profile
open("odd.pb.gz", "wb").write(gzip.compress(profile.replace(id, id[:-1] + b"G")))
PYTHON
cp liar liar_before
recording=odd.pb.gz expect_truth none --debuginfod="$liar/none"
expect_sentence "(build ID ${id%?}G): no server was asked, as that is no build ID"
cmp -s liar liar_before || fail "a server was asked for what is no build ID"

# The hottest files are asked for first, of those that have no names; which these are, the samples say.
gcc -O1 -g -x c -o cool -Wl,--build-id - <<<'#include <unistd.h>
int main(void)
{
	for (;;) {
		usleep(5000);
		for (volatile int i = 0; i < 200000; i++)
			;
	}
}'
strip cool
mv away program
"$tmp/cool" &
started+=("$!")
cool=$!
"$tmp/program" 30 >printed 2>&1 &
started+=("$!")
wait_ready "$!" printed
top record -q -p "$!,$cool" -F 499 -d 1 -o both.pb.gz
kill "$!" "$cool"
top report --format=json both.pb.gz
cat >order.py <<'PYTHON'
import collections, json, sys
profile, weights = json.load(open(sys.argv[1])), collections.Counter()
for sample in profile["samples"]:
    frames = [profile["frames"][i] for i in sample["frames"]]
    for id in {frame["build_id"] for frame in frames if frame["module"] in ("program", "cool")}:
        weights[id] += sample["count"]
assert len(weights) == 2, weights
print(*sorted(weights, key=lambda id: (-weights[id], id)))
PYTHON
python3 order.py "$out" >expected 2>>"$err" || fail "both programs have samples"
top report --debuginfod="$liar/none" both.pb.gz
expect_status 0
expect_sentence "and 1 other file: no server has sent it"
tail -n 2 liar | sed 's,.*/buildid/\([0-9a-f]*\)/.*,\1,' | paste -sd " " >asked
cmp -s expected asked || fail "asked for $(cat asked), not $(cat expected)"
rm -r "$cache"

# What is no server, and no server at all.
top report --debuginfod=file:///etc base.pb.gz
expect_status 2
expect_sentence "begins with https:// or http://"
if ! compgen -G "/etc/debuginfod/*.urls" >/dev/null; then
	top report --debuginfod base.pb.gz
	expect_status 2
	expect_sentence "no debuginfod server is known here"
fi
pass
