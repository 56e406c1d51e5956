// SPDX-License-Identifier: GPL-2.0-only
/*
 * The picture comes drawn; what this adds is to look closer: a click or Enter on a box makes it as
 * wide as the page, Escape or a click on "all" brings the whole back, the pointer says what a box
 * is, and a search leaves the boxes of that name in full colour. Text enters as text only.
 */
'use strict';

(() => {
	const svg = document.querySelector('.flame');
	const details = document.getElementById('details');
	const search = document.getElementById('search');
	const found = document.getElementById('found');
	const boxes = Array.from(svg.querySelectorAll('.box'), (element) => ({
		element,
		x: Number(element.dataset.x),
		width: Number(element.dataset.w),
		depth: Number(element.dataset.d),
		label: element.dataset.label,
		rect: element.querySelector('rect'),
		text: element.querySelector('text'),
	}));
	const all = boxes[0];
	const LEFT = 12;
	const WIDTH = 1176;
	const INDENT = 4;
	const pen = document.createElement('canvas').getContext('2d');

	pen.font = '11px Helvetica, Arial, "Liberation Sans", sans-serif';

	function fit(label, room) {
		if (pen.measureText(label).width <= room)
			return label;
		let length = Math.floor(room / 5);
		while (length > 2 && pen.measureText(`${label.slice(0, length)}…`).width > room)
			length--;
		return length > 2 ? `${label.slice(0, length)}…` : '';
	}

	/* Boxes below the one that fills the page are as wide as it; those beside it are away. */
	function show(target) {
		for (const box of boxes) {
			const above = box.x <= target.x + 1e-9 &&
				box.x + box.width >= target.x + target.width - 1e-9 && box.depth <= target.depth;
			const from = Math.max(box.x, target.x);
			const to = Math.min(box.x + box.width, target.x + target.width);
			const left = LEFT + (from - target.x) / target.width * WIDTH;
			const width = (to - from) / target.width * WIDTH;

			box.element.style.display = above || width > 0.3 ? '' : 'none';
			if (!above && width <= 0.3)
				continue;
			box.rect.setAttribute('x', left);
			box.rect.setAttribute('width', Math.max(width > 3 ? width - 0.8 : width, 0.3));
			box.text.setAttribute('x', left + INDENT);
			box.text.textContent = fit(box.label, width - 2 * INDENT);
		}
	}

	function mark() {
		const wanted = search.value.toLowerCase();
		let nr = 0;

		for (const box of boxes) {
			const matches = wanted !== '' && box.label.toLowerCase().includes(wanted);

			box.element.classList.toggle('match', matches);
			nr += matches;
		}
		svg.classList.toggle('searched', wanted !== '');
		found.textContent = wanted === '' ? '' : `${nr} box${nr === 1 ? '' : 'es'}`;
	}

	for (const box of boxes) {
		const title = box.element.querySelector('title');
		const text = title.textContent;

		title.remove(); /* shown below the graph, at once */
		box.element.setAttribute('aria-label', text);
		box.element.setAttribute('tabindex', '0');
		for (const event of ['pointerenter', 'focus'])
			box.element.addEventListener(event, () => {
				details.textContent = text;
			});
		box.element.addEventListener('click', () => show(box));
		box.element.addEventListener('keydown', (event) => {
			if (event.key === 'Enter')
				show(box);
		});
	}
	document.addEventListener('keydown', (event) => {
		if (event.key !== 'Escape')
			return;
		search.value = '';
		mark();
		show(all);
	});
	search.addEventListener('input', mark);
	show(all);
})();
