// SPDX-License-Identifier: GPL-2.0-only
#include "run/others.h"

#include <stdio.h>

#include "base/text.h"

static void print_event(const struct recording *recording)
{
	const char *event = recording->facts[FACT_EVENT];

	text__print_safe(stderr, event ? event : "[unnamed]", 60);
}

void others__tell(const struct recording *recording, const char *done)
{
	if (!recording->more)
		return;
	fprintf(stderr, "topstacks: %s is ", done);
	print_event(recording);
	fputs("; --sample-type picks another: ", stderr);
	for (const struct recording *other = recording->more; other; other = other->more) {
		print_event(other);
		fputs(other->more ? ", " : "\n", stderr);
	}
}
