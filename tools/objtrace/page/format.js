// SPDX-License-Identifier: GPL-2.0-only
// Times as text.

const UNITS = [[1e9, "s"], [1e6, "ms"], [1e3, "\u00b5s"], [1, "ns"]];

// Return the largest unit that is not longer than a time in ns.
export function unitOf(ns) {
	return UNITS.find(([length]) => Math.abs(ns) >= length) || UNITS[UNITS.length - 1];
}

function digitsFor(step, length) {
	return Math.max(0, Math.ceil(-Math.log10(step / length) - 1e-9));
}

// Format a time in ns, with the digits that tell times apart that differ by a step.
export function timeText(ns, step = 1) {
	const [length, name] = unitOf(ns);
	const text = (ns / length).toFixed(Math.min(9, digitsFor(step, length)));

	return ns ? text.replace(/(\.\d*?)0+$/, "$1").replace(/\.$/, "") + " " + name : "0";
}

// Format a duration, with about three digits.
export function durationText(ns) {
	return timeText(ns, Math.max(1, Math.pow(10, Math.floor(Math.log10(Math.max(1, ns))) - 3)));
}

// Format the absolute time of the trace clock, which has more digits than a number.
export function clockText(start, ns) {
	const sum = start + BigInt(Math.round(ns));
	const text = sum.toString().padStart(10, "0");

	return text.slice(0, -9) + "." + text.slice(-9) + " s";
}

// Format a number with commas.  The locales of a browser take a tenth of a second to load.
export function numberText(nr) {
	return String(nr).replace(/\B(?=(\d{3})+$)/g, ",");
}

export function plural(nr, noun) {
	return numberText(nr) + " " + noun + (Number(nr) === 1 ? "" : "s");
}
