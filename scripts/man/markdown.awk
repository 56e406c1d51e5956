# SPDX-License-Identifier: GPL-2.0-only
#
# A document for the web, as one for lowdown -tman: with the sections that manual pages have (NAME,
# SYNOPSIS, DESCRIPTION, SEE ALSO) where the document has none of its own, headings one level up, and links
# to other documents as references to their pages. A link to what is no page keeps its words alone.
#
#	awk -v document=record -v name=topstacks-record -v what='sample, and write a file' \
#		-f markdown.awk docs/pages docs/record.md

BEGIN { RS = "\n" }

NR == FNR {
	if ($1 !~ /^#/ && $3 != "=")
		pages[$1] = ($1 == "topstacks.1" ? "topstacks" : "topstacks-" $1) " " $2
	next
}

{ text = text $0 "\n" }

function reference(to,    words) {
	split(pages[to], words, " ")
	return "**" words[1] "**(" words[2] ")"
}

# "see exit codes" is the page's own name, for a reader; "the quality line" is not, nor is "these events".
function is_name(words, to, said) {
	if (said ~ /(^|[ \n(])([Tt]he|these|this|an?)[ \n]$/)
		return 0
	gsub(/`/, "", words)
	gsub(/[ \n]/, "-", words)
	sub(/\.md$/, "", words)
	return tolower(words) == to || words == "topstacks(1)"
}

function rewritten(words, to, said, after) {
	sub(/#.*/, "", to)
	sub(/\.md$/, "", to)
	if (!(to in pages) || to == document)
		return words
	named[to] = 1
	if (is_name(words, to, said))
		return reference(to)
	return words (said ~ /\($/ && after == ")" ? ": " reference(to) : " (" reference(to) ")")
}

function without_links(rest,    out, link, middle) {
	while (match(rest, /\[[^][]+\]\([^() \n]+\)/)) {
		link = substr(rest, RSTART, RLENGTH)
		middle = index(link, "](")
		if (link ~ /\]\(https?:/)
			out = out substr(rest, 1, RSTART + RLENGTH - 1)
		else
			out = out substr(rest, 1, RSTART - 1) \
				rewritten(substr(link, 2, middle - 2),
					  substr(link, middle + 2, length(link) - middle - 2),
					  substr(rest, 1, RSTART - 1), substr(rest, RSTART + RLENGTH, 1))
		rest = substr(rest, RSTART + RLENGTH)
	}
	return out rest
}

function print_see_also(    to, list, nr, i, j) {
	if (document == "topstacks.1")
		return
	named["topstacks.1"] = 1
	for (to in named)
		list[++nr] = to
	for (i = 1; i <= nr; i++)
		for (j = nr; j > i; j--)
			if (pages[list[j]] < pages[list[j - 1]]) {
				to = list[j]
				list[j] = list[j - 1]
				list[j - 1] = to
			}
	print "\n# See also\n"
	for (i = 1; i <= nr; i++)
		print reference(list[i]) (i < nr ? "," : "")
}

# The title becomes NAME; code right below it is the synopsis, and the rest up to a heading DESCRIPTION.
function print_beginning(lines,    i) {
	if (lines[3] ~ /^## Name/)
		return 2
	print "# Name\n\n" name " - " what "\n"
	for (i = 2; lines[i] == ""; i++)
		;
	if (lines[i] ~ /^    topstacks/) {
		print "# Synopsis\n"
		for (; lines[i] ~ /^    /; i++)
			print lines[i]
		for (; lines[i] == ""; i++)
			;
	}
	if (lines[i] !~ /^#/)
		print "\n# Description\n"
	return i
}

END {
	nr_lines = split(without_links(text), lines, "\n")
	for (i = print_beginning(lines); i <= nr_lines; i++) {
		if (lines[i] ~ /^```/)
			fenced = !fenced
		if (!fenced && lines[i] ~ /^# /)
			below_title = 1 # a second part: its sections are one level below it
		else if (!fenced && lines[i] ~ /^##/ && (!below_title || lines[i] ~ /^###/))
			sub(/^#/, "", lines[i])
		if (lines[i] ~ /^ *\|(-+\|)+$/)
			gsub(/-+/, "---", lines[i]) # lowdown wants three
		print lines[i]
	}
	print_see_also()
}
