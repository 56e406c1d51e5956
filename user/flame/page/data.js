// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the page knows: names, and stacks as a sorted list. No document here: this file also runs
 * under node, in its tests.
 *
 * A node of the graph is a run of neighbouring stacks that agree down to its depth, {first, end,
 * depth}; running sums make the total of any run one subtraction. So a tree of millions of nodes
 * costs no more than its stacks, and only the nodes that are drawn are ever made.
 */
'use strict';

class Reader {
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
		this.decoder = new TextDecoder();
	}

	number() {
		const bytes = this.bytes;
		let byte = bytes[this.at++];
		let value = byte & 0x7f;

		for (let scale = 0x80; byte >= 0x80; scale *= 0x80) {
			byte = bytes[this.at++];
			value += (byte & 0x7f) * scale;
		}
		if (byte === undefined)
			throw new RangeError('the data end too early');
		return value;
	}

	raw() {
		const length = this.number();

		this.at += length;
		if (this.at > this.bytes.length)
			throw new RangeError('the data end too early');
		return this.bytes.subarray(this.at - length, this.at);
	}

	string() {
		return showText(this.decoder.decode(this.raw()));
	}

	/* Of nanoseconds since 1970: more than a number can hold. */
	big() {
		let value = 0n;

		for (let shift = 0n, byte = 0x80; byte >= 0x80; shift += 7n) {
			byte = this.bytes[this.at++];
			if (byte === undefined)
				throw new RangeError('the data end too early');
			value |= BigInt(byte & 0x7f) << shift;
		}
		return value;
	}

	list(read) {
		return Array.from({length: this.number()}, read);
	}
}

/*
 * Names are whatever a program says they are. Characters that hide, or that turn the text around
 * them, are shown by number instead: those of the table in user/base/text.c.
 */
const INVISIBLE = new RegExp('[' +
	'\\u{0}-\\u{1f}\\u{7f}-\\u{9f}\\u{ad}\\u{34f}\\u{600}-\\u{605}\\u{61c}\\u{6dd}\\u{70f}' +
	'\\u{890}-\\u{891}\\u{8e2}\\u{115f}-\\u{1160}\\u{17b4}-\\u{17b5}\\u{180b}-\\u{180f}' +
	'\\u{2000}-\\u{200f}\\u{2028}-\\u{202f}\\u{205f}-\\u{206f}\\u{3164}\\u{e000}-\\u{f8ff}' +
	'\\u{fdd0}-\\u{fdef}\\u{fe00}-\\u{fe0f}\\u{feff}\\u{ffa0}\\u{fff0}-\\u{fffc}' +
	'\\u{fffe}-\\u{ffff}\\u{110bd}-\\u{110cd}\\u{13430}-\\u{1345f}\\u{1bca0}-\\u{1bca3}' +
	'\\u{1d173}-\\u{1d17a}\\u{40000}-\\u{10ffff}' +
	']', 'gu');

function showText(text) {
	return text.replace(INVISIBLE, (character) => {
		const code = character.codePointAt(0);
		const digits = code.toString(16);

		return code < 0x80 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`;
	});
}

/* As hash_text() of colors.c, which explains it. */
function hashBytes(bytes) {
	let hash = 2166136261;

	for (let i = 0; i < bytes.length; i++)
		hash = Math.imul(hash ^ bytes[i], 16777619);
	hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
	hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
	return (hash ^ (hash >>> 16)) >>> 0;
}

class Stacks {
	/* Stack i is items[starts[i]] to items[starts[i + 1] - 1]; values: an array for each value. */
	constructor(starts, items, values) {
		this.starts = starts;
		this.items = items;
		this.values = values;
		this.nr = starts.length - 1;
		this.shared = new Uint32Array(this.nr);
		this.nodesBefore = new Float64Array(this.nr + 1);
		this.maxDepth = 0;
		this.sums = values.map((value) => runningSums(value));
		this.compareNeighbours();
	}

	compareNeighbours() {
		for (let i = 0; i < this.nr; i++) {
			const length = this.length(i);
			const shared = i ? this.countShared(i - 1, i) : 0;

			this.shared[i] = shared;
			this.nodesBefore[i + 1] = this.nodesBefore[i] + length - shared;
			this.maxDepth = Math.max(this.maxDepth, length);
		}
	}

	countShared(a, b) {
		const items = this.items;
		const length = Math.min(this.length(a), this.length(b));
		const x = this.starts[a];
		const y = this.starts[b];
		let i = 0;

		while (i < length && items[x + i] === items[y + i])
			i++;
		return i;
	}

	length(stack) {
		return this.starts[stack + 1] - this.starts[stack];
	}

	root() {
		return {first: 0, end: this.nr, depth: 0};
	}

	/* The stack that ends at a node comes first in it. */
	endsHere(node) {
		return node.first < node.end && this.length(node.first) === node.depth;
	}

	/* The end of the node of this depth that begins at first. */
	endOf(first, limit, depth) {
		const shared = this.shared;
		let end = first + 1;

		while (end < limit && shared[end] >= depth)
			end++;
		return end;
	}

	name(node) {
		return this.items[this.starts[node.first] + node.depth - 1];
	}

	total(node, value) {
		return this.sums[value][node.end] - this.sums[value][node.first];
	}

	self(node, value) {
		return this.endsHere(node) ? this.values[value][node.first] : 0;
	}

	nrBelow(node) {
		if (node.first === node.end)
			return 0;
		return this.nodesBefore[node.end] - this.nodesBefore[node.first] -
			(node.depth - this.shared[node.first]);
	}

	children(node) {
		const depth = node.depth + 1;
		const children = [];
		let first = node.first + (this.endsHere(node) ? 1 : 0);

		while (first < node.end) {
			const end = this.endOf(first, node.end, depth);

			children.push({first, end, depth});
			first = end;
		}
		return children;
	}

	/* The ancestor of that depth. */
	ancestor(node, depth) {
		let {first, end} = node;

		while (first > 0 && this.shared[first] >= depth)
			first--;
		while (end < this.nr && this.shared[end] >= depth)
			end++;
		return depth ? {first, end, depth} : this.root();
	}

	/* Names from the root's child to the node. */
	path(node) {
		const start = this.starts[node.first];

		return node.depth ? this.items.subarray(start, start + node.depth) : [];
	}

	/* Follows a path as far as it exists; accepts(name, i) says whether name is its i-th. */
	follow(length, accepts) {
		let node = this.root();

		for (let i = 0; i < length; i++) {
			const child = this.children(node).find((each) => accepts(this.name(each), i));

			if (!child)
				break;
			node = child;
		}
		return node;
	}

	/* The same stacks read from their leaves. */
	reversed() {
		const order = this.orderFromLeaves();
		const starts = new Uint32Array(this.nr + 1);
		const items = new Uint32Array(this.items.length);
		let at = 0;

		order.forEach((stack, i) => {
			for (let j = this.starts[stack + 1]; j-- > this.starts[stack];)
				items[at++] = this.items[j];
			starts[i + 1] = at;
		});
		return new Stacks(starts, items, this.values.map(
			(value) => Float64Array.from(order, (stack) => value[stack])));
	}

	/* Those of which a value is left, if values are these. */
	withValues(values) {
		const kept = Uint32Array.from({length: this.nr}, (_, i) => i)
			.filter((i) => values.some((value) => value[i]));
		const starts = new Uint32Array(kept.length + 1);

		kept.forEach((stack, i) => {
			starts[i + 1] = starts[i] + this.length(stack);
		});
		const items = new Uint32Array(starts[kept.length]);

		kept.forEach((stack, i) => items.set(
			this.items.subarray(this.starts[stack], this.starts[stack + 1]), starts[i]));
		return new Stacks(starts, items,
			values.map((value) => Float64Array.from(kept, (stack) => value[stack])));
	}

	orderFromLeaves() {
		const {starts, items} = this;

		return Uint32Array.from({length: this.nr}, (_, i) => i).sort((a, b) => {
			let i = starts[a + 1];
			let j = starts[b + 1];

			while (i > starts[a] && j > starts[b]) {
				const difference = items[--i] - items[--j];

				if (difference)
					return difference;
			}
			return this.length(a) - this.length(b);
		});
	}

	/* Running sums of a value over the stacks in which any name matches: each counts once. */
	matchedSums(value, matches) {
		const {starts, items} = this;
		const values = this.values[value];
		const sums = new Float64Array(this.nr + 1);

		for (let i = 0; i < this.nr; i++) {
			let j = starts[i];

			while (j < starts[i + 1] && !matches[items[j]])
				j++;
			sums[i + 1] = sums[i] + (j < starts[i + 1] ? values[i] : 0);
		}
		return sums;
	}

	/* By name: self (it is the leaf; stacks must be from the root) and total (once a stack). */
	functionTotals(value, nrNames) {
		const {starts, items} = this;
		const values = this.values[value];
		const self = new Float64Array(nrNames);
		const total = new Float64Array(nrNames);
		const lastStack = new Int32Array(nrNames).fill(-1);

		for (let i = 0; i < this.nr; i++) {
			for (let j = starts[i]; j < starts[i + 1]; j++) {
				const name = items[j];

				if (lastStack[name] !== i)
					total[name] += values[i];
				lastStack[name] = i;
			}
			self[items[starts[i + 1] - 1]] += values[i];
		}
		return {self, total};
	}
}

function runningSums(values) {
	const sums = new Float64Array(values.length + 1);

	for (let i = 0; i < values.length; i++)
		sums[i + 1] = sums[i] + values[i];
	return sums;
}

function readStacks(reader, nrValues) {
	const nrStacks = reader.number();
	const items = new Uint32Array(reader.number());
	const starts = new Uint32Array(nrStacks + 1);
	const values = Array.from({length: nrValues}, () => new Float64Array(nrStacks));
	let at = 0;

	for (let i = 0; i < nrStacks; i++) {
		const shared = reader.number();
		const end = at + shared + reader.number();

		items.copyWithin(at, starts[i - 1], starts[i - 1] + shared);
		for (at += shared; at < end; at++)
			items[at] = reader.number();
		starts[i + 1] = at;
		for (const value of values)
			value[i] = reader.number();
	}
	return new Stacks(starts, items, values);
}

/* A string and its hash, which must be that of the bytes as the profile has them. */
function readHashed(reader) {
	const bytes = reader.raw();

	return {text: showText(reader.decoder.decode(bytes)), hash: hashBytes(bytes)};
}

function readNames(reader) {
	const modules = reader.list(() => readHashed(reader));

	return reader.list(() => {
		const {text, hash} = readHashed(reader);
		const module = reader.number();

		return {
			text, hash,
			module: module ? modules[module - 1] : null,
			kind: reader.number(),
		};
	});
}

function readFacts(reader) {
	return reader.list(() => ({name: reader.string(), text: reader.string()}));
}

function readMetric(reader) {
	const metric = {title: reader.string(), name: reader.string(), unit: reader.string(), noun: reader.string()};

	metric.facts = readFacts(reader); // of its event alone
	return metric;
}

/* What threads did and what for, with a colour for the former: waits.js. */
function readPart(reader) {
	return {state: reader.string(), wait: reader.string(), hue: reader.number(),
		chroma: reader.number() / 1000};
}

function readTone(reader) {
	const color = () => `#${reader.number().toString(16).padStart(6, '0')}`;

	return {name: reader.string(), label: reader.string(), light: color(), dark: color(),
		strong: reader.number() === 1};
}

/* What a comparison tells of each stack; null: this is none. */
function readTold(reader, nrStacks) {
	const tones = reader.list(() => readTone(reader));
	const told = {tones, tone: new Uint8Array(nrStacks), change: [], words: []};

	if (!tones.length)
		return null;
	for (let i = 0; i < nrStacks; i++) {
		told.tone[i] = reader.number();
		told.change.push(reader.string());
		told.words.push(reader.string());
	}
	told.focuses = reader.list(() => (
		{name: reader.number(), tone: reader.number(), words: reader.string(), ratio: reader.number() / 1000}));
	return told;
}

function readSpan(reader) {
	const start = reader.big();

	return {start, end: start + reader.big()};
}

/* What else there is than what is shown; null: nothing that is known. */
function readTimes(reader) {
	const slices = reader.list(() => ({...readSpan(reader), value: reader.number()}));

	return slices.length ? {slices, shown: readSpan(reader), metric: readMetric(reader)} : null;
}

/* The stacks that have something in a column of time, and how much. */
function readColumn(reader, weight) {
	const nr = reader.number();
	const column = {stacks: new Uint32Array(nr), counts: new Float64Array(nr), weights: new Float64Array(nr)};
	let next = 0;

	for (let i = 0; i < nr; i++) {
		const step = reader.number();

		column.stacks[i] = next + Math.floor(step / 2);
		next = column.stacks[i] + 1;
		column.counts[i] = step % 2 ? reader.number() : 1;
		column.weights[i] = weight ? column.counts[i] * weight : reader.number();
	}
	return column;
}

/* Columns of time, in ranges.js; null: nothing is told of it. */
function readHeat(reader, nrValues) {
	const nr = reader.number();

	if (!nr)
		return null;
	return {
		nr,
		columnNs: reader.number(),
		start: reader.big(),
		cutNs: reader.number(),
		lengthNs: reader.number(),
		cpus: reader.number(),
		sources: Array.from({length: nrValues},
			() => ({event: reader.number(), isWeight: reader.number() === 1})),
		tones: reader.list(() => readTone(reader)),
		events: reader.list(() => {
			const weight = reader.number();

			return {columns: Array.from({length: nr}, () => readColumn(reader, weight))};
		}),
	};
}

/*
 * What error bars of a value's shares are made of; null: it has none. squares: where samples weigh differently, the
 * value of stacks that has the squares of their weights.
 */
function readError(reader) {
	const samples = reader.number();
	const spread = reader.number() / 1000;
	const mean = reader.number();

	return samples ? {samples, spread, mean} : null;
}

/* What data.c wrote; it describes the order, which is that of the properties here. */
function decodeProfile(bytes) {
	const reader = new Reader(bytes);
	const profile = {
		title: reader.string(),
		facts: readFacts(reader),
		kinds: reader.list(() => reader.string()),
		values: reader.list(() => readMetric(reader)),
		value: reader.number(),
		names: readNames(reader),
		parts: reader.list(() => readPart(reader)),
	};

	const weighed = reader.list(() => reader.number());
	const nrValues = profile.values.length * (1 + profile.parts.length);

	profile.stacks = readStacks(reader, nrValues + weighed.length);
	profile.told = readTold(reader, profile.stacks.nr);
	reader.list(() => readError(reader)).forEach((error, i) => profile.values[i].error = error);
	weighed.forEach((value, i) => profile.values[value].error.squares = nrValues + i);
	profile.times = readTimes(reader);
	profile.heat = readHeat(reader, profile.values.length);
	return profile;
}

/*
 * Which names a search means: a regular expression on functions; "module:" and "kind:" before it look
 * there instead. Without a capital letter in it, case does not matter. Throws on bad syntax.
 */
function matchNames(profile, search) {
	const [, field, pattern] = /^(?:(module|kind):)?(.*)$/s.exec(search);
	const expression = new RegExp(pattern, /[A-Z]/.test(pattern) ? 'u' : 'iu');
	const text = {
		module: (name) => name.module?.text ?? '',
		kind: (name) => profile.kinds[name.kind],
	}[field] ?? ((name) => name.text);

	return Uint8Array.from(profile.names, (name) => expression.test(text(name)));
}

function escapePattern(text) {
	return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/* Five characters that stand for a name in a link, the same in every file. */
function nameMark(name) {
	const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
	let hash = (Math.imul(name.hash, 31) ^ (name.module?.hash ?? name.kind)) >>> 0;
	let mark = '';

	for (let i = 0; i < 5; i++, hash >>>= 6)
		mark += digits[hash & 63];
	return mark;
}
