// SPDX-License-Identifier: GPL-2.0-only
/*
 * The address of what is shown: "#view=both&at=…". Frames are named by marks that depend on their
 * names alone, so a link also finds its frame, or the deepest of its callers that is there, in
 * another file of the same program.
 */
'use strict';

const MARK_LENGTH = 5;
const MAX_LINK = 20000; // browsers cut longer ones

/* The fragment for a state; what equals the defaults is left out. */
function writeLink(profile, stacks, state, defaults) {
	const link = new URLSearchParams();
	const at = Array.from(stacks.path(state.at), (name) => nameMark(profile.names[name])).join('');

	for (const key of Object.keys(defaults))
		if (state[key] !== defaults[key])
			link.set(key, state[key]);
	if (state.pick >= 0)
		link.set('pick', nameMark(profile.names[state.pick]));
	if (state.focus >= 0)
		link.set('sides', nameMark(profile.names[state.focus]));
	if (at && at.length < MAX_LINK)
		link.set('at', at);
	if (state.range)
		link.set('range', state.range.map((share) => share.toPrecision(9)).join('-'));
	return link.toString();
}

/* {settings: of those in choices (name to allowed values), search, time, pick, focus, at(stacks), range} */
function readLink(profile, fragment, choices) {
	const link = new URLSearchParams(fragment);
	const settings = {};

	for (const [key, options] of Object.entries(choices))
		if (options.includes(link.get(key)))
			settings[key] = link.get(key);
	return {
		settings,
		search: link.get('search') ?? '',
		time: link.get('time') ?? '',
		pick: findMark(profile, link.get('pick')),
		focus: findMark(profile, link.get('sides')),
		at: (stacks) => followMarks(profile, stacks, link.get('at') ?? ''),
		range: readRange(link.get('range')),
	};
}

function findMark(profile, mark) {
	return mark ? profile.names.findIndex((name) => nameMark(name) === mark) : -1;
}

function followMarks(profile, stacks, marks) {
	const mark = (i) => marks.slice(i * MARK_LENGTH, (i + 1) * MARK_LENGTH);

	return stacks.follow(Math.floor(marks.length / MARK_LENGTH),
		(name, i) => nameMark(profile.names[name]) === mark(i));
}

function readRange(text) {
	const [from, to] = (text ?? '').split('-').map(Number);

	return from >= 0 && to <= 1 && from < to ? [from, to] : null;
}
