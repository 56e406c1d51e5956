// SPDX-License-Identifier: GPL-2.0-only
#include "profile/select/choice.h"

#include <fnmatch.h>

#include "profile/certainty.h"
#include "profile/owner.h"
#include "profile/profile.h"
#include "profile/select/filter.h"

bool profile__tells_waits(const struct profile *profile)
{
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++)
		if (wait__state(samples[i].wait))
			return true;
	return false;
}

struct profile *profile__select_waits(const struct profile *profile,
				      const struct wait_choice *choice)
{
	struct profile *made = profile__new_like(profile, profile__dictionary(profile));
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++)
		if (wait_choice__has(choice, samples[i].wait))
			profile__add(made, &samples[i]);
	return made;
}

#define KERNEL_COMM 15

bool choice__is_of_waits(const struct choice *choice)
{
	return choice->wait || choice->state;
}

bool choice__is_of_time(const struct choice *choice)
{
	return choice->time || choice->from_s > 0 || choice->to_s > 0;
}

bool choice__is_all(const struct choice *choice)
{
	return !choice->focus && !choice->ignore && !choice->comms.nr_names && !choice->pid &&
	       !choice->tid && !choice->cgroups.nr_names && !choice->containers.nr_names &&
	       !choice__is_of_time(choice) && !choice__is_of_waits(choice);
}

/* ---- by owner ---- */

bool choice__is_below(const char *path, const char *cgroup)
{
	size_t length = strlen(cgroup);

	while (length > 1 && cgroup[length - 1] == '/')
		length--;
	if (!path || strncmp(path, cgroup, length))
		return false;
	return length == 1 || !path[length] || path[length] == '/';
}

/*
 * The kernel keeps only 15 characters of a name: a longer pattern without wildcards matches these.
 */
bool choice__has_comm(const struct process *process, const char *pattern)
{
	char comm[PROCESS_COMM_SIZE + 1] = "";

	memcpy(comm, process->comm, PROCESS_COMM_SIZE);
	return !fnmatch(pattern, comm, 0) ||
	       (strlen(comm) == KERNEL_COMM && !strpbrk(pattern, "*?[\\") &&
		!strncmp(pattern, comm, KERNEL_COMM));
}

static bool has_one(const struct name_list *names, const struct process *process,
		    bool (*has)(const struct process *process, const char *name))
{
	size_t i;

	for (i = 0; i < names->nr_names; i++)
		if (has(process, names->names[i]))
			return true;
	return !names->nr_names;
}

static bool is_in_cgroup(const struct process *process, const char *cgroup)
{
	return choice__is_below(process->cgroup_path, cgroup);
}

static bool is_in_container(const struct process *process, const char *container)
{
	return container__matches(process->cgroup_path, container);
}

/* ---- by all conditions but time ---- */

struct chooser {
	const struct choice *choice;
	const struct dictionary *dictionary;
	struct filter *focus, *ignore; /* NULL: none */
	struct wait_choice waits;
};

static bool is_wanted(const struct chooser *chooser, const struct sample *sample)
{
	const struct choice *choice = chooser->choice;
	const struct process *process = dictionary__process(chooser->dictionary, sample->process);

	if (choice->pid && (unsigned int)process->pid != choice->pid)
		return false;
	if (choice->tid && (unsigned int)sample->tid != choice->tid)
		return false;
	return has_one(&choice->comms, process, choice__has_comm) &&
	       has_one(&choice->cgroups, process, is_in_cgroup) &&
	       has_one(&choice->containers, process, is_in_container) &&
	       wait_choice__has(&chooser->waits, sample->wait) &&
	       (!chooser->focus || filter__matches_stack(chooser->focus, sample->stack)) &&
	       (!chooser->ignore || !filter__matches_stack(chooser->ignore, sample->stack));
}

static void keep_wanted(struct profile **profile, const struct chooser *chooser)
{
	struct profile *kept = profile__new_like(*profile, profile__dictionary(*profile));
	size_t nr_samples;
	const struct sample *samples = profile__samples(*profile, &nr_samples);

	for (size_t i = 0; i < nr_samples; i++)
		if (is_wanted(chooser, &samples[i]))
			profile__add(kept, &samples[i]);
	profile__free(*profile);
	*profile = kept;
}

/*
 * Keeps the scatter of all samples: shares of the whole are as certain as before, however few
 * samples are chosen.
 */
int recording__choose(struct recording *recording, const struct choice *choice, struct error *err)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	struct chooser chooser = {.choice = choice, .dictionary = dictionary};
	struct recording *event = recording;
	struct certainty certainty;
	struct filter focus, ignore;
	int code;

	if (choice__is_all(choice))
		return 0;
	for (; event; event = event->more) {
		certainty__init(&certainty, event, 0);
		event->scatter = certainty.scatter;
		event->squares = certainty.squares;
	}
	code = wait_choice__parse(&chooser.waits, choice->state, choice->wait, err);
	if (!code && choice->focus)
		code = filter__init(&focus, dictionary, choice->focus, err);
	if (code)
		return code;
	chooser.focus = choice->focus ? &focus : NULL;
	if (choice->ignore)
		code = filter__init(&ignore, dictionary, choice->ignore, err);
	chooser.ignore = choice->ignore && !code ? &ignore : NULL;
	for (; recording && !code; recording = recording->more) {
		keep_wanted(&recording->profile, &chooser);
		for (size_t i = 0; i < recording->nr_slices; i++)
			if (recording->slices[i])
				keep_wanted(&recording->slices[i], &chooser);
	}
	if (chooser.focus)
		filter__fini(&focus);
	if (chooser.ignore)
		filter__fini(&ignore);
	return code;
}
