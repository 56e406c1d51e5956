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

static int refuse_terms(const struct event_words *words, struct error *err)
{
	const char *key = words->terms[0].key;
	struct quoted quoted_name, quoted_key;
	struct suggestions near = {0};
	char names[64];
	int code;

	suggestions__add(&near, "period", key, 0);
	suggestions__add(&near, "freq", key, 0);
	code = error__say(err, EXIT_USAGE, -EINVAL, "%s takes no term %s%s",
			  quote(&quoted_name, words->name), quote(&quoted_key, key),
			  suggestions__format(&near, "; near: ", names, sizeof(names)));
	suggestions__fini(&near);
	return code;
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
	/* A raw event is the processor's, which on most machines is the PMU "cpu". */
	attr->config = strtoull(words->name + 1, NULL, 16);
	if (pmu__read_type(directory, "cpu", &attr->type))
		attr->type = PERF_TYPE_RAW;
	return 1;
}

/* Refuses what the event does not take. */
static int check(const struct perf_event_attr *attr, const struct event_words *words,
		 struct error *err)
{
	const bool is_software = attr->type == PERF_TYPE_SOFTWARE;
	struct quoted quoted;

	quote(&quoted, words->name);
	if (words->weight || words->unit)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s weighs how often it happened: weight and unit are for "
				  "tracepoints and probes",
				  quoted.text);
	/*
	 * The kernel reports the period that it has just chosen, not the one that has passed
	 * (perf_swevent_set_period), so weights are many times too large while it looks for a
	 * period.
	 */
	if (is_software && words->freq_hz)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "%s takes no freq=, with which the kernel tells wrong how many "
				  "passed; period=N samples one in N",
				  quoted.text);
	if (is_software && !words->in_kernel &&
	    (attr->config == PERF_COUNT_SW_CONTEXT_SWITCHES ||
	     attr->config == PERF_COUNT_SW_CPU_MIGRATIONS))
		return error__say(
			err, EXIT_USAGE, -EINVAL,
			"%s happens in the kernel alone: of user mode there are no samples",
			quoted.text);
	return 0;
}

int perf_attr__fill(struct perf_event_attr *attr, const struct event_words *words,
		    const char *directory, char **name, struct error *err)
{
	struct perf_name found;
	int code;

	*attr = (struct perf_event_attr){.size = sizeof(*attr)};
	code = fill_event(attr, words, directory, &found, err);
	if (code <= 0)
		return code;
	code = check(attr, words, err);
	if (code)
		return code;
	attr->exclude_user = !words->in_user;
	attr->exclude_kernel = !words->in_kernel;
	attr->exclude_hv = attr->exclude_user || attr->exclude_kernel;
	attr->exclude_guest = words->in_user; /* as perf: guests are counted with :k only */
	if (words->period) {
		attr->sample_period = words->period;
	} else if (words->freq_hz || attr->type != PERF_TYPE_SOFTWARE) {
		attr->freq = 1;
		attr->sample_freq = words->freq_hz;
	} else {
		attr->sample_period = 1;
	}
	*name = event_name__make(words, *found.text ? found.text : words->name);
	return 1;
}
