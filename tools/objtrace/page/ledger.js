// SPDX-License-Identifier: GPL-2.0-only
// The ledger of a counter: the functions that raise and lower it, and the takes without a give.

import { siteText } from "./data.js";
import { find } from "./dom.js";
import { numberText, plural } from "./format.js";
import { VirtualTable } from "./virtual.js";

function signed(text) {
	return text.startsWith("-") || text === "0" ? text : "+" + text;
}

function sumOpen(rows) {
	return rows.reduce((sum, row) => sum + (row[5].startsWith("-") ? 0n : BigInt(row[5])), 0n);
}

function resultText({ begin, end, faults, rows }) {
	const left = BigInt(end) - BigInt(begin), open = sumOpen(rows);
	const result = open > 0n ? plural(open, "take") + " without a give" :
		       left > 0n ? left + " left open" :
		       left < 0n ? -left + " taken earlier and given back" : "nothing is left open";

	return begin + " at the start, " + end + " at the end: " + result +
	       (faults ? "; " + plural(faults, "change") + " with an unknown value" : "");
}

export class Ledger {
	constructor(data) {
		const column = (title, className, cell) => ({ title, className, cell });

		this.table = new VirtualTable(find("ledger-rows"), "Ledger", [
			column("Takes", "number", ([takes]) => numberText(takes)),
			column("Gives", "number", ([, gives]) => numberText(gives)),
			column("Sum", "number", ([, , sum]) => signed(sum)),
			column("No opposite", "number", row => row[5] === "0" ? "" : row[5]),
			column("Function", "event", ([, , , site, isUnsure]) =>
				(site < 0 ? "unknown" : siteText(data, site)) + (isUnsure ? " ?" : "")),
		], { onOpen: () => {}, rowClass: row => row[5] === "0" ? "" : "open" });
	}

	// Show the ledger of an object that has one.
	show(object) {
		const rows = [...object.ledger.rows];

		this.table.setRows(rows.sort((a, b) => Number(BigInt(b[2]) - BigInt(a[2]))));
		find("ledger-result").textContent = resultText(object.ledger);
	}
}
