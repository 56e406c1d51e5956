# SPDX-License-Identifier: GPL-2.0-only
#
# topstacks: the build file. Everything but ./topstacks and manual pages is made below $(BUILD). What is
# installed, and where, is in scripts/install.mk.

VERSION := $(file <VERSION)

VARIANT := release
ifneq ($(DEBUG),)
VARIANT := debug
endif
ifneq ($(SANITIZE),)
VARIANT := $(if $(filter thread,$(SANITIZE)),thread,sanitize)
endif
ifneq ($(FUZZ)$(filter fuzz,$(MAKECMDGOALS)),)
VARIANT := fuzz
CC      := clang
endif
ifneq ($(CROSS),)
VARIANT := $(CROSS)
endif

BUILD  ?= build/$(VARIANT)
# Where the tree lies must not be in what is built, in DWARF and in BTF neither.
NO_PLACES := '-ffile-prefix-map=$(abspath $(BUILD))=build' '-ffile-prefix-map=$(CURDIR)=.'
PREFIX ?= /usr/local
V      ?= 0
Q      := $(if $(filter 1,$(V)),,@)
need    = $(Q)command -v $1 >/dev/null || { echo "make: $1 is missing: apt-get install $2" >&2; exit 1; }
say     = $(if $(filter 1,$(V)),,@printf '  %-8s%s\n' '$1' '$2')

# For another machine, as Debian names it: make CROSS=aarch64-linux-gnu. Its libraries are packages below SYSROOT.
ifneq ($(CROSS),)
SYSROOT := build/sysroot/$(CROSS)
CC  := $(CROSS)-gcc '--sysroot=$(CURDIR)/$(SYSROOT)'
CXX := $(CROSS)-g++ '--sysroot=$(CURDIR)/$(SYSROOT)'
LD  := $(CROSS)-ld
AR  := $(CROSS)-ar
STRIP := $(CROSS)-strip
endif
CC      ?= gcc
CXX     := $(if $(filter default,$(origin CXX)),g++,$(CXX))
STRIP   ?= strip
CLANG   ?= clang
BPFTOOL ?= $(firstword $(shell PATH="$$PATH:/usr/sbin:/sbin" command -v bpftool 2>/dev/null) bpftool)

WARNINGS := -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wshadow=local -Wvla
ifneq ($(CI)$(WERROR),)
WARNINGS += -Werror
endif

# -O2 alone would lose frame pointers, and a profiler should be able to profile itself.
CFLAGS_release  := -O2 -g -fno-omit-frame-pointer
# Addresses in libraries are looked up before a reader is forked, not in each; then they cannot be changed.
LDFLAGS_release := -Wl,-z,now
CFLAGS_debug    := -O0 -g3
CFLAGS_sanitize := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
		   -fno-sanitize-recover=undefined
LDFLAGS_sanitize := -fsanitize=address,undefined
CFLAGS_thread  := -O1 -g -fno-omit-frame-pointer -fsanitize=thread
LDFLAGS_thread := -fsanitize=thread
CFLAGS_fuzz    := $(CFLAGS_sanitize) -fsanitize=fuzzer-no-link -Wno-unknown-warning-option
LDFLAGS_fuzz   := -fsanitize=fuzzer,address,undefined

ifneq ($(CROSS),)
CFLAGS_$(CROSS)  := $(CFLAGS_release)
LDFLAGS_$(CROSS) := $(LDFLAGS_release)
endif

# Objects are for programs, and for the shared library that unit tests have; in programs they cost no more for it.
ALL_CFLAGS := -std=c11 -pthread -fPIC -fno-semantic-interposition $(WARNINGS) $(CFLAGS_$(VARIANT)) \
	      -D_GNU_SOURCE -DTOPSTACKS_VERSION='"$(VERSION)"' $(NO_PLACES) \
	      -Iinclude -Iuser -Ifleet -I$(BUILD) $(CPPFLAGS) $(CFLAGS)
LIBS := -lbpf -ldw -lelf -lz -lprotobuf-c -liberty -llzma -lRmath -lZydis -lncursesw -ltinfo -pthread -lm

# Sorted, as the order of files in a directory would be the order of functions in the program.
MAIN_SRC := $(sort $(wildcard user/main.c user/commands/*.c))
LIB_SRC  := $(filter-out $(MAIN_SRC),$(sort $(wildcard user/*/*.c user/*/*/*.c)))
# Sanitizers have a malloc of their own, which one of the tests stands in front of.
TEST_SRC := $(filter-out $(if $(SANITIZE),%/test_alloc_calls.c),$(wildcard tests/unit/test_*.c))
SIMULATION_SRC := $(wildcard tests/simulation/*.c)
WORKLOAD_LIB_SRC := $(wildcard tests/workloads/lib*.c)
WORKLOAD_SRC := $(filter-out $(WORKLOAD_LIB_SRC) %.bpf.c,$(wildcard tests/workloads/*.c))

# The schemas of files and messages, as C.
PROTO_SRC := $(patsubst user/%.proto,$(BUILD)/%.pb-c.c,$(sort $(wildcard user/*/*/*.proto)))
PROTO_HDR := $(PROTO_SRC:.c=.h)

# The BPF programs are one object with one set of maps, linked from a file a source of events and
# those that all sources need; kernel_names is loaded apart. What defines the maps goes first: where
# bpftool meets a declaration before the definition, it forgets the map's place.
BPF_SRC   := kern/all_maps.bpf.c $(filter-out kern/all_maps.bpf.c kern/kernel_names.bpf.c,$(sort $(wildcard kern/*.bpf.c)))
BPF_OBJS  := $(BUILD)/kern/topstacks.bpf.o $(BUILD)/kern/kernel_names.bpf.o
BPF_PARTS := $(patsubst %.c,$(BUILD)/%.part,$(BPF_SRC) kern/kernel_names.bpf.c)
SKELETONS := $(BPF_OBJS:$(BUILD)/kern/%.bpf.o=$(BUILD)/%.skel.h)
LIBRARY  := $(BUILD)/libtopstacks.a
TEST_LIBRARY := $(BUILD)/tests/libtopstacks.so
STATIC_PROGRAM := $(BUILD)/static/topstacks
PROGRAM  := $(if $(STATIC),$(STATIC_PROGRAM),$(BUILD)/topstacks)
MAIN_OBJ := $(MAIN_SRC:%.c=$(BUILD)/%.o)
# What is another in the program that needs no library beside it.
STATIC_OBJ := $(addprefix $(BUILD)/static/user/,base/system/users.o readers/instruction.o commands/version.o symbols/debug/fetcher.o)
LIB_OBJ  := $(LIB_SRC:%.c=$(BUILD)/%.o) $(PROTO_SRC:.c=.o)
ASSETS   := $(sort $(wildcard $(foreach kind,html css js,user/flame/page/*.$(kind)) user/completion/shells/topstacks.*))
ASSET_OBJ := $(ASSETS:%=$(BUILD)/%.o)
FUZZERS  := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/fuzz/fuzz_*.c))
REPLAYS  := $(patsubst tests/fuzz/corpus/%,$(BUILD)/tests/replay_%,$(wildcard tests/fuzz/corpus/*))
TESTS    := $(TEST_SRC:tests/unit/%.c=$(BUILD)/tests/%)
# What a command is started with whose memory is asked for.
PRELOAD := $(BUILD)/libtopstacks-alloc.so
PRELOAD_OBJ := $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard preload/*.c)))
# Programs that speak to networks, which the sampler does not: each has a folder, and libraries of its own.
FLEET := $(BUILD)/topstacks-front $(BUILD)/topstacks-push
LIBS_front := -lmicrohttpd -lgnutls
LIBS_push  := -lcurl
FLEET_PROTO := $(BUILD)/push/push.pb-c.c
AGREEMENT := $(BUILD)/tests/agreement/agreement
PLACES := $(BUILD)/tests/agreement/places
WALKER := $(BUILD)/tests/agreement/walker
WORKLOADS := $(WORKLOAD_SRC:tests/workloads/%.c=$(BUILD)/workloads/%) \
	     $(patsubst tests/workloads/%.cc,$(BUILD)/workloads/%,$(wildcard tests/workloads/*.cc)) \
	     $(BUILD)/workloads/unwind_stripped \
	     $(WORKLOAD_LIB_SRC:tests/workloads/%.c=$(BUILD)/workloads/%.so)
ATTACK_SRC := $(wildcard tests/attacks/*.c)
ATTACKS := $(ATTACK_SRC:tests/attacks/%.c=$(BUILD)/attacks/%)
BASELINES := $(addprefix $(BUILD)/bench/baseline/,floor stackmap streaming)
UNWIND_BENCH := $(BUILD)/bench/unwind/walk
BUILD_BENCH := $(BUILD)/bench/unwind/build
LOOKUP_BENCH := $(BUILD)/bench/lookup/lookup
ORDER_BENCH := $(BUILD)/bench/order/order
BENCH_WORKLOADS := $(addprefix $(BUILD)/bench/workloads/,crowd events pairs switches victim)

# gen object drops the DWARF and keeps the BTF: a fifth of the size is embedded.
# Clang's BPF target does not search the multiarch directory of the machine that runs it, where asm/types.h is.
MULTIARCH  := $(shell $(CC) -print-multiarch 2>/dev/null)
BPF_ARCH   := $(if $(filter aarch64%,$(shell $(CC) -dumpmachine 2>/dev/null)),arm64,x86)
BPF_CFLAGS := -target bpf -D__TARGET_ARCH_$(BPF_ARCH) -O2 -g -Wall -Wextra -Werror -Iinclude -Ikern $(NO_PLACES) \
	      $(if $(SYSROOT),-isystem $(SYSROOT)/usr/include) \
	      $(if $(MULTIARCH),-idirafter $(SYSROOT)/usr/include/$(MULTIARCH))

# Atomic operations that tell what was there before: Linux 5.12 (5ffa25502b5a). Who runs these needs 5.18 anyway.
$(addprefix $(BUILD)/kern/waits,.bpf.part _cut.bpf.part _asleep.bpf.part): BPF_CFLAGS += -mcpu=v3

.PHONY: all check fleet aarch64 guest-programs agreement lines-agreement names-agreement stacks-agreement simulation linear fuzz fuzz-targets replay browser e2e attacks refusals compatibility bench bench-programs dist sbom clean format lint lint-rooms tidy help library static workloads tests
.DELETE_ON_ERROR:
.SECONDARY:

all: topstacks

# The release build is what stands at the root; others stay below build/.
topstacks: $(PROGRAM) $(PRELOAD) FORCE
	$(Q)$(if $(filter release,$(VARIANT)$(STATIC)),for each in $< $(PRELOAD); do cmp -s $$each $${each##*/} || cp -f $$each .; done,echo 'built $<')
.PHONY: FORCE
FORCE:

library: $(LIBRARY)
workloads: $(WORKLOADS)
fuzz-targets: $(FUZZERS)
tests: $(TESTS) $(WORKLOADS)
static: $(STATIC_PROGRAM) $(dir $(STATIC_PROGRAM))$(notdir $(PRELOAD))

$(BUILD)/topstacks: $(MAIN_OBJ) $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(LIBS)

# Debian has no static Zydis (docs/packaging.md). libdw needs what only its package knows.
ZYDIS ?= $(filter /%,$(shell $(CC) -print-file-name=libZydis.a))
STATIC_LIBS = $(patsubst -lZydis,$(ZYDIS),$(LIBS)) $(shell pkg-config --static --libs libdw)
$(STATIC_PROGRAM): $(STATIC_OBJ) $(filter-out $(STATIC_OBJ:$(BUILD)/static/%=$(BUILD)/%),$(MAIN_OBJ)) $(LIBRARY)
	$(call say,LD,$@)
	$(call need,pkg-config,pkg-config)
	$(Q)$(CC) -static $(LDFLAGS_$(VARIANT)) $(LDFLAGS) -Wl,-Map=$@.map -o $@ $^ $(STATIC_LIBS)

# It is a guest in programs of all kinds, whatever this build is for: no constructors, nothing of a compiler's run-time, no
# register of floating point or vectors, nothing that is newer than glibc 2.17 (dlsym() was in libdl then), and variables of
# threads that are there from the start, so that they are not allocated. It has no debug information: of its functions one
# is shown, the one that was called, and none that is inlined there.
$(PRELOAD): $(PRELOAD_OBJ)
	$(call say,LD,$@)
	$(Q)$(CC) -shared -nostartfiles $(LDFLAGS) -Wl,-z,now,-z,relro,-z,noexecstack,-z,defs -Wl,-soname,$(@F) -o $@ $^ \
		-Wl,--no-as-needed,-l:libdl.so.2,--as-needed

$(BUILD)/static/%.so: $(BUILD)/%.so
	$(Q)mkdir -p $(@D) && cp $< $@

$(PRELOAD_OBJ): ALL_CFLAGS := -std=c11 $(WARNINGS) -D_GNU_SOURCE $(NO_PLACES) $(CPPFLAGS) $(CFLAGS) -O2 -fPIC \
	-fvisibility=hidden -ftls-model=initial-exec -fno-builtin -fno-omit-frame-pointer -fasynchronous-unwind-tables -fno-stack-protector \
	-mgeneral-regs-only $(if $(filter arm64,$(BPF_ARCH)),-mno-outline-atomics) -fno-lto -U_FORTIFY_SOURCE

fleet: $(FLEET)
	$(Q)$(if $(filter release,$(VARIANT)),for each in $(FLEET); do cmp -s $$each $${each##*/} || cp -f $$each .; done,echo 'built $(FLEET)')

$(foreach each,front push,$(eval $(BUILD)/topstacks-$(each): $(patsubst %.c,$(BUILD)/%.o,$(sort $(wildcard fleet/$(each)/*.c)))))
$(BUILD)/topstacks-push: $(FLEET_PROTO:.c=.o)
$(patsubst %.c,$(BUILD)/%.o,$(wildcard fleet/push/*.c)): | $(FLEET_PROTO:.c=.h)
$(FLEET): $(BUILD)/topstacks-%: $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) -Wl,--as-needed $(LDFLAGS_$(VARIANT)) $(LDFLAGS) -o $@ $(filter %.o,$^) $(LIBRARY) $(LIBS_$*) $(LIBS)

$(STATIC_OBJ): ALL_CFLAGS += -DTOPSTACKS_STATIC $(if $(ZYDIS),,-DTOPSTACKS_NO_ZYDIS)
$(STATIC_OBJ): $(BUILD)/static/%.o: %.c VERSION | $(SKELETONS)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(LIBRARY): $(LIB_OBJ) $(ASSET_OBJ)
	$(call say,AR,$@)
	$(Q)rm -f $@ && $(AR) rcsD $@ $^

# What an output embeds as it is: _binary_user_DIRECTORY_NAME_start and _end.
$(ASSET_OBJ): $(BUILD)/%.o: %
	$(call say,EMBED,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(LD) -r -b binary -z noexecstack -o $@ $<

# Which commit this is; written anew only if it is another one. Root, who installs, may not be told by git.
$(BUILD)/commit.h: FORCE
	$(Q)mkdir -p $(@D)
	$(Q)commit=$$(scripts/commit); [ "$$commit" = unknown ] && [ -e $@ ] || \
		printf '#define TOPSTACKS_COMMIT "%s"\n' "$$commit" | cmp -s - $@ || \
		printf '#define TOPSTACKS_COMMIT "%s"\n' "$$commit" >$@

$(BUILD)/user/commands/version.o $(BUILD)/static/user/commands/version.o: $(BUILD)/commit.h

# Tests compile chapters of the kernel's side for this machine.
$(BUILD)/tests/%.o: ALL_CFLAGS += -Ikern

# Order-only: the first build needs the skeleton, later ones have it in their .d files.
$(BUILD)/%.o: %.c VERSION | $(SKELETONS) $(PROTO_HDR)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(ALL_CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/%.pb-c.c $(BUILD)/%.pb-c.h: user/%.proto
	$(call say,PROTO,$<)
	$(Q)mkdir -p $(@D)
	$(call need,protoc-c,protobuf-c-compiler)
	$(Q)protoc-c --proto_path=user --c_out=$(BUILD) $<

$(BUILD)/%.pb-c.c $(BUILD)/%.pb-c.h: fleet/%.proto
	$(call say,PROTO,$<)
	$(Q)mkdir -p $(@D)
	$(call need,protoc-c,protobuf-c-compiler)
	$(Q)protoc-c --proto_path=fleet --c_out=$(BUILD) $<

# Generated code is not held to our warnings.
$(PROTO_SRC:.c=.o) $(FLEET_PROTO:.c=.o): %.o: %.c $(PROTO_HDR) $(FLEET_PROTO:.c=.h)
	$(call say,CC,$<)
	$(Q)$(CC) $(ALL_CFLAGS) -w -c $< -o $@

$(BPF_PARTS): $(BUILD)/%.part: %.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(call need,$(CC),gcc)
	$(call need,$(CLANG),clang)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MF $(@:.part=.d) -MT $@ -c $< -o $@

$(BUILD)/kern/topstacks.bpf.o: $(BPF_SRC:%.c=$(BUILD)/%.part)
$(BUILD)/kern/kernel_names.bpf.o: $(BUILD)/kern/kernel_names.bpf.part
$(BPF_OBJS):
	$(call say,BPFLINK,$@)
	$(call need,$(BPFTOOL),bpftool)
	$(Q)$(BPFTOOL) gen object $@ $(filter %.part,$^)

$(SKELETONS): $(BUILD)/%.skel.h: $(BUILD)/kern/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $*_bpf > $@.tmp && mv $@.tmp $@

# Unit tests and replays of inputs share one build of the library, which is beside them. A function that a test has itself
# stands in for the library's, whose other files are to call it.
BESIDE_LIBRARY := -Wl,-rpath,'$$ORIGIN'
$(TEST_LIBRARY): $(LIB_OBJ) $(ASSET_OBJ)
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -shared $(LDFLAGS_$(VARIANT)) -o $@ $^ $(LIBS)

$(BUILD)/tests/%: $(BUILD)/tests/unit/%.o $(BUILD)/tests/unit/runner.o | $(TEST_LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) $(BESIDE_LIBRARY) -o $@ $(filter %.o,$^) $(TEST_LIBRARY) -lcunit $(LIBS)

# What takes the heads of requests apart is not in the library, but is what strangers send.
FRONT_PARSERS := $(addprefix $(BUILD)/fleet/front/,host.o percent.o question.o times.o token.o)
$(addprefix $(BUILD)/tests/,test_front_head test_front_question fuzz/fuzz_front replay_front): $(FRONT_PARSERS)

# What is preloaded is not in the library either.
$(BUILD)/tests/test_alloc_chance: $(BUILD)/preload/chance.o
$(BUILD)/tests/test_alloc_gaps: $(addprefix $(BUILD)/preload/,chance.o marks.o gaps.o)
$(BUILD)/tests/test_alloc_settings: $(BUILD)/preload/settings.o
$(BUILD)/tests/test_alloc_calls: $(filter-out %/probes.o,$(PRELOAD_OBJ))

$(BUILD)/tests/test_unwind_walk: $(BUILD)/tests/unit/tracee.o \
	| $(addprefix $(BUILD)/workloads/,unwind unwind_cet unwind_static unwind_stripped \
	unwind_exceptions)

# They include programs of kern/, which are in the C of their compiler.
$(addprefix $(BUILD)/tests/unit/,test_store.o test_wait_charges.o): ALL_CFLAGS += -std=gnu11

# Each workload says in its first lines how it wants to be compiled: "cflags: ...", and after that where it is otherwise
# for a machine: "cflags-arm64: ...".
WORKLOAD_CFLAGS = $$(sed -nE 's/.*cflags(-$(BPF_ARCH))?: //p' $< | tail -1)
WORKLOAD_CC = $(CC) -std=gnu11 -D_GNU_SOURCE -Wall -Wextra -g -pthread $(WORKLOAD_CFLAGS)

$(BUILD)/workloads/lib%.so: tests/workloads/lib%.c $(wildcard tests/workloads/*.h)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(WORKLOAD_CC) -shared -fPIC -o $@ $<

# Some include others.
$(addprefix $(BUILD)/workloads/unwind_,cet static): tests/workloads/unwind.c
$(BUILD)/workloads/frameless_signed: tests/workloads/frameless.c
$(BUILD)/workloads/%: tests/workloads/%.c $(wildcard tests/workloads/*.h)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(WORKLOAD_CC) -o $@ $<

$(BUILD)/workloads/%: tests/workloads/%.cc
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(call need,$(firstword $(CXX)),g++)
	$(Q)$(CXX) -std=gnu++17 -D_GNU_SOURCE -Wall -Wextra -g $(WORKLOAD_CFLAGS) -o $@ $<

# It loads a BPF program, which lies beside it.
$(BUILD)/workloads/xdp: $(BUILD)/workloads/xdp.bpf.o
$(BUILD)/workloads/%.bpf.o: tests/workloads/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c $< -o $@

$(BUILD)/workloads/unwind_stripped: $(BUILD)/workloads/unwind
	$(call say,STRIP,$@)
	$(Q)$(STRIP) --strip-all -o $@ $<

$(BUILD)/simulate: $(SIMULATION_SRC:%.c=$(BUILD)/%.o) $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) -o $@ $^ $(LIBS)

# False alarms and power of diff's decision, and coverage of error bars, by drawn counts: half an hour, or
# RUNS=25 for a glance.
simulation: $(BUILD)/simulate
	$(Q)$< $(RUNS)

linear: topstacks $(BUILD)/tests/decode
	$(Q)BUILD=$(BUILD) tests/linear/run $(TEST)

$(BUILD)/tests/decode: $(BUILD)/tests/linear/decode.o $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) -o $@ $^ $(LIBS)

# Oracles of end-to-end tests: other BPF programs. timer_fires counts the timer fires of our events, and
# grace_flips who is late after a change of generations.
ORACLES := $(patsubst tests/oracle/%.bpf.c,$(BUILD)/oracle/%,$(wildcard tests/oracle/*.bpf.c))
$(ORACLES): $(BUILD)/oracle/%: tests/oracle/%.c tests/oracle/%.h tests/oracle/%.bpf.c kern/account/grace.bpf.h $(LIBRARY)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -c tests/oracle/$*.bpf.c -o $@.bpf.full
	$(Q)$(BPFTOOL) gen object $@.bpf.o $@.bpf.full
	$(Q)$(BPFTOOL) gen skeleton $@.bpf.o name $* > $(@D)/$*.skel.h
	$(Q)$(CC) $(ALL_CFLAGS) -I$(@D) -Itests/oracle -o $@ $< $(LIBRARY) $(LDFLAGS_$(VARIANT)) $(LIBS)

# Unit tests: no privileges needed. TEST=name runs one.
check: $(if $(TEST),$(BUILD)/tests/test_$(TEST),$(TESTS))
	$(Q)tests/unit/run $(if $(TEST),$(BUILD)/tests/test_$(TEST),$(TESTS))

# Unwind tables against elfutils, on the files named; those that are not here are left out.
SOME := $(wildcard $(addprefix /usr/lib/$(MULTIARCH)/,libc.so.6 libstdc++.so.6 libcrypto.so.3 \
	libLLVM-14.so.1 ld-linux-x86-64.so.2) /usr/bin/redis-server /usr/sbin/nginx \
	/usr/lib/postgresql/*/bin/postgres /usr/bin/python3.11 /usr/bin/node)
OTHERS := $(addprefix build/sysroot/aarch64-linux-gnu/usr/,lib/aarch64-linux-gnu/libc.so.6 lib/aarch64-linux-gnu/libstdc++.so.6 \
	lib/aarch64-linux-gnu/libcrypto.so.3 lib/ld-linux-aarch64.so.1 bin/python3.11 bin/redis-check-rdb)
agreement: $(AGREEMENT)
	$(Q)$(AGREEMENT) $(or $(FILES),$(SOME)) $(wildcard $(OTHERS))

# Source lines of each instruction of FILES against binutils, elfutils and LLVM; without FILES, of addresses by chance in
# all programs and libraries of this machine against elfutils and gdb, beginning no other file after LIMIT seconds.
LIMIT ?= 3600
lines-agreement: $(PLACES)
	$(Q)$(if $(FILES),tests/agreement/lines.py $(PLACES) $(FILES),tests/agreement/machine_lines.py --seconds $(LIMIT) $(PLACES))

# Names of what redis-server, nginx, PostgreSQL, Node.js, C++ and Rust programs run, against nm,
# addr2line and perf; needs root, and leaves out what is not installed.
names-agreement: topstacks
	$(Q)tests/agreement/programs ./topstacks

# Stacks of programs that were stopped at any moment, against gdb; needs root.
stacks-agreement: $(WALKER)
	$(Q)tests/agreement/stacks $(WALKER) $(NAMES)

$(WALKER): $(WALKER:%walker=%kernel_walk.o)
$(AGREEMENT) $(PLACES) $(WALKER): %: %.o $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) -o $@ $^ $(LIBS)

# Everything for aarch64, on another machine: programs, and what their tests need. Its libraries come from packages of
# the same Debian; scripts/install-deps aarch64 gets them, too.
AARCH64 := aarch64-linux-gnu
aarch64: build/sysroot/$(AARCH64)
	$(Q)$(MAKE) CROSS=$(AARCH64) topstacks fleet static tests guest-programs

# What the guests of tests/kernels run beside topstacks.
guest-programs: $(WORKLOADS) $(BUILD)/oracle/timer_fires $(BUILD)/attacks/fake_python

build/sysroot/%:
	$(call say,SYSROOT,$@)
	$(call need,mmdebstrap,mmdebstrap)
	$(Q)scripts/sysroot $* $@

# Other kernels, each with its settings, in an emulator, and the table in docs/compatibility.md anew. KERNELS="6.1 sid" and
# SETTINGS="no-jit no-btf" run some.
compatibility: topstacks $(WORKLOADS)
	$(Q)BUILD=$(BUILD) KERNELS='$(KERNELS)' SETTINGS='$(SETTINGS)' tests/kernels/compatibility --write

# The flame graph's page in headless Chromium. TEST=pattern runs the tests of that name.
browser: topstacks $(BUILD)/tests/make_page
	$(Q)BUILD=$(BUILD) tests/browser/run '$(TEST)'

$(BUILD)/tests/make_page: $(BUILD)/tests/browser/make_page.o $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) -o $@ $^ $(LIBS)

# Each fuzz target for a while: make fuzz TIME=60; a corpus grows in $(BUILD)/corpus. The same inputs
# each time, where no corpus has grown yet: make fuzz RUNS=10000.
TIME ?= 10
fuzz: $(FUZZERS)
	$(Q)for target in $^; do \
		name=$$(basename $$target); corpus=$(BUILD)/corpus/$$name; mkdir -p $$corpus && \
		seeds=tests/fuzz/corpus/$${name#fuzz_}; [ -d $$seeds ] || seeds= ; \
		$$target $(if $(RUNS),-runs=$(RUNS) -seed=1,-max_total_time=$(TIME)) -max_len=16384 -timeout=10 -rss_limit_mb=1024 \
			-print_final_stats=1 -artifact_prefix=$$corpus- $$corpus $$seeds || exit 1; done

# What takes ELF files has its own way of changing them.
ELF_FUZZERS := $(addprefix $(BUILD)/tests/fuzz/fuzz_,allocator build_id program_kind function instructions interpreters lines segments symbols unwind)
$(ELF_FUZZERS): $(BUILD)/tests/fuzz/elf_mutator.o $(BUILD)/tests/fuzz/elf_image.o

# cost.o stands between the fuzzer and the target, and sees what an input costs.
$(FUZZERS): %: %.o $(BUILD)/tests/fuzz/cost.o $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) -Wl,--wrap=LLVMFuzzerTestOneInput -o $@ $(filter %.o,$^) $(LIBRARY) $(LIBS)

# The same targets without libFuzzer: what is in the tree's corpus, whole and damaged.
replay: $(REPLAYS)
	$(Q)for program in $^; do \
		name=$$(basename $$program); $$program tests/fuzz/corpus/$${name#replay_}/* || exit 1; done
	$(Q)echo "$(words $(REPLAYS)) passed, 0 failed"

$(REPLAYS): $(BUILD)/tests/replay_%: $(BUILD)/tests/fuzz/fuzz_%.o $(BUILD)/tests/fuzz/replay.o | $(TEST_LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) $(BESIDE_LIBRARY) -o $@ $(filter %.o,$^) $(TEST_LIBRARY) $(LIBS)

# End to end, on the real binary and kernel; needs root. TEST=name runs one.
e2e: topstacks $(if $(filter release,$(VARIANT)),static) $(WORKLOADS) $(ORACLES) $(PLACES)
	$(Q)BUILD=$(BUILD) tests/e2e/run $(TEST)

# What strangers may do to it; needs root. TEST=name runs one, ALL=1 repeats what is tried out else.
attacks: topstacks $(WORKLOADS) $(ATTACKS)
	$(Q)BUILD=$(BUILD) ALL=$(ALL) tests/attacks/run $(TEST)

# System calls of short runs refused one after the other; needs root. ALL=1: some 1,500, in half an hour.
refusals: topstacks $(FLEET) $(addprefix $(BUILD)/workloads/,allocs shares short_children stacks)
	$(Q)BUILD=$(BUILD) tests/refusals/run $(if $(ALL),--all)

# Each says in its first lines which library it needs, if any: "libs: ...". Without it there is none. Likewise
# how it is to be compiled: "cflags: ...".
$(ATTACKS): $(BUILD)/attacks/%: tests/attacks/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)libs=$$(sed -n 's/.*libs: //p' $< | head -1); \
	if [ -n "$$libs" ] && ! pkg-config --exists $$libs; then rm -f $@; exit 0; fi; \
	$(CC) -std=gnu11 -D_GNU_SOURCE -O1 $(WARNINGS) $$(sed -n 's/.*cflags: //p' $< | head -1) -o $@ $< $${libs:+$$(pkg-config --cflags --libs $$libs)}

bench-programs: $(BUILD)/attacks/fake_python $(BASELINES) $(BENCH_WORKLOADS) $(UNWIND_BENCH) $(BUILD_BENCH) $(LOOKUP_BENCH) $(ORDER_BENCH)

bench: topstacks $(WORKLOADS) bench-programs
	$(Q)BUILD=$(BUILD) bench/run $(BENCH)

# What the benchmarks compare with: each is one BPF object, one program, and two files in common.
$(BUILD)/bench/%.bpf.o: bench/%.bpf.c
	$(call say,BPF,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CLANG) $(BPF_CFLAGS) -MMD -MP -MF $(@:.o=.d) -MT $@ -c $< -o $@.full
	$(Q)$(BPFTOOL) gen object $@ $@.full

$(BUILD)/bench/%.skel.h: $(BUILD)/bench/%.bpf.o
	$(call say,SKEL,$@)
	$(Q)$(BPFTOOL) gen skeleton $< name $(basename $(basename $(<F)))_bpf > $@.tmp && mv $@.tmp $@

$(BASELINES:%=%.o): %.o: | %.skel.h
$(BASELINES): %: %.o $(BUILD)/bench/baseline/sampler.o $(BUILD)/bench/baseline/names.o
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(LIBS)

$(UNWIND_BENCH).o: | $(UNWIND_BENCH).skel.h
$(UNWIND_BENCH) $(BUILD_BENCH) $(LOOKUP_BENCH) $(ORDER_BENCH): %: %.o $(LIBRARY)
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS_$(VARIANT)) $(LDFLAGS) -o $@ $^ $(LIBS)

$(BENCH_WORKLOADS): $(BUILD)/bench/%: bench/%.c
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=gnu11 $(WARNINGS) -O1 -g -fno-omit-frame-pointer -o $@ $<

include scripts/install.mk

# What is published. From it make and make install work without git.
DIST := topstacks-$(VERSION).tar.gz
dist: man
	$(call say,DIST,build/$(DIST))
	$(Q)scripts/dist build/$(DIST)

# What the static program consists of, for those who look for versions with holes.
sbom: $(STATIC_PROGRAM)
	$(call say,SBOM,build/topstacks-$(VERSION).spdx.json)
	$(Q)scripts/sbom $< >$<.spdx.json && mv $<.spdx.json build/topstacks-$(VERSION).spdx.json

clean:
	$(Q)rm -rf build topstacks libtopstacks-alloc.so

SOURCES = $(shell git ls-files '*.c' '*.h')
format:
	$(call need,clang-format,clang-format)
	$(Q)clang-format -i $(SOURCES)

lint:
	$(Q)scripts/lint

# The rules of the house alone: who includes whom, who calls whom.
lint-rooms: $(MAIN_OBJ) $(LIBRARY)
	$(Q)scripts/lint-rooms . $(BUILD)
	$(Q)scripts/lint-helpers
	$(Q)scripts/lint-words

# clang-tidy takes a second for each file, so what did not change is not looked at again. Complaints
# about the skeletons are not ours.
TIDY_OK := $(patsubst %.c,$(BUILD)/tidy/%.ok,$(MAIN_SRC) $(LIB_SRC))
tidy: $(TIDY_OK)

$(TIDY_OK): TIDY_FLAGS = -include scripts/analyzer.h
$(BUILD)/tidy/user/base/error.ok: TIDY_FLAGS =
$(TIDY_OK): $(BUILD)/tidy/%.ok: %.c scripts/clang-tidy.yaml scripts/analyzer.h | $(SKELETONS) $(PROTO_HDR) $(BUILD)/commit.h
	$(call say,TIDY,$<)
	$(Q)mkdir -p $(@D)
	$(call need,clang-tidy,clang-tidy)
	$(Q)$(CC) $(ALL_CFLAGS) -MM -MP -MT $@ -MF $(@:.ok=.d) $<
	$(Q)! clang-tidy --quiet --config-file=scripts/clang-tidy.yaml $< -- $(filter -D% -I% -std=%,$(ALL_CFLAGS)) \
		$(TIDY_FLAGS) 2>/dev/null | grep -E ': (error|warning): ' | grep -v 'skel\.h:'
	$(Q)touch $@

help:
	@echo 'make            build ./topstacks'
	@echo 'make STATIC=1   build a program that needs no libraries; make install STATIC=1'
	@echo 'make check      unit tests            (TEST=name: one of them)'
	@echo 'make browser    the flame graph in headless Chromium (TEST=pattern)'
	@echo 'make simulation false alarms and power of diff, and coverage of error bars (RUNS=25: fewer draws)'
	@echo 'make linear     decoders take time and memory linear in the file (TEST=shape)'
	@echo 'make e2e        end-to-end tests      (root; TEST=name: one of them)'
	@echo 'make attacks    what strangers may do (root; TEST=name: one of them; ALL=1: for longer)'
	@echo 'make refusals   system calls refused one after the other (root; ALL=1: some 1,500)'
	@echo 'make compatibility  other kernels, each with its settings (root; KERNELS="6.1 sid", SETTINGS=no-jit: some)'
	@echo 'make aarch64    programs for aarch64, into build/aarch64-linux-gnu'
	@echo 'make agreement  unwind tables against elfutils (FILES=...)'
	@echo 'make fuzz       fuzz targets, TIME=10 seconds each; make replay: their corpus'
	@echo 'make lines-agreement source lines against elfutils and gdb (LIMIT=seconds; FILES=...)'
	@echo 'make names-agreement names in known programs against nm, addr2line, perf (root)'
	@echo 'make stacks-agreement stacks of stopped programs against gdb (root; NAMES=...)'
	@echo 'make bench      benchmarks            (root; BENCH=name: one of them)'
	@echo 'make man        manual pages from docs/, into build/man'
	@echo 'make install-fleet  programs that speak to networks, their page and units'
	@echo 'make install    program, pages, completions, unit into $$DESTDIR$$PREFIX (PREFIX=$(PREFIX)); make uninstall'
	@echo 'make dist       build/$(DIST), the same bytes of the same commit'
	@echo 'make sbom       build/topstacks-$(VERSION).spdx.json, the parts of the static program'
	@echo 'make format     clang-format; make lint: clang-tidy, cppcheck, rules of the house'
	@echo 'make lint-rooms the rules of the house alone: who includes whom'
	@echo 'make clean      remove build/ and ./topstacks'
	@echo
	@echo 'V=1 shows commands; DEBUG=1 and SANITIZE=1 build into directories of their own;'
	@echo 'WERROR=1 (always in CI) makes warnings errors'

-include $(MAIN_OBJ:.o=.d) $(PRELOAD_OBJ:.o=.d) $(STATIC_OBJ:.o=.d) $(LIB_OBJ:.o=.d) $(BPF_PARTS:.part=.d)
-include $(wildcard $(BUILD)/fleet/*/*.d)
-include $(wildcard $(BUILD)/bench/baseline/*.d $(BUILD)/bench/unwind/*.d $(BUILD)/bench/lookup/*.d $(BUILD)/bench/order/*.d)
-include $(TEST_SRC:%.c=$(BUILD)/%.d) $(SIMULATION_SRC:%.c=$(BUILD)/%.d) $(BUILD)/tests/unit/runner.d $(BUILD)/tests/unit/tracee.d
-include $(TIDY_OK:.ok=.d)
-include $(wildcard $(dir $(AGREEMENT))*.d) $(FUZZERS:%=%.d)
-include $(wildcard $(BUILD)/tests/fuzz/*.d)
