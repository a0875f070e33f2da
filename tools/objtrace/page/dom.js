// SPDX-License-Identifier: GPL-2.0-only
// Elements.  Names come from the traced machine: they only ever become text, never markup.

// Make an element.  The properties are attributes, or listeners if they are functions.
export function make(tag, properties, ...children) {
	const element = document.createElement(tag);

	for (const [name, value] of Object.entries(properties || {})) {
		if (typeof value === "function")
			element.addEventListener(name, value);
		else if (value !== undefined && value !== null && value !== false)
			element.setAttribute(name, value === true ? "" : value);
	}
	element.append(...children.filter(child => child !== null && child !== undefined));
	return element;
}

export function find(id) {
	return document.getElementById(id);
}

// Note the time when the page first shows data, for bench.py.
export function markDrawn() {
	if (!performance.getEntriesByName("objtrace-drawn").length)
		performance.mark("objtrace-drawn");
}

// Call a function once after a time without further calls, in ms.
export function afterwards(delay, run) {
	let timer = 0;

	return () => {
		clearTimeout(timer);
		timer = setTimeout(run, delay);
	};
}

// Call a function once before the next frame, however often it is asked for.
export function perFrame(run) {
	let isAsked = false;

	return () => {
		if (isAsked)
			return;
		isAsked = true;
		requestAnimationFrame(() => {
			isAsked = false;
			run();
		});
	};
}
