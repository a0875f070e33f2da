// SPDX-License-Identifier: GPL-2.0-only
/*
 * Callers that the kernel keeps for functions to return to later, see
 * kernel/caller.h.
 *
 * Each task has two stacks of them: one of the function graph tracer, also for fprobes of
 * newer kernels, and one of return probes.  On top are those of the function that was
 * entered last and has not returned.
 */
#include <linux/container_of.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/llist.h>
#include <linux/sched.h>

#include <asm/current.h>

#include "kernel/caller.h"
#include "kernel/ksyms.h"

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/* The one below @depth others; 0 if there are not so many */
static unsigned long graph_caller(int depth)
{
	const struct ftrace_ret_stack *kept;

	kept = ksym(ftrace_graph_get_ret_stack)(current, depth);
	return kept ? kept->ret : 0;
}
#else
static unsigned long graph_caller(int depth)
{
	return 0;
}
#endif

#if defined(CONFIG_KRETPROBE_ON_RETHOOK)
static struct llist_node *first_probe(void)
{
	return READ_ONCE(current->rethooks.first);
}

static unsigned long probe_caller(struct llist_node *node)
{
	return container_of(node, struct rethook_node, llist)->ret_addr;
}
#elif defined(CONFIG_KRETPROBES)
static struct llist_node *first_probe(void)
{
	return READ_ONCE(current->kretprobe_instances.first);
}

static unsigned long probe_caller(struct llist_node *node)
{
	return (unsigned long)container_of(node, struct kretprobe_instance, llist)->ret_addr;
}
#else
static struct llist_node *first_probe(void)
{
	return NULL;
}

static unsigned long probe_caller(struct llist_node *node)
{
	return 0;
}
#endif

/**
 * struct kept - the callers that are kept and not passed over yet
 * @depth: how many of the function graph tracer are
 * @probe: the next one of return probes; NULL if there is none
 */
struct kept {
	int			depth;
	struct llist_node	*probe;
};

static unsigned long next_probe_caller(struct kept *kept)
{
	struct llist_node *node = kept->probe;

	if (!node)
		return 0;
	kept->probe = node->next;
	return probe_caller(node);
}

static bool is_inside(unsigned long addr, const struct objtrace_text *inside,
		      unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++)
		if (addr - inside[i].start < inside[i].size)
			return true;
	return false;
}

/* What the function itself has called was put there after it, and returns to it */
static void pass_over_callees(struct kept *kept, const struct objtrace_text *inside,
			      unsigned int nr)
{
	while (is_inside(graph_caller(kept->depth), inside, nr))
		kept->depth++;
	while (kept->probe && is_inside(probe_caller(kept->probe), inside, nr))
		kept->probe = kept->probe->next;
}

/**
 * objtrace_caller_find() - find where the caller of a function goes on
 * @now: what the function returns to now: objtrace_caller_is_hidden() is true
 * @inside: functions of which that is one, if it may have called others
 * @nr: how many; 0 if it has not
 *
 * What is kept can be hidden, too: of a function with a return probe that the function
 * graph tracer follows, and where a function that is followed ends with a jump to another.
 * Who hides a caller keeps what was there before.  So what the function returns to now
 * tells which of the stacks has what was there before that, and so on.
 *
 * The stacks are those of the running task, and safe to read: who interrupts it leaves
 * them as they were.
 *
 * Context: as objtrace_caller_beyond().
 * Return: as there
 */
unsigned long objtrace_caller_find(unsigned long now, const struct objtrace_text *inside,
				   unsigned int nr)
{
	struct kept kept = { .probe = first_probe() };
	unsigned long caller = now;

	pass_over_callees(&kept, inside, nr);
	while (objtrace_caller_is_hidden(caller)) {
		if (caller == OBJTRACE_GRAPH_RETURN)
			caller = graph_caller(kept.depth++);
		else
			caller = next_probe_caller(&kept);
	}
	return caller ?: now;
}
