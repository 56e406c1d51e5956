// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pprof has no field for is in its comments, one "topstacks.KEY=VALUE" each; docs/formats.md
 * lists the keys. Values are what a program reads: numbers have no unit but their key's.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formats/pprof/pprof.h"

#define PREFIX	      "topstacks."
#define LEDGER_PREFIX "ledger."

/* Numbers beside the ledger's. Rates are in Hz, to the millihertz, and say so with a point. */
static const struct number {
	const char *key;
	size_t offset; /* of a double in struct provenance */
} rates[] = {
	{"asked_hz", offsetof(struct provenance, asked_hz)},
	{"delivered_hz", offsetof(struct provenance, delivered_hz)},
};

#define RATES (sizeof(rates) / sizeof(rates[0]))

/* What a ledger says of itself: 1, or nothing. */
static const struct flag {
	const char *key;
	size_t offset; /* of a bool in struct ledger */
} flags[] = {
	{"idle_excluded", offsetof(struct ledger, idle_excluded)},
	{"ran_unmeasured", offsetof(struct ledger, ran_unmeasured)},
};

#define FLAGS (sizeof(flags) / sizeof(flags[0]))

static bool *flag_of(struct ledger *ledger, size_t index)
{
	return (bool *)((char *)ledger + flags[index].offset);
}

static double *rate_of(struct provenance *provenance, size_t index)
{
	return (double *)(void *)((char *)provenance + rates[index].offset);
}

/* In integers: a locale may write a comma. */
static int write_rate(const struct snapshot *snapshot, size_t index, char *text, size_t size)
{
	double hz = *(const double *)(const void *)((const char *)&snapshot->provenance +
						    rates[index].offset);
	uint64_t mhz;

	if (!(hz > 0 && hz < 1e12))
		return 0;
	mhz = (uint64_t)(hz * 1000 + 0.5);
	return snprintf(text, size, PREFIX "%s=%" PRIu64 ".%03" PRIu64, rates[index].key,
			mhz / 1000, mhz % 1000);
}

static int write_fact(const struct snapshot *snapshot, enum fact fact, char *text, size_t size)
{
	const char *value = snapshot->provenance.facts[fact];

	return value ? snprintf(text, size, PREFIX "%s=%s", fact__name(fact), value) : 0;
}

static int write_count(const char *key, uint64_t count, char *text, size_t size)
{
	return snprintf(text, size, PREFIX "%s=%" PRIu64, key, count);
}

static int write_flag(const struct snapshot *snapshot, size_t index, char *text, size_t size)
{
	struct ledger ledger = snapshot->ledger;

	if (!snapshot->has_ledger || !*flag_of(&ledger, index))
		return 0;
	return snprintf(text, size, PREFIX LEDGER_PREFIX "%s=1", flags[index].key);
}

static int write_ledger(const struct snapshot *snapshot, size_t index, char *text, size_t size)
{
	struct ledger ledger = snapshot->ledger;
	const char *name = ledger__field_name(index);
	uint64_t count;

	if (!name || !snapshot->has_ledger)
		return -1;
	/* What did not happen goes without saying; that there is a ledger does not. */
	count = *ledger__field(&ledger, index);
	if (!count && index)
		return 0;
	return snprintf(text, size, PREFIX LEDGER_PREFIX "%s=%" PRIu64, name, count);
}

int pprof__comment(const struct snapshot *snapshot, size_t index, char *text, size_t size)
{
	const struct provenance *provenance = &snapshot->provenance;

	if (index < FACTS)
		return write_fact(snapshot, (enum fact)index, text, size);
	index -= FACTS;
	if (index < RATES)
		return write_rate(snapshot, index, text, size);
	switch (index - RATES) {
	case 0:
		return provenance->nr_cpus ? write_count("cpus", provenance->nr_cpus, text, size)
					   : 0;
	case 1:
		return snapshot->nr_slices ? write_count("slice_ns", snapshot->slice_ns, text, size)
					   : 0;
	}
	index -= RATES + 2;
	return index < FLAGS ? write_flag(snapshot, index, text, size)
			     : write_ledger(snapshot, index - FLAGS, text, size);
}

/* ---- reading ---- */

static bool parse_count(const char *text, uint64_t *count)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	return isdigit((unsigned char)*text) && !*end && !errno;
}

/* "98.931" */
static bool parse_rate(const char *text, double *hz)
{
	uint64_t whole, thousandths = 0;
	const char *point = strchr(text, '.');
	char digits[32];

	if (!point || strlen(point) != 4 || point - text >= (ptrdiff_t)sizeof(digits))
		return false;
	memcpy(digits, text, (size_t)(point - text));
	digits[point - text] = '\0';
	if (!parse_count(digits, &whole) || !parse_count(point + 1, &thousandths))
		return false;
	*hz = (double)whole + (double)thousandths / 1000;
	return true;
}

static void take_ledger(struct snapshot *snapshot, const char *key, uint64_t count)
{
	const char *name;

	snapshot->has_ledger = true;
	for (size_t i = 0; i < FLAGS; i++)
		if (!strcmp(flags[i].key, key))
			*flag_of(&snapshot->ledger, i) = count;
	for (size_t i = 0; (name = ledger__field_name(i)); i++)
		if (!strcmp(name, key))
			*ledger__field(&snapshot->ledger, i) = count;
}

static void take_number(struct snapshot *snapshot, const char *key, const char *value)
{
	uint64_t count;
	double hz;

	for (size_t i = 0; i < RATES; i++)
		if (!strcmp(rates[i].key, key) && parse_rate(value, &hz))
			*rate_of(&snapshot->provenance, i) = hz;
	if (!parse_count(value, &count))
		return;
	if (!strcmp(key, "cpus") && count <= 1 << 20)
		snapshot->provenance.nr_cpus = count;
	else if (!strcmp(key, "slice_ns"))
		snapshot->slice_ns = count;
	else if (!strncmp(key, LEDGER_PREFIX, strlen(LEDGER_PREFIX)))
		take_ledger(snapshot, key + strlen(LEDGER_PREFIX), count);
}

static int take_pair(struct snapshot *snapshot, const char *key, const char *value)
{
	bool failed = false;

	for (int fact = 0; fact < FACTS; fact++)
		if (!strcmp(fact__name((enum fact)fact), key))
			snapshot->provenance.facts[fact] = snapshot__keep(snapshot, value, &failed);
	take_number(snapshot, key, value);
	return failed ? -ENOMEM : 0;
}

int pprof__take_comment(struct snapshot *snapshot, const char *comment)
{
	const char *equals = strchr(comment, '=');
	char key[64];
	size_t length;

	if (strncmp(comment, PREFIX, strlen(PREFIX)) || !equals)
		return 0;
	comment += strlen(PREFIX);
	length = (size_t)(equals - comment);
	if (length >= sizeof(key))
		return 0;
	memcpy(key, comment, length);
	key[length] = '\0';
	return take_pair(snapshot, key, equals + 1);
}
