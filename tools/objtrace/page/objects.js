// SPDX-License-Identifier: GPL-2.0-only
// The facts about each object that its records have: its length, its last value, its end.

import { FREED, KIND, NONE, siteText } from "./data.js";
import { plural } from "./format.js";

// Scores of differences to other objects
const HINT = 8, LEAK = 4, ELSEWHERE = 4, OPEN = 4, LOST = 1;

// The few records of an object that are not of a function, and its last value
function scan(data, object) {
	const end = object.first + object.records;

	object.add = object.del = NONE;
	object.hints = [];
	object.lastValue = NONE;
	for (let i = object.first; i < end; i++) {
		if (data.kind[i] === KIND.ADD && object.add === NONE)
			object.add = i;
		else if (data.kind[i] === KIND.DEL)
			object.del = i;
		else if (data.kind[i] === KIND.AFTER_FREE)
			object.hints.push(i);
		if (data.value[i] >= 0)
			object.lastValue = data.value[i];
	}
	object.span = data.time[end - 1];
	object.length = object.end !== undefined ? object.end : object.span;
}

// The end that most objects have, if it is that of more than the half of them: a function, or NONE
// for objects that are not freed
function commonEnd(objects) {
	const counts = new Map();

	for (const object of objects) {
		const end = object.reason === FREED ? object.by : NONE;
		counts.set(end, (counts.get(end) || 0) + 1);
	}
	for (const [end, nr] of counts)
		if (nr * 2 > objects.length && objects.length > 1)
			return end;
	return undefined;
}

function unusualEnd(data, object, common, isAnyFreed) {
	if (object.reason !== FREED)
		return isAnyFreed && common !== NONE ? [LEAK, "never freed"] : null;
	if (common === undefined || object.by === common)
		return null;
	return [ELSEWHERE, "freed by " + siteText(data, object.by) + (common === NONE ?
		", the others are not freed" : ", the others by " + siteText(data, common))];
}

function findUnusual(data, object, common, isAnyFreed) {
	const found = [unusualEnd(data, object, common, isAnyFreed)];
	const open = object.ledger ? object.ledger.rows.reduce((sum, row) => sum + Number(row[5]), 0) : 0;

	if (object.hints.length)
		found.push([HINT, plural(object.hints.length, "use") + " after the free"]);
	if (open > 0)
		found.push([OPEN, plural(open, "reference") + " without a give"]);
	if (object.gap || object.lost)
		found.push([LOST, object.gap ? "records lost" : plural(object.lost, "record") + " lost"]);
	object.unusual = found.filter(Boolean).map(([, text]) => text).join("; ");
	object.score = found.filter(Boolean).reduce((sum, [score]) => sum + score, 0);
}

// Add these facts to the objects.
export function studyObjects(data) {
	const instances = new Set(data.objects.map(object => object.instance));
	const isAnyFreed = data.objects.some(object => object.reason === FREED);

	for (const object of data.objects) {
		scan(data, object);
		// A name that all objects share says nothing
		object.place = instances.size > 1 ? object.instance || "top instance" : null;
	}
	const common = commonEnd(data.objects);
	for (const object of data.objects)
		findUnusual(data, object, common, isAnyFreed);
}

export function objectTitle(object) {
	return (object.type ? "struct " + object.type + " " : "object ") + object.address +
	       (object.member ? " \u2192 " + object.member : "");
}

// Return the objects in an order: start, life, hits or unusual.
export function sortObjects(objects, order) {
	const by = {
		start: (a, b) => a.number - b.number,
		life: (a, b) => b.length - a.length,
		hits: (a, b) => hitsOf(b) - hitsOf(a),
		unusual: (a, b) => b.score - a.score,
	};

	return [...objects].sort((a, b) => by[order](a, b) || a.number - b.number);
}

// The hits that the kernel counted; it counts them until the end of the object
export function hitsOf(object) {
	return object.hits !== undefined ? object.hits : object.records;
}
