// SPDX-License-Identifier: GPL-2.0-only
// The places of the parts of the picture, in pixels.

const RIGHT = 14;
const AXIS = 24, LIFE = 30, LANE = 22, CALL = 17, LABEL_ROWS = 4, LABEL = 15, GAP = 12;
const MIN_VALUES = 36, MAX_VALUES = 150, VALUE = 22;
const MAX_LEFT = 190, MIN_LEFT = 90;

export const ROWS_OF_LABELS = LABEL_ROWS;
export const LABEL_HEIGHT = LABEL;

// Place the parts one below the other.
function stack(parts) {
	const places = {};
	let top = 0;

	for (const [name, height, gap] of parts) {
		places[name] = { top, height, bottom: top + height };
		top += height + (height ? gap : 0);
	}
	return { places, height: top };
}

function heightOf(values) {
	if (!values.steps.length)
		return 0;
	return values.nrRows ? Math.max(MIN_VALUES, Math.min(MAX_VALUES, values.nrRows * VALUE)) :
	       values.hasChanges ? MAX_VALUES : MIN_VALUES;
}

// The labels on the left need a measure of their texts.
export function layOut(scene, width, measure) {
	const names = scene.lanes.names.concat(scene.values.ticks(5).map(tick => tick.text));
	const widest = Math.max(0, ...names.map(measure));
	const left = Math.min(MAX_LEFT, width / 3, Math.max(MIN_LEFT, widest + 18));
	const { places, height } = stack([
		["axis", AXIS, 0],
		["life", LIFE, GAP / 2],
		["lanes", scene.lanes.names.length * LANE, GAP],
		["calls", scene.calls.rows.length * CALL, GAP],
		["labels", scene.values.hasChanges ? LABEL_ROWS * LABEL + 4 : 0, 0],
		["values", heightOf(scene.values), GAP],
	]);

	return {
		...places, height, width, left, right: width - RIGHT, laneHeight: LANE, callHeight: CALL,
	};
}
