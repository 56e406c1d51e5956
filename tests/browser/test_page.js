// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page as a person uses it, in headless Chromium, of a profile and of a comparison. What should
 * be seen is worked out from the stacks in profiles.js. Screenshots of the main states are left in
 * the build directory for eyes.
 */
'use strict';

const assert = require('node:assert');
const fs = require('node:fs');
const path = require('node:path');
const {test} = require('node:test');
const {pathToFileURL} = require('node:url');
const profiles = require('./profiles.js');
const {OUT, made, write, fileOf, onPage, settled, find, click, hover, press, text, crumbs, rows, shot,
	openBrowser} = require('./driver.js');

const MAX_OPEN_MS = 8000; // on a loaded machine; the figure is printed

Object.assign(made, {
	five: () => profiles.five(),
	sure: () => profiles.sure(),
	thousand: () => profiles.realistic(
		{title: 'postgres (pid 4711)', nrStacks: 1000, nrFunctions: 300, depth: 24, seed: 7}),
	hostile: () => profiles.hostile(),
	waiting: () => profiles.waiting(),
	empty: () => ({title: 'nothing', stacks: []}),
	events: () => {
		const {stacks, ...profile} = profiles.five();
		const [main, read] = stacks;
		const touch = {name: 'touch', module: 'sshd'};

		return {...profile, stacks, faults: [
			{...read, count: 1, weight: 4096},
			{...main, count: 3, weight: 3 * 4096, frames: [...main.frames, touch]}]};
	},
	similar: () => {
		const profile = profiles.five();

		return {...profile, stacks: profile.stacks.slice(1)};
	},
});

/* A comparison knows no processes: the way to a frame begins with main. */
function pathTo(name, ...frames) {
	return ['all', ...name.endsWith(' compared') ? [] : ['sshd'], ...frames];
}

/* What holds for the page of a profile holds for that of its comparison with itself. */
function testBoth(title, name, use, options) {
	for (const each of [name, `${name} compared`])
		test(`${title} (${each})`, () => onPage(each, (page) => use(page, each), options));
}

test('widths and places are those of the samples', () => onPage('five', async (page) => {
	const [all] = await find(page, 'sshd');
	const [main] = await find(page, 'main');
	const reads = await find(page, 'read');
	const share = (place) => place.width / all.width;

	assert.ok(Math.abs(share(main) - 1) < 1e-6);
	assert.deepStrictEqual(reads.map((place) => Math.round(100 * share(place))), [70, 10]);
	/* The root is below, and main's own 10 samples are left of its callees. */
	assert.ok(all.top > main.top && main.top > reads[0].top && reads[0].top > reads[1].top);
	assert.ok(Math.abs((reads[0].left - main.left) / all.width - 0.1) < 1e-6);
	await shot(page, 'five');
}));

test('v switches between the values of all events', () => onPage('events', async (page) => {
	const share = async (name) => {
		const [[part], [all]] = [await find(page, name), await find(page, 'sshd')];

		return part ? Math.round(100 * part.width / all.width) : 0;
	};

	const facts = async () => [await text(page, '#summary'), await page.locator('.facts').textContent()];

	assert.deepStrictEqual([await share('read'), await share('write'), await share('touch')], [70, 20, 0]);
	for (const said of await facts())
		assert.ok(said.includes('of cpu-clock') && !said.includes('of page-faults'), said);
	await press(page, 'v', 'v');
	for (const said of await facts())
		assert.ok(said.includes('of page-faults') && !said.includes('of cpu-clock'), said);
	assert.deepStrictEqual([await share('read'), await share('write'), await share('touch')], [25, 0, 75]);
	const said = await hover(page, 'touch');

	for (const part of ['75.00%', '3 page-faults', '12.3 kB'])
		assert.ok(said.includes(part), `${part} in ${said}`);
	assert.strictEqual(await text(page, '[data-option="2"]'), 'page-faults');
	assert.strictEqual(await text(page, '[data-option="3"]'), 'page-faults (bytes)');
	await shot(page, 'events');
	await press(page, 'v', 'v');
	assert.strictEqual(await share('read'), 70);
}));

/* Hue and saturation of a colour on the page: which one it looks like. */
function looksLike([red, green, blue]) {
	const most = Math.max(red, green, blue);

	if (most - Math.min(red, green, blue) < 25)
		return 'grey';
	return blue === most ? (red > green ? 'violet' : 'blue') : (green > 0.8 * red ? 'yellow' : 'orange');
}

test('waits have the colour of what most of their time is', () => onPage('waiting', async (page) => {
	const colors = await page.evaluate(() => {
		const bytes = (hex) => [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
		const {style, stacks, profile: {names}, view: {layout}} = flamegraph;

		return layout.rows.slice(1).flat().map(
			(box) => [names[stacks.name(box)].text, bytes(style(box).fill)]);
	});

	assert.deepStrictEqual(colors.map(([name, color]) => `${name} ${looksLike(color)}`).sort(),
		['lock blue', 'main blue', 'parse orange', 'sshd blue', 'sync blue']);
	await shot(page, 'waiting');
}));

test('what was waited for is in the tooltip and the legend', () => onPage('waiting', async (page) => {
	const said = await hover(page, 'lock');

	for (const part of ['blocked 83.33%, woken 16.67%', 'for lock 100%'])
		assert.ok(said.includes(part), said);
	assert.ok((await hover(page, 'main')).includes('for lock 60.00%, disk 20.00%'));
	assert.deepStrictEqual(await page.locator('#legend button').allTextContents(), [
		'blocked70.00%', 'running15.00%', 'woken10.00%', 'preempted5.00%', 'for lock60.00%', 'for disk20.00%']);
}));

test('a state or a kind of wait is shown alone, zoomed as before', () => onPage('waiting', async (page) => {
	await click(page, 'main');
	await page.locator('#legend button', {hasText: 'blocked'}).click();
	assert.strictEqual((await crumbs(page)).join(' '), 'blocked sshd main');
	assert.deepStrictEqual([(await find(page, 'parse')).length, (await find(page, 'sync')).length], [0, 1]);
	assert.ok((await hover(page, 'lock')).includes('50 samples'));
	const [[lock], [main]] = [await find(page, 'lock'), await find(page, 'main')];

	assert.ok(Math.abs(lock.width / main.width - 50 / 70) < 0.01);
	const link = await page.evaluate(() => location.hash);

	await onPage('waiting', async (other) => assert.strictEqual((await crumbs(other))[0], 'blocked'), {link});
	await page.locator('#legend button', {hasText: 'blocked'}).click();
	assert.strictEqual((await crumbs(page))[0], 'all');
	await press(page, 's', 'r');
	assert.strictEqual((await crumbs(page))[0], 'running');
	assert.deepStrictEqual([(await find(page, 'parse')).length, (await find(page, 'lock')).length], [1, 0]);
}));

test('without waits nothing is said of them', () => onPage('five', async (page) => {
	assert.strictEqual(await page.locator('[data-option="state"]').count(), 0);
	assert.ok(!(await page.locator('#help').textContent()).includes('kind of wait'));
	assert.ok(!(await hover(page, 'read')).includes('blocked'));
}));

test('a tooltip says name, module, kind, total and self', () => onPage('five', async (page) => {
	const said = await hover(page, 'read');

	for (const part of ['read', 'libc.so.6 · user', '70.00%', '70 samples', '707 ms', '40.00%',
		'40 samples', '404 ms'])
		assert.ok(said.includes(part), `${part} in ${said}`);
	await page.mouse.move(5, 5);
	await settled(page);
	assert.ok(await page.locator('#tooltip').isHidden());
}));

/* Wilson's bounds of 70 of 100 are 60.42 and 78.11 %, of 40 of 100 30.94 and 49.80 %, of 0 0 and 3.70 %. */
test('a tooltip says how sure shares are, where it is known', async () => {
	await onPage('sure', async (page) => {
		const said = await hover(page, 'read');

		for (const part of ['70.00% ± 9.58%', '40.00% ± 9.80%'])
			assert.ok(said.includes(part), `${part} in ${said}`);
		assert.ok((await hover(page, 'main')).includes('100% ± 3.70%'));
		await shot(page, 'sure');
	});
	await onPage('five', async (page) => assert.ok(!(await hover(page, 'read')).includes('±')));
});

testBoth('a click zooms, Back and Backspace and 0 undo it', 'five', async (page, name) => {
	const [before] = await find(page, 'read');

	await click(page, 'read');
	assert.deepStrictEqual(await crumbs(page), pathTo(name, 'main', 'read'));
	const [after] = await find(page, 'read');

	assert.ok(Math.abs(after.width / before.width - 1 / 0.7) < 0.01);
	assert.match(await hover(page, 'entry_SYSCALL_64'), /Of view\s+28\.57%/);
	assert.strictEqual((await find(page, 'write')).length, 0);
	await page.goBack();
	assert.deepStrictEqual(await crumbs(page), ['all']);
	await page.goForward();
	assert.deepStrictEqual(await crumbs(page), pathTo(name, 'main', 'read'));
	await press(page, 'Backspace');
	assert.deepStrictEqual(await crumbs(page), pathTo(name, 'main'));
	await press(page, '0');
	assert.deepStrictEqual(await crumbs(page), ['all']);
	await click(page, 'callback');
	await page.locator('#path button', {hasText: 'main'}).click();
	assert.deepStrictEqual(await crumbs(page), pathTo(name, 'main'));
});

testBoth('a search counts each stack once', 'five', async (page, name) => {
	await press(page, '/');
	await page.keyboard.type('read');
	assert.strictEqual(await text(page, '#matched'), '70.00% · 1 name');
	await page.locator('#search').fill('^(read|write)$');
	assert.strictEqual(await text(page, '#matched'), '90.00% · 2 names');
	await page.locator('#search').fill('READ');
	assert.strictEqual(await text(page, '#matched'), '0.00% · 0 names');
	await page.locator('#search').fill('module:kernel');
	assert.strictEqual(await text(page, '#matched'),
		name === 'five' ? '20.00% · 1 name' : '0.00% · 0 names');
	await page.locator('#search').fill('kind:user');
	assert.strictEqual(await text(page, '#matched'), `100% · ${name === 'five' ? 4 : 5} names`);
	await page.locator('#search').fill('(');
	assert.strictEqual(await text(page, '#matched'), 'not a regular expression');
	await page.locator('#search').fill('callback');
	await page.keyboard.press('Escape');
	assert.strictEqual(await page.locator('#search').inputValue(), '');
	await click(page, 'read');
	await page.locator('#search').fill('entry');
	assert.strictEqual(await text(page, '#matched'), '20.00% · 28.57% of view');
});

testBoth('n and N walk the matches', 'five', async (page, name) => {
	const spoken = () => page.locator('#spoken').getAttribute('aria-label');

	await page.locator('#search').fill('read');
	await page.keyboard.press('Enter');
	await settled(page);
	assert.match(await spoken(), /^read, .*total 70.00%, self 40.00%/);
	await press(page, 'n');
	assert.match(await spoken(), /^read, .*total 10.00%, self 10.00%/);
	await press(page, 'N');
	assert.match(await spoken(), /total 70.00%/);
	await shot(page, `search ${name}`);
});

testBoth('what is searched for comes into sight', 'thousand', async (page, name) => {
	const inSight = async (name) => {
		const {top, bottom} = await page.locator('#scroller').evaluate(
			(scroller) => scroller.getBoundingClientRect());

		return (await find(page, name)).some((place) => place.top >= top && place.top + 20 <= bottom);
	};

	assert.strictEqual(await inSight('copy_page_to_iter'), false);
	assert.strictEqual(await inSight('main'), true);
	await page.locator('#search').fill('copy_page_to_iter');
	assert.strictEqual(await inSight('copy_page_to_iter'), true);
	assert.strictEqual(await inSight('main'), false);
	await page.locator('#search').fill('^main$');
	assert.strictEqual(await inSight('main'), true);
}, {viewport: {width: 1280, height: 450}});

test('reversed, stacks are merged from the leaf', () => onPage('five', async (page) => {
	await press(page, 'r');
	const width = await page.evaluate(() => flamegraph.view.width);
	const leaves = async (name) => (await find(page, name)).filter(({depth}) => depth === 1)
		.map((place) => Math.round(100 * place.width / width));

	assert.deepStrictEqual(await leaves('read'), [50]);
	assert.deepStrictEqual(await leaves('entry_SYSCALL_64'), [20]);
	assert.deepStrictEqual(await leaves('main'), [10]);
	assert.deepStrictEqual(await leaves('sshd'), []);
	/* Below the 20 samples of entry_SYSCALL_64 there is one way to the root. */
	await click(page, 'entry_SYSCALL_64');
	assert.deepStrictEqual((await find(page, 'sshd')).map(({depth}) => depth), [4]);
}));

testBoth('the table: self and total, sorted as asked', 'five', async (page, name) => {
	await page.getByRole('button', {name: 'Table', exact: true}).click();
	assert.deepStrictEqual(await rows(page), name === 'five' ? [
		['read', '50.00%', '70.00%'],
		['entry_SYSCALL_64', '20.00%', '20.00%'],
		['write', '20.00%', '20.00%'],
		['main', '10.00%', '100%'],
		['callback', '0.00%', '10.00%'],
	] : [
		['read', '50 %', '70 %'],
		['entry_SYSCALL_64', '20 %', '20 %'],
		['write', '20 %', '20 %'],
		['main', '10 %', '100 %'],
		['callback', '0 %', '10 %'],
	]);
	await page.getByRole('button', {name: 'Total'}).click();
	assert.deepStrictEqual((await rows(page)).map(([name]) => name),
		['main', 'read', 'entry_SYSCALL_64', 'write', 'callback']);
	await page.getByRole('button', {name: 'Total'}).click();
	assert.strictEqual((await rows(page))[0][0], 'callback');
	assert.strictEqual(await page.locator('th.total').getAttribute('aria-sort'), 'ascending');
	await page.getByRole('button', {name: 'Function', exact: true}).click();
	assert.deepStrictEqual((await rows(page)).map(([name]) => name),
		['callback', 'entry_SYSCALL_64', 'main', 'read', 'write']);
	await page.locator('#search').fill('r.*e');
	assert.deepStrictEqual((await rows(page)).map(([name]) => name), ['read', 'write']);
});

testBoth('a row of the table highlights its frames', 'five', async (page, name) => {
	await page.locator('#table tr', {hasText: 'read'}).getByRole('button').click();
	assert.strictEqual(await text(page, '#matched'), '70.00% · read');
	const pixel = await page.evaluate(() => {
		const [place] = flamegraph.view.find('read');
		const canvas = document.getElementById('canvas');
		const area = canvas.getBoundingClientRect();
		const {data} = canvas.getContext('2d').getImageData(
			(place.left - area.left + place.width - 20) * devicePixelRatio,
			(place.top - area.top + 10) * devicePixelRatio, 1, 1);

		return `#${[...data.slice(0, 3)].map((x) => x.toString(16).padStart(2, '0')).join('')}`;
	});

	assert.strictEqual(pixel, '#a21caf');
	await shot(page, `picked ${name}`);
	await press(page, 'Escape');
	assert.strictEqual(await text(page, '#matched'), '');
}, {link: '#view=both'});

test('dark where the system is, or where one asks, and it stays', async () => {
	const theme = (page) => page.evaluate(() => document.documentElement.dataset.theme);

	await onPage('thousand', async (page) => {
		assert.strictEqual(await theme(page), 'dark');
		await shot(page, 'dark');
		await press(page, 'd');
		assert.strictEqual(await theme(page), 'light');
		/* Chromium writes local storage behind the page's back: the first reload may come too early. */
		for (let tries = 0; tries < 20; tries++) {
			await page.reload();
			await settled(page);
			if (await theme(page) === 'light')
				break;
		}
		assert.strictEqual(await theme(page), 'light');
	}, {colorScheme: 'dark'});
	await onPage('five', async (page) => assert.strictEqual(await theme(page), 'light'));
});

test('a link leads to its frame, after a reload, and in another file', async () => {
	let link;

	await onPage('five', async (page) => {
		await click(page, 'callback');
		await press(page, 'i', 'c');
		link = new URL(page.url()).hash;
		await page.reload();
		assert.deepStrictEqual(await crumbs(page), ['all', 'sshd', 'main', 'read', 'callback']);
		assert.strictEqual(await page.locator('[data-option=icicle]').getAttribute('aria-pressed'), 'true');
		assert.strictEqual(await page.locator('[data-option=kind]').getAttribute('aria-pressed'), 'true');
	});
	await onPage('similar', async (page) => assert.deepStrictEqual(
		await crumbs(page), ['all', 'sshd', 'main', 'read', 'callback']), {link});
	/* Whose callers end earlier: as far as they go. */
	made.shallow = () => ({title: 'shallow', stacks: profiles.five().stacks.slice(0, 2)});
	await onPage('shallow', async (page) => assert.deepStrictEqual(
		await crumbs(page), ['all', 'sshd', 'main', 'read']), {link});
	await onPage('five', async (page) => assert.deepStrictEqual(await crumbs(page), ['all']),
		{link: '#at=AAAAA&pick=%00&range=9-1&view=__proto__&search=['});
});

testBoth('a search and a row chosen are in the link too', 'five', async (page, name) => {
	await page.locator('#search').fill('^read$');
	await settled(page);
	await page.reload();
	assert.strictEqual(await text(page, '#matched'), '70.00% · 1 name');
	await press(page, 'Escape');
	await page.locator('#table tr', {hasText: 'write'}).getByRole('button').click();
	await settled(page);
	await page.reload();
	assert.strictEqual(await text(page, '#matched'), '20.00% · write');
}, {link: '#view=both'});

testBoth('the help lists every key, and every key does something', 'five', async (page, name) => {
	await press(page, '?');
	const said = await page.locator('dialog').innerText();

	for (const key of ['/', 'n', 'N', '←', '→', '↑', '↓', 'Enter', '⌫', '+', '-', '0', 'Esc', 't',
		'v', 'c', 'r', 'i', 'd', '?'])
		assert.ok(said.includes(key), key);
	assert.ok(said.includes(name === 'five' ? 'cpu-clock' : 'width: mean share of both sides'));
	await shot(page, `help ${name}`);
	await page.keyboard.press('Escape');
	for (const [key, option] of [['i', 'icicle'], ['c', name === 'five' ? 'kind' : 'module'],
		['r', name === 'five' ? 'leaf' : null], ['v', '1']].filter(([, each]) => each)) {
		await press(page, key);
		assert.strictEqual(
			await page.locator(`[data-option="${option}"]`).getAttribute('aria-pressed'), 'true', key);
	}
	assert.match(await text(page, '#summary'),
		name === 'five' ? /100 samples · 1.01 s CPU time · cpu-clock/ : /^width: .* · base: 3 runs, 300,?030 samples/);
	await press(page, 't');
	assert.ok(await page.locator('#graph').isHidden());
	/* Keys for frames mean nothing without a graph, and do no harm. */
	await press(page, 'ArrowUp', 'ArrowLeft', 'Enter', 'n', '+', 't');
	assert.ok(await page.locator('#table').isHidden());
});

testBoth('arrows walk the graph and say where they are', 'five', async (page, name) => {
	const spoken = () => page.locator('#spoken').getAttribute('aria-label');
	const walk = async (key, expected) => {
		await press(page, key);
		assert.match(await spoken(), expected, key);
	};

	await page.locator('#scroller').focus();
	await walk('ArrowUp', /^all, total 100%/);
	if (name === 'five')
		await walk('ArrowUp', /^sshd, total 100%/);
	await walk('ArrowUp', /^main, .*total 100%, self 10.00%/);
	await walk('ArrowUp', /^read, .*70.00%/);
	await walk('ArrowRight', /^write, /);
	await walk('ArrowRight', /^write, /);
	await walk('ArrowLeft', /^read, /);
	await walk('ArrowDown', /^main, /);
	await walk('ArrowUp', /^read, /);
	assert.strictEqual(await page.locator('#spoken').getAttribute('aria-level'),
		String(pathTo(name, 'main', 'read').length));
	await press(page, 'Enter');
	assert.deepStrictEqual(await crumbs(page), pathTo(name, 'main', 'read'));
	await press(page, 'Escape', 'Escape');
	assert.deepStrictEqual(await crumbs(page), ['all']);
});

testBoth('the wheel zooms around the pointer, a drag moves', 'thousand', async (page, name) => {
	const [place] = await find(page, 'main');
	const view = () => page.evaluate(() => flamegraph.wanted);
	const whole = await view();

	await page.mouse.move(place.left + 300, place.top + 5);
	await page.keyboard.down('Control');
	await page.mouse.wheel(0, -600);
	await page.keyboard.up('Control');
	await settled(page);
	const near = await view();

	assert.ok(near.to - near.from < (whole.to - whole.from) / 2);
	await page.mouse.down();
	await page.mouse.move(place.left + 200, place.top + 5, {steps: 4});
	await page.mouse.up();
	await settled(page);
	const moved = await view();

	assert.ok(moved.from > near.from);
	assert.ok(Math.abs((moved.to - moved.from) - (near.to - near.from)) < 1e-9 * whole.to);
	await page.reload();
	await settled(page);
	assert.ok(Math.abs((await view()).from - moved.from) < 1e-6 * whole.to);
});

testBoth('hostile names are text, and nothing else', 'hostile', async (page, name) => {
	assert.strictEqual(await page.evaluate(() => window.broken), undefined);
	const title = '</title><script>window.broken = 1</script>';
	const names = (await rows(page)).map(([function_]) => function_);
	const isOneLine = (text) => !/[\0\n;]/.test(text);
	const isPlain = name === 'hostile';

	if (isPlain) {
		assert.strictEqual(await page.title(), `${title} · flame graph`);
		assert.strictEqual(await page.locator('#title').innerText(), title);
		assert.ok(names.includes('new\\x0aline\\x09tab\\x00nul') || names.includes('new\\x0aline\\x09tab'));
	}
	assert.strictEqual(names.length,
		profiles.HOSTILE.filter((each) => isPlain || isOneLine(each)).length + 1);
	for (const each of profiles.HOSTILE.filter((text) => isOneLine(text) && !/[\u2000-\u2fff]/.test(text)))
		assert.ok(names.includes(each), each);
	assert.ok(names.includes('line\\u{2028}separator\\u{2029}paragraph'));
	assert.ok(names.includes('right\\u{202e}otleft'));
	for (const each of profiles.HOSTILE.slice(0, 6)) {
		await page.locator('#search').fill(each.replace(/[^\w ]/g, '.'));
		await settled(page);
	}
	await page.locator('#search').fill('');
	for (const each of ['__proto__', 'constructor', '</script><script>window.broken = 1</script>']) {
		assert.ok((await hover(page, each)).includes(each));
		await click(page, each);
		assert.strictEqual((await crumbs(page)).at(-1), each);
		await press(page, '0');
	}
	for (const button of await page.locator('#legend button').all())
		await button.click();
	await press(page, '?');
	assert.strictEqual(await page.evaluate(() => window.broken), undefined);
	assert.strictEqual(await page.locator('img, iframe, dialog script').count(), 0);
	await shot(page, name);
}, {link: '#view=both'});

test('an empty profile says so, and damaged data too', async () => {
	await onPage('empty', async (page) => {
		assert.strictEqual(await text(page, '#message'), 'No samples were taken.');
		await press(page, '?');
	});
	const page = await openBrowser();
	const broken = path.join(OUT, 'broken.html');

	fs.writeFileSync(broken, fs.readFileSync(fileOf('five'), 'utf8').replace(/(octet-stream">.{60})[^<]*/, '$1'));
	await page.goto(pathToFileURL(broken).href);
	await page.getByText('The data of this page are damaged').waitFor();
	await page.close();
});

/* Distinct beginnings of stacks, process and "all" included, in any order. */
function countNodes({stacks}, isCompared) {
	const nodes = new Set(['all']);

	for (const {comm, frames} of stacks)
		for (let depth = isCompared ? 1 : 0; depth <= frames.length; depth++)
			nodes.add([isCompared ? '' : comm, ...frames.slice(0, depth).map(
				({name, module}) => `${name}\0${isCompared ? '' : module}`)].join('\n'));
	return nodes.size;
}

for (const width of [400, 1280])
	testBoth(`what is too narrow is counted, not lost: ${width}`, 'thousand', async (page, name) => {
		const drawn = await page.evaluate(() =>
			flamegraph.view.layout.rows.flat().filter((box) => !box.hidden).length);
		const said = /^([\d,]+) frames narrower than a pixel not drawn$/.exec(await text(page, '#hidden'));

		assert.strictEqual(drawn + Number(said[1].replaceAll(',', '')),
			countNodes(made.thousand(), name !== 'thousand'));
	}, {viewport: {width, height: 800}});

testBoth('where there is room for all, it says so', 'five', async (page) =>
	assert.strictEqual(await text(page, '#hidden'), 'Every frame is drawn'));

testBoth('a click on narrow frames looks inside them', 'narrow', async (page, name) => {
	const view = () => page.evaluate(() => flamegraph.wanted);
	const run = () => page.evaluate(() => {
		const {rows} = flamegraph.view.layout;
		const depth = rows.findIndex((row) => row.some((each) => each.hidden));
		const box = rows[depth]?.find((each) => each.hidden);
		const area = document.getElementById('canvas').getBoundingClientRect();

		return box && {x: area.left + (box.left + box.right) / 2,
			y: area.top + rowTop(flamegraph.view.picture, depth) + 8};
	});
	const before = await view();
	const place = await run();

	await page.mouse.move(place.x, place.y);
	await settled(page);
	assert.match(await text(page, '#tooltip'), /^5,000 frames too narrow to draw/);
	await page.mouse.click(place.x, place.y);
	await settled(page);
	const after = await view();

	assert.ok(after.to - after.from < (before.to - before.from) / 10);
	assert.strictEqual(await run(), undefined);
});

made.narrow = () => ({title: 'narrow', stacks: Array.from({length: 5000}, (_, i) => (
	{count: 1, weight: 0, comm: 'sh', frames: [{name: 'main', module: 'sh'}, {name: `f${i}`, module: 'sh'}]}))});

test('page and picture give a name the same colour', async () => {
	const svg = fs.readFileSync(write('thousand', made.thousand(), 'svg'), 'utf8');
	const ofPicture = new Map(Array.from(
		svg.matchAll(/<title>([^:<]+) \(([^)]+)\): [^<]*<\/title><rect [^>]*fill="(#\w+)"/g),
		([, name, module, color]) => [`${name} ${module}`, color]));
	const distance = (a, b) => Math.max(...[1, 3, 5].map(
		(i) => Math.abs(parseInt(a.slice(i, i + 2), 16) - parseInt(b.slice(i, i + 2), 16))));

	assert.ok(ofPicture.size > 100);
	await onPage('thousand', async (page) => {
		const ofPage = await page.evaluate(() => flamegraph.profile.names.map(
			({text: name, module}, i) => [`${name} ${module?.text}`, flamegraph.palette[i]]));
		let nrSame = 0;

		for (const [name, color] of ofPage) {
			if (!ofPicture.has(name))
				continue;
			/* The last digit of a cosine may differ. */
			assert.ok(distance(color, ofPicture.get(name)) <= 1, `${name} ${color}`);
			nrSame++;
		}
		assert.ok(nrSame > 100);
	});
});

test('text is readable on every colour, in both themes', () => onPage('thousand', async (page) => {
	const worst = () => page.evaluate(() => {
		const linear = (byte) => (byte <= 10 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
		const luminance = (color) => [0.2126, 0.7152, 0.0722].reduce((sum, weight, i) =>
			sum + weight * linear(parseInt(color.slice(1 + 2 * i, 3 + 2 * i), 16)), 0);
		const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
		const ink = luminance(flamegraph.ink.frameText);

		return Math.min(...flamegraph.palette.map((color) => contrast(luminance(color), ink)));
	});

	for (const key of ['c', 'd', 'c', 'd']) {
		assert.ok(await worst() >= 4.5, `contrast ${await worst()}`);
		await press(page, key);
	}
}));

testBoth('paper: the graph in one piece, and the screen as it was', 'thousand', async (page, name) => {
	const before = await page.evaluate(() => [flamegraph.view.width, document.documentElement.dataset.theme]);
	const pdf = await page.pdf({preferCSSPageSize: true, path: path.join(OUT, `print ${name}.pdf`)});

	assert.ok(pdf.length > 20000);
	await settled(page);
	assert.deepStrictEqual(
		await page.evaluate(() => [flamegraph.view.width, document.documentElement.dataset.theme]), before);
}, {colorScheme: 'dark'});

testBoth('on narrow screens no button and no legend is cut off', 'thousand', async (page) => {
	for (const width of [390, 500, 720, 800]) {
		await page.setViewportSize({width, height: 780});
		await settled(page);
		const cut = await page.locator('button:visible, #legend li').evaluateAll((all) => all
			.filter((button) => !button.closest('#table'))
			.filter((button) => button.getBoundingClientRect().right > innerWidth)
			.map((button) => button.textContent));

		assert.deepStrictEqual(cut, [], `${width} pixels`);
		await shot(page, `narrow ${width}`);
	}
});

testBoth('a telephone shows all of it', 'thousand', async (page, name) => {
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth));
	const outermost = name === 'thousand' ? 'postgres' : '_start';
	const [place] = await find(page, outermost);

	await page.touchscreen.tap(place.left + 30, place.top + 8);
	assert.deepStrictEqual(await crumbs(page), ['all', outermost]);
	await shot(page, `telephone ${name}`);
}, {viewport: {width: 390, height: 780}, hasTouch: true, deviceScaleFactor: 2});

test('100,000 stacks open at once', {timeout: 300000}, async (t) => {
	made.many = () => profiles.realistic(
		{title: 'many', nrStacks: 100000, nrFunctions: 20000, depth: 40, seed: 11});
	made.scattered = () => profiles.scattered({nrStacks: 100000, nrFunctions: 20000, depth: 40, seed: 5});
	for (const name of ['many', 'scattered']) {
		const {size} = fs.statSync(fileOf(name));
		const start = Date.now();

		await onPage(name, async (page) => {
			const took = Date.now() - start;

			t.diagnostic(`${name}: ${(size / 1e6).toFixed(1)} MB, open after ${took} ms`);
			assert.ok(took < MAX_OPEN_MS);
			await shot(page, name);
			await press(page, 'r', 't');
		});
	}
});
