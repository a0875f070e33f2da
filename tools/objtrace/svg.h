/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts of an SVG picture.
 */
#ifndef _TOOLS_OBJTRACE_SVG_H
#define _TOOLS_OBJTRACE_SVG_H

#include <stdio.h>

/* Widths of characters of both fonts, in pixels: a file has no way to measure a text */
#define SVG_CODE_WIDTH	6.65
#define SVG_TEXT_WIDTH	6.8

/**
 * struct svg_scale - a map from numbers to pixels
 * @from: the first number
 * @to: the last number, larger than @from
 * @begin: the pixel of @from
 * @end: the pixel of @to
 */
struct svg_scale {
	double	from;
	double	to;
	double	begin;
	double	end;
};

void svg_begin(FILE *out, int width, int height, const char *title);
void svg_end(FILE *out);
void svg_text(FILE *out, double x, double y, const char *class, const char *text);
void svg_fitted(FILE *out, double x, double y, const char *class, const char *text, double width);
void svg_rect(FILE *out, double x, double y, double width, double height, const char *class);
double svg_place(const struct svg_scale *scale, double number);
double svg_step(double span, int ticks);
void svg_time(double ns, double step, char text[32]);

#endif /* _TOOLS_OBJTRACE_SVG_H */
