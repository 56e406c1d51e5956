// SPDX-License-Identifier: GPL-2.0-only
/*
 * A comparison on the page: what is told of a frame, and how its box looks. Values are the mean of
 * the shares of both sides, the base's and the new one's; a frame about which something is told has
 * a stack of its own, the first one in it. Nothing is told of a frame that is too small.
 */
'use strict';

const SIDES = {base: 1, fresh: 2}; // as values of the profile
const STRONG_TEXT = '#ffffff';

/* A row each, in the order of the legend: a tone, or where frames of this kind are. */
const COMPARED_LEGEND = [
	{tone: 'regressed'}, {tone: 'improved'}, {tone: 'slower'}, {tone: 'faster'}, {tone: 'moved'},
	{tone: 'unchanged'}, {tone: 'none'},
	{tone: 'unchanged', presence: 'new'}, {tone: 'unchanged', presence: 'gone'},
];

class Overlay {
	/* told: {tones, tone, change, words}, as data.js reads it. */
	constructor(told) {
		Object.assign(this, told);
	}

	/* {tone, change, words} of a node. */
	find(stacks, node) {
		const stack = node.first;

		return node.depth && stacks.endsHere(node) ?
			{tone: this.tones[this.tone[stack]], change: this.change[stack], words: this.words[stack]} :
			{tone: this.tones[0], change: '', words: ''};
	}

	/* 'new', 'gone', or nothing. */
	presence(stacks, node) {
		if (!node.depth)
			return '';
		return stacks.total(node, SIDES.base) === 0 ? 'new' :
			stacks.total(node, SIDES.fresh) === 0 ? 'gone' : '';
	}

	/* What Painter asks of a box; its own colour only where colours mean the change. */
	style(stacks, box, theme, coloring) {
		const {tone, change} = this.find(stacks, box);
		const presence = this.presence(stacks, box);
		const colored = coloring === 'change' && box.depth > 0;

		return {
			presence, change,
			fill: colored ? tone[theme] : null,
			text: colored && tone.strong && presence !== 'gone' ? STRONG_TEXT : null,
		};
	}

	legendItems(theme) {
		return COMPARED_LEGEND.map(({tone: name, presence}) => {
			const tone = this.tones.find((each) => each.name === name);
			const swatch = element('span', {class: `swatch ${presence ?? ''}`});

			swatch.style.background = tone[theme];
			return element('li', {}, element('span', {class: 'rest'}, swatch, presence ?? tone.label));
		});
	}
}
