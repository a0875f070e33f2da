/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of the picture of one object.
 */
#ifndef _TOOLS_OBJTRACE_SVG_PARTS_H
#define _TOOLS_OBJTRACE_SVG_PARTS_H

#include "tools/objtrace/lanes.h"
#include "tools/objtrace/ledger.h"
#include "tools/objtrace/svg.h"
#include "tools/objtrace/text.h"

#define SVG_WIDTH	960
#define SVG_LEFT	150	/* of the parts */
#define SVG_RIGHT	(SVG_WIDTH - 14)

struct point;

/**
 * struct curve - the value of an object over time
 * @points: the changes of the value, and the first value
 * @nr: number of @points
 * @nr_changes: number of changes among them
 * @rows: the different values in the order of the axis, as their numbers in @points; NULL for an axis
 *	  of numbers
 * @nr_rows: number of @rows
 * @axis: the map from a row, or from a value, to pixels
 * @top: upper side of the labels
 * @height: height of the labels and the curve
 */
struct curve {
	struct point	*points;
	size_t		nr;
	size_t		nr_changes;
	size_t		*rows;
	size_t		nr_rows;
	struct svg_scale axis;
	double		top;
	double		height;
};

/**
 * struct picture - the picture of an object
 * @report: the report
 * @object: the object
 * @time: the map from the time since the first record, in ns
 * @lanes: its lanes
 * @curve: its value
 * @ledger: its ledger; without steps if the value is no counter
 */
struct picture {
	struct report		*report;
	const struct object	*object;
	struct svg_scale	time;
	struct lanes		lanes;
	struct curve		curve;
	struct ledger		ledger;
};

double svg_time_of(const struct picture *picture, const struct record *record);
void svg_curve_find(struct picture *picture, double top);
void svg_curve_draw(const struct picture *picture);
void svg_curve_free(struct curve *curve);
int svg_object(struct report *report, const struct object *object);
void svg_title(struct report *report, const struct object *object, char text[VALUES_LEN]);

#endif /* _TOOLS_OBJTRACE_SVG_PARTS_H */
