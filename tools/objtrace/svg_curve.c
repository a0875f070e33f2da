// SPDX-License-Identifier: GPL-2.0-only
/*
 * The value of an object as a curve, with the functions that changed it.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/message.h"
#include "tools/objtrace/svg_parts.h"

#define LABEL_ROWS	4
#define LABEL_HEIGHT	15
#define CURVE_HEIGHT	130
#define ROW_HEIGHT	22
/* More labels than these have no room */
#define MAX_LABELS	300
/* More values than these are numbers on an axis, unless they have names */
#define MAX_ROWS	10
#define MAX_NAMED_ROWS	30

/**
 * struct point - a step of the curve
 * @record: the record with the value
 * @change: its change
 * @nr: number of the record
 * @row: its row on the axis
 */
struct point {
	const struct record	*record;
	struct change		change;
	unsigned long		nr;
	size_t			row;
};

static bool has_name(const struct record *record)
{
	return record->format == FORMAT_ENUM || record->format == FORMAT_CHAR ||
	       record->format == FORMAT_SYMBOL;
}

static double number_of(const struct record *record)
{
	if (record->format == FORMAT_SIGNED || record->format == FORMAT_ENUM)
		return (long long)record->value;
	return record->value;
}

static bool is_same(const struct record *a, const struct record *b)
{
	return a->fault == b->fault && (a->fault || a->value == b->value);
}

static void add_point(struct curve *curve, const struct record *record, unsigned long nr,
		      const struct change *change)
{
	/* The room is a power of two */
	if (!(curve->nr & (curve->nr - 1))) {
		curve->points = realloc(curve->points,
					(curve->nr ? curve->nr * 2 : 1) * sizeof(*curve->points));
		if (!curve->points)
			no_memory();
	}
	curve->points[curve->nr++] = (struct point){ record, *change, nr };
	curve->nr_changes += is_change(change);
}

static void find_points(struct curve *curve, const struct object *object)
{
	struct history history = {};
	const struct record *record, *last = NULL;
	struct change change;
	unsigned long nr = 0;

	for_each_record(record, object) {
		history_next(&history, record, &change);
		if (record_has_value(record) &&
		    (!last || is_change(&change) || !is_same(last, record))) {
			add_point(curve, record, nr, &change);
			last = record;
		}
		nr++;
	}
}

/* Values that were not read come below all others */
static bool is_below(const struct record *a, const struct record *b)
{
	if (a->fault || b->fault)
		return a->fault && !b->fault;
	return number_of(a) < number_of(b);
}

/* Find the place of a value among the rows.  Return false if the rows lack it. */
static bool find_row(const struct curve *curve, const struct record *record, size_t *row)
{
	for (*row = 0; *row < curve->nr_rows; ++*row) {
		const struct record *other = curve->points[curve->rows[*row]].record;

		if (is_same(other, record))
			return true;
		if (is_below(record, other))
			return false;
	}
	return false;
}

static void find_rows(struct curve *curve)
{
	size_t i, row, max = MAX_ROWS;
	bool has_names = false, is_hex = false;

	curve->rows = calloc(MAX_NAMED_ROWS + 1, sizeof(*curve->rows));
	if (!curve->rows)
		no_memory();
	for (i = 0; i < curve->nr && curve->nr_rows <= MAX_NAMED_ROWS; i++) {
		has_names |= has_name(curve->points[i].record);
		is_hex |= curve->points[i].record->format == FORMAT_HEX;
		if (curve->nr_rows == MAX_NAMED_ROWS + 1 ||
		    find_row(curve, curve->points[i].record, &row))
			continue;
		memmove(&curve->rows[row + 1], &curve->rows[row],
			(curve->nr_rows - row) * sizeof(*curve->rows));
		curve->rows[row] = i;
		curve->nr_rows++;
	}
	if (has_names)
		max = MAX_NAMED_ROWS;
	if (curve->nr_rows <= max && (has_names || is_hex))
		return;
	free(curve->rows);
	curve->rows = NULL;
	curve->nr_rows = 0;
}

static void find_range(struct curve *curve)
{
	double low = 0, high = 0, margin;
	bool is_first = true;
	size_t i;

	for (i = 0; i < curve->nr; i++) {
		double number = number_of(curve->points[i].record);

		if (curve->points[i].record->fault)
			continue;
		if (is_first || number < low)
			low = number;
		if (is_first || number > high)
			high = number;
		is_first = false;
	}
	/* Double precision is not enough for a margin of 1 around large numbers */
	margin = high > low ? (high - low) * 0.08 : fmax(fabs(high) * 1e-6, 1);
	curve->axis.from = low - margin;
	curve->axis.to = high + margin;
}

static double curve_height(const struct curve *curve)
{
	double rows = curve->nr_rows ? curve->nr_rows * ROW_HEIGHT : CURVE_HEIGHT;

	if (!curve->nr_changes && !curve->nr_rows)
		return 2 * ROW_HEIGHT;
	return rows < CURVE_HEIGHT ? rows : CURVE_HEIGHT;
}

/**
 * svg_curve_find() - find the curve of an object, and lay it out
 * @picture: the picture, which gets the curve
 * @top: upper side of the curve in pixels
 */
void svg_curve_find(struct picture *picture, double top)
{
	struct curve *curve = &picture->curve;
	double labels;
	size_t i;

	memset(curve, 0, sizeof(*curve));
	find_points(curve, picture->object);
	curve->top = top;
	if (!curve->nr)
		return;
	find_rows(curve);
	if (curve->rows) {
		curve->axis.from = -0.5;
		curve->axis.to = curve->nr_rows - 0.5;
		for (i = 0; i < curve->nr; i++)
			find_row(curve, curve->points[i].record, &curve->points[i].row);
	} else {
		find_range(curve);
	}
	labels = curve->nr_changes ? LABEL_ROWS * LABEL_HEIGHT + 4 : 0;
	curve->height = labels + curve_height(curve);
	curve->axis.begin = top + curve->height;
	curve->axis.end = top + labels;
}

/**
 * svg_curve_free() - free a curve
 * @curve: the curve
 */
void svg_curve_free(struct curve *curve)
{
	free(curve->points);
	free(curve->rows);
}

static double height_of(const struct curve *curve, const struct point *point)
{
	return svg_place(&curve->axis, curve->rows ? point->row : number_of(point->record));
}

static void draw_tick(const struct picture *picture, double y, const char *text)
{
	FILE *out = picture->report->out;

	svg_rect(out, SVG_LEFT, y, SVG_RIGHT - SVG_LEFT, 1, "grid");
	svg_fitted(out, SVG_LEFT - 8, y, "end", text, SVG_LEFT - 16);
}

static void number_text(double number, bool is_hex, char text[VALUE_LEN])
{
	if (is_hex && number >= 0 && number < 0x1p64)
		snprintf(text, VALUE_LEN, "0x%llx", (u64)number);
	else
		snprintf(text, VALUE_LEN, "%.0f", number);
}

static void draw_axis(const struct picture *picture)
{
	const struct curve *curve = &picture->curve;
	bool is_hex = curve->points[0].record->format == FORMAT_HEX;
	double first, step = svg_step(curve->axis.to - curve->axis.from, 5);
	char text[VALUE_LEN];
	size_t i;

	for (i = 0; i < curve->nr_rows; i++) {
		const struct record *record = curve->points[curve->rows[i]].record;

		text_value(picture->report, record, record->value, record->fault, text);
		draw_tick(picture, svg_place(&curve->axis, i), text);
	}
	if (curve->rows)
		return;
	step = fmax(step, 1);
	first = ceil(curve->axis.from / step);
	for (i = 0; (first + i) * step <= curve->axis.to; i++) {
		number_text((first + i) * step, is_hex, text);
		draw_tick(picture, svg_place(&curve->axis, (first + i) * step), text);
	}
}

/* The part of the curve in one column of pixels: its first, lowest, highest and last place */
struct column {
	double	x;
	double	first;
	double	low;
	double	high;
	double	last;
	bool	is_valid;
};

static void draw_column(FILE *out, const struct column *column, bool is_open)
{
	fprintf(out, is_open ? "H%.1fV%.1f" : "M%.1f %.1f", column->x, column->first);
	if (column->low < column->high)
		fprintf(out, "V%.1fV%.1fV%.1f", column->low, column->high, column->last);
	else if (column->last != column->first)
		fprintf(out, "V%.1f", column->last);
}

/* Return true if the point belongs to the column */
static bool extend(struct column *column, double x, double y)
{
	if (!column->is_valid || x - column->x >= 1)
		return false;
	if (y < column->low)
		column->low = y;
	if (y > column->high)
		column->high = y;
	column->last = y;
	return true;
}

/* A million changes need no larger file than the pixels */
static void draw_line(const struct picture *picture)
{
	const struct curve *curve = &picture->curve;
	FILE *out = picture->report->out;
	struct column column = {};
	bool is_open = false;
	size_t i;

	fputs("  <path class=\"curve\" d=\"", out);
	for (i = 0; i < curve->nr; i++) {
		double x = svg_time_of(picture, curve->points[i].record);
		double y = height_of(curve, &curve->points[i]);
		bool is_gap = curve->points[i].record->fault && !curve->rows;

		if (!is_gap && extend(&column, x, y))
			continue;
		if (column.is_valid)
			draw_column(out, &column, is_open);
		is_open = column.is_valid;
		if (is_gap && is_open)
			fprintf(out, "H%.1f", x);
		is_open = is_open && !is_gap;
		column = (struct column){ x, y, y, y, y, !is_gap };
	}
	if (column.is_valid) {
		draw_column(out, &column, is_open);
		fprintf(out, "H%.1f",
			svg_time_of(picture, picture->object->del ?: picture->object->last));
	}
	fputs("\"/>\n", out);
}

static long long open_at(const struct picture *picture, unsigned long nr)
{
	const struct ledger *ledger = &picture->ledger;
	size_t low = 0, high = ledger->nr_steps;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (ledger->steps[middle].nr < nr)
			low = middle + 1;
		else
			high = middle;
	}
	return low < ledger->nr_steps && ledger->steps[low].nr == nr ? ledger->steps[low].open : 0;
}

/**
 * struct label - the function at a step
 * @text: its name, and what is missing
 * @caller: an arrow and the caller, or ""
 * @x: place of the step
 * @y: height of the step
 * @left: begin of the text
 * @row: row of the text, or LABEL_ROWS without room
 * @is_open: a take or a give without an opposite
 */
struct label {
	char	text[100];
	char	caller[80];
	double	x;
	double	y;
	double	left;
	int	row;
	bool	is_open;
};

static double label_width(const struct label *label)
{
	return strlen(label->text) * SVG_CODE_WIDTH;
}

static double label_top(const struct picture *picture, const struct label *label)
{
	return picture->curve.top + label->row * LABEL_HEIGHT;
}

static void name_label(const struct picture *picture, const struct point *point, struct label *label)
{
	const struct change *change = &point->change;
	long long open = open_at(picture, point->nr);
	const char *name = culprit_words(CULPRIT_ADD);

	if (change->culprit != CULPRIT_ADD)
		name = change->ip ? function_name(picture->report, change->ip) : "unknown";
	snprintf(label->text, sizeof(label->text), "%.80s%s%s", name,
		 culprit_is_certain(change->culprit) ? "" : "?",
		 open > 0 ? " - no give?" : open < 0 ? " - no take?" : "");
	if (change->ip && change->parent_ip && !culprit_is_instruction(change->culprit))
		snprintf(label->caller, sizeof(label->caller), "<- %.70s",
			 function_name(picture->report, change->parent_ip));
	label->is_open = open;
}

/* Each label is in the first row with room */
static void place_label(const struct picture *picture, const struct point *point, struct label *label,
			double ends[LABEL_ROWS])
{
	double width;

	name_label(picture, point, label);
	width = label_width(label);
	label->x = svg_time_of(picture, point->record);
	label->y = height_of(&picture->curve, point);
	label->left = label->x - 3 + width > SVG_RIGHT ? SVG_RIGHT - width : label->x - 3;
	while (label->row < LABEL_ROWS && ends[label->row] > label->left - 8)
		label->row++;
	if (label->row < LABEL_ROWS)
		ends[label->row] = label->left + width;
}

static void draw_leader(const struct picture *picture, const struct label *label)
{
	double top = label_top(picture, label) + LABEL_HEIGHT - 1;

	if (label->row < LABEL_ROWS)
		svg_rect(picture->report->out, label->x, top, 1, label->y - top, "leader");
}

/* The caller follows if there is room before the next label of the row */
static void draw_label(const struct picture *picture, const struct label *label,
		       double begins[LABEL_ROWS])
{
	double width = label_width(label) + SVG_CODE_WIDTH;
	double caller = strlen(label->caller) * SVG_CODE_WIDTH;
	double top = label_top(picture, label), middle = top + LABEL_HEIGHT / 2.0;
	FILE *out = picture->report->out;

	if (label->row == LABEL_ROWS)
		return;
	if (label->left + width + caller > begins[label->row])
		caller = 0;
	svg_rect(out, label->left - 2, top + 1, width + caller + 4, LABEL_HEIGHT - 2, "back");
	svg_text(out, label->left, middle, label->is_open ? "open" : "code", label->text);
	if (caller)
		svg_text(out, label->left + width, middle, "caller", label->caller);
	begins[label->row] = label->left - 8;
}

static void draw_labels(const struct picture *picture)
{
	const struct curve *curve = &picture->curve;
	struct label *labels = calloc(curve->nr_changes + 1, sizeof(*labels));
	double ends[LABEL_ROWS] = {}, begins[LABEL_ROWS];
	size_t i, nr = 0;

	if (!labels)
		no_memory();
	for (i = 0; i < LABEL_ROWS; i++)
		begins[i] = SVG_RIGHT;
	for (i = 0; i < curve->nr; i++)
		if (is_change(&curve->points[i].change))
			place_label(picture, &curve->points[i], &labels[nr++], ends);
	for (i = 0; i < nr; i++)
		draw_leader(picture, &labels[i]);
	while (nr--)
		draw_label(picture, &labels[nr], begins);
	free(labels);
}

static void draw_mark(const struct picture *picture, const struct point *point)
{
	double x = svg_time_of(picture, point->record), y = height_of(&picture->curve, point);
	FILE *out = picture->report->out;

	if (point->record->fault && !picture->curve.rows)
		return;
	if (open_at(picture, point->nr))
		fprintf(out, "  <path class=\"hint\" d=\"M%.1f %.1fl6 12h-12z\"/>\n", x, y - 7);
	else
		fprintf(out, "  <circle class=\"change\" cx=\"%.1f\" cy=\"%.1f\" r=\"3\"/>\n", x, y);
}

static void draw_marks(const struct picture *picture)
{
	const struct curve *curve = &picture->curve;
	size_t i;

	for (i = 0; i < curve->nr; i++)
		if (is_change(&curve->points[i].change))
			draw_mark(picture, &curve->points[i]);
}

/**
 * svg_curve_draw() - draw the curve of an object
 * @picture: the picture
 */
void svg_curve_draw(const struct picture *picture)
{
	const struct curve *curve = &picture->curve;
	char text[64];

	if (!curve->nr)
		return;
	draw_axis(picture);
	draw_line(picture);
	if (curve->nr_changes <= MAX_LABELS) {
		draw_labels(picture);
		draw_marks(picture);
		return;
	}
	snprintf(text, sizeof(text), "%zu changes", curve->nr_changes);
	svg_text(picture->report->out, SVG_LEFT, curve->top + LABEL_HEIGHT / 2.0, "faint", text);
}
