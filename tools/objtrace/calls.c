// SPDX-License-Identifier: GPL-2.0-only
/*
 * The tree of calls, in two passes.  The first pass finds the entry of each return.  The second pass
 * nests the calls of each task: a call is in the last call of its task that still runs.  A call
 * without a record of its return ends at the next entry, unless it is the caller.
 */
#include <stdlib.h>
#include <string.h>

#include "tools/objtrace/calls.h"
#include "tools/objtrace/message.h"
#include "tools/objtrace/symbols.h"

/* Calls without returns stay on a stack: the search for an entry stops at this depth */
#define MAX_SEARCH	256

struct stack {
	int		task;
	struct call	**calls;
	size_t		nr;
	size_t		room;
	struct stack	*next;
};

/* Each CPU has its own idle task, with the number 0 */
static int task_of(const struct record *record)
{
	return record->pid ? record->pid : -1 - record->cpu;
}

static struct stack *stack_of(struct stack **stacks, const struct record *record)
{
	struct stack **link = stacks, *stack;
	int task = task_of(record);

	while (*link && (*link)->task != task)
		link = &(*link)->next;
	stack = *link;
	if (stack) {	/* the next record is often of the same task */
		*link = stack->next;
	} else {
		stack = calloc(1, sizeof(*stack));
		if (!stack)
			no_memory();
		stack->task = task;
	}
	stack->next = *stacks;
	*stacks = stack;
	return stack;
}

static void push(struct stack *stack, struct call *call)
{
	if (stack->nr == stack->room) {
		stack->room = stack->room ? stack->room * 2 : 16;
		stack->calls = realloc(stack->calls, stack->room * sizeof(*stack->calls));
		if (!stack->calls)
			no_memory();
	}
	stack->calls[stack->nr++] = call;
}

static void free_stacks(struct stack *stacks)
{
	struct stack *next;

	for (; stacks; stacks = next) {
		next = stacks->next;
		free(stacks->calls);
		free(stacks);
	}
}

static bool belong_together(const struct record *entry, const struct record *ret)
{
	return entry->ip == ret->ip && entry->parent_ip == ret->parent_ip &&
	       entry->arg == ret->arg && entry->offset == ret->offset;
}

/* Calls above the one that returns have returned, too */
static void match_return(struct stack *stack, struct call *call)
{
	size_t i = stack->nr;

	for (; i && stack->nr - i < MAX_SEARCH; i--) {
		struct call *entry = stack->calls[i - 1];

		if (!belong_together(entry->record, call->record))
			continue;
		entry->ret = call->record;
		call->of_entry = entry;
		stack->nr = i - 1;
		return;
	}
}

static void match_returns(struct call *calls, size_t nr)
{
	struct stack *stacks = NULL;
	size_t i;

	for (i = 0; i < nr; i++) {
		if (calls[i].record->kind == RECORD_VALUE)
			push(stack_of(&stacks, calls[i].record), &calls[i]);
		else if (calls[i].record->kind == RECORD_RETURN)
			match_return(stack_of(&stacks, calls[i].record), &calls[i]);
	}
	free_stacks(stacks);
}

static bool calls_it(struct trace_symbols *symbols, const struct call *caller, const struct record *entry)
{
	return symbol_at(symbols, caller->record->ip)->start ==
	       symbol_at(symbols, entry->parent_ip)->start;
}

static void nest(struct stack *stack, struct call *call, struct trace_symbols *symbols)
{
	const struct record *record = call->record;

	if (record->kind == RECORD_VALUE)
		while (stack->nr && !stack->calls[stack->nr - 1]->ret &&
		       !calls_it(symbols, stack->calls[stack->nr - 1], record))
			stack->nr--;
	if (call->of_entry) {
		while (stack->nr && stack->calls[stack->nr - 1] != call->of_entry)
			stack->nr--;
		if (stack->nr)
			stack->nr--;
		call->depth = call->of_entry->depth;
		call->parent = call->of_entry->parent;
		return;
	}
	call->depth = stack->nr;
	if (stack->nr) {
		call->parent = stack->calls[stack->nr - 1];
		call->parent->has_inside = true;
	}
	if (record->kind == RECORD_VALUE)
		push(stack, call);
}

/**
 * calls_find() - find the tree of an object's calls
 * @object: the object
 * @symbols: the functions
 *
 * Return: an array of object->nr_records calls, in the order of the records, for free(); or NULL
 * without memory.
 */
struct call *calls_find(const struct object *object, struct trace_symbols *symbols)
{
	struct call *calls = calloc(object->nr_records, sizeof(*calls));
	struct stack *stacks = NULL;
	const struct record *record;
	size_t i = 0;

	if (!calls)
		return NULL;
	for_each_record(record, object)
		calls[i++].record = record;
	match_returns(calls, object->nr_records);
	for (i = 0; i < object->nr_records; i++)
		nest(stack_of(&stacks, calls[i].record), &calls[i], symbols);
	free_stacks(stacks);
	return calls;
}
