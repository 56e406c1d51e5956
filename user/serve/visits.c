// SPDX-License-Identifier: GPL-2.0-only
#include "serve/visits.h"

#define MOST_USERS 64

struct visitor *visits__find(struct visits *visits, uint32_t uid, const char *name)
{
	struct visitor *visitor;
	size_t nr_of_user = 0;

	for (size_t i = 0; i < visits->nr; i++) {
		visitor = &visits->visitors[i];
		if (visitor->uid != uid)
			continue;
		if (!strcmp(visitor->name, name))
			return visitor;
		nr_of_user++;
	}
	if (nr_of_user >= MOST_VISITORS || visits->nr >= MOST_USERS * MOST_VISITORS)
		return NULL;
	array__reserve(&visits->visitors, &visits->capacity, visits->nr + 1);
	visitor = &visits->visitors[visits->nr++];
	*visitor = (struct visitor){.uid = uid};
	snprintf(visitor->name, sizeof(visitor->name), "%s", name);
	return visitor;
}

void visits__offer(struct visits *visits, struct visitor *visitor, uint64_t number,
		   uint64_t until_ns)
{
	const size_t index = (size_t)(visitor - visits->visitors);
	size_t place = 0;

	while (place < MOST_OFFERS && visits->offers[place].number)
		place++;
	if (place == MOST_OFFERS) { /* the front end could not report the end of some answers */
		visits__settle_all(visits);
		place = 0;
	}
	visits->offers[place] = (struct offer){number, visitor->until_ns, index};
	visitor->until_ns = until_ns;
}

static void settle(struct visits *visits, struct offer *offer, bool has_arrived)
{
	struct visitor *visitor = &visits->visitors[offer->visitor];

	if (!has_arrived && offer->from_ns < visitor->until_ns)
		visitor->until_ns = offer->from_ns;
	offer->number = 0;
}

void visits__settle(struct visits *visits, uint64_t number, bool has_arrived)
{
	for (size_t i = 0; number && i < MOST_OFFERS; i++)
		if (visits->offers[i].number == number)
			settle(visits, &visits->offers[i], has_arrived);
}

void visits__settle_all(struct visits *visits)
{
	for (size_t i = 0; i < MOST_OFFERS; i++)
		if (visits->offers[i].number)
			settle(visits, &visits->offers[i], false);
}

void visits__fini(struct visits *visits)
{
	free(visits->visitors);
	*visits = (struct visits){0};
}
