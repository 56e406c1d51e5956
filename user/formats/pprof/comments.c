// SPDX-License-Identifier: GPL-2.0-only
/*
 * Facts for which pprof has no field are in four of its comments, which other tools show above each
 * report:
 *
 *	topstacks.run=event=cpu-clock	unwinding=unwind tables	target=redis-server
 *	topstacks.ledger=events=990	counted=493	filtered=497
 *
 * Each further event of the run has up to two more, with its number:
 *
 *	topstacks.run.1=event=page-faults	period=1
 *	topstacks.ledger.1=events=20	counted=12	filtered=8
 *
 * Pairs are separated by tabs; docs/formats.md lists them. Values are for programs: numbers have no
 * unit but their key's, and a 0 is left out. Older files have a comment for each pair,
 * "topstacks.ledger.events=990"; these are read as well.
 */
#include <ctype.h>

#include "formats/pprof/pprof.h"

#define PREFIX	      "topstacks."
#define LEDGER_PREFIX "ledger."
#define COST_PREFIX   "cost."
#define MOST_CPUS     (1 << 20)
#define MOST_BYTES    4096 /* limit of a fact, which is for people */
#define MOST_EVENTS   32   /* limit of events in a file */
#define SHOWN_KEY     "shown"
#define LOST_KEY      "lost"
#define INSTEAD_KEY   "instead"
#define WHY_KEY	      "why"
#define SHOWN_WEIGHT  "weight"

/* Groups of facts; each is one comment. */
enum comment_group {
	GROUP_RUN,
	GROUP_MACHINE,
	GROUP_COST,
	GROUP_LEDGER,
	GROUPS,
};

static const struct {
	const char *name, *prefix; /* prefix: of the group's keys in older files */
} groups[GROUPS] = {
	[GROUP_RUN] = {"run", ""},
	[GROUP_MACHINE] = {"machine", ""},
	[GROUP_COST] = {"cost", COST_PREFIX},
	[GROUP_LEDGER] = {"ledger", LEDGER_PREFIX},
};

enum field_type {
	FIELD_RATE,  /* double in Hz, to the millihertz; always with a point */
	FIELD_CPUS,  /* unsigned int */
	FIELD_COUNT, /* uint64_t */
	FIELD_FLAG,  /* bool, written as 1 */
};

enum field_scope {
	OF_RUN,
	OF_EVENT, /* each event */
	OF_OTHERS /* events but the first, for which pprof has a field */
};

/* All facts that are numbers, except for the ledger's counts, which have their own names. */
static const struct recording_field {
	const char *key;
	size_t offset; /* in struct recording */
	enum comment_group group;
	enum field_type type;
	enum field_scope scope;
} fields[] = {
	{"asked_hz", offsetof(struct recording, asked_hz), GROUP_RUN, FIELD_RATE, OF_EVENT},
	{"delivered_hz", offsetof(struct recording, delivered_hz), GROUP_RUN, FIELD_RATE, OF_EVENT},
	{"asked_rates", offsetof(struct recording, asked_rates.nr), GROUP_RUN, FIELD_COUNT,
	 OF_EVENT},
	{"asked_hz_1", offsetof(struct recording, asked_rates.hz[0]), GROUP_RUN, FIELD_RATE,
	 OF_EVENT},
	{"asked_hz_2", offsetof(struct recording, asked_rates.hz[1]), GROUP_RUN, FIELD_RATE,
	 OF_EVENT},
	{"asked_hz_3", offsetof(struct recording, asked_rates.hz[2]), GROUP_RUN, FIELD_RATE,
	 OF_EVENT},
	{"first_hz", offsetof(struct recording, first_hz), GROUP_RUN, FIELD_RATE, OF_EVENT},
	{"lowered_hz", offsetof(struct recording, lowered_hz), GROUP_RUN, FIELD_RATE, OF_EVENT},
	{"period", offsetof(struct recording, period), GROUP_RUN, FIELD_COUNT, OF_OTHERS},
	{"one_in", offsetof(struct recording, thinned.one_in), GROUP_RUN, FIELD_COUNT, OF_EVENT},
	{"one_in_since_ns", offsetof(struct recording, thinned.since_ns), GROUP_RUN, FIELD_COUNT,
	 OF_EVENT},
	{"cpus", offsetof(struct recording, nr_cpus), GROUP_RUN, FIELD_CPUS, OF_RUN},
	{"slice_ns", offsetof(struct recording, slice_ns), GROUP_RUN, FIELD_COUNT, OF_RUN},
	{"gap_ns", offsetof(struct recording, gap_ns), GROUP_RUN, FIELD_COUNT, OF_RUN},
	{"whole_run", offsetof(struct recording, is_whole_run), GROUP_RUN, FIELD_FLAG, OF_RUN},
	{"whole_system", offsetof(struct recording, whole_system), GROUP_RUN, FIELD_FLAG, OF_RUN},
	{"user_ns", offsetof(struct recording, cost.user_ns), GROUP_COST, FIELD_COUNT, OF_RUN},
	{"system_ns", offsetof(struct recording, cost.system_ns), GROUP_COST, FIELD_COUNT, OF_RUN},
	{"elapsed_ns", offsetof(struct recording, cost.elapsed_ns), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"drain_ns", offsetof(struct recording, cost.drain_ns), GROUP_COST, FIELD_COUNT, OF_RUN},
	{"symbols_ns", offsetof(struct recording, cost.symbols_ns), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"display_ns", offsetof(struct recording, cost.display_ns), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"program_runs", offsetof(struct recording, cost.program_runs), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"program_ns", offsetof(struct recording, cost.program_ns), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"resident_bytes", offsetof(struct recording, cost.resident_bytes), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"peak_bytes", offsetof(struct recording, cost.peak_bytes), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"symbols_bytes", offsetof(struct recording, cost.symbols_bytes), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"kernel_bytes", offsetof(struct recording, cost.kernel_bytes), GROUP_COST, FIELD_COUNT,
	 OF_RUN},
	{"idle_excluded", offsetof(struct recording, ledger.idle_excluded), GROUP_LEDGER,
	 FIELD_FLAG, OF_EVENT},
	{"lost_unmeasured", offsetof(struct recording, ledger.lost_unmeasured), GROUP_LEDGER,
	 FIELD_FLAG, OF_EVENT},
	{"ran_unmeasured", offsetof(struct recording, ledger.ran_unmeasured), GROUP_LEDGER,
	 FIELD_FLAG, OF_EVENT},
};

#define FIELDS (sizeof(fields) / sizeof(fields[0]))

/* ---- writing ---- */

/* A comment that is being written. */
struct comment {
	FILE *out;
	enum comment_group group;
	size_t event; /* index in the list */
	bool has_begun;
};

static void write_key(struct comment *comment, const char *key)
{
	if (comment->has_begun)
		fprintf(comment->out, "\t%s=", key);
	else if (comment->event)
		fprintf(comment->out, PREFIX "%s.%zu=%s=", groups[comment->group].name,
			comment->event, key);
	else
		fprintf(comment->out, PREFIX "%s=%s=", groups[comment->group].name, key);
	comment->has_begun = true;
}

static void write_count(struct comment *comment, const char *key, uint64_t count)
{
	if (!count)
		return;
	write_key(comment, key);
	fprintf(comment->out, "%" PRIu64, count);
}

/* Writes a fact; a tab in it becomes a blank, as a tab ends it. */
static void write_fact(struct comment *comment, const char *key, const char *value)
{
	write_key(comment, key);
	for (; *value; value++)
		fputc(*value == '\t' ? ' ' : *value, comment->out);
}

static void write_field(struct comment *comment, const struct recording *recording,
			const struct recording_field *field)
{
	const void *value = (const char *)recording + field->offset;
	double hz;
	uint64_t mhz;

	switch (field->type) {
	case FIELD_RATE: /* by integers: some locales write a comma */
		hz = *(const double *)value;
		mhz = hz > 0 && hz < 1e12 ? (uint64_t)(hz * 1000 + 0.5) : 0;
		if (!mhz)
			return;
		write_key(comment, field->key);
		fprintf(comment->out, "%" PRIu64 ".%03" PRIu64, mhz / 1000, mhz % 1000);
		return;
	case FIELD_CPUS:
		write_count(comment, field->key, *(const unsigned int *)value);
		return;
	case FIELD_COUNT:
		write_count(comment, field->key, *(const uint64_t *)value);
		return;
	case FIELD_FLAG:
		write_count(comment, field->key, *(const bool *)value);
		return;
	}
}

/* Writes facts that are texts: of the run and the machine, and lost abilities, each name first. */
static void write_facts(struct comment *comment, const struct recording *recording)
{
	const struct lost_ability *lost = recording->lost_abilities;

	for (int fact = 0; fact < FACTS; fact++) {
		const bool is_of_run =
			fact == FACT_EVENT || fact == FACT_UNWINDING || fact == FACT_TARGET;

		if (recording->facts[fact] &&
		    comment->group == (is_of_run ? GROUP_RUN : GROUP_MACHINE) &&
		    (fact == FACT_EVENT || !comment->event))
			write_fact(comment, fact__name((enum fact)fact), recording->facts[fact]);
	}
	if (comment->group != GROUP_RUN || comment->event)
		return;
	for (size_t i = 0; i < MOST_LOST_ABILITIES && lost[i].name; i++) {
		write_fact(comment, LOST_KEY, lost[i].name);
		if (lost[i].instead)
			write_fact(comment, INSTEAD_KEY, lost[i].instead);
		if (lost[i].why)
			write_fact(comment, WHY_KEY, lost[i].why);
	}
}

bool pprof__write_comment(FILE *out, const struct recording *recording, size_t index)
{
	struct comment comment = {
		.out = out, .group = (enum comment_group)(index % GROUPS), .event = index / GROUPS};
	const struct metrics *metrics;
	struct ledger ledger;
	const char *name;

	for (size_t i = 0; i < comment.event && recording; i++)
		recording = recording->more;
	if (!recording)
		return false;
	if (comment.group == GROUP_LEDGER && !recording->has_ledger)
		return true;
	if (comment.group == GROUP_LEDGER) {
		ledger = recording->ledger;
		/* The first count is written even if it is 0: it tells that there is a ledger. */
		write_key(&comment, ledger__field_name(0));
		fprintf(out, "%" PRIu64, *ledger__field(&ledger, 0));
		for (size_t i = 1; (name = ledger__field_name(i)); i++)
			write_count(&comment, name, *ledger__field(&ledger, i));
	}
	write_facts(&comment, recording);
	for (size_t i = 0; i < FIELDS; i++)
		if (fields[i].group == comment.group &&
		    fields[i].scope != (comment.event ? OF_RUN : OF_OTHERS))
			write_field(&comment, recording, &fields[i]);
	/*
	 * pprof's default sample type cannot say that the weight is shown if both values have one
	 * name, and it is for one event only.
	 */
	metrics = profile__metrics(recording->profile);
	if (comment.group == GROUP_RUN && metrics->shown == VALUE_WEIGHT &&
	    metrics->of[VALUE_COUNT].name && metrics->of[VALUE_WEIGHT].name)
		write_fact(&comment, SHOWN_KEY, SHOWN_WEIGHT);
	return true;
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

/* Takes in a fact that is a text: of the run, or about a lost ability, whose name comes first. */
static void take_fact(struct recording *recording, const char *key, const char *value)
{
	struct lost_ability *lost = recording->lost_abilities;
	const char **place = NULL;
	size_t nr = 0;
	char *text;

	while (nr < MOST_LOST_ABILITIES && lost[nr].name)
		nr++;
	if (!strcmp(key, LOST_KEY) && nr < MOST_LOST_ABILITIES)
		place = &lost[nr].name;
	else if (nr && !strcmp(key, INSTEAD_KEY))
		place = &lost[nr - 1].instead;
	else if (nr && !strcmp(key, WHY_KEY))
		place = &lost[nr - 1].why;
	for (int fact = 0; fact < FACTS; fact++)
		if (!strcmp(fact__name((enum fact)fact), key))
			place = &recording->facts[fact];
	if (!place)
		return;
	text = xstrndup(value, MOST_BYTES);
	*place = recording__keep(recording, text);
	free(text);
}

static void take_pair(struct recording *recording, const char *key, const char *value)
{
	struct metrics metrics = *profile__metrics(recording->profile);
	const char *name;
	uint64_t count;

	if (!strcmp(key, SHOWN_KEY)) {
		if (!strcmp(value, SHOWN_WEIGHT))
			metrics.shown = VALUE_WEIGHT;
		profile__set_metrics(recording->profile, &metrics);
		return;
	}
	take_fact(recording, key, value);
	for (size_t i = 0; i < FIELDS; i++) {
		const char *prefix = groups[fields[i].group].prefix;

		if (!strncmp(key, prefix, strlen(prefix)) &&
		    !strcmp(key + strlen(prefix), fields[i].key))
			take_field(recording, &fields[i], value);
	}
	if (strncmp(key, LEDGER_PREFIX, strlen(LEDGER_PREFIX)) != 0 || !parse_count(value, &count))
		return;
	recording->has_ledger = true;
	for (size_t i = 0; (name = ledger__field_name(i)); i++)
		if (!strcmp(name, key + strlen(LEDGER_PREFIX)))
			*ledger__field(&recording->ledger, i) = count;
}

/* Takes in "KEY=VALUE"; prefix: of the comment's group, or "" if the comment is a single pair. */
static void take_text(struct recording *recording, const char *prefix, const char *text)
{
	const char *equals;
	char key[64];

	equals = memchr(text, '=', strnlen(text, sizeof(key) - strlen(prefix)));
	if (!equals)
		return;
	snprintf(key, sizeof(key), "%s%.*s", prefix, (int)(equals - text), text);
	take_pair(recording, key, equals + 1);
}

/* Parses "=" for the first event, ".7=" for another one. Returns the rest; NULL: invalid. */
static const char *skip_number(const char *text, uint64_t *number)
{
	const char *equals = strchr(text, '=');
	char digits[8];

	*number = 0;
	if (*text == '=')
		return text + 1;
	if (*text != '.' || !equals || equals - text > (ptrdiff_t)sizeof(digits))
		return NULL;
	snprintf(digits, sizeof(digits), "%.*s", (int)(equals - text - 1), text + 1);
	return parse_count(digits, number) ? equals + 1 : NULL;
}

/* An event that is the next one is added; a comment of any later event is invalid. */
void pprof__take_comment(struct recording *recording, const char *comment)
{
	struct recording *event = recording;
	uint64_t number;

	if (strncmp(comment, PREFIX, strlen(PREFIX)))
		return;
	comment += strlen(PREFIX);
	for (int group = 0; group < GROUPS; group++) {
		const size_t length = strlen(groups[group].name);
		const char *pairs = strncmp(comment, groups[group].name, length)
					    ? NULL
					    : skip_number(comment + length, &number);
		char *copy, *rest, *pair;

		if (!pairs)
			continue;
		for (uint64_t nr = 1; event && nr <= number; nr++) {
			if (!event->more && nr == number && number < MOST_EVENTS)
				recording__add_event(recording, NULL);
			event = event->more;
		}
		if (!event)
			return;
		copy = rest = xstrdup(pairs);
		while ((pair = strsep(&rest, "\t")))
			take_text(event, groups[group].prefix, pair);
		free(copy);
		return;
	}
	take_text(recording, "", comment);
}

void pprof__share_comments(struct recording *recording)
{
	for (struct recording *event = recording->more; event; event = event->more) {
		const char *name = event->facts[FACT_EVENT];

		memcpy(event->facts, recording->facts, sizeof(event->facts));
		memcpy(event->lost_abilities, recording->lost_abilities,
		       sizeof(event->lost_abilities));
		event->facts[FACT_EVENT] = name;
		event->cost = recording->cost;
		event->nr_cpus = recording->nr_cpus;
		event->slice_ns = recording->slice_ns;
		event->is_whole_run = recording->is_whole_run;
		event->whole_system = recording->whole_system;
		event->start_realtime_ns = recording->start_realtime_ns;
		event->duration_ns = recording->duration_ns;
	}
}
