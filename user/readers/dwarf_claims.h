/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Addresses within the ranges of several units: claims of all units are kept until the last one is
 * read, then the best is reported.
 */
#ifndef TOPSTACKS_READERS_DWARF_CLAIMS_H
#define TOPSTACKS_READERS_DWARF_CLAIMS_H

#include "base/common.h"
#include "readers/source_lines.h"

enum claim_rank {
	CLAIM_OF_UNIT = 1, /* the unit has no function there */
	CLAIM_OF_FUNCTION,
	CLAIM_OF_SYMBOL, /* its function has the name of the symbol there */
};

struct held_claim {
	uint8_t nr_units; /* 2: two or more */
	uint8_t rank;	  /* enum claim_rank; 0: none is held */
	uint8_t nr_places;
	struct source_place *places;
};

struct dwarf_claims {
	struct held_claim *claims; /* one for each address */
	size_t nr_addresses;
};

/* 0 or -ENOMEM. */
int dwarf_claims__init(struct dwarf_claims *claims, size_t nr_addresses);
void dwarf_claims__fini(struct dwarf_claims *claims); /* zeroed is fine */

/* Notes that another unit has the addresses with indexes in [first, end). */
void dwarf_claims__count(struct dwarf_claims *claims, size_t first, size_t end);
bool dwarf_claims__are_several(const struct dwarf_claims *claims, size_t index);

/*
 * Adds a unit's claim to an address; its strings must stay valid. Of claims with the same rank the
 * first wins. 0 or -ENOMEM.
 */
int dwarf_claims__hold(struct dwarf_claims *claims, size_t index, enum claim_rank rank,
		       const struct source_place *places, size_t nr_places);

/* Passes the best claims to the taker. 0, or what the taker returned. */
int dwarf_claims__report(const struct dwarf_claims *claims, const struct place_taker *taker);

#endif
