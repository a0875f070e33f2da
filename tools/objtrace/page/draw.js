// SPDX-License-Identifier: GPL-2.0-only
// The picture of an object.  All records of a pixel are drawn at once, so that a million records
// take no longer than a thousand.

import { drawCalls } from "./bars.js";
import {
	CHANGED, FONT, HIT, MANY, MATCHED, drawDisc, drawHint, drawRuns, fitted, toPixels, visible, write,
} from "./canvas.js";
import { drawValues } from "./curve.js";
import { FREED, KIND, NONE, eventText } from "./data.js";
import { timeText } from "./format.js";

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
		drawDisc(ctx, begin, y, 5, colours.add);
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

// The contents of the lanes: rows of pixels, one for each lane
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

// Changes, and the matches of a search, are higher than other marks.
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

// The place of a record's mark.  A record without a lane is on the life line.
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
