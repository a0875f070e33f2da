// SPDX-License-Identifier: GPL-2.0-only
// The calls, as bars.

import {
	CHANGED, CODE_FONT, FONT, HIT, MATCHED, drawRuns, firstCall, fitted, fittedCode, toPixels, write,
} from "./canvas.js";

// Bars with fewer pixels have no text, or are not drawn one by one
const MIN_TEXT = 30, MIN_BAR = 3;

function callColour(scene, cell) {
	const { colours, matched } = scene;

	if (matched)
		return cell & MATCHED ? colours.match : colours.dim;
	return cell & CHANGED ? colours.change : colours.call;
}

// The content of a bar: flags
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

export function drawCalls(ctx, scene) {
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
