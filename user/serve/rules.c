// SPDX-License-Identifier: GPL-2.0-only
#include "serve/rules.h"

#include "profile/select/choice.h"

/* The last reading of the account of a pressure rule. */
struct pressure_past {
	bool is_known;
	uint64_t total_us, time_ns;
};

struct watched_rule {
	struct when_rule rule;
	char name[RULE_NAME_SIZE];
	struct pressure_past past;
	uint64_t held_ns;  /* without a break, since it fired or would have */
	bool has_fired;	   /* at the last judging */
	bool fired_before; /* at fired_ns */
	uint64_t fired_ns;
	uint64_t nr_suppressed;
};

struct rules {
	read_pressure *read;
	void *context;
	struct watched_rule list[MAX_RULES];
	size_t nr;
};

struct rules *rules__new(read_pressure *read, void *context)
{
	struct rules *rules = xcalloc(1, sizeof(*rules));

	rules->read = read;
	rules->context = context;
	return rules;
}

void rules__free(struct rules *rules)
{
	free(rules);
}

/* ---- names ---- */

static bool has_name(const struct rules *rules, const char *name)
{
	for (size_t i = 0; i < rules->nr; i++)
		if (!strcmp(rules->list[i].name, name))
			return true;
	return false;
}

/* Keeps letters and digits; replaces other characters by single dashes, none at either end. */
static void simplify(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++) {
		const bool stays = (*from >= 'a' && *from <= 'z') ||
				   (*from >= 'A' && *from <= 'Z') ||
				   (*from >= '0' && *from <= '9') || *from == '_';

		if (stays)
			*to++ = *from;
		else if (to > text && to[-1] != '-')
			*to++ = '-';
	}
	while (to > text && to[-1] == '-')
		to--;
	*to = '\0';
}

static void make_name(const struct rules *rules, struct watched_rule *watched)
{
	static const char *const words[] = {
		[RULE_OF_ALL] = "",
		[RULE_OF_COMM] = "-of-comm-",
		[RULE_OF_PID] = "-of-pid-",
		[RULE_OF_CGROUP] = "-of-cgroup-",
	};
	const struct when_rule *rule = &watched->rule;
	char base[RULE_NAME_SIZE], pid[16] = "";

	if (rule->subject == RULE_OF_PID)
		snprintf(pid, sizeof(pid), "%d", rule->pid);
	snprintf(base, sizeof(base), "%s%s%.32s", rule_measure__name(rule->measure),
		 words[rule->subject], *pid ? pid : rule->name);
	simplify(base);
	snprintf(watched->name, sizeof(watched->name), "%s", base);
	for (unsigned int i = 2; has_name(rules, watched->name); i++)
		snprintf(watched->name, sizeof(watched->name), "%.59s-%u", base,
			 i % (MAX_RULES + 2));
}

/* ---- rules ---- */

static bool is_of_pressure(const struct when_rule *rule)
{
	return rule->measure != RULE_CPU;
}

static const char *cgroup_of(const struct when_rule *rule)
{
	return rule->subject == RULE_OF_CGROUP ? rule->name : "";
}

int rules__add(struct rules *rules, const char *text, struct error *err)
{
	struct watched_rule watched = {0};
	const struct when_rule *rule = &watched.rule;
	struct quoted quoted;
	uint64_t total_us;
	int code;

	if (rules->nr == MAX_RULES)
		return error__say(err, EXIT_USAGE, -E2BIG, "more than %d rules", MAX_RULES);
	code = rule__parse(&watched.rule, text, err);
	if (code)
		return code;
	if (is_of_pressure(rule))
		code = rules->read(rules->context, rule->measure, cgroup_of(rule), &total_us);
	if (code) {
		error__set(err, EXIT_USAGE, code, "no pressure to read for the rule %s",
			   quote(&quoted, text));
		return error__remedy(err, code == -ENOENT
						  ? "is there such a cgroup, and a kernel with "
						    "psi=1?"
						  : "psi=1 makes the kernel count it");
	}
	make_name(rules, &watched);
	rules->list[rules->nr++] = watched;
	return 0;
}

size_t rules__nr(const struct rules *rules)
{
	return rules->nr;
}

bool rules__has_fired(const struct rules *rules, size_t index)
{
	return rules->list[index].has_fired;
}

const char *rules__name(const struct rules *rules, size_t index)
{
	return rules->list[index].name;
}

uint64_t rules__nr_suppressed(const struct rules *rules, size_t index)
{
	return rules->list[index].nr_suppressed;
}

/* ---- measuring ---- */

/* A measured share, and the time that it is of. */
struct measured {
	double percent;
	uint64_t time_ns; /* 0: not known */
};

static bool is_about(const struct when_rule *rule, const struct process *process)
{
	switch (rule->subject) {
	case RULE_OF_COMM:
		return choice__has_comm(process, rule->name);
	case RULE_OF_PID:
		return process->pid == rule->pid;
	case RULE_OF_CGROUP:
		return choice__is_below(process->cgroup_path, rule->name);
	default:
		return true;
	}
}

static struct measured measure_cpu(const struct when_rule *rule, const struct recording *slice)
{
	const struct recording *cpu = slice;
	const struct dictionary *dictionary;
	const struct sample *samples;
	double sum_ns = 0;
	size_t nr;

	for (; cpu; cpu = cpu->more) {
		const struct metric *weight = &profile__metrics(cpu->profile)->of[VALUE_WEIGHT];

		if (weight->name && !strcmp(weight->name, "cpu") && weight->unit &&
		    !strcmp(weight->unit, "nanoseconds"))
			break;
	}
	if (!cpu || !slice->duration_ns)
		return (struct measured){0};
	dictionary = profile__dictionary(cpu->profile);
	samples = profile__samples(cpu->profile, &nr);
	for (size_t i = 0; i < nr; i++)
		if (is_about(rule, dictionary__process(dictionary, samples[i].process)))
			sum_ns += (double)samples[i].values[VALUE_WEIGHT];
	return (struct measured){.percent = 100 * sum_ns / (double)slice->duration_ns,
				 .time_ns = slice->duration_ns};
}

/* Pressure since the last look. A counter that fell belongs to a new cgroup: start over. */
static struct measured measure_pressure(const struct rules *rules, struct watched_rule *watched,
					uint64_t now_ns)
{
	const struct pressure_past before = watched->past;
	struct pressure_past *past = &watched->past;

	past->time_ns = now_ns;
	past->is_known = !rules->read(rules->context, watched->rule.measure,
				      cgroup_of(&watched->rule), &past->total_us);
	if (!before.is_known || !past->is_known || past->total_us < before.total_us ||
	    now_ns <= before.time_ns)
		return (struct measured){0};
	return (struct measured){
		.percent = 100 * (double)(past->total_us - before.total_us) * 1000 /
			   (double)(now_ns - before.time_ns),
		.time_ns = now_ns - before.time_ns,
	};
}

/* ---- judging ---- */

static void judge(const struct rules *rules, struct watched_rule *watched,
		  const struct recording *slice, uint64_t now_ns)
{
	const struct measured measured = is_of_pressure(&watched->rule)
						 ? measure_pressure(rules, watched, now_ns)
						 : measure_cpu(&watched->rule, slice);

	watched->has_fired = false;
	if (!measured.time_ns || measured.percent <= watched->rule.above) {
		watched->held_ns = 0;
		return;
	}
	watched->held_ns += measured.time_ns;
	if (watched->held_ns < watched->rule.for_ns)
		return;
	watched->held_ns = 0; /* it must hold as long again before it fires next */
	if (watched->fired_before && now_ns - watched->fired_ns < RULE_PAUSE_NS) {
		watched->nr_suppressed++;
		return;
	}
	watched->has_fired = true;
	watched->fired_ns = now_ns;
	watched->fired_before = true;
}

bool rules__judge(struct rules *rules, const struct recording *slice, uint64_t now_ns)
{
	bool any = false;

	for (size_t i = 0; i < rules->nr; i++) {
		judge(rules, &rules->list[i], slice, now_ns);
		any |= rules->list[i].has_fired;
	}
	return any;
}
