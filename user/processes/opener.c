// SPDX-License-Identifier: GPL-2.0-only
/*
 * If there is no answer, the blame falls on the file's device, once the file was found on it.
 * Before that it falls on the process whose mappings or paths are followed, or on the path and the
 * root above it, a directory on a mount: a user who mounts a file system in a namespace of his own
 * has another mount as root. Hostile users choose the paths of their processes, so only things that
 * such a user could have made are blamed.
 */
#include "processes/opener.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/shortage.h"
#include "base/system/channel.h"
#include "base/system/rights.h"
#include "base/system/spawner.h"
#include "base/system/thread.h"
#include "base/time_budget.h"
#include "processes/open_file.h"
#include "processes/opener_messages.h"
#include "processes/roots.h"

#define MAX_ASKED  8 /* small enough that messages never block */
#define MAX_STUCK  8
#define MAX_LOCKED 64

#define PROCESS_LIMIT_NS 200000000ULL

/* A cause of delay, which is not tried again. */
struct blamed {
	enum { BLAMED_DEVICE, BLAMED_PROCESS, BLAMED_PATH } kind;
	uint64_t a, b, c, mount;
};

struct question {
	uint64_t ticket;
	struct blamed device; /* device of a mapping */
	struct blamed blamed;
	bool is_of_process;
};

struct opener {
	struct spawner *spawner;
	uint32_t seed; /* seed of hashed paths */
	struct hired process;
	bool is_hired;
	struct question asked[MAX_ASKED]; /* oldest first */
	size_t nr_asked;
	uint64_t begun_ns; /* when the oldest question began, at the latest */
	uint64_t last_ticket;
	struct blamed stuck[MAX_STUCK];
	size_t nr_left_behind;
	struct blamed locked[MAX_LOCKED]; /* the last processes that could not be read */
	size_t nr_locked;
	uint64_t cpu_ns; /* of the opener, as it reported */
	void (*on_unopened)(void *context, const char *path, int code); /* NULL: not called */
	void *context;
	uint32_t told[OPENER_MAX_TOLD]; /* hashed paths */
	size_t nr_told;
};

/* ---- processes ---- */

/* Keeps only the rights that opening needs. */
static int confine(const void *context)
{
	int code;

	(void)context;
	thread__hurry(); /* its caller waits for it */
	rights__hide_memory();
	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	code = rights__reduce(RIGHTS_TO_LOOK);
	if (!code)
		rights_filter__install(); /* a second wall, as in rights__settle() */
	return code;
}

static int run(const void *context, uint32_t kind, const struct worker *worker)
{
	(void)context;
	(void)kind;
	return opener__serve(worker->channel);
}

int openers__start(struct spawner **spawner)
{
	static const struct spawner_plan plan = {
		.name = "ts-opener", .confine = confine, .run = run};

	return spawner__start(spawner, &plan);
}

struct opener *opener__new(struct spawner *spawner)
{
	struct opener *opener = xcalloc(1, sizeof(*opener));

	opener->spawner = spawner;
	opener->seed = map__random_seed();
	return opener;
}

#define END_MS 20 /* time for the spawner to report a worker's end */

/* Why there is no answer: the shortage that kept the opener from starting, or -EPIPE. */
static int why_gone(struct opener *opener)
{
	struct pollfd watched = {.fd = opener->process.status, .events = POLLIN};
	const uint64_t until_ns = monotonic_ns() + END_MS * 1000000ULL;
	struct worker_end end;

	while (!hired__has_ended(&opener->process, &end)) {
		if (monotonic_ns() >= until_ns)
			return -EPIPE;
		poll(&watched, 1, END_MS);
	}
	return shortage__is(end.code) ? end.code : -EPIPE;
}

/* Abandons the process; it ends when it can. */
static void dismiss(struct opener *opener)
{
	if (!opener->is_hired)
		return;
	hired__dismiss(&opener->process);
	opener->is_hired = false;
	opener->cpu_ns = 0;
}

void opener__free(struct opener *opener)
{
	if (!opener)
		return;
	dismiss(opener);
	free(opener);
}

/* ---- blame ---- */

/*
 * Hashes text with a secret seed, so that no user can forge a collision; collisions by chance do no
 * harm.
 */
static uint32_t number_of(const struct opener *opener, const char *text, size_t length)
{
	return map__hash_more(opener->seed, text, length);
}

static bool is_among(const struct blamed *list, size_t nr, const struct blamed *blamed)
{
	for (size_t i = 0; i < nr; i++)
		if (list[i].kind == blamed->kind && list[i].a == blamed->a &&
		    list[i].b == blamed->b && list[i].c == blamed->c &&
		    list[i].mount == blamed->mount)
			return true;
	return false;
}

static bool is_stuck(const struct opener *opener, const struct blamed *blamed)
{
	const size_t nr = opener->nr_left_behind;

	return is_among(opener->stuck, nr < MAX_STUCK ? nr : MAX_STUCK, blamed);
}

/*
 * Whether not to open the file. When many openers were abandoned, places that may hang are refused:
 * files that are not on disks, and targets of links. An opener that waits for a process can be
 * killed, so it is not abandoned.
 */
static bool is_refused(const struct opener *opener, const struct opening *opening,
		       const struct question *question)
{
	const size_t nr_locked = opener->nr_locked < MAX_LOCKED ? opener->nr_locked : MAX_LOCKED;
	const bool is_mapped = opening->kind == OPENING_MAPPED;

	if (is_among(opener->locked, nr_locked, &question->blamed))
		return true;
	if (opening->kind == OPENING_PROCESS)
		return false;
	if (opener->nr_left_behind >= 2 * MAX_STUCK)
		return true;
	if (opener->nr_left_behind >= MAX_STUCK &&
	    (is_mapped ? !opening->mapping->major : opening->kind == OPENING_BELOW))
		return true;
	return is_stuck(opener, &question->blamed) ||
	       (is_mapped && is_stuck(opener, &question->device));
}

/* ---- asking ---- */

_Static_assert(MAX_ROOTS + 1 <= CHANNEL_MAX_FILES, "all roots fit into a message");

static int send_request(struct opener *opener, const struct opening *opening, uint64_t ticket)
{
	const struct mapping *mapping = opening->mapping;
	const struct mapped_by *by = opening->by;
	struct opening_request request = {.ticket = ticket, .kind = (uint8_t)opening->kind};
	const char *path = opening->kind == OPENING_MAPPED ? mapping->path : opening->path;
	int files[CHANNEL_MAX_FILES] = {opening->root};
	size_t nr_files = 1;

	if (opening->kind == OPENING_MAPPED || opening->kind == OPENING_PROCESS) {
		request.pid = by->pid;
		request.start_ticks = by->start_ticks;
		request.asks_who = opening->kind == OPENING_PROCESS && opening->living;
		nr_files = 0;
	}
	if (opening->kind == OPENING_MAPPED) {
		request.start = by->start;
		request.end = by->end;
		request.inode = mapping->inode;
		request.major = mapping->major;
		request.minor = mapping->minor;
		request.has_own_root = by->root != NULL;
		nr_files = roots__list(by->roots, by->root, files);
	}
	if (strlen(path) < sizeof(request.path))
		strcpy(request.path, path);
	return shortage__of_descriptor(
		-channel__send(opener->process.channel, false, &request,
			       offsetof(struct opening_request, path) + strlen(request.path) + 1,
			       files, nr_files));
}

/*
 * Chooses what to blame if there is no answer. Of a path, the directory is blamed if links are not
 * followed; otherwise the single path, as a link in it may be a hostile user's.
 */
static void set_blame(const struct opener *opener, struct question *question,
		      const struct opening *opening)
{
	const struct mapped_by *by = opening->by;
	struct blamed *blamed = &question->blamed;
	struct file_identity identity;
	const char *slash;
	size_t length;

	question->is_of_process = opening->kind == OPENING_PROCESS;
	if (opening->kind == OPENING_MAPPED)
		question->device = (struct blamed){
			.kind = BLAMED_DEVICE,
			.a = makedev(opening->mapping->major, opening->mapping->minor)};
	if (opening->kind == OPENING_MAPPED || question->is_of_process) {
		*blamed = (struct blamed){
			.kind = BLAMED_PROCESS, .a = (uint32_t)by->pid, .b = by->start_ticks};
		return;
	}
	slash = opening->kind == OPENING_BELOW ? NULL : strrchr(opening->path, '/');
	length = slash ? (size_t)(slash - opening->path) : strlen(opening->path);
	*blamed =
		(struct blamed){.kind = BLAMED_PATH, .c = number_of(opener, opening->path, length)};
	if (!file__identify(opening->root, &identity)) {
		blamed->a = identity.device;
		blamed->b = identity.inode;
		blamed->mount = file__mount(opening->root);
	}
}

int opener__ask(struct opener *opener, const struct opening *opening, uint64_t *ticket)
{
	struct question question = {.ticket = opener->last_ticket + 1};
	int code = 0;

	if (opener->nr_asked == MAX_ASKED || (opener->nr_asked && !opener->is_hired))
		return -EAGAIN;
	set_blame(opener, &question, opening);
	if (is_refused(opener, opening, &question))
		return -ETIMEDOUT;
	if (!opener->is_hired) {
		code = spawner__hire(opener->spawner, 0, NULL, 0, NULL, 0, &opener->process);
		opener->is_hired = !code;
	}
	if (!code)
		code = send_request(opener, opening, question.ticket);
	if (code == -EPIPE) { /* the opener crashed; the next question starts another */
		code = why_gone(opener);
		dismiss(opener);
	}
	if (code)
		return code;
	if (!opener->nr_asked)
		opener->begun_ns = monotonic_ns();
	opener->asked[opener->nr_asked++] = question;
	*ticket = opener->last_ticket = question.ticket;
	return 0;
}

/* ---- answers ---- */

static void end_oldest(struct opener *opener, int fd, struct opened *opened)
{
	*opened = (struct opened){.ticket = opener->asked[0].ticket, .fd = fd};
	opener->nr_asked--;
	memmove(opener->asked, opener->asked + 1, opener->nr_asked * sizeof(opener->asked[0]));
	opener->begun_ns = monotonic_ns();
}

/*
 * Receives from the opener. 1: the oldest question is answered; 0: it goes on; -EAGAIN: no message;
 * other negative errno.
 */
static int hear(struct opener *opener, struct opened *opened)
{
	struct opening_reply reply;
	size_t nr_files = 1;
	int file = -1;
	const ssize_t length = channel__receive(opener->process.channel, false, &reply,
						sizeof(reply), &file, &nr_files);

	if (length == -EMFILE) {
		if (nr_files)
			close(file);
		end_oldest(opener, -EMFILE, opened);
		return 1;
	}
	if (length < 0)
		return (int)length;
	if (length != sizeof(reply) || reply.ticket != opener->asked[0].ticket ||
	    (reply.code == 0) != (nr_files == 1) || reply.code > 0) {
		if (nr_files)
			close(file);
		return -EPROTO;
	}
	spawner__add_cpu(opener->spawner, reply.cpu_ns - opener->cpu_ns);
	opener->cpu_ns = reply.cpu_ns;
	if (reply.code == -EINPROGRESS) {
		opener->asked[0].blamed = opener->asked[0].device;
		return 0;
	}
	end_oldest(opener, nr_files ? file : reply.code, opened);
	opened->living = reply.living;
	return 1;
}

/* Ends the oldest question with an error; blames what it waited for if there was no answer. */
static bool give_up(struct opener *opener, int code, struct opened *opened)
{
	const struct question *oldest = &opener->asked[0];

	if (code == -ETIMEDOUT && oldest->is_of_process) {
		opener->locked[opener->nr_locked++ % MAX_LOCKED] = oldest->blamed;
	} else if (code == -ETIMEDOUT) {
		if (opener->nr_left_behind < MAX_STUCK)
			opener->stuck[opener->nr_left_behind] = oldest->blamed;
		opener->nr_left_behind++;
	}
	if (code == -EPIPE)
		code = why_gone(opener);
	dismiss(opener);
	end_oldest(opener, code, opened);
	return true;
}

/*
 * Time limit of the oldest question. Entries of a process are ready at once, so an opener that
 * still sleeps after a while is blocked by a process. One that is running may have much to copy.
 */
static uint64_t patience_ns(struct opener *opener, uint64_t now_ns)
{
	if (!opener->asked[0].is_of_process)
		return OPENER_LIMIT_NS;
	return now_ns >= opener->begun_ns + PROCESS_LIMIT_NS && opener__is_at_work(opener)
		       ? OPENER_LIMIT_NS
		       : PROCESS_LIMIT_NS;
}

bool opener__take(struct opener *opener, uint64_t until_ns, struct opened *opened)
{
	while (opener->nr_asked) {
		const uint64_t now_ns = monotonic_ns();
		const uint64_t limit_ns = opener->begun_ns + patience_ns(opener, now_ns);
		const uint64_t next_ns = earlier(limit_ns, until_ns);
		const int code = opener->is_hired ? hear(opener, opened) : -ECANCELED;
		struct pollfd watched = {.fd = opener->process.channel, .events = POLLIN};

		if (code > 0)
			return true;
		if (code < 0 && code != -EAGAIN)
			return give_up(opener, code, opened);
		if (!code)
			continue;
		if (now_ns >= limit_ns)
			return give_up(opener, -ETIMEDOUT, opened);
		if (now_ns >= until_ns)
			return false;
		poll(&watched, 1, (int)((next_ns - now_ns) / 1000000 + 1));
	}
	return false;
}

bool opener__is_at_work(struct opener *opener)
{
	struct worker_end end;

	if (!opener->nr_asked || !opener->is_hired)
		return false;
	hired__has_ended(&opener->process,
			 &end); /* reads its pid; its channel tells whether it has ended */
	return !hired__is_idle(&opener->process);
}

int opener__fd(const struct opener *opener)
{
	return opener->is_hired ? opener->process.channel : -1;
}

/* ---- telling ---- */

void opener__tell(struct opener *opener,
		  void (*on_unopened)(void *context, const char *path, int code), void *context)
{
	opener->on_unopened = on_unopened;
	opener->context = context;
}

/* Tells the result of opening a path if it is worth telling. */
static void note(struct opener *opener, const char *path, int code)
{
	const uint32_t number = number_of(opener, path, strlen(path));

	if ((code != -ETIMEDOUT && code != -EMEDIUMTYPE && !shortage__is(code)) ||
	    !opener->on_unopened || opener->nr_told == OPENER_MAX_TOLD)
		return;
	for (size_t i = 0; i < opener->nr_told; i++)
		if (opener->told[i] == number)
			return;
	opener->told[opener->nr_told++] = number;
	opener->on_unopened(opener->context, path, code);
}

/* ---- asking and waiting ---- */

/*
 * Takes the answer to a question, after those that earlier calls did not wait for. False: there is
 * no answer yet.
 */
static bool take_answer(struct opener *opener, uint64_t ticket, uint64_t until_ns,
			struct opened *answer)
{
	while (opener__take(opener, until_ns, answer)) {
		if (answer->ticket == ticket)
			return true;
		if (answer->fd >= 0)
			close(answer->fd);
	}
	return false;
}

static int open_here(const struct opening *opening)
{
	const struct mapped_by *by = opening->by;
	int roots[MAX_ROOTS + 1], fd;
	struct search_roots where = {.roots = roots};
	const uint64_t before = rights__raise(RIGHTS_TO_LOOK);

	if (opening->kind == OPENING_MAPPED) {
		where.nr_roots = roots__list(by->roots, by->root, roots);
		where.has_own = by->root != NULL;
		fd = open_file__mapped(opening->mapping, by, &where);
	} else if (opening->kind == OPENING_PROCESS) {
		fd = open_file__of_process(by, opening->path, opening->living);
	} else {
		fd = open_file__below(opening->root, opening->path, opening->kind == OPENING_BELOW);
	}
	rights__restore(before);
	return fd;
}

static int ask(struct opener *opener, const struct opening *opening, struct time_budget *budget)
{
	uint64_t ticket, wait_ns, now_ns;
	struct opened answer;
	bool is_answered = false;
	int code;

	take_answer(opener, 0, 0, &answer);
	code = opener__ask(opener, opening, &ticket);
	if (code)
		return code;
	while (!is_answered && (wait_ns = time_budget__wait_ns(budget))) {
		now_ns = monotonic_ns();
		is_answered = take_answer(opener, ticket, now_ns + wait_ns, &answer);
		time_budget__spend(budget, monotonic_ns() - now_ns);
	}
	/*
	 * An opener that is working would delay the next question, so a new one replaces it; one
	 * that is blocked stays, so that the cause can still be blamed.
	 */
	if (!is_answered && opening->kind == OPENING_PROCESS && opener__is_at_work(opener)) {
		dismiss(opener);
		opener->nr_asked = 0;
	}
	if (is_answered && opening->living)
		*opening->living = answer.living;
	return is_answered ? answer.fd : -EAGAIN;
}

int opener__open(struct opener *opener, const struct opening *opening, struct time_budget *budget)
{
	char process[32];
	int fd;

	if (opening->living)
		*opening->living = (struct living){0};
	if (!opener)
		return open_here(opening);
	fd = ask(opener, opening, budget);
	if (opening->kind == OPENING_PROCESS) { /* one notice for all of its entries */
		snprintf(process, sizeof(process), "/proc/%d", opening->by->pid);
		note(opener, process, fd);
	} else {
		note(opener,
		     opening->kind == OPENING_MAPPED ? opening->mapping->path : opening->path, fd);
	}
	return fd;
}

int opener__open_root(struct opener *opener, const struct mapped_by *by, struct time_budget *budget)
{
	const struct opening opening = {.kind = OPENING_PROCESS, .by = by, .path = "root"};
	const int root = opener__open(opener, &opening, budget);

	return root < 0 && by->root ? fcntl(root__fd(by->root), F_DUPFD_CLOEXEC, 0) : root;
}
