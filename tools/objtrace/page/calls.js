// SPDX-License-Identifier: GPL-2.0-only
// The calls of an object with a known return, as rows of bars: one row for each depth of a task.

import { KIND } from "./data.js";
import { taskKey } from "./lanes.js";

const MAX_ROWS = 24;

function isCall(data, record) {
	return data.kind[record] === KIND.VALUE && data.returnOf[record];
}

// The number of rows of each task
function measureTasks(data, object) {
	const tasks = new Map();

	for (let i = object.first; i < object.first + object.records; i++) {
		if (!isCall(data, i))
			continue;
		const key = taskKey(data, i);
		tasks.set(key, Math.max(tasks.get(key) || 0, data.depth[i] + 1));
	}
	return tasks;
}

// Tasks that find no room are left out, and so are calls that are nested too deeply.
function placeTasks(tasks) {
	const first = new Map();
	let nr = 0, hidden = 0;

	for (const [key, depth] of tasks) {
		const room = Math.min(depth, MAX_ROWS - nr);

		if (room < depth)
			hidden += depth - room;
		if (room <= 0)
			continue;
		first.set(key, { name: key, row: nr, nr: room });
		nr += room;
	}
	return { first, nr, hidden };
}

// Return the rows, each with the records of its calls in the order of time, and the tasks.
export function findCalls(data, object) {
	const { first, nr, hidden } = placeTasks(measureTasks(data, object));
	const rows = Array.from({ length: nr }, () => []);

	for (let i = object.first; nr && i < object.first + object.records; i++) {
		const task = isCall(data, i) && first.get(taskKey(data, i));

		if (task && data.depth[i] < task.nr)
			rows[task.row + data.depth[i]].push(i);
	}
	return { rows: rows.map(row => Uint32Array.from(row)), tasks: [...first.values()], hidden };
}
