// SPDX-License-Identifier: GPL-2.0-only
#include "actions/saver.h"

#include <sys/utsname.h>

#include "actions/rotation.h"
#include "actions/source_lines.h"
#include "base/files.h"
#include "base/output/destination.h"
#include "formats/formats.h"
#include "run/interrupt.h"

#define MAX_CPUINFO_BYTES (16 << 20)

/* Time to look for source lines while sampling goes on. */
#define LINES_SOON_NS 100000000ULL

/* The CPU's model is such as "AMD EPYC 7763 64-Core Processor"; not all kernels say it. */
void saver__describe(struct recording *recording)
{
	const char **facts = recording->facts;
	char kernel[2 * sizeof(struct utsname)];
	char *cpus = NULL, *model = NULL;
	struct utsname name;

	if (!uname(&name)) {
		snprintf(kernel, sizeof(kernel), "%s %s", name.release, name.machine);
		facts[FACT_KERNEL] = recording__keep(recording, kernel);
		facts[FACT_HOST] = recording__keep(recording, name.nodename);
	}
	if (!files__read("/proc/cpuinfo", MAX_CPUINFO_BYTES, &cpus, NULL))
		model = strstr(cpus, "model name");
	if (model)
		model = strchr(model, ':');
	if (model) {
		model += 1 + (model[1] == ' ');
		model[strcspn(model, "\n")] = '\0';
	}
	facts[FACT_CPU] = recording__keep(recording, model);
	facts[FACT_VERSION] = recording__keep(recording, TOPSTACKS_VERSION);
	free(cpus);
}

void saver__open(struct saver *saver)
{
	recording__init(&saver->recording);
	saver__describe(&saver->recording);
	saver->recording.slice_ns = saver->slice_ns;
}

int saver__add(struct saver *saver, const struct recording *interval, struct error *err)
{
	struct recording *recording = &saver->recording;
	struct dictionary *of_run = profile__dictionary(interval->profile);
	int code;

	if (saver->shares_stacks && !recording->duration_ns)
		recording__replace_profile(recording, profile__new(of_run));
	code = saver->by_slice ? recording__append_as(recording, interval, AS_TOLD)
			       : recording__append(recording, interval, saver->slice_ns != 0);

	return code ? error__say(err, EXIT_USAGE, code, "more than %d intervals; raise --intervals",
				 MAX_SLICES)
		    : 0;
}

int saver__write(struct saver *saver, const char *path, bool soon, struct error *err)
{
	const struct write_options options = {.command_lines = saver->command_lines,
					      .packs_slices = saver->by_slice};
	enum lines_telling telling = TELL_NOTHING;
	struct destination destination;
	uint64_t time_ns;
	int code;

	if (saver->lines && !memory__is_short()) { /* they take a copy of all samples */
		if (!soon && !saver->is_quiet)
			telling = saver->line_options->lines ? TELL_ALL : TELL_OF_FILES;
		time_ns = soon ? LINES_SOON_NS : annotator__time_ns(saver->line_options);
		annotator__complete(saver->lines, &saver->recording, monotonic_ns() + time_ns,
				    telling);
	}
	code = destination__open(&destination, path, DESTINATION_PRIVATE, err);
	if (code)
		return code;
	if (!destination.replacement.replaced)
		interrupt__release();
	if (saver->readers)
		destination__share(&destination, saver->readers);
	code = pprof__write(destination.out, &saver->recording, &options);
	return destination__close(&destination, code, err);
}

int saver__rotate(struct saver *saver, const struct rotation *rotation, unsigned int nr_kept,
		  size_t *nr_later, struct error *err)
{
	struct rotation_file file;
	int code = rotation__next(rotation, &file, saver->recording.start_realtime_ns, err);

	saver->readers = file.readers;
	if (!code)
		code = saver__write(saver, file.path, true, err);
	if (!code) {
		saver__close(saver);
		saver__open(saver);
		code = rotation__remove_old(rotation, file.path, nr_kept, nr_later, err);
	}
	rotation__end(&file);
	return code;
}

void saver__close(struct saver *saver)
{
	recording__fini(&saver->recording);
}
