#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# record --rotate: a file each period, the newest of which are kept; files of others are left alone.
. "$(dirname "$0")/lib.sh"

start stacks 5 30
mkdir "$tmp/dir"
touch "$tmp/dir/notes.txt" "$tmp/dir/topstacks-20200101T000000.000Z.pb.gz.tmp-0123abcd" \
	"$tmp/dir/topstacks-20200101T000000.000Z.pb.gz"
top_start record -q -p "$pid" -F 499 --rotate 1 --keep 2 -o "$tmp/dir/"
newest() {
	find "$tmp/dir" -name 'topstacks-*.pb.gz' | sort | tail -n 1
}
for _ in 1 2 3 4; do
	before=$(newest)
	wait_for eval '[ "$(newest)" != "$before" ]'
done
top_end

[ -e "$tmp/dir/notes.txt" ] || fail "a file that is not ours is gone"
mapfile -t files < <(find "$tmp/dir" -name 'topstacks-*' | sort)
[ "${#files[@]}" -eq 2 ] || fail "${#files[@]} files: ${files[*]}"
[[ ${files[0]} != *20200101* ]] || fail "the oldest was kept"
top report --format=json "${files[0]}"
# A period that began late is shorter, so that the next begins on time: where one ends the next begins.
python3 - "$out" "${files[@]}" <<'PYTHON' || fail 'see above'
import datetime, json, re, sys
profile = json.load(open(sys.argv[1]))
assert profile["ledger"]["balanced"]
times = [re.search(r"/topstacks-([0-9T.]+)Z", name)[1] for name in sys.argv[2:]]
begin, end = (datetime.datetime.strptime(time, "%Y%m%dT%H%M%S.%f") for time in times)
duration_s = profile["provenance"]["duration_s"]
assert abs((end - begin).total_seconds() - duration_s) < 0.02, (begin, end, duration_s)
assert sum(s["count"] for s in profile["samples"]) == profile["ledger"]["counted"] > 50
PYTHON
top report --by function "$tmp"/dir/*.pb.gz
expect_status 0

# A directory is all of its files, whatever the order, and their times are told apart.
top report --by time "$tmp/dir"
expect_status 0
mv "$out" "$tmp/by-directory"
top report --by time "${files[1]}" "${files[0]}"
expect_status 0
python3 - "$tmp/by-directory" "$out" "${files[@]}" <<'PYTHON' || fail 'see above'
import datetime, re, sys
row = re.compile(r" *[0-9.]+ +([0-9,]+)  (\d\d-\d\d \d\d:\d\d:\d\d) ")
directory, turned = ([row.match(line) for line in open(path)] for path in sys.argv[1:3])
rows = [match.groups() for match in directory if match]
assert rows == [match.groups() for match in turned if match], "the order of files matters"
names = [re.search(r"/topstacks-([0-9T]+)", name)[1] for name in sys.argv[3:]]
begins = [datetime.datetime.strptime(name + "+0000", "%Y%m%dT%H%M%S%z").astimezone() for name in names]
assert [when for _, when in rows] == [begin.strftime("%m-%d %H:%M:%S") for begin in begins], (rows, begins)
PYTHON
! grep -q 'nothing was recorded' "$out" || fail 'a gap where there is none'
mkdir "$tmp/gap"
cp "${files[1]}" "$tmp/gap/"
top record -q -p "$pid" -F 499 -d 0.5 --intervals 0.2 -o "$tmp/gap/topstacks-later.pb.gz"
expect_status 0
top report --by time "$tmp/gap"
expect_status 0
[ "$(grep -cE '^ *[0-9.]+ +[0-9,]+  [0-9]{2}-' "$out")" -eq 4 ] || fail 'not a row for one file, and three for the other'
top report --by time "$tmp/no/such"
expect_status 2
mkdir "$tmp/none"
top report "$tmp/none"
expect_status 2
expect_err 'has no recordings, which would be files called'

# Numbers follow one another, and go on in the next run.
for run in 1 2; do
	mapfile -t files < <(find "$tmp/dir" -name 'topstacks-*' | sort)
	numbers=("${files[@]##*Z-}")
	[ "${numbers[1]}" = "$(printf '%08d.pb.gz' "$((10#${numbers[0]%%.*} + 1))")" ] || fail "not in a row: ${files[*]}"
	[ "$run" -eq 2 ] || last=$((10#${numbers[1]%%.*}))
	top record -q -p "$pid" -F 499 --rotate 1 --keep 2 -d 1.5 -o "$tmp/dir/"
	expect_status 0
	[ -n "$(find "$tmp/dir" -name "*Z-$(printf %08d $((last + 1))).pb.gz")" ] || [ "$run" -eq 2 ] || fail 'the number begins again'
done

# Who may read them: the directory's group if it is "topstacks" and nobody else may look in; else the owner alone.
# The names of groups are those of a namespace of its own.
cp /etc/group "$tmp/group"
grep -q ^topstacks: /etc/group || echo topstacks:x:4711: >>"$tmp/group"
group=$(sed -n 's/^topstacks:[^:]*:\([0-9]*\).*/\1/p' "$tmp/group")
# expect_mode MODE GROUP DIRECTORY_MODE DIRECTORY_GROUP
expect_mode() {
	mkdir "$tmp/spool"
	chgrp "$4" "$tmp/spool"
	chmod "$3" "$tmp/spool"
	# shellcheck disable=SC2016
	unshare --mount sh -c 'mount --bind "$1" /etc/group && shift && exec "$@"' sh "$tmp/group" \
		"$topstacks" record -q -p "$pid" -F 99 --rotate 1 -d 0.2 -o "$tmp/spool/" >"$out" 2>"$err"
	[ "$(stat -c '%a %g' "$tmp"/spool/*)" = "$1 $2" ] || fail "$3 $4: $(stat -c '%a %g' "$tmp"/spool/*), not $1 $2"
	rm -r "$tmp/spool"
}
expect_mode 640 "$group" 750 "$group"
expect_mode 600 0 755 "$group"
expect_mode 600 0 770 "$group"
expect_mode 600 0 750 0

# Files of the future neither push out what is new nor go; what another instance writes stays; and while
# the directory is away, sampling goes on.
mkdir "$tmp/next"
future=$tmp/next/topstacks-29990101T000000.000Z.pb.gz
others=$tmp/next/topstacks-20200101T000000.000Z.pb.gz.tmp-0123abcd
touch "$future" "$others" "$tmp/next/topstacks-20200101T000000.000Z.pb.gz.tmp-fedcba98"
exec 9<"$others"
flock 9
finished() {
	find "$tmp/next" -name 'topstacks-2[0-8]*.pb.gz' | wc -l
}
top_start record -p "$pid" -F 499 --rotate 1 --keep 2 -o "$tmp/next/"
wait_for eval '[ "$(finished)" -eq 2 ]'
mv "$tmp/next" "$tmp/away"
wait_for grep -q 'sampling goes on' "$err"
mv "$tmp/away" "$tmp/next"
last=$(find "$tmp/next" -name 'topstacks-2[0-8]*.pb.gz' | sort | tail -n 1)
wait_for eval '[ -n "$(find "$tmp/next" -name "topstacks-2[0-8]*.pb.gz" -newer "$last")" ]'
top_end
[ "$(finished)" -eq 2 ] || fail "not the newest two"
[ -e "$future" ] || fail "a file of the future is gone"
expect_err '1 file in ".*" is dated later than now'
! grep -q '//' "$err" || fail "two slashes in a path"
expect_err 'cannot write .*No such file or directory; sampling goes on, and the next file gets all of it'
[ -e "$others" ] || fail "removed what another instance writes"
[ ! -e "$tmp/next/topstacks-20200101T000000.000Z.pb.gz.tmp-fedcba98" ] || fail "left what a killed one left"
pass
