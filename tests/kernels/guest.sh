# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# To be sourced: an emulated machine (no KVM needed) that has topstacks, and tells what it found. Needs $tmp, a
# directory for its files, and $build.

# make_initramfs INIT: what is in $tmp/tree, with INIT as first process, topstacks, a shell, and the libraries of all.
make_initramfs() {
	local tree=$tmp/tree file
	mkdir -p "$tree"/{bin,dev,proc,sys}
	cp "$1" "$tree/init"
	cp "$(command -v busybox)" "$tree/bin/busybox"
	ln -s busybox "$tree/bin/sh"
	cp "$build/topstacks" "$tree/topstacks"
	{ find "$tree" -type f -perm -u+x -exec ldd {} + 2>/dev/null || true; } | # scripts need none
		grep -oE '/[^ ]+ \(0x' | cut -d' ' -f1 | sort -u |
		while read -r file; do
			mkdir -p "$tree$(dirname "$file")"
			cp -L "$file" "$tree$file"
		done
	chmod +x "$tree/init"
	(cd "$tree" && find . | cpio --quiet -o -H newc | gzip -1) >"$tmp/initramfs"
}

boot_once() {
	rm -rf "$tmp/out" "$tmp/archive"
	mkdir "$tmp/out"
	timeout --signal=KILL 300 qemu-system-x86_64 -accel tcg,thread=multi -smp "${2:-2}" -m "${3:-1024}" \
		-nodefaults -display none -no-reboot -kernel "$1" -initrd "$tmp/initramfs" \
		-append 'console=ttyS0 quiet panic=-1' \
		-serial "file:$tmp/console" -serial "file:$tmp/archive" </dev/null >"$tmp/emulator" 2>&1 &&
		tar xz -C "$tmp/out" -f "$tmp/archive" 2>/dev/null
}

# A kernel patches its code behind breakpoints. An emulated CPU may still meet one that another CPU has
# taken away, of which the kernel dies: no program can do that to it, and no machine does.
met_stale_breakpoint() {
	grep -qa 'int3: 0000 \[#1\]' "$tmp/console"
}

# boot IMAGE [CPUS [MEGABYTES]]: what the guest sends over its second serial line, an archive, appears in $tmp/out.
# Once more if the emulator failed.
boot() {
	boot_once "$@" && return
	if met_stale_breakpoint; then
		echo "     the kernel died of a breakpoint that the emulator remembered; once more"
		boot_once "$@" && return
	fi
	tail -n 40 "$tmp/emulator" "$tmp/console"
	return 1
}
