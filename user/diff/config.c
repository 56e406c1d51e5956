// SPDX-License-Identifier: GPL-2.0-only
/*
 * Settings of a comparison, one a line, as a project keeps them beside its code:
 *
 *	min-effect = 5
 *	function = 30 hash_*
 *
 * One table serves parsing and printing. The printed settings can be parsed again, and give the
 * same config.
 */
#include "diff/config.h"

#include <ctype.h>
#include <math.h>

#include "diff/comparable.h"

struct setting {
	const char *key;
	const char *accepted;
	/* 0, or -EINVAL: not accepted. It may modify value. */
	int (*set)(struct diff_config *config, const struct setting *setting, char *value);
	void (*print)(FILE *out, const struct diff_config *config, const struct setting *setting);
	size_t offset; /* of a number in the config */
	double min, max, unit;
};

/* ---- numbers ---- */

/* Takes a decimal number with nothing behind it. */
static int parse_number(double *field, const char *value, double min, double max, double unit)
{
	double number;
	char *end;

	if (!isdigit((unsigned char)*value) && *value != '.')
		return -EINVAL;
	number = strtod(value, &end);
	if (*end || !isfinite(number) || number < min || number > max)
		return -EINVAL;
	*field = number / unit;
	return 0;
}

static int set_number(struct diff_config *config, const struct setting *setting, char *value)
{
	double *field = (double *)(void *)((char *)config + setting->offset);

	return parse_number(field, value, setting->min, setting->max, setting->unit);
}

static void print_number(FILE *out, const struct diff_config *config, const struct setting *setting)
{
	double number;

	memcpy(&number, (const char *)config + setting->offset, sizeof(number));
	fprintf(out, "%s = %.10g\n", setting->key, number * setting->unit);
}

/* ---- the gate: "regressed:total>5%,improved" ---- */

static int add_rule(struct diff_config *config, const char *text)
{
	array__reserve(&config->rules, &config->rules_capacity, config->nr_rules + 1);
	if (gate_rule__parse(&config->rules[config->nr_rules], text, NULL))
		return -EINVAL;
	config->nr_rules++;
	return 0;
}

static int set_fail_on(struct diff_config *config, const struct setting *setting, char *value)
{
	int err = 0;

	(void)setting;
	config->nr_rules = 0;
	if (!strcmp(value, "none"))
		return 0;
	while (value && !err) {
		char *word = strsep(&value, ",");

		err = add_rule(config, word + strspn(word, " "));
	}
	return err;
}

static void print_fail_on(FILE *out, const struct diff_config *config,
			  const struct setting *setting)
{
	fprintf(out, "%s = %s", setting->key, config->nr_rules ? "" : "none");
	for (size_t i = 0; i < config->nr_rules; i++) {
		const struct gate_rule *rule = &config->rules[i];

		fprintf(out, "%s%s", i ? "," : "", verdict__name(rule->verdict));
		if (!rule->self || !rule->total)
			fputs(rule->self ? ":self" : ":total", out);
		if (rule->above > 0)
			fprintf(out, ">%.10g%%", 100 * rule->above);
	}
	fputs("\n", out);
}

/* ---- differences that are allowed ---- */

static int set_allow(struct diff_config *config, const struct setting *setting, char *value)
{
	unsigned int allowed = 0;

	(void)setting;
	if (!strcmp(value, "none"))
		value = NULL;
	while (value) {
		char *word = strsep(&value, ",");
		enum obstacle obstacle = 0;

		word += strspn(word, " ");
		while (obstacle < OBSTACLES && strcmp(obstacle__name(obstacle), word) != 0)
			obstacle++;
		if (obstacle == OBSTACLES)
			return -EINVAL;
		allowed |= 1u << obstacle;
	}
	config->allowed = allowed;
	return 0;
}

static void print_allow(FILE *out, const struct diff_config *config, const struct setting *setting)
{
	const char *comma = "";

	fprintf(out, "%s = %s", setting->key, config->allowed ? "" : "none");
	for (enum obstacle i = 0; i < OBSTACLES; i++) {
		if (!(config->allowed & 1u << i))
			continue;
		fprintf(out, "%s%s", comma, obstacle__name(i));
		comma = ",";
	}
	fputs("\n", out);
}

/* ---- functions with their own min_effect ---- */

/* "30 hash_*" */
static int set_function(struct diff_config *config, const struct setting *setting, char *value)
{
	char *percent = strsep(&value, " \t");
	struct effect_rule effect = {0};

	if (!value || !value[strspn(value, " \t")] ||
	    parse_number(&effect.min_effect, percent, setting->min, setting->max, setting->unit))
		return -EINVAL;
	effect.pattern = xstrdup(value + strspn(value, " \t"));
	array__reserve(&config->effects, &config->effects_capacity, config->nr_effects + 1);
	config->effects[config->nr_effects++] = effect;
	return 0;
}

static void print_function(FILE *out, const struct diff_config *config,
			   const struct setting *setting)
{
	for (size_t i = 0; i < config->nr_effects; i++)
		fprintf(out, "%s = %.10g %s\n", setting->key,
			config->effects[i].min_effect * setting->unit, config->effects[i].pattern);
}

/* ---- lists that start with the built-in entries ---- */

static int set_machine(struct diff_config *config, const struct setting *setting, char *value)
{
	(void)setting;
	if (*value)
		return compared_names__add_machine(&config->names, value);
	compared_names__clear_machine(&config->names);
	return 0;
}

static void print_machine(FILE *out, const struct diff_config *config,
			  const struct setting *setting)
{
	fprintf(out, "%s =\n", setting->key);
	for (size_t i = 0; i < config->names.nr_machine; i++)
		fprintf(out, "%s = %s\n", setting->key, config->names.machine[i]);
}

/* Parses "PATTERN" "REPLACEMENT", in quotes as spaces are significant. */
static int set_name(struct diff_config *config, const struct setting *setting, char *value)
{
	struct name_rule rule = {0};
	size_t length = strlen(value);
	char *middle;

	(void)setting;
	if (!length) {
		compared_names__clear_rules(&config->names);
		return 0;
	}
	middle = strstr(value, "\" \"");
	if (value[0] != '"' || !middle || middle == value || value[length - 1] != '"' ||
	    middle + 3 > value + length - 1)
		return -EINVAL;
	*middle = value[length - 1] = '\0';
	rule.pattern = value + 1;
	rule.replacement = middle + 3;
	return compared_names__add_rule(&config->names, &rule);
}

static void print_name(FILE *out, const struct diff_config *config, const struct setting *setting)
{
	const struct name_rule *rules = config->names.rules;

	fprintf(out, "%s =\n", setting->key);
	for (size_t i = 0; i < config->names.nr_rules; i++)
		fprintf(out, "%s = \"%s\" \"%s\"\n", setting->key, rules[i].pattern,
			rules[i].replacement);
}

/* ---- all settings ---- */

static const struct setting settings[] = {
	{.key = "alpha",
	 .accepted = "a probability up to 0.49",
	 .set = set_number,
	 .print = print_number,
	 .offset = offsetof(struct diff_config, decision.alpha),
	 .min = 1e-9,
	 .max = 0.49,
	 .unit = 1},
	{.key = "min-effect",
	 .accepted = "a percentage from 0.01 on",
	 .set = set_number,
	 .print = print_number,
	 .offset = offsetof(struct diff_config, decision.min_effect),
	 .min = 0.01,
	 .max = 10000,
	 .unit = 100},
	{.key = "min-share",
	 .accepted = "a percentage of all samples, 0.001 to 50",
	 .set = set_number,
	 .print = print_number,
	 .offset = offsetof(struct diff_config, decision.min_points),
	 .min = 0.001,
	 .max = 50,
	 .unit = 100},
	{.key = "fail-on",
	 .accepted = "none, or regressed or improved, then perhaps :self or :total, then perhaps a "
		     "bound like >5%, several with commas",
	 .set = set_fail_on,
	 .print = print_fail_on},
	{.key = "allow",
	 .accepted = "none, or with commas what may differ: types, event, unwinding, cpu, cpus, "
		     "kernel, host, rate, duration, losses, empty",
	 .set = set_allow,
	 .print = print_allow},
	{.key = "function",
	 .accepted = "a percentage and a pattern, like 30 hash_*",
	 .set = set_function,
	 .print = print_function,
	 .min = 0.01,
	 .max = 1e6,
	 .unit = 100},
	{.key = "machine",
	 .accepted = "how names of kernel functions start, or nothing, which empties the list",
	 .set = set_machine,
	 .print = print_machine},
	{.key = "name",
	 .accepted = "\"PATTERN\" \"REPLACEMENT\", or nothing, which empties the list",
	 .set = set_name,
	 .print = print_name},
};

#define NR_SETTINGS (sizeof(settings) / sizeof(settings[0]))

int diff_config__set(struct diff_config *config, const char *key, const char *value,
		     struct error *err)
{
	const struct setting *setting = settings;
	struct quoted quoted;
	char *copy;
	int code;

	while (setting < settings + NR_SETTINGS && strcmp(setting->key, key) != 0)
		setting++;
	if (setting == settings + NR_SETTINGS)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "no setting %s; --show-config shows those that exist",
				  quote(&quoted, key));
	copy = xstrdup(value);
	code = setting->set(config, setting, copy);
	free(copy);
	return code ? error__say(err, EXIT_USAGE, code, "bad value %s for %s: expected %s",
				 quote(&quoted, value), setting->key, setting->accepted)
		    : 0;
}

static char *trim(char *text)
{
	char *end;

	text += strspn(text, " \t\r");
	end = text + strlen(text);
	while (end > text && strchr(" \t\r", end[-1]))
		end--;
	*end = '\0';
	return text;
}

int diff_config__parse(struct diff_config *config, char *text, struct error *err)
{
	struct error inner = {0};

	for (size_t number = 1; text; number++) {
		char *line = trim(strsep(&text, "\n")), *value = strchr(line, '=');
		struct quoted quoted;
		int code;

		if (!*line || *line == '#')
			continue;
		if (!value)
			return error__say(err, EXIT_USAGE, -EINVAL,
					  "line %zu: %s is no setting: expected KEY = VALUE",
					  number, quote(&quoted, line));
		*value++ = '\0';
		code = diff_config__set(config, trim(line), trim(value), &inner);
		if (code)
			return error__say(err, inner.exit_code, code, "line %zu: %s", number,
					  inner.text);
	}
	return 0;
}

void diff_config__print(FILE *out, const struct diff_config *config)
{
	for (size_t i = 0; i < NR_SETTINGS; i++)
		settings[i].print(out, config, &settings[i]);
}

void diff_config__init(struct diff_config *config)
{
	*config = (struct diff_config){
		.decision = decision_options__default(),
	};
	compared_names__init(&config->names);
	add_rule(config, "regressed");
}

void diff_config__fini(struct diff_config *config)
{
	for (size_t i = 0; i < config->nr_effects; i++)
		free((char *)config->effects[i].pattern);
	free(config->effects);
	free(config->rules);
	compared_names__fini(&config->names);
	*config = (struct diff_config){0};
}
