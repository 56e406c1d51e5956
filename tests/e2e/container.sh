#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# In a container of podman, with the image of the Containerfile, six capabilities, a read-only root and the seccomp
# rules of Docker: the host's processes have names and whole stacks, and recordings are written into a volume.
# Kubernetes' manifest asks for the same.
. "$(dirname "$0")/lib.sh"
command -v podman >/dev/null || skip "no podman"

# crun refuses machines with both versions of cgroups mounted: in a mount namespace of our own there is one.
if mountpoint -q /sys/fs/cgroup/unified; then
	rm -rf "$tmp"
	exec unshare --mount bash -c 'umount /sys/fs/cgroup/unified && exec bash "$0"' "$0"
fi

mkdir "$tmp/storage" "$tmp/run" "$tmp/files"
export TMPDIR=$tmp
podman=(podman --root "$tmp/storage" --runroot "$tmp/run" --storage-driver vfs --cgroup-manager cgroupfs)

# The program as it is, with the libraries that it needs: none, if it is linked statically.
program=$build/static/topstacks
[ -x "$program" ] || program=$topstacks
mkdir -p "$tmp/context/libraries"
cp "$program" "$tmp/context/program"
{ ldd "$program" 2>/dev/null || true; } | sed -nE 's#.*(^|[ \t])(/[^ ]+) \(0x.*#\2#p' | while read -r file; do
	mkdir -p "$tmp/context/libraries$(dirname "$file")"
	cp -L "$file" "$tmp/context/libraries$file"
done
{ cat "$root/Containerfile" && echo "COPY libraries/ /"; } >"$tmp/Containerfile"
"${podman[@]}" build -q -f "$tmp/Containerfile" --build-arg PROGRAM=program -t topstacks "$tmp/context" >"$out" 2>"$err" ||
	fail "no image"

# Docker's rules of 23 and later are these, with two more; older ones of podman ask for CAP_SYS_ADMIN.
jq '.syscalls |= map(select(.action != "SCMP_ACT_ERRNO" or (.names | index("bpf") | not))) | .syscalls += [
	{names: ["bpf"], action: "SCMP_ACT_ALLOW", includes: {caps: ["CAP_BPF"]}},
	{names: ["perf_event_open"], action: "SCMP_ACT_ALLOW", includes: {caps: ["CAP_PERFMON"]}}]' \
	/usr/share/containers/seccomp.json >"$tmp/seccomp.json"

# What the document says, word by word.
flags=$(grep -oE -- '--pid=host.*CHECKPOINT_RESTORE' "$root/docs/containers.md" | sort -u)
[ "$(wc -l <<<"$flags")" -eq 1 ] || fail "the document has several sets of flags"
read -r -a flags <<<"$flags"

# run ARGUMENTS...: topstacks in a container. Limits: as far as who runs this test may raise them.
run() {
	status=0
	timeout --signal=KILL 60 "${podman[@]}" run --rm --network none --pids-limit 0 \
		--ulimit nofile="$(ulimit -Hn):$(ulimit -Hn)" --ulimit nproc=4096:4096 "${flags[@]}" --read-only \
		--security-opt seccomp="$tmp/seccomp.json" -v "$tmp/files:/recordings" topstacks "$@" \
		>"$out" 2>"$err" </dev/null || status=$?
}

run doctor
expect_status 0
grep -q 'topstacks can run here' "$out" || fail "it cannot run"

mkdir -m 700 "$tmp/private"
cp "$workloads/shares" "$tmp/private/"
chown nobody "$tmp/private" "$tmp/private/shares"
setpriv --reuid=nobody --clear-groups "$tmp/private/shares" 60 >"$tmp/workload" &
pid=$!
started+=("$pid")
wait_ready "$pid" "$tmp/workload"
run --json -p "$pid" -F 499 -d 2
expect_status 0
check <<'EOF_'
expect_at_least("named samples", run.count(lambda s: s.has("share_40")), run.counted // 5)
expect_at_least("whole stacks", run.whole, 0.9 * run.counted)
EOF_
run record -q -a -F 99 --rotate 1 --keep 2 -d 3.5 -o /recordings/
expect_status 0
[ "$(find "$tmp/files" -name 'topstacks-*.pb.gz' | wc -l)" -eq 2 ] || fail "not two files"
top report --format=folded "$tmp/files"
grep -q '^shares;.*;share_40' "$out" || fail "the recording does not tell"

# Without them the rules refuse the calls.
flags=(--pid=host --cap-drop ALL)
run -a -d 1
expect_status 3
expect_err 'a seccomp filter, as containers have, may forbid it|CAP_BPF and CAP_PERFMON are missing'

manifest=$root/dist/kubernetes/topstacks-record.yaml
unit=$(sed -n 's/^CapabilityBoundingSet=//; T; s/CAP_//g; s/ /, /g; p' "$root/dist/systemd/topstacks-record.service.in")
grep -qF "add: [$unit]" "$manifest" || fail "not the capabilities of the unit"
! grep -q 'privileged: true' "$manifest" || fail "privileged"
grep -q 'readOnlyRootFilesystem: true' "$manifest" || fail "a root that can be written"
pass
