// SPDX-License-Identifier: GPL-2.0-only
/*
 * The lines that libbpf has printed since 0.6:
 *	libbpf: map 'targets': failed to create: Operation not permitted(-1)
 *	libbpf: prog 'on_cpu': BPF program load failed: Invalid argument
 *	libbpf: prog 'on_cpu': -- BEGIN PROG LOAD LOG --
 *	0: R1=ctx(...)
 *	callbacks are not allowed in non-JITed programs
 *	processed 12 insns (limit 1000000) ...
 *	-- END PROG LOAD LOG --
 */
#include "capture/host/load_report.h"
#include "base/common.h"

#include <stdarg.h>

#include <bpf/libbpf.h>

#define LOG_BEGIN "-- BEGIN PROG LOAD LOG --\n"
#define LOG_END	  "-- END PROG LOAD LOG --"

/*
 * The report of this thread: libbpf's print function has no context, but runs in the thread that
 * called libbpf.
 */
static _Thread_local struct load_report *current_report;

/*
 * Takes NAME of "prog 'NAME': BPF program load failed"; the first one counts. Returns true if the
 * line is of that kind.
 */
static bool take_name(const char *text, const char *kind, const char *failure, char *name,
		      size_t size)
{
	const size_t kind_length = strlen(kind);
	const char *start, *end;

	if (strncmp(text, kind, kind_length) != 0)
		return false;
	start = text + kind_length;
	end = strstr(start, "': ");
	if (!end || strncmp(end + 3, failure, strlen(failure)) != 0)
		return false;
	if (!*name)
		snprintf(name, size, "%.*s", (int)(end - start), start);
	return true;
}

/* Recognizes the verifier's statistics, which come last and give no reason. */
static bool is_statistic(const char *line)
{
	static const char *const beginnings[] = {"processed ", "verification time ",
						 "stack depth "};

	for (size_t i = 0; i < sizeof(beginnings) / sizeof(*beginnings); i++)
		if (!strncmp(line, beginnings[i], strlen(beginnings[i])))
			return true;
	return false;
}

static void take_last_line(const char *log, const char *end, char *words, size_t size)
{
	const char *line, *next;
	size_t length = 0, i;

	for (line = log; line < end; line = next + 1) {
		next = memchr(line, '\n', (size_t)(end - line));
		next = next ? next : end;
		if (next == line || is_statistic(line))
			continue;
		length = (size_t)(next - line) < size - 1 ? (size_t)(next - line) : size - 1;
		memcpy(words, line, length);
	}
	words[length] = '\0';
	for (i = 0; i < length; i++)
		if (words[i] < ' ' || words[i] > '~')
			words[i] = '?';
}

__attribute__((format(printf, 2, 0))) static int read_line(enum libbpf_print_level level,
							   const char *format, va_list arguments)
{
	struct load_report *report = current_report;
	const char *line, *log, *end;
	char *text;

	if (level != LIBBPF_WARN || !report || vasprintf(&text, format, arguments) < 0)
		return 0;
	line = strncmp(text, "libbpf: ", 8) ? text : text + 8;
	if (!take_name(line, "map '", "failed to create", report->map, sizeof(report->map)) &&
	    !take_name(line, "prog '", "BPF program load failed", report->program,
		       sizeof(report->program))) {
		log = strncmp(line, "prog '", 6) ? NULL : strstr(line, LOG_BEGIN);
		end = log ? strstr(log, LOG_END) : NULL;
		if (end && !*report->verifier)
			take_last_line(log + strlen(LOG_BEGIN), end, report->verifier,
				       sizeof(report->verifier));
	}
	free(text);
	return 0;
}

void load_report__begin(struct load_report *report)
{
	*report = (struct load_report){0};
	current_report = report;
	libbpf_set_print(read_line);
}

void load_report__end(void)
{
	libbpf_set_print(NULL);
	current_report = NULL;
}
