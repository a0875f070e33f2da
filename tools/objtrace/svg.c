// SPDX-License-Identifier: GPL-2.0-only
/*
 * SVG with its style in the file: it is as dark as the viewer prefers.  Texts are escaped, because
 * they have names of the traced machine.
 */
#include <math.h>
#include <string.h>

#include "tools/objtrace/svg.h"

/* The colours of tools/objtrace/page/page.css */
static const char style[] =
"  <style>\n"
"    text { font: 12px system-ui, sans-serif; fill: #1f2328; dominant-baseline: central }\n"
"    .title { font-size: 15px; font-weight: bold }\n"
"    .faint { fill: #636c76 }\n"
"    .middle { text-anchor: middle; fill: #636c76 }\n"
"    .end { text-anchor: end }\n"
"    .code { font: 11px 'DejaVu Sans Mono', monospace }\n"
"    .caller { font: 11px 'DejaVu Sans Mono', monospace; fill: #636c76 }\n"
"    .open { font: 11px 'DejaVu Sans Mono', monospace; fill: #cf222e }\n"
"    .on { fill: #ffffff }\n"
"    .back { fill: #ffffff }\n"
"    .odd { fill: #f6f8fa }\n"
"    .grid { fill: #e7ebef }\n"
"    .leader { fill: #b9c1ca }\n"
"    .hit { fill: #8fa8c8 }\n"
"    .change { fill: #d9690f }\n"
"    .life { fill: #2da06f }\n"
"    .unknown { fill: #8c959f }\n"
"    .add { fill: #1a7f4b }\n"
"    .call { fill: #b6d0f2 }\n"
"    .hint { fill: #cf222e }\n"
"    .cross { stroke: #1f2328; stroke-width: 2 }\n"
"    .curve { fill: none; stroke: #0969da; stroke-width: 1.75; stroke-linejoin: round }\n"
"    @media (prefers-color-scheme: dark) {\n"
"      text { fill: #e6edf3 }\n"
"      .faint, .middle, .caller { fill: #9198a1 }\n"
"      .open, .hint { fill: #ff7b72 }\n"
"      .on { fill: #f0fff7 }\n"
"      .back { fill: #0d1117 }\n"
"      .odd { fill: #161b22 }\n"
"      .grid { fill: #21262d }\n"
"      .leader { fill: #484f58 }\n"
"      .hit { fill: #4f6a8f }\n"
"      .change { fill: #f0883e }\n"
"      .life { fill: #1f6f4a }\n"
"      .unknown { fill: #6e7681 }\n"
"      .add { fill: #56d364 }\n"
"      .call { fill: #264a7a }\n"
"      .cross { stroke: #f0f6fc }\n"
"      .curve { stroke: #58a6ff }\n"
"    }\n"
"  </style>\n";

/* A text of a damaged file need not be UTF-8 */
static void put_escaped(FILE *out, const char *text, size_t len)
{
	const unsigned char *c = (const unsigned char *)text;

	for (; *c && len; c++, len--) {
		if (strchr("<>&\"'", *c))
			fprintf(out, "&#%u;", *c);
		else
			putc(*c < ' ' || *c > '~' ? '?' : *c, out);
	}
}

/**
 * svg_begin() - print the begin of a picture
 * @out: the output
 * @width: width in pixels
 * @height: height in pixels
 * @title: title for readers of the screen
 */
void svg_begin(FILE *out, int width, int height, const char *title)
{
	fprintf(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
		"<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">\n"
		"  <title>", width, height, width, height);
	put_escaped(out, title, strlen(title));
	fprintf(out, "</title>\n%s", style);
	svg_rect(out, 0, 0, width, height, "back");
}

/**
 * svg_end() - print the end of a picture
 * @out: the output
 */
void svg_end(FILE *out)
{
	fputs("</svg>\n", out);
}

static void put_text(FILE *out, double x, double y, const char *class, const char *text, size_t len,
		     const char *rest)
{
	fprintf(out, "  <text x=\"%.1f\" y=\"%.1f\"", x, y);
	if (*class)
		fprintf(out, " class=\"%s\"", class);
	putc('>', out);
	put_escaped(out, text, len);
	fprintf(out, "%s</text>\n", rest);
}

/**
 * svg_text() - print a text
 * @out: the output
 * @x: its begin, or the place that its class anchors
 * @y: the middle of its line
 * @class: its class, or ""
 * @text: the text
 */
void svg_text(FILE *out, double x, double y, const char *class, const char *text)
{
	put_text(out, x, y, class, text, strlen(text), "");
}

/**
 * svg_fitted() - print a text that is cut if it is too long
 * @out: the output
 * @x: its begin, or the place that its class anchors
 * @y: the middle of its line
 * @class: its class, or ""
 * @text: the text
 * @width: the longest text in pixels
 */
void svg_fitted(FILE *out, double x, double y, const char *class, const char *text, double width)
{
	double one = strstr(class, "code") ? SVG_CODE_WIDTH : SVG_TEXT_WIDTH;
	size_t len = width > 0 ? width / one : 0;

	if (strlen(text) <= len)
		svg_text(out, x, y, class, text);
	else if (len > 3)
		put_text(out, x, y, class, text, len - 1, "&#8230;");
}

/**
 * svg_rect() - print a rectangle
 * @out: the output
 * @x: left side
 * @y: upper side
 * @width: width in pixels
 * @height: height in pixels
 * @class: its class
 */
void svg_rect(FILE *out, double x, double y, double width, double height, const char *class)
{
	fprintf(out, "  <rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" class=\"%s\"/>\n",
		x, y, width, height, class);
}

/**
 * svg_place() - map a number to a pixel
 * @scale: the map
 * @number: the number
 *
 * Return: the pixel.
 */
double svg_place(const struct svg_scale *scale, double number)
{
	return scale->begin + (number - scale->from) / (scale->to - scale->from) *
			      (scale->end - scale->begin);
}

/**
 * svg_step() - choose the distance of the ticks of an axis
 * @span: what the axis shows
 * @ticks: about the number of ticks
 *
 * Return: 1, 2 or 5 times a power of ten.
 */
double svg_step(double span, int ticks)
{
	double step = pow(10, floor(log10(span / ticks)));
	double times = span / ticks / step;

	if (times >= 5)
		return step * 5;
	return times >= 2 ? step * 2 : step;
}

/**
 * svg_time() - format a time of an axis
 * @ns: the time in ns
 * @step: the distance of the ticks in ns
 * @text: the result
 */
void svg_time(double ns, double step, char text[32])
{
	static const struct {
		double		length;
		const char	*name;
	} units[] = { { 1e9, "s" }, { 1e6, "ms" }, { 1e3, "us" }, { 1, "ns" } };
	unsigned int unit = 0;
	int digits;

	while (unit < 3 && ns < units[unit].length * 0.9999)
		unit++;
	digits = ceil(-log10(step / units[unit].length) - 1e-9);
	if (ns < step / 2)
		snprintf(text, 32, "0");
	else
		snprintf(text, 32, "%.*f %s", digits > 0 ? digits : 0, ns / units[unit].length,
			 units[unit].name);
}
