// SPDX-License-Identifier: GPL-2.0-only
/* Settings of a comparison: what is accepted, what it does, and that what is printed reads back. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "diff/comparable.h"
#include "diff/config.h"
#include "diff/matching/names.h"
#include "expect.h"

static int parse(struct diff_config *config, const char *text, struct error *err)
{
	char *copy = strdup(text);
	int code = diff_config__parse(config, copy, err);

	free(copy);
	return code;
}

static char *print(const struct diff_config *config)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	diff_config__print(out, config);
	fclose(out);
	return text;
}

static void test_settings(void)
{
	struct diff_config config;

	diff_config__init(&config);
	EXPECT_EQ(config.nr_rules, 1);
	EXPECT(compared_names__is_machine(&config.names, "schedule", true));
	EXPECT_EQ(parse(&config,
			"# of this project\n\n alpha = 0.01 \r\nmin-effect=7\nmin-share = 1\n"
			"fail-on = regressed:total>5%, improved\nallow = host,kernel\n"
			"function = 30 hash_*\nfunction = 50 a b\nmachine = mydriver_\n"
			"name = \" v%d\" \"\"\n",
			NULL),
		  0);
	EXPECT_NEAR(config.decision.alpha, 0.01, 1e-12);
	EXPECT_NEAR(config.decision.min_effect, 0.07, 1e-12);
	EXPECT_NEAR(config.decision.min_points, 0.01, 1e-12);
	EXPECT_EQ(config.nr_rules, 2);
	EXPECT(!config.rules[0].self && config.rules[0].total);
	EXPECT_NEAR(config.rules[0].above, 0.05, 1e-12);
	EXPECT_EQ(config.rules[1].verdict, VERDICT_IMPROVED);
	EXPECT_EQ(config.allowed, 1u << OBSTACLE_HOST | 1u << OBSTACLE_KERNEL);
	EXPECT_EQ(config.nr_effects, 2);
	EXPECT_STR(config.effects[0].pattern, "hash_*");
	EXPECT_NEAR(config.effects[0].min_effect, 0.3, 1e-12);
	EXPECT_STR(config.effects[1].pattern, "a b");
	EXPECT(compared_names__is_machine(&config.names, "schedule", true));
	EXPECT(compared_names__is_machine(&config.names, "mydriver_poll", true));
	diff_config__fini(&config);
}

static void test_names(void)
{
	struct diff_config config;
	char *name;

	diff_config__init(&config);
	EXPECT_EQ(parse(&config, "name =\nname = \" v%d\" \" =\"\nmachine =", NULL), 0);
	name = name_rule__apply_all(config.names.rules, config.names.nr_rules, "f.isra.0 v12");
	EXPECT_STR(name, "f.isra.0 =");
	free(name);
	EXPECT(!compared_names__is_machine(&config.names, "schedule", true));
	diff_config__fini(&config);
}

static void expect_round_trip(struct diff_config *config)
{
	struct diff_config again;
	char *first = print(config), *second;

	diff_config__init(&again);
	EXPECT_EQ(parse(&again, first, NULL), 0);
	second = print(&again);
	EXPECT_STR(second, first);
	free(second);
	free(first);
	diff_config__fini(&again);
}

static void test_round_trip(void)
{
	struct diff_config config;

	diff_config__init(&config);
	expect_round_trip(&config);
	EXPECT_EQ(
		parse(&config,
		      "alpha = 0.0375\nmin-effect = 12.5\nfail-on = improved:self>7.5%,regressed\n"
		      "allow = empty,types\nfunction = 30 *::hash\nmachine =\nname =",
		      NULL),
		0);
	expect_round_trip(&config);
	EXPECT_EQ(parse(&config, "fail-on = none\nallow = none", NULL), 0);
	EXPECT_EQ(config.nr_rules, 0);
	expect_round_trip(&config);
	diff_config__fini(&config);
}

static void test_refused(void)
{
	static const char *const lines[] = {
		"alpha = 0",
		"alpha = 0.5",
		"alpha = 0.6",
		"alpha = 1e",
		"alpha = -1",
		"alpha =",
		"alpha = nan",
		"min-effect = 5%",
		"min-effect = inf",
		"min-share = 51",
		"fail-on =",
		"fail-on = worse",
		"fail-on = regressed,",
		"fail-on = regressed>5",
		"allow = everything",
		"allow = host,",
		"function = 30",
		"function = x f",
		"function =",
		"name = a b",
		"name = \"a\"",
		"name = \"\" \"b\"",
		"name = \"a\" b",
		"name = \"",
		"name = \" \"",
		"name = \"%q\" \"\"",
		"colour = red",
		"alpha",
		"= 5",
	};

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		struct diff_config config;
		struct error err = {0};
		char text[80];

		snprintf(text, sizeof(text), "# one\n%s\n", lines[i]);
		diff_config__init(&config);
		EXPECT_EQ(parse(&config, text, &err), -EINVAL);
		EXPECT_EQ(err.exit_code, EXIT_USAGE);
		if (strncmp(err.text, "line 2: ", 8) != 0)
			EXPECT_STR(err.text, lines[i]);
		diff_config__fini(&config);
	}
}

int main(void)
{
	static const struct test tests[] = {
		{"settings", test_settings},
		{"names and machine units", test_names},
		{"printed and read again", test_round_trip},
		{"refused", test_refused},
		{0},
	};

	return run_tests("diff_config", tests);
}
