// SPDX-License-Identifier: GPL-2.0-only
/*
 * Colours, and the painting of a layout on a canvas.
 *
 * A canvas and not elements: a zoomed-in graph of 100,000 stacks has some 10,000 boxes on screen,
 * which a canvas repaints within a frame of an animation and a document does not. What a canvas
 * lacks, the page gives back: the keyboard walks the tree and says each frame (page.js), and
 * the table is an ordinary table.
 */
'use strict';

const ROW_HEIGHT = 21;
const TEXT_INDENT = 6;
const MIN_TEXT = 3; // characters: less says nothing
const MIN_TEXT_WIDTH = 22;
const STRIP_HEIGHT = 3;
const FONT = '12px "Inter", system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';

/* colors.c has the same numbers (of the light theme) for the static picture. */
const THEMES = {
	light: {lightness: 0.815, vivid: 1, greyLightness: 0.865},
	dark: {lightness: 0.475, vivid: 0.88, greyLightness: 0.4},
};
const KIND_HUES = {user: 65, kernel: 250, jit: 150, interpreted: 110, inlined: 320};
const KIND_CHROMA = 0.1;
const GREY = {chroma: 0.012, hue: 260, grey: true};

function linearToByte(x) {
	const clipped = Math.min(Math.max(x, 0), 1);

	return Math.round(255 *
		(clipped <= 0.0031308 ? 12.92 * clipped : 1.055 * clipped ** (1 / 2.4) - 0.055));
}

function oklchToHex(lightness, chroma, hue) {
	const a = chroma * Math.cos(hue * Math.PI / 180);
	const b = chroma * Math.sin(hue * Math.PI / 180);
	const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
	const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
	const s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3;

	return '#' + [
		4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
		-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
		-0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
	].map((x) => linearToByte(x).toString(16).padStart(2, '0')).join('');
}

/*
 * The ways to colour, a row each: how a name is grouped, what the group is called, its hue. Where a
 * colour means a change or a state, overlay.js or waits.js colours frames.
 */
const COLORINGS = {
	module: {
		label: (profile, name) => name.module?.text ?? 'no module',
		search: (profile, name) => `module:^${escapePattern(name.module?.text ?? '')}$`,
		color: (profile, name) => (name.module ? moduleColor(name.module) : GREY),
	},
	kind: {
		label: (profile, name) => profile.kinds[name.kind],
		search: (profile, name) => `kind:^${escapePattern(profile.kinds[name.kind])}$`,
		color: (profile, name) => (
			{chroma: KIND_CHROMA, hue: KIND_HUES[profile.kinds[name.kind]] ?? 0}),
	},
	change: {color: () => GREY},
};

/* Where nothing is told of states. */
COLORINGS.state = COLORINGS.module;

function isProcess(profile, name) {
	return name.kind === profile.kinds.length - 1;
}

function moduleColor({hash}) {
	return {chroma: 0.072 + 0.006 * ((hash >>> 16) % 9), hue: hash % 360};
}

/* tint: -1 to 1, by function, so that neighbours of one module are told apart. */
function themeColor(profile, name, coloring, theme, tint) {
	const {lightness, vivid, greyLightness} = THEMES[theme];
	const {chroma, hue, grey} = isProcess(profile, name) ? GREY :
		COLORINGS[coloring].color(profile, name);

	return oklchToHex((grey ? greyLightness : lightness) + 0.035 * tint, vivid * chroma,
		hue + 9 * tint);
}

function nameColor(profile, name, coloring, theme) {
	return themeColor(profile, name, coloring, theme, name.hash % 101 / 50 - 1);
}

function legendColor(profile, name, coloring, theme) {
	return themeColor(profile, name, coloring, theme, 0);
}

/* Removes what is between a pair of brackets, with all brackets inside it. */
function withoutBrackets(text, open, close) {
	let depth = 0;
	let kept = '';

	for (let i = 0; i < text.length; i++) {
		const operator = depth === 0 && text.endsWith('operator', i);

		if (text[i] === open && !operator)
			depth++;
		if (depth === 0)
			kept += text[i];
		/* The arrow of "->" closes nothing. */
		if (text[i] === close && depth > 0 && text[i - 1] !== '-')
			depth--;
	}
	return depth === 0 ? kept : text;
}

/*
 * Ways to write a name, longest first. In C++ and Rust the last part says most:
 * "std::vector<int, A>::insert(int)", "std::vector::insert", "insert".
 */
function shortForms(text) {
	if (!text.includes('::'))
		return [shorten(text)];
	const plain = withoutBrackets(withoutBrackets(text, '<', '>'), '(', ')')
		.replace(/ (const|volatile)$/, '').replace(/^.* (?=\S*::)/, '').replace(/^::/, '').replace(/(::)+/g, '::');
	const last = plain.split('::').at(-1);

	return [shorten(text), shorten(plain), last].filter(Boolean);
}

/* Cuts text to a width without measuring the same character twice. */
class Fitter {
	constructor(context) {
		this.context = context;
		this.widths = new Map();
		this.ellipsis = this.width('…');
	}

	width(character) {
		let width = this.widths.get(character);

		if (width === undefined) {
			width = this.context.measureText(character).width;
			this.widths.set(character, width);
		}
		return width;
	}

	/* The first of some texts that fits; else the last one, cut. */
	fit(texts, room) {
		return texts.find((text) => this.cut(text, room) === text) ?? this.cut(texts.at(-1), room);
	}

	cut(text, room) {
		let used = 0;
		let cut = 0;
		let at = 0;

		for (const character of text) {
			used += this.width(character);
			if (used > room)
				return cut < MIN_TEXT ? '' : text.slice(0, cut) + '…';
			at += character.length;
			if (used + this.ellipsis <= room)
				cut = at;
		}
		return text;
	}
}

/*
 * Paints into a canvas whose height may be only a window onto the graph. What and how:
 *
 *	layout, profile, stacks, palette (a colour for each name), ink (the page's own colours)
 *	width, height, scale     of the canvas in CSS pixels; device pixels in one of them
 *	flame, graphHeight, top  root at the bottom of so high a graph, scrolled by so much
 *	matches                  null, or for each name whether it is searched for
 *	dimDepth                 rows above the zoomed frame
 *	rootText                 what the root is called
 *	style                    null, or of a box {fill, text, presence, change, strip}: what differs
 */
class Painter {
	constructor(canvas) {
		this.canvas = canvas;
		this.context = canvas.getContext('2d', {alpha: false});
		this.context.font = FONT;
		this.fitter = new Fitter(this.context);
		this.formsOf = new Map();
	}

	paint(picture) {
		const {width, height, scale, layout} = picture;
		const context = this.context;

		this.canvas.width = Math.max(1, Math.round(width * scale));
		this.canvas.height = Math.max(1, Math.round(height * scale));
		context.scale(scale, scale);
		context.fillStyle = picture.ink.surface;
		context.fillRect(0, 0, width, height);
		context.font = FONT;
		context.textBaseline = 'middle';
		this.picture = picture;
		layout.rows.forEach((row, depth) => {
			const y = rowTop(picture, depth);

			if (y + ROW_HEIGHT > 0 && y < height)
				this.paintRow(row, depth, y);
		});
		context.globalAlpha = 1;
	}

	paintRow(row, depth, y) {
		const {dimDepth} = this.picture;

		for (const box of row) {
			this.context.globalAlpha = depth < dimDepth ? 0.55 : 1;
			if (box.hidden)
				this.paintRun(box, y);
			else
				this.paintBox(box, depth, y);
		}
	}

	/* Edges on device pixels, and a gap to the right where there is room for one. */
	edges(box) {
		const {scale} = this.picture;
		const left = Math.round(box.left * scale) / scale;
		const right = Math.round(box.right * scale) / scale;

		return {left, width: Math.max(right - left - (right - left > 3 ? 1 : 0), 1 / scale)};
	}

	fill(left, y, width) {
		const context = this.context;

		if (width < 8) {
			context.fillRect(left, y, width, ROW_HEIGHT - 1);
			return;
		}
		context.beginPath();
		context.roundRect(left, y, width, ROW_HEIGHT - 1, 2.5);
		context.fill();
	}

	paintBox(box, depth, y) {
		const {profile, stacks, palette, matches, ink, rootText} = this.picture;
		const {left, width} = this.edges(box);
		const name = depth ? stacks.name(box) : -1;
		const matched = matches && name >= 0 && matches[name];
		const style = this.picture.style?.(box) ?? {};

		if (matches && !matched)
			this.context.globalAlpha = 0.3;
		this.context.fillStyle = matched ? ink.match :
			style.fill ?? (name < 0 ? ink.root : palette[name]);
		if (style.presence)
			this.fillPresence(style.presence, left, y, width);
		else
			this.fill(left, y, width);
		if (width < MIN_TEXT_WIDTH)
			return;
		if (style.strip)
			this.paintStrip(style.strip, left, y, width);
		this.context.globalAlpha = Math.max(this.context.globalAlpha, matches ? 0.55 : 0.75);
		this.context.fillStyle = matched ? ink.matchText : style.text ?? ink.frameText;
		this.paintText(name < 0 ? [rootText] : this.texts(profile.names[name].text, style.change),
			left, width, y);
	}

	/* What a frame is made of, along its lower edge. */
	paintStrip(strip, left, y, width) {
		let at = left;

		for (const {share, color} of strip) {
			this.context.fillStyle = color;
			this.context.fillRect(at, y + ROW_HEIGHT - 2 - STRIP_HEIGHT, share * width, STRIP_HEIGHT);
			at += share * width;
		}
	}

	/* What only one side has: framed when it is new, dashed and pale when it is gone. */
	fillPresence(presence, left, y, width) {
		const context = this.context;
		const {ink} = this.picture;
		const alpha = context.globalAlpha;

		context.globalAlpha = presence === 'gone' ? 0.35 * alpha : alpha;
		this.fill(left, y, width);
		context.globalAlpha = alpha;
		context.strokeStyle = presence === 'gone' ? ink.soft : ink.select;
		context.lineWidth = 1.5;
		context.setLineDash(presence === 'gone' ? [3, 2] : []);
		context.beginPath();
		context.roundRect(left + 0.75, y + 0.75, Math.max(width - 1.5, 0.5), ROW_HEIGHT - 2.5, 2);
		context.stroke();
		context.setLineDash([]);
	}

	/* Ways to write a name with its change, then without, longest first. */
	texts(name, change) {
		const forms = this.forms(name);

		return change ? [...forms.map((form) => `${form} ${change}`), ...forms] : forms;
	}

	forms(text) {
		if (!this.formsOf.has(text))
			this.formsOf.set(text, shortForms(text));
		return this.formsOf.get(text);
	}

	paintText(texts, left, width, y) {
		const fitted = this.fitter.fit(texts, width - 2 * TEXT_INDENT + 3);

		if (fitted)
			this.context.fillText(fitted, left + TEXT_INDENT, y + ROW_HEIGHT / 2);
	}

	/* Many frames narrower than a pixel: hatched, so that it is not taken for one frame. */
	paintRun(box, y) {
		const {ink, matches} = this.picture;
		const {left, width} = this.edges(box);

		if (matches)
			this.context.globalAlpha = 0.5;
		this.context.fillStyle = ink.hidden;
		this.context.fillRect(left, y, width, ROW_HEIGHT - 1);
		if (width < 4)
			return;
		this.context.fillStyle = this.hatching();
		this.context.fillRect(left, y, width, ROW_HEIGHT - 1);
		this.context.fillStyle = ink.soft;
		/* A number that is cut would be another number. */
		this.paintText([plural(box.hidden, 'frame'), ''], left, width, y);
	}

	hatching() {
		const {ink} = this.picture;

		if (this.hatchColor !== ink.hiddenLine) {
			const tile = document.createElement('canvas');
			const context = tile.getContext('2d');

			tile.width = tile.height = 6;
			context.strokeStyle = ink.hiddenLine;
			context.beginPath();
			for (const x of [-6, 0, 6]) {
				context.moveTo(x, 6);
				context.lineTo(x + 6, 0);
			}
			context.stroke();
			this.hatchColor = ink.hiddenLine;
			this.hatchPattern = this.context.createPattern(tile, 'repeat');
		}
		return this.hatchPattern;
	}

	outline(box, color) {
		const y = rowTop(this.picture, box.depth);
		const {left, width} = this.edges(box);

		this.context.strokeStyle = color;
		this.context.lineWidth = 2;
		this.context.beginPath();
		this.context.roundRect(left + 1, y + 1, Math.max(width - 2, 1), ROW_HEIGHT - 3, 2);
		this.context.stroke();
	}
}

function rowTop({flame, graphHeight, top}, depth) {
	return (flame ? graphHeight - (depth + 1) * ROW_HEIGHT : depth * ROW_HEIGHT) - top;
}

function rowAt({flame, graphHeight, top}, y) {
	const fromTop = Math.floor((y + top) / ROW_HEIGHT);

	return flame ? graphHeight / ROW_HEIGHT - 1 - fromTop : fromTop;
}
