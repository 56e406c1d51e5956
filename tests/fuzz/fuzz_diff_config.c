// SPDX-License-Identifier: GPL-2.0-only
/*
 * Reads settings of a comparison, and a store's names, that mean harm. Settings that are taken are
 * printed, and taken again, as the same. A name that is encoded and decoded is the same again.
 */
#include <stdio.h>

#include "diff/baselines/store_directories.h"
#include "diff/config.h"
#include "require.h"

static char *print(const struct diff_config *config)
{
	char *text = NULL;
	size_t nr_bytes;
	FILE *out = open_memstream(&text, &nr_bytes);

	require(out != NULL);
	diff_config__print(out, config);
	require(!fclose(out));
	return text;
}

/* Takes the settings in the text, and prints them; NULL: they are not taken. */
static char *parse(const char *text)
{
	char *copy = strdup(text), *printed = NULL;
	struct diff_config config;
	struct error err = {0};

	require(copy != NULL);
	diff_config__init(&config);
	if (!diff_config__parse(&config, copy, &err))
		printed = print(&config);
	else
		require(err.text[0] && err.exit_code);
	diff_config__fini(&config);
	free(copy);
	return printed;
}

static void check_settings(const char *text)
{
	char *once = parse(text), *twice = once ? parse(once) : NULL;

	require(!once || (twice && !strcmp(once, twice)));
	free(once);
	free(twice);
}

static void check_name(const char *name)
{
	char *encoded = store__encode_name(name), *decoded = strdup(encoded);

	require(encoded && decoded && encoded[0] != '.' && !strchr(encoded, '/'));
	store__decode_name(decoded);
	require(!strcmp(decoded, name));
	free(decoded);
	decoded = strdup(name);
	require(decoded != NULL);
	store__decode_name(decoded);
	require(strlen(decoded) <= strlen(name));
	free(decoded);
	free(encoded);
}

static void check_entry(const char *name)
{
	struct dirent entry = {0};

	strncpy(entry.d_name, name, sizeof(entry.d_name) - 1);
	if (store__is_name(&entry))
		require(entry.d_name[0] != '.' && !strchr(entry.d_name, '/'));
	require(!store__is_time(&entry) || strlen(entry.d_name) == strlen("20260131T123456.789Z"));
	store__is_run(&entry);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);

	require(text != NULL);
	if (size)
		memcpy(text, data, size);
	text[size] = '\0';
	check_settings(text);
	check_name(text);
	check_entry(text);
	free(text);
	return 0;
}
