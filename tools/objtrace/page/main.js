// SPDX-License-Identifier: GPL-2.0-only
// The page: its parts, and the view that they share with the address of the page.

import { Chart } from "./chart.js";
import { NONE, eventText, readData, taskText, valuesText, functionAt, callerAt } from "./data.js";
import { afterwards, find, make, perFrame } from "./dom.js";
import { durationText, plural, timeText } from "./format.js";
import { LANE_MODES } from "./lanes.js";
import { Ledger } from "./ledger.js";
import { readLink, writeLink } from "./link.js";
import { hitsOf, objectTitle, studyObjects } from "./objects.js";
import { Overview } from "./overview.js";
import { Records, showDetails } from "./records.js";
import { nextMatch, search } from "./search.js";
import { setUpTheme } from "./theme.js";

const KEYS = [
	["Arrow left, arrow right", "move the picture"], ["Arrow up, arrow down", "zoom the picture"],
	["+, -", "zoom"], ["0", "show the whole life"], ["n, p", "select the next, the previous record"],
	["c, Shift+c", "select the next, the previous change"], ["/", "search"],
	["Enter, Shift+Enter", "select the next, the previous match"], ["o", "all objects"],
	["t", "dark or light"], ["?", "this help"],
];

// A new address takes a browser some ms: it waits until the view rests, in ms
const LINK_DELAY = 150;

// The colours of the picture
const LEGEND = [["hit", "record"], ["many", "several records"], ["change", "change"]];
const RARE = [["hint", "use after the free, or a take without a give"]];

class Page {
	constructor(data) {
		this.data = data;
		this.object = null;
		this.record = NONE;
		this.lanes = LANE_MODES[0][0];
		this.tab = "records";
		this.found = null;
		this.isReading = false;
		studyObjects(data);
		this.overview = new Overview(data, {
			onOpen: object => this.go({ object: object.number }),
			onSort: order => this.sort(order),
		});
		this.records = new Records(data, record => this.select(record));
		this.ledger = new Ledger(data);
		this.chart = new Chart(find("chart"), data, {
			onSelect: record => this.select(record),
			onHover: (record, mouse) => this.showTip(record, mouse),
			onView: () => this.onView(),
		});
		this.saveLink = afterwards(LINK_DELAY, () => this.writeLink());
		this.search = perFrame(() => this.runSearch());
		this.listen();
	}

	listen() {
		const click = (id, run) => find(id).addEventListener("click", run);

		find("lanes").append(...LANE_MODES.map(([mode, name]) =>
			make("option", { value: mode }, "by " + name)));
		find("lanes").addEventListener("change", () => this.setLanes(find("lanes").value));
		find("rows").addEventListener("change", () => this.saveLink());
		find("query").addEventListener("input", this.search);
		find("search").addEventListener("submit", submit => {
			submit.preventDefault();
			this.toMatch(1);
		});
		click("previous", () => this.toMatch(-1));
		click("back", () => this.go({}));
		click("zoom-in", () => this.chart.zoomBy(2));
		click("zoom-out", () => this.chart.zoomBy(0.5));
		click("fit", () => this.chart.fit());
		click("tab-records", () => this.setTab("records"));
		click("tab-ledger", () => this.setTab("ledger"));
		click("help-button", () => find("help").showModal());
		find("keys").append(...KEYS.flatMap(([keys, text]) =>
			[make("dt", null, keys), make("dd", null, text)]));
		document.addEventListener("keydown", key => this.onKey(key));
		addEventListener("hashchange", () => this.readLink());
	}

	// Show a view, as a step that the browser can go back to the view of now.
	go(view) {
		const sort = this.overview.order;

		this.writeLink();
		location.hash = writeLink({ ...view, sort: sort === "start" ? null : sort,
					    search: find("query").value });
	}

	readLink() {
		this.hash = location.hash;
		const view = readLink(this.hash);
		const isOne = this.data.objects.length === 1;
		const number = view.object || (isOne ? this.data.objects[0].number : 0);

		this.isReading = true;
		find("query").value = view.search || "";
		this.overview.setOrder(view.sort || "start");
		if (["all", "changes", "matches"].includes(view.rows))
			find("rows").value = view.rows;
		this.lanes = LANE_MODES.some(([mode]) => mode === view.lanes) ? view.lanes : this.lanes;
		find("lanes").value = this.lanes;
		this.show(this.data.objects.find(object => object.number === number) || null, view);
		this.runSearch();
		this.isReading = false;
	}

	writeLink() {
		const isAll = !this.object || this.chart.isFit();
		const [from, to] = this.object && !isAll ? this.chart.view() : [];

		// The address can have another view that is not read yet: it must not be lost.
		if (this.isReading || location.hash !== this.hash)
			return;
		history.replaceState(null, "", writeLink({
			object: this.object && this.data.objects.length > 1 ? this.object.number : null,
			from, to,
			record: this.record === NONE ? null : this.record - this.object.first + 1,
			lanes: this.lanes === LANE_MODES[0][0] ? null : this.lanes,
			search: find("query").value,
			sort: this.overview.order === "start" ? null : this.overview.order,
			rows: find("rows").value === "all" ? null : find("rows").value,
			tab: this.tab === "records" ? null : this.tab,
		}));
		this.hash = location.hash;
	}

	// Show an object, or all objects.
	show(object, view) {
		const isOther = object !== this.object;

		find("overview").hidden = object !== null;
		find("object").hidden = object === null;
		find("back").hidden = object === null || this.data.objects.length < 2;
		this.object = object;
		this.showTip(NONE);
		this.showTitle();
		if (!object) {
			this.record = NONE;
			return;
		}
		if (isOther) {
			this.records.setObject(object);
			this.chart.show(object, this.lanes);
		} else {
			this.chart.setLanes(this.lanes);
		}
		this.showParts(object, view);
	}

	showParts(object, view) {
		const record = object.first + (view.record || 0) - 1;

		if (view.from < view.to)
			this.chart.setView(view.from, view.to);
		else
			this.chart.fit();
		this.showLegend(object);
		find("tab-ledger").hidden = !object.ledger;
		if (object.ledger)
			this.ledger.show(object);
		this.setTab(object.ledger && view.tab === "ledger" ? "ledger" : "records");
		this.choose(record >= object.first && record < object.first + object.records ?
			    record : NONE);
	}

	showTitle() {
		const object = this.object;
		const { file, objects, nr, damaged } = this.data;

		find("title").textContent = object ? objectTitle(object) : file;
		find("subtitle").textContent = object ? [
			objects.length > 1 ? "object " + object.number : null, durationText(object.length),
			plural(hitsOf(object), object.hits === undefined ? "record" : "hit"),
			object.gap ? "records lost" : object.lost ? plural(object.lost, "record") + " lost" :
				"nothing lost",
			object.place ? "in " + object.place : null,
			object.unusual || null, file,
		].filter(Boolean).join(" \u00b7 ") :
			plural(objects.length, "object") + " \u00b7 " + plural(nr, "record") +
			(damaged ? " \u00b7 " + plural(damaged, "damaged record") : "");
		document.title = find("title").textContent + " \u2013 objtrace";
	}

	setLanes(mode) {
		this.lanes = mode;
		this.chart.setLanes(mode);
		this.saveLink();
	}

	setTab(tab) {
		this.tab = tab;
		for (const name of ["records", "ledger"]) {
			find(name).hidden = name !== tab;
			find("tab-" + name).setAttribute("aria-selected", String(name === tab));
		}
		find("rows-label").hidden = tab !== "records";
		this.saveLink();
	}

	sort(order) {
		this.overview.setOrder(order);
		this.saveLink();
	}

	onView() {
		const [from, to] = this.chart.view();

		find("window").textContent = this.chart.isFit() ? "" : timeText(from, (to - from) / 100) +
			" to " + timeText(to, (to - from) / 100);
		this.saveLink();
	}

	showLegend(object) {
		const hasOpen = object.ledger && object.ledger.rows.some(row => row[5] !== "0");

		find("legend").replaceChildren(
			...LEGEND.concat(object.hints.length || hasOpen ? RARE : []).map(([colour, text]) => {
				const patch = make("i");

				patch.style.background = "var(--" + colour + ")";
				return make("span", null, patch, text);
			}));
	}

	// Select a record everywhere, without a change of the view.
	choose(record) {
		this.record = record;
		this.chart.select(record);
		showDetails(this.data, this.object, record);
		this.records.select(record);
	}

	select(record) {
		if (record === NONE)
			return;
		this.choose(record);
		this.chart.reveal(record);
		this.saveLink();
	}

	// Select the next record for which the test is true, in a direction.
	step(direction, isWanted) {
		const { first, records } = this.object;
		let record = this.record;

		if (record === NONE)
			record = direction > 0 ? first - 1 : first + records;
		do
			record += direction;
		while (record >= first && record < first + records && !isWanted(record));
		if (record >= first && record < first + records)
			this.select(record);
	}

	runSearch() {
		this.found = search(this.data, find("query").value);
		this.chart.setMatched(this.found && this.found.matched);
		this.records.setMatched(this.found && this.found.matched);
		this.overview.setFilter(this.found && (object => this.found.numbers.get(object) > 0 ||
			objectTitle(object).toLowerCase().includes(this.found.query)));
		this.showMatches();
		this.saveLink();
	}

	showMatches() {
		const nr = this.found && (this.object ? this.found.numbers.get(this.object) :
			[...this.found.numbers.values()].reduce((sum, number) => sum + number, 0));

		find("matches").textContent = this.found ? plural(nr, "record") : "";
	}

	toMatch(direction) {
		if (this.found && this.object)
			this.select(nextMatch(this.found, this.object, this.record, direction));
	}

	showTip(record, mouse) {
		const tip = find("tip");
		const data = this.data;

		tip.hidden = record === NONE;
		if (record === NONE)
			return;
		const site = data.site[record];
		const name = functionAt(data, site), caller = callerAt(data, site);
		const lines = [
			caller && "\u2190 " + caller.name, valuesText(data, record),
			name && data.changeOf[record] >= 0 ? eventText(data, record) : null,
			taskText(data, record) + ", CPU " + data.runs[data.run[record]].cpu,
			timeText(data.time[record]),
		].filter(Boolean);
		tip.replaceChildren(make("strong", null, name ? name.name : eventText(data, record)),
				    ...lines.map(text => make("span", null, text)));
		const left = Math.min(mouse.clientX + 14, innerWidth - tip.offsetWidth - 8);
		const top = mouse.clientY + 18 + tip.offsetHeight > innerHeight ?
			mouse.clientY - tip.offsetHeight - 10 : mouse.clientY + 18;
		tip.style.left = Math.max(4, left) + "px";
		tip.style.top = Math.max(4, top) + "px";
	}

	onKey(key) {
		const isTyping = ["INPUT", "SELECT"].includes(key.target.tagName);
		const isChange = record => this.data.changeOf[record] >= 0;
		const always = { "/": () => find("query").select(), "?": () => find("help").showModal(),
				 t: () => find("theme").click() };
		const forObject = {
			"+": () => this.chart.zoomBy(2), "-": () => this.chart.zoomBy(0.5),
			0: () => this.chart.fit(), n: () => this.step(1, () => true),
			p: () => this.step(-1, () => true), c: () => this.step(1, isChange),
			C: () => this.step(-1, isChange), o: () => find("back").hidden || this.go({}),
		};
		const action = always[key.key] || (this.object && forObject[key.key]);

		if (key.target === find("query"))
			this.onQueryKey(key);
		if (isTyping || find("help").open || !action || key.ctrlKey || key.altKey || key.metaKey)
			return;
		key.preventDefault();
		action();
	}

	onQueryKey(key) {
		if (key.key === "Escape") {
			key.preventDefault();	// some browsers empty the field
			key.target.blur();
		} else if (key.key === "Enter" && key.shiftKey) {
			key.preventDefault();
			this.toMatch(-1);
		}
	}
}

const page = new Page(readData(find("data")));

setUpTheme(find("theme"), () => page.chart.setColours());
page.readLink();
