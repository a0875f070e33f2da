// SPDX-License-Identifier: GPL-2.0-only
// The overview of several objects: a row for each.

import { FREED, NONE, eventText, valueText } from "./data.js";
import { find, make } from "./dom.js";
import { durationText, numberText, plural } from "./format.js";
import { hitsOf, sortObjects } from "./objects.js";
import { VirtualTable } from "./virtual.js";

// The columns that sort
const ORDERS = { number: "start", life: "life", hits: "hits", unusual: "unusual" };

export class Overview {
	// onOpen(object) and onSort(order) are called for the user's choices.
	constructor(data, { onOpen, onSort }) {
		this.data = data;
		this.order = "start";
		this.filter = null;
		this.columns = this.makeColumns(onSort);
		this.table = new VirtualTable(find("objects"), "Objects", this.columns, {
			onOpen: object => onOpen(object), onMove: () => {},
			rowClass: object => object.score ? "unusual" : "",
		});
		find("sort").addEventListener("change", () => onSort(find("sort").value));
	}

	makeColumns(onSort) {
		const data = this.data;
		const column = (name, title, cell) => ({
			title, className: name, cell,
			sort: ORDERS[name] ? () => onSort(ORDERS[name]) : null,
		});

		return [
			column("number", "Object", object => String(object.number)),
			column("address", "Address", object => object.address),
			column("type", "Type", object => [object.type && "struct " + object.type,
				object.member, object.place && "in " + object.place]
				.filter(Boolean).join(" ") || "\u2013"),
			column("span", "Life in the trace", object => this.lifeBar(object)),
			column("life", "Life", object => durationText(object.length)),
			column("hits", "Hits", object => numberText(hitsOf(object))),
			column("last", "Last value", object => valueText(data, object.lastValue)),
			column("unusual", "Unusual", object => object.unusual),
			column("end", "End", object => object.del === NONE ? "still tracked" :
				eventText(data, object.del)),
		].filter(({ className }) => className !== "unusual" ||
			 data.objects.some(object => object.unusual));
	}

	lifeBar(object) {
		const total = Math.max(1, this.data.length);
		const bar = make("span", { "class": object.reason === FREED ? "bar freed" : "bar" });

		bar.style.left = 100 * object.start / total + "%";
		bar.style.width = 100 * object.length / total + "%";
		return make("span", { "class": "track" }, bar);
	}

	setOrder(order) {
		this.order = ORDERS[order] || Object.values(ORDERS).includes(order) ? order : "start";
		find("sort").value = this.order;
		this.show();
	}

	// Show only the objects for which the filter is true; null shows all.
	setFilter(filter) {
		this.filter = filter;
		this.show();
	}

	show() {
		const rows = sortObjects(this.filter ? this.data.objects.filter(this.filter) :
						       this.data.objects, this.order);
		const nr = this.columns.findIndex(column => ORDERS[column.className] === this.order);

		this.table.setRows(rows);
		this.table.setSort(nr, this.order === "start" ? "ascending" : "descending");
		find("count").textContent = this.filter ?
			rows.length + " of " + plural(this.data.objects.length, "object") :
			plural(rows.length, "object");
	}
}
