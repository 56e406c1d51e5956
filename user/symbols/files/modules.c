// SPDX-License-Identifier: GPL-2.0-only
/*
 * A module lives as long as its file is open: after that, its data may be wrong for the next file
 * of the same name.
 *
 * The first caller waits for the reader, but only as long as there is time. Then the reading goes
 * on in the background, and its names are for later samples.
 */
#include "symbols/files/modules.h"

#include <unistd.h>

#include "base/shortage.h"
#include "base/strings.h"
#include "base/time_budget.h"
#include "elf/object.h"
#include "processes/mapped_files.h"
#include "processes/opener.h"
#include "symbols/debug/debug_places.h"

#define MAX_TOLD 8 /* too large files that are told */

/* A reading of a file that is under way. */
struct module_reading {
	struct reading reading;
	struct modules *modules;
	struct module *module;
	struct mapped_file *file;
	int root; /* "/" of a process that maps the file; -1: out of reach */
};

/* ---- life ---- */

static void end_reading(struct module *module)
{
	struct module_reading *reading = module->reading;
	struct modules *modules = module->modules;
	size_t i = 0;

	if (!reading)
		return;
	while (modules->readings[i] != reading)
		i++;
	modules->readings[i] = modules->readings[--modules->nr_readings];
	module->reading = NULL;
	reading__close(&reading->reading);
	if (reading->root >= 0)
		close(reading->root);
	free(reading);
}

static void drop_object(struct module *module)
{
	object__free(module->object);
	module->object = NULL;
	reader_answer__free(&module->answer);
}

void module__free(struct module *module)
{
	end_reading(module);
	if (module->object)
		module->modules->loaded_bytes -= object__memory_bytes(module->object);
	drop_object(module);
	free(module);
}

void modules__renew(struct modules *modules, struct strings *strings)
{
	mapped_files__close_all(modules->files);
	modules->strings = strings;
}

static void bound_loaded(struct modules *modules)
{
	while (modules->loaded_bytes > modules->max_bytes)
		if (!mapped_files__close_oldest(modules->files))
			break;
}

/* ---- answers of readers ---- */

static enum reader_job job_of(const struct module *module)
{
	return module->is_large ? READ_LARGE_SYMBOLS : READ_SYMBOLS;
}

static void tell(const struct module *module, int code)
{
	const struct modules *modules = module->modules;

	if (modules->on_unreadable)
		modules->on_unreadable(modules->waiter, module->path ? module->path : module->name,
				       job_of(module), code);
}

/*
 * Notes that no reader could be had. The file is tried again on the next request, as it is not to
 * blame.
 */
static void note_shortage(struct module *module, int code)
{
	module->state = MODULE_NEW;
	if (!module->shortage)
		tell(module, code);
	module->shortage = code;
}

/*
 * Tells once for a file, and for at most MAX_TOLD files, that it is too large. It may be read again
 * after it was dropped, as the room depends on other files.
 */
static void tell_large(struct module *module, struct mapped_file *file, int code)
{
	if (file->is_told || module->modules->nr_told == MAX_TOLD)
		return;
	file->is_told = true;
	module->modules->nr_told++;
	tell(module, code);
}

/* Keeps the answer, or the reason for having none. May free the module, if it is too large. */
static void keep_answer(struct module *module, struct mapped_file *file, int code)
{
	struct modules *modules = module->modules;
	const char *build_id;

	module->shortage = 0;
	module->state = code == -EAGAIN ? MODULE_NEW : MODULE_READ;
	if (!code)
		code = object__open(module->answer.bytes, module->answer.nr_bytes, &module->object);
	if (!code && object__memory_bytes(module->object) > modules->max_bytes)
		code = -EFBIG;
	if (code) {
		drop_object(module);
		if (code == -EFBIG) {
			tell_large(module, file, code);
		} else if (code != -ENOEXEC && code != -EAGAIN) {
			/* Told once; it is not read again until it changes. */
			file->refused = file->identity;
			tell(module, code);
		}
		return;
	}
	if (module->object->header->has_too_many)
		tell_large(module, file, -EOVERFLOW);
	build_id = module->object->header->build_id;
	if (*build_id)
		module->build_id = strings__intern(modules->strings, build_id, strlen(build_id));
	modules->loaded_bytes += object__memory_bytes(module->object);
	bound_loaded(modules);
}

/* Takes the answer of a reader that has ended. True: read the file again. May free the module. */
static bool take_answer(struct module *module)
{
	struct mapped_file *file = module->reading->file;
	const int code = reading__finish(&module->reading->reading, &module->answer);

	end_reading(module);
	if (!module->is_large && (code == -ENOMEM || code == -ETIME || code == -EFBIG)) {
		/* The file exceeded the limits of most, so those of large ones are used. */
		module->is_large = true;
		module->state = MODULE_NEW;
		reader_answer__free(&module->answer);
		return true;
	}
	if (shortage__is(code))
		note_shortage(module, code);
	else
		keep_answer(module, file, code);
	return false;
}

/* ---- reading ---- */

static int turn_away(struct modules *modules)
{
	modules->has_turned_away = true;
	return -EAGAIN;
}

static int start_reading(struct module *module, struct mapped_file *file,
			 const struct mapped_file_user *user)
{
	struct modules *modules = module->modules;
	const struct object_request request = {.max_bytes = modules->max_bytes};
	struct module_reading *reading;
	int code;

	if (file_identity__equals(&file->refused, &file->identity))
		module->state = MODULE_READ;
	if (module->state != MODULE_NEW || !modules->readers)
		return -EAGAIN;
	if (modules->nr_readings == MAX_READINGS)
		return turn_away(modules);
	reading = xcalloc(1, sizeof(*reading));
	*reading = (struct module_reading){.modules = modules, .module = module, .file = file};
	code = reading__start(&reading->reading, modules->readers, job_of(module), &file->fd, 1,
			      &request, sizeof(request));
	if (code) {
		free(reading);
		if (shortage__is(code))
			note_shortage(module, code);
		return code == -EAGAIN ? turn_away(modules) : code;
	}
	reading->root =
		opener__open_root(modules->files->opener, &user->by, modules->files->budget);
	modules->readings[modules->nr_readings++] = reading;
	module->reading = reading;
	module->state = MODULE_READING;
	return 0;
}

/* Waits for a reading. Returns whether it has ended by until_ns. */
static bool wait_for(struct module_reading *reading, uint64_t until_ns)
{
	const struct debug_places places = {.fd = reading->file->fd,
					    .path = reading->file->mapping.path,
					    .root = reading->root,
					    .symfs = reading->modules->symfs,
					    .opener = reading->modules->files->opener,
					    .budget = reading->modules->files->budget};

	return debug_places__await(&places, &reading->reading, until_ns);
}

/*
 * Waits for a reading as long as there is time, half of which is left for other files. Returns
 * whether it has ended.
 */
static bool wait_patiently(struct module_reading *reading)
{
	struct time_budget *budget = reading->modules->files->budget;
	const uint64_t others_ns = budget ? budget->left_ns / 2 : 0;
	bool has_ended = false;

	while (!has_ended) {
		const uint64_t start_ns = monotonic_ns();
		uint64_t most_ns = time_budget__wait_ns(budget);

		if (budget)
			most_ns = earlier(most_ns, budget->left_ns - others_ns);
		if (!most_ns)
			break;
		has_ended = wait_for(reading, start_ns + most_ns);
		if (budget)
			time_budget__spend(budget, monotonic_ns() - start_ns);
		if (budget && budget->left_ns < others_ns)
			break;
	}
	return has_ended;
}

void modules__go_on(struct modules *modules)
{
	for (size_t i = modules->nr_readings; i-- > 0;) {
		struct module_reading *reading = modules->readings[i];

		if (!wait_for(reading, 0))
			continue;
		/* A reader is free now, so files that found none may be read. */
		modules->on_late(modules->context, modules->has_turned_away ? NULL : reading->file);
		modules->has_turned_away = false;
		take_answer(reading->module);
		if (i > modules->nr_readings) /* making room closed other files */
			i = modules->nr_readings;
	}
}

uint64_t modules__reading_ns(const struct modules *modules)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < modules->nr_readings; i++)
		sum += reading__cpu_ns(&modules->readings[i]->reading);
	return sum;
}

/* ---- asking ---- */

/* Creates the module, at the first address in a file, and reads the file. */
static __attribute__((noinline)) struct module *make_module(struct modules *modules,
							    struct mapped_file *file,
							    const struct mapped_file_user *user,
							    bool is_open)
{
	struct module *module = file->module;
	const char *text;
	size_t length;

	if (!module) {
		module = file->module = xcalloc(1, sizeof(*module));
		module->modules = modules;
		length = mapped_file__short_name(file, &text);
		module->name = strings__intern(modules->strings, text, length);
		length = mapped_file__shown_path(file, &text);
		module->path = length ? strings__intern(modules->strings, text, length) : NULL;
	}
	while (is_open && file->module && file->module->state == MODULE_NEW &&
	       !start_reading(file->module, file, user) && wait_patiently(file->module->reading) &&
	       take_answer(file->module))
		;
	return file->module;
}

struct module *modules__find(struct modules *modules, struct mapped_file *file,
			     const struct mapped_file_user *user, const struct object **object)
{
	const bool is_open = mapped_file__open(file, user);
	struct module *module = file->module;

	if (!module || (is_open && module->state == MODULE_NEW))
		module = make_module(modules, file, user, is_open);
	*object = is_open ? module->object : NULL;
	return module;
}

int module__why_pending(const struct module *module)
{
	return module->shortage ? module->shortage : -EINPROGRESS;
}

bool module__is_pending(const struct module *module, const struct mapped_file *file)
{
	return module->state != MODULE_READ && module->modules->readers && file->fd >= 0;
}

void modules__limit(struct modules *modules, size_t max_bytes)
{
	modules->max_bytes = max_bytes;
	bound_loaded(modules);
}
