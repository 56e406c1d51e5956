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

	for (size_t i = 0; made && i < nr_samples; i++) {
		if (!wait_choice__has(choice, samples[i].wait) || !profile__add(made, &samples[i]))
			continue;
		profile__free(made);
		return NULL;
	}
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

static bool is_of_owner(const struct choice *choice, const struct process *process, int32_t tid)
{
	if (choice->pid && (unsigned int)process->pid != choice->pid)
		return false;
	if (choice->tid && (unsigned int)tid != choice->tid)
		return false;
	return has_one(&choice->comms, process, choice__has_comm) &&
	       has_one(&choice->cgroups, process, is_in_cgroup) &&
	       has_one(&choice->containers, process, is_in_container);
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
	const struct process *process = dictionary__process(chooser->dictionary, sample->process);

	return is_of_owner(chooser->choice, process, sample->tid) &&
	       wait_choice__has(&chooser->waits, sample->wait) &&
	       (!chooser->focus || filter__matches_stack(chooser->focus, sample->stack)) &&
	       (!chooser->ignore || !filter__matches_stack(chooser->ignore, sample->stack));
}

static struct profile *choose(const struct profile *profile, const struct chooser *chooser)
{
	struct profile *kept = profile__new_like(profile, profile__dictionary(profile));
	size_t nr_samples;
	const struct sample *samples = profile__samples(profile, &nr_samples);
	int code = kept ? 0 : -ENOMEM;

	for (size_t i = 0; i < nr_samples && !code; i++)
		if (is_wanted(chooser, &samples[i]))
			code = profile__add(kept, &samples[i]);
	if (!code)
		return kept;
	profile__free(kept);
	return NULL;
}

static int keep_wanted(struct profile **profile, const struct chooser *chooser)
{
	struct profile *kept = choose(*profile, chooser);

	if (!kept)
		return -ENOMEM;
	profile__free(*profile);
	*profile = kept;
	return 0;
}

struct profile *profile__choose_waits(const struct profile *profile,
				      const struct wait_choice *waits)
{
	static const struct choice of_all;
	const struct chooser chooser = {
		.choice = &of_all, .dictionary = profile__dictionary(profile), .waits = *waits};

	return choose(profile, &chooser);
}

static int keep_everywhere(struct recording *recording, const struct chooser *chooser)
{
	int code = 0;

	for (; recording && !code; recording = recording->more) {
		code = keep_wanted(&recording->profile, chooser);
		for (size_t i = 0; i < recording->nr_slices && !code; i++)
			if (recording->slices[i])
				code = keep_wanted(&recording->slices[i], chooser);
	}
	return code;
}

static int choose_samples(struct recording *recording, const struct choice *choice,
			  struct error *err)
{
	const struct dictionary *dictionary = profile__dictionary(recording->profile);
	struct chooser chooser = {.choice = choice, .dictionary = dictionary};
	struct filter focus, ignore;
	int code = wait_choice__parse(&chooser.waits, choice->state, choice->wait, err);

	if (!code && choice->focus)
		code = filter__init(&focus, dictionary, choice->focus, err);
	if (code)
		return code;
	chooser.focus = choice->focus ? &focus : NULL;
	if (choice->ignore)
		code = filter__init(&ignore, dictionary, choice->ignore, err);
	if (!code) {
		chooser.ignore = choice->ignore ? &ignore : NULL;
		code = keep_everywhere(recording, &chooser) ? error__no_memory(err) : 0;
	}
	if (chooser.focus)
		filter__fini(&focus);
	if (chooser.ignore)
		filter__fini(&ignore);
	return code;
}

/*
 * Keeps the scatter of all samples: shares of the whole are as certain as before, however few
 * samples are chosen.
 */
static int learn_scatter(struct recording *recording, struct error *err)
{
	struct certainty certainty;

	for (; recording; recording = recording->more) {
		if (certainty__init(&certainty, recording, 0))
			return error__no_memory(err);
		recording->scatter = certainty.scatter;
		recording->squares = certainty.squares;
	}
	return 0;
}

int recording__choose(struct recording *recording, const struct choice *choice, struct error *err)
{
	int code = choice__is_all(choice) ? 0 : learn_scatter(recording, err);

	return code ? code : choose_samples(recording, choice, err);
}
