// SPDX-License-Identifier: GPL-2.0-only
/*
 * The heat map of a page, in headless Chromium: what it says, and what of the flame graph belongs to the time that is
 * picked, or differs between two, by pointer and by keyboard. And without a browser, how often chance alone is taken
 * for a change.
 */
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {test} = require('node:test');
const vm = require('node:vm');
const profiles = require('./profiles.js');
const {made, onPage, settled, press, hover, text, crumbs, shot, find} = require('./driver.js');

const NR = 40; // cells, of which five are a column
const MAIN = {name: 'main', module: 'prog'};

/* parse() and read() share the time 3 to 1, and from the middle on 1 to 3; write() has a tenth of it throughout. */
function phases() {
	const next = profiles.random(7);
	const stacks = [];

	for (let slice = 0; slice < NR; slice++)
		for (let i = 0; i < 20; i++) {
			const name = next() < 0.1 ? 'write' : (next() < 0.75) === (slice < NR / 2) ? 'parse' : 'read';

			stacks.push({count: 1, weight: 5000000, comm: 'prog', slice, frames: [MAIN, {name, module: 'prog'}]});
		}
	return {title: 'phases', stacks};
}

/* With bars of independent samples. */
function surePhases() {
	return {...phases(), error: {samples: 800, spread: 3.841}};
}

/* For a second nothing ran. */
function pause() {
	const {title, stacks} = phases();

	return {title, stacks: stacks.filter(({slice}) => slice < 20 || slice >= 30)};
}

Object.assign(made, {five: () => profiles.five(), phases, surePhases, pause});

function countIn(from, to, name) {
	return phases().stacks.filter(({slice, frames}) => (
		slice >= from && slice <= to && (!name || frames[1].name === name))).length;
}

/* In pixels, the middle of a cell. */
async function placeOf(page, cell) {
	const {x, y, width, height} = await page.locator('#cells').boundingBox();

	return [x + (Math.floor(cell / 5) + 0.5) / 8 * width, y + (cell % 5 + 0.5) / 5 * height];
}

async function drag(page, from, to, key) {
	await page.mouse.move(...await placeOf(page, from));
	if (key)
		await page.keyboard.down(key);
	await page.mouse.down();
	await page.mouse.move(...await placeOf(page, to));
	await page.mouse.up();
	if (key)
		await page.keyboard.up(key);
	await settled(page);
}

/* Samples of what is shown. */
function shown(page) {
	return page.evaluate(() => flamegraph.all);
}

async function legend(page) {
	return page.locator('#legend li').allInnerTexts();
}

test('a page without slices has no heat map', () => onPage('five', async (page) => {
	assert.strictEqual(await page.locator('#heat').isVisible(), false);
}));

/* Wilson's of so many of all samples of the time, by its formula. */
function wilson(hits, all) {
	const share = hits / all;
	const q = 3.841 / all;
	const half = Math.sqrt(q * share * (1 - share) + q * q / 4) / (1 + q);
	const middle = (share + q / 2) / (1 + q);

	return `${(100 * share).toFixed(2)}% ± ${(100 * (half + Math.abs(middle - share))).toFixed(2)}%`;
}

test('shares of a time are as sure as its samples are many', () => onPage('surePhases', async (page) => {
	assert.ok((await hover(page, 'parse')).includes(wilson(countIn(0, NR - 1, 'parse'), 800)));
	await drag(page, 0, 4);
	assert.strictEqual(await shown(page), 100);
	const said = await hover(page, 'parse');

	assert.ok(said.includes(wilson(countIn(0, 4, 'parse'), 100)), said);
}));

test('the heat map says what a cell is, and how busy all was', () => onPage('phases', async (page) => {
	assert.strictEqual(await text(page, '#heated'), 'Time: a column is 0.5 s, from top to bottom; a cell 100 ms. ' +
		'0 s – 4 s: 4 s, 1.00 CPUs busy of 2 (50.00%).');
	assert.strictEqual(await page.locator('#cells rect').count(), NR);
	assert.strictEqual(await page.locator('#compare').isEnabled(), false);
	await shot(page, 'heat-map');
}));

test('the pointer is told time and value', () => onPage('phases', async (page) => {
	await page.mouse.move(...await placeOf(page, 7));
	assert.strictEqual(await text(page, '#pointed'), '0.7 s – 0.8 s: 100 ms, 1.00 CPUs busy of 2 (50.00%)');
	await page.mouse.move(5, 5);
	assert.strictEqual(await text(page, '#pointed'), '');
}));

test('a drag shows the flame graph of its time', () => onPage('phases', async (page) => {
	await drag(page, 12, 3);
	assert.strictEqual(await shown(page), 200);
	assert.deepStrictEqual(await crumbs(page), ['0.3 s – 1.3 s']);
	assert.ok((await hover(page, 'read')).includes(`${countIn(3, 12, 'read')} samples`));
	assert.match(page.url(), /#time=3-12$/);
	await page.locator('#whole').click();
	assert.strictEqual(await shown(page), 20 * NR);
	await page.goBack();
	await settled(page);
	assert.strictEqual(await shown(page), 200);
	await press(page, 'r', 't', 'v');
	assert.strictEqual(await shown(page), 200 * 5000000);
}));

test('a time without samples shows none, and Escape leaves it', () => onPage('pause', async (page) => {
	await drag(page, 22, 24);
	assert.ok(await page.locator('#message').isVisible());
	assert.ok(!await page.locator('#scroller').isVisible());
	await press(page, 'Escape');
	await press(page, 'Escape');
	assert.ok(!await page.locator('#message').isVisible());
	assert.strictEqual(await shown(page), 20 * (NR - 10));
}));

test('Escape leaves a time that the address had', () => onPage('phases', async (page) => {
	assert.strictEqual(await shown(page), 200);
	await press(page, 'Escape');
	assert.strictEqual(await shown(page), 20 * NR);
}, {link: '#time=3-12'}));

test('two times are compared', () => onPage('phases', async (page) => {
	await drag(page, 0, 19);
	await drag(page, 20, 39, 'Shift');
	assert.match(page.url(), /#time=20-39%2C0-19$/);
	assert.strictEqual(await text(page, '#heated'), 'Shown: 2 s – 4 s, compared with 0 s – 2 s.');
	assert.deepStrictEqual(await crumbs(page), ['2 s – 4 s and 0 s – 2 s']);
	assert.strictEqual(await shown(page), 20 * NR);
	assert.ok((await legend(page)).includes('more'));
	assert.match(await hover(page, 'read'), /more: [0-9.]+% of the base, [0-9.]+% here; odds × [0-9.]+ \([0-9.]+ to /);
	assert.match(await hover(page, 'parse'), /\nless: /);
	assert.match(await hover(page, 'write'), /\nno sign of a change: /);
	assert.match(await hover(page, 'main'), /not judged: 100% of the base, 100% here/);
	await shot(page, 'heat-map-compared');
	await press(page, 'r', 'c', 't');
}));

test('the same twice is no change', () => onPage('phases', async (page) => {
	await drag(page, 0, 9);
	await page.locator('#compare').click();
	assert.strictEqual(await page.locator('#compare').getAttribute('aria-pressed'), 'true');
	await drag(page, 10, 19);
	for (const name of ['read', 'parse', 'write'])
		assert.doesNotMatch(await hover(page, name), /\n(more|less): /);
}));

test('keys do the same', () => onPage('phases', async (page) => {
	await page.locator('#cells').focus();
	await press(page, 'ArrowRight', 'ArrowDown', 'Shift+ArrowRight');
	assert.strictEqual(await page.locator('#cells').getAttribute('aria-valuetext'),
		'0.6 s – 1.2 s: 600 ms, 1.00 CPUs busy of 2 (50.00%)');
	await press(page, 'Enter');
	assert.match(page.url(), /#time=6-11$/);
	assert.strictEqual(await shown(page), 120);
	await press(page, 'End', 'Shift+ArrowLeft', 'Shift+Enter');
	assert.match(page.url(), /#time=34-39%2C6-11$/);
	await press(page, 'Escape', 'Escape');
	assert.strictEqual(await shown(page), 20 * NR);
}));

test('a link opens a time, and nonsense the whole', async () => {
	await onPage('phases', async (page) => {
		assert.strictEqual(await shown(page), 20);
		assert.strictEqual((await find(page, 'main')).length, 1);
	}, {link: '#time=5-5'});
	for (const link of ['#time=5', '#time=9-5', '#time=0-40', '#time=0-1,2-3,4-5', '#time=a-b', '#time='])
		await onPage('phases', async (page) => assert.strictEqual(await shown(page), 20 * NR), {link});
	await onPage('five', async (page) => assert.strictEqual(await shown(page), 100), {link: '#time=0-1'});
});

/* ---- the arithmetic, without a browser ---- */

const scripts = vm.createContext({TextDecoder, URLSearchParams});

for (const name of ['data', 'ranges']) {
	const file = path.join(__dirname, `../../user/flame/page/${name}.js`);

	vm.runInContext(fs.readFileSync(file, 'utf8'), scripts, {filename: file});
}
vm.runInContext('Object.assign(globalThis, {Stacks, Heat, RangeDifference, studentUpper, studentReach, holmAdjust})', scripts);

/* From tables of the distribution. */
test('Student\'s distribution', () => {
	for (const [x, df, upper] of [[2.228139, 10, 0.025], [1.812461, 10, 0.05], [12.706205, 1, 0.025],
		[-1.644854, 1e7, 0.95], [4.143700, 10, 0.001], [0, 3, 0.5]])
		assert.ok(Math.abs(scripts.studentUpper(x, df) - upper) < 2e-6, `${x} ${df}`);
	assert.ok(Math.abs(scripts.studentReach(10) - 2.228139) < 1e-5);
	assert.deepStrictEqual(Array.from(scripts.holmAdjust([0.04, 0.01, 0.03])), [0.06, 0.03, 0.06]);
});

/* What diff defines, or says as a default, by name; a number of the page that is none of these is its own. */
test('the numbers are those of diff', () => {
	const read = (name) => fs.readFileSync(path.join(__dirname, '../../user', name), 'utf8');
	const own = read('flame/page/ranges.js').matchAll(/^const ([A-Z_]+) = ([0-9.]+);/gm);
	const sources = ['diff/statistics/phi.c', 'diff/statistics/decision.c', 'diff/statistics/pass.c', 'diff/statistics/statistics.h', 'profile/scatter.h'].map(read).join('');
	const others = new Map([...sources.matchAll(/^#define ([A-Z_]+)\s+([0-9.]+)|^\t\t\.([a-z_]+) = ([0-9.]+),/gm)]
		.map(([, name, value, option, byDefault]) => [name ?? option.toUpperCase(), Number(value ?? byDefault)]));
	const pairs = [...own].filter(([, name]) => name !== 'MIN_DUE');

	assert.strictEqual(pairs.length, 9);
	for (const [, name, value] of pairs)
		assert.strictEqual(Number(value), others.get(name), name);
});

/* Judges the columns before `middle` against those from there on; the stacks are a frame each. */
function judge(columns, middle) {
	const nr = columns[0].stacks.length;
	const nrColumns = columns.length;
	const stacks = new scripts.Stacks(Uint32Array.from({length: nr + 1}, (_, i) => i),
		Uint32Array.from({length: nr}, (_, i) => i), [new Float64Array(nr).fill(1)]);
	const heat = new scripts.Heat({nr: nrColumns, sources: [{event: 0, isWeight: false}], tones: [], events: [{columns}]});
	const ranges = {base: {first: 0, last: middle - 1}, shown: {first: middle, last: nrColumns - 1}};
	const difference = new scripts.RangeDifference(heat, {
		stacks: heat.stacksOf(stacks, ranges), value: 0,
		phi: heat.bursts(0, stacks, [ranges.base, ranges.shown])});

	return Object.fromEntries([...difference.judged].map(([node, {tone}]) => [node.split(' ')[0], tone]));
}

function column(counts) {
	return {stacks: Uint32Array.from(counts, (_, i) => i), counts: Float64Array.from(counts), weights: Float64Array.from(counts)};
}

/* The same 60 functions, ranked as those of programs are, in both ranges: what is called a change is chance. */
for (const middle of [10, 1, 19])
	test(`chance alone is hardly ever a change, ${middle} columns against ${20 - middle}`, () => {
		const shares = Array.from({length: 60}, (_, i) => (i + 1) ** -1.1);
		const all = shares.reduce((sum, share) => sum + share, 0);
		let alarms = 0;

		for (let seed = 1; seed <= 100; seed++) {
			const next = profiles.random(seed);
			const columns = Array.from({length: 20}, () => {
				const counts = new Array(60).fill(0);

				for (let i = 0; i < 100; i++) {
					let left = next() * all;
					let at = 0;

					while ((left -= shares[at]) > 0 && at < 59)
						at++;
					counts[at]++;
				}
				return column(counts);
			});

			alarms += Object.values(judge(columns, middle)).some((tone) => tone === 'regressed' || tone === 'improved');
		}
		assert.ok(alarms <= 4, `${alarms} of 100`);
	});

/* The first is all of one range and nearly nothing of the other. Of what is all of both nothing can be said. */
test('what is all of one range has changed', () => {
	const columns = (counts) => new Array(5).fill(counts).map(column);
	const [only, little] = [columns([100, 0]), columns([2, 98])];

	assert.deepStrictEqual(judge([...only, ...little], 5), {0: 'improved', 1: 'regressed'});
	assert.deepStrictEqual(judge([...little, ...only], 5), {0: 'regressed', 1: 'improved'});
	assert.deepStrictEqual(judge([...only, ...only], 5), {});
	assert.deepStrictEqual(judge([...little, ...little], 5), {0: 'unchanged', 1: 'unchanged'});
});
