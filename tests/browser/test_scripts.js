// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page's arithmetic without a browser: its files are loaded as they are, and what they say of
 * random stacks is held against counting by hand, stack for stack.
 */
'use strict';

const assert = require('node:assert');
const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const test = require('node:test');
const vm = require('node:vm');
const zlib = require('node:zlib');
const profiles = require('./profiles.js');

const BUILD = process.env.BUILD ?? path.join(__dirname, '../../build/release');

const SOURCES = ['data', 'layout', 'draw', 'overlay', 'waits', 'link', 'words'].map((name) =>
	path.join(__dirname, `../../user/flame/page/${name}.js`));
const page = vm.createContext({TextDecoder, URLSearchParams});

for (const source of SOURCES)
	vm.runInContext(fs.readFileSync(source, 'utf8'), page, {filename: source});
vm.runInContext('Object.assign(globalThis, {Stacks, Reader, Waits})', page);

/* Distinct random stacks of small numbers, in order; with many shared beginnings, and repetitions. */
function randomStacks(nr, seed) {
	const next = profiles.random(seed);
	const all = new Set();

	while (all.size < nr)
		all.add(Array.from({length: 1 + Math.floor(next() * 9)},
			() => String(Math.floor(next() * 4))).join());
	return [...all].sort().map((text) => (
		{names: text.split(',').map(Number), value: 1 + Math.floor(next() * 9)}));
}

function load(stacks) {
	const starts = [0];

	for (const {names} of stacks)
		starts.push(starts.at(-1) + names.length);
	return new page.Stacks(Uint32Array.from(starts), Uint32Array.from(stacks.flatMap(({names}) => names)),
		[Float64Array.from(stacks, ({value}) => value)]);
}

function sum(stacks, wanted) {
	return stacks.reduce((total, stack) => total + (wanted(stack) ? stack.value : 0), 0);
}

function startsWith(names, beginning) {
	return beginning.every((name, i) => names[i] === name);
}

/* Walks all nodes; check(path, node). Returns how many there are. */
function walk(loaded, check, node = loaded.root(), where = []) {
	let nr = 0;

	check(where, node);
	for (const child of loaded.children(node))
		nr += 1 + walk(loaded, check, child, [...where, loaded.name(child)]);
	assert.strictEqual(loaded.nrBelow(node), nr);
	return nr;
}

const STACKS = randomStacks(400, 3);

test('every node of a tree: total, self, path, ancestor', () => {
	const loaded = load(STACKS);

	walk(loaded, (where, node) => {
		assert.strictEqual(loaded.total(node, 0), sum(STACKS, ({names}) => startsWith(names, where)));
		assert.strictEqual(loaded.self(node, 0),
			sum(STACKS, ({names}) => names.length === where.length && startsWith(names, where)));
		assert.deepStrictEqual([...loaded.path(node)], where);
		if (node.depth > 1) {
			const parent = loaded.ancestor(node, node.depth - 1);

			assert.ok(loaded.children(parent).some((child) =>
				child.first === node.first && child.end === node.end));
		}
	});
});

test('every node of the reversed tree', () => {
	const reversed = STACKS.map(({names, value}) => ({names: [...names].reverse(), value}));
	const loaded = load(STACKS).reversed();

	walk(loaded, (where, node) => {
		assert.strictEqual(loaded.total(node, 0), sum(reversed, ({names}) => startsWith(names, where)));
	});
});

test('of parts that are chosen, every node has theirs, and no other is left', () => {
	const parts = [{state: 'blocked', wait: 'lock'}, {state: 'woken', wait: 'lock'},
		{state: 'running', wait: ''}];
	const next = profiles.random(5);
	const stacks = STACKS.map(({names}) => (
		{names, of: parts.map(() => Math.floor(next() * 2) * Math.floor(next() * 9))}));
	const total = ({of}) => of.reduce((sum, each) => sum + each, 0);
	const loaded = load(STACKS).withValues(
		[stacks.map(total), ...parts.map((_, i) => stacks.map(({of}) => of[i]))]);
	const waits = new page.Waits({parts, names: [], values: [{}]});

	for (const [choice, chosen] of [['wait:lock', [0, 1]], ['state:blocked', [0]], ['state:running', [2]]]) {
		const only = waits.only(loaded, choice);
		const sums = stacks.map(({names, of}) => (
			{names, value: chosen.reduce((sum, i) => sum + of[i], 0)}));
		const left = sums.filter(({value}) => value);

		assert.strictEqual(only.nr, left.length);
		walk(only, (where, node) => {
			assert.strictEqual(only.total(node, 0), sum(left, ({names}) => startsWith(names, where)));
			for (let i = 0; i < parts.length; i++)
				assert.strictEqual(only.total(node, 1 + i), !chosen.includes(i) ? 0 : stacks
					.reduce((all, {names, of}) => all + (startsWith(names, where) ? of[i] : 0), 0));
		});
	}
});

test('functions: self of leaves, total once a stack', () => {
	const {self, total} = load(STACKS).functionTotals(0, 4);

	for (let name = 0; name < 4; name++) {
		assert.strictEqual(self[name], sum(STACKS, ({names}) => names.at(-1) === name));
		assert.strictEqual(total[name], sum(STACKS, ({names}) => names.includes(name)));
	}
});

test('what matches is counted once a stack', () => {
	const sums = load(STACKS).matchedSums(0, Uint8Array.of(0, 1, 0, 1));

	for (let end = 0; end <= STACKS.length; end += 37)
		assert.strictEqual(sums[end],
			sum(STACKS.slice(0, end), ({names}) => names.some((name) => name % 2)));
});

test('a layout draws or counts every node, in order, in place', () => {
	const loaded = load(STACKS);
	const all = sum(STACKS, () => true);
	const nrNodes = walk(loaded, () => {}) + 1;

	for (const width of [1, 50, 300, 5000]) {
		const {rows, hidden} = page.layoutGraph(loaded, 0, {from: 0, to: all}, width);
		const drawn = rows.flat().filter((box) => !box.hidden);

		assert.strictEqual(drawn.length + hidden, nrNodes);
		for (const box of drawn) {
			const before = sum(STACKS.slice(0, box.first), () => true);

			assert.ok(Math.abs(box.left - before / all * width) < 1e-6);
			assert.ok(Math.abs(box.right - box.left - loaded.total(box, 0) / all * width) < 1e-6);
			assert.ok(box.right - box.left >= 0.999999);
		}
		for (const row of rows)
			row.reduce((last, box) => (assert.ok(box.left >= last.right - 1e-9), box));
	}
});

test('a part of the view is laid out as the whole is, only larger', () => {
	const loaded = load(STACKS);
	const all = sum(STACKS, () => true);
	const {rows} = page.layoutGraph(loaded, 0, {from: all / 4, to: all / 2}, 1000);

	for (const box of rows.flat()) {
		const before = sum(STACKS.slice(0, box.first), () => true);

		assert.ok(Math.abs(box.left - Math.max((before / all - 0.25) * 4000, 0)) < 1e-6);
		assert.ok(box.left < 1000 && box.right > 0 && box.right <= 1000 + 1e-6);
	}
	assert.strictEqual(page.findBox(rows[1], 999.5), rows[1].at(-1));
	assert.strictEqual(page.findBox(rows[1], -1), null);
});

/* The picture's and the live view's layout, in C, is the truth for the page's, and the other way round. */
test('boxes are those of user/flame/layout.c', () => {
	const profile = profiles.realistic({title: '', nrStacks: 2000, nrFunctions: 300, depth: 24, seed: 7});
	const make = (format) => execFileSync(path.join(BUILD, 'tests/make_page'), [format],
		{input: profiles.write(profile), maxBuffer: 2 ** 30}).toString();
	const [, data] = /octet-stream">([^<]*)</.exec(make('html'));
	const {stacks} = page.decodeProfile(new Uint8Array(zlib.inflateSync(Buffer.from(data, 'base64'))));
	const {rows, hidden} = page.layoutGraph(stacks, 0, {from: 0, to: stacks.sums[0][stacks.nr]}, 1000);
	const laid = rows.flat();
	const inC = make('layout').trim().split('\n').map((line) => line.split(' ').map(Number));

	assert.ok(hidden > 1000 && laid.length > 1000);
	assert.strictEqual(inC.length, laid.length);
	inC.forEach(([first, end, depth, left, right, nrHidden], i) => {
		const box = laid[i];

		assert.deepStrictEqual([box.first, box.end, box.depth, box.hidden], [first, end, depth, nrHidden]);
		assert.ok(Math.abs(box.left - left) < 1e-6 && Math.abs(box.right - right) < 1e-6);
	});
});

test('numbers and strings of the data; what ends too early', () => {
	const reader = new page.Reader(Uint8Array.of(5, 0x80, 1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 2, 104, 105));

	assert.strictEqual(reader.number(), 5);
	assert.strictEqual(reader.number(), 128);
	assert.strictEqual(reader.number(), 2 ** 49 - 1);
	assert.strictEqual(reader.string(), 'hi');
	assert.throws(() => reader.number(), /too early/);
	assert.throws(() => new page.Reader(Uint8Array.of(9, 1)).string(), /too early/);
});

test('characters that hide or turn text are shown by number', () => {
	const cases = {
		'plain name': 'plain name', 'a\nb\0': 'a\\x0ab\\x00', 'x\u202ey': 'x\\u{202e}y',
		'\u200b\ufeff': '\\u{200b}\\u{feff}', '漢字🔥é': '漢字🔥é', '\u{e0041}': '\\u{e0041}',
	};

	for (const [text, shown] of Object.entries(cases))
		assert.strictEqual(page.showText(text), shown);
});

test('hashes are those of the definition, of bytes', () => {
	/* FNV-1a of "a" is e40c292c (its authors' test vectors); the finalizer by hand in 64 bits. */
	let hash = 0xe40c292cn;

	hash = (hash ^ hash >> 16n) * 0x85ebca6bn & 0xffffffffn;
	hash = (hash ^ hash >> 13n) * 0xc2b2ae35n & 0xffffffffn;
	assert.strictEqual(BigInt(page.hashBytes(Uint8Array.of(97))), hash ^ hash >> 16n);
});

test('short forms of long names', () => {
	const cases = {
		'std::vector<int, std::allocator<int>>::insert(int)': ['std::vector::insert', 'insert'],
		'(anonymous namespace)::run() const': ['run', 'run'],
		'foo::operator<(foo const&)': ['foo::operator<', 'operator<'],
		'v8::(anonymous namespace)::Invoke(int)': ['v8::Invoke', 'Invoke'],
		'void ns::f<int>(int)': ['ns::f', 'f'],
		'<T as core::fmt::Debug>::fmt': ['fmt', 'fmt'],
		'a<b::c': ['a<b::c', 'c'],
		'net/http.(*conn).serve': [],
		'memcpy': [],
	};

	for (const [text, forms] of Object.entries(cases))
		assert.deepStrictEqual([...page.shortForms(text)], [text, ...forms]);
});

/*
 * 400 samples of 1 and 300 of 4: the share of each has the variance (0.75² 400 + 0.25² 4800) / 1600². Of weights that are
 * all the same it is a share of counts.
 */
test('shares of weights are as sure as samples of these weights', () => {
	const error = {samples: 1600 ** 2 / 5200, spread: 1.96 ** 2, mean: 5200 / 1600};

	assert.strictEqual(page.formatShare(400, 1600, error, 400 / error.mean), '25.00% ± 2.92%');
	assert.strictEqual(page.formatShare(1200, 1600, error, 4800 / error.mean), '75.00% ± 2.92%');
	assert.strictEqual(page.formatShare(70, 100, {samples: 100, spread: 3.841, mean: 0}), '70.00% ± 9.58%');
	assert.strictEqual(page.formatShare(0, 0, error, 0), '0.00%');
});

test('a search looks where it says', () => {
	const module = {text: 'libc.so.6', hash: 1};
	const profile = {
		kinds: ['user', 'kernel', 'process'],
		names: [{text: 'Read', module, kind: 0}, {text: 'pread', module: null, kind: 1},
			{text: 'libc', module: null, kind: 0}],
	};
	const cases = {
		read: [1, 1, 0], Read: [1, 0, 0], '^read$': [1, 0, 0], 'module:libc': [1, 0, 0],
		'kind:^kernel$': [0, 1, 0], libc: [0, 0, 1],
	};

	for (const [search, matches] of Object.entries(cases))
		assert.deepStrictEqual([...page.matchNames(profile, search)], matches, search);
	assert.throws(() => page.matchNames(profile, '('), /Invalid/);
	assert.deepStrictEqual([...page.matchNames(profile, `module:^${page.escapePattern('libc.so.6')}$`)],
		[1, 0, 0]);
});
