// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page: its state, and what changes it. There is one state; every change goes through set(),
 * which writes the address and asks for a repaint, and every part of the document is made from the
 * state alone.
 */
'use strict';

const ZOOM_MS = 220;
const DRAG_PIXELS = 4;
const INK = ['surface', 'frame-text', 'root', 'hidden', 'hidden-line', 'match', 'match-text', 'select'];
const PRINT = {width: 1040, scale: 3, maxPixels: 16000};

/* A row each: what may be chosen (names of the address, words of the page), and the key for it. */
const CHOICES = {
	view: {key: 't', help: 'graph, graph and table, table',
		options: {graph: 'Graph', both: 'Both', table: 'Table'}},
	value: {key: 'v', help: 'what widths mean', options: {}},
	color: {key: 'c', help: 'colour by module or by kind',
		options: {module: 'Module', kind: 'Kind'}},
	order: {key: 'r', help: 'merge stacks from the root, or reversed from the leaf',
		options: {root: 'From root', leaf: 'From leaf'}},
	layout: {key: 'i', help: 'flame (root below) or icicle (root on top)',
		options: {flame: 'Flame', icicle: 'Icicle'}},
};

/* A row each: keys, help, what to do. */
const KEYS = [
	{keys: ['/'], help: 'search', run: (page) => page.parts.search.focus()},
	{keys: ['n', 'N'], help: 'next, previous match', run: (page, key) => page.walkMatches(key === 'n' ? 1 : -1)},
	{keys: ['ArrowLeft', 'ArrowRight'], help: 'frame beside', run: (page, key) => page.step(key === 'ArrowLeft' ? -1 : 1)},
	{keys: ['ArrowUp', 'ArrowDown'], help: 'frame above, below', run: (page, key) => page.climb(key === 'ArrowUp')},
	{keys: ['Enter'], help: 'zoom to the frame', run: (page) => page.zoomToBox(page.selected)},
	{keys: ['Backspace'], help: 'zoom out by one frame', run: (page) => page.zoomOut()},
	{keys: ['+', '-'], help: 'zoom in, out by half', run: (page, key) => page.zoomBy(key === '+' ? 0.5 : 2, 0.5)},
	{keys: ['0'], help: 'whole graph', run: (page) => page.zoomTo(page.stacks.root())},
	{keys: ['Escape'], help: 'clear the search, then the selection, then the zoom', run: (page) => page.escape()},
	...Object.entries(CHOICES).map(([name, {key, help}]) => (
		{keys: [key], help, run: (page) => page.cycle(name)})),
	{keys: ['d'], help: 'light or dark', run: (page) => page.toggleTheme()},
	{keys: ['?'], help: 'this help', run: (page) => page.parts.help.showModal()},
];

class Page {
	constructor(profile) {
		this.profile = profile;
		this.orders = {root: profile.stacks};
		this.parts = Object.fromEntries(Array.from(document.querySelectorAll('[id]'),
			(part) => [part.id, part]));
		this.painter = new Painter(this.parts.canvas);
		this.table = new Table(this.parts.table, profile,
			{value: (value) => this.amount(value), percent: formatPercent},
			(name) => this.set({pick: name === this.state.pick ? -1 : name, search: ''}));
		CHOICES.value.options = Object.fromEntries(
			profile.values.map(({name}, i) => [String(i), name]));
		this.defaults = {
			view: 'graph', value: String(profile.value), color: profile.color,
			order: profile.order, layout: profile.layout, search: '',
		};
		this.selected = null;
		this.hovered = null;
		this.build();
		this.listen();
		this.follow();
	}

	get theme() {
		return this.printing ? 'light' : document.documentElement.dataset.theme;
	}

	get value() {
		return Number(this.state.value);
	}

	get unit() {
		return this.profile.values[this.value].unit;
	}

	get stacks() {
		const {order} = this.state;

		this.orders[order] ??= this.profile.stacks.reversed();
		return this.orders[order];
	}

	get all() {
		return this.stacks.sums[this.value][this.stacks.nr];
	}

	/* Short, for the table: its column says the unit. */
	amount(value) {
		return this.unit === 'samples' ? formatCount(value) : formatValue(value, this.unit);
	}

	/* ---- state ---- */

	/* From the address: at the start, on Back, and when somebody edits it. */
	follow() {
		const link = readLink(this.profile, location.hash.slice(1),
			Object.fromEntries(Object.entries(CHOICES).map(
				([name, {options}]) => [name, Object.keys(options)])));

		this.state = {...this.defaults, ...link.settings,
			search: link.search, pick: link.pick, range: link.range, at: null};
		this.state.at = link.at(this.stacks);
		this.parts.search.value = link.search;
		this.update(true);
	}

	/* push: a step that Back should undo. */
	set(change, push = false) {
		const before = this.state;

		this.state = {...before, ...change};
		if (this.state.order !== before.order)
			Object.assign(this.state, {at: this.stacks.root(), range: null});
		if (this.parts.search.value !== this.state.search)
			this.parts.search.value = this.state.search;
		this.writeAddress(push);
		this.update(this.state.value !== before.value || this.state.order !== before.order);
	}

	writeAddress(push) {
		const link = writeLink(this.profile, this.stacks, this.state, this.defaults);
		const address = `${location.pathname}${location.search}${link && `#${link}`}`;

		try {
			if (push)
				history.pushState(null, '', address);
			else
				history.replaceState(null, '', address);
		} catch {
			/* a page in a frame without an address of its own */
		}
	}

	cycle(name) {
		const options = Object.keys(CHOICES[name].options);
		const next = (options.indexOf(this.state[name]) + 1) % options.length;

		this.set({[name]: options[next]});
	}

	toggleTheme() {
		const theme = this.theme === 'dark' ? 'light' : 'dark';

		document.documentElement.dataset.theme = theme;
		try {
			localStorage.setItem('topstacks-theme', theme);
		} catch {
			/* then it holds until the page is closed */
		}
		this.update(false);
	}

	/* Makes the document what the state says. jump: the old picture means nothing in the new one. */
	update(jump) {
		this.readColors();
		this.readMatches();
		this.totals = this.profile.stacks.functionTotals(this.value, this.profile.names.length);
		this.parts.main.dataset.view = this.state.view;
		this.showChoices();
		this.showPath();
		this.showMatched();
		this.showLegend();
		this.showTable();
		this.hovered = null;
		this.aim(jump);
	}

	readColors() {
		const style = getComputedStyle(document.documentElement);
		const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

		this.ink = Object.fromEntries(
			INK.map((name) => [camel(name), style.getPropertyValue(`--${name}`)]));
		this.palette = this.profile.names.map(
			(name) => nameColor(this.profile, name, this.state.color, this.theme));
	}

	/* Which names are searched for (matches), and running sums of the stacks that have one. */
	readMatches() {
		const {pick, search} = this.state;

		this.matches = null;
		this.parts.search.removeAttribute('aria-invalid');
		if (pick >= 0) {
			this.matches = new Uint8Array(this.profile.names.length);
			this.matches[pick] = 1;
		} else if (search) {
			try {
				this.matches = matchNames(this.profile, search);
			} catch {
				this.parts.search.setAttribute('aria-invalid', 'true');
			}
		}
		this.matchedSums = this.matches && this.stacks.matchedSums(this.value, this.matches);
	}

	/* ---- what surrounds the graph ---- */

	build() {
		const {title, facts} = this.profile;
		const {parts} = this;

		document.title = `${title} · flame graph`;
		parts.title.textContent = title;
		parts.title.title = title;
		parts.summary.textContent = [
			...this.profile.values.map(({unit}, i) => formatValue(
				this.profile.stacks.sums[i][this.profile.stacks.nr], unit)),
			...facts.map(({text}) => text),
		].join(' · ');
		parts.summary.title = facts.map(({name, text}) => `${name}: ${text}`).join('\n');
		for (const [name, {options, key, help}] of Object.entries(CHOICES))
			if (Object.keys(options).length > 1)
				parts.choices.append(this.choice(name, options, `${help} (${key})`));
		parts.help.append(...helpContent(this.profile, KEYS, () => parts.help.close()));
		parts.message.hidden = this.profile.stacks.nr > 0;
		parts.message.textContent = 'No samples were taken.';
		parts.scroller.hidden = this.profile.stacks.nr === 0;
	}

	choice(name, options, help) {
		const group = element('div', {class: 'choice', role: 'group', 'aria-label': help, title: help});

		for (const [option, label] of Object.entries(options)) {
			const button = element('button', {type: 'button', 'data-choice': name, 'data-option': option},
				label);

			button.addEventListener('click', () => this.set({[name]: option}));
			group.append(button);
		}
		return group;
	}

	showChoices() {
		for (const button of this.parts.choices.querySelectorAll('button'))
			button.setAttribute('aria-pressed',
				this.state[button.dataset.choice] === button.dataset.option);
	}

	/* all › comm › main › … › read: those in the middle go when there are many. */
	showPath() {
		const {at, range} = this.state;
		const path = Array.from(this.stacks.path(at), (name) => this.profile.names[name].text);
		const crumbs = ['all', ...path].map((text, depth) => ({text, depth}));
		const shown = crumbs.length > 7 ?
			[...crumbs.slice(0, 3), {text: '…'}, ...crumbs.slice(-3)] : crumbs;
		const items = shown.flatMap(({text, depth}, i) => {
			const separator = i ? [element('span', {'aria-hidden': 'true'}, '›')] : [];

			if (depth === undefined)
				return [...separator, element('span', {}, text)];
			const button = element('button', {type: 'button', title: text}, text);

			if (depth === at.depth && !range)
				button.setAttribute('aria-current', 'location');
			button.addEventListener('click', () => this.zoomTo(this.stacks.ancestor(at, depth)));
			return [...separator, button];
		});

		if (range)
			items.push(element('span', {}, `› ${formatPercent(range[1] - range[0])} of the graph`));
		this.parts.path.replaceChildren(...items);
	}

	showMatched() {
		const {matched, searching, search} = this.parts;
		const invalid = search.getAttribute('aria-invalid') === 'true';

		searching.classList.toggle('active', Boolean(this.matches || this.state.search));
		matched.textContent = invalid ? 'not a regular expression' : '';
		if (!this.matches)
			return;
		const sums = this.matchedSums;
		const {first, end} = this.state.at;
		const names = this.matches.reduce((sum, match) => sum + match, 0);
		const share = formatPercent(this.all ? sums[this.stacks.nr] / this.all : 0);
		const inside = this.stacks.total(this.state.at, this.value);

		matched.textContent = this.state.at.depth && inside ?
			`${share} · ${formatPercent((sums[end] - sums[first]) / inside)} of view` :
			`${share} · ${this.state.pick >= 0 ? this.profile.names[this.state.pick].text : plural(names, 'name')}`;
		matched.title = matched.textContent;
	}

	showLegend() {
		this.parts.legend.replaceChildren(...legendItems(this.profile, {
			totals: this.totals, all: this.all, coloring: this.state.color, theme: this.theme,
			search: this.state.search,
		}, (search) => this.set({search, pick: -1})));
	}

	showTable() {
		if (this.state.view === 'graph')
			return;
		this.table.update({
			totals: this.totals, all: this.all, palette: this.palette, picked: this.state.pick,
			matches: this.state.pick >= 0 ? null : this.matches,
		});
	}

	/* ---- zoom ---- */

	/* The part of the profile that the state asks for. */
	get wanted() {
		const sums = this.stacks.sums[this.value];
		const {at, range} = this.state;

		if (range)
			return {from: range[0] * this.all, to: range[1] * this.all};
		return {from: sums[at.first], to: sums[at.end]};
	}

	zoomTo(node) {
		this.set({at: {first: node.first, end: node.end, depth: node.depth}, range: null}, true);
	}

	zoomToBox(box) {
		if (!box)
			return;
		if (!box.hidden) {
			this.zoomTo(box);
			return;
		}
		const sums = this.stacks.sums[this.value];

		this.zoomToRange(sums[box.first] / this.all, sums[box.end] / this.all, true);
	}

	zoomToRange(from, to, push) {
		const width = Math.min(Math.max(to - from, 1e-7), 1);
		const start = Math.min(Math.max(from, 0), 1 - width);

		if (width >= 1)
			this.set({at: this.stacks.root(), range: null}, push);
		else
			this.set({at: this.stacks.root(), range: [start, start + width]}, push);
	}

	zoomOut() {
		const {at, range} = this.state;

		if (range || at.depth)
			this.zoomTo(range ? this.stacks.root() : this.stacks.ancestor(at, at.depth - 1));
	}

	/* pivot: the place that stays where it is, 0 to 1 from the left. */
	zoomBy(factor, pivot) {
		const {from, to} = this.wanted;
		const width = (to - from) * factor;
		const start = from + pivot * (to - from - width);

		this.zoomToRange(start / this.all, (start + width) / this.all, false);
		this.shown = this.wanted;
		this.aim(true);
	}

	escape() {
		if (this.state.search || this.state.pick >= 0)
			this.set({search: '', pick: -1});
		else if (this.selected)
			this.select(null);
		else
			this.zoomTo(this.stacks.root());
	}

	/* Moves the picture from what is shown to what is wanted. */
	aim(jump) {
		const still = jump || !this.shown || matchMedia('(prefers-reduced-motion: reduce)').matches;

		this.flight = still ? null : {from: this.shown, to: this.wanted, start: performance.now()};
		if (still)
			this.shown = this.wanted;
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
		if (time < 1 && (from.from !== to.from || from.to !== to.to))
			this.schedule();
		else
			Object.assign(this, {flight: null, shown: to});
	}

	/* ---- painting ---- */

	paint() {
		const {scroller, canvas} = this.parts;

		if (this.state.view === 'table' || !this.profile.stacks.nr)
			return;
		const width = this.printing ? PRINT.width : scroller.clientWidth;
		const layout = layoutGraph(this.stacks, this.value, this.shown, width);

		this.layout = layout;
		this.setHeight(layout.rows.length * ROW_HEIGHT);
		/* A scroll bar that came or went with the new height. */
		if (!this.printing && scroller.clientWidth !== width) {
			this.paint();
			return;
		}
		this.picture = this.makePicture(layout, width);
		canvas.style.height = this.printing ? '' : `${this.picture.height}px`;
		this.painter.paint(this.picture);
		this.showMarks();
		this.parts.hidden.textContent = layout.hidden ?
			`${plural(layout.hidden, 'frame')} narrower than a pixel not drawn` : '';
	}

	makePicture(layout, width) {
		const {scroller} = this.parts;
		const all = formatValue(this.all, this.unit);

		return {
			layout, width, profile: this.profile, stacks: this.stacks, palette: this.palette,
			ink: this.ink, matches: this.matches, dimDepth: this.state.range ? 0 : this.state.at.depth,
			height: this.printing ? this.graphHeight : Math.min(scroller.clientHeight, this.graphHeight),
			scale: this.printing ?
				Math.min(PRINT.scale, PRINT.maxPixels / this.graphHeight) : devicePixelRatio,
			top: this.printing ? 0 : scroller.scrollTop,
			flame: this.state.layout === 'flame', graphHeight: this.graphHeight,
			rootText: `all, ${all}`,
		};
	}

	/* A flame stands on its ground: what grows or shrinks is the far end. */
	setHeight(height) {
		const {scroller, spacer} = this.parts;
		const fromBottom = this.graphHeight === undefined ? 0 :
			this.graphHeight - scroller.scrollTop - scroller.clientHeight;

		if (height === this.graphHeight)
			return;
		this.graphHeight = height;
		spacer.style.height = `${height}px`;
		if (this.state.layout === 'flame')
			scroller.scrollTop = height - scroller.clientHeight - Math.max(fromBottom, 0);
	}

	/* The selected and the hovered frame, found again in the layout of the moment. */
	showMarks() {
		const again = (box) => box && this.layout.rows[box.depth]?.find(
			(each) => each.first === box.first && each.end === box.end) || null;

		this.selected = again(this.selected);
		this.hovered = again(this.hovered);
		if (this.hovered)
			this.painter.outline(this.hovered, this.ink.select);
		if (this.selected)
			this.painter.outline(this.selected, this.ink.select);
		this.showTooltip();
	}

	/* ---- the frame that is looked at ---- */

	placeOf(box) {
		const {from, to} = this.wanted;

		return {
			box, stacks: this.stacks, profile: this.profile, value: this.value,
			viewTotal: to - from,
			color: box.depth && !box.hidden ? this.palette[this.stacks.name(box)] : '',
		};
	}

	showTooltip() {
		const {tooltip} = this.parts;
		const box = this.flight || this.drag?.moved ? null : this.hovered ?? this.selected;

		tooltip.hidden = !box || this.printing;
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
		const anchor = this.hovered ? this.pointer : {x: area.left + box.left, y: y + ROW_HEIGHT};
		const {offsetWidth: width, offsetHeight: height} = tooltip;
		const below = this.hovered ? anchor.y + 18 : anchor.y + 6;
		const above = (this.hovered ? anchor.y : y) - height - 10;
		const left = Math.min(anchor.x + (this.hovered ? 14 : 0), innerWidth - width - 12);

		tooltip.style.transform = `translate(${Math.round(Math.max(left, 12))}px, ${
			Math.round(below + height + 8 > innerHeight && above > 0 ? above : below)}px)`;
	}

	boxAt(event) {
		const area = this.parts.canvas.getBoundingClientRect();
		const depth = rowAt(this.picture, event.clientY - area.top);
		const row = this.layout.rows[depth];

		return row ? findBox(row, event.clientX - area.left) : null;
	}

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

	scrollToRow(depth) {
		const {scroller} = this.parts;
		const top = rowTop({...this.picture, top: 0}, depth);

		if (top < scroller.scrollTop)
			scroller.scrollTop = top - ROW_HEIGHT;
		else if (top + ROW_HEIGHT > scroller.scrollTop + scroller.clientHeight)
			scroller.scrollTop = top + 2 * ROW_HEIGHT - scroller.clientHeight;
	}

	/* The keyboard begins where the zoom is. */
	get start() {
		return this.selected ?? this.layout.rows[Math.min(this.state.at.depth,
			this.layout.rows.length - 1)][0];
	}

	step(by) {
		const row = this.layout.rows[this.start.depth];

		this.select(row[row.indexOf(this.start) + by] ?? this.start);
	}

	climb(up) {
		const {start} = this;
		const row = this.layout.rows[start.depth + (up === (this.state.layout === 'flame') ? 1 : -1)];
		const width = (box) => Math.min(box.right, start.right) - Math.max(box.left, start.left);
		const near = this.selected ? (row ?? []).filter((box) => width(box) > 0) : [start];

		if (near.length)
			this.select(near.reduce((best, box) => (width(box) > width(best) ? box : best)));
	}

	walkMatches(by) {
		if (!this.matches)
			return;
		const boxes = this.layout.rows.flat().filter((box) =>
			box.depth && !box.hidden && this.matches[this.stacks.name(box)]);
		const at = boxes.indexOf(this.selected);

		if (boxes.length)
			this.select(boxes[at < 0 && by < 0 ? boxes.length - 1 :
				(at + by + boxes.length) % boxes.length]);
	}

	/* ---- events ---- */

	listen() {
		const {scroller, canvas, search, searching, theme, about, help} = this.parts;

		addEventListener('keydown', (event) => this.onKey(event));
		addEventListener('popstate', () => this.follow());
		addEventListener('hashchange', () => this.follow());
		addEventListener('beforeprint', () => this.print(true));
		addEventListener('afterprint', () => this.print(false));
		new ResizeObserver(() => this.schedule()).observe(this.parts.main);
		scroller.addEventListener('scroll', () => this.schedule());
		canvas.addEventListener('pointerdown', (event) => this.onDown(event));
		canvas.addEventListener('pointermove', (event) => this.onMove(event));
		canvas.addEventListener('pointerup', (event) => this.onUp(event));
		canvas.addEventListener('pointercancel', () => this.endDrag());
		canvas.addEventListener('pointerleave', () => this.hover(null));
		canvas.addEventListener('wheel', (event) => this.onWheel(event), {passive: false});
		search.addEventListener('input', () => this.set({search: search.value, pick: -1}));
		searching.addEventListener('submit', (event) => {
			event.preventDefault();
			scroller.focus();
			this.walkMatches(1);
		});
		theme.addEventListener('click', () => this.toggleTheme());
		about.addEventListener('click', () => help.showModal());
		help.addEventListener('click', (event) => event.target === help && help.close());
	}

	onKey(event) {
		const typing = event.target === this.parts.search;
		const onButton = event.target instanceof HTMLButtonElement;

		if (event.ctrlKey || event.metaKey || event.altKey || this.parts.help.open)
			return;
		if (typing && event.key === 'Escape')
			this.parts.search.blur();
		if ((typing && event.key !== 'Escape') || (onButton && event.key === 'Enter'))
			return;
		const row = KEYS.find(({keys}) => keys.includes(event.key));

		if (!row)
			return;
		event.preventDefault();
		row.run(this, event.key);
	}

	hover(box, event) {
		this.pointer = event && {x: event.clientX, y: event.clientY};
		this.hovered = box;
		this.parts.canvas.classList.toggle('over', Boolean(box));
		this.schedule();
	}

	onDown(event) {
		if (event.button === 0)
			this.drag = {x: event.clientX, view: this.wanted, moved: false};
	}

	onMove(event) {
		const {drag} = this;

		if (!drag || !event.buttons) {
			this.hover(this.boxAt(event), event);
			return;
		}
		drag.moved ||= Math.abs(event.clientX - drag.x) > DRAG_PIXELS;
		if (!drag.moved || (!this.state.range && !this.state.at.depth))
			return;
		const {from, to} = drag.view;
		const by = (drag.x - event.clientX) * (to - from) / this.picture.width;

		this.parts.canvas.setPointerCapture(event.pointerId);
		this.parts.canvas.classList.add('dragging');
		this.zoomToRange((from + by) / this.all, (to + by) / this.all, false);
		this.aim(true);
	}

	onUp(event) {
		const clicked = this.drag && !this.drag.moved;

		this.endDrag();
		if (!clicked)
			return;
		this.selected = null;
		this.zoomToBox(this.boxAt(event));
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

	/* On paper: the whole graph, light, and sharper than a screen. */
	print(begin) {
		const root = document.documentElement;

		if (begin)
			this.themeBefore = root.dataset.theme;
		this.printing = begin;
		root.dataset.theme = begin ? 'light' : this.themeBefore;
		this.graphHeight = undefined;
		this.readColors();
		this.showLegend();
		this.showTable();
		this.paint();
	}

	/* Where a function is drawn, widest first: for tests, and for whoever opens the console. */
	find(text) {
		const area = this.parts.canvas.getBoundingClientRect();

		return this.layout.rows.flat().filter((box) => box.depth && !box.hidden &&
			this.profile.names[this.stacks.name(box)].text === text)
			.sort((a, b) => b.right - b.left - (a.right - a.left))
			.map((box) => ({
				left: area.left + box.left, width: box.right - box.left,
				top: area.top + rowTop(this.picture, box.depth), height: ROW_HEIGHT,
				depth: box.depth,
			}));
	}
}

async function unpack(base64) {
	const text = atob(base64);
	const bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));

	return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function start() {
	try {
		const data = document.getElementById('data');
		const bytes = await unpack(data.textContent);

		data.remove();
		globalThis.flamegraph = new Page(decodeProfile(bytes));
	} catch (error) {
		document.getElementById('message').textContent =
			typeof DecompressionStream === 'undefined' ?
				'This browser is too old for this page: it cannot unpack its data.' :
				`The data of this page are damaged: ${error.message}.`;
		throw error;
	}
}

start();
