// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/tracepoint_terms.h"

#include "capture/events/event.h"
#include "capture/events/tracepoint.h"

/* Fields whose name implies a unit, in any tracepoint. */
static const struct {
	const char *field, *unit;
} units[] = {
	{"bytes", "bytes"},	     {"bytes_req", "bytes"},
	{"bytes_alloc", "bytes"},    {"len", "bytes"},
	{"delay", "nanoseconds"},    {"runtime", "nanoseconds"},
	{"vruntime", "nanoseconds"}, {"sleeptime", "nanoseconds"},
};

static const enum record_op ops[] = {
	[EVENT_OP_EQUAL] = RECORD_EQUAL,     [EVENT_OP_NOT_EQUAL] = RECORD_NOT_EQUAL,
	[EVENT_OP_LESS] = RECORD_LESS,	     [EVENT_OP_LESS_EQUAL] = RECORD_LESS_EQUAL,
	[EVENT_OP_GREATER] = RECORD_GREATER, [EVENT_OP_GREATER_EQUAL] = RECORD_GREATER_EQUAL,
	[EVENT_OP_BITS] = RECORD_BITS,
};

const char *tracepoint_terms__known_unit(const char *field)
{
	size_t i;

	for (i = 0; i < sizeof(units) / sizeof(*units); i++)
		if (!strcmp(units[i].field, field))
			return units[i].unit;
	return NULL;
}

void tracepoint_terms__describe(struct event *event)
{
	const struct event_words *words = &event->words;
	const bool is_weighed = words->weight != NULL;
	const char *known = is_weighed ? tracepoint_terms__known_unit(words->weight) : NULL;
	const char *unit = words->unit ? words->unit : known ? known : words->weight;

	event->metrics.of[VALUE_COUNT] =
		(struct metric){.name = event->count_name, .unit = "count", .is_events = true};
	event->metrics.of[VALUE_WEIGHT] =
		(struct metric){.name = event->name, .unit = is_weighed ? unit : "events"};
	event->metrics.shown = is_weighed ? VALUE_WEIGHT : VALUE_COUNT;
	event->one_in = event->words.period;
	if (!is_weighed) /* else the weight between samples varies */
		event->period = event->one_in ? event->one_in : 1;
}

static struct record_field field_of(const struct tracepoint_field *field)
{
	return (struct record_field){
		.offset = field->offset,
		.size = (uint8_t)field->size,
		.is_signed = field->is_signed,
	};
}

/*
 * Returns true if the field can hold the number: a condition that can never hold is refused as a
 * mistake.
 */
static bool can_hold(const struct tracepoint_field *field, const struct event_term *term)
{
	const unsigned int bits = 8U * field->size;
	const uint64_t most = UINT64_MAX >> (64 - bits);
	const uint64_t most_signed = most >> 1;

	if (term->op == EVENT_OP_BITS)
		return !term->is_negative && term->number && term->number <= most;
	if (term->op == EVENT_OP_LESS && !field->is_signed && !term->number)
		return false;
	if (!field->is_signed)
		return !term->is_negative && term->number <= most;
	if (term->is_negative)
		return ~term->number <= most_signed; /* -1 is the complement of 0 */
	return term->number <= most_signed;
}

/*
 * Refuses a number that the field cannot hold. For a negative number and an unsigned field,
 * suggests the number that has the same bits.
 */
static int refuse_number(const struct tracepoint *tracepoint, const struct event_words *words,
			 const struct tracepoint_field *field, const struct event_term *term,
			 struct error *err)
{
	const unsigned int unused = 64 - 8U * field->size;
	struct quoted quoted, of, number;

	error__say(err, EXIT_USAGE, -ERANGE, "field %s of %s %s never is %s%s: it has %u byte%s%s",
		   quote(&quoted, term->key), tracepoint->noun, quote(&of, words->name),
		   term->op == EVENT_OP_LESS ? "less than " : "", quote(&number, term->text),
		   field->size, field->size == 1 ? "" : "s",
		   field->is_signed ? "" : " and no sign");
	if (field->is_signed || !term->is_negative)
		return err->code;
	if (field->size == 8)
		return error__remedy(err, "it may hold %#" PRIx64 ", or of 32 bits %#" PRIx64,
				     term->number, term->number & UINT32_MAX);
	return error__remedy(err, "it may hold %#" PRIx64, term->number << unused >> unused);
}

static int add_condition(struct tracepoint *tracepoint, const struct event_words *words,
			 const struct event_term *term, struct error *err)
{
	struct hit_settings *settings = &tracepoint->settings;
	const struct tracepoint_field *field;
	struct quoted quoted;

	if (term->op == EVENT_OP_NONE || term->op == EVENT_OP_SET)
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"a %s has no term %s; its hits are chosen by FIELD==NUMBER and the like",
			tracepoint->noun, quote(&quoted, term->key));
	field = tracepoint__number(tracepoint, words->name, term->key, false, err);
	if (!field)
		return err->code;
	if (!can_hold(field, term))
		return refuse_number(tracepoint, words, field, term, err);
	if (settings->nr_conditions == ABI_MAX_CONDITIONS)
		return error__say(err, EXIT_USAGE, -E2BIG,
				  "a %s's hits are chosen by %d conditions at most",
				  tracepoint->noun, ABI_MAX_CONDITIONS);
	settings->conditions[settings->nr_conditions++] = (struct record_condition){
		.field = field_of(field),
		.op = ops[term->op],
		.number = term->number,
	};
	return 0;
}

/* Refuses what no tracepoint or probe takes. */
static int check_common(const char *noun, const struct event_words *words, struct error *err)
{
	if (!words->in_user || !words->in_kernel)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "a %s is always hit in the same mode: it takes neither :u nor :k",
				  noun);
	if (words->freq_hz)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "hits of a %s are counted: it takes no freq=, but one in N with "
				  "period=N",
				  noun);
	if (words->unit && !words->weight)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "unit=%s needs a field that is measured in it: weight=FIELD",
				  words->unit);
	return 0;
}

int tracepoint_terms__apply(struct tracepoint *tracepoint, const struct event_words *words,
			    struct error *err)
{
	const struct tracepoint_field *weight;
	size_t i;
	int code = check_common(tracepoint->noun, words, err);

	tracepoint->settings = (struct hit_settings){0};
	if (!code && words->weight) {
		weight = tracepoint__number(tracepoint, words->name, words->weight, true, err);
		if (!weight)
			return err->code;
		tracepoint->settings.weight = field_of(weight);
	}
	for (i = 0; i < words->nr_terms && !code; i++)
		code = add_condition(tracepoint, words, &words->terms[i], err);
	return code;
}
