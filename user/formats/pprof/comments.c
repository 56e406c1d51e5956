// SPDX-License-Identifier: GPL-2.0-only
/*
 * What pprof has no field for is in its comments, one "topstacks.KEY=VALUE" each; docs/formats.md
 * lists the keys. Values are what a program reads: numbers have no unit but their key's, and what
 * is 0 goes without saying.
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
#define MOST_CPUS     (1 << 20)
#define MOST_BYTES    4096 /* of a fact that is read: it is for people */

enum field_type {
	FIELD_RATE,  /* double, in Hz, to the millihertz; says so with a point */
	FIELD_CPUS,  /* unsigned int */
	FIELD_COUNT, /* uint64_t */
	FIELD_FLAG,  /* bool: 1 */
};

/* Everything but the words and the counts of the ledger, which have names of their own. */
static const struct recording_field {
	const char *key;
	enum field_type type;
	size_t offset; /* in struct recording */
} fields[] = {
	{"asked_hz", FIELD_RATE, offsetof(struct recording, asked_hz)},
	{"delivered_hz", FIELD_RATE, offsetof(struct recording, delivered_hz)},
	{"cpus", FIELD_CPUS, offsetof(struct recording, nr_cpus)},
	{"slice_ns", FIELD_COUNT, offsetof(struct recording, slice_ns)},
	{"whole_run", FIELD_FLAG, offsetof(struct recording, is_whole_run)},
	{"whole_system", FIELD_FLAG, offsetof(struct recording, whole_system)},
	{"cost.user_ns", FIELD_COUNT, offsetof(struct recording, cost.user_ns)},
	{"cost.system_ns", FIELD_COUNT, offsetof(struct recording, cost.system_ns)},
	{"cost.drain_ns", FIELD_COUNT, offsetof(struct recording, cost.drain_ns)},
	{"cost.symbols_ns", FIELD_COUNT, offsetof(struct recording, cost.symbols_ns)},
	{"cost.display_ns", FIELD_COUNT, offsetof(struct recording, cost.display_ns)},
	{"cost.program_runs", FIELD_COUNT, offsetof(struct recording, cost.program_runs)},
	{"cost.program_ns", FIELD_COUNT, offsetof(struct recording, cost.program_ns)},
	{"cost.resident_bytes", FIELD_COUNT, offsetof(struct recording, cost.resident_bytes)},
	{"cost.peak_bytes", FIELD_COUNT, offsetof(struct recording, cost.peak_bytes)},
	{"cost.symbols_bytes", FIELD_COUNT, offsetof(struct recording, cost.symbols_bytes)},
	{"cost.kernel_bytes", FIELD_COUNT, offsetof(struct recording, cost.kernel_bytes)},
	{LEDGER_PREFIX "idle_excluded", FIELD_FLAG,
	 offsetof(struct recording, ledger.idle_excluded)},
	{LEDGER_PREFIX "ran_unmeasured", FIELD_FLAG,
	 offsetof(struct recording, ledger.ran_unmeasured)},
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* ---- writing ---- */

/* In integers: a locale may write a comma. */
static int write_rate(const char *key, double hz, char *text, size_t size)
{
	uint64_t mhz;

	if (!(hz > 0 && hz < 1e12))
		return 0;
	mhz = (uint64_t)(hz * 1000 + 0.5);
	return snprintf(text, size, PREFIX "%s=%" PRIu64 ".%03" PRIu64, key, mhz / 1000,
			mhz % 1000);
}

static int write_count(const char *key, uint64_t count, char *text, size_t size)
{
	return count ? snprintf(text, size, PREFIX "%s=%" PRIu64, key, count) : 0;
}

static int write_field(const struct recording *recording, const struct recording_field *field,
		       char *text, size_t size)
{
	const void *value = (const char *)recording + field->offset;

	switch (field->type) {
	case FIELD_RATE:
		return write_rate(field->key, *(const double *)value, text, size);
	case FIELD_CPUS:
		return write_count(field->key, *(const unsigned int *)value, text, size);
	case FIELD_COUNT:
		return write_count(field->key, *(const uint64_t *)value, text, size);
	case FIELD_FLAG:
		return write_count(field->key, *(const bool *)value, text, size);
	}
	return 0;
}

static int write_fact(const struct recording *recording, enum fact fact, char *text, size_t size)
{
	const char *value = recording->facts[fact];

	return value ? snprintf(text, size, PREFIX "%s=%s", fact__name(fact), value) : 0;
}

static int write_ledger(const struct recording *recording, size_t index, char *text, size_t size)
{
	struct ledger ledger = recording->ledger;
	const char *name = ledger__field_name(index);
	uint64_t count;

	if (!name || !recording->has_ledger)
		return -1;
	/* What did not happen goes without saying; that there is a ledger does not. */
	count = *ledger__field(&ledger, index);
	if (!count && index)
		return 0;
	return snprintf(text, size, PREFIX LEDGER_PREFIX "%s=%" PRIu64, name, count);
}

int pprof__comment(const struct recording *recording, size_t index, char *text, size_t size)
{
	if (index < FACTS)
		return write_fact(recording, (enum fact)index, text, size);
	index -= FACTS;
	if (index < FIELDS)
		return write_field(recording, &fields[index], text, size);
	return write_ledger(recording, index - FIELDS, text, size);
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

static void take_field(struct recording *recording, const struct recording_field *field,
		       const char *text)
{
	void *value = (char *)recording + field->offset;
	uint64_t count;

	if (field->type == FIELD_RATE)
		parse_rate(text, value);
	else if (!parse_count(text, &count))
		return;
	else if (field->type == FIELD_COUNT)
		*(uint64_t *)value = count;
	else if (field->type == FIELD_FLAG)
		*(bool *)value = count;
	else if (count <= MOST_CPUS)
		*(unsigned int *)value = (unsigned int)count;
}

static void take_ledger(struct recording *recording, const char *key, const char *value)
{
	const char *name;
	uint64_t count;

	if (!parse_count(value, &count))
		return;
	recording->has_ledger = true;
	for (size_t i = 0; (name = ledger__field_name(i)); i++)
		if (!strcmp(name, key))
			*ledger__field(&recording->ledger, i) = count;
}

static const char *keep_fact(struct recording *recording, const char *value, bool *failed)
{
	char *text = strndup(value, MOST_BYTES);
	const char *kept = recording__keep(recording, text, failed);

	*failed |= !text;
	free(text);
	return kept;
}

static int take_pair(struct recording *recording, const char *key, const char *value)
{
	bool failed = false;

	for (int fact = 0; fact < FACTS; fact++)
		if (!strcmp(fact__name((enum fact)fact), key))
			recording->facts[fact] = keep_fact(recording, value, &failed);
	for (size_t i = 0; i < FIELDS; i++)
		if (!strcmp(fields[i].key, key))
			take_field(recording, &fields[i], value);
	if (!strncmp(key, LEDGER_PREFIX, strlen(LEDGER_PREFIX)))
		take_ledger(recording, key + strlen(LEDGER_PREFIX), value);
	return failed ? -ENOMEM : 0;
}

int pprof__take_comment(struct recording *recording, const char *comment)
{
	const char *equals;
	char key[64];
	size_t length;

	if (strncmp(comment, PREFIX, strlen(PREFIX)))
		return 0;
	comment += strlen(PREFIX);
	equals = memchr(comment, '=', strnlen(comment, sizeof(key)));
	if (!equals)
		return 0;
	length = (size_t)(equals - comment);
	memcpy(key, comment, length);
	key[length] = '\0';
	return take_pair(recording, key, equals + 1);
}
