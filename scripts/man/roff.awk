# SPDX-License-Identifier: GPL-2.0-only
#
# lowdown's -tman output, as manual pages look: section names in capitals, what one types in bold and with
# hyphens that can be pasted, options as tagged paragraphs, and tables and examples that fit 80 columns.

BEGIN {
	COLUMNS = 71 # of a terminal with 80, between the margins
	INDENT = 4   # of what is below a tag, and of examples
	GAP = 3	     # between the columns of a table
	SCREEN = 80  # what is shown without margins, where it is wider than a page's text
	# What goes on behind a backslash.
	COMMAND = "^ *((sudo|topstacks|\\./topstacks|make|docker|podman|jq) [^ ]|scripts/|[A-Z][A-Za-z]+=)"
}

{ lines[NR] = $0 }

# ---- text ----

# Characters as they are seen, of text with fonts and escapes; UTF-8 comes as bytes.
function width_of(text) {
	gsub(/\\f\([A-Z][A-Z]|\\f[A-Z]|\\&/, "", text)
	gsub(/\\\([a-z][a-z]|\\e|\\-/, "x", text)
	gsub(/[\200-\277]/, "", text)
	return length(text)
}

function longest_word(text,    words, nr, longest, i) {
	nr = split(text, words, " ")
	for (i = 1; i <= nr; i++)
		if (width_of(words[i]) > longest)
			longest = width_of(words[i])
	return longest + 0
}

function typed(text) {
	gsub(/-/, "\\-", text)
	gsub(/'/, "\\(aq", text)
	gsub(/`/, "\\(ga", text)
	gsub(/\^/, "\\(ha", text)
	gsub(/~/, "\\(ti", text)
	return text
}

# Names of pages in one piece, that they can be pasted.
function with_whole_names(text,    out) {
	while (match(text, /\\fBtopstacks-[a-z-]+\\fR\([1-9]\)/)) {
		out = out substr(text, 1, RSTART - 1) typed(substr(text, RSTART, RLENGTH))
		text = substr(text, RSTART + RLENGTH)
	}
	return out text
}

# Code in bold, as what one types. It may go on in the next line.
function with_bold_code(text,    out) {
	text = with_whole_names(text)
	gsub(/\\f\(C[RW]/, "\\fC", text)
	if (code_goes_on)
		text = "\\fC" text
	while (match(text, /\\fC[^\\]*(\\[^f][^\\]*)*\\f/)) {
		out = out substr(text, 1, RSTART - 1) "\\fB" typed(substr(text, RSTART + 3, RLENGTH - 5))
		text = substr(text, RSTART + RLENGTH - 2)
	}
	code_goes_on = match(text, /\\fC/)
	if (code_goes_on)
		return out substr(text, 1, RSTART - 1) "\\fB" typed(substr(text, RSTART + 3))
	return out text
}

function without_fonts(text) {
	gsub(/\\f\([A-Z][A-Z]|\\f[A-Z]/, "", text)
	return text
}

# ---- headings and paragraphs ----

function print_heading(macro, title) {
	title = without_fonts(title)
	print macro " " (macro == ".SH" ? toupper(title) : title)
	indent = 0
	is_after_heading = 1
}

# The line behind a paragraph that lowdown makes a tag, by going up again below it, or 0.
function end_of_tag(at) {
	while (++at <= NR && lines[at] !~ /^\./)
		;
	return lines[at] ~ /^\.if n/ && lines[at + 1] == ".sp -1v" ? at : 0
}

# Begins at the .LP; the place of the last line that was used.
function print_tag(at, end,    tag) {
	while (++at < end)
		tag = tag (tag == "" ? "" : " ") with_bold_code(lines[at])
	gsub(/\|/, "|\\:", tag) # a list of words may go on in the next line
	print ".TP " INDENT "\n" tag
	indent = INDENT
	while (lines[at] !~ /^\.IP/)
		at++
	return at
}

function print_paragraph(at,    end) {
	end = end_of_tag(at)
	if (end)
		return print_tag(at, end)
	if (!is_after_heading)
		print ".PP"
	indent = 0
	return at
}

# Of "1.  " lowdown leaves out the room.
function print_item(line) {
	if (sub(/^\.IP "[0-9]+\. *"$/, "&", line))
		sub(/ *"$/, "\" 4", line)
	if (line ~ /" [0-9]$/)
		indent = substr(line, length(line)) + 0
	print line
}

# ---- tables ----

function add_cell(row, column, text) {
	cell[row, column] = text
	amount[column] += width_of(text)
	if (width_of(text) >= natural[column])
		natural[column] = width_of(text) + !width_of(text)
	if (longest_word(text) > least[column])
		least[column] = longest_word(text)
	if (column > nr_columns)
		nr_columns = column
}

# Cells are T{, lines, and "T}|T{" between two of a row; the place of .TE.
function read_table(at,    column, text) {
	nr_rows = nr_columns = 0
	split("", natural)
	split("", least)
	split("", amount)
	split("", cell)
	for (; lines[at] != ".TE"; at++) {
		if (lines[at] ~ /^T\}/)
			add_cell(nr_rows, ++column, text)
		if (lines[at] == "T{") {
			nr_rows++
			column = 0
		}
		if (lines[at] ~ /T\{$/)
			text = ""
		else
			text = text (text == "" ? "" : " ") with_bold_code(lines[at])
	}
	return at
}

function fits_with(gap, sum) {
	return sum + gap * (nr_columns - 1) <= COLUMNS - indent
}

# Narrower where all cells fit with that in a line each, or else the longest words would not.
function find_gap(    i, words, cells) {
	for (i = 1; i <= nr_columns; i++) {
		words += least[i]
		cells += natural[i]
	}
	gap = fits_with(GAP - 1, cells) && !fits_with(GAP, cells) ? GAP - 1 : GAP
	while (gap > 1 && !fits_with(gap, words))
		gap--
	has_room = fits_with(gap, words)
}

# Of the columns that are left, one whose width is certain: its longest word takes its part of the room or
# more; or all of it takes less; or it has little, of which a word is long.
function certain_column(spare, left, all,    i) {
	for (i = 1; i <= nr_columns; i++)
		if (!width[i] && least[i] >= int(spare / left))
			return i
	for (i = 1; i <= nr_columns; i++)
		if (!width[i] && natural[i] <= spare / left)
			return i
	for (i = 1; i <= nr_columns; i++)
		if (!width[i] && least[i] >= int(spare * amount[i] / all))
			return i
	return 0
}

# All others share what is left, by how much text they have.
function find_widths(    i, spare, left, all, wanted) {
	find_gap()
	spare = COLUMNS - indent - gap * (nr_columns - 1)
	left = nr_columns
	for (i = 1; i <= nr_columns; i++) {
		width[i] = 0
		all += amount[i]
		wanted += natural[i]
	}
	fits = wanted <= spare
	for (; left && (i = certain_column(spare, left, all)); left--) {
		width[i] = natural[i] <= spare / left ? natural[i] : least[i]
		spare -= width[i]
		all -= amount[i]
	}
	widest = 1
	for (i = 1; i <= nr_columns; i++) {
		if (!width[i])
			width[i] = int(spare * amount[i] / all)
		if (natural[i] - width[i] > natural[widest] - width[widest])
			widest = i
	}
}

function is_block(row, column) {
	return !fits && (column == widest || width_of(cell[row, column]) > width[column])
}

function print_row(row,    i, line) {
	for (i = 1; i <= nr_columns; i++)
		line = line (i > 1 ? "\t" : "") \
			(is_block(row, i) ? "T{\n" cell[row, i] "\nT}" : cell[row, i])
	print line
}

# Lines of the longest cell, of a row on average; one long row does not make a table unreadable.
function lines_a_row(    row, i, longest, sum) {
	for (row = 2; row <= nr_rows; row++) {
		longest = 1
		for (i = 1; i <= nr_columns; i++)
			if (width_of(cell[row, i]) / width[i] > longest)
				longest = width_of(cell[row, i]) / width[i]
		sum += longest < 5 ? longest : 5
	}
	return sum / (nr_rows - 1)
}

# What would be columns of some letters: the first cell is a tag, and each other one a paragraph with its
# heading. An empty first cell is as the one above.
function print_list(    row, i) {
	for (row = 2; row <= nr_rows; row++) {
		if (cell[row, 1] != "" || row == 2)
			print ".TP " INDENT "\n" cell[row, 1]
		else
			print ".IP"
		for (i = 2; i <= nr_columns; i++)
			if (cell[row, i] != "")
				print (i > 2 ? ".br\n" : "") (nr_columns > 2 ? cell[1, i] ": " : "") cell[row, i]
	}
}

function print_columns(    i, row, format) {
	for (i = 1; i <= nr_columns; i++)
		format = format (i > 1 ? " " : "") \
			(fits ? "l" : i == widest && nr_columns == 2 ? "lx" : "lw(" width[i] "n)") \
			(i < nr_columns && gap < GAP ? gap : "")
	if (!is_after_heading) # a paragraph also ends a list before it
		print indent ? ".sp" : ".PP"
	print ".TS\ntab(\t);\n" format "."
	for (row = 1; row <= nr_rows; row++)
		print_row(row)
	print ".TE"
}

function print_table(at,    i) {
	at = read_table(at)
	find_widths()
	for (i = 1; i <= nr_columns; i++)
		cell[1, i] = cell[1, i] == "" ? "" : "\\fI" without_fonts(cell[1, i]) "\\fR"
	if (!has_room || nr_columns > 2 && nr_rows > 1 && lines_a_row() > 2.5)
		print_list()
	else
		print_columns()
	return at
}

# ---- examples: as they are, folded where a line is too long ----

# Between quotation marks, where a backslash at the end of a line would be one.
function is_quoted(line) {
	return gsub(/'/, "", line) % 2 || gsub(/\\\(dq/, "", line) % 2
}

# Where a line that is too long is cut: at a space, of a command rather before an option, or between the
# members of a JSON object. Where it goes on is in below: where its last column is prose, there.
function find_cut(line,    at, last, gap, column, first, option, step) {
	for (at = match(line, /[^ ]/); match(substr(line, at), / +[^ ]/); at += step) {
		step = RSTART + RLENGTH - 2
		first = first ? first : at + RSTART - 1
		if (width_of(substr(line, 1, at + RSTART - 2)) > limit - (is_command ? 2 : 0))
			break
		if (is_command && is_quoted(substr(line, 1, at + RSTART - 2)))
			continue
		last = at + RSTART - 1
		if (substr(line, last, 3) ~ /^ -[a-zA-Z-]/)
			option = last
		if (RLENGTH > 2) {
			gap = last
			column = width_of(substr(line, 1, at + RSTART + RLENGTH - 3))
		}
	}
	if (gap && column <= limit * 2 / 3 && last > gap)
		below = column
	else if (gap)
		last = gap
	if (last)
		return is_command && option > limit / 2 ? option : last
	return line ~ /^ *(\{|\\\(dq)/ ? find_member(line) : first
}

function find_member(line,    at, last) {
	for (at = 1; match(substr(line, at), /,(\{|\\\(dq)/); at += RSTART)
		if (width_of(substr(line, 1, at + RSTART - 1)) <= limit)
			last = at + RSTART
	return last
}

# What is said beside a command comes before it, where there is no room.
function print_folded(line,    cut, further_in) {
	is_command = line ~ COMMAND
	if (is_command && width_of(line) > limit && match(line, / +# [^\047"]*$/)) {
		print typed(substr(line, RSTART + index(substr(line, RSTART), "#") - 1))
		line = substr(line, 1, RSTART - 1)
	}
	match(line, /^ */)
	further_in = RLENGTH + INDENT
	below = 0
	while (width_of(line) > limit && (cut = find_cut(line))) {
		print typed(substr(line, 1, cut - 1)) (is_command ? " \\e" : "")
		line = substr(line, cut)
		sub(/^ +/, "", line)
		line = sprintf("%*s", below ? below : further_in, "") line
	}
	print typed(line)
}

# The longest line that is no command.
function widest_line(at,    widest, width) {
	for (; lines[at] != ".EE"; at++) {
		width = width_of(lines[at])
		if (lines[at] !~ COMMAND && width > widest)
			widest = width
	}
	return widest + 0
}

function print_example(at,    widest) {
	widest = widest_line(at + 1)
	limit = widest > COLUMNS ? SCREEN : COLUMNS
	if (!indent && !is_after_heading)
		print ".PP"
	if (limit > COLUMNS)
		print ".in 0"
	print ".EX"
	while (lines[++at] != ".EE")
		print_folded(lines[at])
	print ".EE"
	if (limit > COLUMNS)
		print ".in"
	return at
}

# ---- the page ----

function print_text(line) {
	print with_bold_code(line)
}

# The place of the last line that was used.
function print_from(at) {
	if (lines[at] ~ /^\.S[HS]$/) {
		print_heading(lines[at], lines[at + 1])
		return at + 1
	}
	if (lines[at] ~ /^\.[LP]P$/) {
		if (lines[at + 1] == ".EX")
			return at
		return print_paragraph(at)
	}
	if (lines[at] == ".EX")
		at = print_example(at)
	else if (lines[at] == ".TS")
		at = print_table(at)
	else if (lines[at] ~ /^\.IP/)
		print_item(lines[at])
	else
		print_text(lines[at])
	is_after_heading = 0
	return at
}

END {
	print "'\\\" t" # man runs tbl
	print ".\\\" Made from " source " by scripts/man/page."
	for (at = 2; at <= NR && lines[at] !~ /^\.TH/; at++)
		;
	print lines[at]
	print ".nr HY 0\n.nh\n.ad l" # names are to be found as they are; HY, as .EE asks it
	while (++at <= NR)
		at = print_from(at)
}
