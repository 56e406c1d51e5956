// SPDX-License-Identifier: GPL-2.0-only
/*
 * Puts the parts together: an image tells what is mapped at an address, a module what its file
 * tells of the code there, and names how a symbol is shown. Answers are facts, or missing: without
 * a symbol there is a module and an address, without a mapping nothing.
 */
#include "symbols/symbols.h"

#include <unistd.h>

#include "base/shortage.h"
#include "base/strings.h"
#include "elf/object.h"
#include "elf/symbol_table.h"
#include "processes/cgroups.h"
#include "processes/command_line.h"
#include "processes/images.h"
#include "processes/mapped_files.h"
#include "processes/mappings.h"
#include "processes/opener.h"
#include "processes/roots.h"
#include "symbols/files/modules.h"
#include "symbols/files/names.h"
#include "symbols/jit/jit.h"
#include "symbols/jit/jvm.h"
#include "symbols/jit/late_names.h"
#include "symbols/kernel.h"

#define DEFAULT_MAX_BYTES (128U << 20)

struct symbols {
	struct symbols_options options;
	struct opener *opener;
	struct strings *strings;
	struct mapped_files files;
	struct modules modules;
	struct roots roots;
	struct images images;
	struct kernel_symbols kernel;
	struct cgroups *cgroups;
	struct command_lines *command_lines; /* NULL: not asked for */
	struct jit_round jit_round;
	struct late_names late;
	uint64_t instance;    /* process of the last symbols__image() */
	int why_no_image;     /* reason for its missing image; as symbols__resolve() */
	size_t bounded_bytes; /* size of growing data at the last bound_memory() */
};

/* ---- bounds ---- */

/* Names, mappings, and code made at run time may each take this part of max_bytes. */
#define PART 4

/* The part for code without a name. */
#define LATE_PART 16

/* Growth by this part triggers another check. */
#define SMALL_PART 32

static size_t growing_bytes(const struct symbols *symbols)
{
	return strings__memory_bytes(symbols->strings) +
	       mapped_files__memory_bytes(&symbols->files) + symbols->jit_round.bounds.code_bytes;
}

/*
 * Enforces the limits. Symbol tables get the rest, as they are the only data that can be read
 * again.
 */
static void bound_memory(struct symbols *symbols)
{
	const size_t max_bytes = symbols->options.max_bytes;
	struct strings *strings;
	size_t rest;

	if (strings__memory_bytes(symbols->strings) > max_bytes / PART) {
		/*
		 * Drops all names and all data that refers to them: they share a heap, which can
		 * only be freed as a whole.
		 */
		strings = strings__new();
		kernel_symbols__renew(&symbols->kernel, strings);
		modules__renew(&symbols->modules, strings);
		time_lines__drop_jit(&symbols->images.lines);
		strings__free(symbols->strings);
		symbols->strings = strings;
	}
	rest = symbols__memory_bytes(symbols) - symbols->modules.loaded_bytes;
	modules__limit(&symbols->modules, max_bytes > rest ? max_bytes - rest : 0);
	symbols->bounded_bytes = growing_bytes(symbols);
}

/* Enforces the limits after fast growth, as a single drain may exceed them. */
static void bound_growth(struct symbols *symbols)
{
	if (growing_bytes(symbols) >
	    symbols->bounded_bytes + symbols->options.max_bytes / SMALL_PART)
		bound_memory(symbols);
}

/* ---- life ---- */

static void touch_images(void *context, const struct mapped_file *file)
{
	images__touch_all(&((struct symbols *)context)->images, file);
}

static void tell_unopened(void *context, const char *path, int code)
{
	const struct symbols_options *options = &((struct symbols *)context)->options;

	if (options->on_unreadable)
		options->on_unreadable(options->waiter, path, READ_SYMBOLS, code);
}

struct symbols *symbols__new(const struct symbols_options *options)
{
	struct symbols *symbols = xcalloc(1, sizeof(*symbols));
	const size_t max_bytes = options->max_bytes ? options->max_bytes : DEFAULT_MAX_BYTES;

	symbols->options = *options;
	symbols->options.max_bytes = max_bytes;
	symbols->strings = strings__new();
	roots__init(&symbols->roots);
	mapped_files__init(&symbols->files, module__free);
	images__init(&symbols->images, &symbols->files, &symbols->roots, max_bytes / PART,
		     jit__free);
	symbols->cgroups = cgroups__new();
	if (options->command_lines)
		symbols->command_lines = command_lines__new();
	if (options->openers) {
		symbols->opener = opener__new(options->openers);
		opener__tell(symbols->opener, tell_unopened, symbols);
	}
	symbols->files.opener = symbols->opener;

	late_names__init(&symbols->late, max_bytes / LATE_PART, options->demangle);
	symbols->jit_round = (struct jit_round){.readers = options->readers,
						.opener = symbols->opener,
						.late = &symbols->late,
						.on_unreadable = options->on_unreadable,
						.waiter = options->waiter};
	jit_round__begin(&symbols->jit_round, max_bytes / PART);
	symbols->modules = (struct modules){.files = &symbols->files,
					    .strings = symbols->strings,
					    .symfs = options->symfs,
					    .readers = options->readers,
					    .on_unreadable = options->on_unreadable,
					    .waiter = options->waiter,
					    .on_late = touch_images,
					    .context = symbols,
					    .max_bytes = SIZE_MAX};
	symbols->kernel = (struct kernel_symbols){.demangle = options->demangle,
						  .ask_kernel = options->ask_kernel,
						  .context = options->context};
	kernel_symbols__init(&symbols->kernel, symbols->strings);
	bound_memory(symbols);
	return symbols;
}

void symbols__free(struct symbols *symbols)
{
	if (!symbols)
		return;
	kernel_symbols__fini(&symbols->kernel);
	images__fini(&symbols->images);
	late_names__fini(&symbols->late); /* images refer to these */
	roots__fini(&symbols->roots);
	mapped_files__fini(&symbols->files);
	cgroups__free(symbols->cgroups);
	command_lines__free(symbols->command_lines);
	opener__free(symbols->opener);
	strings__free(symbols->strings);
	free(symbols);
}

struct time_budget *symbols__set_time_budget(struct symbols *symbols, struct time_budget *budget)
{
	struct time_budget *before = symbols->files.budget;

	symbols->files.budget = symbols->jit_round.budget = budget;
	return before;
}

int symbols__read_process(struct symbols *symbols, int32_t pid)
{
	return images__read(&symbols->images, pid);
}

void symbols__put_off(struct symbols *symbols, bool puts_off)
{
	symbols->images.puts_off = puts_off;
}

void symbols__read_put_off(struct symbols *symbols)
{
	images__read_put_off(&symbols->images);
}

static bool has_image(const struct process *process)
{
	return !process->kernel_thread && process->pid > 0;
}

bool symbols__comes_last(struct symbols *symbols, const struct process *process)
{
	const struct image *image =
		has_image(process) ? images__find(&symbols->images, process) : NULL;

	return image && image->is_long;
}

const char *symbols__cgroup_path(struct symbols *symbols, const struct process *process)
{
	return cgroups__path(symbols->cgroups, process, symbols->opener, symbols->files.budget);
}

const char *symbols__command_line(struct symbols *symbols, const struct process *process)
{
	return symbols->command_lines ? command_lines__find(symbols->command_lines, process,
							    symbols->opener, symbols->files.budget)
				      : NULL;
}

void symbols__observe(struct symbols *symbols, const struct process_event *event)
{
	images__observe(&symbols->images, event);
	bound_growth(symbols);
}

uint64_t symbols__image_version(const struct image *image)
{
	return image ? image->serial : 0;
}

struct image *symbols__image(struct symbols *symbols, const struct process *process)
{
	struct image *image;
	int why;

	symbols->why_no_image = 0;
	symbols->instance = process->instance;
	if (!has_image(process))
		return NULL;
	bound_growth(symbols);
	symbols->images.failure = 0;
	image = images__find(&symbols->images, process);
	if (!image) {
		/* There is nothing to tell of a process that is gone. */
		why = symbols->images.failure == -EPERM ? -EACCES : symbols->images.failure;
		if (why == -EACCES || why == -ETIME || shortage__is(why))
			symbols->why_no_image = why;
	}
	if (image && (image->is_refused || (image->is_put_off && !image->read_ns))) {
		symbols->why_no_image = image->is_refused ? -EACCES : -ETIME;
		return NULL;
	}
	if (image && image->jit && jit__refresh(image->jit, image))
		images__touch(&symbols->images, image);
	return image;
}

void symbols__forget(struct symbols *symbols, uint64_t before_ns)
{
	modules__go_on(&symbols->modules);
	jit_round__look_at_ended(&symbols->images.lines);
	late_names__bound(&symbols->late);
	images__forget(&symbols->images, before_ns);
	mapped_files__forget(&symbols->files, before_ns);
	roots__forget(&symbols->roots, before_ns);
	jit_round__begin(&symbols->jit_round, symbols->options.max_bytes / PART);
	bound_memory(symbols);
}

/* ---- user addresses ---- */

static void name_found(struct symbols *symbols, const struct found_symbol *found,
		       struct frame *frame)
{
	if (!*found->slot)
		*found->slot =
			names__user(symbols->strings, found->name, symbols->options.demangle);
	frame->function = (*found->slot)->function;
	frame->root = (*found->slot)->root;
	frame->offset = frame->address - found->start;
}

/*
 * address: where to look. For callers frame->address is one more; the offset in the frame counts
 * from that.
 */
static void name_function(struct symbols *symbols, const struct object *object, uint64_t address,
			  struct frame *frame)
{
	struct found_symbol found;
	const bool is_found =
		symbol_table__find_caller(object->table, address, frame->address, &found);

	if (is_found && *found.name) {
		name_found(symbols, &found, frame);
		return;
	}
	frame->root = object__is_entry(object, address);
	if (is_found) {
		frame->has_start = true;
		frame->offset = frame->address - found.start;
	}
}

/*
 * Names code made at run time. address: in the process. A JIT's function that calls itself "main"
 * or "_start" is no root. Returns as symbols__resolve().
 */
static int name_jit(struct symbols *symbols, struct image *image, uint64_t address, uint64_t after,
		    struct frame *frame)
{
	struct found_symbol found;

	if (!image->jit) {
		image->jit = jit__new(&symbols->jit_round, symbols->instance);
		jit__refresh(image->jit, image);
	}
	if (!jit__find(image->jit, address, &found))
		return jit__why_unread(image->jit);
	frame->kind = FRAME_JIT;
	frame->address = address + after;
	name_found(symbols, &found, frame);
	frame->root = false;
	return 0;
}

/* Calls on_file while the process lives, so that paths below its root can still be opened. */
static void tell_of_file(struct symbols *symbols, struct module *module,
			 const struct mapped_file *file, const struct mapped_by *by)
{
	int root;

	if (!module->path || module->is_told || file->fd < 0)
		return;
	module->is_told = true;
	root = opener__open_root(symbols->opener, by, symbols->files.budget);
	symbols->options.on_file(symbols->options.listener, module->path, module->build_id,
				 file->fd, root);
	if (root >= 0)
		close(root);
}

static struct mapped_file_user user_of(struct symbols *symbols, const struct image *image,
				       const struct mapped_area *area)
{
	return (struct mapped_file_user){
		.by = {image->pid, image->start_ticks, area->range.start, area->range.last + 1,
		       image->root, &symbols->roots},
		.serial = image->serial,
		.seen_ns = area->mapped_ns > image->seen_ns ? area->mapped_ns : image->seen_ns,
	};
}

/*
 * For memory that may hold a copy of a file's text: finds the area that the file would have there.
 * False: the file has no text at that address. Before the file is read, true, unless the memory
 * only adjoins the file's mapping.
 */
static bool find_original(struct symbols *symbols, const struct image *image,
			  const struct mapped_area *area, uint64_t address,
			  struct mapped_area *original)
{
	const uint64_t distance = address - area->original_start;
	struct mapped_file_user user;
	const struct object *object;
	struct module *module;
	uint64_t in_file = area->original_offset + distance;

	*original = *area;
	original->file = area->original;
	original->range = (struct range){area->original_start, area->original_end - 1};
	user = user_of(symbols, image, original);
	module = modules__find(&symbols->modules, area->original, &user, &object);
	if (object ? !object__find_code(object, area->original_offset, area->original_is_head,
					distance, &in_file)
		   : area->is_beside || !module__is_pending(module, area->original))
		return false;
	original->offset = in_file - distance;
	return true;
}

/*
 * Names an address in a mapped area. Code without an object may be made at run time: a runtime may
 * write it to a file that is no ELF file. Returns as symbols__resolve().
 */
static int name_mapped(struct symbols *symbols, struct image *image, const struct mapped_area *area,
		       uint64_t address, struct frame *frame)
{
	const struct mapped_file_user user = user_of(symbols, image, area);
	struct mapped_file *file = area->file;
	const struct object *object;
	struct module *module = modules__find(&symbols->modules, file, &user, &object);
	const bool is_pending = module__is_pending(module, file);
	const uint64_t after = frame->address - address; /* 1 for callers */
	const uint64_t in_file = address - area->range.start + area->offset;
	const bool is_memfd = !strncmp(file->mapping.path, "/memfd:", strlen("/memfd:"));
	uint64_t in_object;

	frame->kind =
		file->kind == MAPPING_ANONYMOUS || (!object && is_memfd) ? FRAME_JIT : FRAME_USER;
	frame->module = module->name;
	frame->path = module->path;
	frame->build_id = object ? module->build_id : NULL;
	if (symbols->options.on_file && object)
		tell_of_file(symbols, module, file, &user.by);
	if (frame->kind != FRAME_JIT && (file->kind == MAPPING_FILE || file->kind == MAPPING_VDSO))
		frame->address = in_file + after;
	if (object && object__address(object, in_file, &in_object)) {
		frame->address = in_object + after;
		name_function(symbols, object, in_object, frame);
	} else if (!is_pending && (frame->kind == FRAME_JIT ||
				   (file->kind == MAPPING_FILE && file->fd >= 0 && !object))) {
		return name_jit(symbols, image, address, after, frame);
	}
	if (file->fd < 0)
		return file->shortage;
	return !object && is_pending ? module__why_pending(module) : 0;
}

int symbols__resolve(struct symbols *symbols, struct image *image, uint64_t address, bool is_caller,
		     struct frame *frame)
{
	const uint64_t looked_up = address - (is_caller && address);
	const struct mapped_area *area = image ? mappings__find(image->mappings, looked_up) : NULL;
	struct mapped_area original;

	*frame = (struct frame){.address = address, .kind = FRAME_USER};
	if (!area && image && !is_caller && images__read_again(&symbols->images, image))
		area = mappings__find(image->mappings, looked_up);
	if (area && area->replaced_ns > image->seen_ns)
		frame->module = FRAME_REPLACED;
	else if (area && area->original &&
		 find_original(symbols, image, area, looked_up, &original))
		return name_mapped(symbols, image, &original, looked_up, frame);
	else if (area)
		return name_mapped(symbols, image, area, looked_up, frame);
	return image ? 0 : symbols->why_no_image;
}

/* ---- late names ---- */

void symbols__want_name(struct image *image, const struct frame *frame, bool is_caller,
			const struct late_window *window)
{
	if (image && image->jit)
		jit__want(image->jit, frame->address - is_caller, window);
}

void symbols__look_again(struct symbols *symbols)
{
	jit_round__look_at_all(&symbols->jit_round, symbols->options.max_bytes / PART,
			       &symbols->images.lines);
}

struct late_names *symbols__late(struct symbols *symbols)
{
	return &symbols->late;
}

/* ---- JVMs ---- */

struct maker_visit {
	const struct time_lines *lines;
	void (*visit)(void *context, const struct code_maker *maker);
	void *context;
};

static void visit_maker(void *context, struct image *image)
{
	const struct maker_visit *visit = context;
	const struct time_line *line = time_lines__find(visit->lines, image->pid);
	const struct code_maker maker = {.image = image,
					 .start_ticks = image->start_ticks,
					 .pid = image->pid,
					 .nr_unnamed =
						 image->jit ? jit__nr_unnamed(image->jit) : 0};

	if (line->newest == image && image->jit && image->start_ticks && !image->end_ns)
		visit->visit(visit->context, &maker);
}

void symbols__visit_makers(struct symbols *symbols,
			   void (*visit)(void *context, const struct code_maker *maker),
			   void *context)
{
	struct maker_visit makers = {&symbols->images.lines, visit, context};

	time_lines__visit(&symbols->images.lines, visit_maker, &makers);
}

int symbols__is_jvm(struct symbols *symbols, const struct code_maker *maker)
{
	return jvm__is(&symbols->modules, maker->image, &symbols->roots);
}

/* ---- kernel addresses ---- */

void symbols__resolve_kernel(struct symbols *symbols, uint64_t address, bool is_caller,
			     struct frame *frame)
{
	kernel_symbols__resolve(&symbols->kernel, address, is_caller, frame);
}

bool symbols__take_refusal(struct symbols *symbols, struct refusal *refusal)
{
	return images__take_refusal(&symbols->images, refusal);
}

uint64_t symbols__reading_ns(const struct symbols *symbols)
{
	return modules__reading_ns(&symbols->modules);
}

size_t symbols__memory_bytes(struct symbols *symbols)
{
	return sizeof(*symbols) + strings__memory_bytes(symbols->strings) +
	       mapped_files__memory_bytes(&symbols->files) + symbols->modules.loaded_bytes +
	       images__memory_bytes(&symbols->images) + symbols->jit_round.bounds.code_bytes +
	       symbols->late.bounds.bytes + kernel_symbols__memory_bytes(&symbols->kernel);
}
