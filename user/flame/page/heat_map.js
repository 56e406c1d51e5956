// SPDX-License-Identifier: GPL-2.0-only
/*
 * The heat map of a recording with slices: a cell for each column of time that ranges.js knows, the darker
 * the more there is of it. Cells that make a second, say, stand below each other, so that a rhythm within
 * it is a row. Picked cells are a time, whose flame graph is shown; a second range is compared with the
 * first. What is picked is the page's state (state.time), of which this keeps no copy.
 */
'use strict';

const MOST_ROWS = 25;
const LEAST_COLUMNS = 8;
const CELL_HEIGHT = 11;
const LEAST_HEIGHT = 44;
const FAINTEST = 0.08; // of a cell that has anything

/* Rows that make a round time of a column, if there are cells enough for some columns; else one. */
function heatRows({nr, columnNs}) {
	const second = SECOND_NS / columnNs;
	const wanted = [Number.isInteger(second) && second <= MOST_ROWS ? second : 10, 10, 5];

	return wanted.find((rows) => rows > 1 && nr / rows >= LEAST_COLUMNS) ?? 1;
}

class HeatMap {
	constructor(page) {
		this.page = page;
		this.heat = page.heat;
		this.parts = page.parts;
		this.rows = heatRows(this.heat);
		this.columns = Math.ceil(this.heat.nr / this.rows);
		this.cursor = this.anchor = 0;
		this.dragging = false;
		this.comparing = false;
		this.build();
		this.listen();
	}

	build() {
		const {parts: {heat, cells}, rows, columns, heat: {nr, columnNs}} = this;
		const picture = svgElement('svg',
			{viewBox: `0 0 ${columns} ${rows}`, preserveAspectRatio: 'none', 'aria-hidden': 'true'});

		this.cells = Array.from({length: nr}, (_, i) => svgElement('rect',
			{x: Math.floor(i / rows), y: i % rows, width: 0.94, height: rows > 1 ? 0.9 : 1}));
		picture.append(...this.cells);
		cells.append(picture);
		cells.style.height = `${Math.max(rows * CELL_HEIGHT, LEAST_HEIGHT)}px`;
		cells.setAttribute('aria-valuemin', 1);
		cells.setAttribute('aria-valuemax', nr);
		this.step = rows > 1 ?
			`a column is ${formatSpan(columnNs * rows)}, from top to bottom; a cell ${formatShort(columnNs, {unit: 'nanoseconds'})}` :
			`a cell is ${formatShort(columnNs, {unit: 'nanoseconds'})}`;
		heat.hidden = false;
	}

	/* ---- values ---- */

	/* CPU time where there is some; else what widths show. */
	get value() {
		const {heat: {sources}, page: {value, profile: {values}}} = this;
		const time = sources.findIndex(({event, isWeight}, i) => (
			isWeight && event === sources[value].event && isCpuTime(values[i])));

		return time < 0 ? value : time;
	}

	lengthOf({first, last}) {
		const {columnNs, lengthNs} = this.heat;

		return Math.max(Math.min((last + 1) * columnNs, lengthNs) - first * columnNs, 1);
	}

	amountOf({first, last}) {
		return this.heat.totals[this.value].slice(first, last + 1).reduce((sum, total) => sum + total, 0);
	}

	/* From 0 to 1, of each cell. */
	get shares() {
		const {heat: {cpus, nr}} = this;
		const rates = Array.from({length: nr}, (_, i) => (
			this.amountOf({first: i, last: i}) / this.heat.columnNs)); // the last one may be shorter
		const most = cpus && isCpuTime(this.metric) ? cpus : rates.reduce((max, rate) => Math.max(max, rate), 0);

		return rates.map((rate) => (most ? Math.min(rate / most, 1) : 0));
	}

	get metric() {
		return this.page.profile.values[this.value];
	}

	/* ---- words ---- */

	/* "2.3 s – 2.9 s", from the begin of the recording, of which this may be a part. */
	clocks({first, last}) {
		const {columnNs, cutNs, lengthNs} = this.heat;
		const at = (ns) => `${Number(((cutNs + ns) / SECOND_NS).toFixed(3))} s`;

		return `${at(first * columnNs)} – ${at(Math.min((last + 1) * columnNs, lengthNs))}`;
	}

	describe(range) {
		const amount = this.amountOf(range);
		const use = amount / this.lengthOf(range);
		const {cpus} = this.heat;

		return `${this.clocks(range)}: ${formatValue(amount, this.metric)}` +
			(!isCpuTime(this.metric) ? '' : `, ${use.toFixed(2)} CPUs busy` +
				(cpus ? ` of ${cpus} (${formatPercent(use / cpus)})` : ''));
	}

	get chosen() {
		return this.heat.read(this.page.state.time) ?? {shown: null, base: null};
	}

	describeChosen() {
		const {shown, base} = this.chosen;

		if (!shown)
			return `Time: ${this.step}. ${this.describe({first: 0, last: this.heat.nr - 1})}.`;
		return base ? `Shown: ${this.clocks(shown)}, compared with ${this.clocks(base)}.` :
			`Shown: ${this.describe(shown)}.`;
	}

	/* ---- what is seen: made from the page's state alone ---- */

	show() {
		const {parts: {heated, whole, compare}, chosen: {shown, base}, shares} = this;
		const isIn = (range, i) => range && i >= range.first && i <= range.last;

		this.cells.forEach((cell, i) => {
			const kind = isIn(shown, i) ? 'shown' : isIn(base, i) ? 'base' : shown ? 'other' : '';

			cell.setAttribute('class', `${kind}${shares[i] ? '' : ' nothing'}`);
			cell.style.opacity = shares[i] ? FAINTEST + (1 - FAINTEST) * shares[i] : 1;
		});
		heated.textContent = this.describeChosen();
		whole.disabled = !shown;
		compare.disabled = !shown;
		this.comparing &&= Boolean(shown);
		compare.setAttribute('aria-pressed', this.comparing);
		this.showPicked(false);
	}

	get picked() {
		const [first, last] = [this.anchor, this.cursor].sort((a, b) => a - b);

		return {first, last};
	}

	/* isSeen: somebody points at it, or walks there. */
	showPicked(isSeen) {
		const {parts: {cells, pointed}, picked} = this;
		const text = this.describe(picked);

		this.cells.forEach((cell, i) => cell.classList.toggle('picked',
			isSeen && i >= picked.first && i <= picked.last));
		pointed.textContent = isSeen ? text : '';
		cells.setAttribute('aria-valuenow', this.cursor + 1);
		cells.setAttribute('aria-valuetext', text);
	}

	pick(index, isLonger) {
		this.cursor = Math.min(Math.max(index, 0), this.heat.nr - 1);
		if (!isLonger)
			this.anchor = this.cursor;
		this.showPicked(true);
	}

	/* isSecond: it is held against the range that was shown before. */
	open(isSecond) {
		const {shown, base} = this.chosen;
		const against = isSecond || this.comparing ? base ?? shown : null;

		this.comparing = false;
		this.page.set({time: this.heat.write({shown: this.picked, base: against})}, true);
	}

	/* ---- pointer and keys ---- */

	listen() {
		const {cells, whole, compare} = this.parts;

		cells.addEventListener('pointerdown', (event) => this.onDown(event));
		cells.addEventListener('pointermove', (event) => this.pick(this.cellAt(event), this.dragging));
		cells.addEventListener('pointerup', (event) => this.onUp(event));
		cells.addEventListener('pointercancel', () => this.giveUp());
		cells.addEventListener('pointerleave', () => this.leave());
		cells.addEventListener('focus', () => cells.matches(':focus-visible') && this.showPicked(true));
		cells.addEventListener('blur', () => this.leave());
		cells.addEventListener('keydown', (event) => this.onKey(event));
		whole.addEventListener('click', () => this.page.set({time: ''}, true));
		compare.addEventListener('click', () => {
			this.comparing = !this.comparing;
			compare.setAttribute('aria-pressed', this.comparing);
		});
	}

	cellAt(event) {
		const {left, top, width, height} = this.parts.cells.getBoundingClientRect();
		const at = (value, most) => Math.min(Math.max(Math.floor(value), 0), most - 1);
		const column = at((event.clientX - left) / width * this.columns, this.columns);

		return column * this.rows + at((event.clientY - top) / height * this.rows, this.rows);
	}

	onDown(event) {
		if (event.button)
			return;
		this.parts.cells.setPointerCapture(event.pointerId);
		this.pick(this.cellAt(event), false);
		this.dragging = true;
	}

	onUp(event) {
		if (this.dragging)
			this.open(event.shiftKey);
		this.dragging = false;
	}

	leave() {
		if (!this.dragging)
			this.showPicked(document.activeElement === this.parts.cells);
	}

	giveUp() {
		this.dragging = false;
		this.anchor = this.cursor;
		this.leave();
	}

	/* Its own keys are not those of the graph. */
	onKey(event) {
		const {cursor, rows, heat: {nr}} = this;
		const to = {
			ArrowLeft: cursor - rows, ArrowRight: cursor + rows, ArrowDown: cursor + 1, ArrowUp: cursor - 1,
			PageUp: cursor - 10 * rows, PageDown: cursor + 10 * rows, Home: 0, End: nr - 1,
		}[event.key];

		if (event.ctrlKey || event.metaKey || event.altKey)
			return;
		if (event.key === 'Escape' && (this.dragging || this.anchor !== cursor))
			this.giveUp();
		else if (event.key === 'Escape' && this.page.state.time)
			this.page.set({time: ''}, true);
		else if (to !== undefined)
			this.pick(to, event.shiftKey);
		else if (event.key === 'Enter' || event.key === ' ')
			this.open(event.shiftKey);
		else
			return;
		event.preventDefault();
		event.stopPropagation();
	}
}

function isCpuTime({name, unit}) {
	return name === 'cpu' && unit === 'nanoseconds';
}

function rangeLegend(difference, theme) {
	return difference.legend().map((tone) => {
		const swatch = element('span', {class: `swatch ${tone.presence ?? ''}`});

		swatch.style.background = tone[theme];
		return element('li', {}, element('span', {class: 'rest'}, swatch, tone.label));
	});
}
