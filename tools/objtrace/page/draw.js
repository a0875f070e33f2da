// SPDX-License-Identifier: GPL-2.0-only
// The picture of an object.  All records of a pixel are drawn at once, so that a million records
// take no longer than a thousand.

import { bisectLeft } from "d3-array";

import {
	FREED, KIND, NONE, callerAt, changeAt, culpritName, eventText, isCertain,
} from "./data.js";
import { plural, timeText } from "./format.js";
import { LABEL_HEIGHT, ROWS_OF_LABELS } from "./layout.js";

export const FONT = "12px system-ui, sans-serif";
const CODE_FONT = "11.5px ui-monospace, 'DejaVu Sans Mono', monospace";
// What a pixel of a lane shows
const HIT = 1, CHANGED = 2, MATCHED = 4, MANY = 8;
// Labels at some of more changes would say little
const MAX_LABELLED = 400;
// Bars with fewer pixels have no text, or are not drawn one by one
const MIN_TEXT = 30, MIN_BAR = 3;

// The records from one time to another: a place before, and the place after the last one
export function between(data, object, from, to) {
	const end = object.first + object.records;

	return [bisectLeft(data.time, from, object.first, end),
		bisectLeft(data.time, to, object.first, end)];
}

function visible(scene) {
	const [from, to] = scene.scale.domain();

	return between(scene.data, scene.object, from, to + 1e-6);
}

// The map from times to pixels.  A scale is too slow for millions of times.
function toPixels(scene) {
	const { scale } = scene;
	const [from, to] = scale.domain();
	const [left, right] = scale.range();
	const factor = (right - left) / (to - from);

	return { from, to, left, right, factor };
}

// Texts in the code font: its characters all have one width, and measuring many texts is slow.
let codeWidth = 0;

function measureCode(ctx, text) {
	if (!codeWidth)
		codeWidth = ctx.measureText("0".repeat(100)).width / 100;
	return text.length * codeWidth;
}

function fittedCode(ctx, text, width) {
	const nr = Math.floor(width / measureCode(ctx, "0"));

	return text.length <= nr ? text : nr > 1 ? text.slice(0, nr - 1) + "\u2026" : "";
}

// Cut a text at its end, so that it fits.
function fitted(ctx, text, width) {
	if (ctx.measureText(text).width <= width)
		return text;
	while (text && ctx.measureText(text + "\u2026").width > width)
		text = text.slice(0, -1);
	return text ? text + "\u2026" : "";
}

function write(ctx, text, x, y, colour, align = "left") {
	ctx.fillStyle = colour;
	ctx.textAlign = align;
	ctx.fillText(text, x, y);
}

function drawAxis(ctx, scene) {
	const { layout, scale, colours } = scene;
	const ticks = scale.ticks(Math.max(2, (layout.right - layout.left) / 110));
	const step = ticks.length > 1 ? ticks[1] - ticks[0] : 1;

	ctx.font = FONT;
	ctx.textBaseline = "middle";
	ctx.fillStyle = colours.grid;
	for (const tick of ticks)
		ctx.fillRect(Math.round(scale(tick)), layout.axis.bottom, 1, layout.height);
	for (const tick of ticks) {
		const text = timeText(tick, step);
		const x = Math.min(scale(tick), layout.width - 4 - ctx.measureText(text).width / 2);

		write(ctx, text, x, layout.axis.top + 12, colours.faint, "center");
	}
	write(ctx, "since the add", 8, layout.axis.top + 12, colours.faint);
}

function drawEndMark(ctx, x, y, colour, isFree) {
	ctx.strokeStyle = colour;
	ctx.lineWidth = 2;
	ctx.beginPath();
	if (isFree) {
		ctx.moveTo(x - 5, y - 5);
		ctx.lineTo(x + 5, y + 5);
		ctx.moveTo(x - 5, y + 5);
		ctx.lineTo(x + 5, y - 5);
	} else {
		ctx.moveTo(x, y - 7);
		ctx.lineTo(x, y + 7);
	}
	ctx.stroke();
}

function drawHint(ctx, x, y, colour) {
	ctx.fillStyle = colour;
	ctx.beginPath();
	ctx.moveTo(x, y - 7);
	ctx.lineTo(x + 6, y + 5);
	ctx.lineTo(x - 6, y + 5);
	ctx.fill();
}

function drawDisc(ctx, x, y, colour) {
	ctx.fillStyle = colour;
	ctx.beginPath();
	ctx.arc(x, y, 5, 0, 7);
	ctx.fill();
}

// The texts at the ends of the life line, if the ends are visible and have room
function drawEndTexts(ctx, scene, begin, end, y) {
	const { data, object, layout, colours } = scene;
	const add = begin < layout.left ? "" : object.added ? eventText(data, object.add) :
		    "traced from here on";
	const del = end > layout.right ? "" : object.del === NONE ? "still tracked" :
		    eventText(data, object.del);
	const left = Math.max(begin, layout.left) + 12, right = Math.min(end, layout.right) - 12;

	ctx.font = FONT;
	if (right - left < 60)
		return;
	const addWidth = ctx.measureText(add).width, delWidth = ctx.measureText(del).width;
	const half = Math.max((right - left - 16) / 2, right - left - 16 - delWidth);
	write(ctx, fitted(ctx, add, half), left, y, colours.onLife);
	write(ctx, fitted(ctx, del, right - left - 16 - Math.min(addWidth, half)), right, y,
	      colours.onLife, "right");
}

function drawLife(ctx, scene) {
	const { data, object, layout, scale, colours } = scene;
	const y = (layout.life.top + layout.life.bottom) / 2;
	const begin = scale(0), end = scale(object.length);
	const hints = object.hints;

	ctx.fillStyle = object.added ? colours.life : colours.unknown;
	ctx.fillRect(begin, layout.life.top + 4, Math.max(2, end - begin), layout.life.height - 8);
	drawEndTexts(ctx, scene, begin, end, y);
	if (object.added)
		drawDisc(ctx, begin, y, colours.add);
	drawEndMark(ctx, end, y, object.reason === FREED ? colours.free : colours.faint,
		    object.reason === FREED);
	if (!hints.length)
		return;
	ctx.strokeStyle = colours.hint;
	ctx.setLineDash([3, 3]);
	ctx.lineWidth = 1;
	ctx.strokeRect(end + 8, y, Math.max(0, scale(data.time[hints[hints.length - 1]]) - end - 14), 0);
	ctx.setLineDash([]);
	for (const hint of hints)
		drawHint(ctx, scale(data.time[hint]), y, colours.hint);
}

// What each pixel of the lanes shows: rows of pixels, one for each lane
function fillLanes(scene, width) {
	const { data, object, lanes, matched } = scene;
	const { from, factor } = toPixels(scene);
	const [first, end] = visible(scene);
	const shown = new Uint8Array(lanes.names.length * width);

	for (let i = first; i < end; i++) {
		const lane = lanes.lane[i - object.first];

		if (lane < 0)
			continue;
		const cell = lane * width + ((data.time[i] - from) * factor | 0);
		shown[cell] |= (shown[cell] & HIT ? MANY : HIT) | (data.changeOf[i] < 0 ? 0 : CHANGED) |
			       (matched && matched[i] ? MATCHED : 0);
	}
	return shown;
}

function laneColour(scene, cell) {
	const { colours, matched } = scene;

	if (matched)
		return cell & MATCHED ? colours.match : colours.dim;
	if (cell & CHANGED)
		return colours.change;
	return cell & MANY ? colours.many : colours.hit;
}

// Changes, and what a search finds, are higher than other marks.
function drawLane(ctx, scene, shown, lane, width) {
	const { layout, matched } = scene;
	const top = layout.lanes.top + lane * layout.laneHeight;
	const cells = shown.subarray(lane * width, (lane + 1) * width);
	const isHigh = cell => cell & (matched ? MATCHED : CHANGED);
	const low = cells.map(cell => isHigh(cell) ? 0 : cell);
	const high = cells.map(cell => isHigh(cell) ? cell : 0);

	for (const [part, inset] of [[low, 5], [high, 2]])
		drawRuns(ctx, part, cell => laneColour(scene, cell), layout.left, top + inset,
			 layout.laneHeight - 2 * inset, 1.5);
}

function drawLanes(ctx, scene) {
	const { layout, lanes, colours } = scene;
	const width = Math.ceil(layout.right - layout.left) + 1;
	const shown = fillLanes(scene, width);

	ctx.font = FONT;
	lanes.names.forEach((name, lane) => {
		const top = layout.lanes.top + lane * layout.laneHeight;

		ctx.fillStyle = lane % 2 ? colours.even : colours.odd;
		ctx.fillRect(layout.left, top, layout.right - layout.left, layout.laneHeight);
		write(ctx, fitted(ctx, name, layout.left - 16), 8, top + layout.laneHeight / 2,
		      colours.text);
		drawLane(ctx, scene, shown, lane, width);
	});
}

function callColour(scene, cell) {
	const { colours, matched } = scene;

	if (matched)
		return cell & MATCHED ? colours.match : colours.dim;
	return cell & CHANGED ? colours.change : colours.call;
}

// What a bar shows
function callCell(scene, record) {
	const { data, matched } = scene;

	return HIT | (data.changeOf[data.returnOf[record]] >= 0 ? CHANGED : 0) |
	       (matched && matched[record] ? MATCHED : 0);
}

function drawBar(ctx, scene, record, x, width, top) {
	const { data, colours, layout, matched } = scene;

	const cell = callCell(scene, record);

	ctx.fillStyle = callColour(scene, cell);
	ctx.fillRect(x, top + 1, width - 0.5, layout.callHeight - 2);
	if (width < MIN_TEXT)
		return;
	const name = data.functions[data.sites[2 * data.site[record]]].name;
	write(ctx, fittedCode(ctx, name, width - 8), x + 4, top + layout.callHeight / 2,
	      matched ? colours.text : cell & CHANGED ? colours.onChange : colours.onCall);
}

// Draw the pixels of a row that are not 0.  Pixels side by side with the same colour are one
// rectangle, which is a bit wider than its pixels.
function drawRuns(ctx, cells, colourOf, left, top, height, extra) {
	for (let x = 0; x < cells.length; x++) {
		const start = x;

		if (!cells[x])
			continue;
		const colour = colourOf(cells[x]);
		while (x + 1 < cells.length && cells[x + 1] && colourOf(cells[x + 1]) === colour)
			x++;
		ctx.fillStyle = colour;
		ctx.fillRect(left + start - extra / 2, top, x - start + 1 + extra, height);
	}
}

// Bars that are too narrow to tell apart share their pixels.
function drawRow(ctx, scene, records, top) {
	const { data, layout } = scene;
	const { from, to, left, right, factor } = toPixels(scene);
	const cells = new Uint8Array(Math.ceil(right - left) + 1);
	const bars = [];

	for (let i = Math.max(0, firstCall(data, records, from) - 1); i < records.length; i++) {
		const record = records[i];
		const x = (data.time[record] - from) * factor;
		const end = (data.time[data.returnOf[record]] - from) * factor;

		if (data.time[record] > to)
			break;
		if (end - x >= MIN_BAR)
			bars.push(record);
		else if (x >= 0)
			cells[x | 0] |= callCell(scene, record);
	}
	drawRuns(ctx, cells, cell => callColour(scene, cell), left, top + 1, layout.callHeight - 2, 0);
	for (const record of bars) {
		const x = Math.max(left, left + (data.time[record] - from) * factor);
		const end = Math.min(right, left + (data.time[data.returnOf[record]] - from) * factor);

		if (end > left)
			drawBar(ctx, scene, record, x, end - x, top);
	}
}

// The place of the first call of a row that begins at a time or later
export function firstCall(data, records, time) {
	let low = 0, high = records.length;

	while (low < high) {
		const middle = (low + high) >> 1;

		if (data.time[records[middle]] < time)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

function drawCalls(ctx, scene) {
	const { calls, layout, colours } = scene;

	ctx.font = CODE_FONT;
	calls.rows.forEach((records, row) => {
		drawRow(ctx, scene, records, layout.calls.top + row * layout.callHeight);
	});
	ctx.font = FONT;
	for (const task of calls.tasks) {
		const y = layout.calls.top + (task.row + 0.5) * layout.callHeight;

		write(ctx, fitted(ctx, calls.tasks.length > 1 ? task.name : "calls", layout.left - 16), 8,
		      y, colours.text);
	}
}

function drawValueAxis(ctx, scene) {
	const { values, layout, colours } = scene;
	let last = Infinity;

	ctx.font = FONT;
	for (const tick of values.ticks(5)) {
		const y = Math.round(values.scale(tick.at));

		ctx.fillStyle = colours.grid;
		ctx.fillRect(layout.left, y, layout.right - layout.left, 1);
		if (Math.abs(y - last) < 12)
			continue;
		last = y;
		write(ctx, fitted(ctx, tick.text, layout.left - 16), layout.left - 8, y, colours.text,
		      "right");
	}
}

// The part of a curve that one pixel shows
function newPixel(x, y) {
	return { x, first: y, low: y, high: y, last: y };
}

function drawPixel(ctx, pixel, last) {
	if (last === null || isNaN(last))
		ctx.moveTo(pixel.x, pixel.first);
	else
		ctx.lineTo(pixel.x, last);
	if (isNaN(pixel.first))
		return;
	ctx.lineTo(pixel.x, pixel.first);
	if (pixel.low !== pixel.high) {
		ctx.lineTo(pixel.x, pixel.low);
		ctx.lineTo(pixel.x, pixel.high);
	}
	ctx.lineTo(pixel.x, pixel.last);
}

// Extend a pixel by a value, or return a new pixel.  A value that was not read leaves a gap.
function extend(pixel, x, y) {
	if (!pixel || pixel.x !== x || isNaN(y) !== isNaN(pixel.last))
		return newPixel(x, y);
	pixel.low = Math.min(pixel.low, y);
	pixel.high = Math.max(pixel.high, y);
	pixel.last = y;
	return pixel;
}

function drawCurve(ctx, scene) {
	const { values, layout, scale, colours, object } = scene;
	const { from, to, left, factor } = toPixels(scene);
	const [bottom, top] = values.scale.range(), [low, high] = values.scale.domain();
	const rise = (top - bottom) / (high - low);
	let pixel = null, last = null;
	let i = Math.max(0, bisectLeft(values.times, from) - 1);

	ctx.strokeStyle = colours.curve;
	ctx.lineWidth = 1.75;
	ctx.lineJoin = "round";
	ctx.beginPath();
	for (; i < values.times.length && values.times[i] <= to; i++) {
		const x = left + Math.max(0, Math.round((values.times[i] - from) * factor));
		const y = bottom + (values.positions[i] - low) * rise;
		const next = extend(pixel, x, y);

		if (pixel && next !== pixel) {
			drawPixel(ctx, pixel, last);
			last = pixel.last;
		}
		pixel = next;
	}
	if (pixel) {
		drawPixel(ctx, pixel, last);
		if (!isNaN(pixel.last))
			ctx.lineTo(Math.min(layout.right, scale(object.length)), pixel.last);
	}
	ctx.stroke();
}

function labelText(data, record) {
	const change = changeAt(data, record);
	const open = data.open[record];

	return culpritName(data, change) + (isCertain(change) ? "" : "?") +
	       (open > 0 ? " \u2014 no give?" : open < 0 ? " \u2014 no take?" : "");
}

function callerText(data, record) {
	const { by, offset } = changeAt(data, record);
	const caller = offset < 0 ? callerAt(data, by) : null;

	return caller ? " \u2190 " + caller.name : "";
}

// Find a place for a label: the first row with room.  Return null without room.
function placeLabel(ctx, scene, record, x, rowEnds) {
	const { data, layout } = scene;
	const text = labelText(data, record);
	const width = measureCode(ctx, text);
	const left = Math.min(x - 3, layout.right - width);
	const row = rowEnds.findIndex(end => end <= left - 8);

	if (row < 0)
		return null;
	rowEnds[row] = left + width;
	return {
		text, width, left, x, top: layout.labels.top + row * LABEL_HEIGHT,
		caller: callerText(data, record), isOpen: data.open[record] !== 0,
	};
}

// A line from a label to its step
function drawLeader(ctx, scene, label, y) {
	const { layout, colours } = scene;

	ctx.fillStyle = colours.leader;
	ctx.fillRect(label.x, label.top + LABEL_HEIGHT - 1, 1,
		     (isNaN(y) ? layout.values.bottom : y) - label.top - LABEL_HEIGHT);
}

// The caller follows if there is room before the next label of the row.
function drawLabel(ctx, scene, { text, caller, width, left, top, isOpen }, end) {
	const { colours } = scene;
	const hasCaller = caller && left + width + measureCode(ctx, caller) + 6 < end;

	ctx.fillStyle = colours.back;
	ctx.fillRect(left - 2, top + 1,
		     width + 4 + (hasCaller ? measureCode(ctx, caller) : 0), LABEL_HEIGHT - 2);
	write(ctx, text, left, top + LABEL_HEIGHT / 2, isOpen ? colours.hint : colours.text);
	if (hasCaller)
		write(ctx, caller, left + width, top + LABEL_HEIGHT / 2, colours.faint);
}

function drawAllLabels(ctx, scene, labels) {
	const ends = new Map();

	for (const label of labels.reverse()) {
		drawLabel(ctx, scene, label, ends.get(label.top) || scene.layout.right);
		ends.set(label.top, label.left - 6);
	}
}

function drawDot(ctx, x, y, colour) {
	ctx.fillStyle = colour;
	ctx.beginPath();
	ctx.arc(x, y, 3, 0, 7);
	ctx.fill();
}

// The culprits at the changes, as far as there is room
function drawLabels(ctx, scene, start, end) {
	const { data, values } = scene;
	const { from, left, factor } = toPixels(scene);
	const rowEnds = new Array(ROWS_OF_LABELS).fill(-Infinity);
	const labels = [];
	let full = -Infinity;

	ctx.font = CODE_FONT;
	for (let i = start; i < end; i++) {
		const x = left + (values.times[i] - from) * factor;

		if (x < full || data.changeOf[values.steps[i]] < 0)
			continue;
		const label = placeLabel(ctx, scene, values.steps[i], x, rowEnds);
		if (!label) {
			full = Math.min(...rowEnds) + 8;
			continue;
		}
		drawLeader(ctx, scene, label, values.scale(values.positions[i]));
		labels.push(label);
	}
	drawAllLabels(ctx, scene, labels);
}

// A mark at each change if there are few, and at one open take or give of each pixel
function drawMarks(ctx, scene, start, end) {
	const { data, values, colours } = scene;
	const { from, left, right, factor } = toPixels(scene);
	const isSparse = end - start <= (right - left) / 3;
	let last = -1;

	for (let i = start; i < end; i++) {
		const record = values.steps[i];
		const isOpen = data.open[record] !== 0;

		if (isNaN(values.positions[i]) || (!isOpen && (!isSparse || data.changeOf[record] < 0)))
			continue;
		const x = left + (values.times[i] - from) * factor;
		const y = values.scale(values.positions[i]);
		if (!isOpen)
			drawDot(ctx, x, y, colours.change);
		else if ((x | 0) !== last)
			drawHint(ctx, x, y, colours.hint);
		last = isOpen ? x | 0 : last;
	}
}

function drawSteps(ctx, scene) {
	const { values, scale, layout, colours } = scene;
	const [from, to] = scale.domain();
	const start = bisectLeft(values.times, from), end = bisectLeft(values.times, to + 1e-6);

	if (end - start <= MAX_LABELLED) {
		drawLabels(ctx, scene, start, end);
	} else {
		ctx.font = FONT;
		write(ctx, plural(end - start, "change") + ": zoom in to see their functions", layout.left,
		      layout.labels.top + LABEL_HEIGHT / 2, colours.faint);
	}
	drawMarks(ctx, scene, start, end);
}

function drawValues(ctx, scene) {
	const { layout, values } = scene;

	if (!values.steps.length)
		return;
	values.scale.range([layout.values.bottom, layout.values.top]);
	drawValueAxis(ctx, scene);
	ctx.save();
	ctx.beginPath();
	ctx.rect(layout.left - 6, layout.labels.top, layout.right - layout.left + 14, layout.height);
	ctx.clip();
	drawCurve(ctx, scene);
	drawSteps(ctx, scene);
	ctx.restore();
}

// Draw the whole picture.
export function draw(ctx, scene) {
	const { layout, colours } = scene;

	ctx.fillStyle = colours.back;
	ctx.fillRect(0, 0, layout.width, layout.height);
	drawAxis(ctx, scene);
	ctx.save();
	ctx.beginPath();
	ctx.rect(layout.left - 7, layout.life.top, layout.right - layout.left + 14, layout.life.height);
	ctx.clip();
	drawLife(ctx, scene);
	ctx.restore();
	write(ctx, "life", 8, (layout.life.top + layout.life.bottom) / 2, colours.text);
	drawLanes(ctx, scene);
	drawCalls(ctx, scene);
	drawValues(ctx, scene);
}

// Where the mark of a record is.  A record without a lane is on the life line.
export function placeOf(scene, record) {
	const { data, object, lanes, layout, scale } = scene;
	const lane = lanes.lane[record - object.first];
	const isOnLife = lane < 0 || data.kind[record] === KIND.AFTER_FREE;

	return {
		x: scale(data.time[record]),
		y: isOnLife ? (layout.life.top + layout.life.bottom) / 2 :
			      layout.lanes.top + (lane + 0.5) * layout.laneHeight,
	};
}

// Draw the selected record, and the pointer, above the picture.
export function drawOverlay(ctx, scene, selected, hovered) {
	const { layout, colours } = scene;

	ctx.clearRect(0, 0, layout.width, layout.height);
	for (const [record, colour, width] of [[hovered, colours.faint, 1],
					       [selected, colours.selected, 1.5]]) {
		if (record === NONE)
			continue;
		const { x, y } = placeOf(scene, record);
		if (x < layout.left - 1 || x > layout.right + 1)
			continue;
		ctx.fillStyle = colour;
		ctx.fillRect(x - width / 2, layout.axis.bottom, width, layout.height - layout.axis.bottom);
		ctx.strokeStyle = colour;
		ctx.lineWidth = 2;
		ctx.strokeRect(x - 6, y - 9, 12, 18);
	}
}
