#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# -o leaves links and devices where they are, and a file that cannot be renamed over is kept. Where
# nothing can be written, be it a file or a directory of runs, the exit status is 4; where the place is
# of the wrong kind, it is 2.
. "$(dirname "$0")/lib.sh"

printf 'main;parse;copy 3\nmain;draw 2\n' >"$tmp/profile"
cd "$tmp" || exit
ln -s /proc/self/fd/1 to_stdout # as /dev/stdout, which must survive a failure of this test
ln -s file to_file
echo old >file

# What a shell opened is written to where it stands.
echo before >shell
"$topstacks" report --format=folded -o to_stdout profile >>shell 2>"$err" || fail 'report failed'
echo after >>shell
[ "$(cat shell)" = $'before\nmain;parse;copy 3\nmain;draw 2\nafter' ] || fail "$(cat shell)"
[ -L to_stdout ] || fail 'the link to standard output was replaced'

# So is what is shown while it goes on.
echo before >shell
"$topstacks" -a -i 0.2 --once -o to_stdout >>shell 2>"$err" || fail 'sampling failed'
[ "$(head -n 1 shell)" = before ] || fail "what stood there is gone: $(head -n 3 shell)"
grep -q samples shell || fail "nothing was shown: $(cat shell)"

# A reader that leaves is nobody's failure.
for _ in {1..20000}; do echo "main;function_$RANDOM$RANDOM 1"; done >long
"$topstacks" report --format=folded -o to_stdout long 2>"$err" | head -n 1 >"$out"
[ "${PIPESTATUS[0]}" -eq 0 ] || fail 'standard output that is closed early is a failure'

top report --format=folded -o to_file profile
expect_status 0
[ -L to_file ] || fail 'a link was replaced'
grep -q '^main;draw 2$' file || fail 'what the link leads to was not written'

# A file that is a mount point cannot be renamed over.
echo kept >inner
echo outer >mounted
unshare --mount bash -c 'mount --bind inner mounted && exec "$@"' bash \
	"$topstacks" report --format=folded -o mounted profile 2>"$err" && fail 'a mount point was replaced'
expect_err 'cannot write "mounted": device or resource busy; all of it is in '
kept=$(sed 's|.* is in ||' "$err")
grep -q '^main;draw 2$' "$kept" || fail 'the finished file is gone'
[ "$(cat inner mounted)" = $'kept\nouter' ] || fail 'the old file changed'

# Nobody can make anything in /proc.
top report --format=folded -o /proc/nowhere profile
expect_status 4
top record -a --rotate 1 -d 1 -o /proc/nowhere/
expect_status 4
expect_err '^topstacks: cannot use the directory "/proc/nowhere/": no such file or directory$'
top baseline --dir /proc/nowhere save profile
expect_status 4
expect_err '^topstacks: cannot make the directory "/proc/nowhere/'
top record --repeat 2 -o /proc/nowhere/ -- true
expect_status 125
expect_err '^topstacks: cannot make the directory "/proc/nowhere/": no such file or directory$'

# A directory is no file, and a file no directory.
mkdir directory
for wrong in "report -o directory profile" "-a -i 0.1 --once -o directory" "record -a -d 0.1 -o directory" \
	"record -a --rotate 1 -d 1 -o profile/" "baseline --dir profile save profile"; do
	# shellcheck disable=SC2086 # words
	top $wrong
	expect_status 2
done

# The run ends, and then nobody empties the FIFO: a signal is heard while it is full.
mkfifo "$tmp/stuck"
exec 8<>"$tmp/stuck"
head -c 65536 /dev/zero >&8
start stacks 5 30
top_start record -q -p "$pid" -d 0.3 -o "$tmp/stuck"
wait_for grep -qs pipe_write "/proc/$top_pid/stack"
kill -TERM "$top_pid"
top_wait
expect_status 143
exec 8<&-
pass
