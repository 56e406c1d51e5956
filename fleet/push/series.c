// SPDX-License-Identifier: GPL-2.0-only
#include "push/series.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/array.h"
#include "base/files.h"
#include "base/output/destination.h"
#include "base/quote.h"
#include "base/text.h"
#include "profile/owner.h"

#define FILE_NAME "series"
#define MAX_BYTES (8 << 20)
#define MAX_AGE_S 3600

const struct push_series series__other = {"other", "other", ""};

/* Copies a name, cut between characters, so that it stays UTF-8. */
static void set_name(char name[SERIES_NAME_SIZE], const char *text)
{
	char shown[TEXT_SHOWN_SIZE];
	size_t columns, used = 0;

	while (*text) {
		text += text__next(text, shown, &columns);
		if (used + strlen(shown) >= SERIES_NAME_SIZE)
			break;
		strcpy(name + used, shown);
		used += strlen(shown);
	}
	name[used] = '\0';
}

void series__of(struct push_series *series, const struct process *process)
{
	char service[SERVICE_NAME_SIZE], comm[PROCESS_COMM_SIZE + 1] = "";
	char container[CONTAINER_NAME_SIZE];

	*series = (struct push_series){0};
	service__name(process, service, sizeof(service));
	memcpy(comm, process->comm, PROCESS_COMM_SIZE);
	container__name(process->cgroup_path, container, sizeof(container));
	set_name(series->service, service);
	set_name(series->comm, comm);
	set_name(series->container, container);
}

int series__compare(const struct push_series *a, const struct push_series *b)
{
	int order = strcmp(a->service, b->service);

	if (!order)
		order = strcmp(a->comm, b->comm);
	return order ? order : strcmp(a->container, b->container);
}

bool series__equal(const struct push_series *a, const struct push_series *b)
{
	return !series__compare(a, b);
}

static struct known_series *find(const struct series_table *table, const struct push_series *series)
{
	for (size_t i = 0; i < table->nr; i++)
		if (series__equal(&table->known[i].series, series))
			return &table->known[i];
	return NULL;
}

bool series_table__knows(const struct series_table *table, const struct push_series *series)
{
	return find(table, series) != NULL;
}

bool series_table__admit(struct series_table *table, const struct push_series *series)
{
	struct known_series *known = find(table, series);

	if (!known) {
		if (table->nr >= table->most)
			return false;
		array__reserve(&table->known, &table->capacity, table->nr + 1);
		known = &table->known[table->nr++];
		known->series = *series;
	}
	known->seen_s = time(NULL);
	return true;
}

void series_table__forget_old(struct series_table *table, int64_t now_s)
{
	size_t nr = 0;

	for (size_t i = 0; i < table->nr; i++) {
		const int64_t seen_s = table->known[i].seen_s;

		if (seen_s <= now_s && seen_s > now_s - MAX_AGE_S)
			table->known[nr++] = table->known[i];
	}
	table->nr = nr;
}

void series_table__clear(struct series_table *table)
{
	free(table->known);
	*table = (struct series_table){.most = table->most};
}

/* ---- the file: "1769862896\tnginx\tnginx\t", a line each ---- */

static void take_line(struct series_table *table, char *line)
{
	struct known_series known = {0};
	char *const fields[] = {known.series.service, known.series.comm, known.series.container};
	char *word = strsep(&line, "\t");

	known.seen_s = (int64_t)strtoll(word, NULL, 10);
	for (size_t i = 0; i < 3; i++) {
		word = strsep(&line, "\t");
		if (!word || strlen(word) >= SERIES_NAME_SIZE)
			return; /* not ours */
		strcpy(fields[i], word);
	}
	if (table->nr >= table->most)
		return;
	array__reserve(&table->known, &table->capacity, table->nr + 1);
	table->known[table->nr++] = known;
}

int series_table__read(struct series_table *table, const char *directory, struct error *err)
{
	struct quoted quoted;
	char *path = files__join(directory, FILE_NAME), *text = NULL, *rest;
	int code = path ? files__read(path, MAX_BYTES, &text, NULL) : -ENOMEM;

	series_table__clear(table);
	if (code && code != -ENOENT)
		error__set(err, EXIT_INTERNAL, code, "cannot read %s",
			   quote(&quoted, path ? path : directory));
	else
		code = 0;
	rest = text;
	for (char *line = strsep(&rest, "\n"); !code && line; line = strsep(&rest, "\n"))
		if (*line)
			take_line(table, line);
	free(text);
	free(path);
	return code;
}

int series_table__write(const struct series_table *table, const char *directory, struct error *err)
{
	struct destination destination;
	char *path = files__join(directory, FILE_NAME);
	int code = path ? destination__open(&destination, path, DESTINATION_PRIVATE, err)
			: memory__error(err);

	if (!code) {
		for (size_t i = 0; i < table->nr; i++)
			fprintf(destination.out, "%" PRId64 "\t%s\t%s\t%s\n",
				table->known[i].seen_s, table->known[i].series.service,
				table->known[i].series.comm, table->known[i].series.container);
		code = destination__close(&destination, 0, err);
	}
	free(path);
	return code;
}
