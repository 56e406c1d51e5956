// SPDX-License-Identifier: GPL-2.0-only
/*
 * The system's files hold what login shells put into DEBUGINFOD_URLS; callers such as daemons lack
 * the variable.
 */
#include "symbols/debug/debug_servers.h"

#include <glob.h>

#include "base/files.h"

#define MAX_URLS_BYTES 4096
#define BLANKS	       " \t\r\n"

/*
 * Adds a server's URL. Newer libraries also take words about signatures between URLs.
 */
static int add_word(char *urls, const char *word, struct error *err)
{
	static const char *const begins[] = {"https://", "http://", "ima:"};
	const size_t nr_begins = sizeof(begins) / sizeof(begins[0]), length = strlen(urls);
	struct quoted quoted;
	size_t i = 0;

	while (i < nr_begins && strncmp(word, begins[i], strlen(begins[i])))
		i++;
	if (i == nr_begins)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "cannot ask %s for debug files: the URL of a debuginfod server "
				  "begins with https:// or http://",
				  quote(&quoted, word));
	if (length + strlen(word) + 2 > MAX_URLS_BYTES)
		return error__say(err, EXIT_USAGE, -E2BIG,
				  "there are too many debuginfod servers; name some with "
				  "--debuginfod=URL");
	sprintf(urls + length, "%s%s", length ? " " : "", word);
	return 0;
}

/* Adds the servers in text to urls. Writes zeros into text. */
static int add_words(char *urls, char *text, struct error *err)
{
	char *rest, *word;
	int code = 0;

	for (word = strtok_r(text, BLANKS, &rest); word && !code;
	     word = strtok_r(NULL, BLANKS, &rest))
		code = add_word(urls, word, err);
	return code;
}

static int add_files(char *urls, const char *pattern, struct error *err)
{
	glob_t found = {0};
	char *text;
	int code = 0;

	if (!glob(pattern, 0, NULL, &found)) {
		for (size_t i = 0; i < found.gl_pathc && !code; i++) {
			if (files__read(found.gl_pathv[i], MAX_URLS_BYTES, &text, NULL))
				continue;
			code = add_words(urls, text, err);
			free(text);
		}
	}
	globfree(&found);
	return code;
}

int debug_servers__find(const char *given, const char *system, char **urls, struct error *err)
{
	const char *variable = getenv("DEBUGINFOD_URLS"), *named = *given ? given : variable;
	char *text = xcalloc(1, MAX_URLS_BYTES), *copy = xstrdup(named ? named : "");
	int code = add_words(text, copy, err);

	if (!code && !*given && !*text)
		code = add_files(text, system, err);
	if (!code && !*text)
		code = error__say(err, EXIT_USAGE, -ENOENT,
				  "no debuginfod server is known here; name one with "
				  "--debuginfod=URL, or in DEBUGINFOD_URLS");
	free(copy);
	if (code)
		free(text);
	else
		*urls = text;
	return code;
}
