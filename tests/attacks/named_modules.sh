#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A profile names files that are no programs: the kernel's log, devices, a FIFO. Who reports it with
# source lines does not read them, and does not wait for them.
. "$(dirname "$0")/lib.sh"

mkfifo "$den/fifo"
ln -s /proc/kmsg "$den/link"
python3 "$attacks/pprof.py" modules "$tmp/profile" /proc/kmsg /dev/zero /dev/kmsg /proc/self/maps \
	/sys/kernel/btf/vmlinux "$den/fifo" "$den/link"
limited 512 20 report --lines --format json -o /dev/null "$tmp/profile"
expect_status 0
expect_cpu 1000
strace -f -y -qq -o "$tmp/calls" -e trace=read,pread64,readv,preadv,mmap \
	"$topstacks" report --lines --format json -o /dev/null "$tmp/profile"
grep -q . "$tmp/calls" || fail "nothing was traced"
! grep -E '<(/proc/kmsg|/dev/|/proc/[0-9]+/maps|/sys/|'"$den"')' "$tmp/calls" || fail "read what is no program"
pass
