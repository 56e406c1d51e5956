/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses that are in the ranges of several units: all that these say is held until the last one has
 * spoken, and the best of it is told.
 */
#ifndef TOPSTACKS_READERS_DWARF_CLAIMS_H
#define TOPSTACKS_READERS_DWARF_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "readers/source_lines.h"

enum claim_rank {
	CLAIM_OF_UNIT = 1, /* it has no function there */
	CLAIM_OF_FUNCTION,
	CLAIM_OF_SYMBOL, /* its function has the name that symbols have there */
};

struct held_claim {
	uint8_t nr_units; /* 2: or more */
	uint8_t rank;	  /* enum claim_rank; 0: nothing is held */
	uint8_t nr_places;
	struct source_place *places;
};

struct dwarf_claims {
	struct held_claim *claims; /* of each address */
	size_t nr_addresses;
};

/* 0 or -ENOMEM. */
int dwarf_claims__init(struct dwarf_claims *claims, size_t nr_addresses);
void dwarf_claims__fini(struct dwarf_claims *claims); /* zeroed is fine */

/* Another unit has the addresses from one index to before another. */
void dwarf_claims__count(struct dwarf_claims *claims, size_t first, size_t end);
bool dwarf_claims__are_several(const struct dwarf_claims *claims, size_t index);

/* Adds a unit's claim to an address; its strings stay valid. The first one of several of a rank counts. 0 or -ENOMEM. */
int dwarf_claims__hold(struct dwarf_claims *claims, size_t index, enum claim_rank rank,
		       const struct source_place *places, size_t nr_places);

/* 0, or what the taker returned. */
int dwarf_claims__report(const struct dwarf_claims *claims, const struct place_taker *taker);

#endif
