#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# What bash, zsh and fish offer when somebody presses Tab: what --help, /proc and the directory have, and no more.
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/terminal.sh"
. "$(dirname "$0")/shells.sh"

install_completions
bash -n "$share/bash-completion/completions/topstacks"
zsh -n "$share"/zsh/*/_topstacks
fish -n "$share/fish/vendor_completions.d/topstacks.fish"

others_are one two three
mkdir "$there/runs" "$there/others"
touch "$there"/{old,new}.pb.gz "$there/stacks.folded" "$there/notes.txt" "$there/page.html"

options_of() {
	"$topstacks" help "$1" | grep -oE '^  (-[A-Za-z],|   ) --[a-z-]+' | grep -oE -- '--[a-z-]+'
}

# The words of an option's metavar: auto|fp|dwarf.
choices_of() {
	"$topstacks" help "$1" | grep -oE -- "--$2 [a-z|]+" | sed 's/.* //' | tr '|' '\n'
}

expect_commands() {
	complete_line 'topstacks '
	"$topstacks" --help | sed '1,/^Commands:/d' | awk '{ print $1 }' | expect_offered '[a-z]+'
}

# fish shows a list as long as this in parts only; there it is asked for as text.
expect_options() {
	local command
	for command in record report diff baseline list doctor help; do
		if [ "$shell" = fish ]; then
			fresh_line
			type_text "complete -C 'topstacks $command --' | string replace -r '\\t.*' ''"
			press Enter
		else
			complete_line "topstacks $command --"
		fi
		options_of "$command" >"$tmp/options"
		expect_offered '--[a-z-]+' <"$tmp/options"
	done
}

expect_values() {
	complete_line 'topstacks --unwind '
	choices_of top unwind | expect_offered '[a-z]+'
	complete_line 'topstacks report --by '
	choices_of report by | expect_offered '[a-z]+'
	complete_line 'topstacks baseline '
	printf '%s\n' save show list prune | expect_offered '[a-z]+'
	complete_line 'topstacks help --completion '
	printf '%s\n' "${shells[@]}" | expect_offered '[a-z]+'
	run_line 'topstacks --wait lock,dis'
	expect_arguments --wait lock,disk
	run_line 'topstacks report --sort=to'
	expect_arguments report --sort=total
}

# Of all processes, with their names.
expect_processes() {
	local pid
	complete_line 'topstacks -p 7'
	other_pids | expect_offered '[0-9]+'
	for pid in $(other_pids); do
		see "$pid +(--|\() ?$(nsenter --target "$inner" --mount cat "/proc/$pid/comm")"
	done
	run_line 'topstacks -p 1,7003'
	expect_arguments -p 1,7003
	run_line 'topstacks --comm one,tw'
	expect_arguments --comm one,two
	run_line 'topstacks --uid=nobo'
	expect_arguments --uid=nobody
}

expect_events() {
	run_line 'topstacks -e cpu,page-f'
	expect_arguments -e cpu,page-faults
	run_line 'topstacks --event=sched:sched_switc'
	expect_arguments --event=sched:sched_switch
}

expect_files() {
	complete_line 'topstacks report '
	printf '%s\n' new.pb.gz old.pb.gz stacks.folded runs/ others/ | expect_offered '[a-z.]+/?'
	run_line 'topstacks report --symfs oth'
	expect_arguments report --symfs others/
	run_line 'topstacks diff --flamegraph pa'
	expect_arguments diff --flamegraph page.html
	run_line 'topstacks report no'
	expect_arguments report notes.txt
}

for name in "${shells[@]}"; do
	enter_shell "$name"
	expect_commands
	expect_options
	expect_values
	expect_processes
	expect_events
	expect_files
done
pass
