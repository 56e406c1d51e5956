// SPDX-License-Identifier: GPL-2.0-only
#include "readers/readers.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/shortage.h"
#include "base/system/channel.h"
#include "readers/confine.h"

#define MAX_WAIT_MS   1000 /* in one system call */
#define MAX_QUESTIONS 16384
#define MAX_JOBS      16 /* kinds of jobs */

struct readers {
	const struct job_row *(*find_job)(uint32_t job);
	struct confinement *confinement;
	struct spawner *spawner;
	atomic_uint_fast64_t cpu_ns;
	atomic_uint nr_at_work[MAX_JOBS];
};

/* ---- in the spawner and in readers ---- */

static int confine_spawner(const void *context)
{
	const struct readers *readers = context;

	return confine__spawner(readers->confinement);
}

static int run_reader(const void *context, uint32_t number, const struct worker *worker)
{
	const struct readers *readers = context;
	const struct job_row *job = readers->find_job(number);
	struct reader_task task = {
		.channel = worker->channel,
		.answer = worker->files[0],
		.files = worker->files + 1,
		.nr_files = worker->nr_files - 1,
		.arguments = worker->arguments,
		.nr_bytes = worker->nr_bytes,
	};
	int code = job && worker->nr_files ? 0 : -EINVAL;

	if (code)
		return code;
	code = confine__reader(readers->confinement, &job->bounds);
	if (code)
		return shortage__of_call(code);
	code = job->run(&task); /* jobs open nothing and are limited in memory, so -ENOMEM is no
				 * shortage */
	return code == -ENOMEM ? code : shortage__of_call(code);
}

/* ---- all readers ---- */

int readers__start(struct readers **out, const struct job_row *(*find_job)(uint32_t job))
{
	struct readers *readers = xcalloc(1, sizeof(*readers));
	const struct spawner_plan plan = {.name = "topstacks-read",
					  .confine = confine_spawner,
					  .run = run_reader,
					  .context = readers};
	int code;

	readers->find_job = find_job;
	readers->confinement = confinement__new();
	code = spawner__start(&readers->spawner, &plan);
	if (code)
		readers__stop(readers);
	else
		*out = readers;
	return code;
}

int readers__await(const struct readers *readers, bool *by_confine)
{
	return spawner__await(readers->spawner, by_confine);
}

void readers__stop(struct readers *readers)
{
	if (!readers)
		return;
	spawner__stop(readers->spawner);
	confinement__free(readers->confinement);
	free(readers);
}

uint64_t readers__cpu_ns(const struct readers *readers)
{
	return atomic_load(&readers->cpu_ns);
}

/* ---- a reading ---- */

/* Counts a reader of a job. False: the job's limit is reached. */
static bool take_place(struct readers *readers, uint32_t job, const struct job_row *row)
{
	const unsigned int nr_before = atomic_fetch_add(&readers->nr_at_work[job], 1);

	if (!row->max_at_once || nr_before < row->max_at_once)
		return true;
	atomic_fetch_sub(&readers->nr_at_work[job], 1);
	return false;
}

int reading__start(struct reading *reading, struct readers *readers, uint32_t job, const int *files,
		   size_t nr_files, const void *arguments, size_t nr_bytes)
{
	const struct job_row *row = job < MAX_JOBS ? readers->find_job(job) : NULL;
	int passed[WORKER_MAX_FILES];
	int code;

	if (!row || nr_files + 1 > WORKER_MAX_FILES)
		return -EINVAL;
	if (!take_place(readers, job, row))
		return -EAGAIN;
	*reading = (struct reading){.job = row, .number = job};
	reading->answer = memfd_create(row->name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (reading->answer < 0) {
		code = shortage__of_call(shortage__of_descriptor(errno));
	} else {
		passed[0] = reading->answer;
		memcpy(passed + 1, files, nr_files * sizeof(*files));
		code = spawner__hire(readers->spawner, job, passed, nr_files + 1, arguments,
				     nr_bytes, &reading->reader);
		if (code)
			close(reading->answer);
	}
	if (code) {
		atomic_fetch_sub(&readers->nr_at_work[job], 1);
		return code;
	}
	reading->readers = readers;
	reading->deadline_ns = monotonic_ns() + 2 * row->bounds.max_seconds * 1000000000ULL;
	return 0;
}

static enum reading_state note_end(struct reading *reading)
{
	reading->has_ended = true;
	atomic_fetch_add(&reading->readers->cpu_ns, reading->end.cpu_ns);
	return READING_ENDED;
}

static enum reading_state give_up(struct reading *reading, int code)
{
	reading->end = (struct worker_end){.code = code, .cpu_ns = hired__cpu_ns(&reading->reader)};
	return note_end(reading);
}

static bool is_sane(const struct reader_question *question, ssize_t length)
{
	const char *name = question->name;

	if (length != sizeof(*question) || question->kind > QUESTION_SCRATCH || !name[0] ||
	    !memchr(name, '\0', sizeof(question->name)))
		return false;
	/* A name stays below its directory; those of split files may have subdirectories. */
	if (question->kind != QUESTION_SPLIT)
		return !strchr(name, '/');
	return name[0] != '/' && strncmp(name, "../", 3) != 0 && !strstr(name, "/../");
}

/*
 * Takes a question. -EAGAIN: there is none; -EIO: the message is not valid, or has files; other
 * codes: the channel failed.
 */
static int take_question(struct reading *reading, struct reader_question *question)
{
	size_t nr_files = 0;
	const ssize_t length = channel__receive(reading->reader.channel, false, question,
						sizeof(*question), NULL, &nr_files);

	if (length == -EAGAIN || length == -EPIPE)
		return -EAGAIN;
	if (length < 0 && length != -EMSGSIZE && length != -EMFILE)
		return shortage__of_call((int)length);
	if (!is_sane(question, length) || reading->nr_questions++ == MAX_QUESTIONS)
		return -EIO;
	return 0;
}

/* Replies without waiting: a reader that asks without reading replies leaves no room for them. */
void reading__reply(struct reading *reading, int file)
{
	const char nothing = 0;

	if (channel__send(reading->reader.channel, false, &nothing, sizeof(nothing), &file,
			  file >= 0) == -EAGAIN)
		give_up(reading, -EIO);
}

/*
 * Gives a scratch file of a sealed size: otherwise a reader could use unlimited memory that does
 * not count as its own.
 */
static void give_scratch(struct reading *reading, uint32_t nr_bytes)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL;
	const uint64_t left = reading->job->bounds.max_scratch_bytes - reading->nr_scratch_bytes;
	int file = -1;

	if (nr_bytes <= left)
		file = memfd_create("scratch", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (file >= 0 && (ftruncate(file, nr_bytes) || fcntl(file, F_ADD_SEALS, seals))) {
		close(file);
		file = -1;
	}
	if (file >= 0)
		reading->nr_scratch_bytes += nr_bytes;
	reading__reply(reading, file);
	if (file >= 0)
		close(file);
}

enum reading_state reading__wait(struct reading *reading, uint64_t until_ns,
				 struct reader_question *question)
{
	const uint64_t deadline_ns = reading->deadline_ns;
	struct pollfd watched[] = {{.fd = reading->reader.status, .events = POLLIN},
				   {.fd = reading->reader.channel, .events = POLLIN}};

	while (!reading->has_ended) {
		const uint64_t now_ns = monotonic_ns();
		uint64_t left_ms;
		int code;

		if (hired__has_ended(&reading->reader, &reading->end))
			return note_end(reading);
		code = take_question(reading, question);
		if (!code && question->kind == QUESTION_SCRATCH) {
			give_scratch(reading, question->index);
			continue;
		}
		if (!code)
			return READING_ASKS;
		if (code != -EAGAIN)
			return give_up(reading, code);
		if (now_ns >= deadline_ns)
			return give_up(reading, reading__is_idle(reading) ? -ETIMEDOUT : -ETIME);
		if (now_ns >= until_ns)
			return READING_RUNS;
		left_ms =
			((until_ns < deadline_ns ? until_ns : deadline_ns) - now_ns) / 1000000 + 1;
		poll(watched, 2, left_ms < MAX_WAIT_MS ? (int)left_ms : MAX_WAIT_MS);
		if (watched[1].revents & POLLHUP)
			watched[1].fd = -1; /* the status tells how it ended */
	}
	return READING_ENDED;
}

/*
 * Seals the answer. A reader that still runs could go on writing, so there is no answer before its
 * end. Then no process maps the file, so the seal against future writers suffices. (F_SEAL_WRITE
 * would search for mappings, and wait for a kernel thread on every CPU.)
 */
static int take_answer(struct reading *reading, struct reader_answer *answer)
{
	const int seals = F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_FUTURE_WRITE | F_SEAL_SEAL;
	struct stat status;
	void *bytes;

	*answer = (struct reader_answer){0};
	if (!reading->end.is_gone)
		return -EIO;
	if (fcntl(reading->answer, F_ADD_SEALS, seals) || fstat(reading->answer, &status))
		return shortage__of_call(-errno);
	if (!status.st_size)
		return 0;
	if ((uint64_t)status.st_size > reading->job->bounds.max_answer_bytes)
		return -EIO;
	bytes = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_SHARED, reading->answer, 0);
	if (bytes == MAP_FAILED)
		return shortage__of_call(-errno);
	*answer = (struct reader_answer){bytes, (size_t)status.st_size};
	return 0;
}

int reading__finish(struct reading *reading, struct reader_answer *answer)
{
	const int code = take_answer(reading, answer);
	const int ended = reading->end.code;

	reading__close(reading);
	return ended ? ended : code;
}

int readers__read(struct readers *readers, uint32_t job, int file, const void *arguments,
		  size_t nr_bytes, struct reader_answer *answer)
{
	struct reader_question question;
	struct reading reading = {0};
	enum reading_state state;
	const int code =
		readers ? reading__start(&reading, readers, job, &file, 1, arguments, nr_bytes)
			: -ENOSYS;

	if (code)
		return code;
	while ((state = reading__wait(&reading, monotonic_ns() + MAX_WAIT_MS * 1000000ULL,
				      &question)) != READING_ENDED)
		if (state == READING_ASKS)
			reading__reply(&reading, -1);
	return reading__finish(&reading, answer);
}

void reading__close(struct reading *reading)
{
	if (!reading->readers)
		return;
	atomic_fetch_add(&reading->readers->cpu_ns, reading__cpu_ns(reading));
	hired__dismiss(&reading->reader);
	close(reading->answer);
	atomic_fetch_sub(&reading->readers->nr_at_work[reading->number], 1);
	*reading = (struct reading){0};
}

uint64_t reading__cpu_ns(const struct reading *reading)
{
	return reading->readers && !reading->has_ended ? hired__cpu_ns(&reading->reader) : 0;
}

bool reading__is_idle(const struct reading *reading)
{
	return reading->readers && !reading->has_ended && hired__is_idle(&reading->reader);
}

void reader_answer__free(struct reader_answer *answer)
{
	if (answer->bytes)
		munmap((void *)answer->bytes, answer->nr_bytes);
	*answer = (struct reader_answer){0};
}
