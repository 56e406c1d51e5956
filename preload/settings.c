// SPDX-License-Identifier: GPL-2.0-only
#include "settings.h"

#include <stddef.h>

#include "gaps.h"

/* The text behind the beginning, or NULL: it begins otherwise. */
static char *after(char *text, const char *beginning)
{
	while (*beginning)
		if (*text++ != *beginning++)
			return NULL;
	return text;
}

static char *find(char *const *environment, const char *beginning)
{
	char *value = NULL;

	for (; *environment && !value; environment++)
		value = after(*environment, beginning);
	return value;
}

uint64_t settings__mean(char *const *environment)
{
	const char *digit = find(environment, "TOPSTACKS_ALLOC_EVERY=");
	uint64_t mean = 0;

	for (; digit && *digit; digit++) {
		if (*digit < '0' || *digit > '9' || mean > GAPS_MAX_MEAN)
			return GAPS_DEFAULT_MEAN;
		mean = 10 * mean + (uint64_t)(*digit - '0');
	}
	return mean && mean <= GAPS_MAX_MEAN ? mean : GAPS_DEFAULT_MEAN;
}

bool settings__alone(char *const *environment)
{
	const char *value = find(environment, "TOPSTACKS_ALLOC_ALONE=");

	return value && value[0] == '1' && !value[1];
}

/* Cuts the library off the end of LD_PRELOAD if it is there. False: nothing is left. */
static bool cut_preloads(char *preloads)
{
	char *colon = NULL, *name = preloads;

	for (char *at = preloads; *at; at++) {
		if (*at == ':')
			colon = at;
		if (*at == '/' || *at == ':')
			name = at + 1;
	}
	name = after(name, "libtopstacks-alloc.so");
	if (name && !*name)
		*(colon ? colon : preloads) = '\0';
	return *preloads;
}

static bool stays(char *variable)
{
	char *const preloads = after(variable, "LD_PRELOAD=");

	return preloads ? cut_preloads(preloads) : !after(variable, "TOPSTACKS_ALLOC_");
}

void settings__leave(char **environment)
{
	char **to = environment;

	for (; *environment; environment++)
		if (stays(*environment))
			*to++ = *environment;
	*to = NULL;
}
