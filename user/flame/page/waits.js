// SPDX-License-Identifier: GPL-2.0-only
/*
 * What threads did, on the page: how much of a frame they ran, or waited, and for what. Such parts
 * are values of the stacks, too: those of the profile come first, then those of each part. Nothing is
 * told of samples of events that are no waits.
 */
'use strict';

const ALL_PARTS = 'all';

class Waits {
	constructor({parts, names, values}) {
		this.parts = parts;
		this.names = names;
		this.nrValues = values.length;
		this.groups = {state: this.groupBy('state'), wait: this.groupBy('wait')};
		this.palettes = new Map();
	}

	/* {name, key, hue, chroma, parts: their numbers}, in the order of the file. */
	groupBy(by) {
		const groups = new Map();

		this.parts.forEach((part, i) => {
			const name = part[by];
			const group = groups.get(name) ?? {...part, name, key: `${by}:${name}`, parts: []};

			group.parts.push(i);
			groups.set(name, group);
		});
		return [...groups.values()].filter(({name}) => name);
	}

	/* How a part is asked for, and what it is called. */
	get choices() {
		return {[ALL_PARTS]: 'all', ...Object.fromEntries(
			[...this.groups.state, ...this.groups.wait].map(({key, name}) => [key, name]))};
	}

	amount(stacks, box, value, group) {
		return group.parts.reduce(
			(sum, part) => sum + stacks.total(box, this.nrValues * (1 + part) + value), 0);
	}

	/* The stacks that a choice leaves, with its parts of their values alone. */
	only(stacks, choice) {
		const {nrValues, parts} = this;
		const chosen = parts.map(({state, wait}) => choice === `state:${state}` || choice === `wait:${wait}`);
		const none = new Float64Array(stacks.nr);
		const kept = stacks.values.map((values, i) => (
			i >= nrValues && chosen[Math.floor(i / nrValues) - 1] ? values : none));

		for (let value = 0; value < nrValues; value++)
			kept[value] = Float64Array.from(none, (_, i) => parts.reduce(
				(sum, part, p) => sum + kept[nrValues * (1 + p) + value][i], 0));
		return stacks.withValues(kept);
	}

	/* ---- colours ---- */

	color({hue, chroma}, theme, tint) {
		const {lightness, vivid} = THEMES[theme];

		return oklchToHex(lightness + 0.035 * tint, vivid * chroma, hue + 9 * tint);
	}

	/* Of each name, where a frame mostly is of this group. */
	palette(group, theme) {
		const key = `${group.key} ${theme}`;

		if (!this.palettes.has(key))
			this.palettes.set(key, this.names.map(
				(name) => this.color(group, theme, name.hash % 101 / 50 - 1)));
		return this.palettes.get(key);
	}

	/* What Painter asks of a box: the colour of most of it, and if it has more than one, all of them. */
	style(stacks, box, value, theme) {
		const amounts = this.groups.state.map((group) => this.amount(stacks, box, value, group));
		const most = amounts.reduce((best, amount, i) => (amount > amounts[best] ? i : best), 0);
		const all = stacks.total(box, value);

		if (!amounts[most] || !box.depth)
			return {};
		return {
			fill: this.palette(this.groups.state[most], theme)[stacks.name(box)],
			strip: amounts[most] === all ? null : amounts.map((amount, i) => (
				{share: amount / all, color: this.color(this.groups.state[i], theme, 0)})),
		};
	}

	/* ---- words ---- */

	/* Groups with their amounts, largest first. */
	ranked(stacks, box, value, by) {
		return this.groups[by].map((group) => ({group, amount: this.amount(stacks, box, value, group)}))
			.filter(({amount}) => amount > 0).sort((a, b) => b.amount - a.amount);
	}

	/* "blocked 74.00%, woken 20.00%", "for lock 50.00%, net 40.00%", of the box. */
	describe(stacks, box, value) {
		const all = stacks.total(box, value);
		const list = (by) => this.ranked(stacks, box, value, by)
			.map(({group, amount}) => `${group.name} ${formatPercent(amount / all)}`).join(', ');
		const waits = list('wait');

		return [list('state'), waits && `for ${waits}`].filter(Boolean);
	}

	/* Shares of stacks, all of them; toggle(choice) is called when one is chosen. */
	legendItems(stacks, value, {theme, choice}, toggle) {
		const all = stacks.total(stacks.root(), value) || 1;

		const groups = ['state', 'wait'].flatMap((by) => this.ranked(stacks, stacks.root(), value, by));

		return groups.map(({group, amount}) => {
			const swatch = element('span', {class: 'swatch'});
			const button = element('button', {type: 'button', title: 'Show this alone'},
				...group.key.startsWith('state') ? [swatch] : ['for '],
				element('b', {}, group.name), formatPercent(amount / all));

			swatch.style.background = this.color(group, theme, 0);
			button.setAttribute('aria-pressed', choice === group.key);
			button.addEventListener('click', () => toggle(choice === group.key ? ALL_PARTS : group.key));
			return element('li', {}, button);
		});
	}
}
