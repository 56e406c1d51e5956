// SPDX-License-Identifier: GPL-2.0-only
#include "actions/report_files.h"

#include <glob.h>
#include <sys/stat.h>

#include "base/files.h"

static int add(struct report_files *files, const char *path)
{
	char *copy = strdup(path);

	if (!copy || array__reserve(&files->paths, &files->capacity, files->nr + 2)) {
		free(copy);
		return -ENOMEM;
	}
	files->paths[files->nr++] = copy;
	files->paths[files->nr] = NULL;
	return 0;
}

static bool is(const char *path, mode_t type)
{
	struct stat status;

	return !stat(path, &status) && (status.st_mode & S_IFMT) == type;
}

/* Adds the regular files that match; another user may have put a FIFO there. */
static int add_matches(struct report_files *files, const char *directory, const char *names)
{
	char *pattern = files__pattern(directory, names);
	glob_t found = {0};
	int code = pattern ? 0 : -ENOMEM, result;

	if (code)
		return code;
	result = glob(pattern, 0, NULL, &found);
	if (result && result != GLOB_NOMATCH)
		code = result == GLOB_NOSPACE ? -ENOMEM : -EIO;
	for (size_t i = 0; i < found.gl_pathc && !code; i++)
		if (is(found.gl_pathv[i], S_IFREG))
			code = add(files, found.gl_pathv[i]);
	globfree(&found);
	free(pattern);
	return code;
}

static int add_directory(struct report_files *files, const char *directory, struct error *err)
{
	const size_t nr = files->nr;
	struct quoted quoted;
	int code = add_matches(files, directory, "topstacks-*.pb.gz");

	if (!code)
		code = add_matches(files, directory, "run-*.pb.gz");
	if (code == -ENOMEM)
		return error__no_memory(err);
	if (code)
		return error__set(err, EXIT_USAGE, code, "cannot look into %s",
				  quote(&quoted, directory));
	if (files->nr == nr)
		return error__say(err, EXIT_USAGE, -ENOENT,
				  "%s has no recordings, which would be files called "
				  "topstacks-*.pb.gz or run-*.pb.gz",
				  quote(&quoted, directory));
	return 0;
}

int report_files__find(struct report_files *files, char *const *paths, struct error *err)
{
	int code = 0;

	for (; *paths && !code; paths++) {
		if (is(*paths, S_IFDIR))
			code = add_directory(files, *paths, err);
		else if (add(files, *paths))
			code = error__no_memory(err);
	}
	return code;
}

void report_files__free(struct report_files *files)
{
	for (size_t i = 0; i < files->nr; i++)
		free(files->paths[i]);
	free(files->paths);
	*files = (struct report_files){0};
}
