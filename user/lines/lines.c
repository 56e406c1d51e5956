// SPDX-License-Identifier: GPL-2.0-only
/*
 * Files by path and build ID, and the answers for addresses in them. Each address is asked once:
 * from then on it has an answer, which is empty until the file is read, or for good.
 */
#include "lines/lines.h"

#include <sys/mman.h>
#include <unistd.h>

#include "base/shortage.h"
#include "base/strings.h"
#include "base/time_budget.h"
#include "lines/files.h"
#include "processes/opener.h"
#include "readers/readers.h"
#include "readers/source_lines.h"
#include "symbols/debug/debug_places.h"
#include "symbols/files/names.h"

#define MAX_ANSWERS 262144 /* further addresses have no lines until lines__begin() */

/*
 * The patience with file systems that may never answer: with a reader that is blocked, or a file
 * that cannot be opened. The work itself is not limited. Each failed wait halves the limit for the
 * next files, so that all together take at most twice the first limit.
 */
#define FIRST_LIMIT_NS 500000000ULL
#define LEAST_LIMIT_NS 10000000ULL /* a disk answers within that time */

struct read_timeout {
	uint64_t limit_ns;
	uint64_t since_ns; /* CLOCK_MONOTONIC: when the reader last made progress; 0: never */
	uint64_t progress; /* its CPU time and questions by then */
};

struct line_answer {
	struct map_item item;
	struct line_file *file;
	uint64_t address;
	size_t nr_places;
	struct source_place *places; /* names demangled; strings and all in lines->strings */
};

struct lines {
	struct lines_options options;
	struct line_files files;
	struct map answers;
	struct strings *strings;
	struct opener *opener;
	struct time_budget budget; /* time left of the lines__work() under way */
	struct read_timeout patience;
	struct reading reading;
	struct line_file *file; /* being read; NULL: none */
	uint64_t *batch;	/* sorted addresses that its reader looks up */
	size_t nr_batch;
	struct lines_account account;
};

static struct line_answer key_of(const struct lines *lines, struct line_file *file,
				 uint64_t address)
{
	const uintptr_t key[] = {(uintptr_t)file, address};

	return (struct line_answer){
		.item.hash = map__hash(&lines->answers, key, sizeof(key)),
		.file = file,
		.address = address,
	};
}

static int equals_answer(const void *item, const void *key)
{
	const struct line_answer *a = item, *b = key;

	return a->file == b->file && a->address == b->address;
}

struct lines *lines__new(const struct lines_options *options)
{
	struct lines *lines = xcalloc(1, sizeof(*lines));

	lines->options = *options;
	lines->patience.limit_ns = FIRST_LIMIT_NS;
	lines->strings = strings__new();
	lines->opener = options->openers ? opener__new(options->openers) : NULL;
	line_files__init(&lines->files, lines->opener, options->symfs);
	map__init(&lines->answers, equals_answer, NULL);
	return lines;
}

void lines__free(struct lines *lines)
{
	if (!lines)
		return;
	reading__close(&lines->reading);
	map__fini(&lines->answers);
	line_files__fini(&lines->files);
	strings__free(lines->strings);
	opener__free(lines->opener);
	free(lines->batch);
	free(lines);
}

void lines__keep(struct lines *lines, const char *path, const char *build_id, int fd, int root)
{
	line_files__keep(&lines->files, path, build_id, fd, root);
}

/* Forgets the answers if there are too many; addresses still needed are looked up again. */
void lines__begin(struct lines *lines)
{
	if (map__nr_items(&lines->answers) < MAX_ANSWERS || lines->file)
		return;
	map__clear(&lines->answers);
	strings__free(lines->strings);
	lines->strings = strings__new();
}

/* ---- asking ---- */

/*
 * The answer for an address in a file; it is empty as long as the file was not read. NULL: it never
 * will be, or there are too many.
 */
static const struct line_answer *find_answer(struct lines *lines, struct line_file *file,
					     uint64_t address)
{
	const struct line_answer key = key_of(lines, file, address);
	struct line_answer *answer = map__find(&lines->answers, &key.item);

	if (answer || file->state == FILE_DONE)
		return answer;
	if (map__nr_items(&lines->answers) >= MAX_ANSWERS) {
		lines->account.unread++;
		return NULL;
	}
	answer = strings__allocate(lines->strings, sizeof(*answer));
	*answer = key;
	map__add(&lines->answers, &answer->item);
	array__reserve(&file->asked, &file->capacity, file->nr_asked + 1);
	file->asked[file->nr_asked++] = address;
	return answer;
}

/*
 * Debug information may call the function itself otherwise than its symbol: glibc's write is
 * __GI___libc_write there, also where a compiler has inlined a part of it into the rest. What a
 * compiler adds to the symbol (".isra.0") makes no other name of it.
 */
static const char *name_inlined(const struct line_answer *answer, const struct source_place *place,
				const struct frame *frame)
{
	const char *own = answer->places[answer->nr_places - 1].function;
	const bool is_itself = own && place->function == own && frame->function;

	return is_itself && strncmp(frame->function, own, strlen(own)) != 0 ? frame->function
									    : place->function;
}

static size_t fill_frames(const struct lines *lines, const struct line_answer *answer,
			  const struct frame *frame, struct frame *frames)
{
	const size_t nr_inlined = answer->nr_places - 1;
	const size_t first = lines->options.no_inlined ? nr_inlined : 0;

	for (size_t i = first; i <= nr_inlined; i++) {
		const struct source_place *place = &answer->places[i];
		struct frame *filled = &frames[i - first];

		*filled = *frame;
		filled->file = place->file;
		filled->line = place->line;
		if (i < nr_inlined) {
			filled->function = name_inlined(answer, place, frame);
			filled->offset = 0;
			filled->has_start = false;
			filled->root = false;
			filled->inlined = true;
		} else if (!frame->function) {
			filled->function = place->function;
			filled->has_start = frame->has_start && !place->function;
		}
	}
	return answer->nr_places - first;
}

size_t lines__find(struct lines *lines, const struct frame *frame, bool is_caller,
		   struct frame frames[MAX_LINE_FRAMES])
{
	const uint64_t address = frame->address - (is_caller && frame->address);
	const struct line_answer *answer;
	struct line_file *file;

	if (frame->kind != FRAME_USER || !frame->path || frame->file || frame->inlined)
		return 0;
	file = line_files__find(&lines->files, frame->path, frame->build_id);
	answer = file ? find_answer(lines, file, address) : NULL;
	return answer && answer->nr_places ? fill_frames(lines, answer, frame, frames) : 0;
}

/* ---- reading ---- */

static int take_places(void *context, size_t index, const struct source_place *places,
		       size_t nr_places)
{
	struct lines *lines = context;
	const struct line_answer key = key_of(lines, lines->file, lines->batch[index]);
	struct line_answer *answer = map__find(&lines->answers, &key.item);
	struct source_place *kept;

	if (!answer || answer->nr_places || !nr_places || nr_places > MAX_LINE_FRAMES)
		return 0;
	kept = strings__allocate(lines->strings, nr_places * sizeof(*kept));
	for (size_t i = 0; i < nr_places; i++) {
		const char *raw = places[i].function, *file = places[i].file;

		kept[i] = (struct source_place){
			.function = raw ? names__user(lines->strings, raw, lines->options.demangle)
						    ->function
					: NULL,
			.file = file ? strings__intern(lines->strings, file, strlen(file)) : NULL,
			.line = places[i].line,
		};
	}
	answer->places = kept;
	answer->nr_places = nr_places;
	return 0;
}

static void note_end(struct lines *lines, struct line_file *file, int code)
{
	struct lines_account *account = &lines->account;

	account->files_read += !code && !file->is_read;
	file->is_read |= !code;
	if (code == -EFBIG)
		account->files_too_big++;
	else if (code == -EAGAIN || shortage__is(code))
		account->files_not_started++;
	else if (code == -ETIMEDOUT)
		account->files_silent++;
	else if (code && code != -ENOENT)
		account->files_failed++;
	if (shortage__is(code))
		account->shortage = code;
	if (code)
		line_file__done(&lines->files, file);
}

static int order(const void *left, const void *right)
{
	const uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

static void start_reading(struct lines *lines, struct line_file *file)
{
	const size_t nr_batch =
		file->nr_asked < MAX_LINE_ADDRESSES ? file->nr_asked : MAX_LINE_ADDRESSES;
	const size_t nr_bytes = nr_batch * sizeof(*lines->batch);
	const int files[] = {file->fd, memfd_create("addresses", MFD_CLOEXEC)};
	struct lines_request request;
	int code = files[1] < 0 ? shortage__of_descriptor(errno) : 0;

	file->nr_asked -= nr_batch;
	lines->nr_batch = nr_batch;
	memcpy(lines->batch, file->asked + file->nr_asked, nr_bytes);
	qsort(lines->batch, nr_batch, sizeof(*lines->batch), order);
	if (!code && write(files[1], lines->batch, nr_bytes) != (ssize_t)nr_bytes)
		code = -ENOMEM;

	memset(&request, 0, sizeof(request));
	request.max_bytes = lines->options.max_bytes;
	request.nr_addresses = (uint32_t)lines->nr_batch;
	strncpy(request.build_id, file->build_id, sizeof(request.build_id) - 1);
	if (!code)
		code = reading__start(&lines->reading, lines->options.readers, READ_LINES, files, 2,
				      &request, sizeof(request));
	if (!code) {
		lines->file = file;
		lines->patience.since_ns = 0;
	} else {
		note_end(lines, file, code);
		lines->nr_batch = 0;
	}
	if (files[1] >= 0)
		close(files[1]);
}

static bool find_asked(void *item, void *context)
{
	struct line_file *file = item, **found = context;

	if (file->nr_asked)
		*found = file;
	return false;
}

/* Notes a failed wait. */
static void lose_patience(struct read_timeout *patience)
{
	patience->limit_ns /= 2;
	if (patience->limit_ns < LEAST_LIMIT_NS)
		patience->limit_ns = LEAST_LIMIT_NS;
}

/* Starts reading. False: the file system has not answered yet. */
static bool read_file(struct lines *lines, struct line_file *file)
{
	if (!lines->batch)
		lines->batch = xcalloc(MAX_LINE_ADDRESSES, sizeof(*lines->batch));
	if (file->state == FILE_CLOSED && !line_file__open(&lines->files, file, &lines->budget)) {
		lose_patience(&lines->patience);
		return false;
	}
	if (file->failure) {
		note_end(lines, file, file->failure);
		file->failure = 0;
	}
	if (file->state == FILE_OPEN)
		start_reading(lines, file);
	else
		file->nr_asked = 0;
	return true;
}

/*
 * Whether a reader has been blocked for too long. Call it often. A reader that waits for a CPU
 * counts as running.
 */
static bool is_blocked(struct read_timeout *patience, const struct reading *reading)
{
	const uint64_t now_ns = monotonic_ns();
	const uint64_t progress = reading__cpu_ns(reading) + reading->nr_questions;

	if (!patience->since_ns || progress != patience->progress || !reading__is_idle(reading)) {
		patience->since_ns = now_ns;
		patience->progress = progress;
	}
	return now_ns - patience->since_ns >= patience->limit_ns;
}

/*
 * Waits for the reader and takes its answer; after a failure, the part that was written before.
 * False: it needs more time.
 */
static bool await_reader(struct lines *lines, uint64_t until_ns)
{
	const uint64_t max_cpu_ns = lines->options.max_cpu_ns;
	struct line_file *file = lines->file;
	const struct debug_places places = {.fd = file->fd,
					    .path = file->path,
					    .root = file->root,
					    .symfs = lines->options.symfs,
					    .opener = lines->opener,
					    .budget = &lines->budget};
	const bool has_ended = debug_places__await(&places, &lines->reading, until_ns);
	int code;

	if (!lines->budget.left_ns) /* a file that it asked for is on a file system that does not
				    * answer */
		lose_patience(&lines->patience);
	if (has_ended) {
		const struct place_taker taker = {take_places, lines};
		struct reader_answer answer;

		code = reading__finish(&lines->reading, &answer);
		source_lines__each(&answer, lines->nr_batch, &taker);
		reader_answer__free(&answer);
	} else if (max_cpu_ns && reading__cpu_ns(&lines->reading) > max_cpu_ns) {
		code = -ETIME;
	} else if (is_blocked(&lines->patience, &lines->reading)) {
		lose_patience(&lines->patience);
		code = -ETIMEDOUT;
	} else {
		return false;
	}
	if (!has_ended)
		reading__close(&lines->reading);
	if (has_ended && code == -ENOENT && !file->is_read &&
	    line_file__try_next(&lines->files, file)) {
		/* Another candidate for the file may have these addresses. */
		array__reserve(&file->asked, &file->capacity, file->nr_asked + lines->nr_batch);
		memcpy(file->asked + file->nr_asked, lines->batch,
		       lines->nr_batch * sizeof(*lines->batch));
		file->nr_asked += lines->nr_batch;
	} else {
		note_end(lines, file, code);
	}
	lines->file = NULL;
	lines->nr_batch = 0;
	return true;
}

bool lines__work(struct lines *lines, uint64_t until_ns)
{
	const uint64_t now_ns = monotonic_ns(), least_ns = now_ns + lines->patience.limit_ns / 2;

	lines->budget = (struct time_budget){
		.left_ns = (until_ns > least_ns ? until_ns : least_ns) - now_ns,
	};
	for (;;) {
		struct line_file *file = NULL;

		if (lines->file && !await_reader(lines, until_ns))
			return false;
		map__visit(&lines->files.map, find_asked, &file);
		if (!file)
			return true;
		if (!read_file(lines, file))
			return false;
	}
}

/* ---- accounts ---- */

static bool add_asked(void *item, void *context)
{
	*(uint64_t *)context += ((const struct line_file *)item)->nr_asked;
	return false;
}

void lines__account(struct lines *lines, struct lines_account *account)
{
	*account = lines->account;
	account->unread += lines->nr_batch;
	map__visit(&lines->files.map, add_asked, &account->unread);
}

uint64_t lines__reading_ns(const struct lines *lines)
{
	return reading__cpu_ns(&lines->reading);
}
