/* SPDX-License-Identifier: GPL-2.0-only */
/* A directory of a test's own, gone when it ends, and programs that are built in it. */
#ifndef TOPSTACKS_TESTS_SCRATCH_H
#define TOPSTACKS_TESTS_SCRATCH_H

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char scratch_directory[64];
static pid_t scratch_owner;

static inline void scratch_remove(void)
{
	char command[128];

	if (getpid() != scratch_owner) /* a child that exits */
		return;
	snprintf(command, sizeof(command), "rm -rf '%s'", scratch_directory);
	if (system(command))
		perror(command);
}

static inline void scratch_create(void)
{
	strcpy(scratch_directory, "/tmp/topstacks-test-XXXXXX");
	if (!mkdtemp(scratch_directory)) {
		perror(scratch_directory);
		exit(1);
	}
	scratch_owner = getpid();
	atexit(scratch_remove);
}

/* Valid until the sixteenth call after it. */
static inline const char *scratch_path(const char *name)
{
	static char paths[16][256];
	static unsigned int next;
	char *path = paths[next++ % 16];

	snprintf(path, sizeof(paths[0]), "%s/%s", scratch_directory, name);
	return path;
}

/* A command in the directory; a test cannot go on without it. */
static inline void __attribute__((format(printf, 1, 2))) scratch_run(const char *format, ...)
{
	char command[2048];
	va_list arguments;
	int length = snprintf(command, sizeof(command), "cd '%s' && ", scratch_directory);

	va_start(arguments, format);
	vsnprintf(command + length, sizeof(command) - (size_t)length, format, arguments);
	va_end(arguments);
	if (system(command)) {
		fprintf(stderr, "failed: %s\n", command);
		exit(1);
	}
}

static inline void scratch_write(const char *name, const char *text)
{
	FILE *file = fopen(scratch_path(name), "w");

	if (!file || fputs(text, file) < 0 || fclose(file)) {
		perror(name);
		exit(1);
	}
}

#endif
