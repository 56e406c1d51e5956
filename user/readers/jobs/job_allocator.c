// SPDX-License-Identifier: GPL-2.0-only
/* The allocation functions and probes of a file (readers/allocator_file.h). */

#include "elf/file.h"
#include "elf/symbols.h"
#include "elf/usdt.h"
#include "readers/allocator_file.h"
#include "readers/jobs.h"

#define PROVIDER	  "otel_memory"
#define MAX_SYMBOLS_BYTES (64ULL << 20)

/* ---- probes ---- */

static const struct {
	const char *name;
	size_t nr_arguments;
} probes[ALLOCATOR_PROBES] = {
	[ALLOCATOR_TELLS_ALLOC] = {"alloc", 3},
	[ALLOCATOR_TELLS_FREE] = {"free", 1},
};

static int take_site(void *context, const struct usdt_probe *probe)
{
	struct allocator_file *said = context;
	struct allocator_site *site;
	uint32_t kind = 0;

	while (kind < ALLOCATOR_PROBES && strcmp(probe->name, probes[kind].name) != 0)
		kind++;
	if (kind == ALLOCATOR_PROBES)
		return 0;
	if (!probe->is_nop || probe->nr_arguments < probes[kind].nr_arguments ||
	    said->nr_sites == ALLOCATOR_MAX_SITES) {
		said->nr_unusable++;
		return 0;
	}
	site = &said->sites[said->nr_sites++];
	site->probe = kind;
	site->offset = probe->offset;
	site->semaphore = probe->semaphore;
	site->arguments = (struct alloc_site){
		.pointer = probe->arguments[0], /* missing ones are zero */
		.size = probe->arguments[1],
		.bytes = probe->arguments[2],
		.told = probe->arguments[3],
	};
	return 0;
}

/* ---- functions ---- */

enum landmark {
	STARTS_PROGRAMS = ALLOCATOR_FUNCTIONS,
	LOADS_FILES,
	PLACES,
};

/* Finds functions in a symbol table; results of an earlier table stay. */
static uint32_t locate(struct elf_file *file, uint32_t type, struct named_place places[PLACES])
{
	uint32_t found = 0;

	elf_symbols__locate(file, type, MAX_SYMBOLS_BYTES, places, PLACES);
	for (uint32_t i = 0; i < ALLOCATOR_FUNCTIONS; i++)
		found |= (uint32_t)places[i].is_found << i;
	return found;
}

int job__allocator(const struct reader_task *task)
{
	struct named_place places[PLACES] = {
		[STARTS_PROGRAMS] = {.name = "__libc_start_main"},
		[LOADS_FILES] = {.name = "_rtld_global"},
	};
	struct allocator_file said = {0};
	struct elf_file file;
	int code;

	if (task->nr_files != 1 || task->nr_bytes)
		return -EINVAL;
	code = elf_file__open(&file, task->files[0]);
	if (code)
		return code;
	if (file.header.e_machine == OUR_MACHINE) {
		usdt__each(&file, PROVIDER, take_site, &said);
		for (uint32_t i = 0; i < ALLOCATOR_FUNCTIONS; i++)
			places[i].name = allocator_function__name(i);
		said.exported = locate(&file, SHT_DYNSYM, places);
		said.is_libc = places[STARTS_PROGRAMS].is_found;
		said.is_loader = places[LOADS_FILES].is_found;
		said.defined = locate(&file, SHT_SYMTAB, places);
	}
	elf_file__close(&file);
	return reader__answer(task, &said, sizeof(said));
}
