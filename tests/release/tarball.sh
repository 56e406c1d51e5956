#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# From the tarball the program builds without git, in a place of any name, and is the one that this tree
# builds, byte for byte; so is the one without libraries. It is installed where one says.

set -eux -o pipefail
version=$(cat "$root/VERSION")
jobs=$(nproc)
make -s -C "$root" -j"$jobs" topstacks static man
"$root/scripts/dist" "$tmp/topstacks-$version.tar.gz"

mkdir -p "$tmp/bin"
printf '#!/bin/sh\necho "git was called: $*" >&2\nexit 1\n' >"$tmp/bin/git"
chmod 755 "$tmp/bin/git"
export PATH=$tmp/bin:$PATH
place=$tmp/quite-another-place/topstacks-$version
mkdir -p "$(dirname "$place")"
tar xzf "$tmp/topstacks-$version.tar.gz" -C "$(dirname "$place")"
make -s -C "$place" -j"$jobs" WERROR=1
make -s -C "$place" -j"$jobs" WERROR=1 STATIC=1
cmp "$root/build/release/topstacks" "$place/topstacks"
cmp "$root/build/release/libtopstacks-alloc.so" "$place/libtopstacks-alloc.so"
cmp "$root/build/release/static/topstacks" "$place/build/release/static/topstacks"

make -s -C "$place" install DESTDIR="$tmp/image" PREFIX=/usr
"$tmp/image/usr/bin/topstacks" --version | grep -cx "topstacks $version"
"$tmp/image/usr/bin/topstacks" record -a -d 0.3 -o "$tmp/run.pb.gz"
"$tmp/image/usr/bin/topstacks" report "$tmp/run.pb.gz"
make -s -C "$place" install STATIC=1 DESTDIR="$tmp/static" PREFIX=/usr
cmp "$place/build/release/static/topstacks" "$tmp/static/usr/bin/topstacks"
