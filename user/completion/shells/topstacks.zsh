#compdef topstacks
# SPDX-License-Identifier: GPL-2.0-only
#
# Completions of topstacks for zsh: topstacks help --completion zsh.
#
# What is running is asked of the topstacks that is found in $PATH. Its answer is handed to the completion
# system as it is, which quotes what it inserts.

# Names of a kind, with what they mean; one, or a list with commas.
_topstacks_ask() {
	local name meaning
	local -a found
	[[ $2 == list ]] && compset -P '*,'
	command topstacks help --candidates $1 2>/dev/null | while IFS=$'\t' read -r name meaning; do
		found+=("${name//:/\\:}${meaning:+:$meaning}")
	done
	_describe -V -t $1 $1 found
}

_topstacks() {
	local curcontext=$curcontext command=top dashes
	local -a known running
	_topstacks_table
	if ((CURRENT == 2)) && [[ $words[2] != -* ]]; then
		_describe -t commands command known
		return
	fi
	if ((${known[(I)${(b)words[2]}:*]})); then
		command=$words[2]
		shift words
		((CURRENT--))
	fi
	# A program and its arguments, as if there were nothing before it.
	dashes=${words[(ie)--]}
	if ((dashes < CURRENT && ${running[(Ie)$command]})); then
		shift dashes words
		((CURRENT -= dashes))
		_normal
		return
	fi
	curcontext="${curcontext%:*:*}:topstacks-$command:"
	_topstacks_$command
}
