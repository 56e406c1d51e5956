// SPDX-License-Identifier: GPL-2.0-only
#include "push/verdict.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/quote.h"
#include "base/text.h"
#include "formats/pprof/wire.h"

enum push_verdict verdict__of(const struct push_answer *answer)
{
	static const struct {
		long status;
		enum push_verdict verdict;
	} rows[] = {
		{0, VERDICT_TRY_AGAIN},	      {502, VERDICT_TRY_AGAIN},
		{503, VERDICT_TRY_AGAIN},     {504, VERDICT_TRY_AGAIN},
		{429, VERDICT_TOO_MUCH},      {400, VERDICT_BAD},
		{413, VERDICT_TOO_LARGE},     {401, VERDICT_MISCONFIGURED},
		{403, VERDICT_MISCONFIGURED}, {404, VERDICT_MISCONFIGURED},
		{405, VERDICT_MISCONFIGURED}, {407, VERDICT_MISCONFIGURED},
		{415, VERDICT_MISCONFIGURED}, {501, VERDICT_MISCONFIGURED},
	};

	if (answer->status >= 200 && answer->status < 300)
		return VERDICT_TAKEN;
	if (answer->status >= 100 && answer->status < 400)
		return VERDICT_MISCONFIGURED; /* redirects, too */
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].status == answer->status)
			return rows[i].verdict;
	return VERDICT_REFUSED;
}

bool verdict__is_unconfirmed(const struct push_answer *answer, bool several)
{
	if (!answer->status)
		return answer->may_have_arrived;
	return answer->status >= 500 || several;
}

/* ExportProfilesServiceResponse{1: partial_success{1: rejected_profiles}} */
uint64_t verdict__nr_rejected(const struct push_answer *answer)
{
	const uint8_t *const bytes = (const uint8_t *)answer->bytes;
	struct wire wire = {bytes, bytes + answer->nr_bytes};
	struct wire_field field;
	uint64_t numbers[2] = {0};

	while (wire__next(&wire, &field) > 0)
		if (field.number == 1 && field.type == WIRE_BYTES &&
		    wire__numbers(&field, numbers, 2))
			return 0;
	return numbers[1];
}

void verdict__describe(const struct push_answer *answer, char *text, size_t size)
{
	struct quoted quoted;
	char *why = answer->status ? NULL : text__safe_copy(answer->why);

	if (!answer->status)
		snprintf(text, size, "%s", why ? why : "no answer");
	else if (!*answer->bytes)
		snprintf(text, size, "the server says %ld", answer->status);
	else
		snprintf(text, size, "the server says %ld, %s", answer->status,
			 quote(&quoted, answer->bytes));
	free(why);
}
