// SPDX-License-Identifier: GPL-2.0-only
/*
 * The time line of a page that was asked of a sampler: a column for each slice of time that it keeps, as
 * wide as it is long and as high as there is of it in a second. Who picks some asks for their page; what
 * else was asked for, and how the graph is drawn, stays as it is. Times are of UTC, as in addresses.
 */
'use strict';

const SECOND_NS = 1e9;
const WIDTH = 10000; // of the picture, in units of its own: browsers do not draw what is billions wide
const GAP = 0.08; // of a column, to the next one

/* A row each: what it is called, and the seconds that are shown, up to now; null: all that is kept. */
const LAST = [['last 30 s', 30], ['last 5 min', 300], ['all', null]];

function svgElement(name, attributes) {
	const made = document.createElementNS(document.querySelector('svg').namespaceURI, name);

	for (const [key, value] of Object.entries(attributes))
		made.setAttribute(key, value);
	return made;
}

/* "2026-11-26T14:03:10.000Z" of nanoseconds (BigInt), with all the digits that there are. */
function formatMoment(ns) {
	const date = new Date(Number(ns / 1000000n)).toISOString();

	return date.replace('Z', `${String(ns % 1000000n).padStart(6, '0').replace(/0+$/, '')}Z`);
}

/* "30", "4.5" */
function formatSeconds(ns) {
	return `${ns / 1000000000n}.${String(ns % 1000000000n).padStart(9, '0')}`.replace(/\.?0+$/, '');
}

/* "30 s", "14 min 55 s" */
function formatSpan(ns) {
	const seconds = ns / SECOND_NS;
	const whole = Math.round(seconds);

	if (seconds < 9.95)
		return `${Number(seconds.toFixed(1))} s`;
	if (whole < 120)
		return `${whole} s`;
	if (whole < 7200)
		return `${Math.floor(whole / 60)} min${whole % 60 ? ` ${whole % 60} s` : ''}`;
	return `${Math.floor(whole / 3600)} h${whole % 3600 ? ` ${Math.floor(whole % 3600 / 60)} min` : ''}`;
}

class TimeLine {
	/* times: {metric, shown: {start, end}, slices: [{start, end, value}]}, in order of time. */
	constructor(parts, {metric, shown, slices}) {
		this.parts = parts;
		this.metric = metric;
		this.shown = shown;
		this.begin = slices[0].start;
		this.length = Math.max(Number(slices.at(-1).end - this.begin), 1);
		this.slices = slices.map(({start, end, value}) => (
			{start, end, value, from: this.place(start), to: this.place(end)}));
		this.isLong = formatMoment(this.begin).slice(0, 10) !== formatMoment(slices.at(-1).end).slice(0, 10);
		this.cursor = this.anchor = Math.max(this.slices.findLastIndex((slice) => this.isShown(slice)), 0);
		this.dragging = false;
		this.build();
		this.listen();
	}

	/* Where in the picture. */
	place(ns) {
		return Number(ns - this.begin) / this.length * WIDTH;
	}

	isShown({start, end}) {
		return start < this.shown.end && end > this.shown.start;
	}

	/* ---- the picture ---- */

	build() {
		const {parts: {times, strip, said, ranges}} = this;

		this.picture = svgElement('svg',
			{viewBox: `0 0 ${WIDTH} 1`, preserveAspectRatio: 'none', 'aria-hidden': 'true'});
		this.band = svgElement('rect', {class: 'band', y: 0, height: 1});
		this.picture.append(this.shownBand(),
			svgElement('path', {class: 'columns', d: this.columns((slice) => !this.isShown(slice))}),
			svgElement('path', {class: 'columns shown', d: this.columns((slice) => this.isShown(slice))}),
			this.band);
		strip.append(this.picture);
		strip.setAttribute('aria-valuemin', 1);
		strip.setAttribute('aria-valuemax', this.slices.length);
		said.textContent = this.describeShown();
		ranges.append(...LAST.map(([text, seconds]) => this.link(text, seconds)));
		times.hidden = false;
		this.showPicked(false);
	}

	shownBand() {
		const from = Math.max(this.place(this.shown.start), 0);
		const to = Math.min(this.place(this.shown.end), WIDTH);

		return svgElement('rect',
			{class: 'shown', x: from, width: Math.max(to - from, 0), y: 0, height: 1});
	}

	columns(accepts) {
		const rate = ({value, start, end}) => value / Math.max(Number(end - start), 1);
		const most = this.slices.reduce((max, slice) => Math.max(max, rate(slice)), 0) || 1;

		return this.slices.filter(accepts).map((slice) => {
			const {from, to} = slice;

			return `M${from} 1V${1 - rate(slice) / most}H${to - GAP * (to - from)}V1Z`;
		}).join('');
	}

	/* ---- words ---- */

	/* "14:03:10 – 14:03:15", with dates if more than one is kept. */
	clocks(start, end) {
		const [first, last] = [start, end].map((ns) => formatMoment(ns).slice(0, 19).split('T'));
		const from = this.isLong ? first.join(' ') : first[1];

		return `${from} – ${first[0] === last[0] ? last[1] : last.join(' ')}`;
	}

	describe(start, end, value) {
		return `${this.clocks(start, end)} UTC (${formatSpan(Number(end - start))}), ` +
			formatValue(value, this.metric);
	}

	sum(slices) {
		return slices.reduce((sum, {value}) => sum + value, 0);
	}

	describeShown() {
		const {shown, slices} = this;
		const seen = this.sum(slices.filter((slice) => this.isShown(slice)));
		const all = this.describe(slices[0].start, slices.at(-1).end, this.sum(slices));

		return `Shown: ${this.describe(shown.start, shown.end, seen)}. Kept: ${all}.`;
	}

	/* ---- what is picked ---- */

	get picked() {
		const [first, last] = [this.anchor, this.cursor].sort((a, b) => a - b);

		return this.slices.slice(first, last + 1);
	}

	/* isSeen: somebody points at it, or walks there. */
	showPicked(isSeen) {
		const {parts: {strip, picked}, band} = this;
		const slices = this.picked;
		const text = this.describe(slices[0].start, slices.at(-1).end, this.sum(slices));

		band.setAttribute('x', slices[0].from);
		band.setAttribute('width', slices.at(-1).to - slices[0].from);
		band.classList.toggle('seen', isSeen);
		picked.textContent = isSeen ? text : '';
		strip.setAttribute('aria-valuenow', this.cursor + 1);
		strip.setAttribute('aria-valuetext', text);
	}

	/* isLonger: from where it began, instead of that slice alone. */
	pick(index, isLonger) {
		this.cursor = Math.min(Math.max(index, 0), this.slices.length - 1);
		if (!isLonger)
			this.anchor = this.cursor;
		this.showPicked(true);
	}

	/* ---- addresses ---- */

	/* The page of that time, of all that is kept, or of the last seconds, with what else was asked for. */
	address({start, end, seconds}) {
		const asked = new URLSearchParams(location.search);

		for (const name of ['at', 'ago', 'seconds'])
			asked.delete(name);
		const others = asked.toString();
		const time = seconds ? `seconds=${seconds}` :
			`at=${formatMoment(start)}&seconds=${formatSeconds(end - start)}`;

		return `./?${others && `${others}&`}${time}`;
	}

	link(text, seconds) {
		const {slices} = this;
		const address = this.address({start: slices[0].start, end: slices.at(-1).end, seconds});
		const link = element('a', {href: address}, text);

		link.addEventListener('click', () => {
			link.hash = location.hash;
		});
		return link;
	}

	open() {
		const slices = this.picked;

		location.assign(this.address({start: slices[0].start, end: slices.at(-1).end}) + location.hash);
	}

	/* ---- pointer and keys ---- */

	listen() {
		const {strip} = this.parts;

		strip.addEventListener('pointerdown', (event) => this.onDown(event));
		strip.addEventListener('pointermove', (event) => this.pick(this.sliceAt(event), this.dragging));
		strip.addEventListener('pointerup', () => this.onUp());
		strip.addEventListener('pointercancel', () => this.giveUp());
		strip.addEventListener('pointerleave', () => this.leave());
		strip.addEventListener('focus', () => strip.matches(':focus-visible') && this.showPicked(true));
		strip.addEventListener('blur', () => this.leave());
		strip.addEventListener('keydown', (event) => this.onKey(event));
	}

	/* The slice below the pointer, or the next one before it. */
	sliceAt(event) {
		const {left, width} = this.parts.strip.getBoundingClientRect();
		const at = (event.clientX - left) / width * WIDTH;

		return this.slices.findLastIndex(({from}) => from <= at);
	}

	onDown(event) {
		if (event.button)
			return;
		this.parts.strip.setPointerCapture(event.pointerId);
		this.pick(this.sliceAt(event), event.shiftKey);
		this.dragging = true;
	}

	onUp() {
		if (this.dragging)
			this.open();
		this.dragging = false;
	}

	leave() {
		if (!this.dragging)
			this.showPicked(document.activeElement === this.parts.strip);
	}

	giveUp() {
		this.dragging = false;
		this.anchor = this.cursor;
		this.leave();
	}

	/* Its own keys are not those of the graph. */
	onKey(event) {
		const {cursor, slices: {length}} = this;
		const to = {
			ArrowLeft: cursor - 1, ArrowRight: cursor + 1, ArrowDown: cursor - 1, ArrowUp: cursor + 1,
			PageUp: cursor + 12, PageDown: cursor - 12, Home: 0, End: length - 1,
		}[event.key];

		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key === 'Escape' && (this.dragging || this.anchor !== cursor))
			this.giveUp();
		else if (to !== undefined)
			this.pick(to, event.shiftKey);
		else if (event.key === 'Enter' || event.key === ' ')
			this.open();
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	}
}
