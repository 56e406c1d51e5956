// SPDX-License-Identifier: GPL-2.0-only
/*
 * The graph as it is seen: the flight from one zoom to the next, the frame that is pointed at or
 * selected, pointer and wheel. What is to be seen is the page's state; this file only asks it for
 * changes (page.zoomTo, page.zoomToRange) and never keeps a copy of it.
 */
'use strict';

const ZOOM_MS = 220;
const DRAG_PIXELS = 4;
const PRINT = {width: 1040, aspect: 1.88, maxPixels: 5000}; // a landscape page below its title
const LOOK_INSIDE = 1 / 24; // of a view that is mostly one run of narrow frames

class GraphView {
	constructor(page) {
		this.page = page;
		this.parts = page.parts;
		this.painter = new Painter(this.parts.canvas);
		this.selected = null;
		this.hovered = null;
		this.fromRoot = 0; // how far the root is out of sight, in pixels
		this.listen();
	}

	listen() {
		const {scroller, canvas, main} = this.parts;

		new ResizeObserver(() => this.schedule()).observe(main);
		new ResizeObserver(() => this.schedule()).observe(scroller);
		scroller.addEventListener('scroll', () => this.onScroll());
		canvas.addEventListener('pointerdown', (event) => this.onDown(event));
		canvas.addEventListener('pointermove', (event) => this.onMove(event));
		canvas.addEventListener('pointerup', (event) => this.onUp(event));
		canvas.addEventListener('pointercancel', () => this.endDrag());
		canvas.addEventListener('pointerleave', () => this.hover(null));
		canvas.addEventListener('wheel', (event) => this.onWheel(event), {passive: false});
	}

	get flame() {
		return this.page.state.layout === 'flame';
	}

	/* There is something to walk on. */
	get visible() {
		return Boolean(this.layout) && this.page.state.view !== 'table';
	}

	/* ---- from what is shown to what is wanted ---- */

	/* jump: the old picture means nothing in the new one. */
	aim(jump) {
		const to = this.page.wanted;
		const still = jump || !this.shown || matchMedia('(prefers-reduced-motion: reduce)').matches ||
			(to.from === this.shown.from && to.to === this.shown.to);

		this.flight = still ? null : {from: this.shown, to, start: performance.now()};
		if (still)
			this.shown = to;
		if (jump)
			this.hovered = null;
		this.schedule();
	}

	schedule() {
		this.frame ??= requestAnimationFrame((now) => {
			this.frame = null;
			this.fly(now);
			this.paint();
		});
	}

	fly(now) {
		if (!this.flight)
			return;
		const {from, to, start} = this.flight;
		const time = Math.min(Math.max(now - start, 0) / ZOOM_MS, 1);
		const part = 1 - (1 - time) ** 3;

		this.shown = {
			from: from.from + part * (to.from - from.from),
			to: from.to + part * (to.to - from.to),
		};
		if (time < 1)
			this.schedule();
		else
			Object.assign(this, {flight: null, shown: to});
	}

	/* ---- painting ---- */

	paint() {
		const {page, parts: {scroller, canvas}} = this;

		if (page.state.view === 'table' || page.isEmpty) {
			this.parts.tooltip.hidden = true;
			return;
		}
		this.layOut(page.printing ? PRINT.width : scroller.clientWidth);
		/* A higher graph is printed smaller, and then there is room for more beside it. */
		if (page.printing)
			this.layOut(Math.max(PRINT.width, PRINT.aspect * this.graphHeight));
		/* A scroll bar may have come or gone with the new height. */
		else if (scroller.clientWidth !== this.width)
			this.layOut(scroller.clientWidth);
		this.revealMatches();
		this.picture = this.makePicture();
		canvas.style.height = page.printing ? '' : `${this.picture.height}px`;
		this.painter.paint(this.picture);
		this.showMarks();
	}

	layOut(width) {
		const {page} = this;

		this.width = width;
		this.layout = layoutGraph(page.stacks, page.value, this.shown, width);
		page.showHidden(this.layout.hidden);
		this.setHeight(this.layout.rows.length * ROW_HEIGHT);
	}

	makePicture() {
		const {page, layout, width, graphHeight, parts: {scroller}} = this;
		const picture = {
			layout, width, graphHeight, flame: this.flame,
			profile: page.profile, stacks: page.stacks, palette: page.palette, ink: page.ink,
			matches: page.matches, dimDepth: page.state.range ? 0 : page.state.at.depth,
			rootText: page.overlay ? 'all' : `${page.rootName}, ${formatTotal(page.all, page.metric)}`,
			style: page.style,
		};

		if (page.printing)
			return {...picture, height: graphHeight, top: 0, scale: PRINT.maxPixels / width};
		return {...picture, top: scroller.scrollTop,
			height: Math.min(scroller.clientHeight, graphHeight), scale: devicePixelRatio};
	}

	/* The root stays where it is: what grows or shrinks is the far end. */
	setHeight(height) {
		const {scroller, spacer} = this.parts;
		const {fromRoot} = this;

		this.graphHeight = height;
		spacer.style.height = `${height}px`;
		scroller.scrollTop = this.flame ? height - scroller.clientHeight - fromRoot : fromRoot;
		this.ownTop = scroller.scrollTop;
	}

	onScroll() {
		const {scrollTop, clientHeight} = this.parts.scroller;

		if (scrollTop !== this.ownTop)
			this.fromRoot = this.flame ?
				Math.max(this.graphHeight - scrollTop - clientHeight, 0) : scrollTop;
		this.schedule();
	}

	/* Until somebody scrolls again. */
	showRoot() {
		this.fromRoot = 0;
	}

	/* The selected and the hovered frame, found again in the layout of the moment. */
	showMarks() {
		const again = (box) => box && this.layout.rows[box.depth]?.find(
			(each) => each.first === box.first && each.end === box.end) || null;

		this.selected = again(this.selected);
		this.hovered = again(this.hovered);
		for (const box of [this.hovered, this.selected])
			if (box && !this.page.printing)
				this.painter.outline(box, this.page.ink.select);
		this.showTooltip();
	}

	/* ---- the tooltip ---- */

	placeOf(box) {
		const {page} = this;
		const {from, to} = page.wanted;

		return {
			box, stacks: page.stacks, profile: page.profile, value: page.value, error: page.error,
			viewTotal: to - from,
			told: page.overlay && page.overlay.find(page.stacks, box),
			waits: (page.difference ?? page.waits)?.describe(page.stacks, box, page.value) ?? [],
			color: box.depth && !box.hidden ? this.colorOf(box) : '',
		};
	}

	colorOf(box) {
		return this.picture.style?.(box).fill ?? this.page.palette[this.page.stacks.name(box)];
	}

	showTooltip() {
		const {tooltip} = this.parts;
		const still = this.visible && !this.flight && !this.drag?.moved;
		const box = still ? this.hovered ?? this.selected : null;

		tooltip.hidden = !box || Boolean(this.page.printing);
		if (tooltip.hidden)
			return;
		tooltip.replaceChildren(...tooltipContent(this.placeOf(box)));
		this.placeTooltip(box);
	}

	/* Beside the pointer, or at the frame that the keyboard selected; never beyond the window. */
	placeTooltip(box) {
		const {tooltip, canvas} = this.parts;
		const area = canvas.getBoundingClientRect();
		const y = area.top + rowTop(this.picture, box.depth);
		const anchor = this.hovered ? {x: this.pointer.x + 14, top: this.pointer.y - 10, bottom: this.pointer.y + 18} :
			{x: area.left + box.left, top: y - 8, bottom: y + ROW_HEIGHT + 7};
		const {offsetWidth: width, offsetHeight: height} = tooltip;
		const left = Math.max(Math.min(anchor.x, innerWidth - width - 12), 12);
		const fits = anchor.bottom + height + 8 <= innerHeight || anchor.top < height;
		const top = fits ? anchor.bottom : anchor.top - height;

		tooltip.style.transform = `translate(${Math.round(left)}px, ${Math.round(top)}px)`;
	}

	/* ---- selecting: with the keyboard ---- */

	select(box) {
		const {spoken} = this.parts;

		this.selected = box;
		this.hovered = null;
		if (box) {
			spoken.setAttribute('aria-level', box.depth + 1);
			spoken.setAttribute('aria-label', spokenFrame(this.placeOf(box)));
			this.scrollToRow(box.depth);
		}
		this.schedule();
	}

	/* Of a row, in the whole graph. */
	topOf(depth) {
		return rowTop({flame: this.flame, graphHeight: this.graphHeight, top: 0}, depth);
	}

	scrollToRow(depth) {
		const {scroller} = this.parts;
		const top = this.topOf(depth);

		if (top < scroller.scrollTop)
			scroller.scrollTop = top - ROW_HEIGHT;
		else if (top + ROW_HEIGHT > scroller.scrollTop + scroller.clientHeight)
			scroller.scrollTop = top + 2 * ROW_HEIGHT - scroller.clientHeight;
	}

	/* The keyboard begins where the zoom is. */
	get start() {
		const {rows} = this.layout;

		return this.selected ?? rows[Math.min(this.page.state.at.depth, rows.length - 1)][0];
	}

	step(by) {
		if (!this.visible)
			return;
		const row = this.layout.rows[this.start.depth];

		this.select(row[row.indexOf(this.start) + by] ?? this.start);
	}

	/* To the widest neighbour in the row above or below; first of all to the start itself. */
	climb(up) {
		if (!this.visible)
			return;
		const {start} = this;
		const row = this.layout.rows[start.depth + (up === this.flame ? 1 : -1)] ?? [];
		const width = (box) => Math.min(box.right, start.right) - Math.max(box.left, start.left);
		const near = this.selected ? row.filter((box) => width(box) > 0) : [start];

		if (near.length)
			this.select(near.reduce((best, box) => (width(box) > width(best) ? box : best)));
	}

	get matchedBoxes() {
		const {matches, stacks} = this.page;

		return !matches || !this.visible ? [] : this.layout.rows.flat().filter(
			(box) => box.depth && !box.hidden && matches[stacks.name(box)]);
	}

	/* What was searched for should be seen: if all of it is out of sight, the widest is shown. */
	revealMatches() {
		const {scroller} = this.parts;
		const boxes = this.wantsMatches ? this.matchedBoxes : [];
		const inSight = ({depth}) => {
			const top = this.topOf(depth) - scroller.scrollTop;

			return top >= 0 && top + ROW_HEIGHT <= scroller.clientHeight;
		};

		this.wantsMatches = false;
		if (boxes.length && !boxes.some(inSight))
			this.scrollToRow(boxes.reduce((widest, box) =>
				(box.right - box.left > widest.right - widest.left ? box : widest)).depth);
	}

	walkMatches(by) {
		const boxes = this.matchedBoxes;
		const at = boxes.indexOf(this.selected);

		if (boxes.length)
			this.select(boxes[at < 0 && by < 0 ? boxes.length - 1 :
				(at + by + boxes.length) % boxes.length]);
	}

	/* ---- zooming ---- */

	/* at: where in the window the pointer is; the middle of the box without one. */
	zoomToBox(box, x) {
		if (!box)
			return;
		if (!box.hidden) {
			this.page.zoomTo(box);
			return;
		}
		const sums = this.page.stacks.sums[this.page.value];
		const view = this.page.wanted;
		const inside = {from: sums[box.first], to: sums[box.end]};
		const middle = ((x ?? (box.left + box.right) / 2) / this.picture.width) *
			(view.to - view.from) + view.from;
		const reach = (view.to - view.from) * LOOK_INSIDE / 2;

		/* A run that is most of the view would look the same again. */
		if (inside.to - inside.from > (view.to - view.from) / 4)
			Object.assign(inside, {from: middle - reach, to: middle + reach});
		this.page.zoomToRange(inside.from, inside.to, true);
	}

	/* pivot: the place that stays where it is, 0 to 1 from the left. */
	zoomBy(factor, pivot) {
		const {from, to} = this.page.wanted;
		const width = (to - from) * factor;
		const start = from + pivot * (to - from - width);

		this.page.zoomToRange(start, start + width, false);
		this.aim(true);
	}

	/* ---- the pointer ---- */

	boxAt(event) {
		const area = this.parts.canvas.getBoundingClientRect();
		const row = this.layout.rows[rowAt(this.picture, event.clientY - area.top)];

		return row ? findBox(row, event.clientX - area.left) : null;
	}

	hover(box, event) {
		this.pointer = event && {x: event.clientX, y: event.clientY};
		this.hovered = box;
		this.parts.canvas.classList.toggle('over', Boolean(box));
		this.schedule();
	}

	onDown(event) {
		if (event.button === 0)
			this.drag = {x: event.clientX, view: this.page.wanted, moved: false};
	}

	onMove(event) {
		const {drag, page} = this;

		if (!drag || !event.buttons) {
			this.hover(this.boxAt(event), event);
			return;
		}
		drag.moved ||= Math.abs(event.clientX - drag.x) > DRAG_PIXELS;
		if (!drag.moved || (!page.state.range && !page.state.at.depth))
			return;
		const {from, to} = drag.view;
		const by = (drag.x - event.clientX) * (to - from) / this.picture.width;

		this.parts.canvas.setPointerCapture(event.pointerId);
		this.parts.canvas.classList.add('dragging');
		page.zoomToRange(from + by, to + by, false);
		this.aim(true);
	}

	onUp(event) {
		const clicked = this.drag && !this.drag.moved;
		const area = this.parts.canvas.getBoundingClientRect();

		this.endDrag();
		if (!clicked)
			return;
		this.selected = null;
		this.zoomToBox(this.boxAt(event), event.clientX - area.left);
	}

	endDrag() {
		this.drag = null;
		this.parts.canvas.classList.remove('dragging');
	}

	onWheel(event) {
		const area = this.parts.canvas.getBoundingClientRect();

		if (!event.ctrlKey && !event.metaKey)
			return;
		event.preventDefault();
		this.zoomBy(1.0018 ** event.deltaY, (event.clientX - area.left) / area.width);
	}

	/* Where a function is drawn, widest first: for tests, and for the browser's console. */
	find(text) {
		const {profile, stacks} = this.page;
		const area = this.parts.canvas.getBoundingClientRect();

		return this.layout.rows.flat()
			.filter((box) => box.depth && !box.hidden && profile.names[stacks.name(box)].text === text)
			.sort((a, b) => b.right - b.left - (a.right - a.left))
			.map((box) => ({
				left: area.left + box.left, width: box.right - box.left,
				top: area.top + rowTop(this.picture, box.depth), height: ROW_HEIGHT,
				depth: box.depth,
			}));
	}
}
