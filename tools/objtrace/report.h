/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The command `objtrace report'.
 */
#ifndef _TOOLS_OBJTRACE_REPORT_H
#define _TOOLS_OBJTRACE_REPORT_H

#include <stdbool.h>

struct report;

/**
 * struct report_options - the command line
 * @file: the file to read
 * @view: the view; NULL for the default
 * @view_name: the option that chose the view, without "--"
 * @view_word: the word with this option, or its argument
 * @output: the file to write, or NULL for standard output
 * @btf: file with the BTF of the kernel, or NULL
 * @object_word: the number or the address of the object, or NULL for all objects
 * @object: its number or address
 * @by_address: @object is an address
 * @all: show each record
 */
struct report_options {
	const char		*file;
	int			(*view)(struct report *report);
	const char		*view_name;
	const char		*view_word;
	const char		*output;
	const char		*btf;
	const char		*object_word;
	unsigned long long	object;
	bool			by_address;
	bool			all;
};

int report_parse(int argc, char **argv, struct report_options *options);
int report_run(const struct report_options *options, int out_fd);

#endif /* _TOOLS_OBJTRACE_REPORT_H */
