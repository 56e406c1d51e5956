#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Ten files at once whose symbols take as much memory as a reader may have: all readers together have a
# bound, which docs/security.md says, and other processes keep their names. Short intervals, which nothing
# is waited for in, have all ten read at the same time.
. "$(dirname "$0")/lib.sh"

# bound WHAT: how many MiB docs/security.md says that it may take.
bound() {
	sed -n "s/^| $1[^|]*|[^|]* \([0-9,]*\) MiB |.*/\1/p" "$root/docs/security.md" | tr -d ,
}
all=$(bound "memory of all readers together") large=$(bound "symbols of a large file")
[ -n "$all" ] && [ -n "$large" ] || fail "docs/security.md says of no bound"

start_beside
make_elf greedy greedy
files=()
for each in {0..9}; do
	cp -p "$den/greedy" "$den/greedy$each"
	files+=("$den/greedy$each")
done
start_attacker bearer "${files[@]}"
limited $((all + 1024)) 60 top -a -i 0.2 -d 20 -F 199 --json
expect_status 0
expect_on_time 20
peak=$(peak_mib)
[ -n "$peak" ] || skip "this kernel does not say how much memory a control group had"
[ -z "${SHOW_COST:-}" ] || echo "peak: $peak MiB" >&2
check "$peak" "$large" <<-'PYTHON'
	OURS_MIB = 256  # what was read, and all that is not a reader
	peak, large = map(int, args)
	expect_at_most("MiB", peak, large + OURS_MIB)  # readers of other files do not get the half a gigabyte that it begins with
	ours = [s for s in run.samples if s.comm == "shares" and s.user]
	named = sum(s.count for s in ours if s.user[0]["function"])
	expect_at_least("samples beside", sum(s.count for s in ours), 20)
	expect_at_least("named leaves beside", named, 0.9 * sum(s.count for s in ours))
PYTHON
end "$pid"
pass
