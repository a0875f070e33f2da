/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The parts that the views for people share: times, values, functions, lines and blocks.
 */
#ifndef _TOOLS_OBJTRACE_TEXT_H
#define _TOOLS_OBJTRACE_TEXT_H

#include <stdio.h>

#include "tools/objtrace/history.h"
#include "tools/objtrace/objects.h"

struct btf;
struct decoder;
struct stacks;
struct trace_symbols;
struct tep_handle;

/**
 * struct report - the input and the output of a view
 * @out: the output
 * @file: path of the file that is reported
 * @colour: the output is a terminal that shows colours
 * @all: show each record, not only the changes
 * @objects: the objects
 * @symbols: the functions
 * @tep: the names of tasks
 * @decoder: the names that the records have
 * @stacks: the stacks of the records
 * @btf: names of the kernel's types, or NULL
 * @module_btf: names of the types of the module that has the objects' struct, or NULL
 */
struct report {
	FILE		*out;
	const char	*file;
	bool		colour;
	bool		all;
	struct objects	*objects;
	struct trace_symbols	*symbols;
	struct tep_handle *tep;
	struct decoder	*decoder;
	const struct stacks *stacks;
	struct btf	*btf;
	struct btf	*module_btf;
};

#define VALUE_LEN	120	/* longest text of a value, with its NUL */
#define VALUES_LEN	(2 * VALUE_LEN + 8)
#define NUMBER_LEN	21	/* digits of a u64, with the NUL */
#define TASK_LEN	32

char *text_number(char *end, u64 value, unsigned int base, int min);
void text_value(struct report *report, const struct record *record, u64 value,
		unsigned int fault, char text[VALUE_LEN]);
void text_values(struct report *report, const struct record *record,
		 const struct change *change, char text[VALUES_LEN]);
void text_command(struct report *report, const struct record *record, char text[TASK_LEN]);
void text_task(struct report *report, const struct record *record, char text[TASK_LEN]);
const char *culprit_words(enum culprit culprit);
void text_duration(u64 ns, char text[32]);
const char *plural(u64 nr);
const char *function_name(struct report *report, u64 ip);
void print_call(struct report *report, u64 ip, u64 parent_ip);
void print_head(struct report *report, const struct object *object);
int print_blocks(struct report *report,
		 int (*print)(struct report *report, const struct object *object));
bool has_line(const struct report *report, const struct record *record, bool is_new);
void print_since(struct report *report, const struct object *object, u64 ts);
void print_event(struct report *report, const struct record *record,
		 const struct change *change);

#endif /* _TOOLS_OBJTRACE_TEXT_H */
