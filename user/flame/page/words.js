// SPDX-License-Identifier: GPL-2.0-only
/*
 * What the page says: numbers, the tooltip, the legend, the help. Text from a profile enters the
 * document as text nodes only.
 */
'use strict';

const COUNT_FORMAT = new Intl.NumberFormat('en-US');
const SHORT_FORMAT = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 3, useGrouping: false});
const DECIMAL_FORMAT = new Intl.NumberFormat('en-US', {maximumSignificantDigits: 9});
const LEGEND_ROWS = 9;

/* Of names, as base/middle.c has them: so many characters, of which so many are at the beginning. */
const MIDDLE_MOST = 160;
const MIDDLE_FIRST = 60;

/* Where the parameters of a function of C++ begin, as base/function_name.c has it; 0: these are none. */
function findParameters(name) {
	const end = / ?(const)?( \[clone \..*\])?$/.exec(name).index;
	let depth = 0;

	for (let i = end - 1; i >= 0 && name[end - 1] === ')'; i--) {
		if (name[i] === ')')
			depth++;
		else if (name[i] === '(' && --depth === 0)
			return i;
	}
	return 0;
}

/* A function without what it returns, which may be longer than all that tells which function it is. */
function withoutReturned(name) {
	const parameters = findParameters(name);
	let start = 0;
	let depth = 0;

	for (let i = 0; i < parameters; i++) {
		const operator = /^operator(?![\w$])(\(\)|[<>=+*/%^&|~!,[\]-]*)/.exec(name.slice(i, i + 16));

		if (operator && !/[\w$]/.test(name[i - 1] ?? '')) {
			if (depth === 0)
				break; /* what follows may have blanks: "operator new" */
			i += operator[0].length - 1;
			continue;
		}
		if ('<({'.includes(name[i]))
			depth++;
		else if ('>)}'.includes(name[i]))
			depth--;
		else if (name[i] === ' ' && depth === 0)
			start = i + 1;
	}
	return name.slice(start);
}

/* Long names lose what they return, and then their middle; data keep the whole name. */
function shorten(text) {
	const characters = text.length > MIDDLE_MOST ? Array.from(withoutReturned(text)) : [];

	if (text.length <= MIDDLE_MOST)
		return text;
	if (characters.length <= MIDDLE_MOST)
		return characters.join('');
	return `${characters.slice(0, MIDDLE_FIRST).join('')}…${characters.slice(MIDDLE_FIRST + 1 - MIDDLE_MOST).join('')}`;
}

function formatCount(count) {
	return COUNT_FORMAT.format(count);
}

function plural(count, one, many = `${one}s`) {
	return `${formatCount(count)} ${count === 1 ? one : many}`;
}

function formatPercent(share) {
	if (share > 0 && share < 0.00005)
		return '<0.01%';
	return `${(100 * share).toFixed(share > 0.99995 ? 0 : 2)}%`;
}

/*
 * How many samples a share is as sure as, of a value's part: as profile/certainty.c has it, by the mean weights in it
 * and beside it, over that of all. squares: of weights, over their mean; undefined: all weigh the same.
 */
function worthOf(error, part, all, squares) {
	if (squares === undefined)
		return error.samples;
	const mean = (value, squared) => (squared + error.mean) / (value + error.mean);
	const share = part / all;

	return error.samples / ((1 - share) * mean(part, squares) + share * mean(all - part, all - squares));
}

/*
 * "29.80% ± 3.51%", to 95 %: Wilson's interval, as profile/certainty.c has it, by the larger distance of both
 * ends. Without error bars just the share.
 */
function formatShare(part, all, error, squares) {
	const share = part / (all || 1);

	if (!error || !all)
		return formatPercent(share);
	const q = error.spread / worthOf(error, part, all, squares);
	const middle = (share + q / 2) / (1 + q);
	const half = Math.sqrt(q * Math.max(share * (1 - share), 0) + q * q / 4) / (1 + q);
	const [low, high] = [Math.max(middle - half, 0), Math.min(middle + half, 1)];

	return `${formatPercent(share)} ± ${formatPercent(Math.max(share - low, high - share))}`;
}

const TIME = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];

/* Units that are written in a way of their own: sizes of what they are counted in. */
const SCALES = new Map(Object.entries({
	nanoseconds: TIME,
	microseconds: TIME.map(([size, unit]) => [size / 1e3, unit]),
	milliseconds: TIME.map(([size, unit]) => [size / 1e6, unit]),
	seconds: TIME.map(([size, unit]) => [size / 1e9, unit]),
	bytes: [[1e9, 'GB'], [1e6, 'MB'], [1e3, 'kB'], [1, 'B']],
	/* Of a comparison, in parts of OVERLAY_WHOLE; the mean is told as the sum of both sides. */
	share: [[1e7, '%']],
	'mean share': [[2e7, '%']],
}));

/* Of whole numbers of a decimal, in "/100 count". */
function decimalsOf(unit) {
	return /^\/1(0+) /.exec(unit)?.[1].length ?? 0;
}

/* Where a heading says the rest: "1,234", "0.25", "1.23 s", "45.6 kB". */
function formatShort(value, {unit}) {
	const decimals = decimalsOf(unit);

	if (decimals)
		return DECIMAL_FORMAT.format(value / 10 ** decimals);
	const sizes = SCALES.get(unit);
	const [size, name] = sizes?.find(([each]) => value >= each) ?? sizes?.at(-1) ?? [];

	return size ? `${SHORT_FORMAT.format(value / size)} ${name}` : formatCount(value);
}

/* "1,234 samples", "1.23 s", "45.6 kB", "1 widget". */
function formatValue(value, metric) {
	const {noun, unit} = metric;

	if (SCALES.has(unit))
		return formatShort(value, metric);
	if (decimalsOf(unit))
		return `${formatShort(value, metric)} ${noun}`;
	return plural(value, noun.replace(/(?<=.)s$/, ''), noun);
}

/* As the only word on it: "1,234 samples", "1.23 s CPU time", "45.6 kB allocated". */
function formatTotal(value, metric) {
	const said = formatValue(value, metric);
	const title = SCALES.has(metric.unit) ? metric.title ?? '' : '';
	const words = title.replace(/\s*\bbytes$/i, '').replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

	return words ? `${said} ${words}` : said;
}

/* ---- the tooltip ---- */

/*
 * place: {box, stacks, profile, value, error, viewTotal, color, told, waits}; error: of the shares, or null; told:
 * null, or of a comparison; waits: what is told of them, a text each
 */
function tooltipContent(place) {
	return place.box.hidden ? describeRun(place) : describeFrame(place);
}

function describeRun({box, stacks, profile, value}) {
	const all = stacks.total(stacks.root(), value);
	const total = stacks.total(box, value);

	return [
		element('strong', {}, `${plural(box.hidden, 'frame')} too narrow to draw`),
		element('p', {}, `${formatValue(total, profile.values[value])}, ` +
			`${formatPercent(total / all)} in all. Click to look inside.`),
	];
}

function describeFrame({box, stacks, profile, value, error, viewTotal, color, told, waits}) {
	const name = box.depth ? profile.names[stacks.name(box)] : null;
	const about = element('p');
	const title = element('strong', {}, name ? shorten(name.text) : 'all');

	if (name) {
		const swatch = element('span', {class: 'swatch'});
		const kind = profile.kinds[name.kind];

		swatch.style.background = color;
		about.append(swatch, name.module ? `${name.module.text} · ${kind}` : kind);
	} else {
		about.append(profile.title);
	}
	const list = valueList({box, stacks, profile, value, error, viewTotal, told});

	const words = [told?.words, ...waits].filter(Boolean).map((text) => element('p', {}, text));

	return [title, about, ...words, list];
}

/*
 * Self and total in every value; percent in the one that widths show. Values of a comparison are
 * percent, but nothing in them says of which side, so they have headings.
 */
function valueList({box, stacks, profile, value, error, viewTotal, told}) {
	const list = element('dl');
	const all = stacks.total(stacks.root(), value);
	const add = (label, amount) => {
		const squares = error && error.squares < stacks.values.length ? amount(error.squares) : undefined;

		list.append(element('dt', {}, label),
			...told ? [] : [element('dd', {}, formatShare(amount(value), all, error, squares))],
			...profile.values.map((metric, i) => element('dd', {}, formatValue(amount(i), metric))));
	};

	list.style.gridTemplateColumns = `repeat(${(told ? 1 : 2) + profile.values.length}, auto)`;
	if (told)
		list.append(element('dt', {}, ''),
			...profile.values.map(({title}) => element('dt', {class: 'heading'}, title)));
	add('Total', (i) => stacks.total(box, i));
	add('Self', (i) => stacks.self(box, i));
	if (viewTotal && viewTotal < all)
		list.append(element('dt', {}, 'Of view'),
			element('dd', {}, formatPercent(Math.min(stacks.total(box, value) / viewTotal, 1))));
	return list;
}

/* For a reader that hears the page. */
function spokenFrame({box, stacks, profile, value, error, told, waits}) {
	const all = stacks.total(stacks.root(), value) || 1;
	const squares = error && error.squares < stacks.values.length ? error.squares : null;
	const percent = (amount) => formatShare(amount(value), all, error,
		squares === null ? undefined : amount(squares));
	const total = (i) => stacks.total(box, i), self = (i) => stacks.self(box, i);

	if (box.hidden)
		return `${plural(box.hidden, 'frame')} too narrow to draw, ${percent(total)}`;
	const name = box.depth ? profile.names[stacks.name(box)] : null;

	return [name ? shorten(name.text) : 'all', name?.module?.text,
		`total ${percent(total)}`,
		`self ${percent(self)}`, told?.words, ...waits].filter(Boolean).join(', ');
}

/* ---- the legend: whose the leaves are ---- */

function legendGroups(profile, totals, coloring) {
	const groups = new Map();

	profile.names.forEach((name, i) => {
		const label = isProcess(profile, name) ? 'no frame' : COLORINGS[coloring].label(profile, name);
		const group = groups.get(label) ?? {label, name, value: 0};

		group.value += totals.self[i];
		groups.set(label, group);
	});
	return [...groups.values()].filter(({value}) => value > 0)
		.sort((a, b) => b.value - a.value || (a.label < b.label ? -1 : 1));
}

/* toggle(search) is called when a group is chosen; search is the one in force. */
function legendItems(profile, {totals, all, coloring, theme, search}, toggle) {
	const groups = legendGroups(profile, totals, coloring);
	const items = groups.slice(0, LEGEND_ROWS).map(({label, name, value}) => {
		const swatch = element('span', {class: 'swatch'});
		const button = element('button', {type: 'button', title: 'Highlight these frames'}, swatch,
			element('b', {}, label), formatPercent(value / (all || 1)));
		const own = COLORINGS[coloring].search(profile, name);

		swatch.style.background = legendColor(profile, name, coloring, theme);
		button.setAttribute('aria-pressed', search === own);
		button.addEventListener('click', () => toggle(search === own ? '' : own));
		return element('li', {}, button);
	});

	if (groups.length > LEGEND_ROWS) {
		const rest = groups.slice(LEGEND_ROWS).reduce((sum, {value}) => sum + value, 0);

		items.push(element('li', {}, element('span', {class: 'rest'},
			`${plural(groups.length - LEGEND_ROWS, 'other')} ${formatPercent(rest / all)}`)));
	}
	return items;
}

/* ---- the help ---- */

const MOUSE_HELP = [
	['Click', 'zoom to a frame; on one below the zoomed one: back to it'],
	['Drag', 'move sideways while zoomed'],
	['Ctrl + wheel', 'zoom around the pointer'],
	['Back', 'the browser’s history goes back through zooms; the address links to what is shown'],
];

function factItems(facts) {
	return facts.flatMap(({name, text}) => [element('dt', {}, name), element('dd', {}, text)]);
}

function helpContent(profile, keys, close) {
	const shut = element('button', {type: 'button', class: 'close icon', 'aria-label': 'Close'}, '✕');
	const list = element('dl');
	const content = [shut];

	shut.addEventListener('click', close);
	if (profile.facts.length || profile.values.some(({facts}) => facts.length))
		content.push(element('h2', {}, 'This profile'), element('dl', {class: 'facts'}));
	for (const {keys: names, help} of keys)
		list.append(element('dt', {}, ...names.flatMap(
			(name, i) => [i ? ' ' : '', element('kbd', {}, KEY_LABELS[name] ?? name)])),
			element('dd', {}, help));
	const mouse = element('dl');

	for (const [what, help] of MOUSE_HELP)
		mouse.append(element('dt', {}, what), element('dd', {}, help));
	list.className = 'keys';
	if (profile.times)
		content.push(element('h2', {}, 'Time line'), element('p', {},
			'A click on a column shows its time, a drag the time that it passes. On the time line, ← and → ' +
			'walk, with Shift they pick a range, Enter shows it.'));
	if (profile.heat)
		content.push(element('h2', {}, 'Heat map'), element('p', {},
			'A drag over cells shows that time; with Shift, or after “Compare”, it is compared with the time that ' +
			'was shown: full colours are sure, pale ones are not. On the heat map, arrow keys walk, with Shift ' +
			'they pick a range, Enter shows it, Shift + Enter compares it, Esc goes back to the whole time.'));
	content.push(element('h2', {}, 'Keys'), list, element('h2', {}, 'Mouse'), mouse,
		element('h2', {}, 'Search and narrow frames'), element('p', {},
		'A search is a regular expression on function names; “module:” or “kind:” before it ' +
		'looks there. Without a capital letter, case does not matter. A stack counts once, ' +
		'however many of its frames match. Frames narrower than a pixel are not drawn, but ' +
		'hatched together and counted.'));
	return content;
}

const KEY_LABELS = {
	ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→',
	Escape: 'Esc', Backspace: '⌫',
};
