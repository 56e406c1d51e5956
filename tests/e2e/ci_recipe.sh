#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The shell recipes of docs/ci.md do as they say: 1 for what is slower, 2 for too few samples.
. "$(dirname "$0")/lib.sh"

# The indented block whose second line names it; at a higher rate and with fewer runs, to be done sooner.
recipe() {
	awk -v name="# $1 " '
		/^    #!/ { inside = 1; text = "" }
		inside && /^[^ ]/ { if (index(text, name)) printf "%s", text; inside = 0 }
		inside { text = text substr($0, 5) "\n" }' "$root/docs/ci.md" | sed 's/-F 999 /-F 4999 /; s/--repeat 5/--repeat 3/; s/0 1 2 3 4 5/0 1 2 3/' >"$tmp/$1"
	grep -q -- '-F 4999' "$tmp/$1" || fail "no recipe $1"
}
recipe gate.sh
recipe watch.sh
mkdir "$tmp/bin"
ln -s "$topstacks" "$workloads/slowed" "$tmp/bin/" # in PATH: the recipes take commands apart at spaces
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/bin/sudo"
chmod +x "$tmp/bin/sudo"

# gate OLD NEW
gate() {
	status=0
	(cd "$tmp" && PATH=$tmp/bin:$PATH sh gate.sh "$@" >"$out" 2>"$err") || status=$?
}

gate "slowed 0 60" "slowed 100 60"
expect_status 1
grep -q '^### Profile: FAILED: ' "$tmp/profiles/comment.md" || fail "no comment"
# shellcheck disable=SC2016 # Markdown
grep -q '^| `hot` in `slowed` .*\*\*regressed\*\*' "$out" || fail "hot is not in it"

grep -q '<failure type="regressed"' "$tmp/profiles/junit.xml" || fail "no failure for CI servers"
grep -q '"hot (slowed) total":{"share"' "$tmp/profiles/bmf.json" || fail "nothing for Bencher"
grep -q '^</html>' "$tmp/profiles/diff.html" || fail "no flame graph"
! grep -q '^::error' "$out" || fail "annotations where there is no GitHub"

GITHUB_ACTIONS=true gate "slowed 0 5" "slowed 0 5"
expect_status 2
expect_err 'unseen'
grep -q '^::error title=Profile::BLIND' "$out" || fail "no annotation"

gate "slowed 0 80" "no-such program"
expect_status 2
# watch BRANCH COMMAND
watch() {
	status=0
	(cd "$tmp" && PATH=$tmp/bin:$PATH sh watch.sh "$@" >"$out" 2>"$err") || status=$?
}

watch main "slowed 0 30"
expect_status 0
expect_err 'no baseline'
watch feature "slowed 150 30"
expect_status 1
grep -q '^regressed .* hot (slowed)' "$out" || fail "hot is not found against the baseline"
[ "$(ls "$tmp"/baselines/default/*/* | wc -l)" -eq 1 ] || fail "a branch's runs are kept as baseline"
watch main "slowed 150 30"
expect_status 1
[ "$(ls "$tmp"/baselines/default/*/main | wc -l)" -eq 1 ] || fail "a baseline of what failed"
pass
