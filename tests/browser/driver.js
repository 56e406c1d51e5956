// SPDX-License-Identifier: GPL-2.0-only
/*
 * Flame graphs in headless Chromium: writes a page once, opens it, and drives it as a person would.
 * Where a frame is on the canvas, the page itself is asked (view.find). "NAME compared" is the page
 * of a comparison of the profile NAME with itself, or with its second one, made by the program from
 * folded text.
 */
'use strict';

const assert = require('node:assert');
const {execFileSync, spawnSync} = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const {after, before} = require('node:test');
const {pathToFileURL} = require('node:url');
const {chromium} = require('playwright-core');
const profiles = require('./profiles.js');

const BUILD = process.env.BUILD ?? path.join(__dirname, '../../build/release');
const OUT = path.join(BUILD, 'browser', path.basename(process.argv[1], '.js')); // files of tests run at the same time
const QUIET = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run',
	'--disable-background-networking', '--disable-component-update', '--disable-sync'];
const RUNS = [1, 2, 3]; // a side

let browser;
const written = new Map();

/* Profiles by name: functions that make them; [base, new]: to be compared. */
const made = {};

function write(name, profile, format = 'html') {
	const file = path.join(OUT, `${name}.${format}`);

	fs.writeFileSync(file, execFileSync(path.join(BUILD, 'tests/make_page'), [format],
		{input: profiles.write(profile), maxBuffer: 2 ** 30}));
	return file;
}

/* The comparison of the stacks of two profiles, three runs a side that differ a little. */
function compare(name, [base, fresh], format = 'html') {
	const file = path.join(OUT, `${name}.${format}`);
	const sides = [base, fresh].map((profile, side) => RUNS.map((run) => {
		const folded = path.join(OUT, `${name}-${side}-${run}.folded`);

		fs.writeFileSync(folded, profiles.fold(profile, run));
		return folded;
	}));
	const done = spawnSync(path.join(BUILD, 'topstacks'),
		['diff', '--flamegraph', file, ...sides[0], '--against', ...sides[1]]);

	assert.ok(done.status === 0 || done.status === 1, done.stderr.toString());
	return file;
}

function fileOf(name, format = 'html') {
	const key = `${name}.${format}`;

	if (!written.has(key)) {
		const [, base, compared] = /^(.*?)( compared)?$/.exec(name);
		const profile = made[base]();

		written.set(key, compared ? compare(name, Array.isArray(profile) ? profile : [profile, profile], format) :
			write(name, profile, format));
	}
	return written.get(key);
}

/* Answers with the page, whatever time of it is asked for, as a sampler does. */
async function serve(file) {
	const server = http.createServer((request, answer) => {
		answer.setHeader('Content-Type', 'text/html; charset=utf-8');
		answer.end(fs.readFileSync(file));
	});

	await new Promise((done) => server.listen(0, '127.0.0.1', done));
	return {server, url: `http://127.0.0.1:${server.address().port}/`};
}

/* use(page) drives it; it must not have complained, nor asked for anything but itself. */
async function onPage(name, use, {link = '', format = 'html', isServed = false, ...options} = {}) {
	const context = await browser.newContext({viewport: {width: 1280, height: 800}, ...options});
	const page = await context.newPage();
	const complaints = [];
	const {server, url} = isServed ? await serve(fileOf(name, format)) :
		{url: pathToFileURL(fileOf(name, format)).href};

	page.on('console', (message) => complaints.push(message.text()));
	page.on('pageerror', (error) => complaints.push(error.message));
	page.on('request', (request) => {
		if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
			complaints.push(`asked for ${request.url()}`);
	});
	await page.goto(url + link);
	if (format === 'html')
		await settled(page);
	try {
		await use(page);
		assert.deepStrictEqual(complaints, []);
	} finally {
		await context.close();
		server?.close();
	}
}

/* Opened, at the end of any flight, and the address written. */
function settled(page) {
	return page.waitForFunction(() => {
		const view = globalThis.flamegraph?.view;

		return view?.shown && !view.flight && !view.frame && !flamegraph.addressTimer;
	});
}

async function find(page, name) {
	await settled(page);
	return page.evaluate((text) => flamegraph.view.find(text), name);
}

async function click(page, name) {
	const [place] = await find(page, name);

	await page.mouse.click(place.left + Math.min(place.width, 40) / 2, place.top + 8);
	await settled(page);
}

async function hover(page, name) {
	const [place] = await find(page, name);

	await page.mouse.move(place.left + Math.min(place.width, 40) / 2, place.top + 8);
	await settled(page);
	return page.locator('#tooltip').innerText();
}

async function press(page, ...keys) {
	for (const key of keys) {
		await page.keyboard.press(key);
		await settled(page);
	}
}

async function text(page, selector) {
	await settled(page);
	return page.locator(selector).innerText();
}

async function crumbs(page) {
	await settled(page);
	return page.locator('#path button').allInnerTexts();
}

async function rows(page) {
	await settled(page);
	return page.locator('#table tr[data-name]').evaluateAll((all) => all.map((row) => [
		row.querySelector('.function').textContent,
		...Array.from(row.querySelectorAll('.share'), (share) => share.textContent),
	]));
}

function shot(page, name) {
	return page.screenshot({path: path.join(OUT, `${name}.png`)});
}

before(async () => {
	fs.mkdirSync(OUT, {recursive: true});
	browser = await chromium.launch(
		{executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: QUIET});
});

after(() => browser?.close());

module.exports = {
	OUT, made, write, fileOf, onPage, settled, find, click, hover, press, text, crumbs, rows, shot,
	openBrowser: () => browser.newPage(),
};
