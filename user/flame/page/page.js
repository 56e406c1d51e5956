// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page: its state, and what changes it. There is one state; every change goes through set(),
 * which writes the address and asks for a repaint, and every part of the document is made from the
 * state alone.
 */
'use strict';

const INK = ['surface', 'frame-text', 'root', 'hidden', 'hidden-line', 'match', 'match-text', 'select', 'soft'];
const ADDRESS_MS = 150;
const SMALL_GRAPH = 0.5; // of the room for the graph: then the table has its place below

/* A row each: what may be chosen (names of the address, words of the page), and the key for it. */
const CHOICES = {
	view: {key: 't', help: 'graph, both, table',
		options: {graph: 'Graph', both: 'Both', table: 'Table'}},
	value: {key: 'v', help: 'what widths mean', options: {}},
	color: {key: 'c', help: 'colour by module or by kind',
		options: {module: 'By module', kind: 'By kind'}},
	part: {key: 's', help: 'all, or one state or kind of wait alone', isInLegend: true, options: {}},
	order: {key: 'r', help: 'merge from the root, or the leaf',
		options: {root: 'From root', leaf: 'From leaf'}},
	layout: {key: 'i', help: 'root below, or on top',
		options: {flame: 'Flame', icicle: 'Icicle'}},
};

/* A row each: keys, help, what to do. */
const KEYS = [
	{keys: ['/'], help: 'search', run: (page) => page.parts.search.focus()},
	{keys: ['n', 'N'], help: 'next, previous match', run: ({view}, key) => view.walkMatches(key === 'n' ? 1 : -1)},
	{keys: ['ArrowLeft', 'ArrowRight'], help: 'frame beside', run: ({view}, key) => view.step(key === 'ArrowLeft' ? -1 : 1)},
	{keys: ['ArrowUp', 'ArrowDown'], help: 'frame above, below', run: ({view}, key) => view.climb(key === 'ArrowUp')},
	{keys: ['Enter'], help: 'zoom to the frame', run: ({view}) => view.zoomToBox(view.selected)},
	{keys: ['Backspace'], help: 'zoom out by a frame', run: (page) => page.zoomOut()},
	{keys: ['+', '-'], help: 'zoom in, out', run: ({view}, key) => view.zoomBy(key === '+' ? 0.5 : 2, 0.5)},
	{keys: ['0'], help: 'whole graph', run: (page) => page.zoomTo(page.stacks.root())},
	{keys: ['Escape'], help: 'clear search, selection, zoom', run: (page) => page.escape()},
	...Object.entries(CHOICES).map(([name, {key, help, isInLegend}]) => (
		{keys: [key], help, isOfWaits: isInLegend, run: (page) => page.cycle(name)})),
	{keys: ['d'], help: 'light or dark', run: (page) => page.toggleTheme()},
	{keys: ['?'], help: 'this help', run: (page) => page.parts.help.showModal()},
];

class Page {
	constructor(profile) {
		this.profile = profile;
		this.overlay = profile.told && new Overlay(profile.told);
		this.allWaits = profile.parts.length ? new Waits(profile) : null;
		this.heat = profile.heat && new Heat(profile.heat);
		this.state = {time: ''};
		this.remembered = new Map();
		this.parts = Object.fromEntries(Array.from(document.querySelectorAll('[id]'),
			(part) => [part.id, part]));
		this.timeLine = profile.times && new TimeLine(this.parts, profile.times);
		this.heatMap = this.heat && new HeatMap(this);
		this.sides = this.overlay && new SideGraphs(this, this.parts.changes, (focus) => this.set({focus}, true));
		this.view = new GraphView(this);
		this.table = new Table(this.parts.table, profile,
			this.tableFormat(),
			(name) => this.set({pick: name === this.state.pick ? -1 : name, search: ''}));
		CHOICES.value.options = Object.fromEntries(
			profile.values.map(({title}, i) => [String(i), title]));
		if (this.overlay) {
			CHOICES.color.options = {change: 'By change', ...CHOICES.color.options};
			/* What is told of a frame is told of the way that leads there from the root. */
			CHOICES.order.options = {root: CHOICES.order.options.root};
		}
		CHOICES.part.options = this.waits?.choices ?? {[ALL_PARTS]: 'all'};
		if (this.waits)
			CHOICES.color.options = {state: 'By state', ...CHOICES.color.options};
		this.defaults = {
			view: this.isSmall() ? 'both' : 'graph', value: String(profile.value),
			color: this.overlay ? 'change' : this.waits ? 'state' : 'module', part: ALL_PARTS,
			order: 'root', layout: 'flame', search: '', time: '',
		};
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

	get metric() {
		return this.profile.values[this.value];
	}

	/* What threads did is known of all the time alone. */
	get waits() {
		return this.state.time ? null : this.allWaits;
	}

	/* Of the part or the time that is chosen, from the root. */
	get rootStacks() {
		const {state: {part, time}, heat, profile: {stacks}} = this;

		if (time)
			return this.remember(`@${time}`, () => heat.stacksOf(stacks, heat.read(time)));
		return part === ALL_PARTS ? stacks : this.remember(part, () => this.waits.only(stacks, part));
	}

	get stacks() {
		const {order, part, time} = this.state;

		return order === 'root' ? this.rootStacks :
			this.remember(`reversed ${part} @${time}`, () => this.rootStacks.reversed());
	}

	/* How the time that is shown differs from the one it is compared with; null: with none. */
	get difference() {
		const {heat, value, stacks, state: {time, order}, profile: {stacks: all}} = this;
		const ranges = time ? heat.read(time) : null;

		if (!ranges?.base)
			return null;
		return this.remember(`difference ${order} ${value} @${time}`, () => new RangeDifference(heat, {
			stacks, value,
			phi: heat.bursts(heat.countOf(value), all, [ranges.base, ranges.shown]),
		}));
	}

	/* What error bars of the value's shares are made of; null: there are none. Of a time: of its own samples. */
	get error() {
		const {heat, stacks, value, state: {time}, metric: {error}, profile: {stacks: whole}} = this;

		if (!time || !error)
			return error;
		const count = heat.countOf(value);

		return {...error, samples: error.samples * stacks.sums[count][stacks.nr] / whole.sums[count][whole.nr]};
	}

	/* Of two times it is both together. */
	get rootName() {
		if (this.state.time) {
			const {shown, base} = this.heat.read(this.state.time);

			return [shown, base].filter(Boolean).map((range) => this.heatMap.clocks(range)).join(' and ');
		}
		return CHOICES.part.options[this.state.part];
	}

	/* What differs of a box, or null: where colours are not those of names. */
	get style() {
		const {overlay, difference, waits, stacks, theme, value, state: {color}} = this;

		if (difference)
			return (box) => difference.style(stacks, box, theme);
		if (overlay)
			return (box) => overlay.style(stacks, box, theme, color);
		return waits && color === 'state' ? (box) => waits.style(stacks, box, value, theme) : null;
	}

	/* Whether anything is told of states in what widths mean. */
	get hasStates() {
		const {waits, profile: {stacks}, value} = this;

		return Boolean(waits?.describe(stacks, stacks.root(), value).length);
	}

	get all() {
		return this.stacks.sums[this.value][this.stacks.nr];
	}

	/* The part of the profile that the state asks for. */
	get wanted() {
		const sums = this.stacks.sums[this.value];
		const {at, range} = this.state;

		if (range)
			return {from: range[0] * this.all, to: range[1] * this.all};
		return {from: sums[at.first], to: sums[at.end]};
	}

	/* Is there room for a table below the whole graph? */
	isSmall() {
		const {stacks, value} = this.profile;
		const whole = {from: 0, to: stacks.sums[value][stacks.nr]};
		const {rows} = layoutGraph(stacks, value, whole, innerWidth - 50);

		return rows.length * ROW_HEIGHT <
			SMALL_GRAPH * (innerHeight - 180 - this.parts.times.offsetHeight);
	}

	/* Shares of a comparison are percent already. */
	tableFormat() {
		return {
			amount: (value) => (this.overlay ? '' : formatShort(value, this.metric)),
			share: (value) => (this.overlay ? formatShort(value, this.metric) :
				formatPercent(this.all ? value / this.all : 0)),
		};
	}

	/* ---- state ---- */

	/* From the address: at the start, on Back, and when somebody edits it. */
	follow() {
		const link = readLink(this.profile, location.hash.slice(1),
			Object.fromEntries(Object.entries(CHOICES).map(
				([name, {options}]) => [name, Object.keys(options)])));

		this.state = {...this.defaults, ...link.settings,
			search: link.search, pick: link.pick, focus: link.focus, range: link.range, at: null,
			time: this.heat?.read(link.time) ? link.time : ''};
		this.state.at = link.at(this.stacks);
		this.parts.search.value = link.search;
		this.update(true);
	}

	/* push: a step that Back should undo. */
	set(change, push = false) {
		const before = this.state;
		const path = this.stacks.path(before.at);

		this.state = {...before, ...change};
		if (this.state.time !== before.time)
			this.changeTime(before.time);
		if (this.state.order !== before.order)
			Object.assign(this.state, {at: this.stacks.root(), range: null});
		else if (this.state.part !== before.part || this.state.time !== before.time)
			Object.assign(this.state, {range: null,
				at: this.stacks.follow(path.length, (name, i) => name === path[i])});
		if (this.state.order !== before.order || this.state.layout !== before.layout)
			this.view.showRoot();
		this.view.wantsMatches ||= 'search' in change || 'pick' in change;
		if (this.parts.search.value !== this.state.search)
			this.parts.search.value = this.state.search;
		this.noteAddress(push);
		/* What moves with the pointer must not rebuild a table. */
		if (Object.keys(change).every((key) => key === 'at' || key === 'range'))
			this.showView(false);
		else
			this.update(['value', 'order', 'part', 'time'].some((name) => this.state[name] !== before[name]));
	}

	/* What was made of a time is large, and many are looked at. */
	changeTime(before) {
		for (const key of this.remembered.keys())
			if (before && key.endsWith(`@${before}`))
				this.remembered.delete(key);
		this.state.part = ALL_PARTS;
	}

	/* Browsers refuse too many changes of the address in a row, so it follows a drag at the end. */
	noteAddress(push) {
		clearTimeout(this.addressTimer);
		this.addressTimer = null;
		if (push)
			this.writeAddress(true);
		else
			this.addressTimer = setTimeout(() => {
				this.addressTimer = null;
				this.writeAddress(false);
			}, ADDRESS_MS);
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
		this.totals = this.remember(`totals ${this.value} ${this.state.part} @${this.state.time}`, () =>
			this.rootStacks.functionTotals(this.value, this.profile.names.length));
		this.parts.main.dataset.view = this.state.view;
		this.parts.main.classList.toggle('stacked', this.defaults.view === 'both');
		this.showChoices();
		this.heatMap?.show();
		this.showFacts();
		this.showLegend();
		this.showTable();
		this.sides?.show(this.state.focus);
		this.showView(jump);
	}

	/* Of a time, perhaps. */
	get isEmpty() {
		return !(this.stacks.nr && this.all);
	}

	showView(jump) {
		this.parts.message.hidden = !this.isEmpty;
		this.parts.scroller.hidden = this.isEmpty;
		this.showPath();
		this.showMatched();
		this.view.aim(jump);
	}

	/* What takes long to find and never changes. */
	remember(key, find) {
		if (!this.remembered.has(key))
			this.remembered.set(key, find());
		return this.remembered.get(key);
	}

	readColors() {
		const style = getComputedStyle(document.documentElement);
		const camel = (name) => name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());

		this.ink = Object.fromEntries(
			INK.map((name) => [camel(name), style.getPropertyValue(`--${name}`)]));
		this.palette = this.remember(`palette ${this.state.color} ${this.theme}`, () =>
			this.profile.names.map(
				(name) => nameColor(this.profile, name, this.state.color, this.theme)));
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
		const {parts, profile: {title}} = this;

		document.title = `${title} · flame graph`;
		parts.title.textContent = title;
		parts.title.title = title;
		for (const [name, {options, key, help, isInLegend}] of Object.entries(CHOICES))
			if (Object.keys(options).length > 1 && !isInLegend)
				parts.choices.append(this.choice(name, options, `${help} (${key})`));
		parts.help.append(...helpContent(this.profile,
			KEYS.filter(({isOfWaits}) => this.waits || !isOfWaits), () => parts.help.close()));
		parts.message.textContent = 'No samples were taken.';
	}

	/* Where it comes from: of several events first what is said of the one that is shown. */
	showFacts() {
		const {parts: {summary, help}, profile: {stacks, values}} = this;
		const facts = [...this.metric.facts, ...this.profile.facts];

		summary.textContent = [
			...this.overlay ? [] : values.map((metric, i) => formatTotal(stacks.sums[i][stacks.nr], metric)),
			...facts.map(({text}) => text),
		].join(' · ');
		summary.title = facts.map(({name, text}) => (name ? `${name}: ${text}` : text)).join('\n');
		help.querySelector('.facts')?.replaceChildren(...factItems(facts));
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
		const path = Array.from(this.stacks.path(at), (name) => shorten(this.profile.names[name].text));
		const crumbs = [this.rootName, ...path].map((text, depth) => ({text, depth}));
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
			`${share} · ${this.state.pick >= 0 ? shorten(this.profile.names[this.state.pick].text) : plural(names, 'name')}`;
		matched.title = matched.textContent;
	}

	showLegend() {
		const {overlay, difference, waits, theme, state: {color, part}} = this;
		const items = difference ? rangeLegend(difference, theme) : color === 'change' ? overlay.legendItems(theme) :
			color === 'state' && this.hasStates ? waits.legendItems(this.profile.stacks, this.value,
				{theme, choice: part}, (choice) => this.set({part: choice})) :
			legendItems(this.profile, {
				totals: this.totals, all: this.all, coloring: this.state.color, theme: this.theme,
				search: this.state.search,
			}, (search) => this.set({search, pick: -1}));

		this.parts.legend.replaceChildren(...items);
	}

	showTable() {
		if (this.state.view === 'graph')
			return;
		this.table.update({
			totals: this.totals, palette: this.palette, picked: this.state.pick,
			matches: this.state.pick >= 0 ? null : this.matches,
		});
	}

	showHidden(hidden) {
		this.parts.hidden.textContent = hidden ?
			`${plural(hidden, 'frame')} narrower than a pixel not drawn` : 'Every frame is drawn';
	}

	/* ---- zoom ---- */

	zoomTo({first, end, depth}) {
		this.set({at: {first, end, depth}, range: null}, true);
	}

	/* push: a step that Back should undo, and not one of many. */
	zoomToRange(from, to, push) {
		const width = Math.min(Math.max((to - from) / this.all, 1e-7), 1);
		const start = Math.min(Math.max(from / this.all, 0), 1 - width);

		this.set({at: this.stacks.root(), range: width < 1 ? [start, start + width] : null}, push);
	}

	zoomOut() {
		const {at, range} = this.state;

		if (range || at.depth)
			this.zoomTo(range ? this.stacks.root() : this.stacks.ancestor(at, at.depth - 1));
	}

	escape() {
		if (this.state.focus >= 0)
			this.set({focus: -1});
		else if (this.state.search || this.state.pick >= 0)
			this.set({search: '', pick: -1});
		else if (this.view.selected)
			this.view.select(null);
		else if (this.state.time && !this.state.range && !this.state.at.depth)
			this.set({time: ''}, true);
		else
			this.zoomTo(this.stacks.root());
	}

	/* ---- events ---- */

	listen() {
		const {scroller, search, searching, theme, about, help} = this.parts;

		addEventListener('keydown', (event) => this.onKey(event));
		addEventListener('popstate', () => this.follow());
		addEventListener('hashchange', () => this.follow());
		addEventListener('beforeprint', () => this.print(true));
		addEventListener('afterprint', () => this.print(false));
		search.addEventListener('input', () => this.set({search: search.value, pick: -1}));
		searching.addEventListener('submit', (event) => {
			event.preventDefault();
			scroller.focus();
			this.view.walkMatches(1);
		});
		theme.addEventListener('click', () => this.toggleTheme());
		about.addEventListener('click', () => help.showModal());
		help.addEventListener('click', (event) => event.target === help && help.close());
	}

	onKey(event) {
		const typing = event.target === this.parts.search;
		const onButton = [HTMLButtonElement, HTMLAnchorElement].some((kind) => event.target instanceof kind);

		if (event.ctrlKey || event.metaKey || event.altKey || this.parts.help.open)
			return;
		if (typing && event.key === 'Escape')
			this.parts.search.blur();
		if ((typing && event.key !== 'Escape') || (onButton && event.key === 'Enter'))
			return;
		const row = KEYS.find(({keys}) => keys.includes(event.key));

		if (!row || !this.profile.stacks.nr)
			return;
		event.preventDefault();
		row.run(this, event.key);
	}

	/* On paper: the whole graph, light, and sharper than a screen. */
	print(begin) {
		const root = document.documentElement;

		if (begin)
			this.themeBefore = root.dataset.theme;
		this.printing = begin;
		root.dataset.theme = begin ? 'light' : this.themeBefore;
		this.readColors();
		this.showLegend();
		this.showTable();
		if (begin)
			this.table.print();
		this.view.paint();
	}
}

function fromBase64(base64) {
	if (Uint8Array.fromBase64)
		return Uint8Array.fromBase64(base64);
	const text = atob(base64);
	const bytes = new Uint8Array(text.length);

	for (let i = 0; i < text.length; i++)
		bytes[i] = text.charCodeAt(i);
	return bytes;
}

async function unpack(base64) {
	const stream = new Blob([fromBase64(base64)]).stream()
		.pipeThrough(new DecompressionStream('deflate'));

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
