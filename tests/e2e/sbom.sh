#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# The list of what the static program consists of has a library if, and only if, its functions are in the
# program; with the version that is installed, and with all that SPDX 2.3 asks for.
. "$(dirname "$0")/lib.sh"

program=$build/static/topstacks
[ -e "$program" ] || skip 'there is no static program here: make static'
"$root/scripts/sbom" "$program" >"$out"
"$root/scripts/sbom" "$program" | cmp - "$out" || fail 'not the same each time'

nm "$program" | awk '$2 ~ /[TWt]/ { print $3 }' | sort -u >"$tmp/functions"
while read -r function package; do
	listed=$(jq --arg name "$package" '[.packages[] | select(.name == $name)] | length' "$out")
	there=$(grep -cx "$function" "$tmp/functions" || true)
	[ "$listed" -eq "$there" ] || fail "$function: $there in the program, $package: $listed in the list"
	[ "$there" -eq 0 ] || jq -r --arg name "$package" '.packages[] | select(.name == $name).versionInfo' "$out" |
		grep -Fx "$(dpkg-query -W -f '${Version}' "$package")" >/dev/null || fail "not the version of $package"
done <<-'EOF_'
	bpf_object__load libbpf-dev
	dwarf_begin_elf libdw-dev
	elf_begin libelf-dev
	gzread zlib1g-dev
	lzma_code liblzma-dev
	protobuf_c_message_pack libprotobuf-c-dev
	cplus_demangle_v3 libiberty-dev
	pt r-mathlib
	newterm libncurses-dev
	BZ2_bzDecompress libbz2-dev
	malloc libc6-dev
EOF_

jq -e '.spdxVersion == "SPDX-2.3" and .dataLicense == "CC0-1.0" and .SPDXID == "SPDXRef-DOCUMENT" and
	(.documentNamespace | test("^https://[^#]+$")) and
	(.creationInfo.created | test("^[0-9-]{10}T[0-9:]{8}Z$")) and (.creationInfo.creators | length > 0) and
	(.packages | length > 5) and ([.packages[].SPDXID] | length == (unique | length)) and
	all(.packages[]; (.SPDXID | test("^SPDXRef-[A-Za-z0-9.-]+$")) and .name and .downloadLocation and .licenseDeclared) and
	([.packages[].SPDXID, .SPDXID] | sort) == ([.relationships[] | .relatedSpdxElement, "SPDXRef-DOCUMENT"] | unique)' \
	"$out" >/dev/null || fail 'not what SPDX asks for'

# Without a package there is no licence to tell.
sed 's|^/[^ ]*/libz.a(|'"$tmp"'/libz.a(|' "$program.map" >"$tmp/program.map"
cp "$program" "$tmp/program"
echo own >"$tmp/libz.a"
"$root/scripts/sbom" "$tmp/program" |
	jq -e '.packages[] | select(.name == "libz.a") | .licenseDeclared == "NOASSERTION" and (.versionInfo | startswith("sha256:"))' >/dev/null ||
	fail 'a library of no package'
pass
