// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time line of a page, in headless Chromium: what it says, and which page it leads to, by pointer
 * and by keyboard. A server of its own answers with the same page, whatever time is asked for.
 */
'use strict';

const assert = require('node:assert');
const {test} = require('node:test');
const profiles = require('./profiles.js');
const {made, onPage, settled, click, crumbs, press, text, shot, openBrowser} = require('./driver.js');

const START = 1795701790n * 1000000000n; // 2026-11-26T14:03:10Z
const FIVE = 5000000000n;
const SERVED = {isServed: true};

/* Slices of five seconds, with as many samples each; from the third one on a second later: there is a gap. */
function timeLine(counts, shown) {
	const at = (i) => START + BigInt(i) * FIVE + (i > 2 ? 1000000000n : 0n);

	return {
		slices: counts.map((count, i) => [at(i), FIVE, count]),
		shown: [at(shown[0]), BigInt(shown[1]) * FIVE],
	};
}

Object.assign(made, {
	five: () => profiles.five(),
	times: () => ({...profiles.five(), times: timeLine([100, 200, 400, 50, 0, 100, 100, 300], [1, 2])}),
	emptyTimes: () => ({title: 'nothing', stacks: [], times: timeLine([0, 0], [0, 1])}),
	oddTimes: () => ({...profiles.five(), times: {
		slices: [[START + 123456789n, 5001002003n, 7], [START + 5124458792n, FIVE, 7]],
		shown: [START, FIVE]}}),
	day: () => ({...profiles.five(), times: {
		slices: Array.from({length: 17280}, (_, i) => [START + BigInt(i) * FIVE, FIVE, 1 + i % 100]),
		shown: [START + 17000n * FIVE, 60n * FIVE]}}),
});

/* In pixels, the middle of a slice that begins so many seconds after the first one; 41 s are kept. */
async function placeOf(page, seconds, all = 41) {
	const {x, y, width, height} = await page.locator('#strip').boundingBox();

	return [x + (seconds + 2.5) / all * width, y + height / 2];
}

/* What was asked for when the page that use() leads to has been opened. */
async function askedBy(page, use) {
	const before = page.url();

	await use();
	await page.waitForURL((url) => url.href !== before);
	await settled(page);
	const {search, hash} = new URL(page.url());

	return search + hash;
}

test('a page without slices has no time line', () => onPage('five', async (page) => {
	assert.strictEqual(await page.locator('#times').isVisible(), false);
}));

test('the time line says what is shown and what is kept', () => onPage('times', async (page) => {
	assert.strictEqual(await text(page, '#said'),
		'Shown: 14:03:15 – 14:03:25 UTC (10 s), 600 samples. ' +
		'Kept: 14:03:10 – 14:03:51 UTC (41 s), 1,250 samples.');
	await shot(page, 'time-line');
}));

/* Of the time line as it is painted: at each place, in shares of its width and height, a colour. */
async function colorsAt(page, places) {
	const png = await page.locator('#strip').screenshot();
	const other = await openBrowser();
	const colors = await other.evaluate(async ([base64, at]) => {
		const picture = await createImageBitmap(await (await fetch(`data:image/png;base64,${base64}`)).blob());
		const context = new OffscreenCanvas(picture.width, picture.height).getContext('2d');

		context.drawImage(picture, 0, 0);
		return at.map(([x, y]) => context.getImageData(
			Math.round(x * picture.width), Math.round(y * picture.height), 1, 1).data.join(' '));
	}, [png.toString('base64'), places]);

	await other.close();
	return colors;
}

/* '.': nothing, '-': nothing of what is shown, '#': a column, '@': one that is shown; from below. */
test('columns are as high as their values, at their times', () => onPage('times', async (page) => {
	const seconds = [0, 5, 10, 13, 16, 21, 26, 31, 36];
	const heights = [0.05, 0.2, 0.4, 0.6, 0.9];
	const colors = await colorsAt(page, seconds.flatMap(
		(each) => heights.map((height) => [(each + 2.5) / 41, 1 - height])));
	const names = new Map([[colors[4], '.'], [colors[9], '-'], [colors[0], '#'], [colors[5], '@']]);
	const seen = seconds.map((_, i) => colors.slice(5 * i, 5 * i + 5).map((color) => names.get(color)).join(''));

	assert.strictEqual(names.size, 4);
	assert.deepStrictEqual(seen,
		['##...', '@@@--', '@@@@@', '.....', '#....', '.....', '##...', '##...', '####.']);
}));

test('the pointer is told time and value', () => onPage('times', async (page) => {
	await page.mouse.move(...await placeOf(page, 16));
	assert.strictEqual(await text(page, '#picked'), '14:03:26 – 14:03:31 UTC (5 s), 50 samples');
	await page.mouse.move(5, 5);
	assert.strictEqual(await text(page, '#picked'), '');
}));

test('a click asks for a slice, a drag for several', () => onPage('times', async (page) => {
	assert.strictEqual(await askedBy(page, async () => page.mouse.click(...await placeOf(page, 10))),
		'?at=2026-11-26T14:03:20.000Z&seconds=5');
	assert.strictEqual(await askedBy(page, async () => {
		await page.mouse.move(...await placeOf(page, 31));
		await page.mouse.down();
		await page.mouse.move(...await placeOf(page, 20));
		await page.mouse.move(...await placeOf(page, 5));
		assert.strictEqual(await text(page, '#picked'), '14:03:15 – 14:03:46 UTC (31 s), 850 samples');
		await page.mouse.up();
	}), '?at=2026-11-26T14:03:15.000Z&seconds=31');
}, SERVED));

test('Escape gives up a drag', () => onPage('times', async (page) => {
	await page.mouse.move(...await placeOf(page, 31));
	await page.mouse.down();
	await page.mouse.move(...await placeOf(page, 5));
	await page.keyboard.press('Escape');
	await page.mouse.up();
	await settled(page);
	assert.strictEqual(new URL(page.url()).search, '');
}, SERVED));

test('keys pick a range, too, and the graph has its own', () => onPage('times', async (page) => {
	const strip = page.locator('#strip');

	await strip.focus();
	await press(page, 'Home', 'ArrowRight', 'Shift+ArrowRight', 'Shift+ArrowRight');
	assert.strictEqual(await strip.getAttribute('aria-valuenow'), '4');
	assert.strictEqual(await strip.getAttribute('aria-valuetext'), '14:03:15 – 14:03:31 UTC (16 s), 650 samples');
	assert.strictEqual(await page.evaluate(() => flamegraph.view.selected), null);
	assert.strictEqual(await askedBy(page, () => page.keyboard.press('Enter')),
		'?at=2026-11-26T14:03:15.000Z&seconds=16');
	await strip.focus();
	await press(page, 'End', 'Shift+Home', 'Escape');
	assert.strictEqual(await text(page, '#picked'), '14:03:10 – 14:03:15 UTC (5 s), 100 samples');
	await press(page, 'End', 'ArrowLeft');
	assert.strictEqual(await text(page, '#picked'), '14:03:41 – 14:03:46 UTC (5 s), 100 samples');
}, SERVED));

test('links lead to the last seconds, and to all', () => onPage('times', async (page) => {
	const links = page.locator('#ranges a');

	assert.deepStrictEqual(await links.allTextContents(), ['last 30 s', 'last 5 min', 'all']);
	assert.strictEqual(await askedBy(page, () => links.nth(0).click()), '?seconds=30');
	assert.strictEqual(await askedBy(page, () => links.nth(1).click()), '?seconds=300');
	assert.strictEqual(await askedBy(page, () => links.nth(2).press('Enter')),
		'?at=2026-11-26T14:03:10.000Z&seconds=41');
}, SERVED));

test('what else was asked for stays, and so does the zoom', () => onPage('times', async (page) => {
	await click(page, 'main');
	const link = new URL(page.url()).hash;

	assert.ok(link.includes('at='), link);
	assert.strictEqual(await askedBy(page, async () => page.mouse.click(...await placeOf(page, 0))),
		`?comm=a%26b&at=2026-11-26T14:03:10.000Z&seconds=5${link}`);
	assert.strictEqual((await crumbs(page)).join(' '), 'all sshd main');
	assert.strictEqual(await askedBy(page, () => page.locator('#ranges a').first().click()),
		`?comm=a%26b&seconds=30${link}`);
}, {...SERVED, link: '?ago=5m&comm=a%26b&seconds=30'}));

test('times are exact to the nanosecond', () => onPage('oddTimes', async (page) => {
	assert.strictEqual(await askedBy(page, async () => page.mouse.click(...await placeOf(page, 0, 10))),
		'?at=2026-11-26T14:03:10.123456789Z&seconds=5.001002003');
}, SERVED));

test('without samples there still is another time', () => onPage('emptyTimes', async (page) => {
	assert.strictEqual(await askedBy(page, async () => page.mouse.click(...await placeOf(page, 5, 10))),
		'?at=2026-11-26T14:03:15.000Z&seconds=5');
}, SERVED));

test('a day of slices has dates', () => onPage('day', async (page) => {
	assert.ok((await text(page, '#said')).includes('Kept: 2026-11-26 14:03:10 – 2026-11-27 14:03:10 UTC (24 h)'),
		await text(page, '#said'));
	await shot(page, 'time-line-day');
}));

for (const theme of ['light', 'dark'])
	test(`the range that is shown stands out, ${theme}`, () => onPage('times', async (page) => {
		const colors = await page.evaluate(() => ['.columns:not(.shown)', '.columns.shown'].map(
			(name) => getComputedStyle(document.querySelector(`#strip ${name}`)).fill));

		assert.notStrictEqual(colors[0], colors[1]);
		await page.mouse.move(...await placeOf(page, 16));
		await shot(page, `time-line-${theme}`);
	}, {colorScheme: theme}));
