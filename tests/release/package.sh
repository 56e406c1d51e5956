#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Debian's packages build in a clean copy, and lintian has no objection; they are installed, used, upgraded and
# purged, and nothing stays behind. What samples needs no library of a network. All that is installed is so in a layer over this machine, which has
# the libraries and keeps none of it.

set -eux -o pipefail
export DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8
version=$(cat "$root/VERSION")
if [ -z "${in_namespace-}" ]; then
	"$root/scripts/install-deps" build fleet release
	in_namespace=1 exec unshare --mount bash "$0"
fi

mount -t tmpfs none "$tmp"
mkdir "$tmp"/{upper,work,machine}
"$root/scripts/dist" "$tmp/topstacks-$version.tar.gz"
tar xzf "$tmp/topstacks-$version.tar.gz" -C "$tmp"
cd "$tmp/topstacks-$version"
DEB_BUILD_OPTIONS=parallel=$(nproc) dpkg-buildpackage -us -uc -b
package=$tmp/topstacks_${version}_amd64.deb
fleet=$tmp/topstacks-fleet_${version}_amd64.deb
[ -f "$package" ] && [ -f "$tmp/topstacks-dbgsym_${version}_amd64.deb" ] && [ -f "$fleet" ]
dpkg-deb -x "$package" "$tmp/image"
dpkg-deb -x "$fleet" "$tmp/fleet"
# Manual pages come with make install, where it has any.
allowed=()
[ -d "$tmp/image/usr/share/man" ] || allowed=(--suppress-tags no-manual-page)
lintian --fail-on error,warning --tag-display-limit 0 --allow-root "${allowed[@]}" "$tmp"/*.changes

# Hardened: independent of its address, with guarded stacks, and nothing to write to after its start.
for each in image/usr/bin/topstacks fleet/usr/bin/topstacks-push fleet/usr/libexec/topstacks/topstacks-front; do
	readelf -hW "$tmp/$each" | grep -c 'DYN'
	readelf -dW "$tmp/$each" | grep -c BIND_NOW
	readelf -lW "$tmp/$each" | grep -c GNU_RELRO
	readelf -sW --dyn-syms "$tmp/$each" | grep -c __stack_chk_fail
done
# What is preloaded into programs of others is for their loaders to read.
[ "$(stat -c %a "$tmp/image/usr/lib/topstacks/libtopstacks-alloc.so")" = 644 ]
# What speaks to networks is in a package of its own, with its libraries.
! { dpkg-deb -f "$package" Depends && readelf -dW "$tmp/image/usr/bin/topstacks"; } |
	grep -E 'curl|gnutls|microhttpd' || exit 1
dpkg-deb -f "$fleet" Depends | grep curl | grep gnutls | grep -c microhttpd
# Nobody gets rights by installing it, and nothing is started; what runs is stopped when it goes.
dpkg-deb -e "$package" "$tmp/scripts"
! grep -E 'setcap|chmod|chown|adduser|deb-systemd-invoke (re)?start' "$tmp/scripts/postinst" || exit 1
grep -q 'deb-systemd-invoke stop' "$tmp/scripts/prerm"
dpkg-deb -e "$fleet" "$tmp/fleet-scripts"
! grep -E 'setcap|chmod|chown|deb-systemd-invoke (re)?start' "$tmp/fleet-scripts/postinst" || exit 1
grep -q 'deb-systemd-invoke stop' "$tmp/fleet-scripts/prerm"
[ -z "$(find "$tmp/image" "$tmp/fleet" -perm /6000)" ] && [ -z "$(getcap -r "$tmp/image" "$tmp/fleet")" ]

# The next ones, which have another number and are else the same.
for each in "$package" "$fleet"; do
	rm -rf "$tmp/next"
	dpkg-deb -R "$each" "$tmp/next"
	sed -i "s/^Version: .*/Version: $version+next/; s/(= $version)/(= $version+next)/" "$tmp/next/DEBIAN/control"
	name=${each##*/}
	dpkg-deb --root-owner-group -b "$tmp/next" "$tmp/next-${name%%_*}.deb"
done

mount -t overlay overlay -o "lowerdir=/,upperdir=$tmp/upper,workdir=$tmp/work" "$tmp/machine"
cp "$package" "$fleet" "$tmp"/next-*.deb "$tmp/machine/"
cp -r debian/tests "$tmp/machine/tests"
for each in proc sys dev; do
	mount --rbind "/$each" "$tmp/machine/$each"
done
chroot "$tmp/machine" bash -eux -o pipefail <<-'MACHINE'
	installed() { dpkg-query -W -f '${db:Status-Status} ${Version}\n' topstacks; }
	rm -f /usr/local/bin/topstacks
	dpkg -i /topstacks_*.deb
	dpkg -i /topstacks-fleet_*.deb
	dpkg -L topstacks topstacks-fleet >/files
	[ "$(command -v topstacks)" = /usr/bin/topstacks ]
	/tests/report
	/tests/doctor
	[ -f /lib/systemd/system/topstacks-record.service ]
	[ ! -e /etc/systemd/system/multi-user.target.wants/topstacks-record.service ]
	topstacks record -a -d 0.3 -o /run.pb.gz
	topstacks report /run.pb.gz
	id topstacks
	for each in serve push; do
		[ -f /lib/systemd/system/topstacks-$each.service ]
		[ ! -e /etc/systemd/system/multi-user.target.wants/topstacks-$each.service ]
	done
	topstacks-push --version
	topstacks serve --listen unix:/serve.sock --slice 1 &
	serve=$!
	for ((tries = 0; tries < 200; tries++)); do
		! topstacks last --socket /serve.sock || break
		sleep 0.1
	done
	[ "$tries" -lt 200 ]
	kill -INT $serve
	wait $serve
	dpkg -i /next-*.deb
	[[ $(installed) == 'installed '*+next ]]
	/tests/report
	dpkg --purge topstacks-fleet topstacks
	! installed || exit 1
	while read -r file; do
		[ ! -e "$file" ] || [ -d "$file" ] || exit 1
	done </files
	! ls -d /usr/share/doc/topstacks || exit 1
MACHINE
