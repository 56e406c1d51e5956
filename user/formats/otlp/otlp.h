/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A recording as OpenTelemetry's protocol has profiles: an ExportProfilesServiceRequest, which is what a
 * server is sent, and also what a file of it holds. docs/formats.md says what is in it.
 */
#ifndef TOPSTACKS_FORMATS_OTLP_OTLP_H
#define TOPSTACKS_FORMATS_OTLP_OTLP_H

#include <stddef.h>
#include <stdint.h>

#include "profile/recording.h"

/* What is told beside services, stacks and values, as bits. Command lines and paths of cgroups never are. */
enum otlp_attributes {
	OTLP_HOST = 1,	       /* host.name, of the resource; os.type */
	OTLP_CONTAINER = 2,    /* container.id, of the resource */
	OTLP_EXECUTABLE = 4,   /* process.executable.name */
	OTLP_PROCESS = 8,      /* process.pid */
	OTLP_THREAD = 16,      /* thread.id */
	OTLP_THREAD_NAME = 32, /* thread.name */
	OTLP_WAIT = 64,	       /* topstacks.state, topstacks.wait */
	OTLP_ALL = 127,
};

struct otlp_options {
	unsigned int attributes; /* enum otlp_attributes */
	/* Names the service of a process, not empty; NULL: service__name() does. */
	void (*name_service)(void *context, const struct process *process, char *text, size_t size);
	void *context;
};

/*
 * All of a recording, in memory that the caller free()s; samples that attributes do not tell apart are one.
 * The same recording with the same options gives the same bytes. 0, -ENOMEM, or -EFBIG: it is more than the
 * 2 GB that a message can have.
 */
int otlp__pack(const struct recording *recording, const struct otlp_options *options,
	       uint8_t **bytes, size_t *nr_bytes);

#endif
