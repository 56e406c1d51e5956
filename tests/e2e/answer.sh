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

# So few samples tell little, and that is said first, with what helps.
printf 'main;a 6\nmain;b 4\n' >"$tmp/few.txt"
answer "$tmp/few.txt"
has '^### Quality: poor: only 10 samples'
has '^- Take [0-9]+ times as many samples: then the first share is known to ± 2\.$'
answer --focus nobody "$tmp/few.txt"
has '^### Quality: poor'
has '^no samples'

# A recording has a ledger, and so a verdict on it.
top record -q -F 999 -o "$tmp/run.pb.gz" -- "$workloads/slowed" 0 40
expect_status 0
answer "$tmp/run.pb.gz"
has '^### Quality: (good|limited): .*[0-9,]+ samples, (none lost|[0-9.]+ % lost)'
has '^`.*slowed 0 40`, .*, `cpu-clock` at 999 Hz'
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
    for line in text.splitlines():
        assert line.count("`") % 2 == 0, (path, line)
        assert not line.startswith("|") or line.count("|") == 5, (path, line)
        outside = re.sub("`[^`]*`", "", line)
        assert not re.search(r"@|#1|<img|\]\(|http|</|\u202e|\$", outside), (path, line)
PYTHON
top report --format markdown --budget 499 "$tmp/known.txt"
expect_status 2
grep -q 'for --budget: expected a whole number from 500 to ' "$err" || fail "no sentence"
pass
