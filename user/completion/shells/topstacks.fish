# SPDX-License-Identifier: GPL-2.0-only
#
# Completions of topstacks for fish: topstacks help --completion fish.
#
# Options are asked for once, candidates whenever they are wanted, of the topstacks that is found in
# $PATH. fish takes lines of an answer as they are, and escapes what it inserts.

# fish may have made completions of the manual page, which is of all commands.
complete -c topstacks -e

# Whether the word at the cursor may be a command.
function __topstacks_is_first
    test (count (commandline -opc)) -eq 1
end

# Prints the command that the line is of.
function __topstacks_command
    set -l words (commandline -opc)
    if contains -- "$words[2]" $__topstacks_commands
        echo $words[2]
    else
        echo top
    end
end

# Whether options are those of this command.
function __topstacks_is --argument-names command
    not contains -- -- (commandline -opc)
    and contains -- $command (__topstacks_command)
end

# Whether it is this one, and a program stands after "--".
function __topstacks_runs --argument-names command
    contains -- -- (commandline -opc)
    and contains -- $command (__topstacks_command)
end

# Whether none of these words stands after the command.
function __topstacks_lacks
    set -l words (commandline -opc)
    for word in $words[3..]
        contains -- "$word" $argv
        and return 1
    end
    return 0
end

# Of the word at the cursor what belongs to the value of an option.
function __topstacks_token
    commandline -ct | string replace -r -- '^(--[a-z-]+=|-[A-Za-z](?=.))' ''
end

# Of a list what is before its last item.
function __topstacks_before --argument-names many
    test "$many" = list
    and __topstacks_token | string match -r -- '^.*,'
end

function __topstacks_words --argument-names many
    set -l before (__topstacks_before $many)
    printf '%s\n' "$before"$argv[2..]
end

# Names of a kind, with what they mean.
function __topstacks_ask --argument-names kind many
    set -l before (__topstacks_before $many)
    set -l lines (command topstacks help --candidates $kind 2>/dev/null)
    set -q lines[1]
    and printf '%s\n' "$before"$lines
end

# Directories, and files that end so ("/": none), or any if no file does; each ended by a zero byte.
function __topstacks_files
    set -l token (__topstacks_token | string collect)
    set -l start (string unescape -- "$token" | string collect)
    or set start "$token"
    if string match -q -- '~*' "$token"
        __fish_complete_suffix "$token" .$argv[1] | string join0
        return
    end
    set -l found
    set -l others
    for path in $start*
        # A tab would begin what a path means.
        string match -q -- '*'\t'*' $path
        and continue
        if test -d $path
            set -a found $path/
            continue
        end
        set -a others $path
        for ending in $argv
            if string match -q -- "*.$ending" $path
                set -a found $path
                break
            end
        end
    end
    if not set -q found[1]
        and not contains -- / $argv
        set found $others
    end
    set -q found[1]
    and string join0 -- $found
end

# What completes the program that is run, and its arguments.
function __topstacks_program
    set -l words (commandline -opc)
    set -l place (contains -i -- -- $words)
    set -l rest (string escape -- $words[(math $place + 1)..])
    complete -C (string join ' ' -- $rest (commandline -ct))
end

# The arguments with which complete offers values of a source.
function __topstacks_value --argument-names source many names
    switch $source
        case words
            printf '%s\n' -x -a "(__topstacks_words $many $names)"
        case asked
            printf '%s\n' -x -a "(__topstacks_ask $names $many)"
        case files
            if test "$names" = -
                printf '%s\n' -r -F
            else
                printf '%s\n' -x -a "(__topstacks_files $names | string split0)"
            end
        case directories
            printf '%s\n' -x -a '(__topstacks_files / | string split0)'
        case unknown
            printf '%s\n' -x
    end
end

# Tells fish of the program's commands, and of their options and operands.
set -g __topstacks_commands
complete -c topstacks -f
set -l first
for row in (command topstacks help --candidates options 2>/dev/null)
    set -l fields (string split \t -- $row)
    set -l command $fields[1]
    set -l condition "__topstacks_is $command"
    set -l value (__topstacks_value $fields[3] $fields[4] $fields[5])
    switch $fields[2]
        case .
            set -a __topstacks_commands $command
            set first
            complete -c topstacks -n __topstacks_is_first -a $command -d $fields[7]
        case --
            complete -c topstacks -n "__topstacks_runs $command" -a '(__topstacks_program)'
        case 1
            set first $fields[5]
            complete -c topstacks -n "$condition; and __topstacks_lacks $first" -a $first
        case '\*'
            set -q first[1]
            and set condition "$condition; and not __topstacks_lacks $first"
            set -q value[2]
            and complete -c topstacks -n $condition $value
        case '*'
            for form in (string split ' ' -- $fields[2])
                if string match -q -- '--*' $form
                    set -a value -l (string sub -s 3 -- $form)
                else
                    set -a value -s (string sub -s 2 -- $form)
                end
            end
            complete -c topstacks -n $condition $value -d $fields[7]
    end
end
