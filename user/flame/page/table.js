// SPDX-License-Identifier: GPL-2.0-only
/*
 * The table of functions: self and total, sorted by any column. It holds only the rows that are in
 * sight (two spacers stand for the others), so 20,000 functions scroll like 20.
 */
'use strict';

const TABLE_ROW_HEIGHT = 30;
const PRINTED_ROWS = 40;

const COLUMNS = {
	name: {title: 'Function', compare: (table, a, b) => a - b}, // names are in order of text
	self: {title: 'Self', compare: (table, a, b) => table.totals.self[b] - table.totals.self[a]},
	total: {title: 'Total', compare: (table, a, b) => table.totals.total[b] - table.totals.total[a]},
};

function element(tag, attributes = {}, ...children) {
	const made = document.createElement(tag);

	for (const [name, value] of Object.entries(attributes))
		made.setAttribute(name, value);
	made.append(...children);
	return made;
}

class Table {
	/* Below scroller; format: {amount, share} (of a value); pick(name) is called for a row that was chosen. */
	constructor(scroller, profile, format, pick) {
		this.scroller = scroller;
		this.profile = profile;
		this.format = format;
		this.pick = pick;
		this.rows = [];
		this.sort = {column: 'self', down: true};
		this.build();
		scroller.addEventListener('scroll', () => this.draw());
	}

	build() {
		const head = element('tr');

		this.buttons = {};
		for (const [column, {title}] of Object.entries(COLUMNS)) {
			const button = element('button', {type: 'button'}, title);
			const cell = element('th', {scope: 'col', class: column}, button);

			button.addEventListener('click', () => this.sortBy(column));
			this.buttons[column] = cell;
			head.append(cell);
		}
		this.body = element('tbody');
		this.body.addEventListener('click', (event) => this.choose(event.target));
		this.table = element('table', {},
			element('caption', {class: 'unseen'}, 'Functions by self and total'),
			element('thead', {}, head), this.body);
		this.empty = element('p', {class: 'nothing', hidden: ''}, 'No function matches.');
		this.scroller.append(this.table, this.empty);
	}

	choose(target) {
		const row = target.closest('tr[data-name]');

		if (row)
			this.pick(Number(row.dataset.name));
	}

	/* What to show; matches is null or says for each name whether it is searched for. */
	update({totals, matches, picked, palette}) {
		const {names} = this.profile;

		Object.assign(this, {totals, picked, palette});
		const largest = (numbers) => this.rows.reduce(
			(most, name) => Math.max(most, numbers[name]), 0);

		this.rows = [];
		for (let name = 0; name < names.length; name++) {
			const shown = isProcess(this.profile, names[name]) ? totals.self[name] > 0 : true;

			if (shown && (!matches || matches[name]))
				this.rows.push(name);
		}
		this.most = {self: largest(totals.self), total: largest(totals.total)};
		this.order();
	}

	sortBy(column) {
		const again = this.sort.column === column;

		this.sort = {column, down: again ? !this.sort.down : column !== 'name'};
		this.order();
	}

	order() {
		const {column, down} = this.sort;
		const forward = down === (column !== 'name');
		const other = column === 'self' ? 'total' : 'self';
		const compare = (a, b) => COLUMNS[column].compare(this, a, b) ||
			COLUMNS[other].compare(this, a, b) || a - b;

		this.rows.sort(forward ? compare : (a, b) => compare(b, a));
		for (const [each, cell] of Object.entries(this.buttons))
			cell.setAttribute('aria-sort',
				each !== column ? 'none' : down ? 'descending' : 'ascending');
		this.table.setAttribute('aria-rowcount', this.rows.length + 1);
		this.empty.hidden = this.rows.length > 0;
		this.draw();
	}

	draw() {
		const above = Math.floor(this.scroller.scrollTop / TABLE_ROW_HEIGHT);
		const first = Math.max(0, Math.min(above, this.rows.length) - 8);
		const visible = Math.ceil(this.scroller.clientHeight / TABLE_ROW_HEIGHT) + 16;

		this.drawRows(first, Math.min(this.rows.length, first + visible));
	}

	/* Paper does not scroll. */
	print() {
		this.drawRows(0, Math.min(this.rows.length, PRINTED_ROWS));
	}

	drawRows(first, end) {
		const rows = [this.spacer(first)];
		const focused = this.body.contains(document.activeElement) ?
			document.activeElement.closest('tr').dataset.name : null;

		for (let i = first; i < end; i++)
			rows.push(this.row(this.rows[i], i));
		rows.push(this.spacer(this.rows.length - end));
		this.body.replaceChildren(...rows);
		if (focused !== null)
			this.body.querySelector(`tr[data-name="${focused}"] button`)?.focus();
	}

	spacer(nrRows) {
		const row = element('tr', {class: 'spacer', 'aria-hidden': 'true'});

		row.style.height = `${nrRows * TABLE_ROW_HEIGHT}px`;
		return row;
	}

	row(index, position) {
		const name = this.profile.names[index];
		const swatch = element('span', {class: 'swatch'});
		const button = element('button', {type: 'button', title: name.text},
			swatch, element('span', {class: 'function'}, shorten(name.text)));
		const row = element('tr', {'data-name': index, 'aria-rowindex': position + 2});

		swatch.style.background = this.palette[index];
		if (name.module)
			button.append(element('span', {class: 'module'}, name.module.text));
		button.setAttribute('aria-pressed', index === this.picked);
		row.classList.toggle('picked', index === this.picked);
		row.append(element('td', {class: 'name'}, button),
			this.number(this.totals.self[index], this.most.self),
			this.number(this.totals.total[index], this.most.total));
		return row;
	}

	/* The bar is as long as its share of the most in its column. */
	number(value, most) {
		const cell = element('td', {class: 'number'},
			element('span', {class: 'amount'}, this.format.amount(value)),
			element('span', {class: 'share'}, this.format.share(value)));

		cell.style.setProperty('--share', `${most ? 100 * value / most : 0}%`);
		return cell;
	}
}
