/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The data of the page of `objtrace report --html', as JSON.
 */
#ifndef _TOOLS_OBJTRACE_PAGEDATA_H
#define _TOOLS_OBJTRACE_PAGEDATA_H

struct report;

int pagedata_print(struct report *report);

#endif /* _TOOLS_OBJTRACE_PAGEDATA_H */
