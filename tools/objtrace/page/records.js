// SPDX-License-Identifier: GPL-2.0-only
// The table of an object's records, and the details of one record.

import { NONE, eventText, functionAt, callerAt, stackAt, taskText, valuesText } from "./data.js";
import { find, make } from "./dom.js";
import { clockText, timeText } from "./format.js";
import { VirtualTable } from "./virtual.js";

export class Records {
	// onSelect(record) is called for a click and for arrow keys.
	constructor(data, onSelect) {
		this.data = data;
		this.object = null;
		this.matched = null;
		this.selected = NONE;
		this.table = new VirtualTable(find("records"), "Records", this.makeColumns(), {
			onOpen: onSelect,
			rowClass: record => (data.changeOf[record] >= 0 ? "change" : "") +
				(this.matched && this.matched[record] ? " match" : "") +
				(data.open[record] ? " open" : "") +
				(record === this.selected ? " selected" : ""),
		});
		find("rows").addEventListener("change", () => this.show());
	}

	makeColumns() {
		const data = this.data;
		const column = (className, title, cell) => ({ className, title, cell });

		return [
			column("time", "Time", record => timeText(data.time[record])),
			column("cpu", "CPU", record => String(data.runs[data.run[record]].cpu)),
			column("task", "Task", record => taskText(data, record)),
			column("kind", "Record", record => data.kinds[data.kind[record]]),
			column("value", "Value", record => valuesText(data, record)),
			column("event", "Function", record => fullText(data, record)),
		];
	}

	setObject(object) {
		this.object = object;
		this.show();
	}

	setMatched(matched) {
		this.matched = matched;
		if (this.object)
			this.show();
	}

	// The test for the chosen rows
	filter() {
		const { changeOf } = this.data;

		switch (find("rows").value) {
		case "changes":
			return record => changeOf[record] >= 0;
		case "matches":
			return record => this.matched && this.matched[record];
		default:
			return () => true;
		}
	}

	show() {
		const { first, records } = this.object;
		const rows = new Uint32Array(records);
		const isShown = this.filter();
		let nr = 0;

		for (let i = first; i < first + records; i++)
			if (isShown(i))
				rows[nr++] = i;
		this.rows = rows.subarray(0, nr);
		this.table.setRows(this.rows);
	}

	// Scroll to a record, if it has a row.
	select(record) {
		let low = 0, high = this.rows.length;

		this.selected = record;
		this.table.update();
		while (low < high) {
			const middle = (low + high) >> 1;

			if (this.rows[middle] < record)
				low = middle + 1;
			else
				high = middle;
		}
		if (this.rows[low] === record)
			this.table.reveal(low);
	}
}

// The text of a record, which says whether a take or a give has no opposite
function fullText(data, record) {
	const open = data.open[record];

	return eventText(data, record) + (open > 0 ? " \u2014 no give for this take?" :
					  open < 0 ? " \u2014 no take for this give?" : "");
}

// The facts about a record, as pairs of a name and a text
export function recordFacts(data, record) {
	const site = data.site[record];
	const name = functionAt(data, site), caller = callerAt(data, site);
	const run = data.runs[data.run[record]];
	const end = data.returnOf[record];

	return [
		["Function", name && name.name], ["Module", name && name.module],
		["Caller", caller && caller.name],
		["Value", valuesText(data, record)], ["Event", fullText(data, record)],
		["Task", taskText(data, record)], ["CPU", String(run.cpu)],
		["Time", timeText(data.time[record])],
		["Duration", end ? timeText(data.time[end] - data.time[record]) : null],
	].filter(([, text]) => text);
}

// Show a record on the side.
export function showDetails(data, object, record) {
	const stack = record === NONE ? [] : stackAt(data, record);

	if (record === NONE) {
		find("details").replaceChildren(make("p", null, "Select a record to see all of it."));
		return;
	}
	const facts = recordFacts(data, record);
	facts.push(["Trace clock", clockText(data.start, object.start + data.time[record])]);
	find("details").replaceChildren(
		make("h2", null, "Record " + (record - object.first + 1) + " of " + object.records + ": " +
		     data.kinds[data.kind[record]]),
		make("dl", null, ...facts.flatMap(([title, text]) =>
			[make("dt", null, title), make("dd", null, text)])),
		stack.length ? make("h3", null, "Stack") : "",
		stack.length ? make("ol", { id: "stack" }, ...stack.map(entry => make("li", null,
			entry.name + (entry.module && entry.module !== "vmlinux" ?
				" [" + entry.module + "]" : "")))) : "");
}
