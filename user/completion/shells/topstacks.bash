# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash disable=SC2034
#
# Completions of topstacks for bash: topstacks help --completion bash.
#
# Options and candidates are asked of the topstacks that is found in $PATH. Nothing that it prints, that stands on
# the line, or that a file is called is ever expanded: it is compared, and given to readline.

# The names of all commands, and the values, options and operands of the one that is on the line.
_topstacks_table() {
	local row forms source many names
	local -a table
	mapfile -t table < <(command topstacks help --candidates options 2>/dev/null)
	for row in "${table[@]}"; do
		[[ $row == *$'\t.\t'* ]] && commands+=("${row%%$'\t'*}")
	done
	for row in "${commands[@]}"; do
		((${#words[@]} > 2)) && [[ ${words[1]} == "$row" ]] && command=$row first=2
	done
	for row in "${table[@]}"; do
		[[ $row == "$command"$'\t'* ]] || continue
		IFS=$'\t' read -r _ forms source many names _ <<<"$row"
		[[ $names != - ]] || names=''
		case $forms in
		-- | .) runs=${runs:-${forms#.}} ;;
		1) read -ra actions <<<"$names" ;;
		\*) [[ $source == none ]] || read -ra operands <<<"$source $many $names" ;;
		*)
			options+=("${forms% *}")
			[[ $forms == *' '* ]] && options+=("${forms#* }")
			[[ $source == none ]] && continue
			values[${forms% *}]="$source $many $names"
			values[${forms#* }]="$source $many $names"
			;;
		esac
	done
}

# The line up to the cursor, as words of a command that are still quoted; and where in COMP_WORDS each begins.
_topstacks_split() {
	local line=${COMP_LINE:0:COMP_POINT} piece i
	words=() places=()
	for ((i = 0; i <= COMP_CWORD; i++)); do
		piece=${COMP_WORDS[i]}
		if ((i == 0)) || [[ $line == [[:space:]]* ]]; then
			line=${line#"${line%%[![:space:]]*}"}
			places+=("$i") words+=('')
		fi
		((i < COMP_CWORD)) || piece=$line # without what follows the cursor
		words[${#words[@]} - 1]+=$piece
		line=${line#*"$piece"}
	done
}

# text: a word without its quotes. kept: how many characters of it readline leaves as they are.
_topstacks_unquote() {
	local raw=$1 quote='' before=0 char
	text='' kept=0
	while [[ $raw ]]; do
		char=${raw:0:1} raw=${raw:1}
		case $quote$char in
		\\ | \"\\)
			[[ $quote && $raw != [\"\$\`\\]* ]] && text+=\\
			text+=${raw:0:1} raw=${raw:1}
			;;
		\' | \") quote=$char before=$kept kept=${#text} ;;
		\'\' | \"\") quote='' kept=$before ;;
		[=:])
			text+=$char
			[[ $COMP_WORDBREAKS == *"$char"* ]] && kept=${#text}
			;;
		*) text+=$char ;;
		esac
	done
	return 0
}

# What follows in "$@" and begins as the word at the cursor does; before: what of that is not compared.
_topstacks_offer() {
	local before=$1 one
	shift
	for one; do
		[[ $one == "${text:${#before}}"* ]] && COMPREPLY+=("$before$one")
	done
	return 0
}

# Names of a kind. If there is a choice, each is shown with what it means; those are not for inserting.
_topstacks_ask() {
	local before=$1 kind=$2 name meaning line
	local -a names=() lines=()
	while IFS=$'\t' read -r name meaning; do
		[[ $name == "${text:${#before}}"* ]] || continue
		names+=("$before$name")
		lines+=("$before$name${meaning:+  (${meaning:0:50})}")
	done < <(command topstacks help --candidates "$kind" 2>/dev/null)
	if ((${#names[@]} > 1)) && [[ $COMP_TYPE != 37 && $COMP_TYPE != 42 ]]; then
		COMPREPLY+=("${lines[@]}")
	else
		COMPREPLY+=("${names[@]}")
	fi
}

# Paths that begin so, each ended by a zero byte; in a shell of its own, because of shopt.
_topstacks_paths() {
	local one
	shopt -s nullglob
	shopt -u failglob
	unset GLOBIGNORE
	set +f
	for one in "$1"*; do
		printf '%s\0' "$one"
	done
}

# Directories, and files that end so; or any, if no file does.
_topstacks_files() {
	local before=$1 one ending
	local -a all=() some=()
	shift
	while IFS= read -r -d '' one; do
		all+=("$before$one")
		if [[ -d $one ]]; then
			some+=("$before$one")
			continue
		fi
		for ending; do
			[[ $one == *".$ending" ]] && some+=("$before$one") && break
		done
	done < <(_topstacks_paths "${text:${#before}}")
	if (($# > 0 && ${#some[@]} > 0)); then
		all=("${some[@]}")
	fi
	COMPREPLY+=("${all[@]}")
	compopt -o filenames 2>/dev/null
}

_topstacks_directories() {
	local before=$1 one
	while IFS= read -r -d '' one; do
		[[ -d $one ]] && COMPREPLY+=("$before$one")
	done < <(_topstacks_paths "${text:${#before}}")
	compopt -o filenames 2>/dev/null
}

# A value that begins after so many characters of the word; SOURCE one|list WORDS... as in the table.
_topstacks_value() {
	local before=${text:0:$1} source=$2 many=$3
	shift 3
	[[ $many == list && ${text:${#before}} == *,* ]] && before=${text%,*},
	if [[ $source == [fd]* && ${text:${#before}} == '~'* ]]; then
		compopt -o default 2>/dev/null # readline knows homes
		return 0
	fi
	case $source in
	words) _topstacks_offer "$before" "$@" ;;
	asked) _topstacks_ask "$before" "$1" ;;
	files) _topstacks_files "$before" "$@" ;;
	directories) _topstacks_directories "$before" ;;
	esac
}

# Which option of these takes the word after it, or else the rest of this word, from character `from` on.
_topstacks_option() {
	local word=$1 letter i
	value=() from=0
	case $word in
	--*=*)
		letter=${word%%=*}
		read -ra value <<<"${values[$letter]}"
		from=$((${#letter} + 1))
		;;
	--*) read -ra value <<<"${values[$word]}" ;;
	-?*)
		for ((i = 1; i < ${#word}; i++)); do
			letter=-${word:i:1}
			read -ra value <<<"${values[$letter]}"
			((${#value[@]} == 0)) && continue
			((i + 1 < ${#word})) && from=$((i + 1))
			break
		done
		;;
	esac
}

# The program that is run: as if its name were the first word.
_topstacks_program() {
	local offset=${places[$1]} place=$1
	if declare -F _comp_command_offset >/dev/null; then
		_comp_command_offset "$offset"
	elif declare -F _command_offset >/dev/null; then
		_command_offset "$offset"
	elif ((place == ${#words[@]} - 1)) && [[ $text != *[!A-Za-z0-9._+-]* ]]; then
		mapfile -t COMPREPLY < <(compgen -c -- "$text")
	else
		compopt -o default 2>/dev/null
	fi
}

_topstacks() {
	local command=top text kept from runs='' i first=1 nr_operands=0
	local -a words places commands=() options=() actions=() operands=() value=()
	local -A values=()
	COMPREPLY=()
	_topstacks_split
	_topstacks_table
	_topstacks_unquote "${words[${#words[@]} - 1]}"
	for ((i = first; i < ${#words[@]} - 1; i++)); do
		if [[ ${words[i]} == -- && $runs ]]; then
			_topstacks_program $((i + 1))
			return
		elif [[ ${words[i]} == -?* ]]; then
			_topstacks_option "${words[i]}"
			((${#value[@]} > 0 && from == 0)) && ((i++))
		else
			((nr_operands++))
		fi
	done
	if ((i == ${#words[@]})); then
		_topstacks_value 0 "${value[@]}"
	else
		_topstacks_word
	fi
	for i in "${!COMPREPLY[@]}"; do
		COMPREPLY[i]=${COMPREPLY[i]:kept}
	done
}

# The word at the cursor, if it is no value of the option before it.
_topstacks_word() {
	_topstacks_option "$text"
	if ((${#value[@]} > 0 && from > 0)); then
		_topstacks_value "$from" "${value[@]}"
	elif [[ $text == -* ]]; then
		_topstacks_offer '' "${options[@]}"
	elif ((${#words[@]} == 2)); then
		_topstacks_offer '' "${commands[@]}"
	elif ((nr_operands == 0 && ${#actions[@]} > 0)); then
		_topstacks_offer '' "${actions[@]}"
	elif ((${#operands[@]} > 0)); then
		_topstacks_value 0 "${operands[@]}"
	fi
}

complete -F _topstacks topstacks
