// SPDX-License-Identifier: GPL-2.0-only
/*
 * The page with the objects.  page_template.S has the page without its data.
 */
#include <string.h>

#include "tools/objtrace/message.h"
#include "tools/objtrace/pagedata.h"
#include "tools/objtrace/text.h"
#include "tools/objtrace/views.h"

/* In page_template.S.  The template is empty if the program was built without it. */
extern const char page_template[], page_template_end[];

/* The place of the data in the template */
static const char place[] = "@DATA@";

/**
 * view_html_can() - check that the program was built with the page
 *
 * Return: EXIT_DONE, or EXIT_REFUSED after a message.
 */
int view_html_can(void)
{
	if (&page_template[0] != &page_template_end[0])
		return 0;
	return refusal("this objtrace was built without the page; install esbuild, node-d3-scale and node-d3-zoom, and build objtrace again");
}

/**
 * view_html() - print a page with the objects
 * @report: the report
 *
 * Return: 0, or -ENOMEM.
 */
int view_html(struct report *report)
{
	size_t size = page_template_end - page_template;
	const char *data = memmem(page_template, size, place, strlen(place));
	int ret;

	fwrite(page_template, 1, data - page_template, report->out);
	ret = pagedata_print(report);
	data += strlen(place);
	fwrite(data, 1, page_template_end - data, report->out);
	return ret;
}
