/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The files objtrace/set_filter and objtrace/set_notrace in tracefs.
 */
#ifndef _OBJTRACE_FILTER_FILES_H
#define _OBJTRACE_FILTER_FILES_H

#include <linux/fs.h>

#include "functions/filter.h"

extern const struct file_operations objtrace_filter_files_fops;
int objtrace_filter_files_open(struct file *file, enum objtrace_filter which);

#endif /* _OBJTRACE_FILTER_FILES_H */
