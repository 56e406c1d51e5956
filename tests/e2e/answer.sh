#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# report --format markdown: what it says of profiles whose truth is known, and that it is never too long, never cut
# within a character, a code span or a row, whatever names there are.
. "$(dirname "$0")/lib.sh"

answer() {
	top report --format markdown "$@"
	expect_status 0
}
has() {
	grep -qE -- "$1" "$out" || fail "not said: $1"
}

# Of 2,000 samples 700 are in hot, of which 560 are for one caller: intervals by Wilson, from a table of values.
cat >"$tmp/known.txt" <<-'EOF_'
	main;request;parse;hot 560
	main;config;parse;hot 140
	main;rest 1300
EOF_
answer "$tmp/known.txt"
has '^### Quality: good: 2,000 samples, whether any were lost is not known$'
has '^\| 65\.0 % ± 2\.1 \| 65\.0 % ± 2\.1 \| `rest` \| `main` \|$'
has '^\| 35\.0 % ± 2\.1 \| 35\.0 % ± 2\.1 \| `hot` \| `parse`: 80 % for `request`, 20 % for `config` \|$'
has '^\*\*From the root:\*\* `main` 100\.0 % ± 0\.2, of which `rest` 65\.0 % ± 2\.1, `request` 28\.0 % ± 2\.0, `config` 7\.0 % ± 1\.2$'
! grep -q 'Take' "$out" || fail "more samples are asked for without need"

# What the limits leave out is counted like what has no room.
answer --rows 1 "$tmp/known.txt"
has '^1 more function: see `--rows` and `--percent-limit`$'
seq -f 'main;a_function_with_a_long_name_%.0f 1000' 15 >"$tmp/wide.txt"
seq -f 'main;b%.0f 1' 1200 >>"$tmp/wide.txt"
answer --budget 800 "$tmp/wide.txt"
rows=$(grep -c '^| [0-9]' "$out")
has "^1,$((215 - rows)) more functions, $((15 - rows)) of them for want of \`--budget\`\$"

# Where a part has no room, a line says so.
printf 'main;%s 500\n' "$(printf 'f%.0s' {1..150})"{a,b,c,d} >"$tmp/long.txt"
answer --budget 500 "$tmp/long.txt"
has '^A paragraph is left out: raise `--budget`$'
has '^4 more functions: raise `--budget`$'

# Folded text has no process, and none is told of.
printf 'a;b;c 500\na;d 300\ne;d 200\nd 100\n' >"$tmp/roots.txt"
answer "$tmp/roots.txt"
has '^\*\*From the root:\*\* `a` 72\.7 % ± [0-9.]+, `e` 18\.2 % ± [0-9.]+, `d` 9\.1 % ± [0-9.]+$'
has '`d` \| 50 % by `a`, 33 % by `e`, 17 % without a caller \|$'
! grep -q '(empty)' "$out" || fail "a process without a name"

# So few samples tell little, and that is said first, with what helps.
printf 'main;a 6\nmain;b 4\n' >"$tmp/few.txt"
answer "$tmp/few.txt"
has '^### Quality: poor: only 10 samples'
has '^- Take [0-9]+ times as many samples: then the first share is known to ± 2\.$'
answer --focus nobody "$tmp/few.txt"
has '^### Quality: poor'
has '^no samples'

# Objects of a heap, which its profiler guesses from some that it saw, are no samples; shares are of bytes.
python3 - "$tmp/heap.pb" <<'PYTHON'
import sys
def number(value):
    more = []
    while value > 127:
        more.append(value & 127 | 128)
        value >>= 7
    return bytes(more + [value])
def field(nr, value):
    if isinstance(value, int):
        return number(nr << 3) + number(value)
    return number(nr << 3 | 2) + number(len(value)) + value
strings = ["", "inuse_objects", "count", "inuse_space", "bytes", "main", "make"]
profile = b"".join(field(1, field(1, name) + field(2, unit)) for name, unit in ((1, 2), (3, 4)))
for place, objects, size in ((1, 500, 3000), (2, 1500, 1000)):
    profile += field(2, field(1, number(place)) + field(2, number(objects) + number(size)))
    profile += field(4, field(1, place) + field(4, field(1, place)))
    profile += field(5, field(1, place) + field(2, 4 + place))
profile += b"".join(field(6, text.encode()) for text in strings)
open(sys.argv[1], "wb").write(profile)
PYTHON
answer "$tmp/heap.pb"
has '^### Quality: limited: the files do not say how many samples there were, '
has '^shares of 4 kB `inuse_space`$'
has '^\| 75\.0 % \| 75\.0 % \| `main` '
answer --focus main "$tmp/heap.pb"
has '^shares of 4 kB `inuse_space`, 75\.0 % of it selected$'

# A recording has a ledger, and so a verdict on it.
top record -q -F 999 -o "$tmp/run.pb.gz" -- "$workloads/slowed" 0 40
expect_status 0
answer "$tmp/run.pb.gz"
has '^### Quality: (good|limited): .*[0-9,]+ samples, (none lost|[0-9.]+ % lost)'
has '^`.* 0 40`, .*, `cpu-clock` at 999 Hz'
answer --drop '^spin$' "$tmp/run.pb.gz"
! grep -q '`spin`' "$out" || fail "a dropped frame is there"

# A command is told as text tells it: what is no text in it is escaped once.
top record -q -F 99 -o "$tmp/lines.pb.gz" -- sh -c $'\n:'
expect_status 0
answer "$tmp/lines.pb.gz"
grep -qF '`sh -c \x0a:`' "$out" || fail "escaped twice"

# Names that would like to be more than names, and every budget.
python3 - "$tmp/hostile.txt" <<'PYTHON'
import random, sys
random.seed(3)
names = ["a`b|c", "@all #1", "<img src=x>", "![x](http://x.org)", "é€" * 90, "\u202ee", "</details>", "\\", "x" * 4000, "$(id)"]
with open(sys.argv[1], "w", encoding="utf-8") as file:
    for i in range(2000):
        path = [random.choice(names) + str(random.randrange(9)) for _ in range(random.randrange(1, 12))]
        print(";".join(path), random.randrange(1, 100), file=file)
PYTHON
for file in known.txt few.txt run.pb.gz hostile.txt; do
	for budget in 500 501 567 600 700 850 1000 1500 4000 100000; do
		answer --budget "$budget" --percent-limit 0 --rows 500 "$tmp/$file"
		cp "$out" "$tmp/answer.$file.$budget"
	done
done
python3 - "$tmp"/answer.* <<'PYTHON' || fail "see above"
import re, sys
for path in sys.argv[1:]:
    text = open(path, "rb").read()
    assert 0 < len(text) <= int(path.rsplit(".", 1)[1]), path
    text = text.decode()
    assert text.startswith("### Quality: ") and text.endswith("\n"), path
    source = path.replace("answer.", "", 1).rsplit(".", 1)[0]
    if source.endswith(".txt"): # all functions in which something was sampled are there, or counted
        leaves = {line.rsplit(" ", 1)[0].split(";")[-1] for line in open(source, encoding="utf-8")}
        more = re.search("^([0-9,]+) more functions?: raise `--budget`$", text, re.M)
        nr_rows = len(re.findall(r"^\| [0-9]", text, re.M))
        assert nr_rows + (int(more[1].replace(",", "")) if more else 0) == len(leaves), (path, len(leaves))
    assert "**Next**" in text or not source.endswith("few.txt"), path
    for line in text.splitlines():
        assert line.count("`") % 2 == 0, (path, line)
        assert not line.startswith("|") or line.count("|") == 5, (path, line)
        outside = re.sub("`[^`]*`", "", line)
        assert not re.search(r"@|#1|<img|\]\(|http|</|\u202e|\$", outside), (path, line)
PYTHON
# Commands that are told are about the same samples and the same function, even if two modules have one of its name.
cat >"$tmp/lib.c" <<-'EOF_'
	unsigned work(unsigned n)
	{
		volatile unsigned sum = n;
		while (n--)
			sum = sum * 69069u + 1u;
		return sum;
	}
	unsigned lib(unsigned n) { return work(n) + 1; }
EOF_
cat >"$tmp/two.c" <<-'EOF_'
	unsigned lib(unsigned n);
	static __attribute__((noinline, noclone)) unsigned work(unsigned n)
	{
		volatile unsigned sum = n;
		while (n--)
			sum = sum * 69069u + 1u;
		return sum;
	}
	__attribute__((noinline)) static unsigned one(unsigned n) { return work(n) + 1; }
	__attribute__((noinline)) static unsigned other(unsigned n) { return work(n) + 2; }
	int main(void)
	{
		unsigned sum = 0;
		for (int i = 0; i < 40; i++)
			sum += one(3000000) + other(3000000) + lib(2000000);
		return sum == 1;
	}
EOF_
gcc -O1 -g -fPIC -shared -o "$tmp/libtwo.so" "$tmp/lib.c" && gcc -O1 -g -o "$tmp/two" "$tmp/two.c" -L"$tmp" -ltwo -Wl,-rpath,"$tmp" ||
	fail "cannot compile"
top record -q -F 999 --slices 100ms -o "$tmp/two.pb.gz" -- "$tmp/two"
expect_status 0
commands() {
	sed -n 's/^- `topstacks \(report .*\)` shows .*/\1/p' "$out"
}
selected() { # nothing, where all is
	sed -nE 's/.* ([0-9.]+) % of (it|them) selected.*/\1/p' "$out"
}
told="--drop '^(main|_start)\$' --comm two --from 0.1s --to 10s --symfs $tmp $tmp/two.pb.gz"
for focus in "" "one|other"; do
	answer --from 100ms --to 10s --drop '^(main|_start)$' --symfs "$tmp" --comm two ${focus:+--focus "$focus"} "$tmp/two.pb.gz"
	commands >"$tmp/commands"
	if [ -z "$focus" ]; then
		grep -qxF -- "report --annotate two:work $told" "$tmp/commands" || fail "it is not told which work"
	else
		grep -qxF -- "report --annotate work --focus 'one|other' $told" "$tmp/commands" || fail "focus is not told"
	fi
	grep -qxF -- "report --tree callers --focus '^work\$' $told" "$tmp/commands" || fail "callers are not told"
	part=$(selected)
	while read -r line; do
		eval "top $line"
		expect_status 0
		[[ $line != *annotate* || $(selected) = "$part" ]] || fail "others than $part % are selected: $line"
	done <"$tmp/commands"
done
answer --ignore "it's" "$tmp/two.pb.gz"
commands | grep -q ' --ignore REGEX ' || fail "a quote ends a word"

top report --format markdown --budget 499 "$tmp/known.txt"
expect_status 2
grep -q 'for --budget: expected a whole number from 500 to ' "$err" || fail "no sentence"
pass
