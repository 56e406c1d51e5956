// SPDX-License-Identifier: GPL-2.0-only
#include "push/parts.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/gzip.h"
#include "formats/pprof/pprof.h"
#include "formats/pprof/wire.h"

/* "page_faults": Pyroscope wants names with no '-'. */
static void set_plain_types(struct profile *profile)
{
	struct metrics metrics = *profile__metrics(profile);
	char names[VALUES][256];

	for (int i = 0; i < VALUES; i++) {
		if (!metrics.of[i].name)
			continue;
		snprintf(names[i], sizeof(names[i]), "%s", metrics.of[i].name);
		for (char *dash = names[i]; (dash = strchr(dash, '-'));)
			*dash = '_';
		metrics.of[i].name = names[i];
	}
	profile__set_metrics(profile, &metrics);
}

/* The last four bytes of a gzip file. */
static size_t inflated_bytes(const char *bytes, size_t nr)
{
	size_t inflated = 0;

	for (size_t i = 0; i < 4 && nr >= 4; i++)
		inflated |= (size_t)(unsigned char)bytes[nr - 4 + i] << (8 * i);
	return inflated;
}

int parts__write(const struct push_upload *upload, size_t from, size_t to, int64_t start_ns,
		 enum write_labels labels, bool plain_types, struct push_bytes *part)
{
	const struct write_options options = {.labels = labels};
	struct recording recording;
	FILE *out;
	int code;

	*part = (struct push_bytes){0};
	upload__part(upload, from, to, &recording);
	recording.start_realtime_ns = start_ns;
	if (plain_types)
		set_plain_types(recording.profile);
	out = xmemstream(&part->bytes, &part->nr);
	code = pprof__write(out, &recording, &options);
	if (fclose(out))
		code = -ENOMEM;
	profile__free(recording.profile);
	part->nr_inflated = inflated_bytes(part->bytes, part->nr);
	if (code) {
		free(part->bytes);
		*part = (struct push_bytes){0};
	}
	return code;
}

int parts__print_strings(FILE *out, const struct push_bytes *part)
{
	char *bytes;
	size_t nr;
	struct wire wire;
	struct wire_field field;
	int code = gzip__inflate(part->bytes, part->nr, SIZE_MAX, &bytes, &nr, NULL);

	if (code)
		return code;
	wire = (struct wire){(const uint8_t *)bytes, (const uint8_t *)bytes + nr};
	while (wire__next(&wire, &field) > 0)
		if (field.number == PROFILE_STRING && field.type == WIRE_BYTES) {
			char *string = xstrndup((const char *)field.content, field.nr_bytes);

			if (*string) {
				fputs("    ", out);
				text__print_safe(out, string, 0);
				fputc('\n', out);
			}
			free(string);
		}
	free(bytes);
	return 0;
}
