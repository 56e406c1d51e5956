// SPDX-License-Identifier: GPL-2.0-only
/* Finds a function that the user names, and its code (readers/function_code.h). */

#include "elf/file.h"
#include "elf/function_search.h"
#include "elf/symbols.h"
#include "readers/function_code.h"
#include "readers/jobs.h"

/*
 * Whether two functions are shown with the same name: overloads are not, but static functions of
 * two source files are; then their symbols are shown.
 */
static bool are_shown_alike(const struct function_search *found)
{
	for (size_t i = 0; i < found->nr_functions; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(found->functions[i].shown, found->functions[k].shown))
				return true;
	return false;
}

/* Fills in the answer if the name is not that of a single function. */
static void tell_of_name(struct elf_file *file, const struct function_search *found,
			 struct function_code *said)
{
	const bool as_symbols = found->likeness != LIKE_NEARLY && are_shown_alike(found);
	const struct named_range none = {0};
	struct symbol_counts counts[2];

	said->has_more = found->has_more;
	for (size_t i = 0; i < found->nr_functions; i++) {
		const struct found_function *function = &found->functions[i];
		const char *name = as_symbols ? function->symbol : function->shown;
		uint32_t k = 0;

		while (k < said->nr_names && strcmp(said->names[k], name) != 0)
			k++;
		if (k == said->nr_names)
			strcpy(said->names[said->nr_names++], name);
	}
	if (found->likeness < LIKE_NEARLY) {
		said->state = FUNCTION_SEVERAL;
		return;
	}
	elf_symbols__add(file, SHT_DYNSYM, &none, NULL, &counts[0]);
	elf_symbols__add(file, SHT_SYMTAB, &none, NULL, &counts[1]);
	said->state =
		counts[0].functions || counts[1].functions ? FUNCTION_UNKNOWN : FUNCTION_UNNAMED;
}

static bool is_of_go(const struct elf_file *file)
{
	static const char *const signs[] = {".gopclntab", ".data.rel.ro.gopclntab",
					    ".go.buildinfo"};
	struct elf_section section;

	for (size_t i = 0; i < sizeof(signs) / sizeof(*signs); i++)
		if (elf_file__find(file, signs[i], &section))
			return true;
	return false;
}

/*
 * Whether code in the file reads return addresses: Go when it moves stacks, exceptions when they
 * search for a handler. A return probe replaces a return address, and would crash the program.
 */
static bool reads_returns(struct elf_file *file)
{
	static const char throws[] = "\0__cxa_throw";
	struct elf_section section;
	const Elf_Data *names;

	if (is_of_go(file) || elf_file__find(file, ".gcc_except_table", &section))
		return true;
	names = elf_file__find(file, ".dynstr", &section) ? elf_file__data(file, &section) : NULL;
	return names && memmem(names->d_buf, names->d_size, throws, sizeof(throws));
}

static int answer(const struct reader_task *task, struct function_code *said, const void *bytes)
{
	const int code = reader__answer(task, said, sizeof(*said));

	return code ? code : reader__answer(task, bytes, said->nr_bytes);
}

static int answer_found(const struct reader_task *task, struct elf_file *file,
			const struct function_search *found, struct function_code *said)
{
	const void *bytes;
	uint64_t left;

	if (!elf_file__find_code(file, found->functions[0].start, &said->offset, &left))
		return -ENOEXEC;
	said->size = found->functions[0].size < left ? found->functions[0].size : left;
	said->nr_bytes = said->size < FUNCTION_MAX_CODE ? (uint32_t)said->size : FUNCTION_MAX_CODE;
	bytes = elf_file__bytes(file, said->offset, said->nr_bytes);
	if (!bytes)
		return -ENOEXEC;
	said->reads_returns = reads_returns(file);
	said->is_of_go = is_of_go(file);
	said->state = found->is_chosen_at_load ? FUNCTION_CHOSEN_AT_LOAD : FUNCTION_FOUND;
	return answer(task, said, bytes);
}

static int find(const struct reader_task *task, struct elf_file *file)
{
	struct function_search found = {.name = task->arguments, .likeness = LIKE_NOTHING};
	struct function_code said = {0};
	int code;

	if (file->header.e_machine != OUR_MACHINE) {
		said.state = FUNCTION_FOREIGN;
		return answer(task, &said, NULL);
	}
	code = function_search__look(file, SHT_DYNSYM, &found);
	if (!code)
		code = function_search__look(file, SHT_SYMTAB, &found);
	if (code)
		return code;
	if (found.likeness < LIKE_NEARLY && found.nr_functions == 1)
		return answer_found(task, file, &found, &said);
	tell_of_name(file, &found, &said);
	return answer(task, &said, NULL);
}

int job__function(const struct reader_task *task)
{
	struct elf_file file;
	int code;

	if (task->nr_files != 1 || !task->nr_bytes ||
	    !memchr(task->arguments, '\0', task->nr_bytes))
		return -EINVAL;
	code = elf_file__open(&file, task->files[0]);
	if (code)
		return code;
	code = find(task, &file);
	elf_file__close(&file);
	return code;
}
