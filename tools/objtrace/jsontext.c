// SPDX-License-Identifier: GPL-2.0-only
/*
 * Strings in JSON.  The names of a damaged file can have any bytes, so the text need not be UTF-8.
 *
 * A page has its data between two tags.  No text may end the data, or begin a tag or a comment.
 */
#include "tools/objtrace/jsontext.h"

/**
 * json_string() - print a string with its quotes
 * @out: the output
 * @text: the text; each byte that is not ASCII becomes the character of that number
 *
 * The string has no "<": it is escaped.
 */
void json_string(FILE *out, const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	putc('"', out);
	for (; *c; c++) {
		if (*c == '"' || *c == '\\')
			fprintf(out, "\\%c", *c);
		else if (*c < ' ' || *c > '~' || *c == '<')
			fprintf(out, "\\u%04x", *c);
		else
			putc(*c, out);
	}
	putc('"', out);
}
