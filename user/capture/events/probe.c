// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/probe.h"

#include <asm/ptrace.h>

#include "capture/events/event_words.h"
#include "capture/events/tracepoint.h"

enum probe_kind { OF_ENTRY, OF_RETURNS, NOT_OFFERED };

static const struct {
	const char *prefix;
	enum probe_kind kind;
	const char *instead; /* the advice if the kind is not offered */
} kinds[] = {
	{"uprobe:", OF_ENTRY, NULL},
	{"uretprobe:", OF_RETURNS, NULL},
	{"usdt:", NOT_OFFERED, "probe the function that it is in by uprobe:FILE:SYMBOL+OFFSET"},
	{"kprobe:", NOT_OFFERED, "the kernel's tracepoints are: see topstacks list"},
	{"kretprobe:", NOT_OFFERED, "the kernel's tracepoints are: see topstacks list"},
};

#define KINDS (sizeof(kinds) / sizeof(kinds[0]))

static size_t find_kind(const char *name)
{
	size_t i;

	for (i = 0; i < KINDS; i++)
		if (!strncmp(name, kinds[i].prefix, strlen(kinds[i].prefix)))
			break;
	return i;
}

bool probe__is_meant(const char *name)
{
	return find_kind(name) < KINDS;
}

/* Reads the offset of "fn+0x10" and cuts it off. */
static int read_offset(struct uprobe *probe, char *plus, struct error *err)
{
	struct quoted quoted;
	char *end;

	errno = 0;
	probe->offset = strtoull(plus + 1, &end, 0);
	if (plus[1] < '0' || plus[1] > '9' || *end || errno)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "in a probe, what follows the plus is a number of bytes, not %s",
				  quote(&quoted, plus + 1));
	if (probe->is_of_returns)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a uretprobe is of a whole function: it takes no +OFFSET");
	probe->has_offset = true;
	*plus = '\0';
	return 0;
}

/* Splits "/bin/bash:readline+4". */
static int split(struct uprobe *probe, const char *said, struct error *err)
{
	struct quoted quoted;
	char *colon, *plus;

	probe->file = xstrdup(said);
	colon = strchr(probe->file, ':');
	if (!colon || colon == probe->file || !colon[1])
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a probe is said as FILE:SYMBOL, not %s", quote(&quoted, said));
	*colon = '\0';
	probe->symbol = colon + 1;
	plus = strrchr(colon + 1, '+');
	/* In "operator+(int)" the plus belongs to the name. */
	return plus && plus != colon + 1 && !strpbrk(plus, "()<>[]{}")
		       ? read_offset(probe, plus, err)
		       : 0;
}

/* Notes that the argument N is used if the name is "argN". */
static void note_argument(struct uprobe *probe, const char *name)
{
	if (!strncmp(name, "arg", 3) && name[3] >= '1' && name[3] <= '0' + PROBE_ARGUMENTS &&
	    !name[4])
		probe->arguments |= 1U << (name[3] - '1');
}

int probe__parse(struct uprobe *probe, const struct event_words *words, struct error *err)
{
	const size_t kind = find_kind(words->name);
	size_t i;
	int code;

	*probe = (struct uprobe){.is_of_returns = kinds[kind].kind == OF_RETURNS};
	if (kinds[kind].kind == NOT_OFFERED)
		return error__say(err, EXIT_USAGE, -ENOTSUP, "%.*s is not offered; %s",
				  (int)strlen(kinds[kind].prefix) - 1, kinds[kind].prefix,
				  kinds[kind].instead);
	code = split(probe, words->name + strlen(kinds[kind].prefix), err);
	if (code) {
		probe__free(probe);
		return code;
	}
	if (words->weight)
		note_argument(probe, words->weight);
	for (i = 0; i < words->nr_terms; i++)
		note_argument(probe, words->terms[i].key);
	return 0;
}

void probe__free(struct uprobe *probe)
{
	free(probe->file);
	*probe = (struct uprobe){0};
}

/* ---- registers ---- */

#ifdef __aarch64__
#define PLACE(register) offsetof(struct user_pt_regs, register)
static const size_t arguments[PROBE_ARGUMENTS] = {PLACE(regs[0]), PLACE(regs[1]), PLACE(regs[2]),
						  PLACE(regs[3]), PLACE(regs[4]), PLACE(regs[5])};
static const size_t result = PLACE(regs[0]);
#else
#define PLACE(register) offsetof(struct pt_regs, register)
static const size_t arguments[PROBE_ARGUMENTS] = {PLACE(rdi), PLACE(rsi), PLACE(rdx),
						  PLACE(rcx), PLACE(r8),  PLACE(r9)};
static const size_t result = PLACE(rax);
#endif

uint16_t probe__argument_offset(unsigned int number)
{
	return (uint16_t)arguments[number - 1];
}

static struct tracepoint_field field_at(const char *name, size_t place)
{
	return (struct tracepoint_field){
		.name = name,
		.offset = (uint16_t)place,
		.size = sizeof(uint64_t),
		.is_signed = true,
		.shape = SHAPE_NUMBER,
	};
}

void probe__describe_fields(const struct uprobe *probe, struct tracepoint *fields)
{
	static const char *const names[PROBE_ARGUMENTS] = {"arg1", "arg2", "arg3",
							   "arg4", "arg5", "arg6"};
	size_t i;

	*fields = (struct tracepoint){.noun = "probe"};
	fields->fields = xcalloc(PROBE_ARGUMENTS, sizeof(*fields->fields));
	fields->capacity = PROBE_ARGUMENTS;
	if (probe->is_of_returns) {
		fields->fields[fields->nr_fields++] = field_at("ret", result);
		return;
	}
	for (i = 0; i < PROBE_ARGUMENTS; i++)
		fields->fields[fields->nr_fields++] = field_at(names[i], arguments[i]);
}
