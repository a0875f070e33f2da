// SPDX-License-Identifier: GPL-2.0-only
/*
 * The stacks of records: which record a stack belongs to, shared entries, and damaged stacks.
 */
#include <stdint.h>
#include <string.h>

#include <traceevent/event-parse.h>

#include "tools/objtrace/records.h"
#include "tools/objtrace/stacks.h"
#include "tap.h"

#define FORMAT									\
	"name: kernel_stack\nID: 4\nformat:\n"					\
	"\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;\n"	\
	"\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;\n"	\
	"\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;\n" \
	"\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;\n\n"		\
	"\tfield:int size;\toffset:8;\tsize:4;\tsigned:1;\n"			\
	"\tfield:unsigned long caller[8];\toffset:16;\tsize:64;\tsigned:0;\n"	\
	"\nprint fmt: \"%d\", REC->size\n"

struct stack {
	uint16_t	type;
	uint16_t	flags;
	int32_t		pid;
	int32_t		size;
	uint32_t	hole;
	uint64_t	callers[4];
};

static struct tep_handle *tep;
static const char *a = "a", *b = "b";	/* two buffers */

static void take(struct stacks *stacks, const void *buffer, int cpu, struct stack stack, int size)
{
	struct tep_record raw = { .cpu = cpu, .size = size, .data = &stack };

	stacks_take(stacks, buffer, &raw);
}

static void take_whole(struct stacks *stacks, const void *buffer, int cpu, struct stack stack)
{
	take(stacks, buffer, cpu, stack, sizeof(stack));
}

/* The entries from the innermost on, as a number in decimal. */
static unsigned long entries(const struct stacks *stacks, const struct record *record)
{
	const struct count *entry = stack_entry(stacks, record->stack);
	unsigned long number = 0;

	for (; entry; entry = stack_entry(stacks, entry->parent_ip))
		number = number * 10 + entry->ip;
	return number;
}

#define STACK(nr, ...)	((struct stack){ .type = 4, .size = nr, .callers = { __VA_ARGS__ } })

static void find_records(void)
{
	struct record first = {}, second = {}, third = {};
	struct stacks stacks;

	stacks_init(&stacks, tep);
	take_whole(&stacks, a, 1, STACK(1, 9));
	stacks_expect(&stacks, a, 1, &first);
	stacks_expect(&stacks, a, 0, &second);
	take_whole(&stacks, a, 1, STACK(3, 1, 2, 3));
	take_whole(&stacks, a, 0, STACK(2, 4, 3));
	ok(entries(&stacks, &first) == 123 && entries(&stacks, &second) == 43,
	   "each CPU has its own last record: %lu, %lu", entries(&stacks, &first),
	   entries(&stacks, &second));
	ok(stacks.entries.nr == 4, "stacks with the same callers share entries: %zu",
	   stacks.entries.nr);
	take_whole(&stacks, a, 1, STACK(1, 5));
	ok(entries(&stacks, &first) == 123, "a second stack belongs to no record");
	stacks_expect(&stacks, b, 1, &third);
	take_whole(&stacks, a, 1, STACK(1, 5));
	ok(!third.stack, "a stack of another buffer belongs to no record");
	stacks_expect(&stacks, a, 1, &third);
	take_whole(&stacks, a, 1, (struct stack){ .type = 5, .size = 1, .callers = { 5 } });
	take_whole(&stacks, a, 1, STACK(1, 5));
	ok(!third.stack, "a stack after a record of another event belongs to no record");
	take_whole(&stacks, a, 9, STACK(1, 5));
	ok(stacks.entries.nr == 4, "a CPU without records");
	stacks_free(&stacks);
}

static unsigned long entries_of(struct stack stack, int size)
{
	struct record record = {};
	struct stacks stacks;
	unsigned long found;

	stacks_init(&stacks, tep);
	stacks_expect(&stacks, a, 0, &record);
	take(&stacks, a, 0, stack, size);
	found = entries(&stacks, &record);
	stacks_free(&stacks);
	return found;
}

static void take_damaged(void)
{
	int size;

	ok(entries_of(STACK(1000000000, 1, 2, 3, 4), sizeof(struct stack)) == 1234,
	   "a stack with more entries than its record");
	ok(entries_of(STACK(-1, 1, 2), sizeof(struct stack)) == 0,
	   "a negative number of entries");
	ok(entries_of(STACK(4, 1, 2, ~0ULL, 0), sizeof(struct stack)) == 12,
	   "entries after the end of a stack of old kernels");
	for (size = 0; size < 16; size++)
		if (entries_of(STACK(4, 1, 2, 3, 4), size))
			break;
	ok(size == 16, "a record without entries");
}

static void read_without_format(void)
{
	struct tep_handle *other = tep_alloc();
	struct record record = {};
	struct stacks stacks;

	stacks_init(&stacks, other);
	stacks_expect(&stacks, a, 0, &record);
	take_whole(&stacks, a, 0, STACK(1, 1));
	ok(!record.stack, "a file without the format of stacks");
	stacks_free(&stacks);
	tep_free(other);
}

int main(void)
{
	tep = tep_alloc();
	tep_set_long_size(tep, 8);
	tep_set_file_bigendian(tep, tep_is_bigendian());
	tep_set_local_bigendian(tep, tep_is_bigendian());
	tep_parse_event(tep, FORMAT, strlen(FORMAT), "ftrace");
	find_records();
	take_damaged();
	read_without_format();
	tep_free(tep);
	return tap_done();
}
