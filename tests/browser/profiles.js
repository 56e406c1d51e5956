// SPDX-License-Identifier: GPL-2.0-only
/*
 * Profiles to draw, made here, with what is true of them worked out from the stacks themselves. A
 * profile is {title, facts, stacks: [{count, weight, comm, wait, frames: [{name, module, kind}]}]}, frames
 * root first, and wait, if there is one, [state, kind]; times, if there is a time line, is {shown: [start,
 * duration], slices: [[start, duration, value]]} in ns, as strings; error, if counts have error bars, {samples,
 * spread}; slice of a stack, if there is a heat map, is its number. The pseudo-random ones are the same in every run.
 */
'use strict';

const encoded = new Map();

function encode(text) {
	if (!encoded.has(text))
		encoded.set(text, Array.from(Buffer.from(text), (byte) => (
			byte < 0x80 && /[\w.:]/.test(String.fromCharCode(byte)) ? String.fromCharCode(byte) :
				`%${byte.toString(16).padStart(2, '0')}`)).join(''));
	return encoded.get(text);
}

function encodeFrame({name, module, kind}) {
	return `${encode(name)}|${encode(module ?? '')}|${kind ?? 'user'}`;
}

/* The input of make_page. */
function write(profile) {
	const lines = [`title ${encode(profile.title)}`];

	for (const [name, text] of Object.entries(profile.facts ?? {}))
		lines.push(`fact ${encode(name)} ${encode(text)}`);
	if (profile.error)
		lines.push(`error ${profile.error.samples} ${Math.round(1000 * profile.error.spread)}`);
	if (profile.times) {
		const {shown, slices} = profile.times;

		lines.push(...slices.map((slice) => `slice ${slice.join(' ')}`), `shown ${shown.join(' ')}`);
	}
	for (const [before, stacks] of [[[], profile.stacks], [['faults'], profile.faults ?? []]])
		for (const {count, weight, comm, frames, wait, slice} of stacks)
			lines.push([...before, ...wait ? ['wait', ...wait] : [], ...slice === undefined ? [] : ['at', slice], count, weight, encode(comm), ...frames.map(encodeFrame)].join(' '));
	return `${lines.join('\n')}\n`;
}

/* Folded text of a run: without processes, modules and what has no line of its own there. */
function fold({stacks}, run) {
	return stacks.filter(({frames}) => frames.every(({name}) => !/[\n;\0]/.test(name)))
		.map(({count, frames}) => `${frames.map(({name}) => name).join(';')} ${1000 * count + run}\n`)
		.join('');
}

/* xorshift32 */
function random(seed) {
	let state = seed;

	return () => {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) / 2 ** 32;
	};
}

const SSHD = {module: 'sshd'};
const LIBC = {module: 'libc.so.6'};
const KERNEL = {module: '[kernel]', kind: 'kernel'};

/* Small enough to know by heart: 100 samples; read is in 70 of them, and recurs in 10. */
function five() {
	const main = {name: 'main', ...SSHD};
	const read = {name: 'read', ...LIBC};
	const write = {name: 'write', ...LIBC};
	const entry = {name: 'entry_SYSCALL_64', ...KERNEL};
	const stack = (count, ...frames) => ({count, weight: count * 10101010, comm: 'sshd', frames});

	return {
		title: 'sshd (pid 4711)',
		facts: {Event: 'cpu-clock', Rate: '99 Hz', Duration: '1.0 s'},
		stacks: [
			stack(10, main),
			stack(40, main, read),
			stack(20, main, read, entry),
			stack(20, main, write),
			stack(10, main, read, {name: 'callback', ...SSHD}, read),
		],
	};
}

/* The same, of independent samples: squared, 1.96 standard deviations. */
function sure() {
	return {...five(), error: {samples: 100, spread: 3.841}};
}

/* 100 again: 50 for a lock and 10 woken from it, 20 for a disk, 15 running, 5 preempted. */
function waiting() {
	const main = {name: 'main', ...SSHD};
	const lock = {name: 'lock', ...LIBC};
	const sync = {name: 'sync', ...LIBC};
	const parse = {name: 'parse', ...SSHD};
	const stack = (count, wait, ...frames) => (
		{count, weight: count * 10000000, comm: 'sshd', wait, frames});

	return {
		title: 'sshd (pid 4711)',
		stacks: [
			stack(50, ['interruptible', 'lock'], main, lock),
			stack(10, ['woken', 'lock'], main, lock),
			stack(20, ['disk', 'disk'], main, sync),
			stack(15, ['running', '-'], main, parse),
			stack(5, ['preempted', '-'], main, parse),
		],
	};
}

const WORDS = ('parse read write compile flush scan insert lookup resolve merge split encode decode ' +
	'hash sort emit visit walk alloc free copy compare format lock unlock poll send receive open ' +
	'close commit execute plan join filter project index page buffer node tree list table row key ' +
	'value token expr stmt block frame stack cache map').split(' ');
const MODULES = ['postgres', 'libc.so.6', 'libcrypto.so.3', 'libz.so.1', 'libstdc++.so.6',
	'libpq.so.5', 'plpgsql.so', 'libicuuc.so.72'];
const TAILS = ['entry_SYSCALL_64_after_hwframe', 'do_syscall_64', '__x64_sys_read', 'ksys_read',
	'vfs_read', 'ext4_file_read_iter', 'generic_file_read_iter', 'filemap_read', 'copy_page_to_iter'];

function inventName(next) {
	const word = () => WORDS[Math.floor(next() * WORDS.length)];

	return next() < 0.15 ? `std::vector<${word()}_${word()}, std::allocator<${word()}>>::${word()}()` :
		`${word()}_${word()}${next() < 0.4 ? `_${word()}` : ''}`;
}

/*
 * As programs are: each function calls a few others, the first of them most. Functions are found by
 * walking down from main, so that stacks share their beginnings.
 */
function realistic({title, nrStacks, nrFunctions, depth, seed}) {
	const next = random(seed);
	const functions = Array.from({length: nrFunctions}, () => (
		{name: inventName(next), module: MODULES[Math.floor(next() ** 3 * MODULES.length)]}));
	const callees = functions.map(() => Array.from({length: 2 + Math.floor(next() * 6)},
		() => Math.floor(next() * nrFunctions)));
	const seen = new Map();

	while (seen.size < nrStacks) {
		const frames = [{name: '_start', module: 'postgres'}, {name: 'main', module: 'postgres'}];
		const length = Math.max(3, Math.round(depth * (0.6 + 0.5 * next())));
		let at = 0;

		while (frames.length < length) {
			const choices = callees[at];

			at = choices[Math.floor(next() ** 2 * choices.length)];
			frames.push(functions[at]);
		}
		if (next() < 0.25)
			TAILS.slice(0, 2 + Math.floor(next() * 8)).forEach(
				(name) => frames.push({name, ...KERNEL}));
		else if (next() < 0.1)
			frames.push({name: `LazyCompile:~${inventName(next)}`, module: '//anon', kind: 'jit'});
		const comm = next() < 0.9 ? 'postgres' : 'checkpointer';
		const key = comm + frames.map(({name}) => name).join(';');

		if (!seen.has(key))
			seen.set(key, {count: 1 + Math.floor(20 * next() ** 6), comm, frames});
	}
	return {
		title,
		facts: {Event: 'cpu-clock', Rate: '999 Hz', Duration: '60 s', Host: 'db3 (16 CPUs)',
			Command: 'topstacks record -p 4711 -d 60'},
		stacks: [...seen.values()].map((stack) => ({...stack, weight: stack.count * 1001001})),
	};
}

/* The worst case: nothing is shared, every frame is any of the functions. */
function scattered({nrStacks, nrFunctions, depth, seed}) {
	const next = random(seed);
	const functions = Array.from({length: nrFunctions}, (_, i) => (
		{name: `${inventName(next)}_${i}`, module: MODULES[i % MODULES.length]}));

	return {
		title: 'random stacks',
		stacks: Array.from({length: nrStacks}, () => ({
			count: 1, weight: 1000000, comm: 'random',
			frames: Array.from({length: depth}, () => functions[Math.floor(next() * nrFunctions)]),
		})),
	};
}

/* Names that would like to be markup, script, or somebody else. */
const HOSTILE = [
	'</script><script>window.broken = 1</script>',
	'<img src=x onerror="window.broken = 1">',
	'"><svg onload=window.broken=1>',
	'line\u2028separator\u2029paragraph',
	'right\u202eotleft',
	'zero\u200bwidth',
	'new\nline\ttab\0nul',
	'&amp;&lt;',
	'${window.broken = 1}',
	'*/ window.broken = 1 /*',
	'{{data}}{{script}}',
	'-->', ']]>', '__proto__', 'constructor', 'operator<', '漢字の関数名', '🔥flame',
];

function hostile() {
	return {
		title: '</title><script>window.broken = 1</script>',
		facts: {'<b>Event</b>': '<script>window.broken = 1</script>'},
		stacks: HOSTILE.map((name, i) => ({
			count: 10 + i, weight: 0, comm: '</script>',
			frames: [{name: 'main', module: '<i>module</i>'},
				{name, module: i % 2 ? '</style>' : '__proto__'}],
		})),
	};
}

module.exports = {random, write, fold, five, sure, waiting, realistic, scattered, hostile, HOSTILE};
