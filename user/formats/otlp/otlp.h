/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording in OpenTelemetry's protocol: an ExportProfilesServiceRequest, which is the message
 * that servers take, and the content of a file. docs/formats.md describes it.
 */
#ifndef TOPSTACKS_FORMATS_OTLP_OTLP_H
#define TOPSTACKS_FORMATS_OTLP_OTLP_H

#include "base/common.h"
#include "profile/recording.h"

/*
 * Optional attributes, as bits; services, stacks and values are always included. Command lines and
 * paths of cgroups never are.
 */
enum otlp_attributes {
	OTLP_HOST = 1,	       /* host.name and os.type of the resource */
	OTLP_CONTAINER = 2,    /* container.id of the resource */
	OTLP_EXECUTABLE = 4,   /* process.executable.name */
	OTLP_PROCESS = 8,      /* process.pid */
	OTLP_THREAD = 16,      /* thread.id */
	OTLP_THREAD_NAME = 32, /* thread.name */
	OTLP_WAIT = 64,	       /* topstacks.state, topstacks.wait */
	OTLP_ALL = 127,
};

struct otlp_options {
	unsigned int attributes; /* enum otlp_attributes */
	/*
	 * Writes the service name of a process, which must not be empty. NULL: use service__name().
	 */
	void (*name_service)(void *context, const struct process *process, char *text, size_t size);
	void *context;
};

/*
 * Packs a recording into memory that the caller frees. Samples with equal attributes are added up.
 * The same recording with the same options gives the same bytes. 0; or -EFBIG: more than
 * the 2 GB that a message can have.
 */
int otlp__pack(const struct recording *recording, const struct otlp_options *options,
	       uint8_t **bytes, size_t *nr_bytes);

#endif
