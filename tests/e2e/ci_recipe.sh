#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The shell recipe of docs/ci.md does as it says: 1 for what is slower, 2 for too few samples.
. "$(dirname "$0")/lib.sh"

# The indented block that begins with its interpreter; at a higher rate, to be done sooner.
sed -n '/^    #!\/bin\/sh/,/^[^ ]/p' "$root/docs/ci.md" | sed -n 's/^    //p' |
	sed 's/-F 999 /-F 4999 /' >"$tmp/gate.sh"
grep -q -- '-F 4999' "$tmp/gate.sh" || fail "no recipe"
mkdir "$tmp/bin"
ln -s "$topstacks" "$tmp/bin/topstacks"
# shellcheck disable=SC2016 # for the script
printf '#!/bin/sh\nexec "$@"\n' >"$tmp/bin/sudo"
chmod +x "$tmp/bin/sudo"

# gate OLD NEW
gate() {
	status=0
	(cd "$tmp" && PATH=$tmp/bin:$PATH sh gate.sh "$@" >"$out" 2>"$err") || status=$?
}

gate "$workloads/slowed 0 80" "$workloads/slowed 100 80"
expect_status 1
grep -q '^### Profile: FAILED: 1 of' "$tmp/profiles/comment.md" || fail "no comment"
# shellcheck disable=SC2016 # Markdown
grep -q '^| `hot` in `slowed` .*\*\*regressed\*\*' "$out" || fail "hot is not in it"

gate "$workloads/slowed 0 5" "$workloads/slowed 0 5"
expect_status 2
expect_err 'unseen'

gate "$workloads/slowed 0 80" "$workloads/no such program"
expect_status 2
pass
