// SPDX-License-Identifier: GPL-2.0-only
// The value, as a curve with the functions that changed it.

import { bisectLeft } from "d3-array";

import {
	CODE_FONT, FONT, drawDisc, drawHint, fitted, measureCode, toPixels, write,
} from "./canvas.js";
import { callerAt, changeAt, culpritName, isCertain } from "./data.js";
import { plural } from "./format.js";
import { LABEL_HEIGHT, ROWS_OF_LABELS } from "./layout.js";

// Labels at some of more changes would say little
const MAX_LABELLED = 400;

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
			drawDisc(ctx, x, y, 3, colours.change);
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

export function drawValues(ctx, scene) {
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
