// SPDX-License-Identifier: GPL-2.0-only
#include "diff/reports/carrier_words.h"

#include <math.h>

#define LEAST_PART 0.005 /* smaller parts would be shown as 0 % */

struct carrier_telling {
	FILE *out;
	const char *name;
	void (*print)(FILE *out, const struct carrier_words *words);
};

struct way {
	const char *how, *before_site; /* with a path, and without one */
	const char *how_alone, *before_site_alone;
	bool name_last; /* the unit's own name ends the path; else it begins it */
};

static const struct way outward = {"via", ", called at", "", "", true};
static const struct way inward = {"in", ", called at", "in its own code", ", at", false};
static const struct way lines = {"", "", "at", "", false};

static void put_names(FILE *out, const struct carrier *carrier)
{
	for (size_t i = 0; i < carrier->nr_names; i++)
		fprintf(out, "%s%s", i ? " → " : "", carrier->names[i] ? carrier->names[i] : "…");
}

/* NULL: out of memory. */
static char *make_path(const struct carrier *carrier, const struct way *way, const char *name)
{
	char *path = NULL;
	size_t size;
	FILE *out = open_memstream(&path, &size);

	if (!out)
		return NULL;
	if (!way->name_last)
		fprintf(out, "%s → ", name);
	put_names(out, carrier);
	if (way->name_last)
		fprintf(out, " → %s", name);
	if (!fclose(out))
		return path;
	free(path);
	return NULL;
}

static void print_one(const struct carrier_telling *telling, const struct carrier *carrier,
		      const struct way *way, const char *path, const char *site)
{
	struct carrier_words words = {.path = path, .site = site};

	snprintf(words.part, sizeof(words.part), "%.0f %% of the increase", 100 * carrier->part);
	words.how = path ? way->how : way->how_alone;
	words.before_site = path ? way->before_site : way->before_site_alone;
	telling->print(telling->out, &words);
}

/*
 * True if the site is worth telling. Of a path inward it is the place of the first call only, which
 * says little about a long path.
 */
static bool tells_site(const struct carrier *carrier, const struct way *way)
{
	return carrier->file && (way->name_last || carrier->nr_names < 2);
}

static int tell_carrier(const struct carrier_telling *telling, const struct carrier *carrier,
			const struct way *way)
{
	char *path = NULL, *site = NULL;
	int code = 0;

	if (carrier->nr_names) {
		path = make_path(carrier, way, telling->name);
		code = path ? 0 : -ENOMEM;
	}
	if (!code && tells_site(carrier, way) &&
	    asprintf(&site, "%s:%u", carrier->file, carrier->line) < 0) {
		site = NULL;
		code = -ENOMEM;
	}
	if (!code)
		print_one(telling, carrier, way, path, site);
	free(site);
	free(path);
	return code;
}

static int tell_all(const struct carrier_telling *telling, const struct carriers *carriers,
		    const struct way *way, const char *others)
{
	struct carrier_words words = {.how = others};
	int code = 0;

	for (size_t i = 0; i < carriers->nr && !code; i++)
		code = tell_carrier(telling, &carriers->of[i], way);
	if (code || !carriers->nr || fabs(carriers->other) < LEAST_PART)
		return code;
	snprintf(words.part, sizeof(words.part), "%.0f %% of the increase", 100 * carriers->other);
	telling->print(telling->out, &words);
	return 0;
}

int explanation__tell(FILE *out, const struct explanation *explanation, const char *name,
		      void (*print)(FILE *out, const struct carrier_words *words))
{
	const struct carrier_telling telling = {out, name, print};
	int code = explanation->passes_on
			   ? 0
			   : tell_all(&telling, &explanation->callers, &outward, "via others");

	if (!code && !explanation->passes_on)
		code = tell_all(&telling, &explanation->callees, &inward, "in other callees");
	if (!code)
		code = tell_all(&telling, &explanation->lines, &lines, "at other lines");
	return code;
}
