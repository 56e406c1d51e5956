// SPDX-License-Identifier: GPL-2.0-only
/*
 * Stacks are made anew only if a frame gets a new name. Otherwise naming a file costs no more than
 * a look at its frames.
 */
#include "actions/rename.h"

#include <limits.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "actions/fetch_symbols.h"
#include "base/strings.h"
#include "profile/select/prune.h"
#include "symbols/debug/debug_cache.h"
#include "symbols/debug/debug_places.h"
#include "symbols/files/file_layouts.h"
#include "symbols/files/file_names.h"
#include "symbols/files/names.h"

/* Time limits for symbols: by default, and if --symfs or --debuginfod asks for them. */
#define MAX_NS	     1000000000ULL
#define ASKED_MAX_NS 20000000000ULL

static bool is_asked_for(const struct symbol_places *naming)
{
	return naming->symfs || naming->debuginfod;
}

int rename__start(struct namer *namer, const struct symbol_places *naming, bool must_start,
		  struct error *err)
{
	struct error unsaid = {0};
	int code = debug_places__check_symfs(naming->symfs, err);

	*namer = (struct namer){.naming = *naming, .demangled = strings__new()};
	if (!code && naming->debuginfod)
		code = fetching__start(&namer->fetching, naming->debuginfod, err);
	if (code)
		return code;
	must_start |= is_asked_for(naming);
	if (helpers__start(&namer->helpers, false, must_start ? err : &unsaid) ||
	    helpers__await(&namer->helpers, must_start ? err : &unsaid)) {
		helpers__stop(&namer->helpers);
		return must_start ? err->code : 0;
	}
	namer->names = file_names__new(&(struct file_names_options){
		.demangle = true,
		.symfs = naming->symfs,
		.max_ns = must_start ? ASKED_MAX_NS : MAX_NS,
		.readers = namer->helpers.readers,
		.openers = namer->helpers.openers,
	});
	namer->layouts = file_layouts__new(&(struct file_layouts_options){
		.symfs = naming->symfs,
		.max_ns = must_start ? ASKED_MAX_NS : MAX_NS,
		.readers = namer->helpers.readers,
		.openers = namer->helpers.openers,
	});
	return 0;
}

void rename__stop(struct namer *namer)
{
	file_names__free(namer->names);
	strings__free(namer->demangled);
	file_layouts__free(namer->layouts);
	helpers__stop(&namer->helpers);
	fetching__stop(namer->fetching);
	*namer = (struct namer){0};
}

struct file_placing rename__placing(const struct namer *namer)
{
	if (!namer->layouts)
		return (struct file_placing){0};
	return (struct file_placing){file_layouts__find, namer->layouts};
}

/* ---- naming ---- */

/* Finds a name; first demangles one of another tool that wrote it as in the symbol table. */
static bool find_name(const struct namer *namer, const struct frame *frame, bool is_caller,
		      struct frame *named)
{
	const struct symbol_name *name =
		namer->is_of_others && frame->function && frame->function[0] == '_'
			? names__user(namer->demangled, frame->function, true)
			: NULL;

	*named = *frame;
	if (name && strcmp(name->function, frame->function) != 0) {
		named->function = name->function;
		return true;
	}
	return namer->names && file_names__find(namer->names, frame, is_caller, named);
}

static long expand_frame(void *namer, const struct frame *frame, bool is_caller,
			 struct frame frames[MAX_EXPANSION])
{
	return find_name(namer, frame, is_caller, frames) ? 1 : FRAME_STAYS;
}

bool rename__is_of_here(const struct recording *recording)
{
	const char *host = recording->facts[FACT_HOST];
	struct utsname here;

	return host && !uname(&here) && !strcmp(host, here.nodename);
}

/* Makes stacks anew if any frame gets a new name, in whatever role. */
static void name_frames(struct namer *namer, struct recording *recording)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	const size_t nr_frames = dictionary__nr_frames(dictionary);
	bool finds_any = false;
	struct frame named;

	for (size_t i = 0; i < nr_frames && !finds_any; i++) {
		const struct frame *frame = dictionary__frame(dictionary, (uint32_t)i);

		finds_any = find_name(namer, frame, true, &named) ||
			    find_name(namer, frame, false, &named);
	}
	if (!finds_any)
		return;
	recording__expand(recording, &(struct expander){expand_frame, namer});
	recording__drop_unused(recording);
}

static enum lack lacks_name(void *names, const struct frame *frame)
{
	return file_names__lack(names, frame) ? LACK_YES : LACK_NO;
}

static void look_again(void *names, const char *build_id)
{
	file_names__look_again(names, build_id);
}

void rename__name(struct namer *namer, struct recording *recording)
{
	const struct lacks lacks = {lacks_name, look_again, namer->names};
	int64_t asked_before_ns = 0;
	int code;

	namer->is_of_others = !recording->has_ledger;
	/*
	 * The recorder has asked files of this machine that were not modified since, unless it
	 * lacked time; a user who asks explicitly has all of them asked.
	 */
	if (!is_asked_for(&namer->naming) && !recording->ledger.unread &&
	    rename__is_of_here(recording))
		asked_before_ns = recording->start_realtime_ns;
	if (namer->names)
		file_names__begin(namer->names, asked_before_ns);
	if (namer->names && namer->is_of_others)
		file_names__trust_paths(namer->names, recording__end_ns(recording));
	name_frames(namer, recording);
	if (namer->names && namer->fetching &&
	    fetching__get(namer->fetching, namer->helpers.readers, recording, &lacks))
		name_frames(namer, recording);
	if (!recording->drop_frames)
		return;

	/* The writer's functions to leave out may match by a name that was found just now. */
	namer->pruned.all = sum_of(namer->pruned.all, profile__shown_total(recording->profile));
	code = recording__prune(recording, &namer->pruned.pruned);
	if (code)
		namer->pruned.why = code;
}

/* ---- telling ---- */

#define MAX_TOLD 3 /* files told by name; the rest are counted */

struct tale {
	bool is_of_found;			 /* tells of files with found names; else of
						  * those without */
	struct file_names_result told[MAX_TOLD]; /* most functions first, then by name */
	size_t nr_told, nr_files;
	uint64_t nr_functions;
	size_t nr_unread;
	bool has_guess; /* a file without build ID in the profile was found */
};

static bool comes_before(const struct file_names_result *a, const struct file_names_result *b)
{
	if (a->nr_functions != b->nr_functions)
		return a->nr_functions > b->nr_functions;
	return strcmp(a->path, b->path) < 0;
}

static void add_result(void *context, const struct file_names_result *result)
{
	struct tale *tale = context;
	size_t at = tale->nr_told;

	tale->nr_unread += !result->from && result->is_unread;
	tale->has_guess |= result->from && !*result->build_id;
	if (!result->from && !*result->build_id)
		return;
	if (!result->from == tale->is_of_found || (!result->from && result->is_unread))
		return;
	tale->nr_files++;
	tale->nr_functions += result->nr_functions;
	for (; at > 0 && comes_before(result, &tale->told[at - 1]); at--)
		if (at < MAX_TOLD)
			tale->told[at] = tale->told[at - 1];
	if (at < MAX_TOLD)
		tale->told[at] = *result;
	tale->nr_told += tale->nr_told < MAX_TOLD;
}

static void print_file(const struct file_names_result *result)
{
	const char *slash = strrchr(result->path, '/');

	text__print_safe(stderr, slash ? slash + 1 : "[unknown]", 60);
}

/* Prints "topstacks: 12 functions of prog named from /usr/lib/debug/…, 3 of libz.so.1 from …". */
static void tell_found(const struct tale *tale)
{
	uint64_t rest = tale->nr_functions;

	for (size_t i = 0; i < tale->nr_told; i++) {
		const struct file_names_result *result = &tale->told[i];

		fprintf(stderr, "%s%" PRIu64 " %sof ",
			i ? ", " : "topstacks: ", result->nr_functions,
			i			   ? ""
			: result->nr_functions > 1 ? "functions "
						   : "function ");
		print_file(result);
		fputs(i ? " from " : " named from ", stderr);
		text__print_safe(stderr, result->from, 0);
		rest -= result->nr_functions;
	}
	if (tale->nr_files > tale->nr_told)
		fprintf(stderr, ", %" PRIu64 " of %zu other files", rest,
			tale->nr_files - tale->nr_told);
	if (tale->nr_told)
		fputc('\n', stderr);
	if (tale->has_guess)
		fputs("topstacks: files without a build ID in the profile were found by path "
		      "alone: names "
		      "are wrong if another build lies there now\n",
		      stderr);
}

/*
 * Prints "topstacks: no more names for prog (build ID 5071…) and 3 other files, neither below DIR
 * nor here".
 */
static void tell_vain(const struct tale *tale, const char *symfs)
{
	for (size_t i = 0; i < tale->nr_told; i++) {
		fputs(i ? ", " : "topstacks: no more names for ", stderr);
		print_file(&tale->told[i]);
		fputs(" (build ID ", stderr);
		text__print_safe(stderr, tale->told[i].build_id, 0);
		fputc(')', stderr);
	}
	if (tale->nr_files > tale->nr_told)
		fprintf(stderr, " and %zu other files", tale->nr_files - tale->nr_told);
	fputs(", neither below ", stderr);
	text__print_safe(stderr, symfs, 0);
	fputs(" nor on this machine\n", stderr);
}

void rename__tell(const struct namer *namer)
{
	const struct pruned *pruned = &namer->pruned;
	struct tale found = {.is_of_found = true}, vain = {0};
	const char *why_no_cache = NULL;
	char path[PATH_MAX];
	int cache = -1;

	/* Users would miss these functions in the table. */
	if (pruned->pruned)
		fprintf(stderr,
			"topstacks: frames are left out of %.1f %% of all stacks, as their file "
			"says (drop_frames)\n",
			share_percent(pruned->pruned, pruned->all));
	if (pruned->why)
		fprintf(stderr, "topstacks: no frames are left out, as %s\n",
			pruned->why == -EINVAL
				? "drop_frames or keep_frames of the file is no "
				  "regular expression"
				: "drop_frames or keep_frames of the file is too much "
				  "for topstacks");
	if (!namer->names)
		return;
	if (file_names__has_any(namer->names)) {
		cache = debug_cache__open(path);
		why_no_cache = debug_cache__why(cache);
	}
	if (cache >= 0)
		close(cache);
	if (why_no_cache) {
		fputs("topstacks: the debuginfod cache ", stderr);
		text__print_safe(stderr, path, 0);
		fprintf(stderr, " is not used, %s\n", why_no_cache);
	}
	if (namer->fetching)
		fetching__tell(namer->fetching);
	file_names__each(namer->names, add_result, &found);
	tell_found(&found);
	file_names__each(namer->names, add_result, &vain);
	if (namer->naming.symfs && vain.nr_told)
		tell_vain(&vain, namer->naming.symfs);
	if (vain.nr_unread)
		fprintf(stderr,
			"topstacks: no names from %zu file%s that could not be read in time\n",
			vain.nr_unread, vain.nr_unread == 1 ? "" : "s");
}
