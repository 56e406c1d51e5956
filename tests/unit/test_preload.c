// SPDX-License-Identifier: GPL-2.0-only
/* A command is given a library; some commands cannot have one. */
#include "run/preload/preload.h"

#include <sys/statvfs.h>

#include "expect.h"
#include "run/preload/preload_fit.h"
#include "scratch.h"

static const char *variable(char **environment, const char *beginning)
{
	for (; *environment; environment++)
		if (!strncmp(*environment, beginning, strlen(beginning)))
			return *environment + strlen(beginning);
	return NULL;
}

static void test_environment(void)
{
	char **environment;

	setenv("A_NAME", "a value", 1);
	unsetenv("LD_PRELOAD");
	environment = preload__environment("/x/lib.so", 524288, false);
	EXPECT_STR(variable(environment, "A_NAME="), "a value");
	EXPECT_STR(variable(environment, "LD_PRELOAD="), "/x/lib.so");
	EXPECT_STR(variable(environment, "TOPSTACKS_ALLOC_EVERY="), "524288");
	EXPECT_STR(variable(environment, "TOPSTACKS_ALLOC_ALONE="), NULL);
	free(environment);
}

/* The user's own come first, and what is of a run around this one goes. */
static void test_others(void)
{
	char **environment;

	setenv("LD_PRELOAD", "liba.so:/b/libb.so", 1);
	setenv("TOPSTACKS_ALLOC_EVERY", "7", 1);
	environment = preload__environment("/x/lib.so", 1ULL << 40, true);
	EXPECT_STR(variable(environment, "LD_PRELOAD="), "liba.so:/b/libb.so:/x/lib.so");
	EXPECT_STR(variable(environment, "TOPSTACKS_ALLOC_EVERY="), "1099511627776");
	EXPECT_STR(variable(environment, "TOPSTACKS_ALLOC_ALONE="), "1");
	free(environment);
	setenv("LD_PRELOAD", "", 1);
	environment = preload__environment("/x/lib.so", 1, false);
	EXPECT_STR(variable(environment, "LD_PRELOAD="), "/x/lib.so");
	free(environment);
	unsetenv("LD_PRELOAD");
	unsetenv("TOPSTACKS_ALLOC_EVERY");
}

/* A part of the sentence; NULL: there is no obstacle. */
static void expect_fit(const char *command, enum preload_obstacle obstacle, const char *part)
{
	struct error err = {0};

	EXPECT_EQ(preload_fit__check(command, NULL, &err), obstacle);
	EXPECT_EQ(err.code != 0, part != NULL);
	if (part) {
		EXPECT(strstr(err.text, part));
		EXPECT_EQ(err.exit_code, EXIT_SYSTEM);
	}
}

static void test_programs(void)
{
	scratch_write("main.c", "int main(void) { return 0; }\n");
	scratch_write("own.c", "void *malloc(unsigned long n) { (void)n; return 0; }\nint "
			       "main(void) { return 0; }\n");
	scratch_run("gcc -o dynamic main.c && gcc -static -o static main.c && gcc -rdynamic -o own "
		    "own.c");
	expect_fit(scratch_path("dynamic"), PRELOAD_NO_OBSTACLE, NULL);
	expect_fit(scratch_path("static"), PRELOAD_STATIC, "is linked statically");
	expect_fit(scratch_path("own"), PRELOAD_OWN_MALLOC, "malloc of its own");
	scratch_run("gcc -shared -Wl,-soname,libasan.so.8 -o libasan.so.8 -x c /dev/null && "
		    "gcc -o sanitized main.c -Wl,--no-as-needed ./libasan.so.8");
	expect_fit(scratch_path("sanitized"), PRELOAD_ASAN, "AddressSanitizer");
	setenv("ASAN_OPTIONS", "verify_asan_link_order=0", 1);
	expect_fit(scratch_path("sanitized"), PRELOAD_NO_OBSTACLE, NULL);
	unsetenv("ASAN_OPTIONS");
	/* A missing command has no obstacle here: its execution tells the error. */
	expect_fit(scratch_path("none"), PRELOAD_NO_OBSTACLE, NULL);
	expect_fit(scratch_path(""), PRELOAD_NO_OBSTACLE, NULL);
	expect_fit("sh", PRELOAD_NO_OBSTACLE, NULL);
}

/* The eighteenth byte of a header is the machine. */
static void test_foreign(void)
{
	scratch_run("cp dynamic foreign && printf '\\363' | dd of=foreign bs=1 seek=18 "
		    "conv=notrunc 2>/dev/null");
	expect_fit(scratch_path("foreign"), PRELOAD_FOREIGN, "for another machine");
	scratch_run("cp dynamic half && printf '\\001' | dd of=half bs=1 seek=4 conv=notrunc "
		    "2>/dev/null");
	expect_fit(scratch_path("half"), PRELOAD_FOREIGN, "32 bits");
}

/* Cut off anywhere: never more than a wrong answer. */
static void test_damaged(void)
{
	for (int bytes = 0; bytes < 1500; bytes += 31) {
		struct error err = {0};

		scratch_run("head -c %d own >cut && chmod 755 cut", bytes);
		preload_fit__check(scratch_path("cut"), NULL, &err);
		free(preload_fit__note(scratch_path("cut")));
	}
	scratch_run("mkfifo fifo");
	expect_fit(scratch_path("fifo"), PRELOAD_NO_OBSTACLE, NULL);
}

static void test_scripts(void)
{
	scratch_run("echo '#! '$PWD/static' -x' >script && chmod 755 script");
	expect_fit(scratch_path("script"), PRELOAD_STATIC, "script");
	scratch_run("echo '#!'$PWD/script >outer && chmod 755 outer");
	expect_fit(scratch_path("outer"), PRELOAD_STATIC, "outer");
	scratch_run("echo '#!'$PWD/loop >loop && echo true >shell && chmod 755 loop shell");
	expect_fit(scratch_path("loop"), PRELOAD_NO_OBSTACLE, NULL);
	expect_fit(scratch_path("shell"), PRELOAD_NO_OBSTACLE, NULL);
}

static void test_path(void)
{
	char *const path = strdup(getenv("PATH"));
	char changed[512];

	scratch_run("mkdir a b && cp static b/prog && cp dynamic a/prog && chmod 644 a/prog");
	snprintf(changed, sizeof(changed), "/nonexistent:%s/a:%s/b", scratch_directory,
		 scratch_directory);
	setenv("PATH", changed, 1);
	expect_fit("prog", PRELOAD_STATIC, "prog");
	setenv("PATH", path, 1);
	expect_fit("prog-that-is-nowhere", PRELOAD_NO_OBSTACLE, NULL);
	free(path);
}

/* Only the rights of another user are an obstacle: the file's owner gets none by executing it. */
static void test_rights(void)
{
	struct error err = {0};
	struct statvfs mounted;

	if (statvfs(scratch_directory, &mounted) || mounted.f_flag & ST_NOSUID)
		return;
	scratch_run("cp dynamic suid && chmod 4755 suid && cp dynamic sgid && chmod 2755 sgid");
	expect_fit(scratch_path("suid"), PRELOAD_NO_OBSTACLE, NULL);
	expect_fit(scratch_path("sgid"), PRELOAD_NO_OBSTACLE, NULL);
	EXPECT_EQ(preload_fit__check(scratch_path("suid"), "nobody", &err), PRELOAD_PRIVILEGED);
	EXPECT(strstr(err.text, "gets rights when it is executed"));
	EXPECT_EQ(preload_fit__check(scratch_path("sgid"), "nobody", &err), PRELOAD_PRIVILEGED);
	EXPECT_EQ(preload_fit__check(scratch_path("dynamic"), "nobody", &err), PRELOAD_NO_OBSTACLE);
}

static void test_note(void)
{
	char value[600];
	char *note;

	unsetenv("LD_PRELOAD");
	EXPECT_STR(preload_fit__note("true"), NULL);
	scratch_run(
		"gcc -shared -fPIC -o libown.so own.c && gcc -shared -fPIC -o libother.so main.c");
	snprintf(value, sizeof(value), "libnone.so %s/libother.so:", scratch_directory);
	setenv("LD_PRELOAD", value, 1);
	EXPECT_STR(preload_fit__note("true"), NULL);
	snprintf(value, sizeof(value), "%s/libother.so: %s/libown.so", scratch_directory,
		 scratch_directory);
	setenv("LD_PRELOAD", value, 1);
	note = preload_fit__note("true");
	unsetenv("LD_PRELOAD");
	EXPECT(note && strstr(note, "libown.so\", which has a malloc of its own and comes first"));
	free(note);
}

/* As jemalloc and tcmalloc are made, where C++ code is linked with them. */
static void test_linked(void)
{
	char *note;

	scratch_write("new.c", "void *malloc(unsigned long n) { (void)n; return 0; }\nvoid "
			       "*_Znwm(unsigned long n) { return malloc(n); }\n");
	scratch_run("gcc -shared -fPIC -o libnew.so new.c && gcc -o linked main.c "
		    "-Wl,--no-as-needed $PWD/libnew.so $PWD/libother.so && "
		    "gcc -o with_malloc main.c -Wl,--no-as-needed $PWD/libown.so");
	note = preload_fit__note(scratch_path("linked"));
	EXPECT(note && strstr(note, "libnew.so\", whose operator new does not ask malloc"));
	free(note);
	EXPECT_STR(preload_fit__note(scratch_path("with_malloc")), NULL);
	EXPECT_STR(preload_fit__note(scratch_path("dynamic")), NULL);
	EXPECT_STR(preload_fit__note(scratch_path("none")), NULL);
}

/* Beside our program, and not where a loader would take the name for several. */
static void test_find(void)
{
	char path[PATH_MAX];
	struct error err = {0};

	EXPECT_EQ(preload__find(path, &err), -ENOENT);
	EXPECT_EQ(err.exit_code, EXIT_SYSTEM);
}

int main(void)
{
	static const struct test tests[] = {
		{"an environment with the library", test_environment},
		{"and what was there before", test_others},
		{"programs", test_programs},
		{"of other machines", test_foreign},
		{"damaged", test_damaged},
		{"scripts", test_scripts},
		{"where commands are found", test_path},
		{"rights", test_rights},
		{"other allocators", test_note},
		{"those that a command is linked with", test_linked},
		{"no library", test_find},
		{0},
	};

	scratch_create();
	return run_tests("preload", tests);
}
