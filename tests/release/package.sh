#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Debian's package builds in a clean copy, and lintian has no objection; it is installed, used, upgraded and
# purged, and nothing stays behind. All that is installed is so in a layer over this machine, which has
# the libraries and keeps none of it.

set -eux -o pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
version=$(cat "$root/VERSION")
if [ -z "${in_namespace-}" ]; then
	"$root/scripts/install-deps" build release
	in_namespace=1 exec unshare --mount bash "$0"
fi

mount -t tmpfs none "$tmp"
mkdir "$tmp"/{upper,work,machine}
"$root/scripts/dist" "$tmp/topstacks-$version.tar.gz"
tar xzf "$tmp/topstacks-$version.tar.gz" -C "$tmp"
cd "$tmp/topstacks-$version"
DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage -us -uc -b
package=$tmp/topstacks_${version}_amd64.deb
[ -f "$package" ] && [ -f "$tmp/topstacks-dbgsym_${version}_amd64.deb" ]
dpkg-deb -x "$package" "$tmp/image"
# Manual pages come with make install, where it has any.
allowed=()
[ -d "$tmp/image/usr/share/man" ] || allowed=(--suppress-tags no-manual-page)
lintian --fail-on error,warning --tag-display-limit 0 --allow-root "${allowed[@]}" "$tmp"/*.changes

# Hardened: independent of its address, with guarded stacks, and nothing to write to after its start.
readelf -hW "$tmp/image/usr/bin/topstacks" | grep -c 'DYN'
readelf -dW "$tmp/image/usr/bin/topstacks" | grep -c BIND_NOW
readelf -lW "$tmp/image/usr/bin/topstacks" | grep -c GNU_RELRO
readelf -sW --dyn-syms "$tmp/image/usr/bin/topstacks" | grep -c __stack_chk_fail
# Nobody gets rights by installing it, and nothing is started; what runs is stopped when it goes.
dpkg-deb -e "$package" "$tmp/scripts"
! grep -E 'setcap|chmod|chown|adduser|deb-systemd-invoke (re)?start' "$tmp/scripts/postinst" || exit 1
grep -q 'deb-systemd-invoke stop' "$tmp/scripts/prerm"
[ -z "$(find "$tmp/image" -perm /6000)" ] && [ -z "$(getcap -r "$tmp/image")" ]

# The next one, which has another number and is else the same.
dpkg-deb -R "$package" "$tmp/next"
sed -i "s/^Version: .*/Version: $version+next/" "$tmp/next/DEBIAN/control"
dpkg-deb --root-owner-group -b "$tmp/next" "$tmp/next.deb"

mount -t overlay overlay -o "lowerdir=/,upperdir=$tmp/upper,workdir=$tmp/work" "$tmp/machine"
cp "$package" "$tmp/next.deb" "$tmp/machine/"
cp -r debian/tests "$tmp/machine/tests"
for each in proc sys dev; do
	mount --rbind "/$each" "$tmp/machine/$each"
done
chroot "$tmp/machine" bash -eux -o pipefail <<-'MACHINE'
	installed() { dpkg-query -W -f '${db:Status-Status} ${Version}\n' topstacks; }
	rm -f /usr/local/bin/topstacks
	dpkg -i /topstacks_*.deb
	dpkg -L topstacks >/files
	[ "$(command -v topstacks)" = /usr/bin/topstacks ]
	/tests/report
	/tests/doctor
	[ -f /lib/systemd/system/topstacks-record.service ]
	[ ! -e /etc/systemd/system/multi-user.target.wants/topstacks-record.service ]
	topstacks record -a -d 0.3 -o /run.pb.gz
	topstacks report /run.pb.gz
	dpkg -i /next.deb
	[[ $(installed) == 'installed '*+next ]]
	/tests/report
	dpkg --purge topstacks
	! installed || exit 1
	while read -r file; do
		[ ! -e "$file" ] || [ -d "$file" ] || exit 1
	done </files
	! ls -d /usr/share/doc/topstacks || exit 1
MACHINE
