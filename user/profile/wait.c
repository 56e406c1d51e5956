// SPDX-License-Identifier: GPL-2.0-only
#include "profile/wait.h"

static const char *const states[WAIT_STATES] = {
	[WAIT_UNKNOWN] = "",
	[WAIT_RUNNING] = "running",
	[WAIT_INTERRUPTIBLE] = "interruptible",
	[WAIT_UNINTERRUPTIBLE] = "uninterruptible",
	[WAIT_DISK] = "disk",
	[WAIT_PREEMPTED] = "preempted",
	[WAIT_WOKEN] = "woken",
	[WAIT_THROTTLED] = "throttled",
	[WAIT_STOPPED] = "stopped",
};

static const char *const kinds[WAIT_KINDS] = {
	[WAIT_FOR_NOTHING] = "",    [WAIT_FOR_LOCK] = "lock",	[WAIT_FOR_DISK] = "disk",
	[WAIT_FOR_NET] = "net",	    [WAIT_FOR_POLL] = "poll",	[WAIT_FOR_SLEEP] = "sleep",
	[WAIT_FOR_PIPE] = "pipe",   [WAIT_FOR_CHILD] = "child", [WAIT_FOR_FAULT] = "fault",
	[WAIT_FOR_OTHER] = "other",
};

#define BIT(n)	     (1U << (n))
#define CHOSEN	     BIT(31) /* always set once words were parsed: "no state" is not "all" */
#define BLOCKED_BITS (BIT(WAIT_INTERRUPTIBLE) | BIT(WAIT_UNINTERRUPTIBLE) | BIT(WAIT_DISK))

/* The words of --state: a state, or several of them. */
static const struct wait_word {
	const char *name;
	uint32_t bits;
} state_words[] = {
	{"blocked", BLOCKED_BITS},
	{"interruptible", BIT(WAIT_INTERRUPTIBLE)},
	{"uninterruptible", BIT(WAIT_UNINTERRUPTIBLE)},
	{"disk", BIT(WAIT_DISK)},
	{"preempted", BIT(WAIT_PREEMPTED)},
	{"throttled", BIT(WAIT_THROTTLED)},
	{"woken", BIT(WAIT_WOKEN)},
	{"stopped", BIT(WAIT_STOPPED)},
	{"running", BIT(WAIT_RUNNING)},
};

#define STATE_WORDS (sizeof(state_words) / sizeof(state_words[0]))

static unsigned int find(const char *const *names, unsigned int nr, const char *name)
{
	for (unsigned int i = 1; name && i < nr; i++)
		if (!strcmp(names[i], name))
			return i;
	return 0;
}

const char *wait_state__name(enum wait_state state)
{
	return state < WAIT_STATES ? states[state] : "";
}

const char *wait_state__word(enum wait_state state)
{
	return state < WAIT_STATES && BIT(state) & BLOCKED_BITS ? "blocked"
								: wait_state__name(state);
}

const char *wait_kind__name(enum wait_kind kind)
{
	return kind < WAIT_KINDS ? kinds[kind] : "";
}

enum wait_state wait_state__find(const char *name)
{
	return (enum wait_state)find(states, WAIT_STATES, name);
}

enum wait_kind wait_kind__find(const char *name)
{
	return (enum wait_kind)find(kinds, WAIT_KINDS, name);
}

const char *wait__describe(uint32_t wait)
{
	const enum wait_kind kind = wait__kind(wait);

	return kind ? wait_kind__name(kind) : wait_state__name(wait__state(wait));
}

/* ---- choice ---- */

static uint32_t bits_of_state(const char *name)
{
	for (size_t i = 0; i < STATE_WORDS; i++)
		if (!strcmp(state_words[i].name, name))
			return state_words[i].bits;
	return 0;
}

static uint32_t bits_of_kind(const char *name)
{
	const enum wait_kind kind = wait_kind__find(name);

	return kind ? BIT(kind) : 0;
}

/* The words that --state or --wait accepts. */
struct vocabulary {
	const char *option, *all;
	uint32_t (*bits_of)(const char *name);
};

/* Parses one word of the list, and adds its bits to *with, or to *without if it begins with !. */
static int parse_word(const struct vocabulary *words, const char *text, size_t length,
		      uint32_t *with, uint32_t *without, struct error *err)
{
	const bool is_without = *text == '!';
	char name[32] = "";
	struct quoted quoted;
	uint32_t bits;

	memcpy(name, text, length < sizeof(name) ? length : sizeof(name) - 1);
	bits = words->bits_of(name + is_without);
	if (!bits)
		return error__say(err, EXIT_USAGE, -EINVAL, "%s has no %s; it takes %s",
				  words->option, quote(&quoted, name), words->all);
	*(is_without ? without : with) |= bits;
	return 0;
}

/* Parses a list. Words with ! are removed, from all or from the other words. */
static int parse(const struct vocabulary *words, const char *text, uint32_t *bits,
		 struct error *err)
{
	uint32_t with = 0, without = 0;
	size_t length;
	int code = 0;

	for (; text && !code; text = text[length] ? text + length + 1 : NULL) {
		length = strcspn(text, ",");
		code = parse_word(words, text, length, &with, &without, err);
	}
	if (with || without)
		*bits = ((with ? with : ~0U) & ~without) | CHOSEN;
	return code;
}

int wait_choice__parse(struct wait_choice *choice, const char *state, const char *kind,
		       struct error *err)
{
	static const struct vocabulary of_states = {
		"--state",
		"blocked, preempted, throttled, woken, stopped, running, with ! before it to "
		"leave it out",
		bits_of_state};
	static const struct vocabulary of_kinds = {
		"--wait",
		"lock, disk, net, poll, sleep, pipe, child, fault, other, with ! before it to "
		"leave it out",
		bits_of_kind};
	const int code = parse(&of_states, state, &choice->states, err);

	return code ? code : parse(&of_kinds, kind, &choice->kinds, err);
}

bool wait_choice__is_all(const struct wait_choice *choice)
{
	return !choice->states && !choice->kinds;
}

bool wait_choice__has(const struct wait_choice *choice, uint32_t wait)
{
	return (!choice->states || choice->states & BIT(wait__state(wait))) &&
	       (!choice->kinds || choice->kinds & BIT(wait__kind(wait)));
}
