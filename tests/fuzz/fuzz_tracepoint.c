// SPDX-License-Identifier: GPL-2.0-only
/* A description of a tracepoint that means harm: what is taken from it lies within a record. */
#include "require.h"

#include "capture/events/tracepoint.h"

static void check_field(const struct tracepoint *tracepoint, const struct tracepoint_field *field)
{
	struct error err;

	require(field->name[0] && strlen(field->name) < 64);
	require(field->offset + field->size <= TRACEPOINT_MAX_RECORD);
	require(tracepoint__field(tracepoint, field->name) != NULL);
	field = tracepoint__number(tracepoint, "a:b", field->name, true, &err);
	if (!field) {
		require(strlen(err.text) < sizeof(err.text));
		return;
	}
	require(field->size == 1 || field->size == 2 || field->size == 4 || field->size == 8);
	require(field->offset >= 8);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *format = malloc(size + 1), weights[64];
	struct tracepoint tracepoint;

	require(format != NULL);
	memcpy(format, data, size);
	format[size] = '\0';
	if (tracepoint_name__is_sane(format))
		require(!strchr(format, '/') && !strstr(format, ":."));
	if (!tracepoint__parse(&tracepoint, format))
		for (size_t i = 0; i < tracepoint.nr_fields && i < 100; i++)
			check_field(&tracepoint, &tracepoint.fields[i]);
	require(strlen(tracepoint__list_weights(&tracepoint, 9, weights, sizeof(weights))) <
		sizeof(weights));
	tracepoint__free(&tracepoint);
	return 0;
}
