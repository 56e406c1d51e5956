// SPDX-License-Identifier: GPL-2.0-only
#include "capture/probes/probe_place.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "capture/events/probe.h"
#include "processes/maps.h"
#include "processes/opener.h"
#include "readers/function_code.h"
#include "readers/instruction.h"
#include "readers/readers.h"

/* ---- the file ---- */

/*
 * Returns true if the file name matches: "libc" matches "/usr/lib/libc.so.6" and
 * "/usr/lib/libc-2.31.so", "libc.so.6" only the first.
 */
static bool is_named(const char *path, const char *name)
{
	const char *slash = strrchr(path, '/');
	const size_t length = strlen(name);
	const char *rest;

	if (!slash || strncmp(slash + 1, name, length) != 0)
		return false;
	rest = slash + 1 + length;
	return !*rest || !strncmp(rest, ".so", 3) || (*rest == '-' && strstr(rest, ".so"));
}

static int say_unopened(const char *file, int code, struct error *err)
{
	const bool is_misnamed = code == -ENOENT || code == -ENOTDIR || code == -EINVAL;
	struct quoted quoted;

	return error__set(err, is_misnamed ? EXIT_USAGE : EXIT_SYSTEM, code,
			  "cannot open %s, which is to be probed", quote(&quoted, file));
}

struct library_search {
	const char *name;
	struct mapping found;
	char path[PATH_MAX];
};

static int look_at_mapping(void *context, const struct mapping *mapping)
{
	struct library_search *search = context;

	if (mapping__kind(mapping) != MAPPING_FILE || !is_named(mapping->path, search->name))
		return 0;
	search->found = *mapping;
	strncpy(search->path, mapping->path, sizeof(search->path) - 1);
	search->found.path = search->path;
	return 1;
}

/* Opens a mapped library by name. Returns a descriptor, or negative errno with a sentence. */
static int open_mapped(const char *name, struct opener *opener, struct mapped_by *by,
		       struct error *err)
{
	const struct opening of_maps = {.kind = OPENING_PROCESS, .by = by, .path = "maps"};
	struct library_search search = {.name = name};
	struct opening of_file = {.kind = OPENING_MAPPED, .mapping = &search.found, .by = by};
	const int text = opener__open(opener, &of_maps, NULL);
	struct quoted quoted;
	int code = text, fd;

	quote(&quoted, name);
	if (text >= 0) {
		code = maps__each_executable(text, look_at_mapping, &search);
		close(text);
	}
	if (code < 0)
		return error__set(err, EXIT_SYSTEM, code,
				  "cannot read what process %d has mapped, where %s is looked for; "
				  "its path can be given instead",
				  by->pid, quoted.text);
	if (!code)
		return error__say(err, EXIT_USAGE, -ENOENT,
				  "process %d has no %s mapped: give the path of a library that it "
				  "opens later, or the program's own if that is statically linked",
				  by->pid, quoted.text);
	by->start = search.found.start;
	by->end = search.found.end;
	fd = opener__open(opener, &of_file, NULL);
	return fd < 0 ? say_unopened(name, fd, err) : fd;
}

/* Opens a path below a process's root, or, without a process, as given with our own rights. */
static int open_path(const char *path, struct opener *opener, const struct mapped_by *by)
{
	struct opening opening = {.kind = OPENING_BELOW, .path = path};
	struct stat status;
	int fd;

	if (by->pid && path[0] == '/') {
		opening.root = opener__open_root(opener, by, NULL);
		if (opening.root < 0)
			return opening.root;
		fd = opener__open(opener, &opening, NULL);
		close(opening.root);
		return fd;
	}
	fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	if (fd < 0)
		return -errno;
	if (!fstat(fd, &status) && S_ISREG(status.st_mode))
		return fd;
	close(fd);
	return -EINVAL;
}

int probe_place__open_file(const struct uprobe *probe, struct opener *opener, int32_t pid,
			   struct error *err)
{
	struct mapped_by by = {.pid = pid};
	struct quoted quoted;
	int fd;

	if (!strchr(probe->file, '/') && !pid)
		return error__say(err, EXIT_USAGE, -EINVAL,
				  "the library %s is looked for among what a running process has "
				  "mapped: give "
				  "its path instead, or -p",
				  quote(&quoted, probe->file));
	if (!strchr(probe->file, '/'))
		return open_mapped(probe->file, opener, &by, err);
	fd = open_path(probe->file, opener, &by);
	return fd < 0 ? say_unopened(probe->file, fd, err) : fd;
}

/* ---- the function ---- */

/* Validates the reader's answer, which is untrusted. NULL: it is malformed. */
static const struct function_code *check_answer(const struct reader_answer *answer)
{
	const struct function_code *said = answer->bytes;

	if (answer->nr_bytes < sizeof(*said) || said->state >= FUNCTION_STATES ||
	    said->nr_bytes != answer->nr_bytes - sizeof(*said) || said->nr_bytes > said->size ||
	    said->nr_names > FUNCTION_SHOWN_NAMES || said->offset > INT64_MAX - said->size ||
	    said->size > INT64_MAX)
		return NULL;
	for (uint32_t i = 0; i < said->nr_names; i++)
		if (!memchr(said->names[i], '\0', sizeof(said->names[i])))
			return NULL;
	return said;
}

/* Lists names that -e would accept instead; "" if there are none. Returns text. */
static const char *format_names(const struct function_code *said, const char *before, char *text,
				size_t size)
{
	FILE *out = said->nr_names ? fmemopen(text, size, "w") : NULL;

	text[0] = '\0';
	if (!out)
		return text;
	fputs(before, out);
	for (uint32_t i = 0; i < said->nr_names; i++) {
		fputs(i ? "; " : "", out);
		text__print_safe(out, said->names[i], 0);
	}
	fputs(said->has_more && said->state == FUNCTION_SEVERAL ? "; and more" : "", out);
	fclose(out);
	text[size - 1] = '\0';
	return text;
}

static int say_unknown(const struct uprobe *probe, const struct function_code *said,
		       struct error *err)
{
	char names[FUNCTION_SHOWN_NAMES * FUNCTION_SHOWN_NAME_SIZE];
	struct quoted file, symbol;

	quote(&file, probe->file);
	quote(&symbol, probe->symbol);
	switch (said->state) {
	case FUNCTION_FOREIGN:
		return error__say(err, EXIT_SYSTEM, -ENOEXEC, "%s is for another kind of machine",
				  file.text);
	case FUNCTION_UNNAMED:
		return error__say(err, EXIT_SYSTEM, -ENOENT,
				  "%s names none of its functions: it is stripped", file.text);
	case FUNCTION_CHOSEN_AT_LOAD:
		return error__say(
			err, EXIT_SYSTEM, -ENOTSUP,
			"%s of %s is chosen among several functions when a program starts: "
			"probe the one that is called, as samples of cpu name it",
			symbol.text, file.text);
	case FUNCTION_SEVERAL:
		return error__say(
			err, EXIT_USAGE, -EEXIST, "%s has several functions %s%s", file.text,
			symbol.text,
			format_names(said, ", of which a probe takes one: ", names, sizeof(names)));
	default:
		return error__say(err, EXIT_USAGE, -ENOENT, "%s has no function %s%s", file.text,
				  symbol.text,
				  format_names(said, "; near: ", names, sizeof(names)));
	}
}

static int choose(struct probe_place *place, const struct uprobe *probe,
		  const struct function_code *said, struct error *err)
{
	const uint8_t *code = (const uint8_t *)(said + 1);
	struct quoted file, symbol;
	size_t left;
	int failed;

	failed = probe->has_offset
			 ? placement__at(&place->of_function, code, said->nr_bytes, probe->offset)
			 : placement__entry(&place->of_function, code, said->nr_bytes,
					    probe->arguments);
	if (failed == -EINVAL)
		return error__say(err, EXIT_USAGE, failed, "no instruction of %s begins at +%llu",
				  quote(&symbol, probe->symbol), (unsigned long long)probe->offset);
	if (failed)
		return error__say(err, EXIT_SYSTEM, failed,
				  "%s of %s has no instruction that can be probed without harm",
				  quote(&symbol, probe->symbol), quote(&file, probe->file));
	place->offset = said->offset + place->of_function.offset;
	place->function_bytes = said->nr_bytes;
	left = said->nr_bytes - place->of_function.offset;
	memcpy(place->code, code + place->of_function.offset,
	       left < sizeof(place->code) ? left : sizeof(place->code));
	return 0;
}

int probe_place__find(struct probe_place *place, const struct uprobe *probe, int file,
		      struct readers *readers, struct error *err)
{
	const struct function_code *said;
	struct reader_answer answer = {0};
	struct quoted quoted;
	int code;

	*place = (struct probe_place){.file = file};
	if (!instruction__has_decoder())
		return error__say(
			err, EXIT_SYSTEM, -ENOTSUP,
			"this topstacks was built without Zydis, which finds the place of "
			"a probe: take one whose --version says instruction-decoder");
	code = readers__read(readers, READ_FUNCTION, file, probe->symbol, strlen(probe->symbol) + 1,
			     &answer);
	said = code ? NULL : check_answer(&answer);
	if (!said)
		code = error__set(err, EXIT_SYSTEM, code ? code : -EIO,
				  "cannot read the functions of %s", quote(&quoted, probe->file));
	else if (said->state != FUNCTION_FOUND)
		code = say_unknown(probe, said, err);
	else if (probe->is_of_returns && said->reads_returns)
		code = error__say(err, EXIT_SYSTEM, -ENOTSUP,
				  "a uretprobe in %s could end the program: Go and exceptions look "
				  "at return addresses; take a uprobe",
				  quote(&quoted, probe->file));
	else if (probe->arguments && said->is_of_go)
		code = error__say(err, EXIT_SYSTEM, -ENOTSUP,
				  "%s is a Go program, whose arguments are in other registers than "
				  "those of C: take the probe without arg1 to arg6",
				  quote(&quoted, probe->file));
	else
		code = choose(place, probe, said, err);
	reader_answer__free(&answer);
	return code;
}
