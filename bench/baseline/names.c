// SPDX-License-Identifier: GPL-2.0-only
/*
 * Symbols for the baselines. Each source of names becomes one table of symbols sorted by address;
 * everything is read once and kept until the end of the program.
 */
#include "names.h"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct named_symbol {
	uint64_t address;
	uint64_t size; /* 0: up to the next symbol */
	char *name;
};

struct named_table {
	struct named_symbol *symbols;
	size_t nr_symbols, capacity;
};

#define MAX_SEGMENTS 16

struct named_module {
	char *path;
	struct named_table table;
	GElf_Phdr segments[MAX_SEGMENTS]; /* executable ones */
	size_t nr_segments;
};

struct named_mapping {
	uint64_t start, end, offset;
	struct named_module *module;
};

struct named_process {
	pid_t pid;
	struct named_mapping *mappings;
	size_t nr_mappings;
};

struct names {
	struct named_table kernel;
	struct named_module **modules;
	size_t nr_modules;
	struct named_process *processes;
	size_t nr_processes;
};

/* Room for one more element in an array that doubles; there is no going on without memory. */
static void *grow(void *array, size_t nr, size_t *capacity, size_t size)
{
	if (nr < *capacity)
		return array;
	*capacity = *capacity ? *capacity * 2 : 64;
	array = realloc(array, *capacity * size);
	if (!array)
		abort();
	return array;
}

static void *append_one(void *array, size_t nr, size_t size)
{
	array = realloc(array, (nr + 1) * size);
	if (!array)
		abort();
	return array;
}

static void add_symbol(struct named_table *table, uint64_t address, uint64_t size, const char *name)
{
	table->symbols =
		grow(table->symbols, table->nr_symbols, &table->capacity, sizeof(*table->symbols));
	table->symbols[table->nr_symbols++] = (struct named_symbol){address, size, strdup(name)};
}

static int compare_symbols(const void *a, const void *b)
{
	uint64_t x = ((const struct named_symbol *)a)->address,
		 y = ((const struct named_symbol *)b)->address;

	return (x > y) - (x < y);
}

static void sort_table(struct named_table *table)
{
	if (table->nr_symbols)
		qsort(table->symbols, table->nr_symbols, sizeof(*table->symbols), compare_symbols);
}

static const char *find_name(const struct named_table *table, uint64_t address)
{
	size_t low = 0, high = table->nr_symbols;
	const struct named_symbol *symbol;

	while (low < high) { /* first symbol above the address */
		size_t middle = low + (high - low) / 2;

		if (table->symbols[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0)
		return NULL;
	symbol = &table->symbols[low - 1];
	return symbol->size && address >= symbol->address + symbol->size ? NULL : symbol->name;
}

static void free_table(struct named_table *table)
{
	for (size_t i = 0; i < table->nr_symbols; i++)
		free(table->symbols[i].name);
	free(table->symbols);
}

/* "ffffffff81000000 T _text\t[module]" */
static void read_kallsyms(struct named_table *table)
{
	FILE *file = fopen("/proc/kallsyms", "re");
	char line[512], name[256], type;
	unsigned long long address;

	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx %c %255s", &address, &type, name) == 3 &&
		    strchr("tTwW", type))
			add_symbol(table, address, 0, name);
	}
	fclose(file);
	sort_table(table);
}

static void read_symbol_section(struct named_table *table, Elf *elf, Elf_Scn *section)
{
	Elf_Data *data = elf_getdata(section, NULL);
	GElf_Shdr header;
	GElf_Sym symbol;

	if (!data || !gelf_getshdr(section, &header))
		return;
	for (int i = 0; gelf_getsym(data, i, &symbol); i++) {
		const char *name = elf_strptr(elf, header.sh_link, symbol.st_name);

		if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_value && name)
			add_symbol(table, symbol.st_value, symbol.st_size, name);
	}
}

static void read_segments(struct named_module *module, Elf *elf)
{
	GElf_Phdr segment;
	size_t nr_segments;

	if (elf_getphdrnum(elf, &nr_segments))
		return;
	for (size_t i = 0; i < nr_segments && module->nr_segments < MAX_SEGMENTS; i++) {
		if (gelf_getphdr(elf, i, &segment) && segment.p_type == PT_LOAD &&
		    (segment.p_flags & PF_X))
			module->segments[module->nr_segments++] = segment;
	}
}

static void read_module(struct named_module *module)
{
	int fd = open(module->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	Elf *elf = fd < 0 ? NULL : elf_begin(fd, ELF_C_READ_MMAP, NULL);
	Elf_Scn *section = NULL;
	GElf_Shdr header;

	if (elf && elf_kind(elf) == ELF_K_ELF) {
		read_segments(module, elf);
		while ((section = elf_nextscn(elf, section))) {
			if (gelf_getshdr(section, &header) &&
			    (header.sh_type == SHT_SYMTAB || header.sh_type == SHT_DYNSYM))
				read_symbol_section(&module->table, elf, section);
		}
		sort_table(&module->table);
	}
	elf_end(elf);
	if (fd >= 0)
		close(fd);
}

static struct named_module *find_module(struct names *names, const char *path)
{
	struct named_module *module;

	for (size_t i = 0; i < names->nr_modules; i++) {
		if (!strcmp(names->modules[i]->path, path))
			return names->modules[i];
	}
	module = calloc(1, sizeof(*module));
	if (!module)
		abort();
	module->path = strdup(path);
	read_module(module);
	names->modules = append_one(names->modules, names->nr_modules, sizeof(*names->modules));
	names->modules[names->nr_modules++] = module;
	return module;
}

/* "55d0c1a2b000-55d0c1a2c000 r-xp 00001000 fe:00 4711    /usr/bin/true" */
static void read_mappings(struct names *names, struct named_process *process)
{
	char name[64], line[4200], path[4097];
	unsigned long long start, end, offset;
	FILE *file;

	snprintf(name, sizeof(name), "/proc/%d/maps", process->pid);
	file = fopen(name, "re");
	if (!file)
		return;
	while (fgets(line, sizeof(line), file)) {
		if (sscanf(line, "%llx-%llx %*2s%*1[x]%*s %llx %*s %*s %4096s", &start, &end,
			   &offset, path) != 4 ||
		    path[0] != '/')
			continue;
		process->mappings = append_one(process->mappings, process->nr_mappings,
					       sizeof(*process->mappings));
		process->mappings[process->nr_mappings++] =
			(struct named_mapping){start, end, offset, find_module(names, path)};
	}
	fclose(file);
}

static struct named_process *find_process(struct names *names, pid_t pid)
{
	struct named_process *process;

	for (size_t i = 0; i < names->nr_processes; i++) {
		if (names->processes[i].pid == pid)
			return &names->processes[i];
	}
	names->processes =
		append_one(names->processes, names->nr_processes, sizeof(*names->processes));
	process = &names->processes[names->nr_processes++];
	*process = (struct named_process){.pid = pid};
	read_mappings(names, process);
	return process;
}

struct names *names__new(void)
{
	struct names *names = calloc(1, sizeof(*names));

	if (!names)
		abort();
	elf_version(EV_CURRENT);
	read_kallsyms(&names->kernel);
	return names;
}

void names__free(struct names *names)
{
	if (!names)
		return;
	free_table(&names->kernel);
	for (size_t i = 0; i < names->nr_modules; i++) {
		free_table(&names->modules[i]->table);
		free(names->modules[i]->path);
		free(names->modules[i]);
	}
	for (size_t i = 0; i < names->nr_processes; i++)
		free(names->processes[i].mappings);
	free(names->modules);
	free(names->processes);
	free(names);
}

const char *names__kernel(struct names *names, uint64_t address)
{
	const char *name = find_name(&names->kernel, address);

	return name ? name : "[unknown]";
}

static const char *name_in_module(const struct named_module *module, uint64_t offset)
{
	for (size_t i = 0; i < module->nr_segments; i++) {
		const GElf_Phdr *segment = &module->segments[i];

		if (offset >= segment->p_offset && offset < segment->p_offset + segment->p_filesz)
			return find_name(&module->table,
					 offset - segment->p_offset + segment->p_vaddr);
	}
	return NULL;
}

const char *names__user(struct names *names, pid_t pid, uint64_t address)
{
	struct named_process *process = find_process(names, pid);
	const char *name = NULL;

	for (size_t i = 0; i < process->nr_mappings && !name; i++) {
		const struct named_mapping *mapping = &process->mappings[i];

		if (address >= mapping->start && address < mapping->end)
			name = name_in_module(mapping->module,
					      address - mapping->start + mapping->offset);
	}
	return name ? name : "[unknown]";
}

void names__print_folded(struct names *names, FILE *out, const struct folded_stack *stack)
{
	fputs(stack->comm, out);
	for (size_t i = stack->nr_user; i-- > 0;)
		fprintf(out, ";%s", names__user(names, stack->pid, stack->user[i]));
	for (size_t i = stack->nr_kernel; i-- > 0;)
		fprintf(out, ";%s", names__kernel(names, stack->kernel[i]));
	fprintf(out, " %llu\n", (unsigned long long)stack->count);
}
