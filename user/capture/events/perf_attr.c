// SPDX-License-Identifier: GPL-2.0-only
#include "capture/events/perf_attr.h"

#include "capture/events/event_words.h"
#include "capture/events/perf_names.h"
#include "capture/events/pmu.h"
#include "capture/events/suggestions.h"

#define RAW_DIGITS "0123456789abcdefABCDEF"

/* "r01c2" */
static bool is_raw(const char *name)
{
	const size_t nr_digits = name[0] == 'r' ? strspn(name + 1, RAW_DIGITS) : 0;

	return nr_digits > 0 && nr_digits <= 16 && !name[1 + nr_digits];
}

/* Fills in a raw event of the processor, which on most machines is the PMU "cpu". */
static void fill_raw(struct perf_event_attr *attr, const char *name, const char *directory)
{
	attr->config = strtoull(name + 1, NULL, 16);
	if (pmu__read_type(directory, "cpu", &attr->type))
		attr->type = PERF_TYPE_RAW;
}

static int refuse_terms(const struct event_words *words, struct error *err)
{
	const char *key = words->terms[0].key;
	struct quoted quoted_name, quoted_key;
	struct near near = {0};
	char names[64];
	int code;

	near__add(&near, "period", key, 0);
	near__add(&near, "freq", key, 0);
	code = error__say(err, EXIT_USAGE, -EINVAL, "%s takes no term %s%s",
			  quote(&quoted_name, words->name), quote(&quoted_key, key),
			  near__format(&near, "; near: ", names, sizeof(names)));
	near__fini(&near);
	return code;
}

/*
 * Refuses freq= for software events: the kernel reports the period that it has just chosen, not the
 * one that has passed (perf_swevent_set_period), so weights are many times too large while it looks
 * for a period.
 */
static int check_rate(const struct perf_event_attr *attr, const struct event_words *words,
		      struct error *err)
{
	struct quoted quoted;

	if (attr->type != PERF_TYPE_SOFTWARE || !words->freq_hz)
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "%s takes no freq=, with which the kernel tells wrong how many passed; "
			  "period=N samples one in N",
			  quote(&quoted, words->name));
}

/*
 * Refuses a wrong modifier: "page-faults:z" looks like a tracepoint, but no tracepoint group has
 * such a name.
 */
static int check_modifiers(const char *name, struct error *err)
{
	const char *colon = strchr(name, ':');
	char before[PERF_NAME_SIZE];
	struct perf_name found;
	struct quoted quoted, letters;

	if ((size_t)(colon - name) >= sizeof(before))
		return 0;
	snprintf(before, sizeof(before), "%.*s", (int)(colon - name), name);
	if (strcmp(before, "cpu") != 0 && !perf_names__find(before, &found))
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL, "%s takes no modifier %s%s",
			  quote(&quoted, before), quote(&letters, colon + 1),
			  strcmp(before, "cpu") != 0 ? ", but u and k" : "; use -U and -K");
}

/*
 * Returns 1, 0 or negative errno, as perf_attr__fill. name->text is empty if perf has no name for
 * the event.
 */
static int fill_event(struct perf_event_attr *attr, const struct event_words *words,
		      const char *directory, struct perf_name *name, struct error *err)
{
	int code;

	if (perf_names__find(words->name, name)) {
		attr->type = name->type;
		attr->config = name->config;
		return words->nr_terms ? refuse_terms(words, err) : 1;
	}
	*name->text = '\0';
	if (strchr(words->name, ':'))
		return check_modifiers(words->name, err);
	if (words->nr_terms) {
		code = pmu__configure(directory, words, attr, err);
		return code ? code : 1;
	}
	if (!strcmp(words->name, "task-clock"))
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "\"task-clock\" of all that runs on a CPU is CPU time: -e cpu");
	if (!is_raw(words->name))
		return 0;
	fill_raw(attr, words->name, directory);
	return 1;
}

/* Refuses :u for scheduler events, which always happen in kernel mode. */
static int check_modes(const struct perf_event_attr *attr, const struct event_words *words,
		       struct error *err)
{
	struct quoted quoted;

	if (words->in_kernel || attr->type != PERF_TYPE_SOFTWARE ||
	    (attr->config != PERF_COUNT_SW_CONTEXT_SWITCHES &&
	     attr->config != PERF_COUNT_SW_CPU_MIGRATIONS))
		return 0;
	return error__say(err, EXIT_USAGE, -EINVAL,
			  "%s happens in the kernel alone: of user mode there are no samples",
			  quote(&quoted, words->name));
}

/* Sets the excluded modes as perf stat does. */
static void fill_modes(struct perf_event_attr *attr, const struct event_words *words)
{
	attr->exclude_user = !words->in_user;
	attr->exclude_kernel = !words->in_kernel;
	attr->exclude_hv = attr->exclude_user || attr->exclude_kernel;
	attr->exclude_guest = words->in_user; /* as perf: guests are counted with :k only */
}

static void fill_rate(struct perf_event_attr *attr, const struct event_words *words)
{
	if (words->period) {
		attr->sample_period = words->period;
	} else if (words->freq_hz || attr->type != PERF_TYPE_SOFTWARE) {
		attr->freq = 1;
		attr->sample_freq = words->freq_hz;
	} else {
		attr->sample_period = 1;
	}
}

int perf_attr__fill(struct perf_event_attr *attr, const struct event_words *words,
		    const char *directory, char **name, struct error *err)
{
	struct perf_name found;
	struct quoted quoted;
	int code;

	*attr = (struct perf_event_attr){.size = sizeof(*attr)};
	code = fill_event(attr, words, directory, &found, err);
	if (code <= 0)
		return code;
	if (words->weight || words->unit)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s weighs how often it happened: weight and unit are for "
				  "tracepoints and probes",
				  quote(&quoted, words->name));
	code = check_rate(attr, words, err);
	if (code)
		return code;
	code = check_modes(attr, words, err);
	if (code)
		return code;
	fill_modes(attr, words);
	fill_rate(attr, words);
	*name = event_name__make(words, *found.text ? found.text : words->name);
	return *name ? 1 : error__no_memory(err);
}
