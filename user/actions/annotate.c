// SPDX-License-Identifier: GPL-2.0-only
#include "actions/annotate.h"

#include "actions/rename.h"
#include "base/middle.h"
#include "processes/opener.h"

#define MAX_LISTED  5  /* functions of one name */
#define CHOICE_MOST 48 /* columns of MODULE:FUNCTION in the list, as quote() cuts longer texts */

/* ---- the function ---- */

/*
 * Lists several functions of one name: malloc may be in libc.so.6 and in the program. Long names
 * keep both ends, which tell them apart.
 */
static int say_several(const struct annotated_function *functions, size_t nr, const char *wanted,
		       struct error *err)
{
	struct quoted quoted;
	char list[384] = "";
	size_t length = 0;

	for (size_t i = 0; i < nr && i < MAX_LISTED && length < sizeof(list); i++) {
		const char *module = functions[i].module ? functions[i].module : "[unknown]";
		const size_t width =
			strlen(module) < CHOICE_MOST / 2 ? strlen(module) : CHOICE_MOST / 2;
		char name[512], shortened[MIDDLE_SIZE];

		snprintf(name, sizeof(name), "%s:%s", module,
			 middle__shorten_function(functions[i].name, CHOICE_MOST - width,
						  shortened));
		length += (size_t)snprintf(list + length, sizeof(list) - length, "%s%s",
					   i ? ", " : "", quote(&quoted, name));
	}
	return error__say(err, EXIT_USAGE, -EINVAL, "%zu functions are called %s; choose one: %s%s",
			  nr, quote(&quoted, wanted), list, nr > MAX_LISTED ? ", …" : "");
}

static int choose(const struct profile *profile, const char *wanted,
		  struct annotated_function *function, struct error *err)
{
	struct annotated_function *functions = NULL;
	const long nr = annotation__search(profile, wanted, &functions);
	const char *similar;
	struct quoted quoted, other;
	int code = 0;

	if (nr == 0) {
		similar = annotation__near(profile, wanted);
		code = error__say(err, EXIT_USAGE, -ENOENT, "no sample is in a function called %s",
				  quote(&quoted, wanted));
		if (similar)
			error__remedy(err, "did you mean %s?", quote(&other, similar));
		else
			error__remedy(err, "report --by function shows those that there are");
	} else if (nr > 1) {
		code = say_several(functions, (size_t)nr, wanted, err);
	} else {
		*function = functions[0];
	}
	free(functions);
	return code;
}

/* Why the function has no instructions to show; NULL: it may have some. */
static const char *why_no_code(const struct annotation *annotation)
{
	switch (annotation->function.kind) {
	case FRAME_INTERPRETED:
		return "It is interpreted, so it has no instructions of its own.";
	case FRAME_JIT:
		return "Its code was made at run time and is in no file, so there are no "
		       "instructions.";
	case FRAME_KERNEL:
		return "The kernel's code is in no file that is read here, so there are no "
		       "instructions.";
	default:
		break;
	}
	return NULL;
}

int annotate__make(struct annotate *annotate, const struct recording *recording,
		   const uint64_t total[VALUES], const struct annotate_options *options,
		   const struct namer *namer, struct error *err)
{
	const struct line_options with_lines = {.lines = true};
	struct symbols_options symbols = {.demangle = true, .symfs = namer->naming.symfs};
	struct annotating_tools tools = {.namer = namer, .source = options->source};
	struct annotation *annotation = &annotate->annotation;
	struct annotated_text *text = &annotate->text;
	struct annotated_function function;
	int code = choose(recording->profile, options->function, &function, err);

	if (code)
		return code;
	tools.strings = annotate->strings = strings__new();
	tools.lines = annotate->lines = annotator__open(&with_lines, &namer->helpers, &symbols);
	tools.opener = annotate->opener = opener__new(namer->helpers.openers);
	annotation__make(annotation, recording->profile, &function);
	memcpy(text->total, total, sizeof(text->total));
	text->annotation = annotation;
	text->note = why_no_code(annotation);
	if (!text->note)
		code = annotated_code__make(&annotate->code, annotation, &tools);
	if (!code)
		code = annotated_sources__make(&annotate->sources, annotation, &annotate->code,
					       annotate->code.modified_ns
						       ? annotate->code.modified_ns
						       : recording->start_realtime_ns,
					       &tools);
	text->sources = annotate->sources.files;
	text->nr_sources = annotate->sources.nr_files;
	text->files = annotate->code.files;
	text->nr_files = annotate->code.nr_files;
	return code ? memory__error(err) : 0;
}

void annotate__fini(struct annotate *annotate)
{
	annotated_sources__fini(&annotate->sources);
	annotated_code__fini(&annotate->code);
	annotation__fini(&annotate->annotation);
	lines__free(annotate->lines);
	opener__free(annotate->opener);
	strings__free(annotate->strings);
	*annotate = (struct annotate){0};
}
