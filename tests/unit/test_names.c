// SPDX-License-Identifier: GPL-2.0-only
/* Names as c++filt gives them, names that explode, and the functions where a stack may end. */
#include "elf/names.h"
#include "symbols/files/names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/strings.h"
#include "expect.h"
#include "profile/frame.h"

static char text[NAME_MAX_DEMANGLED];

static const char *demangled(const char *mangled)
{
	return names__demangle(mangled, text, sizeof(text)) ? text : NULL;
}

static void test_cpp(void)
{
	EXPECT_STR(demangled("_Z3foov"), "foo()");
	EXPECT_STR(demangled("_ZN3foo3barEii"), "foo::bar(int, int)");
	EXPECT_STR(demangled("_ZNSt6vectorIiSaIiEE9push_backEOi"),
		   "std::vector<int, std::allocator<int> >::push_back(int&&)");
	EXPECT_STR(demangled("_ZNK3foo3bazEv"), "foo::baz() const");
	EXPECT_STR(demangled("_Z3foov.cold"), "foo() [clone .cold]");
	EXPECT_STR(demangled("_Z3fooILi3EEvv"), "void foo<3>()");
	EXPECT_STR(demangled("_Znwm@plt"), "operator new(unsigned long)@plt");
	EXPECT_STR(demangled("_start@plt"), NULL);
	EXPECT_STR(demangled("_Znwm@plt@plt"), NULL);
}

static void test_rust(void)
{
	/* Older names end in a hash, which says nothing to a person. */
	EXPECT_STR(demangled("_ZN4core3fmt9Formatter3pad17h0123456789abcdefE"),
		   "core::fmt::Formatter::pad");
	EXPECT_STR(demangled("_ZN63_$LT$core..ptr..Unique$LT$T$GT$$u20$as$u20$core..ops..Deref$GT$"
			     "5deref17h19f2ad4920655e85E"),
		   "<core::ptr::Unique<T> as core::ops::Deref>::deref");
	EXPECT_STR(demangled("_RNvC6_123foo3bar"), "123foo::bar");
	EXPECT_STR(demangled("_RINvNtC3std3mem8align_ofdE"), "std::mem::align_of::<f64>");
}

static void test_d(void)
{
	char mangled[1024] = "_D1aF";

	EXPECT_STR(demangled("_Dmain"), "D main");
	EXPECT_STR(demangled("_D3std5stdio4File5closeMFZv"), "std.stdio.File.close()");
	EXPECT_STR(demangled("_D8demangle4testFaZv"), "demangle.test(char)");
	EXPECT_STR(demangled("_D8demangle4testFaZv@plt"), "demangle.test(char)@plt");
	EXPECT_STR(demangled("_D"), NULL);
	EXPECT_STR(demangled("_Dynamic_one"), NULL);
	/* Each of these doubles the work: 30 of them would take minutes. */
	for (size_t i = 0; i < 100; i++)
		strcat(mangled, "C1aF");
	EXPECT_STR(demangled(mangled), NULL);
}

static void test_not_mangled(void)
{
	static const char *const plain[] = {
		"",	 "_",	"main",	  "_start", "__libc_start_main", "_Z",	  "_ZZZZ", "_R",
		"_Rxyz", "_Zx", "Z3foov", "_ZN",    "_ZN3foo",		 "_Z3fo",
	};
	size_t i;

	for (i = 0; i < sizeof(plain) / sizeof(plain[0]); i++)
		EXPECT_STR(demangled(plain[i]), NULL);
}

/* Each parameter is twice as long as the one before: f(A<int, int>, A<A<...>, A<...> >, ...). */
static void test_explosion(void)
{
	static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
	char mangled[1024];
	size_t length = (size_t)sprintf(mangled, "_Z1f1AIiiE");
	size_t i;

	for (i = 0; i < 36; i++)
		length += (size_t)sprintf(mangled + length, "S_IS%c_S%c_E", digits[i], digits[i]);
	EXPECT_STR(demangled(mangled), NULL);
	/* The first of them have a name, so the text is what it is meant to be. */
	mangled[strlen("_Z1f1AIiiES_IS0_S0_ES_IS1_S1_E")] = '\0';
	EXPECT_STR(demangled(mangled),
		   "f(A<int, int>, A<A<int, int>, A<int, int> >, A<A<A<int, int>, A<int, int> >, "
		   "A<A<int, int>, A<int, int> > >)");
}

static void test_deep(void)
{
	const size_t bytes = 1 << 20;
	char *mangled = malloc(bytes + 1);
	static const char *const pieces[] = {"P", "N", "I", "F", "XadL_Z", "S_", "T_", "R", "DpT_"};
	size_t i, length;

	for (i = 0; i < sizeof(pieces) / sizeof(pieces[0]); i++) {
		for (length = 500; length <= bytes; length *= 2) {
			size_t at = (size_t)sprintf(mangled, "_Z1fI");

			while (at + strlen(pieces[i]) < length)
				at += (size_t)sprintf(mangled + at, "%s", pieces[i]);
			names__demangle(mangled, text, sizeof(text));
			mangled[1] = 'R';
			names__demangle(mangled, text, sizeof(text));
		}
	}
	free(mangled);
}

/* Templates times references: what the demangler takes from the stack. */
static void test_stack_use(void)
{
	char mangled[1100] = "_Z1f";
	size_t i;

	for (i = 0; i < 100; i++)
		strcat(mangled, "1aIiE");
	for (i = 0; i < 170; i++)
		strcat(mangled, "RT_");
	names__demangle(mangled, text, sizeof(text));
	EXPECT(strlen(mangled) < 1024);
}

static void test_bounds(void)
{
	char small[6];

	EXPECT_EQ(names__demangle("_Z3foov", small, 6), 5);
	EXPECT_STR(small, "foo()");
	EXPECT_EQ(names__demangle("_Z3foov", small, 5), 0);
	EXPECT_EQ(names__demangle("_Z3foov", small, 1), 0);
	EXPECT_EQ(names__demangle("_Z3foov", small, 0), 0);
}

/* std::pair of pairs: each level doubles the text, and says which it is at both ends. */
static const char *pairs(int levels)
{
	static char mangled[1024];
	size_t at = (size_t)sprintf(mangled, "_Z5firstI4pairI");

	for (int i = 1; i < levels; i++)
		at += (size_t)sprintf(mangled + at, "S0_I");
	at += (size_t)sprintf(mangled + at, "1aS1_E");
	for (int i = 2; i <= levels; i++)
		at += (size_t)sprintf(mangled + at, "S%c_E", i < 10 ? '0' + i : 'A' + i - 10);
	sprintf(mangled + at, "EvT_");
	return mangled;
}

/* Long names keep both ends, as c++filt writes them; the last end of too long ones is unknown. */
static void test_long_names(void)
{
	size_t length = names__demangle(pairs(10), text, sizeof(text));

	EXPECT(length > 4096 && length < sizeof(text) - 1);
	EXPECT(!strstr(text, "…"));
	for (int levels = 12; levels < 15; levels++) {
		length = names__demangle(pairs(levels), text, sizeof(text));
		EXPECT_EQ(length, sizeof(text) - 1);
		EXPECT_EQ(strlen(text), length);
		EXPECT(!strncmp(text, "void first<pair<pair<", 21));
		EXPECT(strstr(text, "…") && !strstr(strstr(text, "…") + 3, "…"));
		EXPECT_STR(text + length - 4, "> >)");
	}
	EXPECT_EQ(names__demangle(pairs(28), text, sizeof(text)), 0);
}

static void test_random(void)
{
	static const char alphabet[] = "_ZNIERSTKPFLXDabci0123456789$.";
	unsigned int seed = 1;
	char mangled[200];
	int i;

	for (i = 0; i < 100000; i++) {
		const size_t length = 3 + (size_t)rand_r(&seed) % (sizeof(mangled) - 4);
		size_t at;

		strcpy(mangled, i % 2 ? "_R" : "_Z");
		for (at = 2; at < length; at++)
			mangled[at] = alphabet[(size_t)rand_r(&seed) % (sizeof(alphabet) - 1)];
		mangled[length] = '\0';
		names__demangle(mangled, text, sizeof(text));
	}
	EXPECT_EQ(i, 100000);
}

static void test_user_roots(void)
{
	static const char *const roots[] = {
		"_start",
		"__libc_start_main",
		"__libc_start_main_impl",
		"__libc_start_call_main",
		"clone",
		"clone3",
		"__clone",
		"__clone3",
		"__clone_internal",
		"start_thread",
		"thread_start",
		"_dl_start",
		"_dl_start_user",
		"rt0_go",
		"runtime.goexit",
		"runtime.goexit.abi0",
		"runtime.mstart",
		"runtime.rt0_go",
	};
	static const char *const others[] = {
		"main",
		"start",
		"_start2",
		"clone_node",
		"start_thread_pool",
		"_dl_start_profile",
		"asm_exc_page_fault",
		"",
	};
	size_t i;

	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		EXPECT(frame__is_root_name(FRAME_USER, roots[i]));
	EXPECT(!frame__is_root_name(FRAME_JIT, roots[0]));
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		EXPECT(!frame__is_root_name(FRAME_USER, others[i]));
}

static void test_kernel_roots(void)
{
	static const char *const roots[] = {
		"entry_SYSCALL_64_after_hwframe",
		"entry_SYSCALL_compat_after_hwframe",
		"entry_INT80_compat",
		"entry_INT80_64",
		"asm_exc_page_fault",
		"asm_sysvec_apic_timer_interrupt",
		"ret_from_fork",
		"ret_from_fork_asm",
		"secondary_startup_64_no_verify",
		"x86_64_start_kernel",
		"start_kernel",
		"common_startup_64",
	};
	static const char *const others[] = {"do_syscall_64", "x64_sys_call", "_start", "clone",
					     "kthread"};
	size_t i;

	for (i = 0; i < sizeof(roots) / sizeof(roots[0]); i++)
		EXPECT(frame__is_root_name(FRAME_KERNEL, roots[i]));
	for (i = 0; i < sizeof(others) / sizeof(others[0]); i++)
		EXPECT(!frame__is_root_name(FRAME_KERNEL, others[i]));
}

static void test_names(void)
{
	struct strings *strings = strings__new();
	const struct symbol_name *name = names__user(strings, "_Z3foov", true);

	EXPECT_STR(name->function, "foo()");
	EXPECT_STR(name->module, NULL);
	EXPECT(!name->root);
	EXPECT_STR(names__user(strings, "_Z3foov", false)->function, "_Z3foov");
	EXPECT(names__user(strings, "_Z3foov", true)->function == name->function);
	EXPECT(names__user(strings, "_start", true)->root);
	name = names__kernel(strings, "asm_exc_page_fault", true);
	EXPECT_STR(name->module, "[kernel]");
	EXPECT(name->root);
	name = names__kernel(strings, "nft_do_chain\t[nf_tables]", true);
	EXPECT_STR(name->function, "nft_do_chain");
	EXPECT_STR(name->module, "nf_tables");
	name = names__kernel(strings, "bpf_prog_6deef7357e7b4530_on_cpu\t[bpf]", true);
	EXPECT_STR(name->function, "bpf_prog_6deef7357e7b4530_on_cpu");
	EXPECT_STR(name->module, "[bpf]");
	name = names__kernel(strings, "_RNvC6_123foo3bar\t[rust_m]", true);
	EXPECT_STR(name->function, "123foo::bar");
	EXPECT_STR(names__kernel(strings, "odd\t", true)->module, "[kernel]");
	EXPECT_STR(names__kernel(strings, "odd\t[]", true)->module, "[]");
	strings__free(strings);
}

static void test_strings(void)
{
	struct strings *strings = strings__new();
	const char *first = strings__intern(strings, "abcdef", 3);
	char number[16];
	size_t before, i;

	EXPECT_STR(first, "abc");
	EXPECT(strings__intern(strings, "abc", 3) == first);
	EXPECT(strings__intern(strings, "abd", 3) != first);
	EXPECT_STR(strings__intern(strings, "", 0), "");
	before = strings__memory_bytes(strings);
	for (i = 0; i < 10000; i++) {
		snprintf(number, sizeof(number), "%zu", i);
		EXPECT_STR(strings__intern(strings, number, strlen(number)), number);
	}
	EXPECT(strings__intern(strings, "abc", 3) == first);
	EXPECT_STR(first, "abc");
	EXPECT(strings__memory_bytes(strings) > before);
	strings__free(strings);
	strings__free(NULL);
}

int main(void)
{
	static const struct test tests[] = {
		{"C++", test_cpp},
		{"Rust", test_rust},
		{"D", test_d},
		{"not mangled", test_not_mangled},
		{"names that explode", test_explosion},
		{"deep names", test_deep},
		{"names that take much stack", test_stack_use},
		{"bounds of the output", test_bounds},
		{"random names", test_random},
		{"long names lose their middle", test_long_names},
		{"user roots", test_user_roots},
		{"kernel roots", test_kernel_roots},
		{"names of symbols", test_names},
		{"interned strings", test_strings},
		{0},
	};

	return run_tests("names", tests);
}
