// SPDX-License-Identifier: GPL-2.0-only
/*
 * Ranges of time: what stacks have in one, and how two differ. No document here: this file also runs
 * under node, in its tests.
 *
 * Two ranges are judged as diff judges two runs, path by path: docs/diff.md has the rule and why it is
 * so. What is asked here is whether a path has more of one range than of the other; as shares add up
 * to all, what grows makes the shares of others shrink.
 */
'use strict';

const ALPHA = 0.02;
const MIN_EFFECT = 0.05;
const MIN_POINTS = 0.005;
const ASSUMED_CV = 0.05;
const PHI_ASSUMED = 1.5;
const MIN_DUE = 5; // samples, of a path and of all others, in the range with fewer
const MAX_INTERVALS = 40;
const MIN_INTERVAL_SAMPLES = 20;
const MIN_UNIT_SAMPLES = 5; // an interval, of what tells of bursts
const MIN_UNITS = 5;
const MARGIN = Math.log1p(MIN_EFFECT) / 2;

/* ---- distributions, as statistics.c has them ---- */

function logGamma(x) {
	const parts = [76.18009172947146, -86.50532032941677, 24.01409824083091, -1.231739572450155,
		0.001208650973866179, -0.000005395239384953];
	const base = x + 5.5 - (x + 0.5) * Math.log(x + 5.5);

	return Math.log(2.5066282746310005 *
		parts.reduce((sum, part, i) => sum + part / (x + 1 + i), 1.000000000190015) / x) - base;
}

/* The continued fraction of the incomplete beta function, by Lentz. */
function betaFraction(a, b, x) {
	const tiny = 1e-300;
	const safe = (value) => (Math.abs(value) < tiny ? tiny : value);
	let d = 1 / safe(1 - (a + b) * x / (a + 1));
	let c = 1;
	let result = d;

	for (let i = 1, change = 0; i < 300 && Math.abs(change - 1) > 1e-12; i++) {
		const even = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
		const odd = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));

		for (const step of [even, odd]) {
			d = 1 / safe(1 + step * d);
			c = safe(1 + step / c);
			change = c * d;
			result *= change;
		}
	}
	return result;
}

function incompleteBeta(a, b, x) {
	if (x <= 0 || x >= 1)
		return x <= 0 ? 0 : 1;
	const front = Math.exp(logGamma(a + b) - logGamma(a) - logGamma(b) +
		a * Math.log(x) + b * Math.log1p(-x));

	return x < (a + 1) / (a + b + 2) ? front * betaFraction(a, b, x) / a :
		1 - front * betaFraction(b, a, 1 - x) / b;
}

/* P(T > x) */
function studentUpper(x, df) {
	const tail = incompleteBeta(df / 2, 0.5, df / (df + x * x)) / 2;

	return x < 0 ? 1 - tail : tail;
}

/* The x of which that is 0.025. */
function studentReach(df) {
	let [low, high] = [1.9, df < 8 ? 100 : 2.4];

	while (high - low > 1e-7) {
		const middle = (low + high) / 2;

		[low, high] = studentUpper(middle, df) > 0.025 ? [middle, high] : [low, middle];
	}
	return (low + high) / 2;
}

/* Holm's step-down correction. */
function holmAdjust(ps) {
	const order = ps.map((_, i) => i).sort((a, b) => ps[a] - ps[b]);
	const adjusted = new Array(ps.length);
	let most = 0;

	order.forEach((index, rank) => {
		most = Math.max(most, Math.min(1, ps[index] * (ps.length - rank)));
		adjusted[index] = most;
	});
	return adjusted;
}

/* ---- columns of time ---- */

class Heat {
	/* data: as data.js reads it. */
	constructor(data) {
		Object.assign(this, data);
		this.totals = this.sources.map(({event, isWeight}) => this.events[event].columns.map(
			(column) => column[isWeight ? 'weights' : 'counts'].reduce((sum, each) => sum + each, 0)));
	}

	/* What the stacks have of a value from column first to last. */
	valuesOf(value, nrStacks, {first, last}) {
		const {event, isWeight} = this.sources[value];
		const sums = new Float64Array(nrStacks);

		for (const column of this.events[event].columns.slice(first, last + 1)) {
			const values = column[isWeight ? 'weights' : 'counts'];

			column.stacks.forEach((stack, i) => {
				sums[stack] += values[i];
			});
		}
		return sums;
	}

	/* The value that counts what this one may weigh. */
	countOf(value) {
		const {event} = this.sources[value];
		const count = this.sources.findIndex((each) => each.event === event && !each.isWeight);

		return count < 0 ? value : count;
	}

	/*
	 * The stacks of a range. Of two, values are those of both together; behind them come those of the
	 * base, and then those of the other range.
	 */
	stacksOf(stacks, {shown, base}) {
		const of = (range) => this.sources.map((_, value) => this.valuesOf(value, stacks.nr, range));
		const fresh = of(shown);

		if (!base)
			return stacks.withValues(fresh);
		const before = of(base);
		const both = fresh.map((values, i) => values.map((value, stack) => value + before[i][stack]));

		return stacks.withValues([...both, ...before, ...fresh]);
	}

	/* ---- in the address: "12-40", and with a base "12-40,0-11" ---- */

	write({shown, base}) {
		return [shown, base].filter(Boolean).map(({first, last}) => `${first}-${last}`).join();
	}

	/* null: no such range. */
	read(text) {
		const ranges = text.split(',').map((each) => {
			const [, first, last] = /^(\d{1,4})-(\d{1,4})$/.exec(each)?.map(Number) ?? [];

			return first <= last && last < this.nr ? {first, last} : null;
		});

		return ranges.length <= 2 && ranges.every(Boolean) ? {shown: ranges[0], base: ranges[1] ?? null} : null;
	}

	/* ---- bursts: how much more samples vary than chance ---- */

	/* Ends of intervals of enough samples each, in a range. */
	intervalsOf(value, {first, last}) {
		const totals = this.totals[value].slice(first, last + 1);
		const all = totals.reduce((sum, total) => sum + total, 0);
		const wanted = Math.max(all / MAX_INTERVALS, MIN_INTERVAL_SAMPLES);
		const ends = [];
		let open = 0;

		totals.forEach((total, i) => {
			open += total;
			if (open < wanted)
				return;
			ends.push(first + i + 1);
			open = 0;
		});
		if (ends.length)
			ends[ends.length - 1] = last + 1;
		return ends;
	}

	/* By function, what are the leaves in each interval. */
	leavesOf(value, stacks, range) {
		const counts = new Map();
		const totals = [];
		let {first} = range;

		for (const end of this.intervalsOf(value, range)) {
			const values = this.valuesOf(value, stacks.nr, {first, last: end - 1});

			totals.push(0);
			values.forEach((count, stack) => {
				const leaf = stacks.items[stacks.starts[stack + 1] - 1];

				if (!count)
					return;
				if (!counts.has(leaf))
					counts.set(leaf, []);
				const of = counts.get(leaf);

				of[totals.length - 1] = (of[totals.length - 1] ?? 0) + count;
				totals[totals.length - 1] += count;
			});
			first = end;
		}
		return {counts, totals};
	}

	/* phi: the median over functions with samples enough, of one run each side. */
	bursts(value, stacks, ranges) {
		const sums = new Map();
		let nrIntervals = 0;

		for (const range of ranges) {
			const {counts, totals} = this.leavesOf(value, stacks, range);

			nrIntervals += totals.length;
			for (const [leaf, of] of counts) {
				const sum = sums.get(leaf) ?? {samples: 0, seen: 0, expected: 0};

				addSteps(sum, of, totals);
				sums.set(leaf, sum);
			}
		}
		const largest = [...sums.values()].filter(({expected}) => expected > 0)
			.sort((a, b) => b.samples - a.samples);
		const enough = largest.filter(({samples}) => samples >= MIN_UNIT_SAMPLES * nrIntervals).length;
		const ratios = largest.slice(0, Math.max(enough, MIN_UNITS))
			.map(({seen, expected}) => seen / expected).sort((a, b) => a - b);

		return ratios.length ? Math.min(Math.max(middleOf(ratios), 1), 10) : PHI_ASSUMED;
	}
}

function middleOf(sorted) {
	const half = sorted.length >> 1;

	return sorted.length % 2 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

function addSteps(sum, counts, totals) {
	for (let i = 0; i < totals.length; i++)
		sum.samples += counts[i] ?? 0;
	for (let i = 0; i + 1 < totals.length; i++) {
		const [a, b] = [counts[i] ?? 0, counts[i + 1] ?? 0];
		const p = (a + b) / (totals[i] + totals[i + 1]);

		sum.seen += (b / totals[i + 1] - a / totals[i]) ** 2;
		sum.expected += p * (1 - p) * (1 / totals[i] + 1 / totals[i + 1]);
	}
}

/* ---- two ranges ---- */

/* Of k of t samples on each side: {log, v, df}. */
function measureChange(base, fresh, phi) {
	const odds = ({k, t}) => Math.log((k + 0.5) / (t - k + 0.5));
	const spread = ({k, t}) => 1 / (k + 0.5) + 1 / (t - k + 0.5);
	const between = 2 * ASSUMED_CV ** 2;
	const v = phi * (spread(base) + spread(fresh)) + between;

	return {log: odds(fresh) - odds(base), v, df: 8 / (between / v) ** 2};
}

function effectFloor({k, t}) {
	const share = (k + 0.5) / (t + 1);

	return Math.log1p(Math.max(MIN_EFFECT, MIN_POINTS / Math.min(share, 1 - share)));
}

/* A row each: what diff calls it, and what it is called of times. */
const RANGE_WORDS = {
	regressed: 'more', improved: 'less', slower: 'perhaps more', faster: 'perhaps less',
	unchanged: 'no sign of a change', none: 'not judged',
};

class RangeDifference {
	/* stacks: as stacksOf() makes them of two ranges. */
	constructor(heat, {stacks, value, phi}) {
		this.heat = heat;
		this.nrValues = heat.sources.length;
		this.value = heat.countOf(value);
		this.phi = phi;
		this.judged = new Map();
		this.judge(stacks);
	}

	/* {k, t} of a node, of the base (1) or the other range (2). */
	side(stacks, node, which) {
		const value = this.value + which * this.nrValues;

		return {k: stacks.total(node, value), t: stacks.sums[value][stacks.nr]};
	}

	sides(stacks, node) {
		return [this.side(stacks, node, 1), this.side(stacks, node, 2)];
	}

	/*
	 * In both ranges some samples of it, and some beside it, must be due if it did not change: chance does with
	 * few what the test does not know of. What is all of one range and little of the other has them.
	 */
	isTested(sides) {
		const [k, t] = ['k', 't'].map((name) => sides.reduce((sum, side) => sum + side[name], 0));
		const shorter = sides.reduce((least, side) => Math.min(least, side.t), Infinity);

		return Math.min(k, t - k) * shorter >= MIN_DUE * t;
	}

	/* All nodes that are large enough to be seen; those below one that is not are smaller still. */
	nodesOf(stacks) {
		const found = [];
		const open = stacks.children(stacks.root());

		while (open.length) {
			const node = open.pop();
			const sides = this.sides(stacks, node);
			const share = sides.reduce((sum, {k, t}) => sum + (k + 0.5) / (t + 1), 0) / 2;

			if (share < MIN_POINTS / 2)
				continue;
			open.push(...stacks.children(node));
			if (this.isTested(sides))
				found.push({node, sides, ...measureChange(...sides, this.phi)});
		}
		return found;
	}

	/* A path that is all of the one above it says the same: it is no other test. */
	judge(stacks) {
		const nodes = this.nodesOf(stacks);
		const families = new Map();

		for (const each of nodes) {
			const {node: {first, end}} = each;

			families.set(`${first} ${end}`, each);
		}
		const tests = [...families.values()];
		const p = (sign) => holmAdjust(tests.map(({log, v, df}) => (
			studentUpper((sign * log - MARGIN) / Math.sqrt(v), df))));
		const [up, down] = [p(1), p(-1)];

		tests.forEach((test, i) => {
			const {node: {first, end}} = test;

			this.judged.set(`${first} ${end}`, this.verdict(test, up[i], down[i]));
		});
	}

	verdict({sides: [base, fresh], log, v, df}, up, down) {
		const reach = studentReach(df) * Math.sqrt(v);
		const [floorUp, floorDown] = [effectFloor(base), effectFloor(fresh)];
		const tone = up <= ALPHA && log >= floorUp ? 'regressed' :
			down <= ALPHA && -log >= floorDown ? 'improved' :
				log - reach > 0 && log >= floorUp ? 'slower' :
					log + reach < 0 && -log >= floorDown ? 'faster' : 'unchanged';

		return {tone, low: Math.exp(log - reach), ratio: Math.exp(log), high: Math.exp(log + reach)};
	}

	/* {tone, ...} of a node. */
	find({first, end, depth}) {
		return (depth && this.judged.get(`${first} ${end}`)) || {tone: 'none'};
	}

	/* "more: 12.00% of the base, 24.00% here; odds × 2.3 (1.8 to 2.9)" */
	describe(stacks, node) {
		const {tone, low, ratio, high} = this.find(node);
		const [base, fresh] = this.sides(stacks, node)
			.map(({k, t}) => formatPercent(t ? k / t : 0));
		const odds = low === undefined ? '' : `; odds × ${SHORT_FORMAT.format(ratio)} ` +
			`(${SHORT_FORMAT.format(low)} to ${SHORT_FORMAT.format(high)})`;

		return node.depth ? [`${RANGE_WORDS[tone]}: ${base} of the base, ${fresh} here${odds}`] : [];
	}

	/* Few samples are on one side alone by chance. */
	presence(stacks, node) {
		const [base, fresh] = this.sides(stacks, node);

		return this.find(node).tone === 'none' ? '' : !base.k ? 'new' : !fresh.k ? 'gone' : '';
	}

	/* What Painter asks of a box. */
	style(stacks, box, theme) {
		const tone = this.heat.tones.find(({name}) => name === this.find(box).tone);
		const presence = this.presence(stacks, box);

		return box.depth ? {
			presence, fill: tone[theme],
			text: tone.strong && presence !== 'gone' ? STRONG_TEXT : null,
		} : {};
	}

	/* Tones, with a label each; what one range alone has is drawn in a way of its own. */
	legend() {
		const tones = this.heat.tones.filter(({name}) => name in RANGE_WORDS);
		const plain = tones.find(({name}) => name === 'unchanged');

		return [...tones.map((tone) => ({...tone, label: RANGE_WORDS[tone.name]})),
			...['new', 'gone'].map((presence) => ({...plain, presence, label: presence}))];
	}
}
