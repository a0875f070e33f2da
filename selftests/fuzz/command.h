/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Random commands for trigger files, and random patterns for set_filter and set_notrace.
 */
#ifndef _FUZZ_COMMAND_H
#define _FUZZ_COMMAND_H

#include "selftests/fuzz/random.h"
#include "selftests/fuzz/text.h"

/* Longer than each command that is not changed */
#define COMMAND_LEN	512

/**
 * struct fuzz_event - an event that commands are written to
 * @path: its directory, below events/
 * @field: a field that holds a pointer
 * @struct_name: the tag of a struct that the pointer can point to
 * @members: paths to members of the struct, up to a NULL
 */
struct fuzz_event {
	const char *path;
	const char *field;
	const char *struct_name;
	const char *const members[12];
};

const struct fuzz_event *command_event(struct random *r);
const struct fuzz_event *command_event_at(unsigned int nr);
void command_make(struct random *r, const struct fuzz_event *event, struct text *t);
void command_make_other(struct random *r, struct text *t);
void command_make_pattern(struct random *r, struct text *t);
void command_mutate(struct random *r, struct text *t);

#endif /* _FUZZ_COMMAND_H */
