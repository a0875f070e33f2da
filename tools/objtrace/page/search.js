// SPDX-License-Identifier: GPL-2.0-only
// The records that match a search: by function, caller, task or value.

import { NONE } from "./data.js";

// For each text, whether it has the words
function matches(texts, query) {
	return Uint8Array.from(texts, text => text.toLowerCase().includes(query));
}

// Prepare a search.  Return a function from a record to whether the record matches.
function matcher(data, query) {
	const functions = matches(data.functions.map(name => name.name), query);
	const runs = matches(data.runs.map(run => run.task + "-" + run.pid), query);
	const values = matches(data.values.texts, query);
	const sites = Uint8Array.from({ length: data.sites.length / 2 }, (_, site) =>
		functions[data.sites[2 * site]] ||
		(data.sites[2 * site + 1] >= 0 && functions[data.sites[2 * site + 1]]));

	return record => {
		const site = data.site[record], value = data.value[record], row = data.changeOf[record];

		return (site >= 0 && sites[site]) || runs[data.run[record]] ||
		       (value >= 0 && values[value]) ||
		       (row >= 0 && data.changes[row + 1] >= 0 && sites[data.changes[row + 1]]) ||
		       (data.notes.has(record) && data.notes.get(record).toLowerCase().includes(query));
	};
}

// Return a mark for each record, and the number of marks of each object; or null for no search.
export function search(data, text) {
	const query = text.trim().toLowerCase();
	const matched = new Uint8Array(data.nr);
	const numbers = new Map();

	if (!query)
		return null;
	const isMatch = matcher(data, query);
	for (const object of data.objects) {
		let nr = 0;

		for (let i = object.first; i < object.first + object.records; i++)
			if (isMatch(i)) {
				matched[i] = 1;
				nr++;
			}
		numbers.set(object, nr);
	}
	return { matched, numbers, query };
}

// The next record of an object that has a mark, in a direction: 1 or -1
export function nextMatch(found, object, record, direction) {
	const nr = object.records;
	let place = record === NONE ? (direction > 0 ? -1 : nr) : record - object.first;

	for (let i = 0; i < nr; i++) {
		place = (place + direction + nr) % nr;
		if (found.matched[object.first + place])
			return object.first + place;
	}
	return NONE;
}
