// SPDX-License-Identifier: GPL-2.0-only
#include "readers/dwarf_claims.h"

int dwarf_claims__init(struct dwarf_claims *claims, size_t nr_addresses)
{
	claims->claims = calloc(nr_addresses, sizeof(*claims->claims));
	claims->nr_addresses = claims->claims ? nr_addresses : 0;
	return claims->claims ? 0 : -ENOMEM;
}

void dwarf_claims__fini(struct dwarf_claims *claims)
{
	for (size_t i = 0; i < claims->nr_addresses; i++)
		free(claims->claims[i].places);
	free(claims->claims);
	*claims = (struct dwarf_claims){0};
}

void dwarf_claims__count(struct dwarf_claims *claims, size_t first, size_t end)
{
	for (size_t i = first; i < end; i++)
		claims->claims[i].nr_units += claims->claims[i].nr_units < 2;
}

bool dwarf_claims__are_several(const struct dwarf_claims *claims, size_t index)
{
	return claims->claims[index].nr_units > 1;
}

int dwarf_claims__hold(struct dwarf_claims *claims, size_t index, enum claim_rank rank,
		       const struct source_place *places, size_t nr_places)
{
	struct held_claim *claim = &claims->claims[index];
	struct source_place *held;

	if (claim->rank >= rank)
		return 0;
	held = malloc(nr_places * sizeof(*held));
	if (!held)
		return -ENOMEM;
	memcpy(held, places, nr_places * sizeof(*held));
	free(claim->places);
	claim->places = held;
	claim->nr_places = (uint8_t)nr_places;
	claim->rank = (uint8_t)rank;
	return 0;
}

int dwarf_claims__report(const struct dwarf_claims *claims, const struct place_taker *taker)
{
	int code = 0;

	for (size_t i = 0; i < claims->nr_addresses && !code; i++)
		if (claims->claims[i].rank)
			code = taker->take(taker->context, i, claims->claims[i].places,
					   claims->claims[i].nr_places);
	return code;
}
