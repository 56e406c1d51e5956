// SPDX-License-Identifier: GPL-2.0-only
/*
 * The user of a process, by all that the recording knows about its pid. Files do not say when a
 * process began, so a pid with two users is taken for one process of both, and is shown to neither.
 */
#include "profile/select/owner_choice.h"

#include "profile/pool.h"

#define KERNEL_NAME "[kernel]"
#define WOKEN_NAME  "[woken by "

struct owner_choice {
	struct dictionary *dictionary;
	uint32_t uid;
	bool with_kernel_frames;

	/* Tables by id of the dictionary. */
	bool *is_sampled, *is_own; /* of processes */
	uint32_t *stacks;	   /* the stack to show; ID_NONE: not made yet */

	uint32_t *sampled; /* ids of the processes with samples, sorted by pid */
	size_t nr_sampled;

	uint32_t kernel_frame;
	uint32_t *frames; /* of the current stack */
	size_t capacity;
};

/* ---- processes ---- */

static void note_processes(struct owner_choice *choice, const struct profile *profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++)
		choice->is_sampled[samples[i].process] = true;
}

static void note_all_processes(struct owner_choice *choice, const struct recording *recording)
{
	const size_t nr_processes = dictionary__nr_processes(choice->dictionary);

	for (; recording; recording = recording->more) {
		note_processes(choice, recording->profile);
		for (size_t i = 0; i < recording->nr_slices; i++)
			if (recording->slices[i])
				note_processes(choice, recording->slices[i]);
	}
	for (uint32_t id = 0; id < nr_processes; id++)
		if (choice->is_sampled[id])
			choice->sampled[choice->nr_sampled++] = id;
}

static const struct process *sampled(const struct owner_choice *choice, size_t index)
{
	return dictionary__process(choice->dictionary, choice->sampled[index]);
}

/* By pid, then by start time; processes without a known start come first. */
static int order_sampled(const void *left, const void *right, void *dictionary)
{
	const struct process *a = dictionary__process(dictionary, *(const uint32_t *)left);
	const struct process *b = dictionary__process(dictionary, *(const uint32_t *)right);

	if (a->pid != b->pid)
		return (a->pid > b->pid) - (a->pid < b->pid);
	return (a->start_ns > b->start_ns) - (a->start_ns < b->start_ns);
}

/* Index after the last entry of the process that begins at first, in the order above. */
static size_t find_end(const struct owner_choice *choice, size_t first)
{
	const struct process *process = sampled(choice, first), *next;
	size_t end = first + 1;

	for (; end < choice->nr_sampled; end++) {
		next = sampled(choice, end);
		if (next->pid != process->pid ||
		    (process->start_ns && next->start_ns != process->start_ns))
			break;
	}
	return end;
}

/*
 * True if all entries of a process belong to the user. An entry of an ending process (OWNER_GONE)
 * is not enough: the user must have been seen while it lived.
 */
static bool is_own(const struct owner_choice *choice, size_t first, size_t end)
{
	bool was_own = false;

	for (size_t i = first; i < end; i++) {
		const struct process *process = sampled(choice, i);

		if (!process->pid || process->uid != choice->uid ||
		    (process->owner != OWNER_USER && process->owner != OWNER_GONE))
			return false;
		was_own |= process->owner == OWNER_USER;
	}
	return was_own;
}

static void judge_processes(struct owner_choice *choice)
{
	size_t end;

	if (choice->nr_sampled)
		qsort_r(choice->sampled, choice->nr_sampled, sizeof(*choice->sampled),
			order_sampled, choice->dictionary);
	for (size_t first = 0; first < choice->nr_sampled; first = end) {
		end = find_end(choice, first);
		if (is_own(choice, first, end))
			for (size_t i = first; i < end; i++)
				choice->is_own[choice->sampled[i]] = true;
	}
}

/* ---- stacks ---- */

static bool is_waker(const struct frame *frame)
{
	return frame->kind == FRAME_USER && frame->function &&
	       !strncmp(frame->function, WOKEN_NAME, strlen(WOKEN_NAME));
}

/*
 * Index of the first frame of the waiting thread's own stack, behind the last frame about its
 * waker.
 */
static size_t skip_waker(const struct owner_choice *choice, const uint32_t *frames,
			 size_t nr_frames)
{
	for (size_t i = nr_frames; i > 0; i--)
		if (is_waker(dictionary__frame(choice->dictionary, frames[i - 1])))
			return i;
	return 0;
}

static uint32_t make_stack(struct owner_choice *choice, uint32_t stack)
{
	size_t nr_frames, nr = 0;
	const uint32_t *frames = dictionary__stack(choice->dictionary, stack, &nr_frames);

	if (array__reserve(&choice->frames, &choice->capacity, nr_frames))
		return ID_NONE;
	for (size_t i = skip_waker(choice, frames, nr_frames); i < nr_frames; i++) {
		const enum frame_kind kind = dictionary__frame(choice->dictionary, frames[i])->kind;
		const bool is_hidden = kind == FRAME_KERNEL && !choice->with_kernel_frames;

		if (!is_hidden)
			choice->frames[nr++] = frames[i];
		else if (!nr || choice->frames[nr - 1] != choice->kernel_frame)
			choice->frames[nr++] = choice->kernel_frame;
	}
	return dictionary__add_stack(choice->dictionary, choice->frames, nr);
}

/* ---- samples ---- */

static int add_own(struct owner_choice *choice, const struct profile *from, struct profile *to)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(from, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];
		uint32_t *stack = &choice->stacks[sample.stack];

		if (!choice->is_own[sample.process])
			continue;
		if (*stack == ID_NONE)
			*stack = make_stack(choice, sample.stack);
		sample.stack = *stack;
		if (*stack == ID_NONE || profile__add(to, &sample))
			return -ENOMEM;
	}
	return 0;
}

static int keep_own(struct owner_choice *choice, struct profile **profile)
{
	struct profile *kept = profile__new_like(*profile, choice->dictionary);

	if (!kept || add_own(choice, *profile, kept)) {
		profile__free(kept);
		return -ENOMEM;
	}
	profile__free(*profile);
	*profile = kept;
	return 0;
}

static int keep_own_everywhere(struct owner_choice *choice, struct recording *recording)
{
	int code = 0;

	for (; recording && !code; recording = recording->more) {
		code = keep_own(choice, &recording->profile);
		for (size_t i = 0; i < recording->nr_slices && !code; i++)
			if (recording->slices[i])
				code = keep_own(choice, &recording->slices[i]);
	}
	return code;
}

/* ---- facts about all processes ---- */

static int tell_target(const struct owner_choice *choice, struct recording *recording)
{
	char target[64];
	bool failed = false;

	snprintf(target, sizeof(target), "processes of user %" PRIu32, choice->uid);
	recording->facts[FACT_TARGET] = recording__keep(recording, target, &failed);
	return failed ? -ENOMEM : 0;
}

static int forget_others(const struct owner_choice *choice, struct recording *recording)
{
	int code = 0;

	for (; recording && !code; recording = recording->more) {
		recording->ledger = (struct ledger){0};
		recording->has_ledger = false;
		recording->quality = (struct quality){0};
		recording->cost = (struct cost){0};
		recording->whole_system = recording->is_whole_run = false;
		code = tell_target(choice, recording);
	}
	return code;
}

/* ---- the whole ---- */

static int init_choice(struct owner_choice *choice)
{
	const struct frame kernel = {.kind = FRAME_KERNEL, .function = KERNEL_NAME};
	const size_t nr_processes = dictionary__nr_processes(choice->dictionary);

	choice->is_sampled = calloc(nr_processes + 1, sizeof(*choice->is_sampled));
	choice->is_own = calloc(nr_processes + 1, sizeof(*choice->is_own));
	choice->sampled = calloc(nr_processes + 1, sizeof(*choice->sampled));
	choice->stacks = ids__new(dictionary__nr_stacks(choice->dictionary));
	choice->kernel_frame = dictionary__add_frame(choice->dictionary, &kernel);
	return choice->is_sampled && choice->is_own && choice->sampled && choice->stacks &&
			       choice->kernel_frame != ID_NONE
		       ? 0
		       : -ENOMEM;
}

static void fini_choice(struct owner_choice *choice)
{
	free(choice->is_sampled);
	free(choice->is_own);
	free(choice->sampled);
	free(choice->stacks);
	free(choice->frames);
}

int recording__choose_owner(struct recording *recording, uint32_t uid, bool with_kernel_frames)
{
	struct owner_choice choice = {
		.dictionary = profile__dictionary(recording->profile),
		.uid = uid,
		.with_kernel_frames = with_kernel_frames,
	};
	int code = init_choice(&choice);

	if (!code) {
		note_all_processes(&choice, recording);
		judge_processes(&choice);
		code = keep_own_everywhere(&choice, recording);
	}
	if (!code)
		code = forget_others(&choice, recording);
	fini_choice(&choice);
	return code ? code : recording__drop_unused(recording);
}
