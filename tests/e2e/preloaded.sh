#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
# Programs print and end the same whether the library that samples what they allocate is preloaded or not, with any mean,
# any allocator and either C library. Nobody listens to its probes here. What the file is made of: no constructor,
# nothing that an older C library lacks, and a probe's instruction that the kernel can take.
. "$(dirname "$0")/lib.sh"
library=$build/libtopstacks-alloc.so

# with EVERY COMMAND...: preloaded, behind others.
others=
with() {
	env LD_PRELOAD="${others:+$others:}$library" TOPSTACKS_ALLOC_EVERY="$1" "${@:2}"
}

# same COMMAND...: with any mean as it is without, in all that is to be seen.
same() {
	local every status=0 other
	env ${others:+LD_PRELOAD="$others"} "$@" >"$tmp/without" 2>"$tmp/without.err" || status=$?
	for every in 1 100 524288 nonsense; do
		other=0
		with "$every" "$@" >"$out" 2>"$err" || other=$?
		[ "$other" -eq "$status" ] || fail "every $every: ends with $other instead of $status: $*"
		cmp "$out" "$tmp/without" || fail "every $every: prints otherwise: $*"
		cmp "$err" "$tmp/without.err" || fail "every $every: complains otherwise: $*"
	done
}

# ---- programs ----

same "$workloads/blocks"
[ "$(sed -n 2p "$out")" = 'children 10, executed 0' ] || fail "what the workload is for"
same sh -c 'echo $((6 * 7)) | tr 4 5; exit 3'
same sh -c 'sh -c "kill -TERM \$\$"; echo $?'
seq 200000 | awk '{ print ($1 * 7919) % 200003 }' >"$tmp/numbers"
same sort --parallel=4 -S 1M -n "$tmp/numbers"
same perl -e 'my %h; $h{$_ % 9973} .= $_ for 1 .. 100000; print length(join ",", map { $h{$_} } sort keys %h), "\n"'
same awk '{ count[$1 % 100]++ } END { for (i = 0; i < 100; i++) print count[i] }' "$tmp/numbers"
same python3 -c '
import json, os, subprocess, threading
tables = []
def fill():
    tables.append({str(i): "x" * (i % 300) for i in range(20000)})
threads = [threading.Thread(target=fill) for _ in range(4)]
for each in threads: each.start()
for each in threads: each.join()
print(len(json.dumps(tables)))
for _ in range(5):
    if os.fork() == 0: os._exit(len(bytearray(1000000)) and 0)
    print(os.wait()[1])
print(subprocess.run(["sh", "-c", "exit 5"]).returncode)
print(os.waitpid(os.posix_spawn("/bin/true", ["true"], os.environ), 0)[1])
'
printf 'int main(void) { return 42; }\n' >"$tmp/program.c"
same gcc -O2 -S -o - "$tmp/program.c"

# ---- allocators and C libraries ----

for allocator in libjemalloc.so.2 libtcmalloc_minimal.so.4; do
	if ldconfig -p | grep -q "$allocator"; then
		others=$allocator
		same "$workloads/blocks"
		others=
		gcc -O1 -pthread -D_GNU_SOURCE -o "$tmp/linked" "$root/tests/workloads/blocks.c" -Wl,--no-as-needed -l":$allocator" &&
			same "$tmp/linked"
	fi
done
if command -v musl-gcc >/dev/null; then
	musl-gcc -O1 -D_GNU_SOURCE -fno-builtin -o "$tmp/musl" "$root/tests/workloads/blocks.c"
	same "$tmp/musl"
fi

# ---- who has it ----

# mapped COMMAND...: how often /proc/self/maps that the command prints names the library.
mapped() {
	with 524288 "$@" | grep -c libtopstacks-alloc || true
}
[ "$(mapped cat /proc/self/maps)" -gt 0 ] || fail "it is not preloaded at all"
[ "$(mapped sh -c '/bin/cat /proc/self/maps')" -gt 0 ] || fail "what the command executes does not have it"
export TOPSTACKS_ALLOC_ALONE=1
[ "$(mapped sh -c '/bin/cat /proc/self/maps; true')" -eq 0 ] || fail "what the command executes has it, too"
[ "$(mapped cat /proc/self/maps)" -gt 0 ] || fail "the command itself does not have it"
with 1 sh -c 'env; true' >"$out"
! grep -E '^(LD_PRELOAD|TOPSTACKS_)' "$out" || fail "left behind"
others=$tmp/first.so
gcc -shared -fPIC -o "$tmp/first.so" -x c /dev/null
with 1 sh -c 'env; true' >"$out"
[ "$(grep LD_PRELOAD "$out")" = "LD_PRELOAD=$tmp/first.so" ] || fail "not as the user had it"
others=
unset TOPSTACKS_ALLOC_ALONE
# Whoever has rights of its file takes nothing from its environment.
if [ "$(id -u)" -eq 0 ] && ! findmnt -no OPTIONS -T "$tmp" | grep -qw nosuid; then
	cp "$(command -v cat)" "$tmp/privileged"
	chmod 4755 "$tmp/privileged"
	with 1 setpriv --reuid=65534 --clear-groups "$tmp/privileged" /proc/self/maps >"$out" 2>"$err"
	expect_silent
	! grep -q libtopstacks-alloc "$out" || fail "a program with rights of its own has it"
fi

# ---- the file ----

newest=$(objdump -T "$library" | grep -oE 'GLIBC_[0-9.]+' | sed 's/GLIBC_//' | sort -V | tail -n 1)
[ "$(printf '%s\n2.17\n' "$newest" | sort -V | tail -n 1)" = 2.17 ] || fail "needs glibc $newest"
! readelf -dW "$library" | grep -E '\((INIT|PREINIT)' || fail "has constructors"
! readelf -dW "$library" | grep TEXTREL || fail "writes to its code"
! readelf -lW "$library" | grep -E ' RWE ' || fail "has memory to write to and to execute"
readelf -dW "$library" | grep -q BIND_NOW || fail "looks functions up later"
objdump -T "$library" | awk '$2 == "g" { print $NF }' | sort >"$out"
diff "$out" - <<-'SYMBOLS' || fail "offers something else"
	aligned_alloc
	calloc
	cfree
	free
	malloc
	memalign
	posix_memalign
	pvalloc
	realloc
	reallocarray
	valloc
SYMBOLS
case $(uname -m) in
x86_64) registers='%rdi %rsi %rdx %rcx %r8' nop=90 vectors='%[xyz]mm|%st' ;;
aarch64) registers='x0 x1 x2 x3 x4' nop=d503201f vectors='[[:space:]]\{?[qdsvz][0-9]+[,.}]' ;;
esac
read -r -a register <<<"$registers"
readelf -nW "$library" | awk '/Provider:/ { provider = $NF } /Name:/ { name = $NF } /Arguments:/ { sub(/ *Arguments: */, ""); print provider ":" name, $0 }' >"$out"
diff -Z "$out" - <<-NOTES || fail "other probes"
	topstacks:begins
	otel_memory:alloc 8@${register[0]} 8@${register[1]} 8@${register[2]} 8@${register[3]} 8@${register[4]}
	topstacks:ends 8@${register[0]}
	otel_memory:free 8@${register[0]} 8@${register[1]}
NOTES
for place in $(readelf -nW "$library" | sed -nE 's/.*Location: (0x[0-9a-f]+), .*/\1/p'); do
	objdump -d "$library" --start-address="$place" --stop-address=$((place + 4)) | grep -m 1 -E "^ .*:\s$nop\s+nop" >"$out" ||
		fail "no instruction of one byte at $place"
done
! objdump -d --no-show-raw-insn "$library" | grep -E "$vectors" || fail "touches registers of vectors"

echo "ns for a malloc and a free: $("$workloads/blocks" time) without, $(with 524288 "$workloads/blocks" time) with it"
pass
