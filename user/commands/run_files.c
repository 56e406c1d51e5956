// SPDX-License-Identifier: GPL-2.0-only
/* Finding and reading runs: by name or by pattern, each file once on a side. */
#include "commands/run_files.h"

#include <errno.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "topstacks/formats.h"

#define MAX_RUNS 1000

int run_files__add(struct run_files *files, const char *path, enum side side, struct error *err)
{
	struct quoted quoted;
	struct run_file *file;

	for (size_t i = 0; i < files->nr; i++) {
		if (files->list[i].side == side && !strcmp(files->list[i].path, path))
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "%s is given twice: a run counts once",
					  quote(&quoted, path));
	}
	if (files->nr == MAX_RUNS)
		return error__say(err, EXIT_USAGE, -E2BIG, "more than %d files", MAX_RUNS);
	file = reallocarray(files->list, files->nr + 1, sizeof(*file));
	if (!file)
		return error__no_memory(err);
	files->list = file;
	file += files->nr;
	*file = (struct run_file){.path = strdup(path), .side = side};
	if (!file->path)
		return error__no_memory(err);
	files->nr++;
	return 0;
}

int run_files__add_glob(struct run_files *files, const char *pattern, enum side side,
			struct error *err)
{
	glob_t found = {0};
	struct quoted quoted;
	int code = 0;

	if (!pattern)
		return 0;
	switch (glob(pattern, 0, NULL, &found)) {
	case 0:
		for (size_t i = 0; i < found.gl_pathc && !code; i++)
			code = run_files__add(files, found.gl_pathv[i], side, err);
		break;
	case GLOB_NOSPACE:
		code = error__no_memory(err);
		break;
	default:
		code = error__say(err, EXIT_USAGE, -ENOENT, "no files match %s",
				  quote(&quoted, pattern));
	}
	globfree(&found);
	return code;
}

bool run_files__has_side(const struct run_files *files, enum side side)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (files->list[i].side == side)
			return true;
	}
	return false;
}

int run_files__read(struct run_files *files, struct error *err)
{
	static const struct read_options options;
	struct quoted quoted;

	for (size_t i = 0; i < files->nr; i++) {
		struct run_file *file = &files->list[i];
		int code = formats__read_file(&file->snapshot, file->path, &options, err);

		if (code)
			return code;
		file->is_read = true;
		if (!file->snapshot.types[VALUE_COUNT].type &&
		    file->snapshot.types[VALUE_WEIGHT].type)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "%s holds no counts of samples, so that nothing says how "
					  "much is chance",
					  quote(&quoted, file->path));
	}
	return 0;
}

void run_files__free(struct run_files *files)
{
	for (size_t i = 0; i < files->nr; i++) {
		if (files->list[i].is_read)
			snapshot__fini(&files->list[i].snapshot);
		free(files->list[i].path);
	}
	free(files->list);
}

double run_file__incomplete(const struct run_file *file)
{
	const struct ledger *ledger = &file->snapshot.ledger;

	if (!file->snapshot.has_ledger || !ledger->counted)
		return 0;
	return 1 - (double)ledger->whole / (double)ledger->counted;
}
