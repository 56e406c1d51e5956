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

static void tell_carrier(const struct carrier_telling *telling, const struct carrier *carrier,
			 const struct way *way)
{
	struct carrier_words words = {.how = way->how_alone, .before_site = way->before_site_alone};
	char *path = NULL, *site = NULL;
	size_t size;
	FILE *out;

	snprintf(words.part, sizeof(words.part), "%.0f %% of the increase", 100 * carrier->part);
	if (carrier->nr_names) {
		words.how = way->how;
		words.before_site = way->before_site;
		out = xmemstream(&path, &size);
		if (!way->name_last)
			fprintf(out, "%s → ", telling->name);
		for (size_t i = 0; i < carrier->nr_names; i++)
			fprintf(out, "%s%s", i ? " → " : "",
				carrier->names[i] ? carrier->names[i] : "…");
		if (way->name_last)
			fprintf(out, " → %s", telling->name);
		xfclose(out);
		words.path = path;
	}
	/* Inward, the site is that of the first call, which says little of a long path. */
	if (carrier->file && (way->name_last || carrier->nr_names < 2))
		words.site = site = xasprintf("%s:%u", carrier->file, carrier->line);
	telling->print(telling->out, &words);
	free(site);
	free(path);
}

static void tell_all(const struct carrier_telling *telling, const struct carriers *carriers,
		     const struct way *way, const char *others)
{
	struct carrier_words words = {.how = others};

	for (size_t i = 0; i < carriers->nr; i++)
		tell_carrier(telling, &carriers->of[i], way);
	if (!carriers->nr || fabs(carriers->other) < LEAST_PART)
		return;
	snprintf(words.part, sizeof(words.part), "%.0f %% of the increase", 100 * carriers->other);
	telling->print(telling->out, &words);
}

void explanation__tell(FILE *out, const struct explanation *explanation, const char *name,
		       void (*print)(FILE *out, const struct carrier_words *words))
{
	const struct carrier_telling telling = {out, name, print};

	if (!explanation->passes_on) {
		tell_all(&telling, &explanation->callers, &outward, "via others");
		tell_all(&telling, &explanation->callees, &inward, "in other callees");
	}
	tell_all(&telling, &explanation->lines, &lines, "at other lines");
}
