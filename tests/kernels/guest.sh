# shellcheck shell=bash
# SPDX-License-Identifier: GPL-2.0-only
#
# To be sourced: an emulated machine (no KVM needed) that has topstacks, and tells what it found. Needs $tmp, a
# directory for its files, and $build. $machine is x86_64 or aarch64, $files the directory below which its programs are.
# Where $own_time is set, the time of an aarch64 is the number of instructions that it has run: its timers are on time,
# however busy this machine is, and its CPUs take turns. Else it is ours. $parameters are the kernel's, beside ours,
# and $silence_limit is how long it may say nothing, in seconds.

machine=x86_64 files='' own_time='' parameters='' silence_limit=300

kernels=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# Beside a program's own path, as the loader of its machine would find them.
libraries_of() {
	if [ "$machine" = aarch64 ]; then
		qemu-aarch64 -L "$files" "$files/lib/ld-linux-aarch64.so.1" --list "$1"
	else
		ldd "$1"
	fi 2>/dev/null | grep -oE '/[^ ]+ \(0x' | cut -d' ' -f1
}

# make_initramfs INIT: what is in $tmp/tree, with INIT as first process, topstacks, a shell, and the libraries of all.
make_initramfs() {
	local tree=$tmp/tree file
	mkdir -p "$tree"/{bin,dev,proc,sys}
	cp "$1" "$tree/init"
	cp "$kernels/guest_life" "$tree/guest_life"
	cp "$files/bin/busybox" "$tree/bin/busybox"
	ln -s busybox "$tree/bin/sh"
	cp "$build/topstacks" "$tree/topstacks"
	find "$tree" -type f -perm -u+x | while read -r file; do libraries_of "$file"; done | grep -vF "$tree/" | sort -u |
		while read -r file; do
			file=${file#"$files"} # of its loader, the path is where it lies here
			mkdir -p "$tree$(dirname "$file")"
			cp -L "$files$file" "$tree$file"
		done
	chmod +x "$tree/init"
	(cd "$tree" && find . | cpio --quiet -o -H newc | gzip -1) >"$tmp/initramfs"
}

# The console has warnings, of the boot not much else. The emulator's timer may be late when the kernel checks
# that there is one, of which it dies (no_timer_check).
emulate_x86_64() {
	exec timeout --signal=KILL 2400 qemu-system-x86_64 -accel tcg,thread=multi -smp "${2:-2}" -m "${3:-1024}" \
		-nodefaults -display none -no-reboot -kernel "$1" -initrd "$tmp/initramfs" \
		-append "console=ttyS0 loglevel=5 no_timer_check softlockup_all_cpu_backtrace=1 panic=-1 $parameters" \
		-serial "file:$tmp/console" -serial "file:$tmp/archive"
}

emulate_aarch64() {
	local time=(-accel 'tcg,thread=multi')
	[ -z "$own_time" ] || time=(-accel 'tcg,thread=single' -icount 'shift=3,sleep=off')
	exec timeout --signal=KILL 2400 qemu-system-aarch64 -M virt,gic-version=3 -cpu max,pauth-impdef=on \
		"${time[@]}" -smp "${2:-2}" -m "${3:-1024}" \
		-nodefaults -display none -no-reboot -kernel "$1" -initrd "$tmp/initramfs" \
		-append "console=ttyAMA0 loglevel=5 panic=-1 $parameters" \
		-serial "file:$tmp/console" -chardev "file,id=archive,path=$tmp/archive" -device pci-serial,chardev=archive
}

emulate() (
	"emulate_$machine" "$@" </dev/null >"$tmp/emulator" 2>&1
)

lockup='soft lockup|rcu: .*self-detected stall'
trouble="$lockup|rcu:|BUG:|Oops|int3|Kernel panic"

# What is stuck stays so, and is not waited for; an emulator may also come to a stop. Each test says on the console when it
# begins, and takes a minute: how long all of them take is the affair of this machine.
end_stuck() {
	local age=0
	while sleep 2 && [ "$age" -lt "$silence_limit" ] && ! grep -qaE 'soft lockup' "$tmp/console" 2>/dev/null; do
		age=$(($(date +%s) - $(stat -c %Y "$tmp/console" 2>/dev/null || date +%s)))
	done
	[ "$age" -lt "$silence_limit" ] || touch "$tmp/stalled"
	sleep 5 # in which it says where
	kill "$1" 2>/dev/null
}

boot_once() {
	local emulator watcher status
	rm -rf "$tmp/out" "$tmp/archive" "$tmp/console" "$tmp/stalled"
	mkdir "$tmp/out"
	emulate "$@" &
	emulator=$!
	end_stuck "$emulator" &
	watcher=$!
	wait "$emulator" 2>/dev/null
	status=$?
	kill "$watcher" 2>/dev/null
	wait "$watcher" 2>/dev/null
	[ "$status" -eq 0 ] && tar xz -C "$tmp/out" -f "$tmp/archive" 2>/dev/null
}

# From where the kernel says that something is wrong.
console_of_trouble() {
	sed -nE "/$trouble/,\$p" "$tmp/console" | tr -d '\r'
}

# A kernel patches its code behind breakpoints. An emulated CPU may still meet one that another CPU has
# taken away, of which the kernel dies: no program can do that to it, and no machine does.
met_stale_breakpoint() {
	grep -qa 'int3: 0000 \[#1\]' "$tmp/console"
}

# A CPU that an emulator has let lose its timer or an interrupt waits for ever. Only if its stack is known, and
# nothing of ours is in any that is shown.
lost_interrupt() {
	grep -qaE "$lockup" "$tmp/console" && console_of_trouble | grep -q 'Call Trace:' &&
		! console_of_trouble | grep -vE 'topstacks test:|Modules linked in:' | grep -qE 'bpf|perf_'
}

why_once_more() {
	if met_stale_breakpoint; then
		echo "     the kernel died of a breakpoint that the emulator remembered; once more"
	elif [ -e "$tmp/stalled" ]; then
		echo "     the emulator stood still; once more"
	elif lost_interrupt; then
		echo "     a CPU of the emulator was stuck, with neither BPF nor perf in any stack; once more"
		console_of_trouble | head -n 40 | cut -c 1-200 | sed 's/^/     /'
	else
		return 1
	fi
}

show_boot() {
	tail -n 10 "$tmp/emulator"
	echo "the last test that began: $(grep -ao 'topstacks test: .*' "$tmp/console" | tail -n 1 | tr -d '\r')"
	if grep -qaE "$trouble" "$tmp/console"; then
		console_of_trouble | head -n 200
	else
		tail -n 40 "$tmp/console"
	fi
}

# boot IMAGE [CPUS [MEGABYTES]]: what the guest sends over its second serial line, an archive, appears in $tmp/out.
# Once more if the emulator failed.
boot() {
	boot_once "$@" && return
	why_once_more && boot_once "$@" && return
	show_boot
	return 1
}
