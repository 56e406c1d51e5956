#compdef topstacks
# SPDX-License-Identifier: GPL-2.0-only
#
# Completions of topstacks for zsh: topstacks help --completion zsh.
#
# Options and candidates are asked of the topstacks that is found in $PATH. Its answer is handed to the completion
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

# Adds to specs what _arguments is to know of an option, or of operands.
_topstacks_specify() {
	local forms=$1 source=$2 many=$3 names=${4#-} metavar=$5 help=$6 action form excluded
	help=${help//(#m)[][:\\]/\\$MATCH}
	metavar=${metavar//(#m)[][:\\]/\\$MATCH}
	# A leading blank has a function called without further arguments.
	case $source in
	words) action="( $names )" ;;
	asked) action=" _topstacks_ask $names $many" ;;
	files) action=" _files${names:+ -g \"*.(${names// /|})\"}" ;;
	directories) action=' _files -/' ;;
	unknown) action=' ' ;;
	esac
	case $forms in
	1) specs+=("1:action:$action") ;;
	\*) specs+=("*:operand:$action") ;;
	*)
		[[ $many == list ]] && excluded='*' || excluded="($forms)"
		for form in ${=forms}; do
			specs+=("$excluded$form${action:+${${(M)form:#--*}:+=}${${form:#--*}:++}}[$help]${action:+:$metavar:$action}")
		done
		;;
	esac
}

_topstacks() {
	local curcontext=$curcontext command=top dashes row
	local -a table fields known running specs
	table=(${(f)"$(command topstacks help --candidates options 2>/dev/null)"})
	for row in $table; do
		fields=("${(@ps:\t:)row}")
		case $fields[2] in
		.) known+=("$fields[1]:$fields[7]") ;;
		--) running+=($fields[1]) ;;
		esac
	done
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
	for row in ${(M)table:#$command$'\t'*}; do
		fields=("${(@ps:\t:)row}")
		[[ $fields[2] == (.|--) ]] || _topstacks_specify "${(@)fields[2,-1]}"
	done
	curcontext="${curcontext%:*:*}:topstacks-$command:"
	_arguments -s -S : $specs
}

# An autoloaded script is called, a sourced one defines the completion.
if [[ $funcstack[1] == _topstacks ]]; then
	_topstacks "$@"
else
	compdef _topstacks topstacks
fi
