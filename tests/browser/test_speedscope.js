// SPDX-License-Identifier: GPL-2.0-only
/*
 * speedscope itself, from npm, opens what we write for it, and our pprof files: it has to show the
 * stacks that were written, which is what it exports again.
 */
'use strict';

const assert = require('node:assert');
const {execFileSync} = require('node:child_process');
const fs = require('node:fs');
const path = require('node:path');
const {after, before, test} = require('node:test');
const {pathToFileURL} = require('node:url');
const {chromium} = require('playwright-core');

const BUILD = process.env.BUILD ?? path.join(__dirname, '../../build/release');
const OUT = path.join(BUILD, 'browser');
const SPEEDSCOPE = path.join(__dirname, 'node_modules/speedscope/dist/release/index.html');

/* Root first. */
const STACKS = {
	'main;aeMain;read_query;sys_read_[k]': 169,
	'main;aeMain;read_query': 30,
	'main;a<int, b c>::operator()(char const*)': 7,
	'main;</script>&amp; ☃;aeMain': 2,
	'[unknown]': 1,
};

let browser;

before(async () => {
	fs.mkdirSync(OUT, {recursive: true});
	browser = await chromium.launch({executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
		args: ['--no-sandbox', '--no-first-run', '--disable-background-networking',
			'--enable-unsafe-swiftshader']});
});

after(() => browser?.close());

function write(format, extension) {
	const file = path.join(OUT, `stacks.${extension}`);
	const folded = Object.entries(STACKS).map(([stack, count]) => `${stack} ${count}\n`).join('');

	execFileSync(path.join(BUILD, 'topstacks'), ['report', `--format=${format}`, '-o', file, '-'],
		{input: folded});
	return file;
}

/* What speedscope makes of a file. */
async function exported(file) {
	const page = await browser.newPage({acceptDownloads: true});
	const complaints = [];

	page.on('pageerror', (error) => complaints.push(error.message));
	page.on('dialog', (dialog) => {
		complaints.push(dialog.message());
		dialog.dismiss();
	});
	await page.goto(pathToFileURL(SPEEDSCOPE).href);
	await page.locator('input[type=file]').waitFor({state: 'attached'});
	await page.setInputFiles('input[type=file]', file);
	await page.getByText('Left Heavy').waitFor();

	const download = page.waitForEvent('download');

	await page.getByText('Export').click();

	const text = fs.readFileSync(await (await download).path(), 'utf8');

	await page.close();
	assert.deepStrictEqual(complaints, []);
	return JSON.parse(text);
}

/* Of the one profile of a file, which is sampled, or says when frames are opened and closed. */
function stacksOf({shared, profiles: [profile]}) {
	const name = (index) => shared.frames[index].name;
	const sums = {};
	const add = (frames, weight) => {
		const stack = frames.map(name).join(';');

		if (weight)
			sums[stack] = (sums[stack] ?? 0) + weight;
	};

	if (profile.type === 'sampled') {
		profile.samples.forEach((frames, i) => add(frames, profile.weights[i]));
		return sums;
	}

	const open = [];
	let last = profile.startValue;

	for (const {type, frame, at} of profile.events) {
		add(open, at - last);
		last = at;
		if (type === 'O')
			open.push(frame);
		else
			open.pop();
	}
	return sums;
}

/* Names as they are for people; speedscope has no kernel frames. */
const expected = Object.fromEntries(Object.entries(STACKS).map(([stack, count]) =>
	[stack.replace('sys_read_[k]', 'sys_read'), count]));

test('speedscope opens its own format', async () => {
	const file = await exported(write('speedscope', 'speedscope.json'));

	assert.deepStrictEqual(stacksOf(file), expected);
});

/* Of pprof it leaves out locations without a function. */
test('speedscope opens pprof', async () => {
	const {'[unknown]': nameless, ...named} = expected;

	assert.deepStrictEqual(stacksOf(await exported(write('pprof', 'pb.gz'))), named);
});
