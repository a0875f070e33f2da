// SPDX-License-Identifier: GPL-2.0-only
// The view in the fragment of the page's address.  Everything in a fragment can be wrong.

const NUMBERS = ["object", "from", "to", "record"];
const TEXTS = ["lanes", "search", "sort", "rows", "tab"];

// Return the view that a fragment has: an object with the keys that are valid.
export function readLink(fragment) {
	const parameters = new URLSearchParams(fragment.replace(/^#/, ""));
	const view = {};

	for (const key of NUMBERS)
		if (parameters.has(key) && isFinite(Number(parameters.get(key))))
			view[key] = Number(parameters.get(key));
	for (const key of TEXTS)
		if (parameters.has(key))
			view[key] = parameters.get(key);
	return view;
}

// Return the fragment for a view.
export function writeLink(view) {
	const parameters = new URLSearchParams();

	for (const key of NUMBERS.concat(TEXTS))
		if (view[key] !== undefined && view[key] !== null && view[key] !== "")
			parameters.set(key, typeof view[key] === "number" ?
				       String(Math.round(view[key])) : view[key]);
	return "#" + parameters.toString();
}
