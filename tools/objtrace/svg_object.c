// SPDX-License-Identifier: GPL-2.0-only
/*
 * The picture of one object: its life, its lanes, its calls and its value.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/btfnames.h"
#include "tools/objtrace/calls.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/svg_parts.h"

#define HEAD_HEIGHT	52
#define AXIS_HEIGHT	22
#define LIFE_HEIGHT	24
#define LANE_HEIGHT	20
#define CALL_HEIGHT	16
#define MAX_CALLS	16	/* rows */
#define GAP		12
#define EVENT_GAP	5
#define TICKS		7
/* Marks and bars with fewer pixels between them are one */
#define MARK		1.0

/**
 * svg_time_of() - the place of a record's time
 * @picture: the picture
 * @record: the record
 *
 * Return: the pixel.
 */
double svg_time_of(const struct picture *picture, const struct record *record)
{
	return svg_place(&picture->time, record->ts - object_start(picture->object));
}

/**
 * svg_title() - name an object
 * @report: the report
 * @object: the object
 * @text: the result
 */
void svg_title(struct report *report, const struct object *object, char text[VALUES_LEN])
{
	const struct record *typed = object->typed;
	const char *type = typed && !typed->btf ?
			   btfnames_struct(report->btf, typed->struct_id) : NULL;

	snprintf(text, VALUES_LEN, "%s%.60s 0x%llx%s%.120s", type ? "struct " : "", type ?: "object",
		 object->address, object->member ? " -> " : "", object->member ?: "");
}

static u64 length_of(const struct object *object)
{
	return (object->del ?: object->last)->ts - object_start(object);
}

static void draw_head(const struct picture *picture)
{
	const struct object *object = picture->object;
	char text[VALUES_LEN], duration[32];
	FILE *out = picture->report->out;
	u64 nr = object->del ? object->del->hits : object->nr_records;

	svg_title(picture->report, object, text);
	svg_text(out, 8, 18, "title", text);
	text_duration(length_of(object), duration);
	snprintf(text, sizeof(text), "%s, %llu %s%s, %s", duration, nr,
		 object->del ? "hit" : "record", nr == 1 ? "" : "s",
		 object_has_gap(object) || object_lost(object) ? "records lost" : "nothing lost");
	svg_text(out, 8, 38, "faint", text);
}

static void draw_axis(const struct picture *picture, double top, double bottom)
{
	double span = picture->time.to - picture->time.from;
	double at, step = svg_step(span, TICKS);
	FILE *out = picture->report->out;
	char text[32];

	svg_text(out, 8, top + AXIS_HEIGHT / 2.0, "faint", "since the add");
	for (at = 0; at <= picture->time.to; at += step) {
		double x = svg_place(&picture->time, at);

		svg_rect(out, x, top + AXIS_HEIGHT, 1, bottom - top - AXIS_HEIGHT, "grid");
		svg_time(at, step, text);
		svg_text(out, x, top + AXIS_HEIGHT / 2.0, "middle", text);
	}
}

/* The text of the records at the ends */
static void end_text(const struct picture *picture, const struct record *record, const char *without,
		     char text[VALUES_LEN])
{
	struct report report = *picture->report;
	struct change change = {};

	snprintf(text, VALUES_LEN, "%s", without);
	if (!record)
		return;
	report.colour = false;
	report.out = fmemopen(text, VALUES_LEN, "w");
	if (!report.out)
		no_memory();
	print_event(&report, record, &change);
	fclose(report.out);
	text[VALUES_LEN - 1] = '\0';
}

static void draw_ends(const struct picture *picture, double begin, double end, double middle)
{
	const struct object *object = picture->object;
	FILE *out = picture->report->out;
	char add[VALUES_LEN], del[VALUES_LEN];
	double room = end - begin - 40, width;

	end_text(picture, object->add, "traced from here on", add);
	end_text(picture, object->del, "still tracked", del);
	width = strlen(del) * SVG_TEXT_WIDTH;
	if (width > room / 2)
		width = room / 2;
	svg_fitted(out, begin + 12, middle, "on", add, room - width);
	svg_fitted(out, end - 12, middle, "on end", del, width + SVG_TEXT_WIDTH);
	if (object->add)
		fprintf(out, "  <circle class=\"add\" cx=\"%.1f\" cy=\"%.1f\" r=\"5\"/>\n", begin,
			middle);
	if (object->del && object->del->reason == DEL_FREE)
		fprintf(out, "  <path class=\"cross\" d=\"M%.1f %.1fl10 10m0 -10l-10 10\"/>\n",
			end - 5, middle - 5);
}

static void draw_life(const struct picture *picture, double top)
{
	const struct object *object = picture->object;
	double begin = svg_place(&picture->time, 0);
	double end = svg_place(&picture->time, length_of(object));
	double middle = top + LIFE_HEIGHT / 2.0;
	FILE *out = picture->report->out;
	const struct record *record;

	svg_text(out, 8, middle, "", "life");
	svg_rect(out, begin, top + 2, end - begin > 2 ? end - begin : 2, LIFE_HEIGHT - 4,
		 object->add ? "life" : "unknown");
	draw_ends(picture, begin, end, middle);
	for_each_record(record, object)
		if (record->kind == RECORD_AFTER_FREE)
			fprintf(out, "  <path class=\"hint\" d=\"M%.1f %.1fl6 12h-12z\"/>\n",
				svg_time_of(picture, record), middle - 7);
}

/* A mark of a lane, or several marks side by side; empty if @end is 0 */
struct run {
	double	begin;
	double	end;
};

static void draw_run(const struct picture *picture, struct run *run, double y, bool are_changes)
{
	double inset = are_changes ? 2 : 5;

	if (run->end)
		svg_rect(picture->report->out, run->begin - 1.25, y + inset,
			 run->end - run->begin + 2.5, LANE_HEIGHT - 2 * inset,
			 are_changes ? "change" : "hit");
}

/* Changes come above other records */
static void draw_marks(const struct picture *picture, double top, bool are_changes)
{
	struct trace_symbols *symbols = picture->report->symbols;
	struct run runs[MAX_LANES] = {};
	struct history history = {};
	const struct record *record;
	struct change change;
	unsigned int i;

	for_each_record(record, picture->object) {
		int lane = lane_of(&picture->lanes, record, symbols);
		double x = svg_time_of(picture, record);

		history_next(&history, record, &change);
		if (lane == NO_LANE || is_change(&change) != are_changes)
			continue;
		if (x - runs[lane].end >= MARK) {
			draw_run(picture, &runs[lane], top + lane * LANE_HEIGHT, are_changes);
			runs[lane].begin = x;
		}
		runs[lane].end = x;
	}
	for (i = 0; i < picture->lanes.nr; i++)
		draw_run(picture, &runs[i], top + i * LANE_HEIGHT, are_changes);
}

/* An event has its text on the side with more room.  Two events share the room between them */
static void draw_event(const struct picture *picture, const char *text, double left, double x,
		       double right, double y)
{
	bool is_left = x - left > right - x;
	double room = (is_left ? x - left : right - x) - 2 * EVENT_GAP;

	svg_fitted(picture->report->out, is_left ? x - EVENT_GAP : x + EVENT_GAP, y,
		   is_left ? "code end" : "code", text, room);
}

static void draw_events(const struct picture *picture, double y)
{
	const struct record *record, *last = NULL;
	double left = SVG_LEFT, x = 0, next;

	for_each_record(record, picture->object) {
		if (record->kind != RECORD_EVENT)
			continue;
		next = svg_time_of(picture, record);
		if (last) {
			draw_event(picture, last->event, left, x, (x + next) / 2, y);
			left = (x + next) / 2;
		}
		x = next;
		last = record;
	}
	if (last)
		draw_event(picture, last->event, left, x, SVG_RIGHT, y);
}

static void draw_lanes(const struct picture *picture, double top)
{
	FILE *out = picture->report->out;
	unsigned int i;

	for (i = 0; i < picture->lanes.nr; i++) {
		if (!(i % 2))
			svg_rect(out, SVG_LEFT, top + i * LANE_HEIGHT, SVG_RIGHT - SVG_LEFT,
				 LANE_HEIGHT, "odd");
		svg_fitted(out, 8, top + (i + 0.5) * LANE_HEIGHT, "", picture->lanes.lanes[i].name,
			   SVG_LEFT - 16);
	}
	draw_marks(picture, top, false);
	draw_marks(picture, top, true);
	if (picture->lanes.events != NO_LANE)
		draw_events(picture, top + (picture->lanes.events + 0.5) * LANE_HEIGHT);
}

/* Number of rows for the calls with a known return */
static unsigned int call_rows(const struct call *calls, unsigned long nr)
{
	unsigned int rows = 0;
	unsigned long i;

	for (i = 0; i < nr; i++)
		if (calls[i].ret && calls[i].depth >= rows)
			rows = calls[i].depth + 1;
	return rows < MAX_CALLS ? rows : MAX_CALLS;
}

static void draw_bar(const struct picture *picture, const struct run *run, double y)
{
	if (run->end)
		svg_rect(picture->report->out, run->begin, y + 1, run->end - run->begin + MARK,
			 CALL_HEIGHT - 2, "call");
}

/* Bars that are too narrow for a gap are one bar without a name */
static void draw_call(const struct picture *picture, const struct call *call, double y,
		      struct run *run)
{
	double begin = svg_time_of(picture, call->record), end = svg_time_of(picture, call->ret);

	if (begin - run->end >= MARK || end - begin >= MARK) {
		draw_bar(picture, run, y);
		run->begin = begin;
		run->end = 0;
	}
	if (end - begin < MARK) {
		run->end = end;
		return;
	}
	svg_rect(picture->report->out, begin, y + 1, end - begin - 0.5, CALL_HEIGHT - 2, "call");
	svg_fitted(picture->report->out, begin + 4, y + CALL_HEIGHT / 2.0, "code",
		   function_name(picture->report, call->record->ip), end - begin - 8);
}

static void draw_calls(const struct picture *picture, const struct call *calls, double top,
		       unsigned int rows)
{
	struct run runs[MAX_CALLS] = {};
	unsigned long i;

	if (rows)
		svg_text(picture->report->out, 8, top + CALL_HEIGHT / 2.0, "", "calls");
	for (i = 0; i < picture->object->nr_records; i++)
		if (calls[i].ret && calls[i].depth < rows)
			draw_call(picture, &calls[i], top + calls[i].depth * CALL_HEIGHT,
				  &runs[calls[i].depth]);
	for (i = 0; i < rows; i++)
		draw_bar(picture, &runs[i], top + i * CALL_HEIGHT);
}

static void draw(struct picture *picture, const struct call *calls)
{
	double lanes = HEAD_HEIGHT + AXIS_HEIGHT + LIFE_HEIGHT + GAP / 2;
	double tree = lanes + picture->lanes.nr * LANE_HEIGHT + GAP;
	unsigned int rows = call_rows(calls, picture->object->nr_records);
	FILE *out = picture->report->out;
	char title[VALUES_LEN];
	double bottom;

	svg_curve_find(picture, tree + rows * CALL_HEIGHT + (rows ? GAP : 0));
	bottom = picture->curve.top + picture->curve.height;
	svg_title(picture->report, picture->object, title);
	svg_begin(out, SVG_WIDTH, bottom + GAP, title);
	draw_head(picture);
	draw_axis(picture, HEAD_HEIGHT, bottom);
	draw_life(picture, HEAD_HEIGHT + AXIS_HEIGHT);
	draw_lanes(picture, lanes);
	draw_calls(picture, calls, tree, rows);
	svg_curve_draw(picture);
	svg_end(out);
}

/**
 * svg_object() - print the picture of an object
 * @report: the report
 * @object: the object
 *
 * Return: 0, or -ENOMEM.
 */
int svg_object(struct report *report, const struct object *object)
{
	struct picture picture = { .report = report, .object = object };
	struct call *calls = calls_find(object, report->symbols);
	double span = object->last->ts - object_start(object);
	int ret;

	if (!calls)
		return -ENOMEM;
	if (span < 20)
		span = 20;
	picture.time = (struct svg_scale){ -0.02 * span, 1.02 * span, SVG_LEFT, SVG_RIGHT };
	ret = ledger_make(&picture.ledger, object, report->symbols);
	if (!ret) {
		if (!ledger_is_of_counter(&picture.ledger, object))
			picture.ledger.nr_steps = 0;
		lanes_find(&picture.lanes, object, report->symbols);
		draw(&picture, calls);
		lanes_free(&picture.lanes);
		svg_curve_free(&picture.curve);
	}
	ledger_free(&picture.ledger);
	free(calls);
	return ret;
}
