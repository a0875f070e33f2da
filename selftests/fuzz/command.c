// SPDX-License-Identifier: GPL-2.0-only
/*
 * Random commands, see command.h.  selftests/unit/fuzz_steps_test.c checks that the parser accepts
 * each command that is not mutated, and that the commands have all verbs, types and options.
 */
#include <stddef.h>
#include <string.h>

#include "selftests/fuzz/command.h"

/* The events of objtrace_target and of the probes in step.c are more frequent */
static const struct fuzz_event events[] = {
	{ "ott/add", "obj", "ott_object",
	  { "value", "parent", "parent->value", "parent->parent->tail", "unused.2", "tail" } },
	{ "ott/add", "obj", "ott_shape",
	  { "low", "middle", "high", "depth", "letter", "filled", "colour", "area", "width",
	    "corner.2.x", "corner.1.y.4" } },
	{ "ott/add", "obj", "ott_shape",
	  { "object", "object->value", "object->parent->tail", "function", "user" } },
	{ "ott/drop", "obj", "ott_object", { "value", "tail" } },
	{ "ott/taken", "obj", "ott_object", { "value", "parent->value" } },
	{ "ott/got", "obj", "ott_object", { "value", "magic" } },
	{ "ott/through", "obj", "ott_object", { "value", "magic" } },
	{ "ott/file", "obj", "file",
	  { "f_pos", "f_mode", "f_flags", "f_inode->i_sb->s_id.0", "f_op->read_iter" } },
	{ "ott/task", "obj", "task_struct",
	  { "pid", "comm.0", "prio", "mm->owner->pid", "real_parent->real_parent->pid" } },
	{ "objtrace_target/ott_event", "obj", "ott_object", { "value", "tail" } },
	{ "objtrace_target/ott_event", "obj", "ott_shape", { "colour", "letter" } },
	{ "kmem/kfree", "ptr", "ott_object", { "value" } },
	{ "kmem/kmalloc", "ptr", "ott_object", { "value" } },
	{ "sched/sched_process_fork", "child_pid", "task_struct", { "pid" } },
	{ "synthetic/ott_made", "obj", "ott_object", { "value" } },
	{ "objtrace/objtrace_value", "object", "ott_object", { "value" } },
};

static const char *const types[] = {
	"u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64", "x8", "x16", "x32", "x64", "char",
	"symbol",
};

static const char *const offsets[] = {
	"0", "8", "0x8", "010", "-8", "-0x8", "0x10", "0x38", "1", "4095", "0x1000", "-1",
	"2147483647", "-2147483648", "0x7fffffff",
};

static const char *const counts[] = {
	"1", "2", "8", "0x10", "010", "count=3", "count=0x100", "unlimited", "9223372036854775807",
};

static const char *const addresses[] = {
	"0x0", "0x1", "0xffffffffffffffff", "0xfffffffffffff001", "0x7fff00000000",
	"0x8000000000000000", "0xffff888000001000", "0xffff000000001000", "0xffffffff81000000",
	"0xffff800080000000",
};

static const char *const filters[] = {
	"obj != 0", "obj == 1", "num == 5", "ptr > 0", "comm == \"ott/0\"", "common_pid == 1",
	"obj & 0x40 || obj == 0", "(obj != 1 && (obj != 2 || obj != 3))", "comm ~ \"f*\"",
	"CPU == 1", "num < 100", "bytes_alloc > 64",
};

static const char *const enums[] = {
	"ott_colour", "OTT_WIDE", "ott_first", "OTT_TWIN_BOTH", "pid_type", "OTT_SHARED",
	"TCP_ESTABLISHED", "nothing",
};

/* Triggers of the kernel, for the same events */
static const char *const others[] = {
	"hist:keys=obj", "hist:keys=num:vals=hitcount", "hist:keys=object:vals=hits",
	"hist:keys=common_pid:sort=hitcount", "stacktrace:3", "stacktrace", "traceoff:2", "traceon",
	"snapshot:1", "enable_event:objtrace_target:ott_event:2",
	"disable_event:objtrace_target:ott_event", "enable_event:objtrace:objtrace_value",
	"hist:keys=obj.hex:pause", "hist:keys=obj:continue", "hist:keys=stacktrace:clear",
	"hist:keys=obj:onmatch(objtrace_target.ott_event).ott_made(obj)",
};

/* Few functions: to patch them all takes seconds */
static const char *const patterns[] = {
	"ott_*", "ott_*", "ott_* kfree kmem_cache_free", "ott_* *task*", "ott_take", "!ott_take",
	"ott_add ott_drop", ":mod:objtrace_target", "ott_*:mod:objtrace_target", "!ott_*",
	"ott_*:mod:!objtrace_target", "*file*", "vfs_*", "?tt_ta*", "ott_[a-t]*", "nothing", "kfree",
	"ott_step1 ott_step2 !ott_step1",
};

/* Words for mutations */
static const char *const words[] = {
	":", "::", "->", "+8(", "-0x8(", ")", "(ott_shape)", "(", ".2", "[2]", ",", ",0x8", " if ",
	"if", "&&", "==", "\"", "!", "*", "&", "obj", "0x", "-", ":u32", ":u7", ":changes", ":watch",
	":returns", ":returns=all", ":size=", ":size=auto", ":stack=", ":typed", ":typed=strict",
	":after-free", ":enum=", ":count=", "=", "add", "del", "clear", "objtrace:", "unlimited",
	"99999999999999999999", "-2147483649", "0xffffffffffffffff", "%s", "%n", "\\", "\n", "\t",
	" ", "#", "/", "a_field_with_a_name_that_is_longer_than_the_63_bytes_that_are_allowed",
};

/**
 * command_event() - choose an event for a command
 * @r: the sequence
 *
 * Return: the event.
 */
const struct fuzz_event *command_event(struct random *r)
{
	/* The first one has a probe most of the time, and a scenario fires it */
	return one_in(r, 3) ? &events[0] : &PICK(r, events);
}

/**
 * command_event_at() - look up an event by its number
 * @nr: the number, from 0
 *
 * Return: the event, or NULL if there are no more events.
 */
const struct fuzz_event *command_event_at(unsigned int nr)
{
	return nr < ARRAY_SIZE(events) ? &events[nr] : NULL;
}

static const char *pick_member(struct random *r, const struct fuzz_event *event)
{
	unsigned int nr = 0;

	while (event->members[nr])
		nr++;
	return event->members[random_below(r, nr)];
}

static void add_field(struct random *r, const struct fuzz_event *event, struct text *t)
{
	text_add(t, "%s", one_in(r, 24) ? PICK(r, addresses) : event->field);
}

/* Return whether the object has a struct */
static bool add_object(struct random *r, const struct fuzz_event *event, struct text *t)
{
	unsigned int depth, i;

	switch (random_below(r, 5)) {
	case 0:
		add_field(r, event, t);
		return false;
	case 1:
		add_field(r, event, t);
		text_add(t, ",%s", PICK(r, offsets));
		return false;
	case 2:
		depth = 1 + random_below(r, one_in(r, 4) ? 8 : 2);
		for (i = 0; i < depth; i++)
			text_add(t, "%c%u(", one_in(r, 4) ? '-' : '+', 8 * random_below(r, 8));
		add_field(r, event, t);
		for (i = 0; i < depth; i++)
			text_add(t, ")");
		return false;
	case 3:
		text_add(t, "(%s)", event->struct_name);
		add_field(r, event, t);
		return true;
	default:
		text_add(t, "(%s)", event->struct_name);
		add_field(r, event, t);
		text_add(t, "->%s", pick_member(r, event));
		return true;
	}
}

enum { MAX_PARTS = 10, PART_LEN = 48 };

/* Fill in the options of an add command, and return their number */
static unsigned int make_options(struct random *r, bool has_struct, char parts[][PART_LEN])
{
	unsigned int nr = 0;

	if (one_in(r, 4))
		snprintf(parts[nr++], PART_LEN, "changes");
	if (one_in(r, 5))
		snprintf(parts[nr++], PART_LEN, "returns%s", one_in(r, 2) ? "=all" : "");
	if (has_struct && one_in(r, 6))
		snprintf(parts[nr++], PART_LEN, "size=auto");
	else if (one_in(r, 5))
		snprintf(parts[nr++], PART_LEN, "size=%u", 1U << random_below(r, one_in(r, 8) ? 31 : 8));
	if (has_struct && one_in(r, 6))
		snprintf(parts[nr++], PART_LEN, "typed%s", one_in(r, 2) ? "=strict" : "");
	if (one_in(r, 5))
		snprintf(parts[nr++], PART_LEN, "after-free");
	if (one_in(r, 10))
		snprintf(parts[nr++], PART_LEN, "enum=%s", PICK(r, enums));
	if (one_in(r, 10))
		snprintf(parts[nr++], PART_LEN, "stack=%u", 1 + random_below(r, 64));
	if (one_in(r, 8))
		snprintf(parts[nr++], PART_LEN, "watch");
	else if (one_in(r, 12))
		snprintf(parts[nr++], PART_LEN, "watch=%u", 1 + random_below(r, 4));
	return nr;
}

/* Type, count and options may have any order */
static void add_parts(struct random *r, bool has_struct, struct text *t)
{
	char parts[MAX_PARTS][PART_LEN];
	unsigned int nr, at;

	nr = make_options(r, has_struct, parts);
	if (one_in(r, 3))
		snprintf(parts[nr++], PART_LEN, "%s", PICK(r, types));
	if (one_in(r, 3))
		snprintf(parts[nr++], PART_LEN, "%s", PICK(r, counts));
	while (nr) {
		at = random_below(r, nr--);
		text_add(t, ":%s", parts[at]);
		memmove(parts[at], parts[nr], PART_LEN);
	}
}

static void add_count(struct random *r, struct text *t)
{
	if (one_in(r, 3))
		text_add(t, ":%s", PICK(r, counts));
}

/**
 * command_make() - append a command that follows the grammar
 * @r: the sequence
 * @event: the event that the command is for
 * @t: the text
 *
 * The kernel can refuse the command, for example if a module with the struct is not loaded.
 */
void command_make(struct random *r, const struct fuzz_event *event, struct text *t)
{
	if (one_in(r, 10))
		text_add(t, "!");
	text_add(t, "objtrace:");
	switch (random_below(r, 8)) {
	case 0:
		text_add(t, "del:");
		add_field(r, event, t);
		add_count(r, t);
		break;
	case 1:
		text_add(t, "clear");
		add_count(r, t);
		break;
	default:
		text_add(t, "add:");
		add_parts(r, add_object(r, event, t), t);
		break;
	}
	if (one_in(r, 6))
		text_add(t, " if %s", PICK(r, filters));
}

/**
 * command_make_other() - append a trigger of the kernel
 * @r: the sequence
 * @t: the text
 */
void command_make_other(struct random *r, struct text *t)
{
	text_add(t, "%s", PICK(r, others));
	if (one_in(r, 6))
		text_add(t, " if %s", PICK(r, filters));
}

/**
 * command_make_pattern() - append patterns of functions
 * @r: the sequence
 * @t: the text
 */
void command_make_pattern(struct random *r, struct text *t)
{
	text_add(t, "%s", PICK(r, patterns));
}

static void insert(struct text *t, size_t at, const char *bytes, size_t len)
{
	if (t->len + len >= t->size)
		return;
	memmove(t->buf + at + len, t->buf + at, t->len - at + 1);
	memcpy(t->buf + at, bytes, len);
	t->len += len;
}

static void delete(struct text *t, size_t at, size_t len)
{
	if (len > t->len - at)
		len = t->len - at;
	memmove(t->buf + at, t->buf + at + len, t->len - at - len + 1);
	t->len -= len;
}

static void repeat(struct random *r, struct text *t, size_t at)
{
	char copy[64];
	size_t len = 1 + random_below(r, sizeof(copy));
	unsigned int times = 1 + random_below(r, one_in(r, 8) ? 300 : 3);

	if (len > t->len - at)
		len = t->len - at;
	memcpy(copy, t->buf + at, len);
	while (times--)
		insert(t, at, copy, len);
}

/**
 * command_mutate() - change a few places of a text
 * @r: the sequence
 * @t: the text, which can have each byte afterwards, NUL included
 */
void command_mutate(struct random *r, struct text *t)
{
	unsigned int times = one_in(r, 2) ? 1 : 1 + random_below(r, 3);
	const char *word;
	size_t at;

	while (times--) {
		at = random_below(r, t->len + 1);
		switch (random_below(r, 6)) {
		case 0:
			delete(t, at, 1 + random_below(r, 8));
			break;
		case 1:
			repeat(r, t, at);
			break;
		case 2:
			if (t->len)
				t->buf[random_below(r, t->len)] = random_below(r, 256);
			break;
		case 3:
			delete(t, at, t->len);
			break;
		default:
			word = PICK(r, words);
			insert(t, at, word, strlen(word));
			break;
		}
	}
}
