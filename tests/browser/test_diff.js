// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page of a differential flame graph, in headless Chromium, made by the program itself from
 * folded text whose truth is known: sort takes twice as long, draw half, old is gone, fresh is new.
 */
'use strict';

const assert = require('node:assert');
const {spawnSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {after, before, test} = require('node:test');
const {pathToFileURL} = require('node:url');
const {chromium} = require('playwright-core');

const BUILD = process.env.BUILD ?? path.join(__dirname, '../../build/release');
const OUT = path.join(BUILD, 'browser');
const STACKS = {
	'main;load;sort': [10000, 20000],
	'main;load': [15000, 15000],
	'main;draw': [20000, 10000],
	'main;old': [5000, 0],
	'main;fresh': [0, 5000],
	'main;rest;<b>&"x': [50000, 50000],
};
const ALL = [100000, 100000];

let browser;

function write(side, run) {
	const file = path.join(OUT, `${side ? 'new' : 'base'}-${run}.folded`);
	const lines = Object.entries(STACKS).filter(([, counts]) => counts[side])
		.map(([stack, counts]) => `${stack} ${counts[side] + 10 * run}`);

	fs.writeFileSync(file, `${lines.join('\n')}\n`);
	return file;
}

function draw(kind) {
	const file = path.join(OUT, `diff.${kind}`);
	const runs = [0, 1].map((side) => [1, 2, 3].map((run) => write(side, run)));
	const done = spawnSync(path.join(BUILD, 'topstacks'),
		['diff', '--flamegraph', file, ...runs[0], '--against', ...runs[1]]);

	assert.strictEqual(done.status, 1, done.stderr.toString());
	return file;
}

async function onPage(file, use, options = {}) {
	const context = await browser.newContext({viewport: {width: 1280, height: 600}, ...options});
	const page = await context.newPage();
	const complaints = [];
	const url = pathToFileURL(file).href;

	page.on('console', (message) => complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(error.message));
	page.on('request', (request) => {
		if (!request.url().startsWith(url))
			complaints.push(`asked for ${request.url()}`);
	});
	await page.goto(url);
	await use(page);
	assert.deepStrictEqual(complaints, []);
	await context.close();
}

function box(page, label) {
	return page.locator(`.box[data-label^="${label}"]`);
}

function width(page, label) {
	return box(page, label).locator('rect').evaluate((rect) => Number(rect.getAttribute('width')));
}

function fill(locator) {
	return locator.locator('rect').evaluate((rect) => getComputedStyle(rect).fill);
}

before(async () => {
	fs.mkdirSync(OUT, {recursive: true});
	browser = await chromium.launch({
		executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
		args: ['--no-sandbox', '--disable-gpu', '--no-first-run'],
	});
});

after(() => browser?.close());

test('diff: boxes are as wide as the mean share, and say what became of them', () =>
	onPage(draw('html'), async (page) => {
		for (const [name, tone] of Object.entries({
			sort: 'regressed', draw: 'improved', old: 'improved gone', fresh: 'regressed new',
			rest: 'unchanged', all: 'none',
		}))
			assert.strictEqual(await box(page, name).getAttribute('class'), `box ${tone}`, name);
		const [base, fresh] = STACKS['main;load;sort'].map((count, side) => count / ALL[side]);

		assert.ok(Math.abs(await width(page, 'sort') / 1176 - (base + fresh) / 2) < 0.002);
		assert.match(await box(page, 'sort').textContent(), /^sort \+(99|100)\.\d %/);
		assert.match(await box(page, 'fresh').getAttribute('data-label'), /^fresh new$/);
		assert.strictEqual(await box(page, '<b>&\\"x').count(), 1);
		await box(page, 'old').hover();
		assert.match(await page.locator('#details').innerText(),
			/^old\n5\.01 % of base, 0\.00 % of new\nimproved: gone/);
		await page.screenshot({path: path.join(OUT, 'diff-light.png'), fullPage: true});
	}));

test('diff: a click looks closer, Escape shows all again, a search marks', () =>
	onPage(draw('html'), async (page) => {
		const before = await width(page, 'sort');

		await box(page, 'load').click();
		assert.ok(await width(page, 'load') > 1170);
		assert.ok(await width(page, 'sort') > 2 * before);
		assert.ok(await box(page, 'draw').isHidden());
		await page.keyboard.press('Escape');
		assert.ok(Math.abs(await width(page, 'sort') - before) < 0.01);
		assert.ok(await box(page, 'draw').isVisible());
		await page.locator('#search').fill('SORT');
		assert.strictEqual(await page.locator('#found').innerText(), '1 box');
		assert.match(await box(page, 'sort').getAttribute('class'), / match$/);
	}));

test('diff: dark surroundings have colours of their own, in the picture too', async () => {
	const picture = draw('svg');
	const seen = {};

	for (const colorScheme of ['light', 'dark']) {
		await onPage(picture, async (page) => {
			seen[colorScheme] = await fill(box(page, 'rest'));
			await page.screenshot({path: path.join(OUT, `diff-svg-${colorScheme}.png`)});
		}, {colorScheme});
		await onPage(draw('html'), async (page) => {
			assert.strictEqual(await fill(box(page, 'rest')), seen[colorScheme]);
			await page.screenshot({path: path.join(OUT, `diff-${colorScheme}.png`)});
		}, {colorScheme});
	}
	assert.notStrictEqual(seen.light, seen.dark);
});
