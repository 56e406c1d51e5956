#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Processes, users and files whose names are made to be run by the shell that completes them: none is, and
# each line arrives as it should.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"
. "$(dirname "$0")/shells.sh"

# In the directory of the shell a file "ran" tells that one was run.
names=('$(touch ran)' '`touch ran`' "';touch ran;'" '";touch ran;"' $'a\ntouch ran' '<(touch ran)' 'a[$(touch ran' '}touch ran;{'
	$'\ttouch:ran' '\' "'" '"' '[$(touch r)]:b' '--pid' '*' '~' '!!' '%s%n$IFS')

install_completions
others_are "${names[@]}"
printf '%s:x:3000:3000::/:/bin/sh\n' '$(touch ran)' '`touch ran`' 'zz;touch ran' zzz | cat /etc/passwd - >"$tmp/passwd"
echo "mount --bind '$tmp/passwd' /etc/passwd" >>"$tmp/others"

# Each alone in a directory, so that there is no need to type how it begins.
place=10 # of as many digits, so that none is how another begins
for name in "${names[@]}" '$(touch ran).pb.gz' '`touch ran`.pb.gz' 'sp  ace' $'new\nline'; do
	place=$((place + 1))
	mkdir -p "$there/file$place" "$there/in$place/${name//\//_}"
	touch "$there/file$place/${name//\//_}" "$there/in$place/${name//\//_}/profile.pb.gz"
done

# $(touch r) makes a file as well.
nothing_ran() {
	[ -z "$(find "$tmp" -name ran -o -name r)" ] || fail "$shell: a name was run: $1"
}

# The name of each is seen as what is left of it. zsh shows those together that have the same.
expect_processes() {
	local pid comm
	complete_line 'topstacks -p 7'
	other_pids | expect_offered '[0-9]+'
	nothing_ran "what is offered"
	for pid in $(other_pids); do
		comm=$(nsenter --target "$inner" --mount cat "/proc/$pid/comm" | head -c -1 | LC_ALL=C tr -c 'A-Za-z0-9._-' _)
		see "$pid( +[0-9]+)* +(--|\\() ?$comm"
	done
	run_line 'topstacks -p 1,7012'
	expect_arguments -p 1,7012
	nothing_ran processes
	complete_line 'topstacks --comm '
	press q
	nothing_ran comms
}

expect_users() {
	run_line 'topstacks --uid zz'
	expect_arguments --uid zzz
	complete_line 'topstacks --uid '
	see 'nobody'
	! sees 'touch' || fail "$shell: a user is offered by a name that no user has"
	nothing_ran users
}

expect_files() {
	local number name path
	for number in $(seq 11 "$place"); do
		for path in "$there/file$number"/* "$there/in$number"/*/profile.pb.gz; do
			name=${path#"$there/"}
			# A tab ends what fish takes for a candidate.
			[[ $shell != fish || $name != *$'\t'* ]] || continue
			run_line "topstacks report ${name%%/*}/" Tab Tab
			# In a directory of such a name zsh finds nothing, whatever the command is.
			[ "$shell" != zsh ] || [ "${arguments[1]}" != "${name%/*}" ] || continue
			expect_arguments report "$name"
		done
	done
	nothing_ran files
}

for name in "${shells[@]}"; do
	enter_shell "$name"
	expect_processes
	expect_users
	expect_files
done
pass
