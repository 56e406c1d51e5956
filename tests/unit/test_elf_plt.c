// SPDX-License-Identifier: GPL-2.0-only
/* The stubs of calls into libraries, as different linkers make them, against objdump. */
#include "elf/symbols.h"

#include <fcntl.h>
#include <stdint.h>

#include "expect.h"
#include "object_file.h"
#include "scratch.h"

static const char source[] = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
			     "int main(int argc, char **argv)\n"
			     "{\n"
			     "	int (*through_pointer)(const char *) = puts;\n"
			     "	void *volatile memory = malloc((size_t)argc);\n"
			     "	memcpy(memory, argv[0], (size_t)argc);\n"
			     "	qsort(memory, (size_t)argc, 1, (void *)strcmp);\n"
			     "	free(memory);\n"
			     "	exit(through_pointer(argv[0]) + puts(argv[0]));\n"
			     "}\n";

struct plt_layout {
	const char *name;
	const char *flags;
	int nr_stubs; /* at least */
};

static const struct plt_layout layouts[] = {
	{"lazy", "-fplt", 5},
	{"now", "-Wl,-z,now", 5},
	{"no_pie", "-no-pie -fno-pie", 5},
	{"ibt", "-fcf-protection=full -Wl,-z,ibtplt", 5},
	{"ibt_now", "-fcf-protection=full -Wl,-z,ibtplt -Wl,-z,now", 5},
	{"gold", "-fuse-ld=gold", 5},
	{"shared.so", "-shared -fPIC", 5},
	{"static", "-static", 0},
	{0},
};

/* "0000000000001030 <puts@plt>:"; a stub that runs once, before its slot is set, has no name. */
static int check_against_objdump(const char *name, const char *sections)
{
	struct object *object = read_file(scratch_path(name));
	char command[512], line[512], known[256];
	unsigned long address;
	int nr = 0;
	FILE *objdump;

	snprintf(command, sizeof(command),
		 "objdump -d --no-show-raw-insn %s '%s' 2>/dev/null | grep '@plt>:'", sections,
		 scratch_path(name));
	objdump = popen(command, "r");
	while (fgets(line, sizeof(line), objdump)) {
		if (sscanf(line, "%lx <%255[^>]", &address, known) != 2 || known[0] == '*')
			continue;
		nr++;
		EXPECT_STR(name_at(object, address), known);
		EXPECT_STR(name_at(object, address + 7), known);
	}
	pclose(objdump);
	free_object(object);
	return nr;
}

static void test_objdump(void)
{
	const struct plt_layout *layout;

	for (layout = layouts; layout->name; layout++) {
		int nr;

		scratch_run("cc -O0 %s -o %s source.c", layout->flags, layout->name);
		nr = check_against_objdump(layout->name, "-j .plt.sec -j .plt.got");
		if (!strstr(layout->name, "ibt"))
			nr += check_against_objdump(layout->name, "-j .plt");
		if (nr < layout->nr_stubs)
			fprintf(stderr, "%s: %d stubs\n", layout->name, nr);
		EXPECT(nr >= layout->nr_stubs);
	}
}

/* The same without symbols, and no name between stubs and functions. */
static void test_stripped(void)
{
	scratch_run("strip -o ibt.stripped ibt");
	EXPECT(check_against_objdump("ibt.stripped", "-j .plt.sec") >= 5);
}

int main(void)
{
	static const struct test tests[] = {
		{"agrees with objdump", test_objdump},
		{"of a stripped program", test_stripped},
		{0},
	};

	scratch_create();
	scratch_write("source.c", source);
	return run_tests("elf_plt", tests);
}
