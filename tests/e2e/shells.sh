# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034,SC2154
#
# Sourced after lib.sh and terminal.sh by tests of what shells complete: a shell in a terminal, with the
# script as it is installed, in a pid namespace of its own, so that it is known who runs there.
#
#	install_completions
#	enter_shell zsh                      # in $there; what $tmp/others starts runs beside it
#	complete_line 'topstacks --once '    # types it, and presses Tab
#	run_line 'topstacks report a'        # the same, and Enter: sets arguments, those that it would have had

patience_s=40 # keys and lists are a matter of moments
there=$tmp/there
pipe=$tmp/pipe # nobody writes into it
share=$tmp/installed/usr/share
shells=(bash zsh fish)
nr_others=0

# The programs that the shell finds: topstacks itself for what a script asks, else one that keeps its words.
install_completions() {
	local one
	for one in "${shells[@]}" unshare; do
		command -v "$one" >/dev/null || skip "$one is not installed"
	done
	[ -e /proc/sys/kernel/ns_last_pid ] || skip 'this kernel has no ns_last_pid'
	# The program is as it was built, whatever changed since.
	MAKEFLAGS='' make -s -C "$root" -o "${build#"$root"/}/topstacks" BUILD="${build#"$root"/}" DESTDIR="$tmp/installed" PREFIX=/usr install-completions >/dev/null
	mkdir -p "$there" "$tmp/bin" "$tmp/home/.config/fish"
	: >"$tmp/others"
	mkfifo "$pipe"
	cat >"$tmp/bin/topstacks" <<-SCRIPT
		#!/bin/bash
		[ "\$1" != help ] || exec '$topstacks' "\$@"
		printf '%s\0' "\$@" >'$tmp/arguments.new'
		mv '$tmp/arguments.new' '$tmp/arguments'
	SCRIPT
	chmod 755 "$tmp/bin/topstacks"
	write_settings
}

write_settings() {
	cat >"$tmp/home/.bashrc" <<-SCRIPT
		PS1='ready> '
		bind 'set completion-query-items 0' 'set page-completions off' 'set show-all-if-ambiguous on'
		bind 'set enable-bracketed-paste off' 'set bell-style none'
		. '$share/bash-completion/completions/topstacks'
	SCRIPT
	cat >"$tmp/home/.zshrc" <<-SCRIPT
		PS1='ready> ' LISTMAX=10000
		unsetopt beep prompt_sp list_ambiguous
		fpath=('$share/zsh/vendor-completions' '$share/zsh/site-functions' \$fpath)
		autoload -Uz compinit
		compinit -D -u
	SCRIPT
	cat >"$tmp/home/.config/fish/config.fish" <<-SCRIPT
		set -g fish_greeting
		set -g fish_autosuggestion_enabled 0
		function fish_prompt
		    echo -n 'ready> '
		end
		source '$share/fish/vendor_completions.d/topstacks.fish'
	SCRIPT
}

# Others are 7001, 7002, and so on; whoever is started by the shell has a lower number.
# others_are NAME...: what processes beside the shell call themselves.
others_are() {
	{
		echo 'echo 7000 >/proc/sys/kernel/ns_last_pid'
		printf "NAME=%q bash -c 'printf %%s \"\$NAME\" >/proc/\$\$/comm; read -r <>$pipe' &\n" "$@"
		echo 'echo 300 >/proc/sys/kernel/ns_last_pid'
	} >"$tmp/others"
	nr_others=$#
}

are_named() {
	[ "$(other_pids | wc -l)" -eq "$nr_others" ] && ! nsenter --target "$inner" --mount grep -qx bash /proc/7*/comm
}

# As /proc of the namespace has them.
other_pids() {
	nsenter --target "$inner" --mount bash -c 'printf "%s\n" /proc/7*' | grep -oE '[0-9]+'
}

# The first process of the namespace starts the others, and becomes the shell.
enter_shell() {
	local words
	shell=$1
	case $shell in
	bash) words='bash --rcfile "$HOME/.bashrc" --noprofile -i' ;;
	zsh) words='zsh -d -i' ;;
	fish) words='fish -i' ;;
	esac
	cat >"$tmp/enter" <<-SCRIPT
		export HOME='$tmp/home' ZDOTDIR='$tmp/home' PATH='$tmp/bin':"\$PATH" LC_ALL=C.UTF-8
		unset XDG_CONFIG_HOME XDG_DATA_HOME XDG_DATA_DIRS XDG_CONFIG_DIRS
		cd '$there' && . '$tmp/others' && exec $words
	SCRIPT
	in_tmux kill-server 2>/dev/null || true
	nr_terminals=$((nr_terminals + 1))
	session=$tmp/tmux$nr_terminals
	in_tmux new-session -d -x 160 -y 150 unshare --pid --fork --kill-child --mount-proc bash "$tmp/enter"
	outer=$(in_tmux display-message -p '#{pane_pid}')
	started+=("$(in_tmux display-message -p '#{pid}')")
	see '^ready> *$'
	inner=$(pgrep -P "$outer")
	[ "$nr_others" -eq 0 ] || wait_for are_named
}

# Whatever was typed is given up, and the screen is empty. Not by C-c: what is typed after it may be lost.
fresh_line() {
	[ "$shell" != fish ] || press Escape
	press C-e C-u
	wait_for is_cleared
}

is_cleared() {
	press C-l
	sleep 0.05
	[ "$(screen | grep -v '^ *$')" = 'ready>' ]
}

complete_line() {
	fresh_line
	type_text "$1"
	press Tab
	# Others need to be asked twice, for all of a long list.
	[ "$shell" != fish ] || press Tab
}

# offered PATTERN: those on the screen that match, below the line itself; without what they mean.
offered() {
	screen | sed -e '0,/^ready>/d' -e '/^ready>/d' -e 's/ -- .*//' |
		grep -oP "(?<=^|  )(?:$1)(?= |\$)" | sort -u
}

# expect_offered PATTERN < a list: the screen has these, and no others.
expect_offered() {
	local deadline=$((SECONDS + patience_s))
	sort -u >"$tmp/expected"
	[ -s "$tmp/expected" ] || fail "nothing to expect of $1"
	until offered "$1" >"$out" && cmp -s "$tmp/expected" "$out"; do
		if [ "$SECONDS" -gt "$deadline" ]; then
			screen | grep -v '^ *$' | sed 's/^/| /'
			diff "$tmp/expected" "$out" || true
			fail "$shell: what is offered (>) is not what there is (<): $1"
		fi
		sleep 0.02
	done
}

# run_line TEXT [KEYS...]: Tab, unless other keys are named, and Enter.
run_line() {
	local text=$1
	shift
	[ $# -gt 0 ] || set -- Tab
	rm -f "$tmp/arguments"
	fresh_line
	type_text "$text"
	press "$@" Enter
	wait_for [ -e "$tmp/arguments" ]
	mapfile -t -d '' arguments <"$tmp/arguments"
}

# expect_arguments WORDS...: as run_line set them. zsh takes the slash of a directory away again.
expect_arguments() {
	[ "$shell" != zsh ] || set -- "${@%/}"
	[ "${arguments[*]@Q}" = "${*@Q}" ] || fail "$shell: completed to ${arguments[*]@Q}, not to ${*@Q}"
}
