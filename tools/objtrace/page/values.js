// SPDX-License-Identifier: GPL-2.0-only
// The values of an object over time, and their axis.

// The index of d3-scale would bring scales for dates and colours
import scaleLinear from "d3-scale/src/linear.js";

// More values than these are no rows of an axis, unless they have names
const MAX_ROWS = 10;
const MAX_NAMED_ROWS = 40;

// The records with another value than the record before
function findSteps(data, object) {
	const steps = [];
	let last = -1;

	for (let i = object.first; i < object.first + object.records; i++) {
		if (data.value[i] < 0 || (data.value[i] === last && data.changeOf[i] < 0))
			continue;
		last = data.value[i];
		steps.push(i);
	}
	return Uint32Array.from(steps);
}

// The different values, at most one more than an axis has rows
function findDistinct(data, steps) {
	const distinct = new Set();

	for (let i = 0; i < steps.length && distinct.size <= MAX_NAMED_ROWS; i++)
		distinct.add(data.value[steps[i]]);
	return [...distinct];
}

function hasRows(data, distinct) {
	const { texts, areNames } = data.values;

	if (distinct.some(value => areNames[value]))
		return distinct.length <= MAX_NAMED_ROWS;
	return distinct.length <= MAX_ROWS && distinct.some(value => texts[value].startsWith("0x"));
}

// Faults come below all numbers.
function compare(data, a, b) {
	const { numbers, texts } = data.values;
	const difference = (isNaN(numbers[a]) ? -Infinity : numbers[a]) -
			   (isNaN(numbers[b]) ? -Infinity : numbers[b]);

	return difference || (texts[a] < texts[b] ? -1 : 1);
}

function rowAxis(data, distinct) {
	const sorted = distinct.sort((a, b) => compare(data, a, b));
	const rows = new Map(sorted.map((value, row) => [value, row]));
	const scale = scaleLinear().domain([-0.5, sorted.length - 0.5]);

	return {
		scale,
		nrRows: sorted.length,
		position: value => rows.get(value),
		ticks: () => sorted.map((value, row) => ({ at: row, text: data.values.texts[value] })),
	};
}

function range(data, steps) {
	let low = Infinity, high = -Infinity;

	for (const record of steps) {
		const number = data.values.numbers[data.value[record]];

		if (number < low)
			low = number;
		if (number > high)
			high = number;
	}
	return low <= high ? [low, high] : [0, 1];
}

function numberAxis(data, steps) {
	const [low, high] = range(data, steps);
	// Double precision is not enough for a margin of 1 around large numbers
	const margin = (high - low) * 0.08 || Math.max(1, Math.abs(high) * 1e-6);
	const scale = scaleLinear().domain([low - margin, high + margin]);
	const isHex = steps.length && data.values.texts[data.value[steps[0]]].startsWith("0x");
	const isWhole = high - low < 5;

	return {
		scale,
		position: value => data.values.numbers[value],
		ticks: nr => {
			const format = scale.tickFormat(nr);

			return scale.ticks(nr).filter(at => !isWhole || Number.isInteger(at)).map(at => ({
				at, text: isHex ? "0x" + Math.max(0, Math.round(at)).toString(16) :
					    isWhole ? String(at) : format(at),
			}));
		},
	};
}

// Return the steps of the value, their times, their positions on an axis, and the axis: its scale
// maps a position to pixels once it has a range.
export function findValues(data, object) {
	const steps = findSteps(data, object);
	const distinct = findDistinct(data, steps);
	const axis = hasRows(data, distinct) ? rowAxis(data, distinct) : numberAxis(data, steps);
	const { position, ...rest } = axis;

	return {
		...rest,
		steps,
		hasChanges: steps.some(record => data.changeOf[record] >= 0),
		times: Float64Array.from(steps, record => data.time[record]),
		positions: Float64Array.from(steps, record => position(data.value[record])),
	};
}
