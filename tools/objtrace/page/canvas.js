// SPDX-License-Identifier: GPL-2.0-only
// The parts of drawing that the parts of the picture share.

import { bisectLeft } from "d3-array";

export const FONT = "12px system-ui, sans-serif";
export const CODE_FONT = "11.5px ui-monospace, 'DejaVu Sans Mono', monospace";
// The content of a pixel of a lane, or of a bar: flags
export const HIT = 1, CHANGED = 2, MATCHED = 4, MANY = 8;

// The records from one time to another: a place before, and the place after the last one
export function between(data, object, from, to) {
	const end = object.first + object.records;

	return [bisectLeft(data.time, from, object.first, end),
		bisectLeft(data.time, to, object.first, end)];
}

export function visible(scene) {
	const [from, to] = scene.scale.domain();

	return between(scene.data, scene.object, from, to + 1e-6);
}

// The map from times to pixels.  A scale is too slow for millions of times.
export function toPixels(scene) {
	const { scale } = scene;
	const [from, to] = scale.domain();
	const [left, right] = scale.range();
	const factor = (right - left) / (to - from);

	return { from, to, left, right, factor };
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

// Texts in the code font: its characters all have one width, and measuring many texts is slow.
let codeWidth = 0;

export function measureCode(ctx, text) {
	if (!codeWidth)
		codeWidth = ctx.measureText("0".repeat(100)).width / 100;
	return text.length * codeWidth;
}

export function fittedCode(ctx, text, width) {
	const nr = Math.floor(width / measureCode(ctx, "0"));

	return text.length <= nr ? text : nr > 1 ? text.slice(0, nr - 1) + "\u2026" : "";
}

// Cut a text at its end, so that it fits.
export function fitted(ctx, text, width) {
	if (ctx.measureText(text).width <= width)
		return text;
	while (text && ctx.measureText(text + "\u2026").width > width)
		text = text.slice(0, -1);
	return text ? text + "\u2026" : "";
}

export function write(ctx, text, x, y, colour, align = "left") {
	ctx.fillStyle = colour;
	ctx.textAlign = align;
	ctx.fillText(text, x, y);
}

export function drawHint(ctx, x, y, colour) {
	ctx.fillStyle = colour;
	ctx.beginPath();
	ctx.moveTo(x, y - 7);
	ctx.lineTo(x + 6, y + 5);
	ctx.lineTo(x - 6, y + 5);
	ctx.fill();
}

export function drawDisc(ctx, x, y, radius, colour) {
	ctx.fillStyle = colour;
	ctx.beginPath();
	ctx.arc(x, y, radius, 0, 7);
	ctx.fill();
}

// Draw the pixels of a row that are not 0.  Pixels side by side with the same colour are one
// rectangle, which is a bit wider than its pixels.
export function drawRuns(ctx, cells, colourOf, left, top, height, extra) {
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
