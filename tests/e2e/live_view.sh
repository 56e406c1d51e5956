#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The live view of a program of known shares: every view, order, filter, zoom, freeze, stepping.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"

start shares 120
# High enough for the four functions, however many of the kernel's are between them.
terminal 100x60
run_there -p "$pid" -i 0.5 -F 499
see "topstacks  shares \(pid $pid\) .*interval [0-9]+"
see '^cpu-clock  .*Hz \(asked 499\) on [0-9]+ CPUs?, every 0.5 s'
see ' samples, 0 lost, .*; cost [0-9.]+ % CPU'
see '^ +[0-9.]+ ±[0-9.]+ +(┐|│|┘)? *[0-9]+ .* shares +spin ← share_40 ← spend_shares ← main'

# How sure percentages are is shown, or not.
press E
see '^ +[0-9.]+ +[0-9]+ .* shares +spin ← share_40 ← spend_shares ← main'
press E
see '^± holds the true share in 95 of 100 recordings: [0-9,]+ samples'
see '^ +[0-9.]+ ±[0-9.]+ '

# In the sum of all intervals the order becomes that of the truth, and stays.
press m
see 'sum up to interval'
press 2 t
see '^SELF % ± +TOTAL % ± '
in_order() {
	[ "$(screen | grep -oE 'share_[0-9]+ \(shares\)' | uniq | head -n 4 | tr -d '\n')" = \
		"share_40 (shares)share_30 (shares)share_20 (shares)share_10 (shares)" ]
}
wait_for in_order

press 3
see '^ *100\.0 .* (- |\+ )?shares'
see 'spin'
press 4
see "^ *100\.0 ±[0-9.]+ +[0-9,]+ .* shares \($pid\)"
press 5
see '^ *[0-9.]+ ±[0-9.]+ +[0-9.]+ ±[0-9.]+ .* shares$'
press 6
see 'spend_shares'
press 1
see 'COMMAND +STACK'

# The filter leaves what matches, and says how much that is.
press /
see '^filter'
type_text 'share_(10|20)'
press Enter
see '  /share_\(10\|20\)/  [0-9.]+ %'
see_no 'share_[34]0 '
see 'share_20 ←'
press /
press C-u
type_text '('
press Enter
see '^no regular expression'
see '^filter .*: \('
press Escape
see_no '^filter'
press Escape
see_no '/share_'
see 'share_40 ←'

# Frozen, the picture stands while intervals go by; stepping walks through them.
press m m
see ' interval ([4-9]|[0-9]{2,}), '
press Space
see 'FROZEN: interval'
newer() {
	screen | grep -oE 'FROZEN: interval [0-9]+, [0-9]+ newer' | grep -oE ' [0-9]+ newer' | grep -oE '[0-9]+'
}
has_newer() {
	[ "$(newer)" -ge "$1" ]
}
# At first its past may still be under way.
stands_still() {
	local before more
	before=$(screen | sed -n '5,20p')
	more=$(newer) || return 1
	wait_for has_newer $((more + 2))
	[ "$(screen | sed -n '5,20p')" = "$before" ]
}
wait_for stands_still
number=$(screen | grep -oE 'FROZEN: interval [0-9]+' | grep -oE '[0-9]+')
press '['
see "FROZEN: interval $((number - 1)), "
press ']' ']'
see "FROZEN: interval $((number + 1)), "
press c '[' '['
see "against interval $((number + 1))"
press Escape Escape
see_no 'FROZEN|against'

# Zoom, hidden parts, the whole stack, help.
press 2
see 'share_10 \(shares\)'
press /
type_text 'share_10'
press Enter
see '/share_10/'
press Down Up z
see 'zoom 1'
press Escape Escape
see_no '  zoom 1|/share'
press K
see '  no kernel  [0-9.]+ %'
see_no '\[k\]'
press K
press 1 Enter
see '^  _start \(shares\)'
press Enter '?'
see 'only samples with this in a name'
press Escape

# What it writes is what others read.
press w
see 'written to .*/topstacks-.*\.pb\.gz'
top report --format=folded "$tmp"/topstacks-*.pb.gz
expect_status 0
grep -q share_40 "$out" || fail 'the snapshot does not have share_40'
press f
see 'written to .*/topstacks-.*\.html'
grep -qi '<!doctype html' "$tmp"/topstacks-*.html || fail 'that is no flame graph'

# Of the same picture, another file.
press Space f
see 'FROZEN'
see 'written to .*\.html'
press f
see 'written to .*/topstacks-[0-9]+-[0-9]+-[0-9]+\.html'
press Space
see_no 'FROZEN'

# Another interval and rate, from here on.
press i 1 Enter
see ', every 1 s'
press F 999 Enter
see 'Hz \(asked 999\)'
press F x Enter
see 'not 0.01 to 100,000 samples a second: x'
press Escape
see_no '^samples a second'
press q
# A few lines stay: what the run was, and its hottest functions.
expect_end
see "^topstacks  whole run, .* of shares \(pid $pid\)"
see '^cost '
see '^ +[0-9.]+ ±[0-9.]+ +[0-9.]+ ±[0-9.]+ +spin \(shares\)'
see_no 'share_40'
back
expect_status 0
expect_silent
pass
