/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The views of a report.  Each view prints the objects that are selected.
 */
#ifndef _TOOLS_OBJTRACE_VIEWS_H
#define _TOOLS_OBJTRACE_VIEWS_H

struct report;

/* Each returns 0, or -ENOMEM */
int view_changes(struct report *report);
int view_timeline(struct report *report);
int view_graph(struct report *report);
int view_functions(struct report *report);
int view_refs(struct report *report);
int view_json(struct report *report);
int view_perfetto(struct report *report);
int view_html(struct report *report);
int view_svg(struct report *report);

int view_html_can(void);

#endif /* _TOOLS_OBJTRACE_VIEWS_H */
