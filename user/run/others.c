// SPDX-License-Identifier: GPL-2.0-only
#include "run/others.h"

#include <stdio.h>

#include "base/text.h"

/* By a name of its values, which is what -e took, too: "cpu" where the event is the kernel's cpu-clock. */
static void print_event(const struct recording *recording)
{
	const char *weight = profile__metrics(recording->profile)->of[VALUE_WEIGHT].name;
	const char *event = weight ? weight : recording->facts[FACT_EVENT];

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
