// SPDX-License-Identifier: GPL-2.0-only
// A table with any number of rows, of which only the visible rows are elements.

import { make, markDrawn, perFrame } from "./dom.js";

const ROW_HEIGHT = 24;
// Rows above and below the visible rows
const SPARE = 8;
// Browsers limit the height of an element.  A taller table scrolls faster.
const MAX_HEIGHT = 8e6;

export class VirtualTable {
	// A column has a title, a class, and a function from a row to a text or an element.
	// onOpen(row, place) is called for a click and for Enter, onMove for arrow keys.
	constructor(container, label, columns, { onOpen, onMove = onOpen, rowClass }) {
		this.columns = columns;
		this.onOpen = onOpen;
		this.onMove = onMove;
		this.rowClass = rowClass || (() => "");
		this.rows = [];
		this.current = 0;
		this.revealed = null;
		this.head = make("tr", null, ...columns.map(column => make("th", {
			scope: "col", "class": column.className,
			"aria-sort": column.sort ? "none" : null,
		}, column.sort ? make("button", { type: "button", click: column.sort }, column.title) :
				 column.title)));
		this.body = make("tbody");
		this.table = make("table", { "aria-label": label }, make("thead", null, this.head),
				  this.body);
		this.above = make("div");
		this.below = make("div");
		this.scroller = make("div", { "class": "scroller", tabindex: "0", role: "region",
					      "aria-label": label },
				     this.above, this.table, this.below);
		container.append(this.scroller);
		this.update = perFrame(() => this.render());
		this.scroller.addEventListener("scroll", this.update);
		this.scroller.addEventListener("keydown", key => this.onKey(key));
		new ResizeObserver(this.update).observe(this.scroller);
	}

	// Show other rows: any array.
	setRows(rows, current = 0) {
		this.rows = rows;
		this.current = Math.max(0, Math.min(current, rows.length - 1));
		this.table.setAttribute("aria-rowcount", rows.length + 1);
		this.update();
	}

	setSort(nr, direction) {
		[...this.head.children].forEach((cell, i) => {
			if (cell.hasAttribute("aria-sort"))
				cell.setAttribute("aria-sort", i === nr ? direction : "none");
		});
	}

	visibleRows() {
		return Math.max(1, Math.floor(this.scroller.clientHeight / ROW_HEIGHT) - 1);
	}

	// Height of all rows, and the rows that each pixel of it stands for
	measure() {
		const height = Math.min(MAX_HEIGHT, this.rows.length * ROW_HEIGHT);

		return { height, perPixel: height ? this.rows.length / height : 0 };
	}

	// Make a row the current row, and scroll to it with the next frame.
	reveal(place) {
		this.current = place;
		this.revealed = place;
		this.update();
	}

	// Scroll so that a row is visible.
	scrollTo(place, perPixel) {
		const top = this.scroller.scrollTop * perPixel;
		const nr = this.visibleRows();

		if (place < top || place > top + nr - 1)
			this.scroller.scrollTop = Math.max(0, place - Math.floor(nr / 2)) / (perPixel || 1);
	}

	// The rows of the last frame do not limit the place that the table scrolls to.
	scrollToRevealed({ height, perPixel }) {
		if (this.revealed === null || !this.scroller.clientHeight)
			return;
		this.below.style.height = height + "px";
		this.scrollTo(this.revealed, perPixel);
		this.revealed = null;
	}

	render() {
		const { height, perPixel } = this.measure();

		this.scrollToRevealed({ height, perPixel });
		const first = Math.max(0, Math.floor(this.scroller.scrollTop * perPixel) - SPARE);
		const nr = Math.min(this.rows.length - first, this.visibleRows() + 2 * SPARE + 1);
		const above = Math.min(first / (perPixel || 1), Math.max(0, height - nr * ROW_HEIGHT));

		this.above.style.height = above + "px";
		this.below.style.height = Math.max(0, height - above - nr * ROW_HEIGHT) + "px";
		this.body.replaceChildren(...Array.from({ length: Math.max(0, nr) },
							(_, i) => this.makeRow(first + i)));
		if (nr > 0 && this.scroller.clientHeight)
			markDrawn();
	}

	makeRow(place) {
		const row = this.rows[place];
		const className = this.rowClass(row) + (place === this.current ? " current" : "");

		const cells = this.columns.map(column =>
			make("td", { "class": column.className }, column.cell(row)));

		return make("tr", {
			"class": className.trim() || null, "aria-rowindex": place + 2,
			"aria-current": place === this.current ? "true" : null,
			click: () => this.choose(place),
		}, ...cells);
	}

	choose(place) {
		this.current = place;
		this.update();
		this.onOpen(this.rows[place], place);
	}

	onKey(key) {
		const page = this.visibleRows();
		const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
				Home: -this.rows.length, End: this.rows.length };

		if (!this.rows.length || key.altKey || key.ctrlKey || key.metaKey)
			return;
		if (key.key === "Enter" && key.target === this.scroller) {
			key.preventDefault();
			this.choose(this.current);
		} else if (steps[key.key]) {
			key.preventDefault();
			this.move(steps[key.key]);
		}
	}

	move(step) {
		const place = Math.max(0, Math.min(this.rows.length - 1, this.current + step));

		this.reveal(place);
		this.onMove(this.rows[place], place);
	}
}
