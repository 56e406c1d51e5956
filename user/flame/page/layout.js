// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which boxes are to be drawn, and where: pure arithmetic, no document. It is the layout of
 * user/flame/layout.h, of any part of the whole; a test holds one against the other.
 *
 * A view is the part of the profile that the width shows, {from, to} in the unit of the value. Nodes
 * narrower than a pixel are not laid out: neighbours of that kind become one box with `hidden`, the
 * number of nodes in it with all that is above them, so that nothing disappears without a count.
 */
'use strict';

const MIN_WIDTH = 1;

/*
 * Returns rows, each an array of boxes {first, end, depth, left, right, hidden} from left to right
 * (pixels, clipped to the view), and the sum of all hidden.
 */
function layoutGraph(stacks, value, view, width) {
	const layout = {rows: [], hidden: 0};
	const frame = {
		stacks, view,
		sums: stacks.sums[value],
		scale: width / Math.max(view.to - view.from, Number.MIN_VALUE),
	};
	let row = [{...stacks.root(), left: 0, right: width, hidden: 0}];

	while (row.length) {
		const next = [];

		layout.rows.push(row);
		for (const box of row)
			if (!box.hidden)
				layoutChildren(frame, box, next);
		for (const box of next)
			layout.hidden += box.hidden;
		row = next.filter((box) => !box.hidden || box.right - box.left >= MIN_WIDTH);
	}
	return layout;
}

function layoutChildren({stacks, sums, view, scale}, parent, row) {
	const depth = parent.depth + 1;
	let first = parent.first + (stacks.endsHere(parent) ? 1 : 0);
	let run = null;

	while (first < parent.end && sums[first] < view.to) {
		const end = stacks.endOf(first, parent.end, depth);
		const from = Math.max(sums[first], view.from);
		const to = Math.min(sums[end], view.to);
		const box = {
			first, end, depth, hidden: 0,
			left: (from - view.from) * scale,
			right: (to - view.from) * scale,
		};

		first = end;
		if (to <= view.from)
			continue;
		/* What the view's edge cuts is not narrow. */
		if ((sums[end] - sums[box.first]) * scale >= MIN_WIDTH) {
			row.push(box);
			run = null;
			continue;
		}
		box.hidden = stacks.nrBelow(box) + 1;
		if (run) {
			run.end = box.end;
			run.right = box.right;
			run.hidden += box.hidden;
		} else {
			row.push(run = box);
		}
	}
}

/* The box at a place in a row, or null. */
function findBox(row, x) {
	let low = 0;
	let high = row.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (row[middle].right <= x)
			low = middle + 1;
		else
			high = middle;
	}
	return low < row.length && row[low].left <= x ? row[low] : null;
}
