#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A terminal's screen as a picture: text is text, whatever is in it, in the columns where it was; colours and styles
# are those of the sequences. The pictures of README.md are pictures, and name no machine.
. "$(dirname "$0")/lib.sh"

printf '%s\n' $'\e[1m%\e[0m   12.5 <b>&amp;</b> \e[38;5;196mred\e[39m' $'\e[7m row \e[27m\e[48;2;1;2;3mx\e[0m' '' >"$tmp/screen"
python3 -B "$root/scripts/screen-to-svg" --title 'a "screen" <x>' <"$tmp/screen" >"$out" 2>"$err"
python3 - "$out" "$root"/docs/pictures/*.svg <<'PYTHON' || fail 'see above'
import sys, xml.etree.ElementTree as tree
SVG = "{http://www.w3.org/2000/svg}"
root = tree.parse(sys.argv[1]).getroot()
assert root.get("aria-label") == 'a "screen" <x>', root.attrib
texts = {one.text.replace("\u00a0", " "): one for one in root.iter(SVG + "text")}
def cell(text):
    return (float(texts[text].get("x")) - 14) / 8, float(texts[text].get("textLength") or 0) / 8
assert cell("%") == (0, 1) and texts["%"].get("font-weight") == "bold", texts
assert cell("12.5 <b>&amp;</b>") == (4, 17), texts
assert cell("red") == (22, 3) and texts["red"].get("fill") == "#ff0000", texts
assert cell(" row ") == (0, 5) and texts[" row "].get("fill") == "#16191f", texts
assert {"#010203", "#d5d9e0"} <= {one.get("fill") for one in root.iter(SVG + "rect")}
assert not any(one.tag not in (SVG + "svg", SVG + "text", SVG + "rect", SVG + "circle") for one in root.iter())
for path in sys.argv[2:]:
    picture = "".join(tree.parse(path).getroot().itertext())
    assert "topstacks" in picture or "samples" in picture, path
    assert " UTC" not in picture, path  # the line of `report` that has it also has whose machine it was
PYTHON
pass
