// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the page and the picture of a comparison say beyond those of a profile, made by the program
 * from folded text whose truth is known: sort takes twice as long, draw half, old is gone, fresh is
 * new. What both pages do is in test_page.js.
 */
'use strict';

const assert = require('node:assert');
const {test} = require('node:test');
const {made, onPage, settled, find, hover, press, text, crumbs, rows, shot} = require('./driver.js');

const STACKS = {
	'main;load;sort': [10, 20],
	'main;load': [15, 15],
	'main;draw': [12, 6],
	'main;old': [9, 0],
	'main;fresh': [0, 5],
	'main;rest;<b>&"x': [54, 54],
};

made.change = () => [0, 1].map((side) => ({
	title: 'change',
	stacks: Object.entries(STACKS).filter(([, counts]) => counts[side]).map(([stack, counts]) => (
		{count: counts[side], frames: stack.split(';').map((name) => ({name}))})),
}));

/* What is told of a frame, and its colour on the canvas, in its middle above the text. */
function told(page, name) {
	return page.evaluate((wanted) => {
		const {view, overlay, stacks, profile} = flamegraph;
		const box = view.layout.rows.flat().find(
			(each) => each.depth && profile.names[stacks.name(each)].text === wanted);
		const x = Math.round((box.left + box.right) / 2 * devicePixelRatio);
		const y = Math.round((rowTop(view.picture, box.depth) + 4) * devicePixelRatio);
		const pixel = new OffscreenCanvas(1, 1).getContext('2d');

		pixel.drawImage(document.getElementById('canvas'), -x, -y);
		const {data} = pixel.getImageData(0, 0, 1, 1);

		return {
			tone: overlay.find(stacks, box).tone.name, change: overlay.find(stacks, box).change,
			presence: overlay.presence(stacks, box),
			color: `#${[...data.slice(0, 3)].map((x) => x.toString(16).padStart(2, '0')).join('')}`,
		};
	}, name);
}

test('diff: boxes are as wide as the mean share, and say what became of them', () =>
	onPage('change compared', async (page) => {
		const expected = {
			sort: ['regressed', '', '#d6523b'], draw: ['improved', '', '#2f7fbf'],
			old: ['improved', 'gone'], fresh: ['regressed', 'new', '#d6523b'],
			rest: ['unchanged', '', '#d5d9df'], main: ['none', '', '#eceef1'],
		};

		for (const [name, [tone, presence, color]] of Object.entries(expected)) {
			const said = await told(page, name);

			assert.deepStrictEqual([said.tone, said.presence], [tone, presence], name);
			if (color)
				assert.strictEqual(said.color, color, name);
		}
		const [main] = await find(page, 'main');
		const [sort] = await find(page, 'sort');

		assert.ok(Math.abs(sort.width / main.width - 0.15) < 0.002);
		assert.match((await told(page, 'sort')).change, /^\+(99|100)\.\d %$/);
		assert.strictEqual((await told(page, 'fresh')).change, 'new');
		assert.strictEqual((await find(page, '<b>&"x')).length, 1);
		const said = await hover(page, 'old');

		for (const part of ['old', 'improved: gone', 'Mean', 'Base', 'New', '9 %', '4.5 %', '0 %'])
			assert.ok(said.includes(part), `${part} in ${said}`);
		assert.match(await text(page, '#title'), /^FAILED: 3 of \d subtrees tested/);
		assert.match(await text(page, '#legend'), /regressed\s+improved\s+perhaps slower/);
		await shot(page, 'diff-light');
	}));

test('diff: widths of one side alone', () => onPage('change compared', async (page) => {
	const share = async (name) => (await find(page, name))[0]?.width / (await find(page, 'main'))[0].width;

	await press(page, 'v');
	assert.ok(Math.abs(await share('sort') - 0.1) < 0.002);
	assert.strictEqual((await find(page, 'fresh')).length, 0);
	await press(page, 'v');
	assert.ok(Math.abs(await share('sort') - 0.2) < 0.002);
	assert.ok(Math.abs(await share('fresh') - 0.05) < 0.002);
	assert.strictEqual((await find(page, 'old')).length, 0);
	await press(page, 't', 't');
	assert.deepStrictEqual((await rows(page)).slice(0, 2).map(([name]) => name), ['<b>&"x', 'sort']);
	await page.reload();
	assert.ok(Math.abs(await share('sort') - 0.2) < 0.002);
}, {link: '#view=both'}));

test('diff: a click looks closer, Escape shows all again, a search marks', () =>
	onPage('change compared', async (page) => {
		const [before] = await find(page, 'sort');
		const [load] = await find(page, 'load');

		await page.mouse.click(load.left + 5, load.top + 8);
		await settled(page);
		assert.deepStrictEqual(await crumbs(page), ['all', 'main', 'load']);
		assert.ok((await find(page, 'sort'))[0].width > 2 * before.width);
		assert.strictEqual((await find(page, 'draw')).length, 0);
		await press(page, 'Escape');
		assert.ok(Math.abs((await find(page, 'sort'))[0].width - before.width) < 0.01);
		assert.strictEqual((await find(page, 'draw')).length, 1);
		await page.locator('#search').fill('sort');
		assert.strictEqual(await text(page, '#matched'), '15.00% · 1 name');
		assert.strictEqual((await told(page, 'sort')).color, '#a21caf');
	}));

test('diff: there is one order, and colours may be of modules', () => onPage('change compared', async (page) => {
	assert.strictEqual(await page.locator('[data-choice=order]').count(), 0);
	await press(page, 'r');
	assert.strictEqual((await find(page, 'sort'))[0].depth, 3);
	await press(page, 'c');
	assert.notStrictEqual((await told(page, 'sort')).color, '#d6523b');
	assert.match(await text(page, '#legend'), /no module/);
	await page.locator('#scroller').focus();
	await press(page, 'ArrowUp', 'ArrowUp', 'ArrowUp');
	assert.match(await page.locator('#spoken').getAttribute('aria-label'), /^<b>|^rest, .*unchanged/);
}));

test('diff: dark surroundings have colours of their own, in the picture too', async () => {
	const seen = {};

	for (const colorScheme of ['light', 'dark']) {
		await onPage('change compared', async (page) => {
			const box = page.locator('g.box', {hasText: /^rest\n/});

			assert.strictEqual(await box.getAttribute('class'), 'box unchanged');
			seen[colorScheme] = await box.locator('rect').evaluate((rect) => getComputedStyle(rect).fill);
			await shot(page, `diff-svg-${colorScheme}`);
		}, {colorScheme, format: 'svg'});
		await onPage('change compared', async (page) => {
			const {color} = await told(page, 'rest');
			const channels = [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16));

			assert.strictEqual(`rgb(${channels.join(', ')})`, seen[colorScheme]);
			await shot(page, `diff-${colorScheme}`);
		}, {colorScheme});
	}
	assert.notStrictEqual(seen.light, seen.dark);
});

test('diff: text is readable on every colour, in both themes', () => onPage('change compared', async (page) => {
	const worst = () => page.evaluate(() => {
		const linear = (byte) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
		const luminance = (color) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) =>
			sum + weight * linear(parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16)), 0);
		const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		const {overlay, ink, theme} = flamegraph;

		return Math.min(...overlay.tones.map((tone) => contrast(luminance(tone[theme]),
			luminance(tone.strong ? '#ffffff' : ink.frameText))));
	});

	for (const key of ['d', 'd']) {
		assert.ok(await worst() >= 4, `contrast ${await worst()}`);
		await press(page, key);
	}
}));

/* hot takes 80 of 100 more samples by one caller; it calls two functions, of which one is new. */
made.callers = () => [0, 1].map((side) => ({
	title: 'callers',
	stacks: Object.entries({
		'main;request;hot;scan': [10, 26], 'main;config;hot;scan': [10, 14], 'main;request;hot;copy': [0, 5],
		'main;draw;<b>&"x': [80, 80], 'main;rest': [40, 40],
	}).filter(([, counts]) => counts[side]).map(([stack, counts]) => (
		{count: counts[side], frames: stack.split(';').map((name) => ({name}))})),
}));

/* What the graphs show, callees and then callers: the width of each frame by its name, and the words above it. */
function sides(page) {
	return page.evaluate(() => flamegraph.sides.figures.map(({figure, caption, painter, canvas}) => ({
		caption: caption.textContent, hidden: figure.hidden, width: canvas.clientWidth,
		boxes: Object.fromEntries(painter.picture.layout.rows.flat().map((box) => [
			box.depth ? flamegraph.profile.names[painter.picture.stacks.name(box)].text : '',
			box.right - box.left])),
	})));
}

made.changed = () => [0, 1].map((side) => ({
	title: 'changed',
	stacks: ['rest', ...'abcdefghijklmn'].map((name, i) => (
		{count: i ? [800 - 500 * side, 300 + 500 * side][i % 2] : 20000,
			frames: ['main', name].map((each) => ({name: each}))})),
}));

test('diff: the list of what changed is cut off between its rows', () => onPage('changed compared', async (page) => {
	for (const width of [1280, 900, 500]) {
		await page.setViewportSize({width, height: 780});
		await settled(page);
		const [nr, nrCut] = await page.evaluate(() => {
			const {bottom} = document.querySelector('#changes nav').getBoundingClientRect();
			const all = Array.from(document.querySelectorAll('#changes button'), (each) => each.getBoundingClientRect());

			return [all.length, all.filter((each) => each.top < bottom - 1 && each.bottom > bottom + 1).length];
		});

		assert.ok(nr >= 8, `${nr} changes`);
		assert.strictEqual(nrCut, 0, `${width} pixels`);
	}
}));

const near = (value, wanted) => assert.ok(Math.abs(value - wanted) < 0.02, `${value}, not ${wanted}`);

test('diff: what changed as a whole is listed, and drawn on both sides to the scale of its change', () =>
	onPage('callers compared', async (page) => {
		const list = page.locator('#changes button');

		assert.match((await list.allTextContents()).join('\n'), /hot regressed: \+1[0-9]{2}\.\d %/);
		assert.strictEqual(await page.locator('#changes .sides').isVisible(), false);
		await list.filter({hasText: /^hot /}).click();
		const [base, fresh, baseCallers, freshCallers] = await sides(page);

		assert.strictEqual(base.caption, 'base: 14.3 %, what it calls');
		assert.match(fresh.caption, /^new: 27\.3 %, 2\.2[45] times base, what it calls$/);
		assert.match(freshCallers.caption, /^new: 27\.3 %, 2\.2[45] times base, who calls it$/);
		/* 20 samples and 45, while all that did not change has 120 on both sides. */
		near(base.width / fresh.width, 20 / 45);
		near(fresh.boxes.scan / fresh.width, 40 / 45);
		near(base.boxes.scan / base.width, 1);
		assert.ok(!('copy' in base.boxes) && fresh.boxes.copy > 0);
		assert.ok(!('request' in fresh.boxes), 'whoever calls it');
		/* Who carries it: request has 21 more of the 25. */
		near(baseCallers.boxes.request / fresh.width, 10 / 45);
		near(freshCallers.boxes.request / fresh.width, 31 / 45);
		near(freshCallers.boxes.config / fresh.width, 14 / 45);
		assert.ok(!('scan' in freshCallers.boxes));
		await shot(page, 'diff-sides');
	}));

/* sort of the first comparison calls nothing, and is called by one: there is no graph of what it calls. */
test('diff: of a function that calls nothing, its callers are shown', () => onPage('change compared', async (page) => {
	await page.locator('#changes button', {hasText: /^sort /}).click();
	const [base, fresh, baseCallers, freshCallers] = await sides(page);

	assert.deepStrictEqual([base, fresh, baseCallers, freshCallers].map(({hidden}) => hidden), [true, true, false, false]);
	near(baseCallers.width / freshCallers.width, 10 / 20);
	near(freshCallers.boxes.load / freshCallers.width, 1);
	near(freshCallers.boxes.main / freshCallers.width, 1);
	await page.locator('#changes figure').nth(3).locator('canvas').hover({position: {x: 5, y: 30}});
	assert.match(await text(page, '#changes .said'), /^sort ‹ load · base 10 % · new 20 %$/);
}));

test('diff: what one side does not have is not there', () => onPage('change compared', async (page) => {
	await page.locator('#changes button', {hasText: /^fresh /}).click();
	const [, , base, fresh] = await sides(page);

	assert.strictEqual(base.caption, 'base: not there, who calls it');
	assert.strictEqual(fresh.caption, 'new: 5 %, who calls it');
	assert.ok(fresh.width > 300);
}));

test('diff: the sides are in the address, say a frame, and go with Escape', () =>
	onPage('callers compared', async (page) => {
		const hot = page.locator('#changes button', {hasText: /^hot /});

		await hot.click();
		assert.match(page.url(), /#.*sides=.{5}/);
		await page.reload();
		await settled(page);
		assert.strictEqual(await hot.getAttribute('aria-pressed'), 'true');
		await page.locator('#changes figure').nth(1).locator('canvas').hover({position: {x: 5, y: 30}});
		assert.match(await text(page, '#changes .said'), /^hot › (copy|scan) · base [\d.]+ % · new [\d.]+ %$/);
		await press(page, 'Escape');
		assert.strictEqual(await page.locator('#changes .sides').isVisible(), false);
		assert.ok(!page.url().includes('sides='));
		await page.goBack();
	}));

test('diff: where nothing changed there is no list', () => onPage('same compared', async (page) => {
	assert.strictEqual(await page.locator('#changes').isVisible(), false);
}));

made.same = () => ({title: 'same', stacks: [{count: 100, frames: [{name: 'main'}, {name: 'a'}]},
	{count: 900, frames: [{name: 'main'}, {name: 'b'}]}]});
