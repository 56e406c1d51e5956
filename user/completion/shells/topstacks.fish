# SPDX-License-Identifier: GPL-2.0-only
#
# Completions of topstacks for fish: topstacks help --completion fish.
#
# What is running is asked of the topstacks that is found in $PATH. fish takes lines of an answer as they are,
# and escapes what it inserts.

# Whether the word at the cursor may be a command.
function __topstacks_is_first
    test (count (commandline -opc)) -eq 1
end

# Prints the command that the line is of.
function __topstacks_command
    set -l words (commandline -opc)
    if contains -- "$words[2]" (__topstacks_commands)
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
