// SPDX-License-Identifier: GPL-2.0-only
/*
 * A function that changed as a whole, on both sides, one beside the other: a graph of what it
 * calls, from all callers, and one of its callers. One side is as much wider than the other as it has
 * more of the function by the verdict, to which all that did not change is as wide on both. Shares would
 * not do: one that doubles grows by less, since all of them together remain 100 %.
 */
'use strict';

const SIDE_NAMES = ['base', 'new'];
const SIDE_GAP = 20;

/* What is drawn of a stack whose outermost call of the function is the one at an index. */
const DIRECTIONS = [
	{title: 'what it calls', arrow: '›', cut: (items, at) => items.subarray(at + 1)},
	{title: 'who calls it', arrow: '‹', cut: (items, at) => items.slice(0, at).reverse()},
];

/* What is cut out of the stacks with a name; values: base and new alone. */
function rootedAt(stacks, name, cut) {
	const {starts, items} = stacks;
	const shares = [SIDES.base, SIDES.fresh].map((value) => stacks.values[value]);
	const rows = [];

	for (let i = 0; i < stacks.nr; i++) {
		const at = items.subarray(starts[i], starts[i + 1]).indexOf(name);

		if (at >= 0 && shares.some((share) => share[i]))
			rows.push({items: cut(items.subarray(starts[i], starts[i + 1]), at),
				values: shares.map((share) => share[i])});
	}
	rows.sort((a, b) => compareItems(a.items, b.items));
	return stacksOf(mergeEqual(rows));
}

function compareItems(a, b) {
	const length = Math.min(a.length, b.length);
	let i = 0;

	while (i < length && a[i] === b[i])
		i++;
	return i < length ? a[i] - b[i] : a.length - b.length;
}

function mergeEqual(rows) {
	const merged = [];

	for (const row of rows) {
		const last = merged.at(-1);

		if (last && !compareItems(last.items, row.items))
			last.values = last.values.map((value, side) => value + row.values[side]);
		else
			merged.push(row);
	}
	return merged;
}

function stacksOf(rows) {
	const starts = new Uint32Array(rows.length + 1);

	rows.forEach((row, i) => {
		starts[i + 1] = starts[i] + row.items.length;
	});
	const items = new Uint32Array(starts[rows.length]);

	rows.forEach((row, i) => items.set(row.items, starts[i]));
	return new Stacks(starts, items, SIDE_NAMES.map(
		(_, side) => Float64Array.from(rows, (row) => row.values[side])));
}

class SideGraphs {
	/* place: where it is shown; choose(name): somebody wants to see a function, or none of them (-1). */
	constructor(page, place, choose) {
		this.page = page;
		this.place = place;
		this.focus = -1;
		this.entries = page.overlay.focuses.map((focus) => this.entry(focus, choose));
		this.figures = DIRECTIONS.flatMap((direction) =>
			SIDE_NAMES.map((side, value) => this.figure(direction, side, value)));
		this.graphs = element('div', {class: 'sides', hidden: ''}, ...this.figures.map(({figure}) => figure));
		this.said = element('output', {class: 'said'});
		place.append(element('nav', {'aria-label': 'What changed as a whole'}, ...this.entries.map(({button}) => button)),
			this.graphs, this.said);
		place.hidden = !this.entries.length;
		addEventListener('resize', () => this.draw());
	}

	entry({name, tone, words}, choose) {
		const text = this.page.profile.names[name].text;
		const swatch = element('span', {class: 'swatch'});
		const button = element('button', {type: 'button', title: `${text}, ${words}: see both sides`},
			swatch, element('b', {}, text), ` ${words}`);

		button.addEventListener('click', () => choose(this.focus === name ? -1 : name));
		return {name, tone, swatch, button};
	}

	figure(direction, side, value) {
		const canvas = element('canvas', {role: 'img'});
		const caption = element('figcaption');
		const figure = element('figure', {}, caption, canvas);
		const drawn = {direction, figure, caption, canvas, painter: new Painter(canvas), side, value};

		canvas.addEventListener('pointermove', (event) => this.hover(drawn, event));
		canvas.addEventListener('pointerleave', () => {
			this.said.textContent = '';
		});
		return drawn;
	}

	/* What the state says. */
	show(focus) {
		const {page} = this;

		this.focus = focus;
		for (const {name, tone, swatch, button} of this.entries) {
			button.setAttribute('aria-pressed', String(name === focus));
			swatch.style.background = page.overlay.tones[tone][page.theme];
		}
		this.graphs.hidden = focus < 0;
		this.said.textContent = '';
		if (focus >= 0)
			this.stacks = page.remember(`sides ${focus}`, () => new Map(DIRECTIONS.map((direction) =>
				[direction, rootedAt(page.profile.stacks, focus, direction.cut)])));
		this.draw();
	}

	draw() {
		if (this.focus < 0)
			return;
		const [direction] = DIRECTIONS;
		const {sums, nr} = this.stacks.get(direction);
		const totals = sums.map((sum) => sum[nr]);
		const {ratio} = this.page.overlay.focuses.find(({name}) => name === this.focus) ?? {};
		const sizes = ratio ? [1, ratio] : totals;
		const room = Math.floor((this.graphs.clientWidth - SIDE_GAP) / 2);

		this.palette = this.page.remember(`palette sides ${this.page.theme}`, () =>
			this.page.profile.names.map((name) => nameColor(this.page.profile, name, 'module', this.page.theme)));
		for (const drawn of this.figures)
			this.drawSide(drawn, totals[drawn.value], ratio,
				Math.max(Math.round(room * sizes[drawn.value] / Math.max(...sizes)), 1));
	}

	/* Where there is nothing to be seen but the function itself, there is no graph, unless both are so. */
	isEmpty(direction) {
		return !this.stacks.get(direction).items.length &&
			(direction !== DIRECTIONS[0] || this.stacks.get(DIRECTIONS[1]).items.length > 0);
	}

	drawSide({direction, figure, caption, canvas, painter, side, value}, total, ratio, width) {
		const {page} = this;
		const stacks = this.stacks.get(direction);
		const name = shorten(page.profile.names[this.focus].text);
		const layout = layoutGraph(stacks, value, {from: 0, to: total}, width);
		const height = layout.rows.length * ROW_HEIGHT;

		figure.hidden = this.isEmpty(direction);
		caption.textContent = [
			`${side}: ${total ? this.share(total) : 'not there'}`,
			...value && ratio ? [`${ratio.toFixed(2)} times base`] : [],
			direction.title,
		].join(', ');
		canvas.hidden = !total;
		canvas.setAttribute('aria-label', `${name}, ${caption.textContent}`);
		canvas.style.width = `${width}px`;
		canvas.style.height = `${height}px`;
		painter.paint({
			layout, stacks, width, height, profile: page.profile, palette: this.palette, ink: page.ink,
			scale: devicePixelRatio, flame: false, graphHeight: height, top: 0, matches: page.matches,
			dimDepth: 0, rootText: name,
			style: (box) => ({presence: this.presence(stacks, box)}),
		});
	}

	/* What the other side does not have is framed. */
	presence(stacks, box) {
		return box.depth && SIDE_NAMES.some((_, side) => !stacks.total(box, side)) ? 'new' : '';
	}

	share(total) {
		return formatShort(total, this.page.profile.values[SIDES.base]);
	}

	hover({direction, painter: {picture}}, event) {
		const {layout, stacks} = picture;
		const box = findBox(layout.rows[rowAt(picture, event.offsetY)] ?? [], event.offsetX);

		this.said.textContent = box && !box.hidden ? [
			[this.focus, ...stacks.path(box)].map((name) => shorten(this.page.profile.names[name].text)).join(` ${direction.arrow} `),
			...SIDE_NAMES.map((side, value) => `${side} ${this.share(stacks.total(box, value))}`),
		].join(' · ') : '';
	}
}
