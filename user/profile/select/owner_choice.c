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
		const struct process *process = sampled(choice, first);

		for (end = first + 1; end < choice->nr_sampled; end++)
			if (sampled(choice, end)->pid != process->pid ||
			    (process->start_ns &&
			     sampled(choice, end)->start_ns != process->start_ns))
				break;
		if (is_own(choice, first, end))
			for (size_t i = first; i < end; i++)
				choice->is_own[choice->sampled[i]] = true;
	}
}

/* ---- stacks ---- */

static uint32_t make_stack(struct owner_choice *choice, uint32_t stack)
{
	size_t nr_frames, first, nr = 0;
	const uint32_t *frames = dictionary__stack(choice->dictionary, stack, &nr_frames);

	/* The waiting thread's own stack is behind the last frame about its waker. */
	for (first = nr_frames; first; first--) {
		const struct frame *frame =
			dictionary__frame(choice->dictionary, frames[first - 1]);

		if (frame->kind == FRAME_USER && frame->function &&
		    !strncmp(frame->function, WOKEN_NAME, strlen(WOKEN_NAME)))
			break;
	}
	array__reserve(&choice->frames, &choice->capacity, nr_frames);
	for (size_t i = first; i < nr_frames; i++) {
		const enum frame_kind kind = dictionary__frame(choice->dictionary, frames[i])->kind;
		const bool is_hidden = kind == FRAME_KERNEL && !choice->with_kernel_frames;

		if (!is_hidden)
			choice->frames[nr++] = frames[i];
		else if (!nr || choice->frames[nr - 1] != choice->kernel_frame)
			choice->frames[nr++] = choice->kernel_frame;
	}
	return dictionary__add_stack(choice->dictionary, choice->frames, nr);
}

static void keep_own(struct owner_choice *choice, struct profile **profile)
{
	struct profile *kept = profile__new_like(*profile, choice->dictionary);
	size_t nr_samples;
	const struct sample *samples = profile__samples(*profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++) {
		struct sample sample = samples[i];
		uint32_t *stack = &choice->stacks[sample.stack];

		if (!choice->is_own[sample.process])
			continue;
		if (*stack == ID_NONE)
			*stack = make_stack(choice, sample.stack);
		sample.stack = *stack;
		profile__add(kept, &sample);
	}
	profile__free(*profile);
	*profile = kept;
}

/* ---- the whole ---- */

void recording__choose_owner(struct recording *recording, uint32_t uid, bool with_kernel_frames)
{
	const struct frame kernel = {.kind = FRAME_KERNEL, .function = KERNEL_NAME};
	struct dictionary *dictionary = profile__dictionary(recording->profile);
	const size_t nr_processes = dictionary__nr_processes(dictionary);
	struct owner_choice choice = {
		.dictionary = dictionary,
		.uid = uid,
		.with_kernel_frames = with_kernel_frames,
		.is_sampled = xcalloc(nr_processes + 1, sizeof(*choice.is_sampled)),
		.is_own = xcalloc(nr_processes + 1, sizeof(*choice.is_own)),
		.sampled = xcalloc(nr_processes + 1, sizeof(*choice.sampled)),
		.stacks = ids__new(dictionary__nr_stacks(dictionary)),
		.kernel_frame = dictionary__add_frame(dictionary, &kernel),
	};
	char target[64];

	for (struct recording *event = recording; event; event = event->more) {
		note_processes(&choice, event->profile);
		for (size_t i = 0; i < event->nr_slices; i++)
			if (event->slices[i])
				note_processes(&choice, event->slices[i]);
	}
	for (uint32_t id = 0; id < nr_processes; id++)
		if (choice.is_sampled[id])
			choice.sampled[choice.nr_sampled++] = id;
	judge_processes(&choice);

	snprintf(target, sizeof(target), "processes of user %" PRIu32, uid);
	for (struct recording *event = recording; event; event = event->more) {
		for (size_t i = 0; i <= event->nr_slices; i++)
			if (!i || event->slices[i - 1])
				keep_own(&choice, i ? &event->slices[i - 1] : &event->profile);
		event->ledger = (struct ledger){0};
		event->has_ledger = false;
		event->quality = (struct quality){0};
		event->cost = (struct cost){0};
		event->whole_system = event->is_whole_run = false;
		event->facts[FACT_TARGET] = recording__keep(event, target);
	}
	free(choice.is_sampled);
	free(choice.is_own);
	free(choice.sampled);
	free(choice.stacks);
	free(choice.frames);
	recording__drop_unused(recording);
}
