// SPDX-License-Identifier: GPL-2.0-only
// Dark and light: as the system says, until the user switches.

const KEY = "objtrace-theme";
const NAMES = ["back", "text", "faint", "grid", "odd", "even", "hit", "many", "change", "dim",
	       "match", "life", "on-life", "unknown", "add", "free", "hint", "call", "on-call",
	       "on-change", "curve", "leader", "selected"];

// A browser can refuse to store for a file.
function stored() {
	try {
		return localStorage.getItem(KEY);
	} catch {
		return null;
	}
}

function store(theme) {
	try {
		localStorage.setItem(KEY, theme);
	} catch {
		// The theme lasts until the page is closed
	}
}

function camelCase(name) {
	return name.replace(/-(.)/g, (all, letter) => letter.toUpperCase());
}

// The colours of the style sheet, for the canvas
export function readColours() {
	const style = getComputedStyle(document.documentElement);

	return Object.fromEntries(NAMES.map(name =>
		[camelCase(name), style.getPropertyValue("--" + name).trim()]));
}

// Set up the switch.  onChange is called after each change.
export function setUpTheme(button, onChange) {
	const system = matchMedia("(prefers-color-scheme: dark)");
	let chosen = stored();

	function apply() {
		const isDark = chosen ? chosen === "dark" : system.matches;

		document.documentElement.dataset.theme = isDark ? "dark" : "light";
		button.textContent = isDark ? "Light" : "Dark";
		onChange();
	}

	system.addEventListener("change", apply);
	button.addEventListener("click", () => {
		chosen = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
		store(chosen);
		apply();
	});
	apply();
}
