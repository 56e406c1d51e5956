// SPDX-License-Identifier: GPL-2.0-only
/* The request as a file. Samples say themselves whose they are, and command lines are never told. */
#include <stdlib.h>

#include "base/text.h"
#include "formats/formats.h"
#include "formats/otlp/otlp.h"

int otlp__write(FILE *out, const struct recording *recording, const struct write_options *options)
{
	const struct otlp_options all = {.attributes = OTLP_ALL};
	uint8_t *bytes;
	size_t nr_bytes;
	const int code = otlp__pack(recording, &all, &bytes, &nr_bytes);

	(void)options;
	if (code)
		return code;
	fwrite(bytes, 1, nr_bytes, out);
	free(bytes);
	return text__stream_error(out);
}
