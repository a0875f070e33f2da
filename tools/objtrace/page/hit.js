// SPDX-License-Identifier: GPL-2.0-only
// The record at a place of the picture.

import { between, firstCall } from "./canvas.js";
import { KIND, NONE } from "./data.js";

// Pixels between the pointer and a record
const NEAR = 7;

// The record that is nearest to a time, among those for which the test is true
function nearest(scene, x, isCandidate) {
	const { data, object, scale } = scene;
	const [first, end] = between(data, object, scale.invert(x - NEAR), scale.invert(x + NEAR));
	const time = scale.invert(x);
	let best = NONE, distance = Infinity;

	for (let i = first; i < end; i++) {
		const away = Math.abs(data.time[i] - time);

		if (away < distance && isCandidate(i)) {
			best = i;
			distance = away;
		}
	}
	return best;
}

function callAt(scene, x, y) {
	const { data, calls, layout, scale } = scene;
	const records = calls.rows[Math.floor((y - layout.calls.top) / layout.callHeight)];
	const time = scale.invert(x);

	for (let i = Math.max(0, firstCall(data, records, time) - 1); i < records.length; i++) {
		if (scale(data.time[records[i]]) > x + 2)
			break;
		if (scale(data.time[data.returnOf[records[i]]]) >= x - 2)
			return records[i];
	}
	return NONE;
}

// The step that the value has at a place
function stepAt(scene, x) {
	const { data, values, scale } = scene;
	const i = firstCall(data, values.steps, scale.invert(x + 2)) - 1;

	return i < 0 ? NONE : values.steps[i];
}

function isInside(part, y) {
	return part.height > 0 && y >= part.top && y < part.bottom;
}

// Return the record, or -1.
export function recordAt(scene, x, y) {
	const { data, object, lanes, layout } = scene;

	if (x < layout.left - NEAR || x > layout.right + NEAR)
		return NONE;
	if (isInside(layout.life, y))
		return nearest(scene, x, i => lanes.lane[i - object.first] < 0 ||
					      data.kind[i] === KIND.DEL || data.kind[i] === KIND.AFTER_FREE);
	if (isInside(layout.lanes, y)) {
		const lane = Math.floor((y - layout.lanes.top) / layout.laneHeight);

		return nearest(scene, x, i => lanes.lane[i - object.first] === lane);
	}
	if (isInside(layout.calls, y))
		return callAt(scene, x, y);
	if (isInside(layout.values, y) || isInside(layout.labels, y))
		return stepAt(scene, x);
	return NONE;
}
