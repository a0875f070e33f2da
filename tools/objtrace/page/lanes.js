// SPDX-License-Identifier: GPL-2.0-only
// The lane of each record of an object.

import { KIND, NONE, taskText } from "./data.js";

const MAX_LANES = 12;
const OTHER = "other", EVENTS = "events";

export const LANE_MODES = [
	["subsystem", "subsystem"], ["module", "module"], ["depth", "call depth"], ["task", "task"],
	["cpu", "CPU"],
];

// Number some texts, and return the number of each.
function number(texts, names) {
	const numbers = new Map();

	return Int32Array.from(texts, text => {
		if (!numbers.has(text)) {
			numbers.set(text, names.length);
			names.push(text);
		}
		return numbers.get(text);
	});
}

// Return a function from a record to a number, whose name is in the array that is filled.
function keyOf(data, mode, names) {
	const column = mode === "module" ? "module" : "subsystem";
	let keys;

	switch (mode) {
	case "depth":
		for (let i = 0; i < 65536; i++)
			names.push("depth " + i);
		return record => data.depth[record];
	case "task":
		keys = number(data.runs.map(run => run.task + "-" + run.pid), names);
		return record => keys[data.run[record]];
	case "cpu":
		keys = number(data.runs.map(run => "CPU " + run.cpu), names);
		return record => keys[data.run[record]];
	default:
		keys = number(data.functions.map(name => name[column] || "unknown"), names);
		return record => keys[data.sites[2 * data.site[record]]];
	}
}

function countKeys(data, object, key) {
	const counts = new Map();

	for (let i = object.first; i < object.first + object.records; i++)
		if (data.site[i] >= 0)
			counts.set(key(i), (counts.get(key(i)) || 0) + 1);
	return counts;
}

// The lanes with the most records, in the order of their first record; the others share a lane
function choose(counts, isByNumber) {
	const keys = [...counts.keys()];
	const kept = new Set([...keys].sort((a, b) => counts.get(b) - counts.get(a))
			     .slice(0, keys.length > MAX_LANES ? MAX_LANES - 1 : MAX_LANES));

	if (isByNumber)
		keys.sort((a, b) => a - b);
	return keys.filter(key => kept.has(key));
}

// The events of the kernel have a lane below the others.
function addEvents(data, object, names, lane) {
	let found = false;

	for (let i = 0; i < object.records; i++) {
		if (data.kind[object.first + i] !== KIND.EVENT)
			continue;
		lane[i] = names.length;
		found = true;
	}
	return found ? names.concat([EVENTS]) : names;
}

// Return the names of the lanes, and the lane of each record, counted from the object's first.
// Other records without a function have no lane.
export function findLanes(data, object, mode) {
	const names = [];
	const key = keyOf(data, mode, names);
	const counts = countKeys(data, object, key);
	const chosen = choose(counts, mode === "depth");
	const laneOf = new Map(chosen.map((number, lane) => [number, lane]));
	const lane = new Int8Array(object.records);

	for (let i = 0; i < object.records; i++) {
		const found = data.site[object.first + i] < 0 ? NONE : laneOf.get(key(object.first + i));
		lane[i] = found === undefined ? chosen.length : found;
	}
	const laneNames = chosen.map(number => names[number])
		.concat(chosen.length < counts.size ? [OTHER] : []);

	return { names: addEvents(data, object, laneNames, lane), lane };
}

// The task of a record, for the rows of calls: the idle task of each CPU is a task of its own
export function taskKey(data, record) {
	const run = data.runs[data.run[record]];

	return run.pid ? taskText(data, record) : taskText(data, record) + " CPU " + run.cpu;
}
