// SPDX-License-Identifier: GPL-2.0-only
// The data of the page, which pagedata.c prints.  The records of all objects are in typed arrays,
// the records of an object one after the other.  A record is a number: its place in these arrays.

export const NONE = -1;

// enum record_kind and enum record_reason
export const KIND = {
	ADD: 0, VALUE: 1, CHANGE: 2, RETURN: 3, DEL: 4, AFTER_FREE: 5, WATCH: 6, WRITE: 7, EVENT: 8,
};
export const FREED = 3;
const CULPRIT = { UNKNOWN: 1, ADD: 2, WITHIN: 6, MAYBE_WITHIN: 7, STORE: 8 };

// Call a function for each row of a table, with the record and the place of its row.
function eachRow(table, width, call) {
	let record = 0;

	for (let i = 0; i < table.length; i += width) {
		record += table[i];
		call(record, i + 1);
	}
}

// Spread a column of a table over all records.
function spread(table, width, column, nr, Type, none) {
	const all = new Type(nr);

	if (none)
		all.fill(none);
	eachRow(table, width, (record, row) => { all[record] = table[row + column]; });
	return all;
}

// Times are in ns since the first record of the object.
function sumTimes(deltas, objects) {
	const time = new Float64Array(deltas.length);
	let i = 0;

	for (const object of objects) {
		object.first = i;
		for (let sum = 0; i < object.first + object.records; i++) {
			sum += deltas[i];
			time[i] = sum;
		}
	}
	return time;
}

function readValues(values) {
	return {
		texts: values.map(value => Array.isArray(value) ? value[1] : value),
		numbers: Float64Array.from(values, value => {
			const number = Array.isArray(value) ? value[0] : Number(value);
			return number === null ? NaN : number;
		}),
		areNames: Uint8Array.from(values, value => Array.isArray(value) && value[0] !== null),
		areFaults: Uint8Array.from(values, value => Array.isArray(value) && value[0] === null),
	};
}

// The rows of a few tables, by their records.
function readTables(json, nr) {
	const rows = { notes: new Map(json.notes), places: new Map(), returned: new Map() };

	eachRow(json.places, 3, (record, row) => rows.places.set(record, row));
	eachRow(json.returned, 2, (record, row) => rows.returned.set(record, json.returned[row]));
	return {
		...rows,
		placeTable: json.places,
		changes: json.changes,
		changeOf: changesOf(json.changes, nr),
		depth: spread(json.depths, 2, 0, nr, Uint16Array),
		entryOf: spread(json.returns, 2, 0, nr, Uint32Array),
		stackOf: spread(json.stacked, 2, 0, nr, Uint32Array),
		open: spread(json.open, 2, 0, nr, Int8Array),
	};
}

// For each record, the place of its row among the changes, or -1.
function changesOf(changes, nr) {
	const rows = new Int32Array(nr).fill(NONE);

	eachRow(changes, 6, (record, row) => { rows[record] = row; });
	return rows;
}

// For each entry, the record of its return, or 0.
function findReturns(entryOf) {
	const returnOf = new Uint32Array(entryOf.length);

	for (let i = 0; i < entryOf.length; i++)
		if (entryOf[i])
			returnOf[i - entryOf[i]] = i;
	return returnOf;
}

// The text of the element with the data is freed before the arrays are made.
function takeText(element) {
	const text = element.textContent;

	element.remove();
	return JSON.parse(text);
}

export function readData(element) {
	const json = takeText(element);
	const nr = json.time.length;
	const tables = readTables(json, nr);

	return {
		file: json.file,
		start: BigInt(json.start),
		length: json.length,
		damaged: json.damaged,
		culprits: json.culprits,
		kinds: json.kinds,
		objects: json.objects,
		functions: json.functions.map(([name, module, subsystem]) => ({ name, module, subsystem })),
		runs: json.runs.map(([task, pid, cpu]) => ({ task, pid, cpu })),
		sites: Int32Array.from(json.sites),
		stacks: Int32Array.from(json.stacks),
		values: readValues(json.values),
		nr,
		time: sumTimes(json.time, json.objects),
		kind: Uint8Array.from(json.kind),
		site: Int32Array.from(json.site),
		run: Uint32Array.from(json.run),
		value: Int32Array.from(json.value),
		returnOf: findReturns(tables.entryOf),
		...tables,
	};
}

// The row of a change: the culprit, its site, the site that saw the value, the old value, the
// offset
export function changeAt(data, record) {
	const row = data.changeOf[record];

	if (row < 0)
		return null;
	const [culprit, by, seen, old, offset] = data.changes.slice(row, row + 5);
	return { culprit, by, seen, old, offset };
}

export function functionAt(data, site) {
	return site < 0 ? null : data.functions[data.sites[2 * site]];
}

export function callerAt(data, site) {
	const caller = site < 0 ? NONE : data.sites[2 * site + 1];

	return caller < 0 ? null : data.functions[caller];
}

// The functions of a record's stack, the innermost first.
export function stackAt(data, record) {
	const functions = [];

	for (let entry = data.stackOf[record]; entry; entry = data.stacks[2 * entry - 1])
		functions.push(data.functions[data.stacks[2 * entry - 2]]);
	return functions;
}

export function siteText(data, site, offset = NONE) {
	const name = functionAt(data, site);
	const caller = callerAt(data, site);

	if (!name)
		return "";
	return name.name + (offset >= 0 ? "+0x" + offset.toString(16) : "") +
	       (caller && offset < 0 ? " \u2190 " + caller.name : "");
}

// The name that a step of the value has in the picture
export function culpritName(data, change) {
	const name = functionAt(data, change.by);

	if (change.culprit === CULPRIT.ADD)
		return data.culprits[CULPRIT.ADD];
	if (!name)
		return "unknown";
	return name.name + (change.offset >= 0 ? "+0x" + change.offset.toString(16) : "");
}

export function isCertain(change) {
	return change.culprit === CULPRIT.WITHIN || change.culprit === CULPRIT.STORE;
}

function changeText(data, change) {
	const parts = [];

	if (change.culprit !== CULPRIT.UNKNOWN)
		parts.push((data.culprits[change.culprit] + " " +
			    siteText(data, change.by, change.offset)).trim());
	if (change.culprit === CULPRIT.MAYBE_WITHIN)
		parts.push("or in a call in it");
	if (change.seen >= 0)
		parts.push("seen at " + siteText(data, change.seen));
	return parts.join(", ");
}

// The text of a record, as in `objtrace report'
export function eventText(data, record) {
	const note = data.notes.get(record);
	const change = changeAt(data, record);
	const place = data.places.get(record);
	let text;

	if (note !== undefined)
		return note.replace(/ <- /g, " \u2190 ");
	text = change ? changeText(data, change) : siteText(data, data.site[record]);
	if (place !== undefined && data.placeTable[place])
		text += " at +0x" + data.placeTable[place].toString(16);
	if (place !== undefined && data.placeTable[place + 1])
		text += " arg" + data.placeTable[place + 1] + "?";
	if (data.returned.has(record))
		text += ", returned " + data.values.texts[data.returned.get(record)];
	return text;
}

export function valueText(data, value) {
	return value < 0 ? "" : data.values.texts[value];
}

// Both values of a change, or the value of a record
export function valuesText(data, record) {
	const change = changeAt(data, record);
	const now = valueText(data, data.value[record]);

	return change ? (change.old < 0 ? "?" : valueText(data, change.old)) + " \u2192 " + now : now;
}

export function taskText(data, record) {
	const run = data.runs[data.run[record]];

	return run.task + "-" + run.pid;
}
