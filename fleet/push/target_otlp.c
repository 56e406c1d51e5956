// SPDX-License-Identifier: GPL-2.0-only
/* OpenTelemetry's profiles over HTTP: an ExportProfilesServiceRequest, gzipped. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "formats/gzip.h"
#include "formats/otlp/otlp.h"
#include "formats/otlp/profiles.pb-c.h"
#include "push/target.h"

static void name_service(void *upload, const struct process *process, char *text, size_t size)
{
	snprintf(text, size, "%s", upload__series_of(upload, process)->service);
}

/* A request has one event, because an answer that rejects profiles does not tell which. */
static int pack(const struct push_upload *upload, size_t from, size_t to, int64_t start_ns,
		uint8_t **bytes, size_t *nr_bytes)
{
	const struct otlp_options options = {
		.attributes = OTLP_CONTAINER | OTLP_EXECUTABLE,
		.name_service = name_service,
		.context = (void *)(uintptr_t)upload,
	};
	struct recording recording;
	int code;

	upload__part(upload, from, to, &recording);
	recording.start_realtime_ns = start_ns;
	code = otlp__pack(&recording, &options, bytes, nr_bytes);
	profile__free(recording.profile);
	return code;
}

static int compress(const void *bytes, size_t nr_bytes, struct push_bytes *body)
{
	FILE *out = xmemstream(&body->bytes, &body->nr);
	struct gzip *gzip = gzip__new(out);
	int code = gzip ? gzip__write(gzip, bytes, nr_bytes) : -ENOMEM;

	if (!code)
		code = gzip__finish(gzip);
	gzip__free(gzip);
	if (fclose(out))
		code = -ENOMEM;
	if (code) {
		free(body->bytes);
		body->bytes = NULL;
	}
	return code;
}

static int make(const struct push_upload *upload, size_t from, size_t to, int64_t start_ns,
		struct push_bytes *body)
{
	uint8_t *bytes;
	size_t nr_bytes;
	int code = pack(upload, from, to, start_ns, &bytes, &nr_bytes);

	*body = (struct push_bytes){.nr_inflated = nr_bytes};
	if (code)
		return code;
	code = compress(bytes, nr_bytes, body);
	free(bytes);
	return code;
}

/* Attributes of resources are told with the series. */
static int print_strings(FILE *out, const struct push_upload *upload, size_t from, size_t to)
{
	Otlp__ExportProfilesServiceRequest *request;
	uint8_t *bytes;
	size_t nr_bytes;
	int code = pack(upload, from, to, 0, &bytes, &nr_bytes);

	if (code)
		return code;
	request = otlp__export_profiles_service_request__unpack(NULL, nr_bytes, bytes);
	for (size_t i = 1; request && i < request->dictionary->n_string_table; i++) {
		fputs("    ", out);
		text__print_safe(out, request->dictionary->string_table[i], 0);
		fputc('\n', out);
	}
	code = request ? 0 : -ENOMEM;
	otlp__export_profiles_service_request__free_unpacked(request, NULL);
	free(bytes);
	return code;
}

const struct push_target target_otlp = {
	.labels = {"service.name", "process.executable.name", "container.id"},
	.path = "/v1development/profiles",
	.content_type = "application/x-protobuf",
	.encoding = "gzip",
	.is_partial = true,
	.limit = upload__end_of_event,
	.make = make,
	.print_strings = print_strings,
};
