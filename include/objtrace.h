/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * objtrace: how the parts fit together.  Data flows one way:
 *
 *  a command is written to events/SYSTEM/EVENT/trigger
 *	objtrace_trigger.c   text to struct objtrace_trigger   (command/parse.c)
 *	  |
 *	  v  the event fires: the pointer in its field becomes a tracked object
 *	objects/fire.c	     objects begin; objects/object.c: objects end
 *	objects/table.c	     who looks for which pointer
 *	  |
 *	  |  (objects/free.c: the memory that it lies in is freed, and it ends;
 *	  |   objects/tomb.c: for a while its address is still looked for)
 *	  |
 *	  v  a function is entered with that pointer as an argument
 *	functions/groups.c   which functions call us (functions/known.c: which arguments
 *	  |		     has each?  functions/filter.c: is it left out?)
 *	  v
 *	functions/tramp_*.S  nearly always it is none: see objects/bloom.h
 *	  |
 *	  v
 *	objtrace_fops.c	     match, read the member's value (records/sample.c;
 *	  |		     records/changes.c: is it another one than last time?)
 *	  v
 *	records/record.c     write a record into the trigger's instance
 *	  |
 *	  v
 *	cat trace
 *
 * What becomes of each firing, each hit and each record is counted on the way
 * (records/tally.h), and shown with the live objects in files of their own
 * (files/stats.c, files/tracefs.c).  Which functions are left out is written to
 * two others (files/filter_files.c).
 *
 * Beside it stands the kernel-private layer, through which all of them reach what the
 * kernel does not export:
 *
 *	kernel/ksyms.c	     unexported symbols, found once at load, called directly
 *	kernel/btf.c	     what the running kernel's BTF says of types and functions
 *	kernel/member.c	     types and members in any BTF
 *	kernel/built.c	     what the headers said of the public structs
 *	kernel/layout.c	     where the members of the private structs are, by that BTF
 *	kernel/command.c     the private structs in use: the event command, its triggers
 *	kernel/event.c	     the same: events, their probes, instances
 *	kernel/slab.c	     the same: slabs and sheaves
 *	kernel/caller.c	     callers that functions do not return to directly
 *	kernel/memory.c	     memory at addresses that nobody vouches for
 *
 * objtrace_main.c starts all of them bottom up and stops them top down.
 *
 * Documentation/internals.rst has the layers of these files, the life of an object, the rules
 * of memory ordering, and the contexts.
 */
#ifndef _OBJTRACE_H
#define _OBJTRACE_H

#include <linux/atomic.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/types.h>

#include "command/parse.h"
#include "functions/selection.h"
#include "objects/table.h"
#include "objtrace_fetch.h"
#include "records/record.h"
#include "records/tally.h"

struct module;
struct trace_array;
struct trace_event_call;

/**
 * struct objtrace_trigger - one objtrace trigger on one event
 * @owner: what the table knows of it; of those that add
 * @freed: the same for what is left of its objects that were freed; with the option
 *	   "after-free", else empty
 * @list: of all that add, see objects/object.c
 * @shown: of all that are in stats, see files/stats.c
 * @spec: the command
 * @fetch: how to get from an object to its value
 * @selection: in which functions its objects are recorded; of those that add
 * @files: our events in its instance
 * @tr: its instance
 * @call: its event
 * @module: that of its event, held as long as the trigger exists; or NULL
 * @object_offset: where in the event's record the pointer is, in bytes
 * @arg_registers: if its probes take the object from registers that pass arguments to
 *		   a function: bit N for register N; else 0
 * @ip_offset: if so, where in the record the address of the probe is, in bytes
 * @last_probe: the event's last probe when that was found out; only compared
 * @budget: objects that may still be added or ended, if there is a limit; changed
 *	    in any context
 * @told: bits for why objects were not added, each to be told once; set by adders
 * @to_tell: those of them that @full_work is to tell; set by adders, cleared by it
 * @full_work: tells them, from a context that can
 * @tally: by enum objtrace_tally; changed in any context
 * @filter: what follows the "if"; NULL if nothing.  The kernel's, as long as the trigger
 *	    is in stats
 * @event: the event that carries it, as SYSTEM:EVENT
 *
 * All but @owner, @freed, the lists, @selection.list and what follows @last_probe is
 * constant while the trigger is on its event, and so are @filter and @event.  Readers of
 * the table may use it for an RCU grace period after its objects have ended.
 */
struct objtrace_trigger {
	struct objtrace_owner	owner;
	struct objtrace_owner	freed;
	struct list_head	list;
	struct list_head	shown;
	struct objtrace_spec	spec;
	struct objtrace_fetch	fetch;
	struct objtrace_selection selection;
	struct objtrace_files	files;
	struct trace_array	*tr;
	struct trace_event_call	*call;
	struct module		*module;
	unsigned int		object_offset;
	unsigned int		arg_registers;
	unsigned int		ip_offset;
	const void		*last_probe;
	atomic_long_t		budget;
	unsigned long		told;
	unsigned long		to_tell;
	struct irq_work		full_work;
	atomic_long_t		tally[OBJTRACE_NR_TALLIES];
	const char		*filter;
	char			event[];
};

/**
 * objtrace_trigger_of() - the trigger that tracks an object, or has done so
 * @match: the object, or what is left of it
 *
 * Context: any; valid as long as @match.
 * Return: the trigger
 */
static inline struct objtrace_trigger *
objtrace_trigger_of(const struct objtrace_match *match)
{
	if (match->owner->is_freed)
		return container_of(match->owner, struct objtrace_trigger, freed);
	return container_of(match->owner, struct objtrace_trigger, owner);
}

/**
 * objtrace_count() - something has come to pass with a trigger
 * @trigger: the trigger
 * @what: what
 *
 * Context: any, NMI included.
 */
static inline void objtrace_count(struct objtrace_trigger *trigger,
				  enum objtrace_tally what)
{
	atomic_long_inc(&trigger->tally[what]);
}

/**
 * objtrace_trigger_budget() - how many objects a trigger may still add or end
 * @trigger: the trigger
 *
 * Context: any.
 * Return: what is left of COUNT; NULL if none was given
 */
static inline atomic_long_t *objtrace_trigger_budget(struct objtrace_trigger *trigger)
{
	return trigger->spec.count ? &trigger->budget : NULL;
}

#endif /* _OBJTRACE_H */
