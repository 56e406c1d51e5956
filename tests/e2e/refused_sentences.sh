#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# A call that the kernel refuses ends a run in one sentence, which names what was refused and how; or the run goes on.
. "$(dirname "$0")/lib.sh"

command -v strace >/dev/null || skip 'no strace'
start shares 250

# trace FLAGS... : of the program with the arguments in run, into $tmp/calls.
trace() {
	asked=$*
	status=0
	timeout --signal=KILL 60 strace -qq -s 300 -o "$tmp/calls" "$@" "$topstacks" "${run[@]}" >"$out" 2>"$err" </dev/null ||
		status=$?
}

# refuse CALL ERRNO[,TIMES] PATTERN [NTH]: the NTH call of the main thread whose line matches, and TIMES - 1 after it. Sets
# status.
refuse() {
	local call=$1 errno=${2%,*} times=1 number
	[[ $2 != *,* ]] || times=${2#*,}
	trace -e "trace=$call"
	number=$(grep "^$call(" "$tmp/calls" | grep -nE -- "$3" | sed -n "${4:-1}s/:.*//p") || fail "no such call: $*"
	trace -e "trace=$call" -e "inject=$call:error=$errno:when=$number..$((number + times - 1))"
	sed -n '/INJECTED/{p;q}' "$tmp/calls" | grep -E -- "$3" >/dev/null || fail "another call was refused: $*"
}

# refuse_anywhere CALL ERRNO WHEN: those calls of each process, the helpers among them. Sets status.
refuse_anywhere() {
	trace -f -e "trace=$1" -e "inject=$1:error=$2:when=$3"
	grep -q INJECTED "$tmp/calls" || fail "no such call: $*"
}

# blames WORDS: a file is not read for that reason, and for no other.
blames() {
	[ "$status" -eq 0 ] || fail "exit status $status: $asked"
	expect_err "not readable: .*: $1"
	! grep -vE ": $1" "$err" || fail "another reason"
}

# says STATUS WORDS: one sentence.
says() {
	[ "$status" -eq "$1" ] || fail "exit status $status, expected $1: $asked"
	expect_err "^topstacks: $2"
	[ "$(wc -l <"$err")" = 1 ] || fail "more than a sentence"
}

# goes_on: samples are there all the same.
goes_on() {
	expect_status 0
	check <<-'PYTHON'
		expect_at_least("samples", run.counted, 10)
		expect_eq("lost", run.lost, 0)
	PYTHON
}

run=(--json -p "$pid" -F 999 -d 0.3 --once)

# What only starts without interpreters need is done without.
refuse bpf EPERM,2 'MAP_CREATE.*map_name="taking_over"'
goes_on
# Maps are tried again without BTF, and programs with a log: the second refusal counts.
refuse bpf EPERM,2 'MAP_CREATE.*map_name="targets"'
says 3 'cannot make the BPF map targets: operation not permitted; '
refuse bpf ENOMEM,2 'MAP_CREATE.*map_name="targets"'
says 4 'cannot make the BPF map targets: cannot allocate memory; '
refuse bpf EPERM,2 'PROG_LOAD.*prog_name="on_cpu_unwind"'
says 3 'cannot load the BPF program on_cpu_unwind: operation not permitted; '
refuse bpf ENOMEM,2 'PROG_LOAD.*prog_name="on_exit"'
says 4 'cannot load the BPF program on_exit: cannot allocate memory; '
refuse bpf EINVAL,2 'PROG_LOAD.*prog_name="on_exit"'
says 3 'cannot load the BPF program on_exit: invalid argument; '

# A smaller program is loaded where the verifier refuses the one that samples; if none helps, the first is told of.
refuse bpf EINVAL,2 'PROG_LOAD.*prog_name="on_cpu_unwind"'
goes_on
refuse bpf EINVAL,999 'PROG_LOAD.*prog_name="on_cpu_unwind"'
says 3 'cannot load the BPF program on_cpu_unwind: invalid argument; '

# The kernel's verifier asks for another try while a signal waits (libbpf does, five times).
refuse bpf EAGAIN,4 'PROG_LOAD.*prog_name="on_exit"'
goes_on

# What libbpf tries first, and goes on without.
refuse bpf EPERM 'BTF_LOAD' 2 # the first is of a try of our own; programs without callbacks need none
goes_on
refuse bpf EPERM 'MAP_CREATE.*map_name="libbpf_global"'
says 3 'cannot load the BPF programs: the kernel refused a map of variables, '

# What a load needs before.
refuse memfd_create EPERM '"kernel types"'
says 3 'cannot make a file in memory for the types of BPF programs: operation not permitted; '
refuse openat EACCES '/sys/kernel/btf/vmlinux.*= [0-9]+$|/sys/kernel/btf/vmlinux.*INJECTED'
says 3 'cannot read /sys/kernel/btf/vmlinux: permission denied; '

# Threads and processes.
refuse_anywhere clone3 EPERM 7
says 3 'cannot start the thread that writes the output: operation not permitted'
refuse_anywhere clone3 EAGAIN 7
says 4 'cannot start the thread that writes the output: too many threads, or no memory for another one; raise the limit'
refuse_anywhere clone EPERM 1
says 3 'cannot start the processes that open and read files for us: operation not permitted'
refuse_anywhere fcntl EMFILE 1
says 4 'cannot start the processes that open and read files for us: no descriptor is left; raise the limit'
refuse_anywhere dup2 EPERM 1
says 3 'cannot start the processes that open and read files for us: operation not permitted'

refuse_anywhere seccomp ENOMEM 1
says 4 'cannot take rights and system calls from the processes that open and read files for us: cannot allocate memory'
refuse_anywhere seccomp ENOSYS 1
says 4 'cannot take rights and system calls from the processes that open and read files for us: function not implemented; topstacks needs a kernel that'

# What says nothing of a file, of which it is said that it is not read.
refused='a system call that it takes is not permitted'
refuse_anywhere clone EPERM 3 # the first two are of the processes that start others
blames "$refused"
refuse_anywhere newfstatat,fstat EPERM 1
blames "$refused"
refuse_anywhere newfstatat,fstat ENOMEM 1
blames 'the kernel has no memory for it'
refuse_anywhere statx EPERM 1..99
blames "$refused"
refuse_anywhere fstatfs EPERM 1..99
blames "$refused"
refuse fcntl EMFILE F_ADD_SEALS
blames 'no descriptor is left'

# CPUs.
trace -P /sys/devices/system/cpu/possible -e trace=openat -e inject=openat:error=ENOENT
says 3 'cannot count the CPUs: no such file or directory'
refuse perf_event_open "ENODEV,$(getconf _NPROCESSORS_ONLN)" CPU_CLOCK
says 3 'cannot open perf events: no such device; '

# A directory that is there is not to blame.
run=(serve -p "$pid" --listen "unix:$tmp/socket")
refuse socket EMFILE AF_UNIX
says 3 'cannot listen on .*: too many open files'

# A link that is refused is not one that the kernel does not know.
run=(--json -e 'cpu,page-faults' -p "$pid" -F 999 -d 0.3 --once)
refuse bpf EPERM 'LINK_CREATE.*BPF_PERF_EVENT'
says 3 'cannot use BPF perf links: operation not permitted; '
run=(--json -e alloc -d 0.3 --once -- "$workloads/shares" 1)
refuse bpf ENOMEM 'LINK_CREATE.*BPF_PERF_EVENT'
says 125 'cannot use BPF perf links: cannot allocate memory; '

pass
