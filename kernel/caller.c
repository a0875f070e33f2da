// SPDX-License-Identifier: GPL-2.0-only
/*
 * Return addresses that the kernel saves while a tracer replaces them, see kernel/caller.h.
 *
 * Each task has two stacks of saved addresses.  The function graph tracer has one, which
 * fprobes of newer kernels use, too.  Return probes have the other stack.  The top entry
 * belongs to the latest function that has not returned.
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
/* The saved address below the top @depth entries; 0 if there are fewer entries */
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
 * struct kept - the next entry to read of both stacks of saved return addresses
 * @depth: index of the entry in the function graph tracer's stack, 0 at the top
 * @probe: the entry in the stack of return probes; NULL at the end
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

/*
 * Functions that @inside called were entered later, so their entries are on top.  These
 * entries return into @inside.
 */
static void pass_over_callees(struct kept *kept, const struct objtrace_text *inside,
			      unsigned int nr)
{
	while (is_inside(graph_caller(kept->depth), inside, nr))
		kept->depth++;
	while (kept->probe && is_inside(probe_caller(kept->probe), inside, nr))
		kept->probe = kept->probe->next;
}

/**
 * objtrace_caller_find() - look up the caller's address in the stacks of saved addresses
 * @now: current return address of the function; objtrace_caller_is_hidden() is true for it
 * @inside: candidates, one of which is the function; used if it may have called other functions
 * @nr: number of functions in @inside; 0 if the function has called no other function
 *
 * Two tracers may follow one function, or a followed function ends with a jump to another followed
 * function.  Then the return address is replaced twice, and the second saved address is a tracer's
 * own.  So while the found address is a tracer's, the search goes on in the stack of that tracer.
 *
 * The stacks belong to the running task, and are safe to read: an interrupt removes the
 * entries that it has pushed.
 *
 * Context: Any, NMI included, in the context whose function returns to @now.
 * Return: an address in the caller; @now if the kernel has not saved an address
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
