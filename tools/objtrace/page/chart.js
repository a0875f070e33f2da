// SPDX-License-Identifier: GPL-2.0-only
// The picture of one object: its canvas, zooming, and the pointer.

// The index of d3-scale would bring scales for dates and colours
import scaleLinear from "d3-scale/src/linear.js";
import { event, select } from "d3-selection";
import { zoom, zoomIdentity, zoomTransform } from "d3-zoom";

import { findCalls } from "./calls.js";
import { FONT } from "./canvas.js";
import { NONE } from "./data.js";
import { make, markDrawn, perFrame } from "./dom.js";
import { draw, drawOverlay } from "./draw.js";
import { recordAt } from "./hit.js";
import { findLanes } from "./lanes.js";
import { layOut } from "./layout.js";
import { readColours } from "./theme.js";
import { findValues } from "./values.js";

// The shortest time that fills the picture, in ns
const SHORTEST = 20;
// Of the object's life, left free at both ends
const MARGIN = 0.02;
// Of the picture, for one key
const STEP = 0.15;
const LABEL = "Picture of the records.  Arrow keys move and zoom, n and p select a record; the " +
	      "table below has the same records.";

export class Chart {
	// The calls are onSelect(record), onHover(record, mouse event) and onView().
	constructor(container, data, calls) {
		this.data = data;
		this.calls = calls;
		this.selected = this.hovered = NONE;
		this.scene = null;
		this.canvas = make("canvas", { tabindex: "0", role: "img", "aria-label": LABEL });
		this.overlay = make("canvas", { "class": "overlay", "aria-hidden": true });
		container.append(this.canvas, this.overlay);
		this.container = container;
		this.redraw = perFrame(() => this.draw());
		this.redrawOverlay = perFrame(() => this.drawOverlay());
		this.listen();
		new ResizeObserver(() => this.resize()).observe(container);
	}

	listen() {
		this.zoom = zoom().filter(() => !event.button && !this.isMove(event))
			.on("zoom", () => this.onZoom());
		select(this.canvas).call(this.zoom);
		this.canvas.addEventListener("wheel", wheel => this.onWheel(wheel), { passive: false });
		this.canvas.addEventListener("mousemove", mouse => this.onMouse(mouse));
		this.canvas.addEventListener("mouseleave", () => this.hover(NONE, null));
		this.canvas.addEventListener("click", mouse => this.onClick(mouse));
		this.canvas.addEventListener("keydown", key => this.onKey(key));
	}

	// A wheel with Shift, and a wheel that turns sideways, move the picture.
	isMove(wheel) {
		return wheel.type === "wheel" &&
		       (wheel.shiftKey || Math.abs(wheel.deltaX) > Math.abs(wheel.deltaY));
	}

	onWheel(wheel) {
		if (!this.isMove(wheel))
			return;
		wheel.preventDefault();
		this.pan((wheel.deltaX || wheel.deltaY) / this.width());
	}

	width() {
		return this.scene.layout.right - this.scene.layout.left;
	}

	// Show an object.
	show(object, mode) {
		const data = this.data;

		this.scene = {
			data, object, lanes: findLanes(data, object, mode), calls: findCalls(data, object),
			values: findValues(data, object), matched: null, colours: readColours(),
		};
		this.selected = this.hovered = NONE;
		this.resize();
		this.fit();
	}

	setLanes(mode) {
		this.scene.lanes = findLanes(this.data, this.scene.object, mode);
		this.resize();
	}

	setMatched(matched) {
		if (!this.scene)
			return;
		this.scene.matched = matched;
		this.redraw();
	}

	setColours() {
		if (!this.scene)
			return;
		this.scene.colours = readColours();
		this.redraw();
	}

	// Lay the picture out again, and keep the view.
	resize() {
		const width = this.container.clientWidth;
		const view = this.scene && this.scene.scale ? this.view() : null;
		const ctx = this.canvas.getContext("2d");

		if (!this.scene || !width)
			return;
		ctx.font = FONT;
		this.scene.layout = layOut(this.scene, width, text => ctx.measureText(text).width);
		for (const canvas of [this.canvas, this.overlay])
			this.setSize(canvas);
		// For tests, which click on the picture
		this.canvas.dataset.places = JSON.stringify(this.scene.layout);
		this.setBase();
		if (view)
			this.setView(...view);
		this.redraw();
	}

	setSize(canvas) {
		const { width, height } = this.scene.layout;
		const ratio = window.devicePixelRatio || 1;

		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.width = width + "px";
		canvas.style.height = height + "px";
		canvas.getContext("2d").setTransform(ratio, 0, 0, ratio, 0, 0);
	}

	// The scale of the whole life, and the limits of zooming
	setBase() {
		const { object, layout } = this.scene;
		const span = Math.max(object.span, SHORTEST);
		const [from, to] = [-span * MARGIN, span * (1 + MARGIN)];

		this.base = scaleLinear().domain([from, to]).range([layout.left, layout.right]);
		this.scene.scale = zoomTransform(this.canvas).rescaleX(this.base);
		this.zoom.extent([[layout.left, 0], [layout.right, layout.height]])
			.translateExtent([[layout.left, 0], [layout.right, layout.height]])
			.scaleExtent([1, Math.max(1, (to - from) / SHORTEST)]);
	}

	onZoom() {
		if (!this.scene)
			return;
		this.scene.scale = event.transform.rescaleX(this.base);
		this.redraw();
		this.calls.onView();
	}

	// The times at both ends of the picture
	view() {
		return this.scene.scale.domain();
	}

	isFit() {
		return zoomTransform(this.canvas).k === 1;
	}

	setView(from, to) {
		const [low, high] = this.base.domain();
		const scale = (high - low) / Math.max(SHORTEST, to - from);
		const x = this.scene.layout.left - this.base(from) * scale;

		select(this.canvas).call(this.zoom.transform, zoomIdentity.translate(x, 0).scale(scale));
	}

	fit() {
		select(this.canvas).call(this.zoom.transform, zoomIdentity);
	}

	zoomBy(factor) {
		select(this.canvas).call(this.zoom.scaleBy, factor);
	}

	// Move by a part of the picture.
	pan(part) {
		select(this.canvas).call(this.zoom.translateBy,
					 -part * this.width() / zoomTransform(this.canvas).k, 0);
	}

	select(record) {
		this.selected = record;
		this.redrawOverlay();
	}

	// Move the view so that it has a record.
	reveal(record) {
		const [from, to] = this.view();
		const time = this.data.time[record];

		if (time < from || time > to)
			this.setView(time - (to - from) / 2, time + (to - from) / 2);
	}

	hover(record, mouse) {
		if (record !== this.hovered)
			this.redrawOverlay();
		this.hovered = record;
		this.calls.onHover(record, mouse);
	}

	recordOf(mouse) {
		const box = this.canvas.getBoundingClientRect();

		return recordAt(this.scene, mouse.clientX - box.left, mouse.clientY - box.top);
	}

	onMouse(mouse) {
		if (this.scene)
			this.hover(mouse.buttons ? NONE : this.recordOf(mouse), mouse);
	}

	onClick(mouse) {
		const record = this.recordOf(mouse);

		if (record !== NONE)
			this.calls.onSelect(record);
	}

	onKey(key) {
		const actions = {
			ArrowLeft: () => this.pan(-STEP), ArrowRight: () => this.pan(STEP),
			ArrowUp: () => this.zoomBy(1.5), ArrowDown: () => this.zoomBy(1 / 1.5),
		};

		if (!actions[key.key] || key.altKey || key.ctrlKey || key.metaKey)
			return;
		key.preventDefault();
		actions[key.key]();
	}

	draw() {
		if (!this.scene || !this.scene.layout)
			return;
		draw(this.canvas.getContext("2d"), this.scene);
		this.drawOverlay();
		markDrawn();
	}

	drawOverlay() {
		if (this.scene && this.scene.layout)
			drawOverlay(this.overlay.getContext("2d"), this.scene, this.selected, this.hovered);
	}
}
