// SPDX-License-Identifier: GPL-2.0-only
/*
 * A still picture: of one object, or an overview of several objects.
 */
#include <string.h>

#include "tools/objtrace/svg_parts.h"
#include "tools/objtrace/views.h"

#define HEAD_HEIGHT	68
#define ROW_HEIGHT	22
#define MAX_ROWS	40
#define MARGIN		10
/* Columns */
#define NAME_LEFT	8
#define NAME_WIDTH	330
#define LIFE_LEFT	350
#define LIFE_RIGHT	570
#define TIME_END	645
#define HITS_END	700
#define END_LEFT	716

static const struct object *first_object(const struct objects *objects)
{
	return selected_object(objects->first);
}

static unsigned int count_objects(const struct objects *objects)
{
	const struct object *object;
	unsigned int nr = 0;

	for_each_object(object, objects)
		nr++;
	return nr;
}

static void draw_life(struct report *report, const struct object *object, double middle)
{
	const struct objects *objects = report->objects;
	u64 start = objects->first_record->ts;
	struct svg_scale time = {
		0, objects->last_record->ts - start + 1, LIFE_LEFT, LIFE_RIGHT,
	};
	double begin = svg_place(&time, object_start(object) - start);
	double end = svg_place(&time, (object->del ?: object->last)->ts - start);

	svg_rect(report->out, LIFE_LEFT, middle - 5, LIFE_RIGHT - LIFE_LEFT, 10, "grid");
	svg_rect(report->out, begin, middle - 5, end - begin > 2 ? end - begin : 2, 10,
		 object->del && object->del->reason == DEL_FREE ? "life" : "unknown");
}

static void draw_row(struct report *report, const struct object *object, unsigned int nr)
{
	double middle = HEAD_HEIGHT + (nr + 0.5) * ROW_HEIGHT;
	const struct record *del = object->del;
	char text[VALUES_LEN], name[VALUES_LEN + 16];

	if (!(nr % 2))
		svg_rect(report->out, 0, middle - ROW_HEIGHT / 2, SVG_WIDTH, ROW_HEIGHT, "odd");
	svg_title(report, object, text);
	snprintf(name, sizeof(name), "%u: %s", object->number, text);
	svg_fitted(report->out, NAME_LEFT, middle, "", name, NAME_WIDTH);
	draw_life(report, object, middle);
	text_duration((del ?: object->last)->ts - object_start(object), text);
	svg_text(report->out, TIME_END, middle, "end", text);
	snprintf(text, sizeof(text), "%llu", del ? del->hits : object->nr_records);
	svg_text(report->out, HITS_END, middle, "end", text);
	if (del && del->reason == DEL_FREE)
		snprintf(text, sizeof(text), "freed by %.100s",
			 function_name(report, record_function(del)));
	else
		snprintf(text, sizeof(text), "not freed");
	svg_fitted(report->out, END_LEFT, middle, "", text, SVG_WIDTH - END_LEFT - NAME_LEFT);
}

static void draw_head(struct report *report, unsigned int nr)
{
	const char *slash = strrchr(report->file, '/');
	double middle = HEAD_HEIGHT - ROW_HEIGHT / 2;
	FILE *out = report->out;
	char text[100];

	svg_fitted(out, NAME_LEFT, 18, "title", slash ? slash + 1 : report->file, SVG_WIDTH * 0.75);
	snprintf(text, sizeof(text), "%u objects; the option --object draws one of them", nr);
	svg_text(out, NAME_LEFT, 38, "faint", text);
	svg_text(out, NAME_LEFT, middle, "faint", "object");
	svg_text(out, LIFE_LEFT, middle, "faint", "life");
	svg_text(out, HITS_END, middle, "faint end", "hits");
	svg_text(out, END_LEFT, middle, "faint", "end");
}

static void draw_overview(struct report *report, unsigned int nr)
{
	unsigned int shown = nr > MAX_ROWS ? MAX_ROWS : nr, row = 0;
	const struct object *object;
	char text[64];

	svg_begin(report->out, SVG_WIDTH,
		  HEAD_HEIGHT + (shown + (nr > shown)) * ROW_HEIGHT + MARGIN, "objects of a trace");
	draw_head(report, nr);
	for_each_object(object, report->objects) {
		if (row == shown)
			break;
		draw_row(report, object, row++);
	}
	snprintf(text, sizeof(text), "and %u more", nr - shown);
	if (nr > shown)
		svg_text(report->out, NAME_LEFT, HEAD_HEIGHT + (row + 0.5) * ROW_HEIGHT, "faint",
			 text);
	svg_end(report->out);
}

/**
 * view_svg() - print a picture of the object, or an overview of several objects
 * @report: the report
 *
 * Return: 0, or -ENOMEM.
 */
int view_svg(struct report *report)
{
	unsigned int nr = count_objects(report->objects);

	if (nr == 1)
		return svg_object(report, first_object(report->objects));
	draw_overview(report, nr);
	return 0;
}
